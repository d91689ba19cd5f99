"""Files of judgements, as many as were named, brought together by topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chronoscore.core import Pyramid, Topic
from chronoscore.errors import DataError, did_you_mean
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.io.files import lines
from chronoscore.formats.judgements import worklog
from chronoscore.formats.judgements.rows import FORMAT

LOOKED_AT = 4096
"""Bytes of a file's first line that must name the format."""


@dataclass
class Judged:
    """Topics with what was judged of them; `matchers` are all files with a topic's units."""

    topics: dict[str, Topic] = field(default_factory=dict)
    matchers: dict[str, list[tuple[str, Pyramid]]] = field(default_factory=dict)
    linked: dict[str, Path] = field(default_factory=dict)

    def add(self, path: Path, topic: Topic) -> None:
        """Join a topic with what is known of it; links of one topic come from one file."""
        known = self.topics.setdefault(topic.id, topic)
        if topic.judgements is not None and topic.judgements.events:
            if other := self.linked.get(topic.id):
                raise DataError(
                    f"{path}: topic '{topic.id}' has its events in {other} already; give one file"
                )
            self.linked[topic.id] = path
            known = replace(known, judgements=topic.judgements)
        if topic.pyramid is not None:
            self.matchers.setdefault(topic.id, []).append((str(path), topic.pyramid))
            known = replace(known, pyramid=self.matchers[topic.id][0][1])
        self.topics[topic.id] = known


def gather(paths: Sequence[Path]) -> Judged:
    """Read every file that was named or is below a directory that was."""
    found = Judged()
    for file in dict.fromkeys(file for path in paths for file in files(path)):
        for topic in judged_topics.topics_of(file):
            found.add(file, topic)
    if not found.linked and not found.matchers:
        raise DataError(
            f"{paths[0]}: holds neither events nor content units; give a file of judgements"
        )
    return found


def files(path: Path) -> list[Path]:
    """The file itself, our own files below a directory, or the directory of a shared task."""
    if not path.exists():
        raise DataError(f"{path}: no such file or directory; check the path")
    if not path.is_dir():
        return [path]
    own = sorted(file for file in path.rglob("*.jsonl*") if file.is_file() and is_ours(file))
    return own or [path]


def is_ours(path: Path) -> bool:
    """Whether the first line says that the file holds judgements."""
    try:
        _, first = next(lines(path))
    except DataError:
        return False
    return FORMAT.encode() in first[:LOOKED_AT]


def hours_log(path: Path | None, found: Judged) -> Mapping[tuple[str, str], Sequence[float]]:
    """The log that was named; it must be about topics that were given."""
    if path is None:
        return {}
    moments = worklog.load(path)
    for topic, _ in moments:
        if topic not in found.topics:
            raise DataError(
                f"{path}: no such topic '{topic}' in the judgements; "
                f"{did_you_mean(topic, found.topics)}"
            )
    return moments
