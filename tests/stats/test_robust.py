"""The robust fit against a literal second statement of it, statsmodels, and simulated truth."""

import numpy as np
import pytest
from scipy.stats import t as student
from statsmodels.regression.linear_model import OLS
from statsmodels.robust import norms
from statsmodels.robust.robust_linear_model import RLM
from statsmodels.tools import add_constant

from chronoscore.errors import DataError, UsageError
from chronoscore.options.correlation import Fitting
from chronoscore.stats.robust import robust_fit

ALPHA = np.array([0.9, -5.5, 21.0])


def systems(seed, odd=0, points=58, noise=0.15):
    """Scores and ratings of systems, some of them far off the plane."""
    rng = np.random.default_rng(seed)
    scores = rng.random((points, 2)) * [0.06, 0.09] + 0.02
    ratings = ALPHA[0] + scores @ ALPHA[1:] + noise * rng.standard_normal(points)
    ratings[:odd] += 3
    return scores, ratings


def step_by_step(x, y):
    """The published procedure with lists and lstsq, as little like the vectorized one as can be."""
    design = np.column_stack([np.ones(len(y)), x])
    count, width = design.shape
    hat = design @ np.linalg.pinv(design)
    stretch = [1 / np.sqrt(1 - min(0.9999, hat[i, i])) for i in range(count)]
    b = np.linalg.lstsq(design, y, rcond=None)[0]
    for _ in range(50):
        off = [(y[i] - design[i] @ b) * stretch[i] for i in range(count)]
        kept = sorted(abs(r) for r in off)[width - 1 :]
        scale = max(float(np.median(kept)) / 0.6745, 1e-6 * np.std(y, ddof=1))
        root = [max(0.0, 1 - (r / (4.685 * scale)) ** 2) for r in off]
        new = np.linalg.lstsq(np.array(root)[:, None] * design, root * y, rcond=None)[0]
        done = all(abs(new - b) <= np.sqrt(np.finfo(float).eps) * np.maximum(abs(new), abs(b)))
        b = new
        if done:
            break
    return b


@pytest.mark.parametrize("odd", range(5))
@pytest.mark.parametrize("points", [6, 29, 58])
def test_the_fit_is_the_published_procedure(points, odd):
    x, y = systems(seed=points + odd, odd=min(odd, points // 6), points=points)
    assert robust_fit(x, y).coefficients == pytest.approx(step_by_step(x, y), abs=1e-6)


@pytest.mark.parametrize("odd", [0, 2, 4])
@pytest.mark.parametrize(
    ("weighting", "norm"),
    [
        ("bisquare", norms.TukeyBiweight(4.685)),
        ("huber", norms.HuberT(1.345)),
    ],
)
def test_without_leverage_the_fit_is_that_of_statsmodels(weighting, norm, odd):
    plain = Fitting(weighting=weighting, leverage=False, drop=False)
    for seed in range(10):
        x, y = systems(seed, odd)
        theirs = RLM(y, add_constant(x), M=norm).fit(maxiter=200, tol=1e-12, conv="coefs")
        ours = robust_fit(x, y, plain).coefficients
        assert ours == pytest.approx(theirs.params, rel=1e-5, abs=1e-5)


def test_clean_points_are_fitted_as_by_least_squares():
    x, _ = systems(1)
    y = ALPHA[0] + x @ ALPHA[1:]
    for weighting in ("bisquare", "huber", "none"):
        fit = robust_fit(x, y, Fitting(weighting=weighting))
        assert fit.coefficients == pytest.approx(ALPHA, abs=1e-9)


def test_near_clean_points_are_fitted_nearly_as_by_least_squares():
    x, y = systems(1, noise=0.01)
    theirs = OLS(y, add_constant(x)).fit()
    assert robust_fit(x, y).predict(x) == pytest.approx(theirs.fittedvalues, abs=0.005)


def test_no_weighting_gives_the_coefficients_and_errors_of_least_squares():
    x, y = systems(2, odd=3)
    theirs = OLS(y, add_constant(x)).fit()
    fit = robust_fit(x, y, Fitting(weighting="none"))
    assert fit.coefficients == pytest.approx(theirs.params)
    assert fit.errors == pytest.approx(theirs.bse)
    assert np.column_stack(fit.interval()) == pytest.approx(theirs.conf_int())


def test_four_odd_systems_of_58_hardly_move_the_fit():
    x, y = systems(3, odd=4)
    clean, _ = systems(3)
    robust = robust_fit(x, y)
    least = robust_fit(x, y, Fitting(weighting="none"))
    truth = ALPHA[0] + clean @ ALPHA[1:]
    assert np.abs(robust.predict(clean) - truth).max() < 0.15
    assert np.abs(least.predict(clean) - truth).max() > 0.3
    assert robust.weights[:4].max() == 0


def test_fits_side_by_side_are_the_fits_one_by_one():
    pairs = [systems(seed, odd=seed % 4, points=29) for seed in range(12)]
    x, y = (np.stack(part) for part in zip(*pairs, strict=True))
    together = robust_fit(x.reshape(3, 4, 29, 2), y.reshape(3, 4, 29))
    for number, (one_x, one_y) in enumerate(pairs):
        alone = robust_fit(one_x, one_y)
        at = divmod(number, 4)
        assert together.coefficients[at] == pytest.approx(alone.coefficients, rel=1e-12)
        assert together.errors[at] == pytest.approx(alone.errors, rel=1e-9)


def test_predictors_that_tell_nothing_apart_have_no_fit_and_leave_the_others_alone():
    x, y = systems(4, points=29)
    same = np.stack([x, np.column_stack([x[:, 0], 2 * x[:, 0]]), np.ones_like(x)])
    fit = robust_fit(same, y)
    assert np.isnan(fit.coefficients[1:]).all()
    assert fit.coefficients[0] == pytest.approx(robust_fit(x, y).coefficients)


def test_points_too_few_for_the_coefficients_are_refused():
    x, y = systems(1)
    for points in (2, 3):
        with pytest.raises(DataError, match=f"{points} points are too few .* at least 4"):
            robust_fit(x[:points], y[:points])
    assert np.isfinite(robust_fit(x[:4], y[:4]).errors).all()


def test_an_unknown_weighting_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match="must be one of bisquare, huber, none"):
        Fitting(weighting="bisquared")


def covered(seed, points=58, draws=500, odd=0):
    """The share of simulated fits whose 95 % interval holds the true coefficient."""
    rng = np.random.default_rng(seed)
    x = rng.random((draws, points, 2)) * [0.06, 0.09] + 0.02
    y = ALPHA[0] + x @ ALPHA[1:] + 0.15 * rng.standard_normal((draws, points))
    y[:, :odd] += 3
    low, high = robust_fit(x, y).interval()
    return ((low <= ALPHA) & (high >= ALPHA)).mean(axis=0)


@pytest.mark.parametrize("odd", [0, 3])
def test_intervals_hold_the_true_coefficients_in_93_of_100_draws_or_more(odd):
    assert covered(seed=5, odd=odd).min() >= 0.93


def test_the_interval_is_students():
    x, y = systems(6)
    fit = robust_fit(x, y)
    half = student.ppf(0.95, 55) * fit.errors
    assert np.stack(fit.interval(0.9)) == pytest.approx(
        np.stack([fit.coefficients - half, fit.coefficients + half])
    )


def test_a_target_that_never_varies_is_fitted_by_its_constant():
    x = np.random.default_rng(1).random((9, 2))
    fit = robust_fit(x, np.full(9, 3.0))
    assert fit.coefficients == pytest.approx([3.0, 0.0, 0.0], abs=1e-12)
    assert fit.weights == pytest.approx(np.ones(9))
