"""Plots for papers: drawn with matplotlib, written whole, the same file for the same figures."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.errors import UsageError
from chronoscore.formats.io.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (
    "#1f4e9e",
    "#b3541e",
    "#3c7d3f",
    "#7b3f98",
    "#8a6d1d",
    "#a02c4f",
    "#2b7f86",
    "#555555",
)
GRID = "#d5dae1"
FAINT = "#5b6675"
UNCHANGING: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
"""By ending: what must not be told in a file, for it changes from run to run."""
ENDINGS = tuple(UNCHANGING)


def check(path: Path) -> None:
    """Refuse an ending that is no plot's, and a machine without matplotlib."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"{path}: a plot ends in {', '.join(ENDINGS)}; choose one")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(
            "plots need matplotlib; install it with: pip install 'chronoscore[plots]'"
        ) from None


def blank(path: Path, size: tuple[float, float]) -> "Figure":
    """An empty figure, once it is clear that it can be written to the path."""
    check(path)
    # matplotlib is an extra, and slow to import; only a plot pays for it.
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def save(figure: "Figure", path: Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the path's ending."""
    from matplotlib import rc_context

    ending = path.suffix.lower()
    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "chronoscore"}):
        figure.savefig(buffer, format=ending[1:], dpi=200, metadata=UNCHANGING[ending])
    write_bytes(path, buffer.getvalue())
