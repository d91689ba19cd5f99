import numpy as np
import pytest
from scipy.stats import bootstrap

from chronoscore.errors import DataError, UsageError
from chronoscore.options import Resampling
from chronoscore.stats import resample
from chronoscore.stats.intervals import estimate
from chronoscore.stats.resample import bootstrap_draws, bootstrap_sums, percentile_interval
from chronoscore.stats.statistic import f_score_statistic, ratio_statistic, statistic_by_topic

RECORDS = np.random.default_rng(3).random((17, 2))


@pytest.mark.parametrize("topics", [1, 2, 48])
def test_every_draw_has_as_many_topics_as_there_are(topics):
    counts = bootstrap_draws(topics, 50, 1)
    assert counts.shape == (50, topics)
    assert (counts.sum(axis=1) == topics).all()
    assert (counts >= 0).all()


def test_the_same_seed_gives_the_same_draws_and_another_gives_others():
    assert (bootstrap_draws(20, 30, 7) == bootstrap_draws(20, 30, 7)).all()
    assert (bootstrap_draws(20, 30, 7) != bootstrap_draws(20, 30, 8)).any()


def test_shared_draws_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        bootstrap_draws(5, 5, 0)[0, 0] = 3


def test_each_topic_is_drawn_about_as_often_as_any_other():
    counts = bootstrap_draws(10, 20_000, 0)
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.03)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.05)


@pytest.mark.parametrize("shape", [(17, 2), (3, 17, 2)])
def test_sums_are_those_of_the_records_drawn(shape):
    records = np.random.default_rng(3).random(shape)
    drawn = [np.repeat(records, row, axis=-2).sum(axis=-2) for row in bootstrap_draws(17, 40, 5)]
    sums = bootstrap_sums(records, 40, 5)
    np.testing.assert_allclose(sums, np.moveaxis(drawn, 0, -2), rtol=1e-12)


def test_sums_in_blocks_of_draws_are_those_of_all_draws(monkeypatch):
    records = np.random.default_rng(1).random((2, 60, 3))
    whole = bootstrap_sums(records, 70, 5)
    monkeypatch.setattr(resample, "CHUNK", 500)
    np.testing.assert_allclose(bootstrap_sums(records, 70, 5), whole, rtol=1e-12)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_interval_is_scipys_percentile_interval(level):
    f = f_score_statistic(0, 1)
    expected = bootstrap(
        (np.arange(17),),
        lambda rows, axis: f(RECORDS[rows]),
        n_resamples=500,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(11),
    ).confidence_interval
    how = Resampling(interval="bootstrap", times=500, level=level, seed=11)
    found = estimate(RECORDS / 17, lambda means: f.function(means)[..., np.newaxis], how, counts=17)
    assert found.low[0] == pytest.approx(expected.low)
    assert found.high[0] == pytest.approx(expected.high)


@pytest.mark.parametrize("level", [0.95, 0.9, 0.68, 0.5, 0.999, 0.001])
@pytest.mark.parametrize("times", [1, 2, 3, 40, 999, 1000])
def test_the_interval_is_numpys_to_the_last_bit(times: int, level: float) -> None:
    samples = np.random.default_rng(times).standard_normal((3, 2, times))
    samples[0, 1, -1] = np.nan
    tail = (1 - level) / 2
    expected = np.quantile(samples, [tail, 1 - tail], axis=-1)
    np.testing.assert_array_equal(percentile_interval(samples, level), expected)


def test_the_interval_cuts_the_same_share_off_both_ends():
    low, high = percentile_interval(np.arange(101.0), 0.9)
    assert (low, high) == pytest.approx((5, 95))


def test_f_comes_from_the_means_and_not_from_the_topics():
    records = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert f_score_statistic(0, 1)(records) == pytest.approx(0.5)
    assert statistic_by_topic(records, f_score_statistic(0, 1)).tolist() == [0, 0]


def test_f_can_favour_precision():
    records = np.array([[0.5, 1.0]])
    assert f_score_statistic(0, 1, alpha=1.0)(records) == pytest.approx(0.5)
    assert f_score_statistic(0, 1, alpha=0.0)(records) == pytest.approx(1.0)


def test_nothing_over_nothing_is_zero():
    assert ratio_statistic(0, 1)(np.zeros((3, 2))) == 0
    assert f_score_statistic(0, 1)(np.zeros((3, 2))) == 0


def test_impossible_requests_are_refused():
    with pytest.raises(DataError, match="no topics"):
        bootstrap_draws(0, 10, 0)
    with pytest.raises(UsageError, match="at least 1"):
        bootstrap_draws(10, 0, 0)
    with pytest.raises(UsageError, match="between 0 and 1"):
        percentile_interval(np.arange(3.0), 95)
