"""Plain lists of days are read at once exactly as the readers of answers read them."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

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


@st.composite
def lists(draw) -> str:
    """Lists of days of one form, of which some lines say dates again."""
    mark, bold = draw(st.sampled_from(["", "- ", "* "])), draw(st.sampled_from(["", "**"]))
    form, day = draw(st.sampled_from(FORMS)), date(2031, 3, 1)
    lines = []
    for _ in range(draw(st.integers(1, 5))):
        day += timedelta(draw(st.integers(1, 40)))
        words = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7)))
        end = draw(st.sampled_from([".", "!", "?", "", ":"]))
        lines.append(f"{mark}{bold}{form.format(day)}{bold}: {words[:1].upper()}{words[1:]}{end}")
    return "\n".join(lines)


@given(lists())
def test_what_is_read_at_once_is_what_the_readers_of_answers_read(text):
    ready = plain_lists.read(text)
    assert ready is None or ready == general(text)


def test_the_demo_as_lists_is_read_at_once():
    read, all_of = 0, 0
    for run in demo_timelines()[1]:
        for timeline in run.outputs.values():
            text = "\n".join(f"- {one.when}: {' '.join(one.sentences)}" for one in timeline.entries)
            ready = plain_lists.read(text)
            read, all_of = read + (ready is not None), all_of + 1
            assert ready is None or ready == general(text)
    assert read > 0.8 * all_of


def test_other_forms_are_left_to_the_readers_of_answers():
    for text in (
        "",
        "I cannot say.",
        "- 2031-02-30: No such day.",
        "- 2031-03-12: A day.\n- 2031-03-12: The same day.",
        "- 2031-03-14: Later.\n- 2031-03-12: Earlier.",
        "- 2031-03-12: A day.\n2031-03-14: Another form.",
        "- 2031-03-12: A **bold** day.",
        "Here is the timeline:\n- 2031-03-12: A day.",
    ):
        assert plain_lists.read(text) is None
