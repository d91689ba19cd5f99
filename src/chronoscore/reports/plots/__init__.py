"""Plots for papers, drawn with matplotlib.

The same figures give the same file, byte for byte. Every function returns a figure, which `save`
writes.
"""

import io
import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.errors import UsageError, warn
from chronoscore.extras import install_command
from chronoscore.formats.io.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLORS = (
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
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2, 2, 2)))
MARKERS = "osD^vPX*"
"""Eight of each, as of colors: systems differ in all three, so that print without color does."""
UNCHANGING: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
"""By ending: metadata to leave out, because it changes from run to run."""
ENDINGS = tuple(UNCHANGING)


LONGEST_NAME = 40
"""Characters of a name beside a plot."""
MISSING_GLYPH = re.compile(r"Glyph (\d+) .* missing from font")


def check_path(path: Path) -> None:
    """Refuse an ending that is no plot's, and a machine without matplotlib."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"{path}: a plot ends in {', '.join(ENDINGS)}; choose one")
    check_matplotlib()


def check_matplotlib() -> None:
    """Refuse to plot without matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(f"plots need matplotlib; {install_command('plots')}") from None


def blank(width: float, height: float) -> "Figure":
    """An empty figure."""
    check_matplotlib()
    # matplotlib is an extra, and slow to import; only a plot pays for it.
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def begin(width: float, height: float) -> "tuple[Figure, Axes]":
    """A figure with one pair of axes."""
    figure = blank(width, height)
    return figure, figure.add_subplot()


def shorten_name(name: str) -> str:
    """A name that leaves room for figures: of a long one, both ends.

    >>> shorten_name("a" * 40 + "b" * 40)
    'aaaaaaaaaaaaaaaaaaaa…bbbbbbbbbbbbbbbbbbb'
    """
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[1 - half :]}"


def name_rows(axes: "Axes", names: "list[str]") -> None:
    """Rows with their names, the first on top, and a grid for the figures across."""
    axes.set_yticks(range(len(names)), [shorten_name(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(True, axis="x", color=GRID, linewidth=0.6)


def finish(figure: "Figure", axes: "Axes", title: str) -> "Figure":
    """A grid, a title, and a legend below."""
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title(title, fontsize=9, loc="left", color=FAINT)
    figure.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=5)
    return figure


def save(figure: "Figure", path: Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the path's ending."""
    from matplotlib import rc_context

    check_path(path)
    ending = path.suffix.lower()
    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "chronoscore"}), warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        figure.savefig(buffer, format=ending[1:], dpi=200, metadata=UNCHANGING[ending])
    _warn_of_glyphs(path, [str(one.message) for one in noted])
    write_bytes(path, buffer.getvalue())


def _warn_of_glyphs(path: Path, messages: Iterable[str]) -> None:
    """Warn once of all characters that are drawn as boxes, and of all else as it is said."""
    lacking: dict[str, None] = {}
    for message in messages:
        if found := MISSING_GLYPH.match(message):
            lacking[chr(int(found[1]))] = None
        else:
            warn(f"{path}: {message}", kind="plot")
    if lacking:
        warn(
            f"{path}: the font has no {' '.join(lacking)}; name one that does in a file "
            "matplotlibrc, as in font.family: Noto Sans CJK JP",
            kind="glyphs",
        )
