"""What every public function returns: flat records, tables, and how to print and save them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from chronoscore.api.frames import build_frame
from chronoscore.api.options import FORMATS
from chronoscore.core import Row
from chronoscore.errors import UsageError, WrongTypeError, check_choice, describe_type
from chronoscore.formats.io.files import write_text
from chronoscore.reports import rows as flat
from chronoscore.reports.page import html_page
from chronoscore.reports.tables import (
    Table,
    html_table,
    latex_table,
    markdown_table,
    terminal_table,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Section: TypeAlias = tuple[str, Table | str]
"""A heading, and a table or ready HTML below it."""

ROW_FORMATS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "json": flat.json_rows,
    "jsonl": flat.jsonl_rows,
    "csv": flat.csv_rows,
}
TABLE_FORMATS: Mapping[str, Callable[[Table], str]] = {
    "table": terminal_table,
    "md": markdown_table,
    "latex": latex_table,
    "html": lambda table: html_page("chronoscore", [("", table)]),
}


def _draw_table(table: Table, form: str) -> str:
    """A table in one of the formats for people."""
    return TABLE_FORMATS[form](table)


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
            return html_page(self.heading, self.sections())
        return "\n".join(_draw_table(table, form) for table in self.tables())

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the result to a file; its ending says in which format."""
        file = as_path(path)
        write_text(file, self.render(result_format_of_path(file) if form is None else form))

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
            html_table(content) if isinstance(content, Table) else content
            for _, content in self.sections()
        )


def as_path(value: object, what: str = "path") -> Path:
    """A path from a string or a path; anything else is refused."""
    if isinstance(value, bytes) or not isinstance(value, str | PathLike):
        raise WrongTypeError(f"{describe_type(value)} is not a {what}; give a string or a Path")
    path = Path(value)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # Those who open the file say what is wrong with it.
    except (OSError, ValueError) as error:
        raise UsageError(f"the {what} {str(value)[:60]!r} cannot be used: {error}") from None
    if not str(value):
        raise UsageError(f"the {what} is empty; name a file or a folder")
    return path


def result_format_of_path(path: Path) -> str:
    """The format that a file's ending says."""
    form = BY_ENDING.get(path.suffix.lower())
    if form is None:
        endings = ", ".join(BY_ENDING)
        raise UsageError(f"{path}: the ending names no format; end the name in {endings}")
    return form


def table_rows(table: Table) -> list[Row]:
    """The cells of a table as flat records, for results that have no other."""
    names: list[str] = []
    for column in table.columns:
        names.append(column if column not in names else f"{column} {names.count(column) + 1}")
    return [dict(zip(names, (cell.text for cell in row), strict=True)) for row in table.rows]


def save_result_plot(figure: "Figure", path: str | PathLike[str] | None) -> "Figure":
    """Give a figure back, written to a file first if one is named."""
    if path is not None:
        # Plots import NumPy and more; only this function pays for it.
        from chronoscore.reports.plots import save_figure

        save_figure(figure, as_path(path))
    return figure
