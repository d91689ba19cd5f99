import math

import numpy as np
import pytest
from scipy.stats import bootstrap

from chronoscore.errors import DataError, UsageError
from chronoscore.kernel import compiled
from chronoscore.stats import resample as resample_module
from chronoscore.stats.resample import (
    bootstrap_draws,
    bootstrap_interval,
    draw_sums,
    percentile_interval,
    resample,
    resample_statistic,
)
from chronoscore.stats.statistic import (
    f_score_statistic,
    mean_statistic,
    ratio_statistic,
    statistic_by_topic,
)

RECORDS = np.random.default_rng(3).random((17, 2))


def median(records):
    return np.median(records[..., 0], axis=-1)


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


@pytest.mark.parametrize(
    "statistic", [mean_statistic(1), f_score_statistic(0, 1), ratio_statistic(0, 1), median]
)
def test_a_resampled_figure_is_the_figure_of_the_records_drawn(statistic):
    counts = bootstrap_draws(17, 40, 5)
    one_by_one = [statistic(np.repeat(RECORDS, row, axis=0)) for row in counts]
    assert resample_statistic(RECORDS, statistic, counts) == pytest.approx(np.array(one_by_one))


@pytest.mark.parametrize("statistic", [mean_statistic(0), f_score_statistic(0, 1), median])
def test_leading_axes_are_resampled_alike(statistic):
    stacked = np.stack([RECORDS, 1 - RECORDS, RECORDS**2])
    counts = bootstrap_draws(17, 40, 5)
    together = resample_statistic(stacked, statistic, counts)
    assert together.shape == (3, 40)
    for number in range(3):
        assert together[number] == pytest.approx(
            resample_statistic(stacked[number], statistic, counts)
        )


@pytest.mark.parametrize("statistic", [mean_statistic(0), f_score_statistic(0, 1), median])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_interval_is_scipys_percentile_interval(statistic, level):
    expected = bootstrap(
        (np.arange(17),),
        lambda rows, axis: statistic(RECORDS[rows]),
        n_resamples=500,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(11),
    ).confidence_interval
    low, high = bootstrap_interval(RECORDS, statistic, times=500, level=level, seed=11)
    assert (low, high) == pytest.approx((expected.low, expected.high))


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


@pytest.mark.slow
@pytest.mark.parametrize(("topics", "times"), [(70_001, 100), (65_536, 77), (5_003, 1_000)])
@pytest.mark.parametrize(("jobs", "engine"), [(1, "c"), (2, "c"), (5, "c"), (2, "python")])
def test_sums_over_draws_do_not_depend_on_threads(topics, times, jobs, engine, monkeypatch):
    if compiled is None and engine == "c":
        pytest.skip("the compiled kernel was not built: no C compiler")
    monkeypatch.setenv("CHRONOSCORE_ENGINE", engine)
    whole = np.random.default_rng(2).integers(-(2**20), 2**20, size=(topics, 2))  # exact sums
    sums = draw_sums(whole.astype(np.float64), times, 3, jobs=jobs)
    assert (sums == bootstrap_draws(topics, times, 3) @ whole).all()


def test_numpy_draws_where_compiled_draws_would_be_others(monkeypatch):
    monkeypatch.setattr(resample_module, "generator_state", lambda _: np.arange(4, dtype=np.uint64))
    whole = np.arange(60_000)[:, np.newaxis]
    sums = draw_sums(whole.astype(np.float64), 80, 3)
    assert (sums == bootstrap_draws(60_000, 80, 3) @ whole).all()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["c", "python"])
def test_sums_over_draws_are_rounded_once(engine, monkeypatch):
    if compiled is None and engine == "c":
        pytest.skip("the compiled kernel was not built: no C compiler")
    monkeypatch.setenv("CHRONOSCORE_ENGINE", engine)
    rng = np.random.default_rng(1)
    values = rng.random((60_000, 3)) * [1, 1e-7, 1e9] - [0, 0, 4e8]
    values[::7] *= 1e-6
    sums = draw_sums(values, 80, 5)
    for row, draw in enumerate(bootstrap_draws(60_000, 80, 5)):
        assert sums[row].tolist() == [math.fsum(np.repeat(one, draw)) for one in values.T]


def test_figures_over_blocks_of_draws_are_those_of_one_product():
    records = np.random.default_rng(1).random((2, 60_000, 3))
    blocks = resample(records, f_score_statistic(0, 1), 70, 5)
    whole = resample_statistic(records, f_score_statistic(0, 1), bootstrap_draws(60_000, 70, 5))
    np.testing.assert_allclose(blocks, whole, rtol=1e-13)


def test_sums_over_draws_report_how_many_are_done():
    seen = []
    draw_sums(np.ones((60_000, 1)), 100, 0, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (100, 100)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


@pytest.mark.parametrize("size", [1e-300, 5e-324])
def test_sums_of_tiny_numbers_are_numbers(size):
    sums = draw_sums(np.full((600, 1), size), 3, 1)
    assert sums == pytest.approx(np.full((3, 1), 600 * size), rel=1e-9)
