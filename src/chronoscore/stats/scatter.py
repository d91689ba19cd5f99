"""Scores and predictions against ratings: the points, and the line that was fitted to machines."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chronoscore.stats.correlation import arrange_for_correlation, pearson
from chronoscore.stats.protocol import Standing
from chronoscore.stats.robust import robust_fit
from chronoscore.stats.score_grid import ScoreGrid, score_label
from chronoscore.stats.statistic import Numbers
from chronoscore.stats.study import Study

EQUAL = (0.0, 1.0)
"""The line on which a prediction equals the rating."""


@dataclass(frozen=True)
class Scatter:
    """A score, or a prediction, across and a rating up."""

    across: str
    up: str
    machines: tuple[Numbers, Numbers]
    people: tuple[Numbers, Numbers]
    line: tuple[float, float]
    """The constant and the slope of the line that was fitted to machines."""

    @property
    def correlation(self) -> float:
        """Pearson's correlation of the machines."""
        return float(pearson(*self.machines))


def of_grid(judged: ScoreGrid) -> Iterator[list[Scatter]]:
    """For each rating, every measure's means against it."""
    for rating, ratings in judged.ratings.items():
        found = []
        for scored, scores in judged.scores.items():
            x, y = (side[0] for side in arrange_for_correlation(scores, ratings, "system"))
            machine, person = ~np.isnan(x) & ~judged.human, ~np.isnan(x) & judged.human
            machines, people = (x[machine], y[machine]), (x[person], y[person])
            line = robust_line(*machines)
            found.append(Scatter(score_label(scored), rating, machines, people, line))
        yield found


def robust_line(x: Numbers, y: Numbers) -> tuple[float, float]:
    """The robust line of y over x."""
    constant, slope = robust_fit(x[:, np.newaxis], y).coefficients.tolist()
    return constant, slope


def of_scores(study: Study) -> list[Scatter]:
    """The paper's Figure 1: one rating against R(BB), with the robust line through the machines."""
    found = []
    for name, machines, people in _split_by_measure(study):
        constant, slope = machines.fit_update().coefficients.tolist()
        found.append(
            Scatter(
                f"{name}, R(BB)",
                study.rating,
                (machines.update, machines.rating),
                (people.update, people.rating),
                (constant, slope),
            )
        )
    return found


def of_predictions(study: Study) -> list[Scatter]:
    """The paper's Figure 2: one rating against its predictions, by R(BB) alone and by both."""
    found = []
    for name, machines, people in _split_by_measure(study):
        for scores, fit, given, wanted in (
            ("R", machines.fit_update(), machines.update[:, None], people.update[:, None]),
            ("N", machines.fit(), machines.scores, people.scores),
        ):
            found.append(
                Scatter(
                    f"predicted by {scores}, {name}",
                    study.rating,
                    (fit.predict(given), machines.rating),
                    (fit.predict(wanted), people.rating),
                    EQUAL,
                )
            )
    return found


def _split_by_measure(study: Study) -> Iterator[tuple[str, Standing, Standing]]:
    """Each measure by itself: its name, the machines and the people."""
    for number, name in enumerate(study.measures):
        machines, people = (
            Standing(one.earlier[number], one.update[number], one.rating)
            for one in (study.machines.standing, study.people.standing)
        )
        yield name, machines, people
