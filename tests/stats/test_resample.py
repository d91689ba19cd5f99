import numpy as np
import pytest
from scipy.stats import bootstrap

from chronoscore.errors import DataError, UsageError
from chronoscore.kernel import compiled
from chronoscore.stats.resample import (
    CHUNK,
    bootstrap_draws,
    bootstrap_interval,
    draw_blocks,
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
@pytest.mark.parametrize(("topics", "times"), [(70_001, 100), (60_000, 77), (5_003, 1_000)])
@pytest.mark.parametrize(("ahead", "engine"), [(False, "c"), (True, "c"), (True, "python")])
def test_blocks_of_draws_are_the_rows_of_all_draws(topics, times, ahead, engine, monkeypatch):
    if compiled is None and engine == "c":
        pytest.skip("the compiled kernel was not built: no C compiler")
    monkeypatch.setenv("CHRONOSCORE_ENGINE", engine)
    blocks = [(start, rows.copy()) for start, rows in draw_blocks(topics, times, 3, ahead=ahead)]
    assert len(blocks) > 1
    assert max(rows.size for _, rows in blocks) <= 2 * max(CHUNK, 8 * topics)
    whole = bootstrap_draws(topics, times, 3)
    for start, rows in blocks:
        assert (rows == whole[start : start + len(rows)]).all()
    assert sum(len(rows) for _, rows in blocks) == times


@pytest.mark.slow
def test_sums_over_blocks_of_draws_have_the_bits_of_one_product():
    records = np.random.default_rng(1).random((2, 60_000, 3))
    blocks = resample(records, f_score_statistic(0, 1), 90, 5)
    whole = resample_statistic(records, f_score_statistic(0, 1), bootstrap_draws(60_000, 90, 5))
    assert (blocks == whole).all()


def test_sums_over_draws_report_how_many_are_done():
    seen = []
    draw_sums(np.ones((60_000, 1)), 100, 0, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (100, 100)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
