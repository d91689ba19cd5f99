"""How something computed is shown: as flat records, as tables, as a picture."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from chronoscore.core import Row
from chronoscore.reports.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Shown = TypeVar("Shown")


@dataclass(frozen=True, kw_only=True)
class View(Generic[Shown]):
    """The functions that show one kind of data; a result holds the data and its view."""

    tables: Callable[[Shown], Sequence[Table]]
    rows: Callable[[Shown], Iterable[Row]] | None = None
    """The flat records; without it, the cells of the tables."""
    draw: "Callable[..., Figure] | None" = None
    """The picture; it may take choices, as of a topic."""
    page: Callable[[Shown], str] | None = None
    """A whole page; without it, the tables one below the other."""
    title: str = "chronoscore"
    """The heading of a page."""
