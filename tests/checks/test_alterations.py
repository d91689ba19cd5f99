import math
import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.checks.alterations import ALTERATIONS, Alteration, choose_alterations, make_cases
from chronoscore.checks.cases import Case
from chronoscore.checks.role_edits import exchange
from chronoscore.checks.spelling import spell
from chronoscore.checks.verb_edits import change_tense, negate
from chronoscore.core import Document, Sentence, Timeline, Topic, When
from chronoscore.errors import UsageError
from chronoscore.options.checks import Altering

SPILL = Timeline.of(
    [
        (
            "2010-04-20",
            ["A blast kills 11 workers on a rig of BP.", "It was not seen from Venice."],
        ),
        ("2010-05-06", ["Engineers lower a dome over the leak.", "The dome weighs 100 tons."]),
        ("2010-06-01", ["Obama blames BP.", "About 5,000 barrels a day leaked into the Gulf."]),
        ("2010-07-15", ["A cap stops the leak.", "Tony Hayward welcomes the news."]),
    ]
)
QUAKE = Timeline.of([("2011-03-11", "A quake shakes Japan."), ("2011-03-12", "A reactor melts.")])
BY_NAME = {one.name: one for one in ALTERATIONS}
DATED = ("year", "day-month", "late", "combined", "divided", "truncated", "order")
SAME_DATES = (
    *("numbers", "tenfold", "negation", "names", "roles"),
    *("spelled", "synonyms", "inflection", "sentences", "repeated"),
)


def case(share: float = 1.0, seed: int = 1, timeline: Timeline = SPILL) -> Case:
    topics = [Topic(id="a", timelines=(timeline,)), Topic(id="b", timelines=(QUAKE,))]
    return make_cases(topics, Altering(share=share, seed=seed))[0]


def altered(name: str, share: float = 1.0, seed: int = 1, timeline: Timeline = SPILL) -> Timeline:
    copy = BY_NAME[name].alter(case(share, seed, timeline))
    assert copy is not None
    return copy


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


@pytest.mark.parametrize("name", BY_NAME)
def test_an_alteration_depends_on_nothing_but_its_seed(name: str) -> None:
    assert altered(name, 0.5, 7) == altered(name, 0.5, 7)


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != "order"])
def test_an_alteration_alters(name: str) -> None:
    assert altered(name, 0.01) != SPILL


@pytest.mark.parametrize("name", SAME_DATES)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.8])
def test_a_larger_share_alters_all_that_a_smaller_one_does(name: str, share: float) -> None:
    some, all_of_it = altered(name, share, 5), altered(name, 1.0, 5)
    assert some.dates == all_of_it.dates == SPILL.dates
    for before, one, every in zip(SPILL, some, all_of_it, strict=True):
        if name in ("sentences", "repeated"):
            assert one in (before, every)
        else:
            for sentences in zip(before.sentences, one.sentences, every.sentences, strict=True):
                assert sentences[1] in (sentences[0], sentences[2])


@pytest.mark.parametrize("name", ["numbers", "negation", "names", "synonyms"])
def test_a_quarter_alters_a_quarter_of_what_can_be(name: str) -> None:
    def changed(share: float) -> int:
        pairs = zip(SPILL.sentences, altered(name, share).sentences, strict=True)
        return sum(one != other for one, other in pairs)

    assert changed(0.25) == math.ceil(changed(1.0) / 4)


@pytest.mark.parametrize("name", DATED)
def test_alterations_of_dates_touch_no_sentence(name: str) -> None:
    kept = Counter(altered(name).sentences)
    assert kept <= Counter(SPILL.sentences)
    assert name == "truncated" or kept == Counter(SPILL.sentences)


def numbers_of(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", text)]


@given(seed=st.integers(0, 999))
def test_numbers_change_a_little_and_nothing_else_does(seed: int) -> None:
    copy = altered("numbers", 1.0, seed)
    for before, after in zip(SPILL.sentences, copy.sentences, strict=True):
        assert re.sub(r"[\d,]+", "#", before) == re.sub(r"[\d,]+", "#", after)
        for old, new in zip(numbers_of(before), numbers_of(after), strict=True):
            assert old != new
            assert 0.79 * old <= new <= 1.21 * old


def test_tenfold_is_tenfold() -> None:
    after = " ".join(altered("tenfold").sentences)
    assert numbers_of(after) == [110, 1000, 50000]


def test_dates_ordinals_and_one_are_no_numbers_to_change() -> None:
    texts = [
        "On 12 May 2010 the 3rd ship sank.",
        "The crew of Flight 370 was lost.",
        "One man died.",
    ]
    lone = Timeline.of({"2010-05-12": texts})
    assert BY_NAME["tenfold"].alter(case(timeline=lone)) is None


@given(st.integers(0, 999_999_999))
def test_a_spelled_number_is_the_number(number: int) -> None:
    small = {spell(one): one for one in range(100)}
    total = current = 0
    for word in spell(number).split():
        if word in ("thousand", "million"):
            total, current = total + current * {"thousand": 10**3, "million": 10**6}[word], 0
        else:
            current = current * 100 if word == "hundred" else current + small[word]
    assert total + current == number


def test_numbers_are_spelled_out() -> None:
    texts = altered("spelled").sentences
    assert texts[0] == "A blast kills eleven workers on a rig of BP."
    assert texts[5] == "About five thousand barrels a day leaked into the Gulf."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The cap did not hold.", "The cap did hold."),
        ("The cap didn't hold.", "The cap did hold."),
        ("Oil was found near Venice.", "Oil was not found near Venice."),
        ("Obama blames the firm.", "Obama does not blame the firm."),
        ("BP stopped the leak.", "BP did not stop the leak."),
        ("The rig has command of the site.", "The rig does not have command of the site."),
        ("Rome had large armies.", "Rome did not have large armies."),
        ("The rig has already sunk.", "The rig has not already sunk."),
        (
            "There was no leak and the cap held the oil.",
            "There was no leak and the cap did not hold the oil.",
        ),
        (
            "Workers killed in the blast were buried.",
            "Workers killed in the blast were not buried.",
        ),
    ],
)
def test_a_sentence_is_negated(before: str, after: str) -> None:
    edit = negate(before)
    assert edit is not None
    assert edit.apply(before) == after


def test_headlines_without_a_finite_verb_are_not_negated() -> None:
    assert negate("Eleven workers killed in blast on rig.") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The rig explodes.", "The rig exploded."),
        ("BP stopped the leak.", "BP stops the leak."),
        ("Workers began the repair.", "Workers begin the repair."),
        ("They are missing.", "They were missing."),
        ("Egypt approves law easing curbs.", "Egypt approved law easing curbs."),
        ("GM and Ford both ran out of oil.", "GM and Ford both run out of oil."),
        ("He blamed those who attacked Rome.", "He blames those who attacked Rome."),
        ("A European-drafted text was read.", "A European-drafted text is read."),
        ("He sparked the battles that leave 10 dead.", "He sparks the battles that leave 10 dead."),
    ],
)
def test_a_sentence_is_told_in_another_tense(before: str, after: str) -> None:
    assert change_tense(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Israel attacked Iran.", "Iran attacked Israel."),
        ("The army was attacked by Rome in May.", "Rome was attacked by the army in May."),
        ("The bank raised its rates.", "The bank raised its rates."),
        ("BP lowers the estimated total cost.", "The estimated total cost lowers BP."),
        ("It rained. The King attacked Paris.", "It rained. Paris attacked the King."),
        *(
            (text, text)
            for text in (
                "Egypt recognises the challenges of reform.",
                "The firm announces the leak will affect the shore.",
                "The EU opens talks for the staff.",
                "Police arrived this morning.",
                "Prices swung wildly on Friday.",
                "Leaders meet rebels in Paris.",
                "The rebels blame Assad and his army.",
                "Morsi has set December 15 as the date.",
                "The firms lower the estimated cost, and the King attacks rebels.",
            )
        ),
    ],
)
def test_roles_are_exchanged(before: str, after: str) -> None:
    assert exchange(before) == after
    assert words(before) == words(after)


@pytest.mark.parametrize("seed", range(5))
def test_both_ends_of_a_range_change_alike_and_other_figures_stay(seed: int) -> None:
    timeline = Timeline.of({"2010-05-06": ["Some 50-60% voted.", "Call 800-451-1954 now."]})
    for name in ("numbers", "tenfold"):
        voted, call = altered(name, 1.0, seed, timeline).sentences
        low, high = map(int, re.findall(r"\d+", voted))
        assert 50 != low < high != 60
        assert call == "Call 800-451-1954 now."


@pytest.mark.parametrize(
    "text", ["The iPhone 4 sells.", "It jumped the 76.", "It won # 13 billion."]
)
def test_numbers_of_names_are_not_spelled_out(text: str) -> None:
    assert (
        altered(
            "spelled", timeline=Timeline.of({"2010-05-06": [text, "It has 3 legs."]})
        ).sentences[0]
        == text
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_name_gives_way_to_one_that_stands_like_it(seed: int) -> None:
    texts = [
        "There is fear in Libya's capital.", "It was calm across the Middle East.",
        "They blame Assad's army.", "It spread over the Arctic Circle.",
        "The talks with Arab leaders failed.", "He met Yemeni leaders.",
    ]  # fmt: skip
    copy = altered("names", 1.0, seed, Timeline.of({"2010-05-06": texts})).sentences
    assert copy[:4] == (
        "There is fear in Assad's capital.", "It was calm across the Arctic Circle.",
        "They blame Libya's army.", "It spread over the Middle East.",
    )  # fmt: skip
    assert copy[5] == "He met Arab leaders."


@given(seed=st.integers(0, 99))
def test_names_are_those_of_the_topic(seed: int) -> None:
    known = {"BP", "Venice", "Gulf"}
    for before, after in zip(SPILL.sentences, altered("names", 1.0, seed).sentences, strict=True):
        there = {name for name in known if re.search(rf"\b{name}\b", before)}
        now = {name for name in known if re.search(rf"\b{name}\b", after)}
        assert not there & now
        assert bool(there) == bool(now)
        pattern = rf"\b(?:{'|'.join(known)})\b"
        assert re.sub(pattern, "#", before) == re.sub(pattern, "#", after)


@pytest.mark.parametrize("name", ["invented", "foreign"])
def test_entries_are_added_on_free_days(name: str) -> None:
    copy = altered(name, 0.5)
    assert len(copy) == len(SPILL) + 2
    assert set(SPILL.entries) < set(copy.entries)
    new = [text for entry in set(copy) - set(SPILL) for text in entry.sentences]
    assert all((text in QUAKE.sentences) == (name == "foreign") for text in new)


def test_an_invented_entry_names_somebody_of_the_topic() -> None:
    for entry in set(altered("invented")) - set(SPILL):
        assert any(name in entry.sentences[0] for name in ("BP", "Venice", "Gulf"))


def test_years_are_off_by_one_and_days_stay() -> None:
    leap = Timeline.of({"2012-02-29": "A day.", "2012-06": "A month.", "1990s": "A decade."})
    dates = {str(when) for when in altered("year", timeline=leap).dates}
    assert dates <= {"2011-02-28", "2013-02-28", "2011-06", "2013-06", "1990s"}
    assert len(dates) == 3
    moved = {entry.sentences: str(entry.when) for entry in altered("year")}
    for entry in SPILL:
        before, after = str(entry.when), moved[entry.sentences]
        assert before[4:] == after[4:]
        assert abs(int(before[:4]) - int(after[:4])) == 1


def test_day_and_month_are_exchanged_where_both_are_dates() -> None:
    copy = altered("day-month")
    assert [str(when) for when in copy.dates] == [
        "2010-01-06",
        "2010-04-20",
        "2010-06-05",
        "2010-07-15",
    ]


def test_events_are_reported_late() -> None:
    assert [b.first - a.first for a, b in zip(SPILL.dates, altered("late").dates, strict=True)] == [
        1,
        1,
        1,
        1,
    ]
    article = Document(id="a", when=When.parse("2010-05-09"), sentences=(Sentence("a-1", "Late."),))
    topic = Topic(id="a", timelines=(SPILL,), documents=(article,))
    (one,) = make_cases([topic], Altering(share=1.0))
    copy = BY_NAME["late"].alter(one)
    assert copy is not None
    assert [str(when) for when in copy.dates] == ["2010-05-09", "2010-06-02", "2010-07-16"]


def test_entries_are_combined_divided_repeated_and_truncated() -> None:
    (whole,) = altered("combined")
    assert (whole.when, whole.sentences) == (SPILL.dates[0], SPILL.sentences)
    divided = altered("divided")
    assert len(divided) == 8
    assert divided.sentences == SPILL.sentences
    for before, after in zip(SPILL, altered("repeated"), strict=True):
        assert after.sentences == before.sentences * 2
    assert altered("truncated", 0.5).entries == SPILL.entries[:2]
    assert altered("truncated").entries == SPILL.entries[:1]


def test_another_order_of_entries_is_the_same_timeline() -> None:
    assert altered("order") == SPILL


@given(seed=st.integers(0, 99))
def test_sentences_stay_with_their_day_in_another_order(seed: int) -> None:
    for before, after in zip(SPILL, altered("sentences", 1.0, seed), strict=True):
        assert before.sentences != after.sentences
        assert sorted(before.sentences) == sorted(after.sentences)


def test_synonyms_take_the_form_of_the_word_and_the_right_article() -> None:
    texts = [
        "An explosion injured workers.",
        "A big blaze began.",
        "The Company of Rebels started.",
    ]
    copy = altered("synonyms", timeline=Timeline.of({"2010-05-12": texts}))
    assert copy.sentences == (
        "A blast wounded employees.",
        "A large fire started.",
        "The Company of Rebels began.",
    )


@pytest.mark.parametrize("one", ALTERATIONS, ids=lambda one: one.name)
def test_an_empty_timeline_cannot_be_altered(one: Alteration) -> None:
    assert one.alter(Case(Timeline(()), other_topics=[QUAKE])) is None


@given(st.lists(st.text(), min_size=1, max_size=4), st.integers(0, 9))
def test_any_text_can_be_tried(texts: list[str], seed: int) -> None:
    timeline = Timeline.of([("2010-05-06", texts), ("2010-05-07", texts)])
    for one in ALTERATIONS:
        copy = one.alter(case(1.0, seed, timeline))
        assert copy is None or all(entry.sentences for entry in copy)


def test_damages_are_chosen_by_name_or_group() -> None:
    def names(given: list[str]) -> list[str]:
        return [one.name for one in choose_alterations(given)]

    assert names(["all"]) == list(BY_NAME)
    assert sorted(names(["harm"]) + names(["harmless"])) == sorted(BY_NAME)
    assert names(["roles, names"]) == ["names", "roles"]
    with pytest.raises(UsageError, match="did you mean 'negation'"):
        choose_alterations(["negations"])


def test_places_are_chosen_by_their_seed_alone() -> None:
    places = list(range(40))
    chosen = [case(0.25, seed).choose(places) for seed in range(20)]
    assert {len(one) for one in chosen} == {10}
    assert len(set(map(tuple, chosen))) == 20
    random.seed(3)
    assert case(0.25, 5).choose(places) == chosen[5]
