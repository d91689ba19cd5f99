"""The resampling of ROUGE-1.5.5, against a generator stepped one draw at a time."""

import pytest

from chronoscore.engine.plain import Counts
from chronoscore.rouge155.bootstrap import perl_averages, perl_bootstrap_draws, perl_token_averages
from chronoscore.rouge155.rates import Rates


def drand48(seed: int, size: int) -> list[int]:
    state = (seed << 16) + 0x330E
    drawn = []
    for _ in range(size):
        state = (25214903917 * state + 11) % 2**48
        drawn.append(int(size * (state / 2**48)))
    return drawn


@pytest.mark.parametrize("size", [1, 7, 149])
def test_draws_are_those_of_drand48_seeded_with_the_resamples_number(size: int) -> None:
    found = [list(column) for column in zip(*perl_bootstrap_draws(size, 50), strict=True)]
    assert found == [drand48(seed, size) for seed in range(50)]


def test_an_average_is_the_mean_of_resample_means_and_not_of_instances() -> None:
    values = [0.25, 0.5, 1.0]
    instances = [[Rates(value, 0.0, 1.0)] for value in values]
    means = sorted(sum(values[i] for i in drand48(seed, 3)) / 3 for seed in range(100))
    recall, precision, f = perl_averages(instances, 100, 90)
    assert recall.average == pytest.approx(sum(means) / 100)
    # 100 resamples at 90 % leave five out at either end.
    assert (recall.low, recall.high) == (means[5], means[94])
    assert precision == (0, 0, 0)
    assert f == (1, 1, 1)


def test_an_interval_between_two_resamples_lies_between_their_means() -> None:
    instances = [[Rates(value, 0.0, 0.0)] for value in (0.0, 0.5, 1.0)]
    means = sorted(sum((0.0, 0.5, 1.0)[i] for i in drand48(seed, 3)) / 3 for seed in range(10))
    # At 50 % of ten, two and a half are left out, and the fraction is that of 6.5.
    recall = perl_averages(instances, 10, 50)[0]
    assert recall.low == pytest.approx((means[2] + means[3]) / 2)
    assert recall.high == pytest.approx((means[6] + means[7]) / 2)


def test_past_its_last_resample_perl_reads_a_nought() -> None:
    recall = perl_averages([[Rates(0.8, 0, 0)]], 1, 95)[0]
    assert recall == pytest.approx((0.8, 0.82, 0.82))


def test_averages_over_tokens_add_counts_before_they_divide() -> None:
    counts = [[Counts(1, 2, 4)], [Counts(3, 4, 4)]]
    (expected,) = [
        [(sum(counts[i][0].hits for i in drawn), sum(counts[i][0].reference for i in drawn))]
        for drawn in [drand48(0, 2)]
    ]
    recall = perl_token_averages(counts, 1, 100, 0.5)[0]
    assert recall.average == pytest.approx(expected[0][0] / expected[0][1])


def test_a_resample_without_anything_to_hit_scores_nothing() -> None:
    assert perl_token_averages([[Counts(0, 0, 0)]], 3, 95, 0.5) == [(0, 0, 0)] * 3
