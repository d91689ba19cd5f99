"""Coefficients that predict ratings from scores, as `chronoscore novelty fit` writes them.

A small JSON object whose `fits` say, for each base and target, what to multiply with; all
else in it is there for the reader: intervals, the number of systems, how it was fitted.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_text, write_text
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

FORMAT = "chronoscore-coefficients"


class SavedFit(msgspec.Struct, kw_only=True):
    """One fit: N = constant + earlier · R(AB) + update · R(BB)."""

    base: str
    target: str
    constant: float
    earlier: float
    update: float
    low: list[float | None] = []
    high: list[float | None] = []
    systems: int = 0
    scale: float | None = None
    correlation: float | None = None
    fitting: str = ""
    measure: str = ""


class CoefficientsFile(msgspec.Struct, kw_only=True):
    """The whole file."""

    format: str
    fits: list[SavedFit]
    level: float = 0.95
    version: str = ""


def load(path: Path) -> list[SavedFit]:
    """Read the fits of a file."""
    try:
        document = msgspec.json.decode(read_text(path).encode(), type=CoefficientsFile)
    except UNREADABLE as error:
        raise DataError(
            f"{describe_json_error(error)}; write it with 'chronoscore novelty fit'", place=path
        ) from None
    if document.format != FORMAT:
        raise DataError(
            f"format '{document.format}' is not '{FORMAT}'; give another file", place=path
        )
    return document.fits


def save(fits: Sequence[SavedFit], path: Path, *, level: float = 0.95) -> None:
    """Write fits, whole or not at all."""
    write_text(path, write_fits_as_json(fits, level=level))


def write_fits_as_json(fits: Sequence[SavedFit], *, level: float = 0.95) -> str:
    """Fits as JSON that a person can read too."""
    from chronoscore.version import __version__

    document = CoefficientsFile(format=FORMAT, fits=list(fits), level=level, version=__version__)
    # msgspec writes an undefined figure as null, for JSON has no nan.
    return msgspec.json.format(msgspec.json.encode(document)).decode() + "\n"
