"""Dated articles in JSON Lines, as news-tls has them: what systems read.

A line is ``{"id": …, "time": …, "title": …, "sentences": […]}``. Sentences are strings, or
news-tls's own objects with `raw` text and the date it found in it; without `sentences`, each
line of `text` is one. A sentence's id is its article's with `-s01`, `-s02` … behind it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chronoscore.core import Document, Sentence, When
from chronoscore.errors import DataError
from chronoscore.formats.io.files import text_lines
from chronoscore.formats.io.json_values import decode_json
from chronoscore.formats.io.notes import Note, warn


def load(path: Path) -> list[Document]:
    """Read all articles of a file, in its order; two with the same id are refused."""
    found: dict[str, Document] = {}
    empty: list[Note] = []
    for line, document in read(path):
        if document.id in found:
            raise DataError(f"{path}:{line}: duplicate article '{document.id}'; rename one")
        if not document.sentences:
            empty.append(Note(str(path), line, "empty", f"article '{document.id}' has no text"))
        found[document.id] = document
    warn(empty)
    return list(found.values())


def read(path: Path) -> Iterator[tuple[int, Document]]:
    """Each article with its line, one at a time, so that a large file need not fit in memory."""
    for number, line in text_lines(path):
        if line.strip():
            where = f"{path}:{number}"
            value = decode_json(line, str(path), first_line=number)
            if not isinstance(value, dict):
                raise DataError(f'{where}: is not an article; write {{"id": "…", "text": "…"}}')
            yield number, _document(value, number, where)


def _document(article: Mapping[str, Any], number: int, where: str) -> Document:
    given = article.get("id")
    name = str(number) if given is None else str(given)
    sentences = article.get("sentences")
    if sentences is None:
        text = article.get("text") or ""
        if not isinstance(text, str):
            raise DataError(f"{where}: 'text' is not a text; write it as one string")
        sentences = text.split("\n")
    if not isinstance(sentences, list):
        raise DataError(f"{where}: 'sentences' is not a list; write [\"…\", …]")
    texts = [_sentence(one, where) for one in sentences]
    return Document(
        id=name,
        sentences=tuple(
            Sentence(f"{name}-s{place:02}", text, when)
            for place, (text, when) in enumerate(((t, w) for t, w in texts if t), 1)
        ),
        when=_when(article.get("time"), where),
        title=str(article.get("title") or "").strip(),
    )


def _sentence(given: Any, where: str) -> tuple[str, When | None]:
    """A sentence's text and the date that it speaks of, if that is known."""
    if isinstance(given, str):
        return given.strip(), None
    fields = given if isinstance(given, dict) else {}
    text = next((fields[key] for key in ("raw", "text") if key in fields), None)
    if not isinstance(text, str):
        raise DataError(f"{where}: a sentence has no 'raw' or 'text'; write it as a string")
    tokens = given.get("tokens")
    if isinstance(tokens, dict) and "data" in tokens:
        return text.strip(), _mentioned(tokens, where)
    return text.strip(), _when(given.get("time"), where)


def _mentioned(tokens: Mapping[str, Any], where: str) -> When | None:
    """The first date among news-tls's tokens, no finer than the text says it."""
    keys = list(tokens["keys"])
    for values in tokens["data"]:
        token = dict(zip(keys, values, strict=False))
        if token.get("time"):
            day = str(token["time"])[:10]
            shape = str(token.get("time_format") or "%d")
            return _when(day if "d" in shape else day[:7] if "m" in shape else day[:4], where)
    return None


def _when(given: Any, where: str) -> When | None:
    if given is None or given == "":
        return None
    try:
        return When.of(given if not isinstance(given, int | float) else str(given))
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
