"""Judged streams: useful and novel, by hand and against a second, naive statement."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronoscore.core import (
    Abstention,
    Collection,
    Event,
    Judgements,
    Link,
    Ranking,
    Run,
    Selection,
    Topic,
)
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.scoring import score


def topic(
    links: str, *, sentences: str = "abcdef", events: str = "123", pooled: bool = False
) -> Topic:
    """Links as `a1 b1 c2`: a sentence, an event, and perhaps a group: `a1x b1x`."""
    return Topic(
        id="t",
        judgements=Judgements(
            sentences=tuple("abcdef"),
            events=tuple(Event(event) for event in events),
            links=tuple(
                Link(sentence=link[0], event=link[1], group=link[2:]) for link in links.split()
            ),
            pooled=pooled,
        ),
    )


def ranking(order: str) -> Ranking:
    return Ranking(tuple(Selection(sentence, -place) for place, sentence in enumerate(order)))


def parts(measure: str, about: Topic, order: str) -> list[float]:
    found: Measure = parse_measure_text(measure)
    return [float(value) for value in found.values(found.tally([(about, ranking(order))]))[0]]


FULL = topic("a1 b1 c2 c3 d3")


def test_events_are_counted_once_and_sentences_each_time() -> None:
    assert parts("nu", FULL, "abe") == [1 / 3, 1 / 3, 1 / 3]


def test_one_sentence_of_two_events_has_a_precision_of_two() -> None:
    assert parts("nu", FULL, "c") == pytest.approx([2 / 3, 2.0, 1.0])


def test_strictly_a_sentence_is_one_first_mention() -> None:
    assert parts("nu(strict)", FULL, "c")[:2] == [2 / 3, 1.0]
    assert parts("nu(strict)", FULL, "cda")[:2] == [1.0, 2 / 3]


def test_usefulness_counts_on_event_sentences() -> None:
    assert parts("u", FULL, "abe")[:2] == [2 / 4, 2 / 3]


def test_novelty_divides_events_by_on_event_sentences() -> None:
    assert parts("n", FULL, "abe")[:2] == [1 / 3, 1 / 2]


def test_size_is_the_share_of_sentences() -> None:
    assert parts("size", FULL, "abe") == [0.5]
    assert parts("size@2", FULL, "abe") == [2 / 6]


def test_a_cutoff_takes_the_best_sentences_whatever_their_order_in_the_file() -> None:
    shuffled = Ranking((Selection("e", 0.1), Selection("c", 0.9), Selection("a", 0.5)))
    found = parse_measure_text("nu@1")
    assert found.values(found.tally([(FULL, shuffled)]))[0, 0] == 2 / 3


def test_equal_scores_keep_the_order_of_the_file() -> None:
    flat = Ranking((Selection("e"), Selection("c")))
    found = parse_measure_text("nu@1")
    assert found.values(found.tally([(FULL, flat)]))[0, 0] == 0


def test_a_group_counts_only_when_all_its_sentences_are_there() -> None:
    grouped = topic("a1x b1x c2", events="12")
    assert parts("nu", grouped, "a")[0] == 0
    assert parts("nu", grouped, "ab")[0] == 1 / 2
    assert parts("u", grouped, "a")[1] == 1


def test_the_sentence_that_completes_a_group_is_the_first_mention() -> None:
    grouped = topic("a1x b1x", events="1")
    assert parts("nu(strict)@1", grouped, "ab")[1] == 0
    assert parts("nu(strict)@2", grouped, "ab")[1] == 1 / 2


def test_another_sentence_may_tell_what_a_group_tells() -> None:
    grouped = topic("a1x b1x c1", events="1")
    assert parts("nu", grouped, "c")[0] == 1


def test_weights_are_linked_sentences_scaled_to_one_on_average() -> None:
    about = topic("a1 b1 c1 d2", events="12")
    recall, precision, _ = parts("nu(weight=links)", about, "d")
    assert recall == pytest.approx(1 / 4)
    assert precision == pytest.approx(1 / 2)


def test_weights_may_be_the_judges_importance() -> None:
    about = Topic(
        id="t",
        judgements=Judgements(
            sentences=("a", "b"),
            events=(Event("1", importance=3.0), Event("2", importance=1.0)),
            links=(Link(sentence="a", event="1"), Link(sentence="b", event="2")),
        ),
    )
    assert parts("nu(weight=importance)", about, "a")[0] == pytest.approx(3 / 4)


def test_dropped_links_do_not_count() -> None:
    about = Topic(
        id="t",
        judgements=Judgements(
            sentences=("a", "b"),
            events=(Event("1"),),
            links=(Link(sentence="a", event="1", kept=False), Link(sentence="b", event="1")),
        ),
    )
    assert parts("nu", about, "a")[0] == 0


def test_a_part_that_the_splitter_broke_off_is_its_sentence() -> None:
    judged = FULL.judgements
    assert judged is not None
    about = Topic(
        id="t",
        judgements=Judgements(
            sentences=judged.sentences, events=judged.events, links=judged.links, joined={"z": "a"}
        ),
    )
    assert parts("nu", about, "za") == parts("nu", about, "a")


def test_an_empty_ranking_has_no_precision_and_says_so() -> None:
    with pytest.warns(ChronoscoreWarning, match="1 empty ranking, of topic 't'"):
        recall, precision, f = parts("nu", FULL, "")
    assert recall == 0
    assert math.isnan(precision)
    assert math.isnan(f)


def test_a_topic_without_events_is_left_out_of_means_and_said() -> None:
    blank = Topic(id="blank", judgements=Judgements(sentences=("a",), events=(), links=()))
    collection = Collection({"t": FULL, "blank": blank})
    run = Run("mine", {"t": ranking("c"), "blank": ranking("a")})
    measure = parse_measure_text("nu")
    with pytest.warns(ChronoscoreWarning, match="1 topic without any event, 'blank' first"):
        scores = score(collection, [run], [measure])
    assert scores.average(measure)[0, 0] == 2 / 3
    assert math.isnan(scores.values(measure)[0, 1, 0])


def test_an_event_that_nobody_linked_stays_in_the_count_with_a_warning() -> None:
    with pytest.warns(ChronoscoreWarning, match="1 event of 1 topic without any sentence, '3'"):
        assert parts("nu", topic("a1 b2"), "ab")[0] == 2 / 3


def test_a_sentence_retrieved_twice_counts_once_with_a_warning() -> None:
    with pytest.warns(ChronoscoreWarning, match="with a sentence named twice"):
        assert parts("nu", FULL, "aac") == parts("nu", FULL, "ac")


def test_an_unknown_sentence_is_an_error() -> None:
    with pytest.raises(DataError, match=r"no such sentence 'x' \(2 unknown in all\)"):
        parts("nu", FULL, "axy")


def test_in_a_pooled_topic_an_unjudged_sentence_counts_as_off_event() -> None:
    pooled = topic("a1 b2 c3", pooled=True)
    assert parts("nu", pooled, "xa")[:2] == [1 / 3, 1 / 2]


def test_a_sentence_on_which_all_judges_abstained_counts_neither_way() -> None:
    judged = topic("a1 b2 c3").judgements
    assert judged is not None
    links = tuple(replace(link, marked_by=("model",)) for link in judged.links)
    abstained = (Abstention("e", "model"), Abstention("f", "model"))
    machine = Topic(id="t", judgements=replace(judged, links=links, abstentions=abstained))
    assert parts("nu", machine, "aef")[:2] == [1 / 3, 1.0]
    by_two = (*links[1:], replace(links[0], marked_by=("model", "anna")))
    both = Topic(id="t", judgements=replace(judged, links=by_two, abstentions=abstained))
    assert parts("nu", both, "aef")[:2] == [1 / 3, 1 / 3]


def test_a_topic_without_judgements_is_an_error() -> None:
    with pytest.raises(DataError, match="has no judgements"):
        parts("nu", Topic(id="t"), "a")


@pytest.mark.parametrize(
    "text",
    [
        "nu(strict)@20",
        "nu(weight=links)",
        "u@5.precision",
        "n",
        "size",
        "nu(match=cosine,threshold=0.5,to=sentences)",
    ],
)
def test_measures_print_themselves_and_parse_back(text: str) -> None:
    assert str(parse_measure_text(text)) == text


def test_a_threshold_must_be_a_share() -> None:
    with pytest.raises(UsageError, match="threshold=2"):
        parse_measure_text("nu(match=cosine,threshold=2)")


# A second statement: sets and loops, straight from the definitions.


def expressed(judged: Judgements, retrieved: Sequence[str]) -> set[str]:
    told = set(retrieved)
    found = set()
    for event in judged.events:
        groups: dict[str, set[str]] = {}
        for number, link in enumerate(judged.links):
            if link.event == event.id and link.kept:
                groups.setdefault(link.group or f"#{number}", set()).add(link.sentence)
        if any(group <= told for group in groups.values()):
            found.add(event.id)
    return found


def naive(judged: Judgements, retrieved: Sequence[str]) -> dict[str, tuple[float, float]]:
    events = len(judged.events)
    on_event = {link.sentence for link in judged.links if link.kept}
    found = len(expressed(judged, retrieved))
    first = sum(
        expressed(judged, retrieved[:n]) != expressed(judged, retrieved[: n + 1])
        for n in range(len(retrieved))
    )
    useful = len(on_event & set(retrieved))
    nan = math.nan
    return {
        "nu": (found / events, found / len(retrieved) if retrieved else nan),
        "nu(strict)": (found / events, first / len(retrieved) if retrieved else nan),
        "u": (
            useful / len(on_event) if on_event else nan,
            useful / len(retrieved) if retrieved else nan,
        ),
        "n": (found / events, found / useful if useful else nan),
    }


LINKS = st.lists(
    st.builds(
        Link,
        sentence=st.sampled_from("abcdef"),
        event=st.sampled_from("1234"),
        group=st.sampled_from(["", "", "x", "y"]),
        kept=st.sampled_from([True, True, True, False]),
    ),
    max_size=14,
    unique_by=lambda link: (link.sentence, link.event, link.group),
)


@settings(max_examples=4 * settings.default.max_examples)
@given(links=LINKS, order=st.permutations("abcdef"), size=st.integers(0, 6), cut=st.integers(1, 6))
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_every_measure_agrees_with_its_definition(
    links: list[Link], order: list[str], size: int, cut: int
) -> None:
    judged = Judgements(
        sentences=tuple("abcdef"), events=tuple(Event(e) for e in "1234"), links=tuple(links)
    )
    about = Topic(id="t", judgements=judged)
    chosen = "".join(order[:size])
    for name, expected in naive(judged, chosen[:cut]).items():
        found = parts(f"{name}@{cut}", about, chosen)[:2]
        assert found == pytest.approx(expected, nan_ok=True), name
