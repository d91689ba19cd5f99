"""Every timeline format through the one entry: what we write we read, and bad files say why."""

import gzip
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronoscore.core import Timeline, When
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.io import layout
from chronoscore.formats.timelines import registry
from chronoscore.formats.timelines import timeline_files as formats
from chronoscore.formats.timelines.entries import LabeledTimeline
from chronoscore.formats.timelines.registry import FORMATS
from formats.timeline_cases import SENTENCES, timelines

SPILL = Timeline.of({"2010-05-06": ["A dome.", "It fails."], "2010-05-26": "BP begins."})


PLAIN = SENTENCES.filter(lambda text: set(text) != {"-"} and text != "2010-06-03")


@pytest.mark.parametrize("form", FORMATS)
@given(timeline=timelines(PLAIN).filter(len))
def test_what_is_written_is_read_back(form: str, timeline: Timeline) -> None:
    if registry.find(form).days_only:
        timeline = timeline.on_first_days()
    assert formats.read_timeline_text(
        formats.write_timeline_text(timeline, form), "x", form=form
    ).timelines == [LabeledTimeline(timeline)]


@pytest.mark.parametrize("form", FORMATS)
def test_the_format_is_detected_from_the_content(tmp_path: Path, form: str) -> None:
    path = tmp_path / "spill.txt"
    formats.save([LabeledTimeline(SPILL)], path, form)
    found = formats.read(path)
    advice = f"read as {found.format}: give {form} a `detect`, above those that take its text too"
    assert [one.timeline for one in found.timelines] == [SPILL], advice


@pytest.mark.parametrize("name", [*FORMATS, *FORMATS.presets])
def test_each_name_is_an_ending_and_files_that_we_write_are_read(tmp_path: Path, name: str) -> None:
    form = registry.find(name)
    for ending in (f".{name}", form.ending):
        path = tmp_path / f"spill{ending.upper()}"
        formats.save(SPILL, path, form.name)
        assert formats.load(path) == SPILL


@pytest.mark.parametrize("label", [*FORMATS, *FORMATS.presets])
def test_every_label_of_a_data_format_is_known_on_a_code_fence(label: str) -> None:
    text = formats.write_timeline_text(SPILL, label)
    answer = f"Here it is.\n\n```{label}\n{text}```\n"
    form = registry.find(label)
    # Formats for one timeline are read in fences as Markdown is.
    if form.several or form.name == "markdown":
        assert formats.read_timeline_text(answer, "x").timelines == [LabeledTimeline(SPILL)]


@pytest.mark.parametrize("name", [*FORMATS, *FORMATS.presets])
def test_a_packed_file_names_its_topic_without_its_endings(name: str) -> None:
    for ending in (f".{name}", registry.find(name).ending):
        advice = f"add '{ending}' to FORMAT_ENDINGS in formats/io/layout.py"
        assert layout.bare_name(Path(f"spill{ending}.gz")) == "spill", advice


def holds_topics(form: str) -> bool:
    """Whether a file of a format names its topics; news-tls has no place for them."""
    return registry.find(form).several and form != "newstls"


@pytest.mark.slow
@given(
    labeled=st.lists(
        st.builds(
            LabeledTimeline, timelines().filter(len), st.sampled_from(["spill", "dam", "ferry"])
        ),
        min_size=2,
        max_size=3,
        unique_by=lambda one: one.topic,
    ),
    form=st.sampled_from([form for form in FORMATS if holds_topics(form)]),
)
def test_several_topics_in_one_file_are_read_back(
    labeled: list[LabeledTimeline], form: str
) -> None:
    assert (
        formats.read_timeline_text(
            formats.write_timeline_text(labeled, form), "x", form=form
        ).timelines
        == labeled
    )


def test_authors_survive_formats_that_name_topics() -> None:
    labeled = [LabeledTimeline(Timeline.of({"2010": "A."}, author="ana"), "spill")]
    for form in filter(holds_topics, FORMATS):
        text = formats.write_timeline_text(labeled, form)
        assert formats.read_timeline_text(text, "x", form=form).timelines == labeled


def test_one_timeline_formats_refuse_several() -> None:
    with pytest.raises(UsageError, match="tilse holds one timeline and there are 2"):
        formats.write_timeline_text([LabeledTimeline(SPILL), LabeledTimeline(SPILL)], "tilse")


def test_an_unknown_format_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown format 'tsle'"):
        formats.write_timeline_text(SPILL, "tsle")


def test_an_author_is_whom_the_caller_says(tmp_path: Path) -> None:
    formats.save(SPILL, tmp_path / "a.txt")
    assert formats.load(tmp_path / "a.txt", author="ana").author == "ana"


def test_a_file_with_several_timelines_is_no_single_one(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    formats.save([LabeledTimeline(SPILL), LabeledTimeline(SPILL)], path, "newstls")
    assert formats.load_all(path) == [SPILL, SPILL]
    with pytest.raises(DataError, match=r"gold\.jsonl: holds 2 timelines where one is wanted"):
        formats.load(path)


def test_loading_warns_and_reading_returns_the_notes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("2010-05-06\nA.\n---\n2010-05-06\nB.\n")
    with pytest.warns(
        ChronoscoreWarning, match=r"a\.txt:4: date 2010-05-06 is a duplicate of line 1"
    ):
        timeline = formats.load(path)
    assert timeline == Timeline.of({"2010-05-06": ["A.", "B."]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reading = formats.read(path)
    assert [(note.line, note.kind) for note in reading.notes] == [(4, "merged")]
    assert reading.format == "tilse"


def test_an_empty_file_is_an_empty_timeline_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text(" \n")
    with pytest.warns(ChronoscoreWarning, match=r"none\.txt: is empty"):
        assert formats.load(tmp_path / "none.txt") == Timeline.empty()


def test_an_empty_list_is_an_empty_timeline_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("[]")
    with pytest.warns(ChronoscoreWarning, match=r"none\.json: holds a timeline without entries"):
        assert formats.load(tmp_path / "none.json") == Timeline.empty()


def test_byte_order_marks_and_windows_line_ends_are_read_over(tmp_path: Path) -> None:
    for form in FORMATS:
        path = tmp_path / f"a{FORMATS.find(form).ending}"
        text = formats.write_timeline_text(SPILL, form).replace("\n", "\r\n")
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert formats.load(path, form=form) == SPILL


def test_archives_are_unpacked(tmp_path: Path) -> None:
    for form in FORMATS:
        path = tmp_path / f"a{FORMATS.find(form).ending}.gz"
        path.write_bytes(gzip.compress(formats.write_timeline_text(SPILL, form).encode()))
        assert formats.load(path, form=form) == SPILL


BAD = {
    "a directory": (None, r"x\.txt: is a directory; give a file here"),
    "binary": (b"2010-05-06\nA\0B\n", r"x\.txt:2: holds a NUL byte and looks binary"),
    "undecodable": (b"2010-05-06\nna\xefve\n", r"x\.txt:2: byte 0xef at offset 13 is not UTF-8"),
    "a 50 MB line": (b"2010-05-06\n" + b"a" * 50_000_000, r"x\.txt:2: line of 50,000,000 char"),
    "no timeline": (
        b"Dear all,\nsee you.\n",
        r"x\.txt: holds no dated entry; known formats are tilse",
    ),
}


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_gets_one_sentence(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "x.txt"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        formats.load(path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"x\.md: no such file; check the path"):
        formats.load(tmp_path / "x.md")


def test_a_broken_archive_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"[]" * 1000)[:-9])
    with pytest.raises(DataError, match=r"x\.jsonl\.gz: broken archive"):
        formats.load(path)


@pytest.mark.slow
@given(st.text(max_size=200) | st.lists(SENTENCES, max_size=6).map("\n".join))
@settings(max_examples=300)
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    try:
        reading = formats.read_timeline_text(text, "x")
    except DataError:
        return
    assert all(isinstance(date, When) for one in reading.timelines for date in one.timeline.dates)


LABELLED = (
    "March 3, 2031: The dam broke.\nMarch 5, 2031: Rescue.\n",
    "3 March 2031 — The dam broke.\n5 March 2031 — Rescue came.\n",
    "📅 March 3, 2031: The dam broke.\n🚑 March 5, 2031: Rescue.\n",
    "3 March 2031\nThe dam broke.\nIt was old.\n\n5 March 2031\nRescue came.\nAll left.\n",
    "> **March 3, 2031** — The dam broke.\n> **March 5, 2031** — Rescue.\n",
    "<ul>\n<li><b>March 3, 2031</b>: The dam broke.</li>\n<li>March 5, 2031: Rescue.</li>\n</ul>\n",
    '```json\n[{"date":"2031-03-03","text":"The dam broke."}]\n```\n',
    "<think>\nHm, the dam.\nLet me see.\n</think>\n"
    "March 3, 2031: The dam broke.\nMarch 5, 2031: Rescue.\n",
    "2031年3月3日:ダムが決壊した。\n2031年3月5日:救助が来た。\n",
    "## 3 March 2031\nThe dam broke.\nIt was old.\nIt was big.\n\n"
    "## 5 March 2031\nRescue came.\nAll left.\n",
    "3 March 2031 — The dam broke, and it was so large a dam\n"
    "that the whole of the valley below it was soon under water\n"
    "and nobody was seen for a while.\n"
    "5 March 2031 — Rescue came, and it was so large a dam\n"
    "that the whole of the valley below it was soon under water\n"
    "and nobody was seen for a while.\n",
    "3 March 2031: A dam.\nIt broke.\nAll left.\n\n5 March 2031: B came.\nC.\nD.\n",
    "Here is the timeline you asked for:\n\nMarch 3, 2031: The dam broke.\n"
    "March 5, 2031: Rescue.\n\nLet me know if you need more.\n",
    "On March 3, 2031, the dam broke.\nOn March 5, 2031, rescue came.\n",
)
RUNNING = (
    "3 March 2031 — The dam broke.\nPeople left.\nThey ran.\nThe 12 firemen came.\n",
    "On March 3, 2031, the dam broke. On March 5, 2031, rescue came.\n",
    "The dam broke on 3 March 2031, and the town fled. In 2032 it was rebuilt for 12 million.\n"
    "\nThe mayor said on 5 March that 12 people died.\n",
    "12 people died in 2031.\n30 were hurt: a record.\n2,000 fled — no one stayed.\n",
    "By A. Author\nUpdated 3 March 2031\n\nThe dam broke. All fled.\nIt was old.\nThey left.\n",
    "The dam broke and all fled.\nNobody knew why it did (3 March 2031).\n"
    "It was old.\nThe town is empty.\n",
)


@pytest.mark.parametrize(
    ("text", "dated"), [*((one, True) for one in LABELLED), *((one, False) for one in RUNNING)]
)
def test_a_text_is_a_timeline_where_dates_are_labels_and_not_only_parts_of_sentences(
    text: str, dated: bool
) -> None:
    assert formats.is_timeline_text(text) is dated
    if dated:
        (found,) = formats.read_timeline_text(text, "").timelines
        assert len(found.timeline) == 1 + ("```" not in text)
