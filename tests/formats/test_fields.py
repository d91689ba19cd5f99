"""Timelines in records of any origin, whose fields are known by their values."""

import json
import random
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.core import Timeline
from chronoscore.errors import DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.entries import LabeledTimeline

DATE_KEYS = [
    "date",
    "dates",
    "when",
    "datetime",
    "time",
    "timestamp",
    "ts",
    "dt",
    "day",
    "year",
    "start",
    "startDate",
    "start_date",
    "dateStart",
    "eventDate",
    "event_date",
    "date_of_event",
    "day_of_event",
    "published_at",
    "publishedAt",
    "pubDate",
    "published",
    "created_at",
    "createdAt",
    "iso_date",
    "isoDate",
    "from",
    "on",
    "at",
    "since",
    "occurred",
    "happened_on",
    "d",
    "t",
    "when_utc",
    "period",
    "begin",
    "begins",
    "Datum",
    "fecha",
    "日期",
]
TEXTS = ("The old dam broke at night.", "Two villages were flooded.", "An inquiry was opened.")
DAYS = ("2010-06-03", "2010-06-05", "2011-01-09")
THREE = Timeline.of(dict(zip(DAYS, TEXTS, strict=True)))


def read(value: object, form: str = "json") -> list[LabeledTimeline]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return timeline_files.read_timeline_text(text, "x.json", form=form).timelines


def rows(key: str = "date", text: str = "text", **more: Any) -> list[dict[str, Any]]:
    return [{**more, key: day, text: one} for day, one in zip(DAYS, TEXTS, strict=True)]


@pytest.mark.parametrize("key", DATE_KEYS)
@pytest.mark.parametrize("other", ["text", "blurb"])
def test_a_date_may_stand_under_any_key(key: str, other: str) -> None:
    assert read(rows(key, other, importance=3)) == [LabeledTimeline(THREE)]


def with_dates(**keys: tuple[str, ...]) -> list[dict[str, str]]:
    return [
        {key: days[n] for key, days in keys.items()} | {"t": text} for n, text in enumerate(TEXTS)
    ]


LATER = ("2010-06-04", "2010-06-30", "2011-02-01")
SEVERAL_DATES = {
    "start and end": with_dates(end=LATER, start=DAYS),
    "two that nobody knows": with_dates(zap=LATER, qux=DAYS),
    "a record that was made": with_dates(created_at=LATER, updated_at=LATER, event_date=DAYS),
    "one for all": with_dates(date=("2024-05-01",) * 3, qux=DAYS),
    "an article": with_dates(published=LATER, happened=DAYS),
}


@pytest.mark.parametrize("value", SEVERAL_DATES.values(), ids=SEVERAL_DATES)
def test_of_several_dates_the_one_of_the_event_counts(value: object) -> None:
    assert read(value) == [LabeledTimeline(THREE)]


def numbers(*values: float, key: str = "n") -> list[dict[str, Any]]:
    return [{key: number, **row} for number, row in zip(values, rows("q", "w"), strict=True)]


@pytest.mark.parametrize(
    "value",
    [
        numbers(1850, 1200, 2010),
        numbers(1718000000, 1718000001, 1718000002),
        numbers(19.99, 5.0, 1999.0),
        numbers(48.85, 2.35, 7.1),
    ],
)
def test_numbers_of_other_things_are_no_dates(value: object) -> None:
    assert read(value) == [LabeledTimeline(THREE)]


def seconds(day: str) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize(("factor", "unit"), [(1, "seconds"), (1000, "milliseconds")])
def test_seconds_since_1970_are_dates_with_a_note(factor: int, unit: str) -> None:
    value = [{"ts": factor * seconds(row["date"]), "w": row["text"]} for row in rows()]
    file = timeline_files.read_timeline_text(json.dumps(value), "x", form="json")
    assert file.timelines == [LabeledTimeline(THREE)]
    assert f"is read as {unit} since 1970, 2010-06-03" in str(file.notes[0])


def parts(*names: str) -> list[dict[str, Any]]:
    return [
        {"when": dict(zip(names, map(int, row["date"].split("-")), strict=True)), "w": row["text"]}
        for row in rows()
    ]


ANSWER = "".join(f"- **{day}**: {text}\n" for day, text in zip(DAYS, TEXTS, strict=True))
OTHER = "- **2001-02-03**: A bridge fell.\n- **2001-03-01**: A ferry replaced it.\n"
CHUNKS = [ANSWER[n : n + 7] for n in range(0, len(ANSWER), 7)]
SHAPES = {
    "an object of parts": parts("year", "month", "day"),
    "parts that nobody names so": parts("vuosi", "kuu", "pv"),
    "deep in wrappers": {"status": "ok", "usage": {"n": 3}, "a": {"b": [{"c": rows("x", "y")}]}},
    "columns": {"x": DAYS, "y": TEXTS, "n": 3},
    "columns by number": {"x": dict(enumerate(DAYS)), "y": dict(enumerate(TEXTS))},
    "names above rows": {"columns": ["x", "y"], "data": list(zip(DAYS, TEXTS, strict=True))},
    "rows of a dataset": {"rows": [{"row_idx": n, "row": row} for n, row in enumerate(rows("x"))]},
    "strings": {"q": "?", "z": [f"{d} - {t}" for d, t in zip(DAYS, TEXTS, strict=True)]},
    "a list without dates beside it": {"sources": [{"url": "http://x", "n": 1}], "z": rows("x")},
    "OpenAI": {"id": "c-1", "created": 1718000000, "choices": [
        {"index": 0, "message": {"role": "assistant", "content": ANSWER}}]},
    "OpenAI responses": {"created_at": 1718000000, "output": [
        {"type": "message", "content": [{"type": "output_text", "text": ANSWER}]}]},
    "Anthropic": {"role": "assistant", "content": [{"type": "text", "text": ANSWER}], "usage": {}},
    "Gemini": {"candidates": [{"content": {"parts": [{"text": ANSWER}], "role": "model"}}]},
    "Ollama": {"created_at": "2024-05-01T10:00:00Z", "message": {"content": ANSWER}, "done": True},
    "a conversation": {"messages": [{"role": "user", "content": OTHER * 9},
                                    {"role": "assistant", "content": ANSWER}]},
    "a prompt beside it": {"prompt": OTHER * 9, "response": ANSWER},
    "chunks": [{"choices": [{"delta": {"content": piece}}]} for piece in CHUNKS],
    "chunks with times": [{"created_at": "2024-05-01T10:00:00Z", "response": p} for p in CHUNKS],
}  # fmt: skip


@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_every_shape_is_the_same_timeline(value: object) -> None:
    assert read(value) == [LabeledTimeline(THREE)]


def test_years_head_texts_that_begin_with_days() -> None:
    value = {"2010": ["June 3: Snow.", "5 June – Rain."], "2011": ["Jan 9: Sun."]}
    expected = Timeline.of({"2010-06-03": "Snow.", "2010-06-05": "Rain.", "2011-01-09": "Sun."})
    assert read(value) == [LabeledTimeline(expected)]


def test_notes_on_a_list_of_strings_give_their_lines() -> None:
    value = {"z": ["June 3, 2010: Snow.", "Soon: Rain.", "January 9, 2011: Sun."]}
    file = timeline_files.read_timeline_text(json.dumps(value, indent=1), "x", form="json")
    assert [str(note) for note in file.notes] == ["x:4: no date: 'Soon: Rain.' is dropped"]


def test_a_date_in_words_that_nobody_knows_is_dropped_beside_others() -> None:
    value = [*rows("zap"), {"zap": "after the 1999 flood", "text": "A wall was built."}]
    file = timeline_files.read_timeline_text(json.dumps(value), "x", form="json")
    assert file.timelines == [LabeledTimeline(THREE)]
    assert "date 'after the 1999 flood' is not understood" in str(file.notes[0])


def test_chunks_may_be_json_lines_or_events_of_a_server() -> None:
    chunks = [json.dumps({"delta": {"text": piece}}) for piece in CHUNKS]
    assert read("\n".join(chunks), "jsonl") == [LabeledTimeline(THREE)]
    events = "".join(f"event: x\ndata: {chunk}\n\n" for chunk in chunks) + "data: [DONE]\n"
    assert read(events, "jsonl") == [LabeledTimeline(THREE)]


@pytest.mark.parametrize("key", ["response", "output", "generated_text", "zap"])
def test_answers_in_records_are_named_by_their_ids(key: str) -> None:
    lines = [
        {"custom_id": "dam", "model": "m", key: ANSWER},
        {"custom_id": "b", "model": "m", key: OTHER},
    ]
    found = read("\n".join(map(json.dumps, lines)), "jsonl")
    assert [one.topic for one in found] == ["dam", "b"]
    assert found[0].timeline == THREE


def test_several_lists_alike_are_topics_and_others_are_noted() -> None:
    alike = read({"dam": rows("x"), "ferry": rows("x")})
    assert alike == [LabeledTimeline(THREE, "dam"), LabeledTimeline(THREE, "ferry")]
    value = {"zap": rows("x"), "sources": [{"title": "A", "accessed": "2024-05-01"}]}
    file = timeline_files.read_timeline_text(json.dumps(value), "x", form="json")
    assert file.timelines == [LabeledTimeline(THREE)]
    assert [str(note) for note in file.notes] == [
        "x: sources is not read; the timeline under zap counts"
    ]


SLOPPY = """{
  // oldest first
  zap: [
    {"x": "2010-06-03", 'y': "The old dam broke at night.", "n": NaN,},
    {"x": "2010-06-05", 'y': "Two villages were flooded.", "n": Infinity}, /* disputed */
    {"x": "2011-01-09", 'y': "An inquiry was opened.", "n": 2},
  ],
}"""


def test_comments_gaps_bare_keys_and_spare_commas_are_read_over() -> None:
    assert read(SLOPPY) == [LabeledTimeline(THREE)]
    assert read(f"Here it is:\n\n```json\n{SLOPPY}\n```\n") == [LabeledTimeline(THREE)]


def test_dates_as_python_prints_them() -> None:
    value = "[" + ", ".join(
        f"{{'x': datetime.date({date.fromisoformat(day):%Y, %-m, %-d}), 'y': {text!r}}}"
        for day, text in zip(DAYS, TEXTS, strict=True)
    )  # fmt: skip
    assert read(f"In [7]: t\nOut[7]:\n{value}]", "markdown") == [LabeledTimeline(THREE)]


def test_a_feed_in_xml_is_a_timeline() -> None:
    items = "".join(
        f"<item><guid>{n}</guid><pubDate>{date.fromisoformat(day):%a, %d %b %Y} 21:10:00 GMT"
        f"</pubDate><title>{text}</title></item>\n"
        for n, (day, text) in enumerate(zip(DAYS, TEXTS, strict=True))
    )
    feed = f"<?xml version='1.0'?><rss><channel><title>x</title>\n{items}</channel></rss>"
    (found,) = timeline_files.read_timeline_text(feed, "x.xml").timelines
    assert found.timeline == THREE


def test_what_was_found_instead_of_dates_is_said() -> None:
    value = {"topics": [{"ts": "soon", "headline": "A dam broke.", "importance": 3}]}
    with pytest.raises(DataError) as caught:
        read(value)
    assert str(caught.value) == (
        "x.json:1: no dates under topics; its keys are ts, headline, importance; name them with "
        '`columns={"date": "ts", "text": "headline"}`'
    )


def test_named_fields_are_read_whatever_their_values_say() -> None:
    value = [{"a": "2024-01-01", "b": day, "c": "Long words of another thing altogether.", "d": t}
             for day, t in zip(DAYS, TEXTS, strict=True)]  # fmt: skip
    found = cs.convert(json.dumps(value).encode(), columns={"date": "b", "text": "d"})
    assert list(found.timelines) == [LabeledTimeline(THREE)]
    rows_in_csv = "a,b,c\n" + "".join(f"x,{d},{t}\n" for d, t in zip(DAYS, TEXTS, strict=True))
    named = cs.convert(rows_in_csv.encode(), read="csv", columns={"date": "b", "text": ["a", "c"]})
    assert named.timelines[0].timeline.sentences[:2] == ("x", TEXTS[0])


def test_named_fields_are_a_reading_rule(tmp_path: Path) -> None:
    path = tmp_path / "dam.json"
    path.write_text(json.dumps(rows("b", a="1999")))
    rules = cs.ReadingRules(columns={"date": "b"})
    with pytest.warns(cs.ChronoscoreWarning, match="'a' is not read"):
        result = cs.score(path, {"dam": THREE}, "dates", reading=rules)
    assert [one.value for one in result.averages] == [1.0, 1.0, 1.0]


def random_word(dice: random.Random) -> str:
    letters = dice.choice(["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмн", "αβγδεζηθικλ"])
    return "".join(dice.choices(letters, k=dice.randint(2, 9)))


def wrap(dice: random.Random, value: Any) -> Any:
    """A value in up to four wrappers with other things beside it."""
    for _ in range(dice.randint(0, 4)):
        beside = [7, "ok", None, {"n": 1}, [1, 2], "https://example.org/x", [{"k": "v"}], True]
        items = [(random_word(dice), dice.choice(beside)) for _ in range(dice.randint(0, 3))]
        items.insert(dice.randint(0, len(items)), (random_word(dice) + "_", value))
        value = dict(items)
    return value


@pytest.mark.parametrize("seed", range(150))
def test_random_records_in_random_wrappers_are_read_back(seed: int) -> None:
    dice = random.Random(seed)
    day = date(dice.randint(1950, 2020), dice.randint(1, 12), dice.randint(1, 28))
    keys = list(dict.fromkeys(random_word(dice) + str(n) for n in range(7)))
    write = dice.choice(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%Y-%m-%dT10:00:00Z", "%d.%m.%Y"])
    records, entries = [], {}
    for number in range(dice.randint(3, 9)):
        day += timedelta(days=dice.randint(1, 90))
        text = " ".join(random_word(dice) for _ in range(dice.randint(5, 12))) + "."
        entries[day.isoformat()] = text
        noise = [number, dice.random() * 90, f"https://example.org/{number}", "politics",
                 dice.randint(1000, 2100), dice.choice([True, None])]  # fmt: skip
        cells = [*zip(keys, noise, strict=False), ("w" + keys[6], day.strftime(write))]
        cells.append(("v" + keys[6], text))
        records.append(cells)
    order = dice.sample(range(8), 8)
    value = wrap(dice, [{cells[n][0]: cells[n][1] for n in order} for cells in records])
    assert read(value) == [LabeledTimeline(Timeline.of(entries))]


def test_records_of_a_list_that_is_not_read_are_noted_at_their_lines() -> None:
    text = """{"remarks": [
{"stamped": 1404172800000, "msg": "The last call"}],
"events": [
{"ts": 1262304000, "msg": "The probe wakes up"},
{"ts": 1277942400, "msg": "It turns to the sun"}],
"notes": [
{"stamped": 1420070400000, "msg": "Silence"}]}"""
    file = timeline_files.read_timeline_text(text, "x")
    assert len(file.timelines[0].timeline) == 2
    assert [(note.line, note.text) for note in file.notes if note.lost] == [
        (2, "'The last call' under remarks is not read"),
        (7, "'Silence' under notes is not read"),
    ]
    assert {note.line for note in file.notes if note.kind == "guessed"} == {4, 5}


def test_a_named_field_of_dates_that_no_record_has_is_said() -> None:
    value = [{"date": "2031-03-03", "text": "It broke."}]
    with pytest.raises(DataError, match="no entry has 'whn', the first only 'date', 'text'"):
        cs.convert(json.dumps(value).encode(), columns={"date": "whn"})
