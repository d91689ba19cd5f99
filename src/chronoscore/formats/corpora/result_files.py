"""Result files of other tools that do not say which topic they are for.

CHRONOS has the topic inside the name of a file (`open-MODEL-TOPIC-5.json`). news-tls writes all
results into one file, one for each reference of each topic, in the order of its corpus.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from chronoscore.core import Output


def find_topic_in_file_name(name: str, topics: Iterable[str]) -> str | None:
    """The topic whose name stands inside a file's name, between hyphens, dots or the like.

    The longest counts; nothing where several of that length stand there.

    >>> find_topic_in_file_name("open-gpt-4-egypt-war-5", ["war", "egypt-war", "syria"])
    'egypt-war'
    """
    inside = [
        topic
        for topic in topics
        if re.search(rf"(?<![^\W_]){re.escape(topic)}(?![^\W_])", name, re.IGNORECASE)
    ]
    longest = max(map(len, inside), default=0)
    found = [topic for topic in inside if len(topic) == longest]
    return found[0] if len(found) == 1 else None


def split_topics_by_reference_file(
    references: Mapping[str, Sequence[Output]],
) -> dict[str, list[Output]]:
    """Each reference as a topic of its own, `bp.1` and `bp.2`, in the order of the topics."""
    split: dict[str, list[Output]] = {}
    for topic in sorted(references):
        found = references[topic]
        for number, reference in enumerate(found, 1):
            author = getattr(reference, "author", "") or str(number)
            name = f"{topic}.{author}" if len(found) > 1 else topic
            split[name if name not in split else f"{topic}.{number}"] = [reference]
    return split
