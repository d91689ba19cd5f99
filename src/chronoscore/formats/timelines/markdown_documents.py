"""Timelines as language models and people write them in Markdown.

Dated list items, numbered or not, tables, headings with text below, dates in bold alone on a
line, "date: text" lines, JSON or CSV in a code fence, and, where there is nothing else,
sentences that begin with a date are all read; everything that belongs to no date is dropped
and noted with its line. A date range counts from its first day, "early May 2010" is the
month, and a year that is not there comes from the heading or the entry before: each is noted
as guessed. What we write is a list::

    - **2010-05-06**: A dome is lowered.
    - **2010-05-26**:
      - BP begins.
      - It fails.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from chronoscore import lazy
from chronoscore.dates.stated import mentioned_dates
from chronoscore.dates.vocabulary import compose_date_words
from chronoscore.errors import DataError, number_with_noun
from chronoscore.formats.io.notes import Note, quote_in_note
from chronoscore.formats.timelines import markup, registry
from chronoscore.formats.timelines.answer_data import find_bare_data, starts_like_json
from chronoscore.formats.timelines.answer_parts import (
    hide_reasoning,
    is_remark,
    is_section_title,
)
from chronoscore.formats.timelines.entries import LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format
from chronoscore.formats.timelines.html_lines import has_html, markdown_of
from chronoscore.formats.timelines.markdown import has_labels, refuse
from chronoscore.formats.timelines.markdown_dates import read_markdown_line_date
from chronoscore.formats.timelines.markdown_dating import may_be_relative
from chronoscore.formats.timelines.markdown_drafts import Drafts
from chronoscore.formats.timelines.markdown_fields import protect_field, without_fields
from chronoscore.formats.timelines.markdown_lines import (
    CITATION,
    MarkdownLine,
    escape_markdown_start,
    escape_marks,
    split_markdown_lines,
)
from chronoscore.formats.timelines.markdown_order import check_order
from chronoscore.formats.timelines.markdown_state import EntryDraft, starts_with_clock
from chronoscore.formats.timelines.years import year_for_bare_dates

_FENCED = lazy.pattern(r"^(```|~~~)xml\b.*?^\1", re.MULTILINE | re.DOTALL)
_WORD = lazy.pattern(r"\w+")


def read(content: Content) -> list[LabeledTimeline]:
    """Read a document; one without any dated entry is refused.

    Sentences that merely state a date count only where there is no list, table or heading with
    dates, or next to none; beside these they are introductions.
    """
    before = len(content.notes)
    parts = _read_parts(content)
    drafts, finished, data = parts.drafts, list(parts.finished), parts.data
    entries = drafts.entries
    for fence in data:
        for labeled in fence.timelines:
            entries.add_timeline(labeled.timeline, fence.line)
        content.notes.extend(fence.notes)
    in_fences = set(entries.timeline().dates)
    if finished and in_fences and all(draft.when in in_fences for draft in finished):
        text = f"{len(finished)} dated lines repeat the fenced answer; they are dropped"
        entries.note("dropped", text, finished[0].line)
        finished = []
    if not finished and not in_fences:
        _refuse(drafts, data)
    _note_mentioned(drafts, finished)
    for draft in finished:
        if draft.guess:
            entries.note("guessed", draft.guess, draft.line)
        entries.add(draft.when, draft.sentences, draft.line)
    content.notes.extend(entries.notes)
    content.notes[before:] = sorted(content.notes[before:], key=lambda note: note.line or 0)
    return [LabeledTimeline(entries.timeline())]


def has_date_labels(content: Content) -> bool:
    """Whether dates are the labels of what a document says, and do not only stand in sentences.

    Data has them. In text several dates are headings, or at least every second line or paragraph
    has a date as its label, or every line is a sentence that begins with its date.
    """
    parts = _read_parts(replace(content, notes=[]))
    if any(fence.dated for fence in parts.data):
        return True
    labels = [one for one in parts.finished if one.origin != "prose" and not one.inner]
    if len({one.when for one in labels if one.heads}) > 1:
        return True
    told = ["" if line.kind in ("blank", "rule") else line.text for line in parts.lines]
    begun = {one.line for one in parts.finished if not one.inner}
    lines = sum(map(bool, told))
    return has_labels(told, len({one.line for one in labels})) or 1 < lines == len(begun)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What was found in a document: its lines, the entries among them, and data in fences."""

    lines: Sequence[MarkdownLine]
    drafts: Drafts
    finished: Sequence[EntryDraft]
    data: Sequence["_Fence"]


def _read_parts(content: Content) -> _Parts:
    visible, hidden = hide_reasoning(content.text)
    for first, last, reason in hidden:
        span = f"lines {first} to {last} are" if last > first else "the line is"
        note = f"{span} not read: {reason}"
        content.note("dropped", note, first)
    lines = without_fields(_classify_lines(replace(content, text=visible)), content)
    found = [_read_fence(line, content) for line in lines if _is_fence(line)]
    fences = _choose_fences(found, content)
    data = [fence for fence in fences.values() if fence.form]
    lines = _with_fences(lines, fences)
    drafts, finished = _choose_drafts(lines, content, plain_only=bool(data))
    return _Parts(lines, drafts, finished, data)


def _refuse(drafts: Drafts, data: Sequence["_Fence"]) -> NoReturn:
    """Say why a document has no entry: the first date that cannot be, or that there is none."""
    error = next((fence.error for fence in data if fence.error), drafts.first_error)
    if error is not None:
        raise error
    refuse(drafts.entries)


def _note_mentioned(drafts: Drafts, finished: Sequence[EntryDraft]) -> None:
    """Note the days and months that a text states and that no entry has."""
    dates = {draft.when for draft in finished}
    kept = {id(draft) for draft in finished}
    for draft, line, text in drafts.told:
        if id(draft) not in kept:
            continue
        year = year_for_bare_dates(draft.when)
        for written, when in mentioned_dates(text, year, drafts.entries.order):
            if not any(when.contains(other) for other in dates):
                note = f"date '{written}' is taken to be mentioned only"
                drafts.entries.note("guessed", f"{note}, in the text of {draft.when}", line)


def _choose_drafts(
    lines: Sequence[MarkdownLine], content: Content, *, plain_only: bool
) -> tuple[Drafts, list[EntryDraft]]:
    """Read the lines as a list, and as prose where a list has nothing or next to nothing."""
    drafts, finished = _draft(lines, content, prose=False)
    texts = sum(line.kind == "text" for line in lines)
    if plain_only or (finished and texts <= 2):
        return drafts, finished
    prose, in_prose = _draft(lines, content, prose=True)
    dates = {draft.when for draft in finished}
    more = {draft.when for draft in in_prose}
    if not finished or (len(more) >= 4 and len(more) >= 3 * len(dates)):
        return prose, in_prose
    return drafts, finished


def _draft(
    lines: Sequence[MarkdownLine], content: Content, *, prose: bool
) -> tuple[Drafts, list[EntryDraft]]:
    for descending in (False, True):
        entries = replace(content, notes=[]).entries()
        drafts = Drafts(entries, prose=prose, descending=descending)
        drafts.take(lines)
        if not drafts.descends():
            break
    finished = list(drafts.finish())
    check_order(finished, descending=descending)
    return drafts, finished


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """A list with an item for each date, and items below it where it has several sentences."""
    (labeled,) = timelines
    lines: list[str] = []
    for entry in labeled.timeline:
        texts = [_protect(sentence) for sentence in clean_sentences(entry.sentences)]
        if len(texts) == 1:
            lines.append(f"- **{entry.when}**: {texts[0]}")
        else:
            lines.append(f"- **{entry.when}**" + (":" if texts else ""))
            lines.extend(f"  - {text}" for text in texts)
    return "".join(f"{line}\n" for line in lines)


def _protect(sentence: str) -> str:
    """Escape marks, and hide a beginning that would be read as a mark or another date."""
    try:
        opens = read_markdown_line_date(sentence, "2000") is not None
    except DataError:
        opens = True
    hidden = opens or is_remark(sentence) or is_section_title(sentence)
    hidden = hidden or starts_with_clock(sentence) or may_be_relative(sentence)
    hidden = hidden or not sentence[0].isalpha()
    return protect_field(escape_markdown_start(sentence) if hidden else escape_marks(sentence))


def _classify_lines(content: Content) -> list[MarkdownLine]:
    """The lines by kind, with bare JSON, CSV or YAML as if it stood in a fence."""
    lines = compose_date_words("\n".join(content.lines)).split("\n")
    length, what = markup.head(lines)
    if length:
        content.note("dropped", f"lines 1 to {length} are {what}", 1)
        lines[:length] = [""] * length
    lines = _rewrite(lines, content)
    _note_citations(lines, content)
    fenced = any(line.lstrip().startswith(("```", "~~~")) for line in lines)
    if not fenced and (data := find_bare_data(lines)):
        label, start, end, inside = data
        return [
            *split_markdown_lines(lines[:start]),
            MarkdownLine(start, "fence", label, inside=inside),
            *(
                replace(line, number=line.number + end)
                for line in split_markdown_lines(lines[end:])
            ),
        ]
    if not has_html(_FENCED.sub("", content.text)):
        return list(split_markdown_lines(lines))
    numbered = markdown_of("\n".join(lines))
    return [
        replace(line, number=numbered[line.number - 1][0])
        for line in split_markdown_lines([text for _, text in numbered])
    ]


def _note_citations(lines: Sequence[str], content: Content) -> None:
    """Note once that marks of sources are left out of the texts."""
    cited = [(n, mark[0]) for n, line in enumerate(lines, 1) if (mark := CITATION.search(line))]
    if cited:
        number, first = cited[0]
        where = number_with_noun(len(cited), "line")
        text = f"citations such as {first} are left out of {where}"
        content.note("dropped", text, number, minor=True)


def _rewrite(lines: Sequence[str], content: Content) -> list[str]:
    """The lines as Markdown; what another markup says beside its text is noted."""
    rewritten = markup.to_markdown(lines)
    if rewritten == lines:
        return rewritten
    kept = set(_WORD.findall(" ".join(rewritten)))
    for number, line in enumerate(lines, 1):
        lost = [word for word in _WORD.findall(line) if word not in kept]
        if lost:
            text = f"no event: {quote_in_note(' '.join(lost))} is left out as markup"
            content.note("dropped", text, number, minor=True)
    return rewritten


@dataclass(frozen=True, slots=True)
class _Fence:
    """What stands in a code fence: data with its timelines or its error, or lines of Markdown."""

    line: int
    form: Format | None = None
    timelines: Sequence[LabeledTimeline] = ()
    lines: Sequence[MarkdownLine] = ()
    notes: Sequence[Note] = ()
    error: DataError | None = None
    dated: bool = False


def _is_fence(line: MarkdownLine) -> bool:
    return line.kind == "fence" and bool("".join(line.inside).strip())


def _read_fence(fence: MarkdownLine, content: Content) -> _Fence:
    form = _fence_format(fence)
    inside = replace(
        content.part("\n".join(fence.inside), first_line=fence.number + 1), notes=[], lenient=True
    )
    if form is None:
        lines = [
            replace(line, number=line.number + fence.number)
            for line in split_markdown_lines(
                markup.diagram(fence.inside) if fence.text.startswith("mermaid") else fence.inside
            )
            if line.kind != "fence"
        ]
        dated = bool(_draft(lines, content, prose=False)[1])
        return _Fence(fence.number, lines=lines, dated=dated)
    try:
        timelines = form.read(inside)
    except DataError as error:
        return _Fence(fence.number, form, error=error)
    dated = any(len(labeled.timeline) for labeled in timelines)
    return _Fence(fence.number, form, timelines, notes=inside.notes, dated=dated)


def _choose_fences(fences: Sequence[_Fence], content: Content) -> dict[int, _Fence]:
    """The fences by line, of several with an answer only the last one."""
    answers = [fence for fence in fences if fence.dated]
    for fence in answers[:-1]:
        text = f"a fenced answer is not read; the last one, of line {answers[-1].line}, counts"
        content.note("dropped", text, fence.line)
    for fence in fences:
        if fence.form is not None and not fence.dated:
            text = f"a code block is not read: {fence.error or 'it holds no dated entry'}"
            content.note("dropped", text, fence.line)
    return {fence.line: fence for fence in fences if fence not in answers[:-1]}


def _with_fences(lines: Sequence[MarkdownLine], fences: Mapping[int, _Fence]) -> list[MarkdownLine]:
    """The lines with the Markdown of fences in its place, and without their data."""
    found: list[MarkdownLine] = []
    for line in lines:
        if line.kind != "fence":
            found.append(line)
        elif fence := fences.get(line.number):
            found.extend(fence.lines)
    return found


def _fence_format(fence: MarkdownLine) -> Format | None:
    """The data format of a fence, by its label or detected from the content."""
    label = fence.text.split()[0] if fence.text else ""
    if label in ("python", "py", "python3") and starts_like_json("\n".join(fence.inside)):
        label = "json"
    if (labeled := registry.of_label(label)) and labeled.several:
        return labeled
    return registry.detect("\n".join(fence.inside), several=True)
