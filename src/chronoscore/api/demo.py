"""The bundled corpus, scored, compared and explained on one page."""

import warnings
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from shutil import get_terminal_size

from chronoscore import demo as corpus
from chronoscore.api.page import contents_of
from chronoscore.api.scoring import score
from chronoscore.data.values import as_path
from chronoscore.errors import ChronoscoreWarning
from chronoscore.explanations import DayExplanation, explain
from chronoscore.formats.io.files import write_text
from chronoscore.options import Resampling
from chronoscore.reports import page
from chronoscore.reports.one_screen import conclusion, leaderboard, telling_days
from chronoscore.reports.score_page import Contents, score_page
from chronoscore.reports.tables import Table

LEAD = "Twelve invented news topics, human references, and six systems of different quality."
TITLE = "chronoscore demo: timelines of twelve invented news topics"
MEASURES = ("align+", "dates", "concat")
EXPLAINED = ("headlines", "dam")


@dataclass(frozen=True)
class DemoReport:
    """Where the page is, one screen about it, and all tables with their headings if asked for."""

    path: Path
    screen: str
    tables: tuple[tuple[str, str], ...] = ()


def demo(
    folder: str | PathLike[str] = "chronoscore-demo", *, seed: int = 1, everything: bool = False
) -> DemoReport:
    """Score the bundled, invented corpus and write an HTML report to a folder.

    `everything` adds a second page, `everything.html`, with every part of the toolkit.
    """
    home = as_path(folder, "folder")
    systems = [corpus.RUNS / system / "timelines" for system in corpus.SYSTEMS]
    result = score(systems, corpus.CORPUS, MEASURES, ceiling=True, resampling=Resampling(seed=seed))
    contents = contents_of(result, title=TITLE, command="chronoscore demo")
    report = home / "report.html"
    write_text(report, score_page(contents))
    screen = _draw_screen(contents, min(100, get_terminal_size((100, 40)).columns))
    if not everything:
        return DemoReport(report.resolve(), screen)
    from chronoscore.api import demo_sections

    sections = demo_sections.sections(seed)
    write_text(home / "everything.html", page.from_sections("chronoscore demo", sections, LEAD))
    tables = [
        (heading, content.terminal()) for heading, content in sections if isinstance(content, Table)
    ]
    return DemoReport(report.resolve(), screen, tuple(tables))


def _draw_screen(contents: Contents, width: int) -> str:
    """The leaderboard, the conclusion and the most telling days of one explanation."""
    system, topic = EXPLAINED
    assert contents.collection is not None
    run = next(run for run in contents.shown_runs if run.system == system)
    output, known = run.outputs[topic], contents.collection.topics[topic]
    explanation = explain(contents.scores.measures[0], known, output)
    assert isinstance(explanation, DayExplanation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        days = list(telling_days(explanation, width))
    return "\n".join(
        [
            "Timelines of twelve invented news topics: six systems, two or three references",
            "",
            *leaderboard(contents, width),
            "",
            *conclusion(contents, width),
            "",
            f"Some days of {system} on {topic}:",
            *days,
        ]
    )
