"""Dated articles in JSON Lines (or one JSON list), as news-tls has them: what systems read.

A line is ``{"id": …, "time": …, "title": …, "sentences": […]}``. Sentences are strings, or
news-tls's own objects with `raw` text and the date it found in it; without `sentences`, `text`
is split into them. Other usual names of these fields are understood, whatever their case. A
sentence's id is its article's with `-s01`, `-s02` … behind it.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from chronoscore.core import Document, Sentence, When
from chronoscore.core.sentences import split_into_sentences
from chronoscore.errors import DataError
from chronoscore.formats.io.files import text_lines
from chronoscore.formats.io.json_values import decode_json
from chronoscore.formats.io.notes import Note, warn_of_notes

NAMES = {
    field: names.split()
    for field, names in {
        "id": "id docid documentid articleid guid uri url link",
        "time": "time date published publishedat publisheddate publishdate pubdate pubtime "
        "publicationdate publicationtime publishedtime datepublished datetime timestamp created "
        "createdat datecreated",
        "title": "title headline heading",
        "sentences": "sentences sents",
        "text": "text content body bodytext maintext articletext fulltext articlebody article "
        "story contents",
    }.items()
}
"""The names that each field may have, without case, blanks, hyphens and underscores."""

_date_alone = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+\S*)?").fullmatch
_as_in_mail = re.compile(r"[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} ").match


def load(path: Path) -> list[Document]:
    """Read all articles of a file, in its order; two with the same id are refused."""
    found: dict[str, Document] = {}
    empty: list[Note] = []
    for number, where, document in _read_articles(path):
        if document.id in found:
            raise DataError(f"duplicate article '{document.id}'; rename one", place=where)
        if not document.sentences:
            empty.append(Note(str(path), number, "empty", f"article '{document.id}' has no text"))
        found[document.id] = document
    warn_of_notes(empty)
    return list(found.values())


def _read_articles(path: Path) -> Iterator[tuple[int, str, Document]]:
    """Each article with its number and place, one at a time: a large file need not fit in memory.

    A file may also be one JSON list of articles.
    """
    lines = ((number, line) for number, line in text_lines(path) if line.strip())
    for number, line in lines:
        if number == 1 and line.lstrip().startswith("["):
            values = decode_json("\n".join([line, *(more for _, more in lines)]), str(path))
            numbered = [(n, f"{path}: article {n}", value) for n, value in enumerate(values, 1)]
        else:
            value = decode_json(line, str(path), first_line=number)
            numbered = [(number, f"{path}:{number}", value)]
        for place, where, value in numbered:
            if not isinstance(value, dict):
                raise DataError('is not an article; write {"id": "…", "text": "…"}', place=where)
            yield place, where, _document(value, place, where)


def known_fields(article: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The fields of an article under our names; the first of several names that has a value.

    An article without any text field is refused, and so is a date under an unknown name.
    """
    plain = {re.sub(r"[\W_]", "", str(key)).casefold(): key for key in [*article][::-1]}
    found: dict[str, Any] = {}
    for field, names in NAMES.items():
        keys = [plain[name] for name in names if name in plain]
        if keys:
            found[field] = next((article[k] for k in keys if article[k] not in (None, "")), None)
    if "sentences" not in found and "text" not in found:
        has = ", ".join(f"'{key}'" for key in article) or "nothing"
        raise DataError(
            f"the article has no 'text' or 'sentences' but {has}; rename one of these", place=where
        )
    other = [key for name, key in plain.items() if not any(name in own for own in NAMES.values())]
    for key in other if "time" not in found else ():
        value = article[key]
        if isinstance(value, str) and _date_alone(value.strip()):
            raise DataError(
                f"'{key}' may be the article's date; call it 'time', "
                'or add "time": null where it is not',
                place=where,
            )
    return found


def _document(article: Mapping[str, Any], number: int, where: str) -> Document:
    article = known_fields(article, where)
    given = article.get("id")
    name = str(number) if given is None else str(given)
    sentences = article.get("sentences")
    if sentences is None:
        sentences = split_text(article.get("text"), where)
    if not isinstance(sentences, list):
        raise DataError("'sentences' is not a list; write [\"…\", …]", place=where)
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


def split_text(text: object, where: str) -> list[str]:
    """The sentences of an article's text; a list is taken for its paragraphs."""
    paragraphs = text if isinstance(text, list) else [text or ""]
    texts = [one for one in paragraphs if isinstance(one, str)]
    if len(texts) < len(paragraphs):
        raise DataError("'text' is not a text; write it as one string", place=where)
    return split_into_sentences("\n\n".join(texts))


def _sentence(given: Any, where: str) -> tuple[str, When | None]:
    """A sentence's text and the date that it speaks of, if that is known."""
    if isinstance(given, str):
        return given.strip(), None
    fields = given if isinstance(given, dict) else {}
    text = next((fields[key] for key in ("raw", "text") if key in fields), None)
    if not isinstance(text, str):
        raise DataError("a sentence has no 'raw' or 'text'; write it as a string", place=where)
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
    """A time as text, as a number such as 20100506, or in seconds or milliseconds since 1970."""
    if given is None or given == "":
        return None
    try:
        if isinstance(given, int | float) and not isinstance(given, bool) and given >= 1e9:
            seconds = given / 1000 if given >= 1e11 else given
            return When.of(datetime.fromtimestamp(seconds, UTC).date())
        if isinstance(given, str) and _as_in_mail(given):
            return When.of(parsedate_to_datetime(given).date())
        return When.of(given if not isinstance(given, int | float) else str(given))
    except DataError as error:
        raise error.at(where) from None
    except (OverflowError, ValueError, OSError) as error:
        raise DataError(str(error), place=where) from None
