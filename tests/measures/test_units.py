"""Content units: the papers' golden figures, and a tree scored by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.core import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Place,
    Pyramid,
    Ranking,
    Selection,
    Topic,
)
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.measures import parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.units.classic import mean_units_per_reference, writers_choices
from chronoscore.measures.units.pyramid import (
    breakdown_by_unit,
    score_group,
    weight_of_heaviest_units,
)


def anchor(name: str, source: str = "s1", start: int = 0, end: int = 5) -> Anchor:
    return Anchor(id=name, source=source, start=start, end=end)


def unit(name: str, weight: int, *members: tuple[Anchor | Group, float]) -> ContentUnit:
    return ContentUnit(
        id=name,
        writers=frozenset(f"w{number}" for number in range(weight)),
        group=Group(members=members),
    )


def histogram(*counts: int) -> Pyramid:
    """So many units of weight 1, of weight 2 …"""
    return Pyramid(
        tuple(
            unit(f"u{weight}-{number}", weight)
            for weight, count in enumerate(counts, 1)
            for number in range(count)
        )
    )


def points(measure: str, pyramid: Pyramid, *selections: Selection) -> float:
    found = parse_measure_text(measure)
    pairs = [(Topic(id="t", pyramid=pyramid), Ranking(selections))]
    return float(found.values(found.tally(pairs))[0, 0])


BEGAN, RECORDING = anchor("began", start=10, end=15), anchor("recording", start=16, end=25)
SEMITES = Group(members=((BEGAN, 1.0), (RECORDING, 0.5)))


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [({"began", "recording"}, 1.0), ({"began"}, 1.0), ({"recording"}, 0.5), (set(), 0.0)],
)
def test_began_and_recording_as_in_the_paper(chosen: set[str], expected: float) -> None:
    assert score_group(SEMITES, frozenset(chosen)) == expected


def test_two_of_three_thirds_are_two_thirds() -> None:
    thirds = Group(members=tuple((anchor(name), 1 / 3) for name in "abc"))
    assert score_group(thirds, frozenset("ab")) == pytest.approx(2 / 3)


def test_closely_related_events_in_a_group_count_once() -> None:
    either = Group(members=((anchor("start"), 1.0), (anchor("war"), 1.0)))
    half = Group(members=((either, 0.5), (anchor("other"), 0.5)))
    assert score_group(half, frozenset({"start"})) == 0.5
    assert score_group(half, frozenset({"start", "war"})) == 0.5
    assert score_group(half, frozenset({"start", "war", "other"})) == 1.0


def test_an_empty_group_expresses_nothing() -> None:
    assert score_group(Group(members=()), frozenset("a")) == 0


SHARES = st.floats(0, 1)
NAMES = st.sampled_from("abcdefgh")
TREES = st.recursive(
    st.tuples(NAMES.map(anchor), SHARES),
    lambda inner: st.tuples(
        st.lists(inner, max_size=4).map(lambda found: Group(members=tuple(found))), SHARES
    ),
    max_leaves=12,
)


@given(
    tree=TREES, chosen=st.frozensets(st.sampled_from("abcdefgh")), more=st.sampled_from("abcdefgh")
)
def test_a_unit_scores_from_0_to_1_and_more_choices_never_cost(
    tree: tuple[Anchor | Group, float], chosen: frozenset[str], more: str
) -> None:
    group = Group(members=(tree,))
    before, after = score_group(group, chosen), score_group(group, chosen | {more})
    assert 0 <= before <= after <= 1


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((37, 23, 20, 10, 7, 3), 153),
        ((44, 27, 7), 81),
        ((42, 24, 9), 82),
        ((38, 28, 11), 90),
        ((42, 23, 7), 77),
    ],
)
def test_the_most_that_forty_units_can_weigh(counts: tuple[int, ...], expected: int) -> None:
    assert weight_of_heaviest_units(histogram(*counts), 40) == expected


def test_where_there_are_fewer_units_than_asked_for_all_count() -> None:
    assert weight_of_heaviest_units(histogram(2, 1), 40) == 4


PYRAMID = Pyramid(
    (
        unit("heavy", 3, (BEGAN, 1.0), (RECORDING, 0.5)),
        unit("light", 1, (anchor("fled", "s2", 3, 7), 1.0)),
        unit("lost", 2),
    )
)


def test_choosing_events_earns_their_units() -> None:
    chosen = [Selection("", event="recording"), Selection("", event="fled")]
    assert points("pyramid", PYRAMID, *chosen) == pytest.approx((3 * 0.5 + 1) / 6)


def test_a_sentence_chooses_every_anchor_inside() -> None:
    assert points("pyramid(n=1)", PYRAMID, Selection("s1")) == 1.0


def test_a_span_chooses_only_what_lies_wholly_inside() -> None:
    assert points("pyramid(n=1)", PYRAMID, Selection("s1", start=16, end=25)) == 0.5
    assert points("pyramid(n=1)", PYRAMID, Selection("s1", start=12, end=20)) == 0.0


def test_a_sentence_of_a_document_chooses_the_anchors_at_its_place() -> None:
    source = unit("u", 1, (anchor("a", "doc", 105, 110), 0.5), (anchor("b", "doc", 130, 135), 0.5))
    placed = Pyramid((source,), places={"doc-1": Place("doc", 100, 120)})
    assert points("pyramid", placed, Selection("doc-1")) == 0.5
    assert points("pyramid", placed, Selection("doc-1", start=6, end=10)) == 0.0
    assert points("pyramid", placed, Selection("doc", start=100, end=140)) == 1.0


def test_the_length_asked_for_is_n_then_the_cutoff_then_the_topics_then_all() -> None:
    chosen = [Selection("s1", 2.0), Selection("s2", 1.0)]
    own = Pyramid(PYRAMID.units, length=2)
    assert points("pyramid", PYRAMID, *chosen) == 4 / 6
    assert points("pyramid", own, *chosen) == 4 / 5
    assert points("pyramid@1", own, *chosen) == 3 / 3
    assert points("pyramid(n=3)@1", own, *chosen) == 3 / 6


def test_the_breakdown_says_what_was_missed_heaviest_first() -> None:
    found = breakdown_by_unit(PYRAMID, Ranking((Selection("", event="recording"),)))
    assert [(u.unit, u.weight, u.score, u.missed) for u in found] == [
        ("heavy", 3, 0.5, 1.5),
        ("lost", 2, 0.0, 2.0),
        ("light", 1, 0.0, 1.0),
    ]


def test_the_classic_pyramid_divides_by_as_many_or_by_the_usual_number_of_units() -> None:
    pyramid = histogram(4, 2, 1)
    assert mean_units_per_reference(pyramid, sum(pyramid.weights)) == 4
    measure = parse_measure_text("classic-pyramid")
    chosen = [Selection("", event=name) for name in ("u3-0", "u1-0", "u1-0", "0", "0")]
    row = measure.values(measure.tally([(Topic(id="t", pyramid=pyramid), Ranking(tuple(chosen)))]))
    original, modified = 4 / (3 + 2 + 2 + 1 + 1), 4 / (3 + 2 + 2 + 1)
    assert row[0].tolist() == [original, (original + modified) / 2, modified]


@pytest.mark.parametrize(("weights", "writers", "expected"), [((2, 2, 1), 2, 3), ((2, 2), 3, 1)])
def test_the_usual_number_of_units_rounds_half_up(
    weights: tuple[int, ...], writers: int, expected: int
) -> None:
    units = tuple(unit(f"u{n}", weight) for n, weight in enumerate(weights))
    names = tuple(f"w{n}" for n in range(writers))
    pyramid = Pyramid(units, writers=names)
    assert mean_units_per_reference(pyramid, sum(pyramid.weights)) == expected


def test_an_unannotated_output_has_no_original_score() -> None:
    measure = parse_measure_text("classic-pyramid")
    tally = measure.tally([(Topic(id="t", pyramid=histogram(2)), Ranking(()))])
    assert math.isnan(measure.values(tally)[0, 0])
    assert measure.values(tally)[0, -1] == 0


def test_a_topic_without_units_is_left_out_and_said() -> None:
    with pytest.warns(ChronoscoreWarning, match="no content unit"):
        assert math.isnan(points("pyramid", Pyramid(())))


def test_a_topic_without_a_pyramid_is_an_error() -> None:
    with pytest.raises(DataError, match="has no content units"):
        parse_measure_text("pyramid").tally([(Topic(id="t"), Ranking(()))])


@pytest.mark.parametrize("text", ["pyramid(n=0)", "classic-pyramid@5"])
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_measure_text(text)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (((anchor("a"), 1.5),), "worth 1.5"),
        (((anchor("a"), -0.1),), "worth -0.1"),
        (((Group(members=((anchor("a"), 2.0),)), 1.0),), "worth 2"),
        (((anchor("a"), 1.0), (Group(members=((anchor("a"), 1.0),)), 1.0)), "anchor 'a' twice"),
    ],
)
def test_a_broken_tree_is_refused(
    members: tuple[tuple[Anchor | Group, float], ...], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        ContentUnit(id="u", writers=frozenset("w"), group=Group(members=members))


def test_a_unit_without_contributors_is_refused() -> None:
    with pytest.raises(DataError, match="no contributor"):
        ContentUnit(id="u", writers=frozenset())


def contributed(name: str, contributors: str) -> ContentUnit:
    return ContentUnit(id=name, writers=frozenset(contributors), contributors=tuple(contributors))


# Writer "b" tells "y" twice: 8 contributors, but 7 pairs of a unit and a writer.
CLASSIC = Pyramid(
    tuple(contributed(*one) for one in (("x", "ab"), ("y", "abbc"), ("z", "a"), ("w", "c"))),
    writers=("a", "b", "c"),
)


def classic(
    text: str, *units: str, reading: str | None = None, pyramid: Pyramid = CLASSIC
) -> list[float]:
    measure = parse_measure_text(text)
    measure = compatible_measure(measure, reading) if reading else measure
    output = Ranking(tuple(Selection("", event=name) for name in units))
    pairs = [(Topic(id="t", pyramid=pyramid), output)]
    return [float(value) for value in measure.values(measure.tally(pairs))[0]]


@pytest.mark.parametrize(
    ("reading", "modified"),
    [
        # 7 / 3 units in a reference: 2 by half and floor, 3 by ceil; weights 3, 2, 1, 1.
        (None, 4 / 5),
        ("sacrerouge", 4 / 6),
        # 8 / 3 contributors: 2 by floor; weights 4, 2, 1, 1.
        ("ducview", 5 / 6),
    ],
)
def test_presets_of_the_classic_pyramid_round_and_weigh_as_their_tools(
    reading: str | None, modified: float
) -> None:
    assert classic("classic-pyramid", "y", "z", reading=reading)[-1] == pytest.approx(modified)


def test_rounding_and_weight_can_be_combined_and_stay_when_chosen_by_hand() -> None:
    # 8 / 3 contributors make 3 by half and by ceil.
    for rounding in ("half", "ceil"):
        text = f"classic-pyramid(rounding={rounding},weight=contributors)"
        assert classic(text, "y", "z")[-1] == pytest.approx(5 / 7)
    kept = classic("classic-pyramid(rounding=half)", "y", "z", reading="ducview")
    assert kept[-1] == pytest.approx(5 / 7)


def test_quality_and_coverage_are_the_original_and_the_modified_score() -> None:
    assert str(parse_measure_text("classic-pyramid.quality")) == "classic-pyramid.original"
    assert str(parse_measure_text("classic-pyramid.coverage")) == "classic-pyramid.modified"
    original, comprehensive, modified = classic("classic-pyramid", "y", "z", "0")
    assert comprehensive == pytest.approx((original + modified) / 2)


def test_a_jackknifed_score_is_the_mean_over_pyramids_without_one_reference() -> None:
    # Without a: x 1, y 2, w 1 (2 units a reference); without b: x 1, y 2, z 1, w 1 (3, rounded up
    # from 2.5); without c: x 2, y 2, z 1 (3, from 2.5).
    expected = (2 / 3 + 3 / 4 + 3 / 5) / 3
    assert classic("classic-pyramid(jackknife)", "y", "z")[-1] == pytest.approx(expected)


def test_a_person_is_scored_against_the_pyramid_of_the_others() -> None:
    people = writers_choices(CLASSIC)
    assert [one.event for one in people["b"]] == ["x", "y", "y"]
    topic = Topic(id="t", pyramid=CLASSIC).without(people["a"])
    measure = parse_measure_text("classic-pyramid(jackknife)")
    original, _, modified = measure.values(measure.tally([(topic, people["a"])]))[0]
    # x 1, y 2, w 1 are left: a tells x and y, and z, which now is in no reference.
    assert (original, modified) == (pytest.approx(3 / 4), pytest.approx(3 / 3))


def nuggets(*labels: tuple[str, float]) -> list[float]:
    events = (Event("v1", importance=2), Event("v2", importance=2), Event("o1"), Event("o2"))
    topic = Topic(id="t", judgements=Judgements(sentences=(), events=events, links=()))
    output = Ranking(tuple(Selection("", score, event=name) for name, score in labels))
    measure = parse_measure_text("nuggets")
    return [float(value) for value in measure.values(measure.tally([(topic, output)]))[0]]


def test_strict_counts_support_and_lenient_adds_half_of_partial_support() -> None:
    got = nuggets(("v1", 1.0), ("v2", 0.5), ("o1", 0.5), ("o2", 0.0))
    assert got == [2 / 4, 1 / 4, 1.5 / 2, 1 / 2]


def test_judges_who_disagree_count_by_their_mean() -> None:
    got = nuggets(("v1", 1.0), ("v1", 0.5), ("v2", 0.0), ("o1", 0.0), ("o2", 0.0))
    assert got == [0.75 / 4, 0.5 / 4, 0.75 / 2, 0.5 / 2]


def test_nuggets_that_nobody_assigned_are_not_supported_and_reported() -> None:
    with pytest.warns(ChronoscoreWarning, match="3 of 4 nuggets are not assigned"):
        assert nuggets(("v1", 1.0)) == [1 / 4, 1 / 4, 1 / 2, 1 / 2]
