"""Resampling, significance, correlation and agreement over tallies and plain arrays, never text."""

from chronoscore.stats.compare import Comparison, Pair, compare
from chronoscore.stats.effects import standardized_difference, superiority
from chronoscore.stats.resample import draws, interval, percentile_interval, resampled
from chronoscore.stats.signs import sign_test, signed_rank_test
from chronoscore.stats.statistic import OfMeans, Statistic, by_topic, f_of, mean_of, ratio_of
from chronoscore.stats.tests import (
    BootstrapTest,
    RandomizationTest,
    bootstrap_test,
    holm,
    randomization_test,
)

__all__ = [
    "BootstrapTest",
    "Comparison",
    "OfMeans",
    "Pair",
    "RandomizationTest",
    "Statistic",
    "bootstrap_test",
    "by_topic",
    "compare",
    "draws",
    "f_of",
    "holm",
    "interval",
    "mean_of",
    "percentile_interval",
    "randomization_test",
    "ratio_of",
    "resampled",
    "sign_test",
    "signed_rank_test",
    "standardized_difference",
    "superiority",
]
