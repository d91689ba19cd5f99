"""What every public function returns: flat records, tables, and how to print and save them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias

from chronoscore.core import Row
from chronoscore.data.frames import build_frame
from chronoscore.data.values import as_path
from chronoscore.errors import UsageError, check_choice
from chronoscore.formats.io.files import write_text
from chronoscore.options import FORMATS
from chronoscore.reports import page, plots
from chronoscore.reports import rows as flat
from chronoscore.reports.tables import Table
from chronoscore.reports.views import Shown, View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Section: TypeAlias = tuple[str, Table | str]
"""A heading, and a table or ready HTML below it."""

ROW_FORMATS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "json": flat.as_json,
    "jsonl": flat.as_jsonl,
    "csv": flat.as_csv,
}
TABLE_FORMATS: Mapping[str, Callable[[Table], str]] = {
    "table": Table.terminal,
    "md": Table.markdown,
    "latex": Table.latex,
}

BY_ENDING = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".md": "md",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
}


class Result(ABC):
    """A result that prints as a table, shows as HTML in a notebook, and gives flat records."""

    title: ClassVar[str] = "chronoscore"

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """Flat records, one for each figure."""

    @abstractmethod
    def sections(self) -> Sequence[Section]:
        """What a person reads: tables, and ready HTML that only a page can show."""

    @property
    def heading(self) -> str:
        """The heading of the result's page."""
        return self.title

    def tables(self) -> list[Table]:
        """The tables alone."""
        return [content for _, content in self.sections() if isinstance(content, Table)]

    def render(self, form: str = "table") -> str:
        """The result in a format: table, md, latex, html, json, jsonl or csv."""
        if check_choice(form, FORMATS, "format") in ROW_FORMATS:
            return ROW_FORMATS[form](self.rows())
        if form == "html":
            return page.from_sections(self.heading, self.sections())
        return "\n".join(TABLE_FORMATS[form](table) for table in self.tables())

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the result to a file; its ending says in which format."""
        file = as_path(path)
        write_text(file, self.render(format_of_path(file) if form is None else form))

    def to_pandas(self) -> Any:
        """The flat records as a pandas DataFrame."""
        return build_frame("pandas", self.rows())

    def to_polars(self) -> Any:
        """The flat records as a polars DataFrame."""
        return build_frame("polars", self.rows())

    def __str__(self) -> str:
        return self.render().strip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return "".join(
            content.html() if isinstance(content, Table) else content
            for _, content in self.sections()
        )


@dataclass(frozen=True, repr=False)
class TableResult(Result, Generic[Shown]):
    """What was computed, in `data`, with its tables, its flat records and its picture."""

    data: Shown
    view: View[Shown]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.heading}>"

    @property
    def heading(self) -> str:
        """The heading of the result's page."""
        return self.view.title

    def rows(self) -> Sequence[Row]:
        """Flat records, one for each figure."""
        if self.view.rows is None:
            return [row for table in self.tables() for row in table.records()]
        return list(self.view.rows(self.data))

    def sections(self) -> Sequence[Section]:
        """The tables."""
        return [("", table) for table in self.view.tables(self.data)]

    def render(self, form: str = "table") -> str:
        """The result in a format: table, md, latex, html, json, jsonl or csv."""
        if form == "html" and self.view.page is not None:
            return self.view.page(self.data)
        return super().render(form)

    def plot(self, path: str | PathLike[str] | None = None, **choices: Any) -> "Figure":
        """Draw the result, if there is a picture of it; save it if a path is given."""
        if self.view.draw is None:
            raise UsageError("there is no picture of this result; print it as a table")
        return save_plot(self.view.draw(self.data, **choices), path)


def format_of_path(path: Path) -> str:
    """The format that a file's ending names."""
    found = BY_ENDING.get(path.suffix.lower())
    if found is None:
        endings = ", ".join(BY_ENDING)
        raise UsageError(f"the ending names no format; end the name in {endings}", place=path)
    return found


def save_plot(figure: "Figure", path: str | PathLike[str] | None) -> "Figure":
    """Give a figure back, written to a file first if one is named."""
    if path is not None:
        plots.save(figure, as_path(path))
    return figure
