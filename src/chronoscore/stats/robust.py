"""Robust regression: lines and planes that a few outliers cannot tilt.

Least squares, repeated with less weight for points that lie far off, until the
coefficients stop moving: the regression that MATLAB calls `robustfit`, by which those of
Nouveau-ROUGE were estimated. Many fits of one size run side by side, as a bootstrap needs.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError
from chronoscore.options.correlation import Fitting
from chronoscore.stats.statistic import Numbers

TO_SIGMA = 0.6745
"""The median distance from 0 of a standard normal number, to the digits that MATLAB keeps."""

MOST_STEPS = 50
CLOSE = float(np.sqrt(np.finfo(float).eps))
HIGHEST_LEVERAGE = 0.9999


@dataclass(frozen=True)
class Fit:
    """Coefficients, the constant first, and what is known about them.

    Leading axes are fits made side by side. A fit whose predictors do not tell its points
    apart has coefficients of nan.
    """

    coefficients: Numbers
    errors: Numbers
    """Standard errors of the coefficients."""
    scale: Numbers
    """The spread of the points about the fit, odd ones aside."""
    weights: Numbers
    """How much each point counted in the end, from 0 to 1."""
    converged: NDArray[np.bool_]
    """Whether the coefficients had stopped moving."""
    degrees: int

    def predict(self, predictors: Numbers) -> Numbers:
        """Predict from predictors (…, points, number of predictors)."""
        return _multiply(_with_constant(predictors), self.coefficients)

    def interval(self, level: float = 0.95) -> tuple[Numbers, Numbers]:
        """Bounds of each coefficient, by Student's t."""
        # scipy.special is much quicker to import than scipy.stats.
        from scipy.special import stdtrit

        half = float(stdtrit(self.degrees, (1 + level) / 2)) * self.errors
        return self.coefficients - half, self.coefficients + half


def robust_fit(predictors: Numbers, target: Numbers, how: Fitting | None = None) -> Fit:
    """Fit a target (…, points) by a constant and predictors (…, points, number of predictors).

    >>> x = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> robust_fit(x, np.array([1.0, 3.0, 5.0, 7.0, 9.0, 99.0])).coefficients.round(6).tolist()
    [1.0, 2.0]
    """
    how = how or Fitting()
    target = np.asarray(target, dtype=np.float64)
    design = _with_constant(np.asarray(predictors, dtype=np.float64))
    points, width = design.shape[-2:]
    if points <= width:
        raise DataError(
            f"{points} points are too few to fit {width} coefficients; give at least {width + 1}"
        )
    shape = np.broadcast_shapes(design.shape[:-2], target.shape[:-1])
    flat_design = np.broadcast_to(design, (*shape, points, width)).reshape(-1, points, width)
    flat_target = np.broadcast_to(target, (*shape, points)).reshape(-1, points)
    fit = Descent(flat_design, flat_target, how).run()
    return Fit(
        fit.coefficients.reshape(*shape, width),
        fit.errors.reshape(*shape, width),
        fit.scale.reshape(shape),
        fit.weights.reshape(*shape, points),
        fit.converged.reshape(shape),
        fit.degrees,
    )


def _with_constant(predictors: Numbers) -> Numbers:
    """Put a column of ones before the predictors."""
    ones = np.ones((*predictors.shape[:-1], 1))
    return np.concatenate([ones, predictors], axis=-1)


class Descent:
    """Reweighted least squares on many fits at once; those that have converged are left alone.

    The steps are taken in an orthonormal basis of each design, where the normal equations
    are harmless, and turned back into coefficients to see whether they moved.
    """

    def __init__(self, design: Numbers, target: Numbers, how: Fitting) -> None:
        self.how = how
        self.target = target
        self.points, self.width = design.shape[-2:]
        self.basis, triangle = np.linalg.qr(design)
        self.across = np.swapaxes(self.basis, -1, -2)
        diagonal = np.abs(np.diagonal(triangle, axis1=-2, axis2=-1))
        lengths = np.linalg.norm(design, axis=-2).max(axis=-1, keepdims=True)
        self.sound = (diagonal > 1e-10 * lengths).all(axis=-1)
        triangle[~self.sound] = np.eye(self.width)
        self.back = np.linalg.inv(triangle)
        own = np.minimum((self.basis**2).sum(axis=-1), HIGHEST_LEVERAGE)
        self.own = own if how.leverage else np.zeros_like(own)
        self.stretch: Numbers = 1 / np.sqrt(1 - self.own)
        # A perfect fit has no scale of its own; the target's spread says what is small.
        self.floor = 1e-6 * target.std(axis=-1, ddof=1)
        self.floor[self.floor == 0] = 1.0

    def run(self) -> Fit:
        """Step until every fit has converged or the steps are used up."""
        steps = _multiply(self.across, self.target)
        before = _multiply(self.back, steps)
        settled = np.zeros(len(self.target), dtype=np.bool_)
        active = np.flatnonzero(self.sound)
        for _ in range(MOST_STEPS if self.how.weighting != "none" else 0):
            if not len(active):
                break
            weights = self.weigh(active, steps[active])[0]
            steps[active] = _solve_weighted(self.basis[active], self.target[active], weights)
            now = _multiply(self.back[active], steps[active])
            moved = np.abs(now - before[active])
            bound = CLOSE * np.maximum(np.abs(now), np.abs(before[active]))
            before[active] = now
            still = (moved <= bound).all(axis=-1)
            settled[active[still]] = True
            active = active[~still]
        return self.finish(steps, before, settled)

    def residuals(self, rows: NDArray[np.intp], steps: Numbers) -> Numbers:
        """How far the points lie off, as seen from fits that do not bend towards them."""
        off: Numbers = self.target[rows] - _multiply(self.basis[rows], steps)
        return off * self.stretch[rows]

    def weigh(self, rows: NDArray[np.intp], steps: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Weights, distances in tuned scales, and scales."""
        off = self.residuals(rows, steps)
        sizes = np.sort(np.abs(off), axis=-1)
        if self.how.drop:
            sizes = sizes[:, self.width - 1 :]
        scale = np.maximum(_middle(sizes) / TO_SIGMA, self.floor[rows])
        distance = off / (scale * self.how.threshold)[:, np.newaxis]
        return WEIGHTINGS[self.how.weighting](distance), distance, scale

    def finish(self, steps: Numbers, found: Numbers, settled: NDArray[np.bool_]) -> Fit:
        """The fit with its scale and standard errors; nan where the design is degenerate."""
        every = np.arange(len(self.target))
        weights, distance, scale = self.weigh(every, steps)
        plain = self.target - _multiply(self.basis, steps)
        degrees = self.points - self.width
        least = self.target - _multiply(self.basis, _multiply(self.across, self.target))
        with np.errstate(divide="ignore", invalid="ignore"):
            ordinary = np.sqrt((least**2).sum(axis=-1) / degrees)
            if self.how.weighting == "none":
                scale = np.sqrt((plain**2).sum(axis=-1) / degrees)
            else:
                scale = self.spread(distance, scale, ordinary)
        unit = np.sqrt((self.back**2).sum(axis=-1))
        gone = ~self.sound[:, np.newaxis]
        return Fit(
            np.where(gone, np.nan, found),
            np.where(gone, np.nan, scale[:, np.newaxis] * unit),
            np.where(gone[:, 0], np.nan, scale),
            weights,
            settled | (self.sound & (self.how.weighting == "none")),
            degrees,
        )

    def spread(self, distance: Numbers, scale: Numbers, ordinary: Numbers) -> Numbers:
        """The standard deviation about the fit that its standard errors are computed from.

        Huber's correction for a reweighted fit, with leverage as O'Brien advises, and not
        much below what least squares would say, since few points cannot promise that.
        """
        weigh = WEIGHTINGS[self.how.weighting]
        tuned = scale * self.how.threshold
        pulls = distance * weigh(distance)
        step = 1e-4
        above, below = distance + step, distance - step
        slope = ((above * weigh(above) - below * weigh(below)) / (2 * step)).mean(axis=-1)
        degrees = self.points - self.width
        energy = ((1 - self.own) * pulls**2).sum(axis=-1) / degrees
        correction = 1 + self.width / self.points * (1 - slope) / slope
        robust = correction * np.sqrt(energy) * tuned / slope
        share = self.width**2
        mixed = np.sqrt((ordinary**2 * share + robust**2 * self.points) / (share + self.points))
        higher: Numbers = np.maximum(robust, mixed)
        return higher


def _multiply(matrices: Numbers, vectors: Numbers) -> Numbers:
    """Multiply each matrix with its vector."""
    product: Numbers = (matrices @ vectors[..., np.newaxis])[..., 0]
    return product


def _solve_weighted(basis: Numbers, target: Numbers, weights: Numbers) -> Numbers:
    """Weighted least squares; the shortest solution where the weights leave too few points."""
    weighted = basis * weights[..., np.newaxis]
    gram = np.swapaxes(basis, -1, -2) @ weighted
    right = _multiply(np.swapaxes(weighted, -1, -2), target)
    poor = np.abs(np.linalg.det(gram)) < 1e-14
    found = np.empty_like(right)
    found[~poor] = np.linalg.solve(gram[~poor], right[~poor][..., np.newaxis])[..., 0]
    if poor.any():
        inverse = np.linalg.pinv(gram[poor], rcond=1e-9, hermitian=True)
        found[poor] = _multiply(inverse, right[poor])
    return found


def _middle(ordered: Numbers) -> Numbers:
    """The median of numbers that are in order already."""
    size = ordered.shape[-1]
    found: Numbers = (ordered[:, (size - 1) // 2] + ordered[:, size // 2]) / 2
    return found


def _bisquare(distance: Numbers) -> Numbers:
    """Full weight at 0, none from 1 on."""
    weights: Numbers = np.square(np.maximum(1 - np.square(distance), 0.0))
    return weights


def _huber(distance: Numbers) -> Numbers:
    """Full weight up to 1, beyond it less the farther off."""
    return 1 / np.maximum(1.0, np.abs(distance))


WEIGHTINGS: dict[str, Callable[[Numbers], Numbers]] = {
    "bisquare": _bisquare,
    "huber": _huber,
    "none": np.ones_like,
}
