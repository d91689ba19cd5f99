"""Fits to be saved and predictions from scores, filed under the base of each measure."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from pathlib import Path

import numpy as np

from chronoscore.core import Row
from chronoscore.errors import ChronoscoreError, DataError, UsageError, did_you_mean
from chronoscore.formats.judgements.coefficients import SavedFit
from chronoscore.formats.judgements.ratings import Figure
from chronoscore.measures import parse_measure_text
from chronoscore.measures.novelty.coefficients import (
    NAMES,
    TAC2008,
    Coefficients,
    coefficients_for,
    is_novelty_file,
    novelty_fit_of_file,
)
from chronoscore.measures.novelty.novelty import Novelty
from chronoscore.options.correlation import Fitting
from chronoscore.stats.score_grid import ScoreGrid, select_names
from chronoscore.stats.study import EARLIER, UPDATE, Fitted


def _novelty_of(measure: str) -> Novelty | None:
    """A measure that scores name as ours, if it is one; text from a file imports nothing."""
    if not measure.startswith(f"{Novelty.name}("):
        return None
    try:
        parsed = parse_measure_text(measure)
    except ChronoscoreError:
        return None
    return parsed if isinstance(parsed, Novelty) else None


def _base_of(measure: str) -> str:
    """What a fit is filed under: the base of our measure, or another measure's own name."""
    ours = _novelty_of(measure)
    return str(ours.base) if ours else measure


def name_by_base(given: ScoreGrid) -> ScoreGrid:
    """The scores under their bases' names, which are shorter, where these tell them apart."""
    bases = {name: _base_of(name) for name, _ in given.scores}
    if len(set(bases.values())) < len(bases):
        return given
    return replace(
        given, scores={(bases[name], part): grid for (name, part), grid in given.scores.items()}
    )


def saved_fits(found: Sequence[Fitted], how: Fitting, level: float) -> list[SavedFit]:
    """Fits in the form of their file."""
    seen: dict[tuple[str, str], str] = {}
    fits = []
    for one in found:
        key = (_base_of(one.measure), one.rating)
        if key in seen:
            raise UsageError(
                f"'{seen[key]}' and '{one.measure}' have the same base; choose one with `measures`"
            )
        seen[key] = one.measure
        constant, earlier, update = one.fit.coefficients.tolist()
        low, high = one.fit.interval(level)
        fits.append(
            SavedFit(
                base=key[0],
                target=one.rating,
                constant=constant,
                earlier=earlier,
                update=update,
                low=low.tolist(),
                high=high.tolist(),
                systems=one.systems,
                scale=float(one.fit.scale),
                correlation=one.correlation,
                fitting=f"{how.weighting}|tuning:{how.threshold:g}|"
                f"leverage:{'yes' if how.leverage else 'no'}",
                measure=one.measure,
            )
        )
    return fits


def predict(figures: Sequence[Figure], name: str, target: str, asked: Sequence[str]) -> list[Row]:
    """Predict from every pair of scores `ab` and `bb`, as rows in the form of scores."""
    there = {(one.name, one.system, one.topic, one.part): one.value for one in figures}
    pairs = dict.fromkeys((one.name, one.system, one.topic) for one in figures)
    names = dict.fromkeys(
        measure
        for measure, system, topic in pairs
        if all((measure, system, topic, part) in there for part in (EARLIER, UPDATE))
    )
    if not names:
        raise DataError(
            "no measure has both parts 'ab' and 'bb'; "
            "score 'novelty(base=…,coefficients=none)' with `originals` first"
        )
    models = {m: _model_of(m, name, target) for m in select_names(asked, names, "measure")}
    rows: list[Row] = []
    for measure, system, topic in pairs:
        if measure not in models:
            continue
        label, model = models[measure]
        earlier, update = (
            there.get((measure, system, topic, part), nan) for part in (EARLIER, UPDATE)
        )
        rows.append(
            {
                "system": system,
                "topic": topic,
                "measure": label,
                "part": "n",
                "value": float(model.predict(np.array(earlier), np.array(update))),
            }
        )
    return rows


def _model_of(measure: str, name: str, target: str) -> tuple[str, Coefficients]:
    """The coefficients for a measure's scores, and what to call the prediction."""
    ours = _novelty_of(measure)
    if is_novelty_file(name):
        model: Coefficients | None = novelty_fit_of_file(Path(name), _base_of(measure), target)
    elif ours:
        model = coefficients_for(name, ours.base, target)
    elif name not in NAMES[2:]:
        raise UsageError(
            f"measure '{measure}' is not one of ours, so name the row of coefficients for it; "
            f"{did_you_mean(name, NAMES[2:])}"
        )
    else:
        model = TAC2008.get(target, {}).get(name.removeprefix("tac2008-"))
    if model is None:
        raise UsageError(f"no coefficients for target '{target}'; {did_you_mean(target, TAC2008)}")
    label = str(replace(ours, coefficients=name, target=target).whole) if ours else measure
    return label, model
