"""Model answers: what each says, and that nothing of it is lost without a word.

`golden/llm-answers` holds answers in the manners that models have; `answers` others that were
invented here: tool output, merged cells, footnotes, ranges of every kind, twelve languages. The
truth is a date with a piece of the text that must stand there.
"""

import dataclasses
import json
import random
import re
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore.api.convert import convert
from chronoscore.core import When
from chronoscore.dates.days import calendar_day
from chronoscore.dates.folding import fold
from chronoscore.dates.languages import LANGUAGES as TONGUES_OF_DATES
from chronoscore.errors import DataError
from chronoscore.formats.timelines import field_names, timeline_files
from chronoscore.formats.timelines.timeline_files import TimelineFile
from chronoscore.options import DateOrder
from formats.long_answers import STYLES, TONGUES, Style, Tongue, make_days

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
"""Entries that the truth leaves out, though "late 19th century" is in the text."""


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


DATE_WORDS = {
    fold(word).casefold()
    for language in TONGUES_OF_DATES
    for field in dataclasses.fields(language)
    for words in [getattr(language, field.name)]
    for word in re.split(r"[\s_-]+", words if isinstance(words, str) else " ".join(words))
}
"""Every word that a date may be written with, in any language."""
ERAS = ("令和", "平成", "昭和", "大正", "明治")
FRAME_WORDS = {
    fold(word).casefold()
    for word in (*field_names.DATE, *field_names.TEXT, "timeline", "topic", "section", "what")
}
"""Names of columns, keys and labels."""


def lost_lines(text: str, file: TimelineFile) -> list[str]:
    """Lines of which a word stands neither in an entry nor in a note, nor on a line with one.

    The words of dates, of the columns of tables and of marks need not be kept.
    """
    noted: set[int] = set()
    columns = any(re.match("(?:column|key) .* is not read", note.text) for note in file.notes)
    for note in file.notes:
        found = re.match(r"lines (\d+) to (\d+)", note.text)
        first, last = map(int, found.groups()) if found else (note.line or 0, note.line or 0)
        if re.search(r"breaks off|fenced answer|code block", note.text):
            last = len(text)
        noted.update(range(first, last + 1))
    sentences = [sentence for one in file.timelines for sentence in one.timeline.sentences]
    kept = squeeze(" ".join([*sentences, *(note.text for note in file.notes)]))
    return [
        line
        for number, line in enumerate(text.split("\n"), 1)
        if number not in noted and not (columns and re.search("[|,;\t│]", line))
        if any(squeeze(word) not in kept for word in words_of(line))
    ]


def words_of(line: str) -> list[str]:
    """The words that must be kept: no tags, keys or links, and nothing that a date is made of."""
    if re.match(r"\s*(?:```|~~~)", line) or has_column_names(line):
        return []
    line = re.sub(f"{'|'.join(ERAS)}", " ", unicodedata.normalize("NFC", line))
    bare = re.sub(r"<[^<>]*>|\]\([^()]*\)|\"?[\w-]+\"?\s*:(?=\s)|\\\w+\{", " ", line)
    found = re.findall(r"[^\W\d_]{4,}", bare)
    return [word for word in found if fold(word).casefold() not in DATE_WORDS | FRAME_WORDS]


def has_column_names(line: str) -> bool:
    """Whether a line names the columns of a table."""
    cells = [cell.strip(" *") for cell in re.split(r"[|,;\t│]", line.strip(" |│"))]
    known = (field_names.is_date_name, field_names.is_text_name)
    return sum(any(is_name(cell) for is_name in known) for cell in cells) >= 2


def squeeze(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split()).casefold()


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
    file = timeline_files.read_timeline_text(heading + "\n".join(rows), "x", form=form)
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


PIECES = st.sampled_from(
    [
        "- ", "* ", "1. ", "## ", "> ", "| ", " | ", "\n", "\n\n", "**", ": ", " – ", ", ", ". ",
        "2010", "2010-05-06", "May 6, 2010", "6. Mai 2010", "6 de mayo de 2010", "2010年5月6日",
        "May 6", "2010–2011", "06/05/2010", "25/05/2010", "the dam broke", "the dam", "in", "On ",
        "<think>", "</think>", "```\n", "```json\n", '{"date": "2010-05-06", "text": "x"}', "[",
        "Sources", "<li>", "<td>", "---\n", "Unknown", "B.C.", "circa ", "3", "early ", "Note",
        "May", "Mai", "мая", "June", "5月", "مايو", "Two days later, ", "the next day",
        "A week later", "Week 12 of 2010", "Nov '09", "the 24th", "July 3–5, 2012", "'text': ",
        "('2011-03-04', 'y')",
        "== 2013 ==", "├── ", "section 2014", "<event date=\"2015-02-01\">", "of 3 March 1999",
        "in 1987", "; ", " → ", "\t", "(9 July 2016)", "**8 August 2017**", '{"2018": [',
        '{"date": "1 May", "event": "z"}', "]}", "2019\n  - March\n    - 4: q\n",
    ]
)  # fmt: skip
NAMES = {
    fold(name).replace("_", " ").casefold(): number
    for language in TONGUES_OF_DATES
    for number, names in enumerate(language.months, 1)
    for name in names.split()
}


def written_numbers(line: str) -> set[int]:
    """The numbers of a line, two figures of a year as both years that they may mean."""
    found = {int(number) for number in re.findall(r"\d{1,4}", fold(line))}
    return found | {century + n for n in found if n < 100 for century in (1900, 2000)}


def written_months(line: str) -> set[int]:
    words = re.findall(r"[^\W\d_]+", fold(line).casefold())
    return written_numbers(line) & set(range(1, 13)) | {
        NAMES[word] for word in words if word in NAMES
    }


def stands_in(text: str, when: When) -> bool:
    """Whether some line has the day, and it or lines above it the month and the year."""
    year, month, day = calendar_day(when.first)
    years: set[int] = set()
    months: set[int] = set()
    for line in text.split("\n"):
        numbers = written_numbers(line)
        years |= numbers
        months |= written_months(line)
        in_year = abs(year) in years or 1 - year in years
        in_month = when.grain not in ("day", "month") or month in months
        if in_year and in_month and (when.grain != "day" or day in numbers):
            return True
    return False


def is_derived(when: When, file: TimelineFile) -> bool:
    """Whether a note says by which rule a date follows from what is written.

    The rules: the year turns with the months; a week begins on a Monday; a time is counted from
    another entry.
    """
    dates = file.timelines[0].timeline.dates
    for note in file.notes:
        if re.search(rf"taken to be in {str(when)[:4]}(?!\d)", note.text):
            return True
        if f"{when}, is taken" in note.text and "Week 12" in note.text:
            return str(when) == "2010-03-22"
        counted = re.search(rf"date '(.*)' is read as {when}", note.text)
        days = {"two days later": 2, "the next day": 1, "a week later": 7, "the 24th": None}
        for words, count in days.items():
            if counted and words in counted[1].casefold():
                month = [other for other in dates if str(other)[:7] == str(when)[:7]]
                return len(month) > 1 if count is None else when.shift(-count) in dates
    return False


def check_answer(text: str, file: TimelineFile) -> None:
    for when in file.timelines[0].timeline.dates:
        assert stands_in(text, when) or is_derived(when, file), (when, file.notes)
    assert lost_lines(text, file) == []


@settings(max_examples=4 * settings.default.max_examples, suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES, max_size=24).map("".join))
def test_whatever_comes_in_dates_stand_in_the_text_and_no_line_is_lost(text: str) -> None:
    try:
        file = timeline_files.read_timeline_text(text, "x.md", form="markdown")
    except DataError as error:
        message = str(error)
    else:
        check_answer(text, file)
        message = ""
    assert "\n" not in message


@settings(suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES.map(str.encode) | st.binary(max_size=6), max_size=12).map(b"".join))
def test_whatever_bytes_come_in_there_is_an_answer_or_one_sentence(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.md"
        path.write_bytes(raw)
        try:
            file = timeline_files.read(path)
        except DataError as error:
            message = str(error)
        else:
            check_answer("\n".join(raw.decode("utf-8-sig").splitlines()), file)
            message = ""
    assert "\n" not in message


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is an image; give its text"),
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


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
@pytest.mark.parametrize("tongue", TONGUES.values(), ids=TONGUES)
def test_the_days_of_a_long_answer_are_found_each_with_its_texts(
    style: Style, tongue: Tongue
) -> None:
    chance = random.Random(style.__name__ + tongue.title)
    days = make_days(tongue, chance)
    file = timeline_files.read_timeline_text(style(days, tongue, chance), "x.md")
    entries = {str(entry.when): " ".join(entry.sentences) for entry in file.timelines[0].timeline}
    wanted = {date.isoformat(): texts for date, texts in days}
    both = entries.keys() & wanted.keys()
    assert 2 * len(both) / (len(entries) + len(wanted)) >= 0.98, entries.keys() ^ wanted.keys()
    # A text may go on a sentence, so its first letter may be small.
    astray = [
        (date, text) for date in both for text in wanted[date] if text[1:-1] not in entries[date]
    ]
    assert len(astray) <= 0.02 * len(days), astray


LONG = {
    "days": "1 and " * 200 + "5 May 2010: x",
    "dashes": "- " + "1–" * 1500 + "5 May 2010: x",
    "brackets": "- 2010-05-06: x\n" + "[\n" * 2000,
    "Python": "- 2010-05-06: x\n" + "[{'a': 'b'},\n" * 300,
    "objects": "{'2010':" * 3000,
    "semicolons": "- 2010-05-06: " + "a; " * 3000,
    "arrows": "- 2010-05-06: " + "a → " * 3000,
    "counted": "On 3 May 2010, x. " + "Two days later, y. " * 1000,
    "cells": "- 2010-05-06: x\n" + "<td>" * 2000,
    "accents": "- 2010-05-06: " + "e\u0301" * 5000,
}


@pytest.mark.slow
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_thing_repeated_thousands_of_times_breaks_nothing(text: str) -> None:
    try:
        file = timeline_files.read_timeline_text(text, "x.md", form="markdown")
    except DataError as error:
        message = str(error)
    else:
        check_answer(text, file)
        message = ""
    assert "\n" not in message
