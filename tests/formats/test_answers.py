"""Model answers: what each says, and that nothing of it is lost without a word.

`golden/llm-answers` holds answers in the manners that models have; `answers` others that were
invented here: tool output, merged cells, footnotes, ranges of every kind, twelve languages. The
truth is a date with a piece of the text that must stand there.
"""

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore.api.convert import convert
from chronoscore.core import When
from chronoscore.dates.forms import DateOrder
from chronoscore.dates.stated import find_stated
from chronoscore.errors import DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.timeline_files import TimelineFile

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
FOLDERS = {
    HERE / "answers": HERE / "answers.json",
    GOLDEN / "llm-answers": GOLDEN / "llm-answers.json",
}
CASES = [
    pytest.param(folder / name, expected, id=name)
    for folder, truth in FOLDERS.items()
    for name, expected in json.loads(truth.read_text(encoding="utf-8")).items()
]
UNTOLD = {"31_seasons_quarters.md": {"19th century"}}
"""Entries that the truth leaves out; "late 19th century" stands in the text all the same."""


def canonical(date: str) -> str:
    """A date of the truth, where ISO years before Christ count from 0."""
    if found := re.fullmatch(r"-(\d{4})-(\d\d)-(\d\d)", date):
        year, month, day = map(int, found.groups())
        return str(When.day(year + 1, month, day, bc=True))
    return f"AD {int(date)}" if re.fullmatch(r"0\d{3}", date) else str(When.parse(date))


@pytest.mark.parametrize(("path", "expected"), CASES)
def test_an_answer_is_read_as_a_person_reads_it(path: Path, expected: dict[str, str]) -> None:
    if not expected:
        with pytest.raises(DataError, match=r"holds no dated entry|does not tell day from month"):
            timeline_files.read(path)
        return
    (labeled,) = timeline_files.read(path).timelines
    entries = {str(entry.when): " ".join(entry.sentences) for entry in labeled.timeline}
    dates = {canonical(date): text for date, text in expected.items()}
    assert entries.keys() - UNTOLD.get(path.name, set()) == dates.keys()
    assert {date for date, text in dates.items() if text not in entries[date]} == set()


@pytest.mark.parametrize(("path", "expected"), CASES)
def test_every_line_of_an_answer_is_read_or_noted(path: Path, expected: dict[str, str]) -> None:
    if expected:
        assert lost_lines(path.read_text(encoding="utf-8"), timeline_files.read(path)) == []


def lost_lines(text: str, file: TimelineFile) -> list[str]:
    """Lines whose words stand neither in an entry nor on a line with a note, nor are a date."""
    noted: set[int] = set()
    for note in file.notes:
        found = re.match(r"lines (\d+) to (\d+)", note.text)
        first, last = map(int, found.groups()) if found else (note.line or 0, note.line or 0)
        if re.search(r"breaks off|fenced answer|code block", note.text):
            last = len(text)
        noted.update(range(first, last + 1))
    kept = squeeze(" ".join(s for one in file.timelines for s in one.timeline.sentences))
    lost = []
    for number, line in enumerate(text.split("\n"), 1):
        words = re.findall(r"[^\W\d_]{4,}", re.sub(r"<[^<>]*>", "", line))
        missing = [word for word in words if squeeze(word) not in kept]
        if number not in noted and words and len(missing) == len(words) and not is_frame(line):
            lost.append(line)
    return lost


def squeeze(text: str) -> str:
    return "".join(text.split()).casefold()


def is_frame(line: str) -> bool:
    """A line that dates what stands below it, names columns or keys, or opens a fence."""
    bare = line.strip(" #*|>-:")
    return bool(
        find_stated(bare)
        or re.search(r"\d{4}|^[|│].*[|│]$|^```|^<|^\s*[{}\[\]]", line.strip())
        or re.fullmatch(r"(?:[^\W\d_]+\.? ?){1,2}", bare)
        or bare.startswith(("timeline", "date"))
    )


LANGUAGES = {
    "English": ["3 May 2029", "June 2030", "1930s", "44 BC"],
    "German": ["3. Mai 2029", "Juni 2030", "1930er Jahre", "44 v. Chr."],
    "French": ["3 mai 2029", "juin 2030", "années 1930", "44 av. J.-C."],
    "Spanish": ["3 de mayo de 2029", "junio de 2030", "década de 1930", "44 a. C."],
    "Portuguese": ["3 de maio de 2029", "junho de 2030", "década de 1930", "44 a.C."],
    "Italian": ["3 maggio 2029", "giugno 2030", "anni 1930", "44 a.C."],
    "Dutch": ["3 mei 2029", "juni 2030", "jaren 1930", "44 v.Chr."],
    "Russian": ["3 мая 2029 года", "июнь 2030 г.", "1930-е годы", "44 до н. э."],
    "Arabic": ["٣ مايو ٢٠٢٩", "يونيو ٢٠٣٠", "1930s", "44 ق.م"],
    "Arabic in Latin figures": ["3 أيار 2029", "حزيران 2030", "1930s", "44 ق.م"],
    "Chinese": ["2029年5月3日", "2030年6月", "1930年代", "公元前44年"],
    "Chinese figures": ["二〇二九年五月三日", "二〇三〇年六月", "20世纪30年代", "前44年"],
    "Japanese": ["2029年5月3日", "令和12年6月", "1930年代", "紀元前44年"],
    "Korean": ["2029년 5월 3일", "2030년 6월", "1930년대", "기원전 44년"],
}
SHAPES = {
    "md": "- **{}**: event {}.",
    "table.md": "| {} | event {}. |",
    "csv": '"{}",event {}.',
    "jsonl": '{{"date": "{}", "event": "event {}."}}',
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dates", LANGUAGES.values(), ids=LANGUAGES)
def test_dates_of_a_language_are_right_in_every_shape(dates: list[str], shape: str) -> None:
    heading = {"table.md": "| Date | Event |\n|---|---|\n", "csv": "date,event\n"}.get(shape, "")
    rows = (SHAPES[shape].format(date, n) for n, date in enumerate(dates))
    form = {"md": "markdown", "table.md": "markdown"}.get(shape, shape)
    file = timeline_files.read_content(heading + "\n".join(rows), "x", form=form)
    found = {str(entry.when): entry.sentences for entry in file.timelines[0].timeline}
    wanted = ["2029-05-03", "2030-06", "1930s", "44 BC"]
    assert found == {date: (f"event {n}.",) for n, date in enumerate(wanted)}


SENTENCES = {
    "English": "The dam breaks.",
    "German": "Der Damm bricht.",
    "French": "La digue cède.",
    "Spanish": "La presa se rompe.",
    "Portuguese": "A barragem rompe.",
    "Italian": "La diga crolla.",
    "Dutch": "De dam breekt.",
    "Russian": "Плотина рушится.",
    "Arabic": "ينهار السد.",
    "Chinese": "大坝溃决。",
    "Japanese": "ダムが決壊する。",
    "Korean": "댐이 무너진다.",
}


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_an_answer_against_itself_scores_one(tmp_path: Path, language: str) -> None:
    rows = (f"- **{date}**: {SENTENCES[language]}" for date in LANGUAGES[language])
    path = tmp_path / "spill.md"
    path.write_text("\n".join(rows), encoding="utf-8")
    scores = cs.score(path, path, ["align+", "dates"])
    assert {scores["spill", name].value for name in ("align+.f", "dates.f")} == {1.0}


MONTHS = st.sampled_from(["May", "Mai", "mayo", "мая", "June", "5月", "مايو", "Sources", "Note"])
PIECES = st.sampled_from(
    [
        "- ", "* ", "1. ", "## ", "> ", "| ", " | ", "\n", "\n\n", "**", ": ", " – ", ", ", ". ",
        "2010", "2010-05-06", "May 6, 2010", "6. Mai 2010", "6 de mayo de 2010", "2010年5月6日",
        "May 6", "2010–2011", "06/05/2010", "25/05/2010", "the dam broke", "the dam", "in", "On ",
        "<think>", "</think>", "```\n", "```json\n", '{"date": "2010-05-06", "text": "x"}', "[",
        "Sources", "<li>", "<td>", "---\n", "Unknown", "B.C.", "circa ", "3", "early ",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES | MONTHS, max_size=24).map("".join))
def test_whatever_comes_in_dates_stand_in_the_text_and_no_line_is_lost(text: str) -> None:
    try:
        file = timeline_files.read_content(text, "x.md", form="markdown")
    except DataError:
        return
    for entry in file.timelines[0].timeline:
        year = re.search(r"\d{4}", str(entry.when))
        assert year is None or year[0] in text or str(int(year[0]) - 1) in text
    assert lost_lines(text, file) == []


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is not UTF-8"),
        (b"- 2010-05-06: caf\xe9", "is not UTF-8"),
        (b"- 2010-05-06: a\x00b", "NUL byte"),
    ],
)
def test_a_file_that_is_no_text_gets_one_sentence(tmp_path: Path, raw: bytes, message: str) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(raw)
    with pytest.raises(DataError, match=message):
        timeline_files.read(path)


ORDERS = {
    "a date that leaves no choice": ("- 03/06/2010: A.\n- 25/06/2010: B.", "month", "2010-06-03"),
    "the other way round": ("- 03/06/2010: A.\n- 06/25/2010: B.", "day", "2010-03-06"),
    "the option": ("- 03/06/2010: A.", "day", "2010-06-03"),
    "the option again": ("- 03/06/2010: A.", "month", "2010-03-06"),
    "the option where dates disagree": (
        "- 03/06/2010: A.\n- 25/06/2010: B.\n- 06/25/2010: C.", "month", "2010-03-06"
    ),
    "cells": ("| Date | Event |\n|---|---|\n| 03/06/2010 | A. |", "day", "2010-06-03"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "order", "date"), ORDERS.values(), ids=ORDERS)
def test_day_and_month_are_told_apart_by_the_file_and_else_by_the_option(
    text: str, order: DateOrder, date: str
) -> None:
    (labeled,) = convert(text.encode(), read="markdown", date_order=order).timelines
    assert date in {str(when) for when in labeled.timeline.dates}
    scores = cs.score(
        {"mine": {"a": text}},
        {"a": {date: "A."}},
        "dates",
        reading=cs.ReadingRules(date_order=order),
    )
    assert scores["mine", "dates.r"].value == 1
