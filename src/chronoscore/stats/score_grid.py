"""Scores and ratings of the same systems, side by side as arrays."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, did_you_mean, warn
from chronoscore.formats.judgements.ratings import Figure
from chronoscore.measures import parse_measure_text
from chronoscore.options.correlation import Who
from chronoscore.stats.statistic import Numbers

MeasurePart: TypeAlias = tuple[str, str]
"""A measure and its part."""

FEWEST = 4
"""Systems, below which a correlation says next to nothing."""


@dataclass(frozen=True)
class ScoreGrid:
    """Scores and ratings of systems: arrays of systems × topics, nan where there is none.

    A rating of whole systems is systems × 1, and so are scores where only averages were
    given.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    human: NDArray[np.bool_]
    scores: Mapping[MeasurePart, Numbers]
    ratings: Mapping[str, Numbers]

    def only(self, who: Who) -> "ScoreGrid":
        """The machines, the people, or all: they are distributed differently."""
        if who == "all":
            return self
        kept = self.human if who == "humans" else ~self.human
        return ScoreGrid(
            tuple(name for name, keep in zip(self.systems, kept, strict=True) if keep),
            self.topics,
            self.human[kept],
            {name: values[kept] for name, values in self.scores.items()},
            {name: values[kept] for name, values in self.ratings.items()},
        )

    def select(self, measures: Sequence[str], ratings: Sequence[str]) -> "ScoreGrid":
        """The measures, with or without their part, and the ratings of these names, or all."""
        known = {score_label(scored) for scored in self.scores} | {name for name, _ in self.scores}
        kept = select_names([_spell(name, known) for name in measures], sorted(known), "measure")
        names = select_names(ratings, self.ratings, "rating")
        return replace(
            self,
            scores={
                scored: values
                for scored, values in self.scores.items()
                if score_label(scored) in kept or scored[0] in kept
            },
            ratings={name: self.ratings[name] for name in names},
        )

    def common(self, scored: MeasurePart, rating: str) -> int:
        """How many systems have a score and a rating on a common topic; too few are refused."""
        there = ~np.isnan(self.scores[scored]) & ~np.isnan(self.ratings[rating])
        count = int(there.any(axis=1).sum())
        if count < FEWEST:
            raise DataError(
                f"{count} system{'s have' if count != 1 else ' has'} "
                f"both '{score_label(scored)}' scores "
                f"and '{rating}' ratings; a correlation needs at least {FEWEST}, at every level, "
                "as a system's summaries are not independent of each other"
            )
        return count


def _spell(name: str, known: Collection[str]) -> str:
    """A measure as the scores spell it, where it is another spelling, as rouge2.f."""
    if name in known:
        return name
    try:
        return str(parse_measure_text(name))
    except UsageError:
        return name


def score_label(scored: MeasurePart) -> str:
    """A measure and its part as one name."""
    return ".".join(word for word in scored if word)


def pair_scores_with_ratings(scores: Sequence[Figure], ratings: Sequence[Figure]) -> ScoreGrid:
    """Pair scores with ratings by system and topic.

    A rating of a machine or a topic that was not scored is refused, as a name may be
    misspelt; people who were rated but not scored are left out. What lacks a score or a
    rating is left out with a warning.
    """
    scores = _prefer_topics(scores)
    systems = tuple(dict.fromkeys(one.system for one in scores))
    topics = tuple(dict.fromkeys(one.topic for one in scores))
    ratings = _keep_scored(ratings, systems, topics)
    people = _find_people(scores, ratings)
    names = dict.fromkeys((one.name, one.part) for one in scores)
    found = ScoreGrid(
        systems,
        topics,
        np.array([system in people for system in systems], dtype=np.bool_),
        {
            name: _grid((one for one in scores if (one.name, one.part) == name), systems, topics)
            for name in names
        },
        {
            name: _rating_grid([one for one in ratings if one.name == name], systems, topics)
            for name in dict.fromkeys(one.name for one in ratings)
        },
    )
    _warn_of_missing(found)
    return found


def _prefer_topics(scores: Sequence[Figure]) -> list[Figure]:
    """Keep averages only where there is nothing else: topics say more."""
    if any(one.topic for one in scores):
        return [one for one in scores if one.topic]
    return list(scores)


def _keep_scored(
    ratings: Sequence[Figure], systems: Sequence[str], topics: Sequence[str]
) -> list[Figure]:
    """The ratings of what was scored; unknown machines and topics are refused."""
    kept: list[Figure] = []
    people = {one.system for one in ratings if one.human}
    whole = tuple(topics) == ("",)
    for one in ratings:
        if one.system not in systems:
            if one.system in people:
                continue
            raise DataError(
                f"{one.where}: column 'system': '{one.system}' has no scores; "
                + did_you_mean(one.system, systems, "the scores have")
            )
        if one.topic and not whole and one.topic not in topics:
            raise DataError(
                f"{one.where}: column 'topic': '{one.topic}' has no scores; "
                + did_you_mean(one.topic, topics, "the scores have")
            )
        kept.append(one)
    if not kept:
        raise DataError("no rating is of a system that has scores; check the names of both files")
    return kept


def _find_people(scores: Sequence[Figure], ratings: Sequence[Figure]) -> set[str]:
    """The systems that are people; a name that ratings flag both ways is refused."""
    first: dict[str, Figure] = {}
    for one in ratings:
        before = first.setdefault(one.system, one)
        if before.human != one.human:
            raise DataError(
                f"column 'human': '{one.system}' is flagged differently at "
                f"{before.where}; flag it the same way everywhere",
                place=one.where,
            )
    return {one.system for one in [*scores, *ratings] if one.human}


def _rating_grid(
    ratings: Sequence[Figure], systems: Sequence[str], topics: Sequence[str]
) -> Numbers:
    """One rating's grid, or a column where whole systems were rated."""
    whole = [one for one in ratings if not one.topic]
    if whole and len(whole) < len(ratings):
        raise DataError(
            f"column 'topic' is empty, but other rows of rating "
            f"'{whole[0].name}' have topics; rate topics or whole systems, not both",
            place=whole[0].where,
        )
    if whole:
        return _grid(whole, systems, ("",))
    if tuple(topics) == ("",):
        return _mean_ratings(ratings, systems)
    return _grid(ratings, systems, topics)


def _mean_ratings(ratings: Sequence[Figure], systems: Sequence[str]) -> Numbers:
    """Each system's mean rating, where scores are of whole systems only."""
    given: dict[str, list[float]] = {}
    for one in ratings:
        given.setdefault(one.system, []).append(one.value)
    found = [float(np.mean(given[name])) if name in given else np.nan for name in systems]
    return np.array(found)[:, np.newaxis]


def _grid(figures: Iterable[Figure], systems: Sequence[str], topics: Sequence[str]) -> Numbers:
    """Numbers by system and topic."""
    row = {name: number for number, name in enumerate(systems)}
    column = {name: number for number, name in enumerate(topics)}
    found = np.full((len(systems), len(topics)), np.nan)
    for one in figures:
        found[row[one.system], column[one.topic]] = one.value
    return found


def _warn_of_missing(found: ScoreGrid) -> None:
    """Warn of machines and summaries that lack a score or a rating; people choose their topics."""
    grids = [
        *(
            (f"measure '{score_label(scored)}'", "score", values)
            for scored, values in found.scores.items()
        ),
        *((f"rating '{name}'", "rating", values) for name, values in found.ratings.items()),
    ]
    machines = np.flatnonzero(~found.human)
    for named, what, values in grids:
        lacking = np.isnan(values[machines])
        wholly: NDArray[np.bool_] = np.asarray(lacking.all(axis=1))
        if wholly.any():
            first = found.systems[machines[np.flatnonzero(wholly)[0]]]
            warn(
                f"{named}: {int(wholly.sum())} of {len(machines)} systems have no {what}, "
                f"'{first}' first; left out",
                kind=f"systems-without-{what}s",
            )
        partly = lacking & ~wholly[:, np.newaxis]
        if partly.any():
            row, topic = np.argwhere(partly)[0]
            warn(
                f"{named}: {int(partly.sum())} of {partly.size} summaries have no {what}, "
                f"'{found.systems[machines[row]]}' on topic '{found.topics[topic]}' first; "
                "left out",
                kind=f"summaries-without-{what}s",
            )


def select_names(asked: Sequence[str], names: Iterable[str], what: str) -> list[str]:
    """The names that were asked for, or all; an unknown one is answered with the nearest."""
    there = list(names)
    for name in asked:
        if name not in there:
            raise UsageError(
                f"no {what} '{name}' was given; {did_you_mean(name, there, 'there are')}"
            )
    return list(asked) or there
