"""Scores and ratings meet by system and topic; what does not fit is said."""

import numpy as np
import pytest

from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.judgements.ratings import Figure
from chronoscore.options.correlation import TESTS, Bootstrap, CorrelationTest
from chronoscore.stats.correlate import compare_correlations, correlate_with_ratings
from chronoscore.stats.correlation import correlation
from chronoscore.stats.score_grid import pair_scores_with_ratings

SYSTEMS = ["s1", "s2", "s3", "s4", "s5"]
TOPICS = ["t1", "t2", "t3"]
RNG = np.random.default_rng(0)
X, Y, Z = RNG.random((3, 5, 3))


def figures(values, name, part="", systems=SYSTEMS, topics=TOPICS, **more):
    return [
        Figure(
            system=s, topic=t, name=name, part=part, value=float(v), where=f"{name}:{s}/{t}", **more
        )
        for s, row in zip(systems, values, strict=True)
        for t, v in zip(topics, row, strict=True)
    ]


def scores():
    return figures(X, "rouge", "r") + figures(Y, "rouge", "p")


def ratings():
    return figures(Z, "pyramid")


def test_scores_and_ratings_meet_by_system_and_topic():
    found = pair_scores_with_ratings(scores(), ratings()[::-1])
    assert found.systems == tuple(SYSTEMS)
    assert found.scores["rouge", "r"] == pytest.approx(X)
    assert found.ratings["pyramid"] == pytest.approx(Z)
    assert not found.human.any()


def test_people_stand_apart():
    person = figures([[1, 1, 1]], "rouge", "r", systems=["a"])
    marks = figures([[5, 5, 5]], "pyramid", systems=["a"], human=True)
    found = pair_scores_with_ratings(scores() + person, ratings() + marks)
    assert found.only("humans").systems == ("a",)
    assert found.only("machines").systems == tuple(SYSTEMS)
    assert found.only("all").systems == (*SYSTEMS, "a")


def test_people_who_were_rated_but_not_scored_are_left_out():
    marks = figures([[5, 5, 5]], "pyramid", systems=["a"], human=True)
    assert pair_scores_with_ratings(scores(), ratings() + marks).systems == tuple(SYSTEMS)


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (figures([[1]], "pyramid", systems=["s22"], topics=["t1"]), "column 'system': 's22' has"),
        (figures([[1]], "pyramid", systems=["s1"], topics=["t99"]), "column 'topic': 't99' has"),
        (figures([[1]], "pyramid", systems=["s1"], topics=[""]), "rate topics or whole systems"),
        (
            figures([[1]], "other", systems=["s1"], topics=["t1"], human=True),
            "column 'human': 's1' is flagged differently",
        ),
    ],
)
def test_ratings_that_do_not_fit_are_refused_with_their_row_and_column(extra, message):
    with pytest.raises(DataError) as refused:
        pair_scores_with_ratings(scores(), ratings() + extra)
    assert message in str(refused.value)
    assert "pyramid:" in str(refused.value)


def test_a_misspelt_system_is_answered_with_the_nearest():
    extra = figures([[1]], "pyramid", systems=["S1"], topics=["t1"])
    with pytest.raises(DataError, match="did you mean 's1'"):
        pair_scores_with_ratings(scores(), ratings() + extra)


def test_missing_topics_are_left_out_with_a_warning():
    few = [one for one in ratings() if (one.system, one.topic) != ("s2", "t3")]
    with pytest.warns(
        ChronoscoreWarning,
        match=r"rating 'pyramid': 1 of 15 summaries have no rating, 's2' on topic 't3' first",
    ):
        found = pair_scores_with_ratings(scores(), few)
    assert np.isnan(found.ratings["pyramid"][1, 2])
    holey = Z.copy()
    holey[1, 2] = np.nan
    value = correlate_with_ratings(found, levels=["system"], coefficients=["pearson"])[0].value
    assert value == pytest.approx(float(correlation(X, holey, coefficient="pearson")))


def test_systems_without_ratings_are_left_out_with_a_warning():
    few = [one for one in ratings() if one.system != "s5"]
    with pytest.warns(ChronoscoreWarning, match="1 of 5 systems have no rating, 's5' first"):
        found = pair_scores_with_ratings(scores(), few)
    assert correlate_with_ratings(found, levels=["system"])[0].n == 4


def test_averages_are_ignored_where_topics_are_given():
    extra = figures([[9]], "rouge", "r", systems=["s1"], topics=[""])
    assert pair_scores_with_ratings(scores() + extra, ratings()).topics == tuple(TOPICS)


def test_ratings_of_whole_systems_have_the_system_level_only():
    whole = figures(Z[:, :1], "pyramid", topics=[""])
    found = pair_scores_with_ratings(scores(), whole)
    assert {one.level for one in correlate_with_ratings(found)} == {"system"}
    expected = correlation(X.mean(axis=1, keepdims=True), Z[:, :1], coefficient="pearson")
    assert correlate_with_ratings(found)[0].value == pytest.approx(float(expected))
    with pytest.raises(UsageError, match="has no summary level"):
        correlate_with_ratings(found, levels=["summary"])


def test_averages_alone_meet_the_mean_ratings():
    means = figures(X.mean(axis=1, keepdims=True), "rouge", "r", topics=[""])
    found = correlate_with_ratings(
        pair_scores_with_ratings(means, ratings()), coefficients=["pearson"]
    )
    assert [one.level for one in found] == ["system"]
    assert found[0].value == pytest.approx(float(correlation(X, Z, coefficient="pearson")))


def test_fewer_than_four_systems_are_refused():
    three = SYSTEMS[:3]
    given = pair_scores_with_ratings(
        figures(X[:3], "rouge", "r", systems=three), figures(Z[:3], "pyramid", systems=three)
    )
    with pytest.raises(DataError, match=r"3 systems have both 'rouge\.r' scores and 'pyramid'"):
        correlate_with_ratings(given)


def test_constant_scores_have_nan_and_a_reason():
    given = pair_scores_with_ratings(figures(np.ones((5, 3)), "rouge", "r"), ratings())
    for one in correlate_with_ratings(given):
        assert np.isnan([one.value, one.low, one.high]).all()
        assert "has the same score" in one.why


def test_every_measure_meets_every_rating_at_every_level():
    found = correlate_with_ratings(
        pair_scores_with_ratings(scores(), ratings()), how=Bootstrap(times=20)
    )
    assert len(found) == 2 * 3 * 3
    assert list(found[0].row()) == [
        *("measure", "part", "rating", "level", "coefficient", "value", "low", "high", "n")
    ]
    assert {(one.level, one.n) for one in found} == {("system", 5), ("summary", 3), ("global", 15)}


def test_topics_cannot_be_redrawn_where_there_are_none():
    means = figures(X.mean(axis=1, keepdims=True), "rouge", "r", topics=[""])
    one = correlate_with_ratings(
        pair_scores_with_ratings(means, ratings()), how=Bootstrap(redrawn="inputs")
    )[0]
    assert np.isnan(one.low)
    assert not np.isnan(one.value)


@pytest.mark.parametrize("test", TESTS)
def test_measures_are_tested_against_each_other(test):
    given = pair_scores_with_ratings(scores(), ratings())
    way = CorrelationTest(test=test, trials=99)
    one = compare_correlations(given, way, levels=["system"], how=Bootstrap(times=50))[0]
    r = [float(correlation(m, Z, coefficient="pearson")) for m in (X, Y)]
    expected = abs(r[0]) - abs(r[1]) if test == "williams" else r[0] - r[1]
    assert one.difference == pytest.approx(expected)
    assert one.low <= one.difference <= one.high
    assert 0 < one.p <= one.adjusted <= 1


def test_a_baseline_is_met_by_all_others():
    given = pair_scores_with_ratings([*scores(), *figures(X + Y, "sum")], ratings())
    found = compare_correlations(given, CorrelationTest(test="williams", baseline="sum"))
    assert [(one.measure, one.part, one.other) for one in found] == [
        ("rouge", "r", "sum"),
        ("rouge", "p", "sum"),
    ]


def test_williams_takes_absolute_correlations_unless_signed():
    turned = pair_scores_with_ratings([*figures(X, "up"), *figures(-Y, "down")], ratings())
    plain = pair_scores_with_ratings([*figures(X, "up"), *figures(Y, "down")], ratings())
    way = CorrelationTest(test="williams")
    (one,), (other,) = (compare_correlations(given, way) for given in (turned, plain))
    assert (one.difference, one.p) == (pytest.approx(other.difference), pytest.approx(other.p))
    (signed,) = compare_correlations(plain, CorrelationTest(test="williams", signed=True))
    r = [float(correlation(m, Z, coefficient="pearson")) for m in (X, Y)]
    assert r[0] > 0 > r[1]
    assert one.difference == pytest.approx(r[0] + r[1])
    assert signed.difference == pytest.approx(r[0] - r[1])
    assert signed.p < one.p


def test_one_sided_tests_look_at_every_pair_in_both_orders():
    given = pair_scores_with_ratings(scores(), ratings())
    found = compare_correlations(given, CorrelationTest(test="williams", one_sided=True))
    assert [(one.part, one.other_part, one.sides) for one in found] == [
        ("r", "p", 1),
        ("p", "r", 1),
    ]
    assert found[0].p + found[1].p == pytest.approx(1)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"test": "perm-both", "signed": True}, "signed correlations anyway"),
        ({"test": "perm-both", "baseline": "suum"}, "unknown baseline 'suum'"),
        ({"test": "williams"}, "Pearson's coefficient at the system"),
        ({"test": "perm"}, "`test='perm'` must be one of"),
    ],
)
def test_impossible_comparisons_are_refused(told, message):
    given = pair_scores_with_ratings(scores(), ratings())
    with pytest.raises(UsageError, match=message):
        compare_correlations(given, CorrelationTest(**told), coefficients=["kendall"])


def test_one_measure_cannot_be_compared():
    given = pair_scores_with_ratings(figures(X, "rouge"), ratings())
    with pytest.raises(UsageError, match="one measure cannot be compared"):
        compare_correlations(given, CorrelationTest(test="perm-systems"))
