"""From two scores to a prediction: published coefficients, and those of a file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.formats.judgements.coefficients import SavedFit, load
from chronoscore.measures.measure import Array, Measure
from chronoscore.measures.rouge.measures import Rouge, RougeSU

PROVENANCE = (
    "Conroy, Schlesinger and O'Leary, Nouveau-ROUGE: A Novelty Metric for Update Summarization, "
    "Computational Linguistics 37(1), 2011, Table 2: robust regression on the mean scores of the "
    "update task of TAC 2008 (recall, stemmed, as the official scores were)"
)

DOUBT = (
    "the published row for SU4 predicts 5.3 to 5.8 for systems of TAC 2008, where the scale ends "
    "at 5 and people gave 2.1 to 2.6; it is on the scale of ROUGE-3"
)


@dataclass(frozen=True)
class Coefficients:
    """A constant, and what scores against earlier and against update references are worth."""

    constant: float
    earlier: float
    update: float

    def predict(self, earlier: Array, update: Array) -> Array:
        """What people would say, by the model."""
        return self.constant + self.earlier * earlier + self.update * update

    def __str__(self) -> str:
        return f"{self.constant:g}/{self.earlier:g}/{self.update:g}"


TAC2008: Mapping[str, Mapping[str, Coefficients]] = {
    "responsiveness": {
        "r1": Coefficients(-0.0271, -7.3550, 13.4227),
        "r2": Coefficients(0.9126, -5.4536, 21.1556),
        "su4": Coefficients(1.1381, -2.6931, 35.8555),
        "be": Coefficients(1.0602, -5.0811, 24.8365),
    },
    "pyramid": {
        "r1": Coefficients(-0.2143, -1.9011, 3.1118),
        "r2": Coefficients(-0.0143, -1.3499, 4.3778),
        "su4": Coefficients(0.0346, -1.1680, 7.2589),
        "be": Coefficients(0.0145, -1.3156, 5.0446),
    },
}
"""The paper's Table 2, as printed."""

ROWS = tuple(TAC2008["pyramid"])
NAMES = ("none", "tac2008", *(f"tac2008-{row}" for row in ROWS))


def coefficients_for(name: str, base: Measure, target: str) -> Coefficients | None:
    """Find coefficients by the name of a table, of one of its rows, or of a file.

    A row that is named applies to whatever base it is named for. Without a row the base
    decides, and the row that cannot be right is refused.
    """
    if name == "none":
        return None
    if is_novelty_file(name):
        return novelty_fit_of_file(Path(name), str(base), target)
    if name not in NAMES:
        raise UsageError(
            f"unknown coefficients '{name}'; {did_you_mean(name, NAMES)} "
            "(or name a .json file of 'chronoscore novelty fit')"
        )
    if target not in TAC2008:
        raise UsageError(
            f"novelty(target={target}): not in the published table; {did_you_mean(target, TAC2008)}"
        )
    row = name.removeprefix("tac2008").removeprefix("-") or _row_of(base)
    if row is None:
        raise UsageError(
            f"novelty(base={base}): no published coefficients, those are of rouge(n=1), "
            "rouge(n=2) and rouge-be; fit your own with 'chronoscore novelty fit'"
        )
    if row == "su4" and name == "tac2008":
        raise UsageError(
            f"novelty(base={base}): {DOUBT}; fit your own with 'chronoscore novelty fit', "
            "or insist with coefficients=tac2008-su4"
        )
    return TAC2008[target][row]


def is_novelty_file(name: str) -> bool:
    """Whether coefficients are named by a path."""
    return name.endswith(".json") or os.sep in name


def _row_of(base: Measure) -> str | None:
    """The row of the published table that belongs to a base."""
    if isinstance(base, Rouge) and base.n in (1, 2):
        return f"r{base.n}"
    if isinstance(base, RougeSU) and base.gap == 4:
        return "su4"
    return "be" if base.name == "rouge-be" else None


def novelty_fit_of_file(path: Path, base: str, target: str) -> Coefficients:
    """The fit of a file for a base and a target."""
    fits = _load_fits(path, path.stat().st_mtime_ns if path.exists() else 0)
    found = [fit for fit in fits if fit.base == base]
    if not found:
        near = did_you_mean(base, [fit.base for fit in fits])
        raise UsageError(f"no fit for base '{base}'; {near}", place=path)
    for fit in found:
        if fit.target == target:
            return Coefficients(fit.constant, fit.earlier, fit.update)
    near = did_you_mean(target, [fit.target for fit in found])
    raise UsageError(f"no fit for target '{target}'; {near}", place=path)


@lru_cache(maxsize=16)
def _load_fits(path: Path, _changed: int) -> list[SavedFit]:
    """The fits of a file, read once for each time it was changed."""
    return load(path)
