"""The bundled corpus, scored, compared and explained on one page."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from chronoscore.api.results import path_of
from chronoscore.formats.io.files import write_text
from chronoscore.reports.demo import demo_report
from chronoscore.reports.page import page
from chronoscore.reports.tables import Table, terminal

LEAD = "Three invented news topics, human references, and six systems of different quality."


@dataclass(frozen=True)
class DemoReport:
    """Where the page is, and its tables with their headings as text."""

    path: Path
    tables: tuple[tuple[str, str], ...]


def demo(folder: str | PathLike[str] = "chronoscore-demo", *, seed: int = 1) -> DemoReport:
    """Score the bundled, invented corpus and write an HTML report to a folder."""
    sections = demo_report(seed)
    report = path_of(folder, "folder") / "report.html"
    write_text(report, page("chronoscore demo", sections, LEAD))
    tables = [
        (heading, terminal(content)) for heading, content in sections if isinstance(content, Table)
    ]
    return DemoReport(report.resolve(), tuple(tables))
