"""Key words of topics: given in words, by a file as news-tls has it, or by the topic's title."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from chronoscore.core import Topic
from chronoscore.errors import DataError, WrongTypeError, describe_type
from chronoscore.formats.io.files import read_text
from chronoscore.formats.io.json_values import decode_json
from chronoscore.text.unicode import split_into_words

AUTO = "auto"
"""The topic's own key words: those of its keywords.json, else the words of its title."""

Keywords: TypeAlias = (
    str | PathLike[str] | Sequence[str | PathLike[str]] | Mapping[str, Sequence[str]]
)
"""Words, paths of JSON files, `auto`, or words by topic."""


def add(topics: Sequence[Topic], given: Keywords) -> list[Topic]:
    """The topics with the key words that were given."""
    if isinstance(given, str | PathLike):
        given = [given]
    if isinstance(given, Mapping):
        tables: list[Mapping[str, Sequence[str]] | Sequence[str] | None] = [
            {str(topic): _word_list(words, f"topic '{topic}'") for topic, words in given.items()}
        ]
    elif isinstance(given, Sequence):
        tables = [_read_keywords(one) for one in given]
    else:
        raise WrongTypeError(f"keywords: {describe_type(given)} is not a list of words; give text")
    return [
        replace(
            topic, keywords=tuple(word for table in tables for word in _words_for(topic, table))
        )
        for topic in topics
    ]


def _read_keywords(given: object) -> Mapping[str, Sequence[str]] | Sequence[str] | None:
    """Words with commas between them, those of a file, or none where they are the topic's own."""
    if given == AUTO:
        return None
    if isinstance(given, PathLike) or (isinstance(given, str) and given.endswith(".json")):
        return load(Path(given))
    if not isinstance(given, str):
        raise WrongTypeError(f"keywords: {describe_type(given)} is not a word; give text")
    words = [word.strip() for word in given.split(",") if word.strip()]
    if not words:
        raise DataError("keywords: there is no word; write some with commas between them")
    return words


def load(path: Path) -> Mapping[str, Sequence[str]] | list[str]:
    """The words of a file: a list as news-tls has it, or lists by topic."""
    value = decode_json(read_text(path), str(path))
    if isinstance(value, Mapping):
        return {topic: _word_list(words, f"{path}: '{topic}'") for topic, words in value.items()}
    return _word_list(value, str(path))


def _word_list(value: Any, where: str) -> list[str]:
    """A list of words, or one word."""
    words = [value] if isinstance(value, str) else value
    if (
        not isinstance(words, Sequence)
        or not words
        or not all(isinstance(word, str) and word.strip() for word in words)
    ):
        raise DataError('must be a list of words; write ["word", …]', place=where)
    return list(words)


def _words_for(
    topic: Topic, table: Mapping[str, Sequence[str]] | Sequence[str] | None
) -> Sequence[str]:
    """The key words of one topic."""
    if table is None:
        words = topic.keywords or _title_words(topic.title)
        if not words:
            raise DataError(
                "there is neither a keywords.json nor a title with words; give key words",
                place=f"topic '{topic.id}'",
            )
        return words
    if isinstance(table, Mapping):
        if topic.id not in table:
            raise DataError(
                "there are no key words; add the topic to the file", place=f"topic '{topic.id}'"
            )
        return table[topic.id]
    return table


def _title_words(title: str) -> tuple[str, ...]:
    """The words of a title that carry content.

    >>> _title_words("The BP oil spill of 2010")
    ('bp', 'oil', 'spill')
    """
    from chronoscore.text.stopwords import SMART

    return tuple(
        dict.fromkeys(
            word for word in split_into_words(title) if word not in SMART and not word.isdecimal()
        )
    )
