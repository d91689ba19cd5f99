"""The older paired tests, for results that were published with them."""

import numpy as np

from chronoscore.stats.significance import MOST_EXACT, randomization_test
from chronoscore.stats.statistic import ROUNDING, Numbers, mean_of


def sign_test(a: Numbers, b: Numbers) -> float:
    """Give the exact two-sided p of the sign test over topics, ties left out.

    >>> sign_test(np.arange(8.0) + 1, np.arange(8.0))
    0.0078125
    """
    # scipy.stats is slow to import; only a caller of these tests pays for it.
    from scipy.stats import binomtest

    differences = _untied(a, b)
    if not len(differences):
        return 1.0
    return float(binomtest(int((differences > 0).sum()), len(differences)).pvalue)


def signed_rank_test(a: Numbers, b: Numbers) -> float:
    """Give the two-sided p of Wilcoxon's signed-rank test over topics, ties left out.

    Exact with 13 topics or fewer even where two differences are the same size,
    and up to 50 where none are; the normal approximation beyond.
    """
    from scipy.stats import rankdata, wilcoxon

    # Differences that only rounding tells apart must share a rank.
    differences = _untied(a, b)
    if not len(differences):
        return 1.0
    digits = 9 - int(np.floor(np.log10(np.abs(differences).max())))
    differences = np.round(differences, digits)
    if len(differences) <= MOST_EXACT:
        ranks = np.sign(differences) * rankdata(np.abs(differences))
        return randomization_test(ranks[:, np.newaxis], np.zeros((len(ranks), 1)), mean_of()).p
    return float(wilcoxon(differences, method="auto").pvalue)


def _untied(a: Numbers, b: Numbers) -> Numbers:
    differences = a - b
    return differences[np.abs(differences) > ROUNDING * np.maximum(np.abs(a), np.abs(b))]
