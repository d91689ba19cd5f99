"""Load references, outputs and scores from files and plain values."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from chronoscore.api.score_files import SETTINGS
from chronoscore.api.scores import ScoreResult
from chronoscore.core import Collection, Output, Ranking, Run
from chronoscore.data.arguments import Paths, References, Systems
from chronoscore.data.kinds import KINDS, kind_of_inputs
from chronoscore.data.references import as_collection
from chronoscore.data.runs import as_runs
from chronoscore.data.values import are_paths, as_paths
from chronoscore.errors import DataError, UsageError, check_choice, did_you_mean, warn
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.judgements import ratings
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.averaging import RULES
from chronoscore.measures.measure import ANY_NUMBER, Array, Bounds
from chronoscore.options import Averaging, Resampling
from chronoscore.options.declare import or_default
from chronoscore.projects.data import read_data
from chronoscore.projects.project import Project
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import Average, averages, rule_for

Kind: TypeAlias = Literal["timelines", "summaries", "rankings"]
AverageKey: TypeAlias = tuple[str, str, str]
"""System, title of the measure, part."""


def load(
    references: References | Project, kind: Kind | None = None, *, documents: bool = False
) -> Collection:
    """Load a collection of topics with their references, and their documents if asked for.

    Takes what `score` takes as references, or a project, whose references it loads. `kind` says
    what to look for where a folder holds several kinds: timelines, summaries, or rankings (judged
    topics).
    """
    if isinstance(references, Project):
        return read_data(references).collection
    needs = _kind_from(kind) or kind_of_inputs((), references)
    if needs is Ranking and are_paths(references):
        return judged_topics.load((), as_paths(references))[0]
    return as_collection(references, needs, documents=documents)


def load_runs(
    systems: Systems, kind: Kind = "timelines", *, collection: Collection | None = None
) -> list[Run]:
    """Load what systems wrote; takes what `score` takes as systems, or a project."""
    if isinstance(systems, Project):
        return [*read_data(systems).runs]
    needs = _kind_from(kind) or KINDS["timelines"]
    return as_runs(systems, collection or Collection({}), needs)


def _kind_from(kind: str | None) -> type[Output] | None:
    """The class of a kind's name."""
    return None if kind is None else KINDS[check_choice(kind, KINDS, "kind")]


def load_scores(
    path: Paths,
    *,
    resampling: Resampling | None = None,
) -> ScoreResult:
    """Load scores that `result.save` or `chronoscore score -f jsonl` wrote.

    A file holds figures and no texts, so that the result can be printed, compared and plotted,
    but not explained. Averages that the file holds are kept, with the rule, level and seed that
    they were computed by, unless others are asked for; others are computed from the topics.
    """
    paths = as_paths(path)
    if not paths:
        raise UsageError("there is no file of scores; name at least one")
    figures = ratings.load_scores(paths)
    topics = tuple(dict.fromkeys(one.topic for one in figures if one.topic))
    if not topics:
        raise DataError("holds averages only; save the rows of topics as well", place=paths[0])
    systems = tuple(dict.fromkeys(one.system for one in figures))
    parts: dict[str, dict[str, None]] = {}
    for one in figures:
        parts.setdefault(one.name, {})[one.part] = None
    averaged = {one.name for one in figures if not one.topic}
    measures = {
        name: _recorded_measure(name, tuple(known), averaged=name in averaged)
        for name, known in parts.items()
    }
    tallies = {
        measure: np.full((len(systems), len(topics), len(measure.parts)), math.nan)
        for measure in measures.values()
    }
    rows, columns = _places(systems), _places(topics)
    for one in figures:
        if one.topic:
            measure = measures[one.name]
            place = (rows[one.system], columns[one.topic], measure.parts.index(one.part))
            tallies[measure][place] = one.value
    scores = Scores(systems, topics, tallies, f"scores of {', '.join(map(str, paths))}")
    if resampling is not None:
        or_default(resampling, Resampling).check_drawn()
    return _with_averages(scores, paths, resampling)


def _places(names: Sequence[str]) -> dict[str, int]:
    """Where each name is in the list."""
    return {name: place for place, name in enumerate(names)}


def _with_averages(scores: Scores, paths: Sequence[Path], asked: Resampling | None) -> ScoreResult:
    """The scores with the averages of their files, or with new ones by other settings."""
    saved = _saved_averages(paths)
    rule = _saved_rule(saved.values(), paths[0])
    before = replace(_saved_settings(saved.values(), paths[0]), rule=rule)
    how = before if asked is None else replace(asked, rule=asked.rule or rule)
    if replace(how, rule=rule) != before:
        saved = {}
    wanted = {
        (system, measure.title, part): (system, measure, part)
        for measure in scores.measures
        for system in scores.systems
        for part in measure.shown
    }
    kept = {
        key: _restored(scores, *one, saved[key])
        for key, one in wanted.items()
        if key in saved and rule_for(one[1], how) == (rule or one[1].averaging)
    }
    lacking = {measure for key, (_, measure, _) in wanted.items() if key not in kept}
    if lacking:
        kept = _new_averages(scores, lacking, how) | kept
    return ScoreResult(scores, tuple(kept[key] for key in wanted), how)


def _new_averages(
    scores: Scores, measures: set[Measure], how: Resampling
) -> dict[AverageKey, Average]:
    """The averages of some measures, computed again."""
    tallies = {one: counts for one, counts in scores.tallies.items() if one in measures}
    found = averages(replace(scores, tallies=tallies), how)
    return {(one.system, one.measure.title, one.part): one for one in found}


def _saved_averages(paths: Sequence[Path]) -> dict[AverageKey, Mapping[str, Any]]:
    """The rows of files that are about all topics together."""
    return {
        (str(row["system"]), str(row["measure"]), ratings.optional_rating_cell(row, "part")): row
        for file in paths
        for _, row in ratings.read_rows_of_ratings_file(file)
        if not row.get("topic") and "measure" in row
    }


def _saved_settings(saved: Iterable[Mapping[str, Any]], path: Path) -> Resampling:
    """How the intervals of the file were computed, all of them alike."""
    names = [name for name in SETTINGS if name != "average"]
    found = {tuple(ratings.optional_rating_cell(row, name) for name in names) for row in saved}
    if len(found) > 1:
        raise DataError("intervals by different settings; load the files apart", place=path)
    given = dict(zip(names, next(iter(found), ()), strict=False))
    try:
        settings: dict[str, Any] = {
            SETTINGS[name]: text if name == "interval" else (float if "." in text else int)(text)
            for name, text in given.items()
            if text
        }
        return Resampling(**settings)
    except ValueError as error:
        raise DataError(f"settings of intervals: {error}", place=path) from None


def _saved_rule(saved: Iterable[Mapping[str, Any]], path: Path) -> Averaging | None:
    """The rule that all averages were asked for by; None is each measure's own."""
    rules = {ratings.optional_rating_cell(row, "average") for row in saved}
    if len(rules) > 1:
        listed = ", ".join(sorted(rule or "each measure's own" for rule in rules))
        raise DataError(f"averages by different rules ({listed}); load them apart", place=path)
    name = next(iter(rules), "")
    if not name:
        return None
    for rule in RULES:
        if rule == name:
            return rule
    raise DataError(f"unknown averaging rule '{name}'; {did_you_mean(name, RULES)}", place=path)


def _restored(
    scores: Scores, system: str, measure: Measure, part: str, row: Mapping[str, Any]
) -> Average:
    """An average as the file gives it."""
    where = f"average of '{system}'"
    value, low, high = (
        ratings.rating_cell_number(where, row.get(name), missing=True, column=name)
        for name in ("value", "low", "high")
    )
    place = (scores.systems.index(system), slice(None), measure.parts.index(part))
    topics = int(np.count_nonzero(~np.isnan(scores.tallies[measure][place])))
    if row.get("n") not in (None, ""):
        topics = int(ratings.rating_cell_number(where, row["n"], column="n"))
    return Average(system, measure, part, value, low, high, topics)


def _recorded_measure(title: str, parts: tuple[str, ...], *, averaged: bool) -> Measure:
    """A measure of which only figures are known: it never reads a text, nor imports code.

    Its averages follow the measure's own rule, if the file has them or its parts allow it.
    """
    try:
        known: Measure | None = parse_measure_text(title)
    except UsageError:
        known = None
    rule = known.averaging if known else "mean"
    follows = averaged or parts[:3] == ("p", "r", "f")
    if rule == "of-means" and not follows and "f" in parts:
        warn(
            f"the file has f of '{title}' without p and r: its average is the mean over topics, "
            "not F of mean precision and mean recall; save the whole measure, or averages too",
            kind="lone-f",
        )
    facts = {
        "name": title,
        "parts": parts,
        "columns": parts,
        "lower_is_better": known.lower_is_better if known else frozenset(),
        "averaging": rule if follows else "mean",
        "known": known,
    }
    return type("Recorded", (RecordedMeasure,), facts)(label=title)  # type: ignore[no-any-return]


class RecordedMeasure(Measure):
    """Figures that were computed elsewhere."""

    needs = Ranking
    has_counts = False
    known: ClassVar[Measure | None] = None
    """The measure of that name, if there is one."""

    def bounds(self, part: str) -> Bounds:
        """Those of the measure of that name; anybody's else may be any number."""
        known = self.known
        return known.bounds(part) if known and part in known.parts else ANY_NUMBER

    def tally(self, pairs: Any) -> Array:
        """Refuse: figures from a file cannot be computed again."""
        raise UsageError(f"'{self.title}' was read from a file; name a measure to score texts")

    def values(self, tallies: Array) -> Array:
        """The figures themselves."""
        return tallies

    def __str__(self) -> str:
        return self.title
