"""Stories from uploaded files: split and numbered once, and never renumbered."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from xml.etree.ElementTree import ParseError

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from chronoscore.errors import DataError
from chronoscore.formats.corpora import timeml
from chronoscore.formats.io import clock
from chronoscore.text.sentences import sentences_in
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import answers, article_records, articles, files
from chronoscore.workbench.exchange.article_records import PlacedRecords
from chronoscore.workbench.exchange.articles import Article
from chronoscore.workbench.exchange.files import File

MOST_SENTENCES = 100_000
LONGEST_STORY = 2_000_000
LARGEST_XML = 8 * LONGEST_STORY
"""Bytes of a file of which one story is made; its tree in memory is many times larger."""
_DAY = re.compile(r"(?<!\d)(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
_MARKDOWN = (".md", ".markdown", ".html", ".htm")
_UNSAFE = re.compile(r"[^\w.:-]+")


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


def number_sentences(name: str, title: str, drafts: Iterable[StoryDraft]) -> TopicDraft:
    """Give stories and sentences their places and ids, once and for all."""
    topic = TopicDraft(safe_id(name), title.strip() or name.strip())
    without_text: list[str] = []
    seen: set[str] = set()
    count = 0
    for draft in sorted(drafts, key=lambda story: (_sort_time(story.time), story.id)):
        story = safe_id(draft.id) or "story"
        if story in seen:
            raise DataError(f"story '{draft.id}' comes twice; give every story its own id")
        seen.add(story)
        if not draft.text.strip():
            without_text.append(draft.id)
            continue
        check_story_length(draft)
        spans: Sequence[tuple[int, int]] = (
            draft.spans if draft.spans is not None else sentences_in(draft.text)
        )
        sentences = [(f"{story}-s{n:02d}", start, stop) for n, (start, stop) in enumerate(spans, 1)]
        count += len(sentences)
        if count > MOST_SENTENCES:
            raise DataError(f"a topic has at most {MOST_SENTENCES:,} sentences; make it two")
        topic.stories.append(
            {
                "id": story,
                **{name: getattr(draft, name) for name in ("time", "title", "publisher", "text")},
                "sentences": sentences,
            }
        )
        topic.anchors.extend(_anchors(story, draft, sentences))
    if not topic.stories:
        raise DataError("no story was found; give text, JSONL, TimeML or a ZIP archive of them")
    if without_text:
        some = ", ".join(map(files.shown_name, without_text[:5])) + (
            " …" if without_text[5:] else ""
        )
        count = len(without_text)
        topic.remark = f"stories without text were left out: {some} ({count} in all)"
    return topic


def check_story_length(draft: StoryDraft) -> None:
    """Refuse a story that would keep everybody waiting."""
    if len(draft.text) > LONGEST_STORY:
        raise DataError(
            f"story '{files.shown_name(draft.id)}' is longer than {LONGEST_STORY:,} characters; "
            "split it"
        )


def _sort_time(time: str) -> float:
    """When a story came in, for sorting; stories without a time come first."""
    return clock.parse_seconds(time) if time else float("-inf")


def safe_id(text: str) -> str:
    """An id without anything that could mean something elsewhere."""
    return _UNSAFE.sub("-", text).strip("-.")[:80]


def read(file: File, *, titles: bool = True) -> list[StoryDraft]:
    """Read one file by what its name and first bytes say it is.

    With `titles`, a first line of plain text without a full stop is the story's title.
    """
    name = file.name.lower()
    if name.endswith((".tml", ".xml")) or file.raw.lstrip()[:5] == b"<?xml":
        return [timeml_story(file)]
    text = files.decode(file)
    shown, stem = files.shown_name(file.name), PurePosixPath(file.name).stem
    records = _records(text, shown)
    if records is not None:
        return list(_articles(articles.read(records, shown)))
    if name.endswith(_MARKDOWN):
        title, body = answers.read_prose(text, titles=titles)
    else:
        title, body = answers.split_title(text) if titles else ("", text)
    return [StoryDraft(stem, body.strip("\n"), time=_day(file.name), title=title or stem)]


def _records(text: str, name: str) -> PlacedRecords | None:
    """The records of a text whose name says that it has some, or that is seen to have them."""
    ending = PurePosixPath(name.lower()).suffix
    try:
        if ending in (".jsonl", ".json", ".ndjson"):
            return article_records.of_json(text, name)
        if ending in (".yaml", ".yml"):
            return article_records.of_yaml(text, name)
        if ending not in (".tsv", ".csv"):
            return article_records.find(text, name)
    except DataError as error:
        raise DataError(f"not an article ({error.message})", place=error.place or name) from None
    records = article_records.of_table(text, name)
    articles.refuse_without_texts(records, name)
    return records


def _articles(found: Iterable[Article]) -> Iterator[StoryDraft]:
    for one in found:
        body, spans = (one.body, None) if isinstance(one.body, str) else _join_sentences(one.body)
        yield StoryDraft(one.id, body, one.time, one.title, one.publisher, spans)


def _join_sentences(sentences: list[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return "\n".join(sentences), tuple(spans)


def _day(name: str) -> str:
    match = _DAY.search(name)
    if not match:
        return ""
    day = "-".join(match.groups())
    try:
        clock.parse_seconds(day)
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


def timeml_story(file: File) -> StoryDraft:
    """A story with the events that software marked in it."""
    if len(file.raw) > LARGEST_XML:
        raise DataError(
            "is larger than a story may be; split it", place=files.shown_name(file.name)
        )
    try:
        defusedxml.ElementTree.fromstring(file.raw)
    except DefusedXmlException:
        raise DataError(
            "declares entities; remove them", place=files.shown_name(file.name)
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise DataError(
            f"not well-formed XML ({error}); fix it", place=files.shown_name(file.name)
        ) from None
    with files.write_to_folder([File("story.tml", file.raw)], file.name) as folder:
        tagged = timeml.load(folder / "story.tml")
    stem = PurePosixPath(file.name).stem
    spans = tuple((place.start, place.end) for place in tagged.sentences) or None
    created = tagged.created
    return StoryDraft(
        id=tagged.id if tagged.id != "story" else stem,
        text=tagged.text,
        time=str(created) if created is not None and created.grain == "day" else "",
        title=tagged.title or stem,
        spans=spans,
        anchors=tuple((event.id, event.start, event.end) for event in tagged.events),
    )
