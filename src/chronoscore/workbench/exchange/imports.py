"""Stories from uploaded files: split and numbered once, and never renumbered."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.text.sentences import sentences_in

MOST_SENTENCES = 100_000
LONGEST_STORY = 2_000_000
_DAY = re.compile(r"(?<!\d)(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
_UNSAFE = re.compile(r"[^\w.:-]+")


@dataclass(frozen=True)
class File:
    """An uploaded file: what it was called, which is only a label, and its bytes."""

    name: str
    raw: bytes


@dataclass(frozen=True)
class StoryDraft:
    """A story as it was found; `spans` are its sentences, where the file says so.

    `anchors` are spans of the text that software marked as events.
    """

    id: str
    text: str
    time: str = ""
    title: str = ""
    publisher: str = ""
    spans: tuple[tuple[int, int], ...] | None = None
    anchors: tuple[tuple[str, int, int], ...] = ()


@dataclass
class TopicDraft:
    """A topic ready to be logged: stories with numbered sentences, and anchors in them.

    `imported` is what a judged file said and judging here does not make; it is only kept.
    """

    name: str
    title: str
    stories: list[dict[str, Any]] = field(default_factory=list)
    anchors: list[dict[str, Any]] = field(default_factory=list)
    imported: dict[str, Any] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def remark(self) -> str:
        """What the manager should know about the import, if anything."""
        if not self.left_out:
            return ""
        some = ", ".join(map(label, self.left_out[:5])) + (" …" if self.left_out[5:] else "")
        return f"stories without text were left out: {some} ({len(self.left_out)} in all)"

    @property
    def data(self) -> dict[str, Any]:
        """What the log keeps."""
        return {
            "name": self.name,
            "title": self.title,
            "stories": self.stories,
            "anchors": self.anchors,
            "imported": self.imported,
        }


def numbered(name: str, title: str, drafts: Iterable[StoryDraft]) -> TopicDraft:
    """Give stories and sentences their places and ids, once and for all."""
    found = TopicDraft(safe_id(name), title.strip() or name.strip())
    seen: set[str] = set()
    count = 0
    for draft in sorted(drafts, key=lambda story: (moment(story.time), story.id)):
        story = safe_id(draft.id) or "story"
        if story in seen:
            raise DataError(f"story '{draft.id}' comes twice; give every story its own id")
        seen.add(story)
        if not draft.text.strip():
            found.left_out.append(draft.id)
            continue
        check_length(draft)
        spans: Sequence[tuple[int, int]] = (
            draft.spans if draft.spans is not None else sentences_in(draft.text)
        )
        sentences = [(f"{story}-s{n:02d}", start, stop) for n, (start, stop) in enumerate(spans, 1)]
        count += len(sentences)
        if count > MOST_SENTENCES:
            raise DataError(f"a topic has at most {MOST_SENTENCES:,} sentences; make it two")
        found.stories.append(
            {
                "id": story,
                "time": draft.time,
                "title": draft.title,
                "publisher": draft.publisher,
                "text": draft.text,
                "sentences": sentences,
            }
        )
        found.anchors.extend(_anchors(story, draft, sentences))
    if not found.stories:
        raise DataError("no story was found; give text, JSONL, TimeML or a ZIP archive of them")
    return found


def check_length(draft: StoryDraft) -> None:
    """Refuse a story that would keep everybody waiting."""
    if len(draft.text) > LONGEST_STORY:
        raise DataError(
            f"story '{label(draft.id)}' is longer than {LONGEST_STORY:,} characters; split it"
        )


def moment(time: str) -> float:
    """When a story came in, for sorting; stories without a time come first."""
    return clock.seconds(time) if time else float("-inf")


def safe_id(text: str) -> str:
    """An id without anything that could mean something elsewhere."""
    return _UNSAFE.sub("-", text).strip("-.")[:80]


def stories(file: File) -> list[StoryDraft]:
    """Read one file by what its name and first bytes say it is."""
    name = file.name.lower()
    if name.endswith((".tml", ".xml")) or file.raw.lstrip()[:5] == b"<?xml":
        from chronoscore.workbench.exchange.timeml_stories import timeml_story

        return [timeml_story(file)]
    text = decoded(file)
    if name.endswith((".jsonl", ".json", ".ndjson")):
        return list(_articles(file, text))
    if name.endswith((".tsv", ".csv")):
        raise DataError(
            f"{label(file.name)}: no table that we know; give TREC's tables, or stories as text, "
            "JSONL or TimeML"
        )
    stem = PurePosixPath(file.name).stem
    return [StoryDraft(stem, text.strip("\n"), time=_day(file.name), title=stem)]


def decoded(file: File) -> str:
    """The text of a file, which must be UTF-8."""
    try:
        text = file.raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{label(file.name)}: byte {error.start} is not UTF-8; save the file as UTF-8"
        ) from None
    if "\0" in text:
        raise DataError(f"{label(file.name)}: holds a NUL byte and looks binary; give a text file")
    return text.replace("\r\n", "\n")


def label(name: str) -> str:
    """A file's name, shortened and made harmless, to be shown."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name)
    return shown if len(shown) <= 80 else f"{shown[:77]}…"


class Article(msgspec.Struct):
    """A line of a JSONL file of articles."""

    id: str
    text: str = ""
    sentences: list[str] = []
    time: str = ""
    date: str = ""
    title: str = ""
    publisher: str = ""


def _articles(file: File, text: str) -> Iterator[StoryDraft]:
    decode = msgspec.json.Decoder(Article).decode
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{label(file.name)}:{number}"
        try:
            article = decode(line)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise DataError(f"{where}: no article ({error}); mend the line") from None
        except RecursionError:
            raise DataError(f"{where}: no article (nested too deeply); mend the line") from None
        time = article.time or article.date
        try:
            moment(time)
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
        spans = None
        body = article.text
        if not body:
            body, spans = _joined(article.sentences)
        yield StoryDraft(article.id, body, time, article.title, article.publisher, spans)


def _joined(sentences: list[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return "\n".join(sentences), tuple(spans)


def _day(name: str) -> str:
    found = _DAY.search(name)
    if not found:
        return ""
    day = "-".join(found.groups())
    try:
        clock.seconds(day)
    except DataError:
        return ""
    return day


def _anchors(
    story: str, draft: StoryDraft, sentences: list[tuple[str, int, int]]
) -> Iterator[dict[str, Any]]:
    """Anchors by their sentences; one across two sentences belongs to the first."""
    starts = [first for _, first, _ in sentences]
    for name, start, stop in draft.anchors:
        sentence, first, last = sentences[bisect_right(starts, start) - 1]
        if first <= start < last:
            yield {
                "id": f"{story}-{safe_id(name)}",
                "sentence": sentence,
                "start": start - first,
                "stop": min(stop, last) - first,
            }
