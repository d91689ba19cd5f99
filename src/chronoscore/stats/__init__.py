"""Resampling, significance, correlation and agreement over tallies and plain arrays, never text.

What works on judgements and ratings is imported from its module, as `stats.correlate` or
`stats.agreement`: few commands need it, and all would wait for it.
"""

from chronoscore.stats.alpha import krippendorff_alpha
from chronoscore.stats.compare import (
    Comparison,
    SystemPair,
    compare,
    standardized_difference,
    superiority,
)
from chronoscore.stats.corpus import Average, Resampling, bootstrap_averages, compare_systems
from chronoscore.stats.correlation_intervals import Bootstrap
from chronoscore.stats.correlation_tests import (
    SwapTest,
    WilliamsTest,
    permutation_test,
    williams_test,
)
from chronoscore.stats.resample import (
    bootstrap_draws,
    bootstrap_interval,
    percentile_interval,
    resample_statistic,
)
from chronoscore.stats.robust import Fit, Fitting, robust_fit
from chronoscore.stats.significance import (
    BootstrapTest,
    RandomizationTest,
    bootstrap_test,
    holm,
    randomization_test,
    sign_test,
    signed_rank_test,
)
from chronoscore.stats.statistic import (
    MeanStatistic,
    Statistic,
    f_score_statistic,
    mean_statistic,
    ratio_statistic,
    statistic_by_topic,
)

__all__ = [
    "Average",
    "Bootstrap",
    "BootstrapTest",
    "Comparison",
    "Fit",
    "Fitting",
    "MeanStatistic",
    "RandomizationTest",
    "Resampling",
    "Statistic",
    "SwapTest",
    "SystemPair",
    "WilliamsTest",
    "bootstrap_averages",
    "bootstrap_draws",
    "bootstrap_interval",
    "bootstrap_test",
    "compare",
    "compare_systems",
    "f_score_statistic",
    "holm",
    "krippendorff_alpha",
    "mean_statistic",
    "percentile_interval",
    "permutation_test",
    "randomization_test",
    "ratio_statistic",
    "resample_statistic",
    "robust_fit",
    "sign_test",
    "signed_rank_test",
    "standardized_difference",
    "statistic_by_topic",
    "superiority",
    "williams_test",
]
