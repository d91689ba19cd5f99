"""Answers in plain forms are read at once exactly as the readers of answers read them."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from chronoscore.core import Timeline
from chronoscore.data.values import as_timeline
from chronoscore.demo import demo_timelines
from chronoscore.errors import DataError
from chronoscore.formats.timelines import plain_lists

WORDS = (
    *("The", "dam", "March", "May", "2031", "today", "12", "1,500", "on", "3", "Monday", "(AP)"),
    *("later", "U.S.", "Dec", "people", "$5", "40%", "it's", "mid-2030", "2031-03-12", "yesterday"),
    *(
        "12th",
        "spring",
        "Source",
        "Q2",
        "early",
        "until",
        "Q2,",
        "10.30",
        "am",
        "St.",
        "No.",
        "1st",
        *('"lost', 'trust"', "Åsvik", "naïve", "“Dam", "late”,", "août", "mars", "März", "mai"),
    ),
)
FORMS = ("{:%Y-%m-%d}", "{:%-d %B %Y}", "{:%B %-d, %Y}", "{:%d %B %Y}")


def general(text: str):
    """What the readers of answers make of a text."""
    try:
        return as_timeline(text, "answer", report=lambda notes: None)
    except DataError:
        return None


ABOVE = (
    *("Here is a timeline of the key events:", "# Timeline", "**Timeline**", "Sure.", "Monday:"),
    *("<think>\nFirst 3 May 2031.\n</think>", "In March, the dam broke:", "The next day", "---"),
    *("Assistant: Sure.", "<answer>", "Key dates", "- Events"),
)
BELOW = (
    *("Let me know if you need more.", "---", "Note: Dates are those of the articles.", "```"),
    *("The next day, help came.", "</answer>", "Two days later the search ended.", "Sources"),
    *("On Monday it ended.", "<|im_end|>", "These events led to a new dam.", "- The end."),
)
OPENINGS = (
    *("The next day,", "In March", "On Monday", "By 3 May 2031,", "Two days later,", "Deaths:"),
    *(
        "The spring 2031",
        "Spring 2031",
        "Christmas 2030 and",
        "In the early 19th century",
        "Q2 2031",
    ),
    *("On the morning of 3 May 2031", "As of late", "Nineteenth century", "The 12", "At least 40"),
    *("Third of March 2031", "The third quarter of 2031", "Mid-March", "At noon on 3 May", "By"),
    *("Later that month,", "2031-03-12:", "**Rescue**", "Source:", "At 5:20 -", "Spring", "The"),
)


@st.composite
def sentences(draw) -> str:
    """Words in any order, and more or less of a full stop."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
    text = " ".join([*draw(st.lists(st.sampled_from(OPENINGS), max_size=1)), *words])
    return f"{text[:1].upper()}{text[1:]}{draw(st.sampled_from(['.', '.', '!', '', ':']))}"


@st.composite
def answers(draw) -> str:
    """Lists, tables and headings of days, with lines above and below."""
    kind = draw(st.sampled_from(["list", "numbers", "table", "headings", "bold"]))
    bold = draw(st.sampled_from(["", "**"]))
    form, day = draw(st.sampled_from(FORMS)), date(2031, 3, 1)
    mark = draw(st.sampled_from(["", "- ", "* ", "• "]))
    signs = [":** ", "**: ", "** – ", "** - "] if bold else [": "]
    sign, gap = draw(st.sampled_from(signs)), draw(st.sampled_from(["", "\n"]))
    lines = ["| Date | Event |", "| --- | --- |"] if kind == "table" else []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        day += timedelta(draw(st.integers(1, 40)))
        when, text = form.format(day), draw(sentences())
        if kind == "table":
            lines.append(f"| {bold}{when}{bold} | {text} |")
        elif kind in ("headings", "bold"):
            head = f"### {bold}{when}{bold}" if kind == "headings" else f"**{when}**"
            below = draw(
                st.sampled_from(
                    [[f"- {text}", f"- {draw(sentences())}"], [text], [text, draw(sentences())]]
                )
            )
            lines += [head, *([""] if gap else []), *below, ""]
        else:
            place = f"{number}. " if kind == "numbers" else mark
            lines.append(f"{place}{bold}{when}{sign}{text}{gap}")
    above = draw(st.lists(st.sampled_from(ABOVE), max_size=2))
    below = draw(st.lists(st.sampled_from(BELOW), max_size=1))
    between = draw(st.sampled_from(["\n", "\n\n"]))
    return between.join([*above, "\n".join(lines), *below])


@st.composite
def data(draw) -> str:
    """Days and texts in JSON of several shapes, with lines above and below."""
    form, day = draw(st.sampled_from(FORMS)), date(2031, 3, 1)
    several, rows = draw(st.booleans()), []
    for _ in range(draw(st.integers(1, 4))):
        day += timedelta(draw(st.integers(1, 40) | st.just(0)))
        told = draw(st.lists(sentences(), min_size=1, max_size=2)) if several else draw(sentences())
        rows.append((form.format(day), told))
    names = ("event", "text", "description", "title", "events", "note", "month", "what")
    name = draw(st.sampled_from(names))
    objects = [{"date": day, name: told} for day, told in rows]
    if draw(st.booleans()):
        objects = [dict(reversed(one.items())) for one in objects]
    if draw(st.integers(0, 5)) == 0:
        objects[0]["source"] = "AP"
    holder = draw(st.sampled_from(["timeline", "events", "data"]))
    shape = draw(st.sampled_from([objects, {holder: objects}, dict(rows), {holder: dict(rows)}]))
    text = json.dumps(
        shape, indent=draw(st.sampled_from([None, 2])), ensure_ascii=draw(st.booleans())
    )
    if draw(st.integers(0, 5)) == 0:
        text = text.replace(FORMS[0].format(day), "2031-03-02", 1)
    if draw(st.booleans()):
        text = f"```{draw(st.sampled_from(['', 'json', 'JSON', 'python']))}\n{text}\n```"
    above = draw(st.lists(st.sampled_from(ABOVE), max_size=2))
    below = draw(st.lists(st.sampled_from(BELOW), max_size=1))
    return draw(st.sampled_from(["\n", "\n\n"])).join([*above, text, *below])


@settings(max_examples=2 * settings().max_examples)
@given(data())
def test_data_are_read_at_once_as_the_readers_of_answers_read_them(text):
    ready = plain_lists.read(text)
    assert ready is None or ready == general(text)


@settings(max_examples=4 * settings().max_examples)
@given(answers())
def test_what_is_read_at_once_is_what_the_readers_of_answers_read(text):
    ready = plain_lists.read(text)
    assert ready is None or ready == general(text)


def dressed(timeline: Timeline) -> Iterator[str]:
    """A timeline in the forms that models like best."""
    said = [(date.fromisoformat(str(one.when)), " ".join(one.sentences)) for one in timeline]
    us = [(f"{day:%B} {day.day}, {day.year}", text) for day, text in said]
    listed = "\n".join(f"- {day}: {text}" for day, text in said)
    yield listed
    yield f"Here is the timeline:\n\n{listed}\n\nLet me know if you want to know more."
    yield f"<think>\nIt began on 3 May.\n</think>\n\n{listed}"
    yield "\n".join(f"{n}. **{day}** – {text}" for n, (day, text) in enumerate(us, 1))
    yield "# Timeline\n\n" + "\n".join(f"* **{day}:** {text}" for day, text in us)
    rows = "\n".join(f"| {day} | {text} |" for day, text in us)
    yield f"| Date | Event |\n|---|---|\n{rows}"
    yield "# Timeline\n\n" + "\n\n".join(f"### {day}\n\n- {text}" for day, text in us)
    yield "# Timeline\n\n" + "\n\n".join(f"## {day}\n{text}" for day, text in us)
    objects = json.dumps([{"date": day, "event": text} for day, text in us], indent=2)
    yield f"Here it is:\n\n```json\n{objects}\n```\n\nLet me know if you want to know more."
    yield json.dumps({"timeline": [{"date": str(day), "text": [text]} for day, text in said]})
    yield json.dumps({str(day): text for day, text in said}, ensure_ascii=False)
    yield "Here it is:\n\n" + "\n\n".join(f"**{day}**\n{text}" for day, text in us)


def test_most_of_the_demo_is_read_at_once_in_every_form():
    timelines = [one for run in demo_timelines()[1] for one in run.outputs.values()]
    read = Counter()
    for timeline in timelines[::3]:
        for form, text in enumerate(dressed(timeline)):
            ready = plain_lists.read(text)
            read[form] += ready is not None
            assert ready is None or ready == general(text)
    assert len(read) == 12
    assert min(read.values()) > 0.7 * len(timelines[::3])


def test_other_forms_are_left_to_the_readers_of_answers():
    for text in (
        "",
        "I cannot say.",
        "- 2031-02-30: No such day.",
        "- 2031-03-12: A day.\n- 2031-03-12: The same day.",
        "- 2031-03-14: Later.\n- 2031-03-12: Earlier.",
        "- 2031-03-12: A day.\n2031-03-14: Another form.",
        "- 2031-03-12: A [linked](https://example.org) day.",
        "1. 2031-03-12: A day.\n3. 2031-03-14: No count.",
        "As of 2031:\n- 2031-03-12: A day.\n- 2031-03-14: Another.",
        "- 2031-03-12: A day.\n- 2031-03-14: Another.\nIt goes on here.",
        "### 2031-03-12\n- 2031-03-13: Another day below.",
        "1. **2031-03-12** – The dam broke.\n2. **2031-03-14** – Source:",
        '{"2031-03-12": "It broke.", "2031-03-12": "Help came."}',
        '[{"date": "2031-03-12", "event": "It broke.", "source": "AP"}]',
    ):
        assert plain_lists.read(text) is None
