"""`chronoscore check`: does a measure notice what it should?"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit, progress

if TYPE_CHECKING:
    from chronoscore.checks import Outcome
    from chronoscore.core import Collection, Row
    from chronoscore.measures import Measure
    from chronoscore.report.tables import Cell, Table

USUAL = ("concat", "agreement", "align", "align+", "align+m1")


@click.command()
@click.argument("measures", nargs=-1, metavar="[MEASURE]...")
@click.option(
    "--on",
    "gold",
    multiple=True,
    required=True,
    type=options.file,
    help="Timelines to damage: a file, a directory or a collection; may be repeated.",
)
@click.option(
    "--articles", type=options.file, help="Articles for the added day: DIR/TOPIC/articles.jsonl."
)
@click.option(
    "--shift",
    "shifts",
    multiple=True,
    type=int,
    default=(1, 5),
    show_default=True,
    help="Days to move all dates by; may be repeated.",
)
@options.compat
@click.option("--strict", is_flag=True, help="Exit with 1 for known faults too.")
@options.printing
@options.quiet
def command(measures: tuple[str, ...], gold: tuple[Path, ...], **chosen: Any) -> int:
    """Damage timelines in known ways and see what each MEASURE makes of it.

    Every reference timeline is compared with damaged copies of itself: a date removed or
    added, two merged, all shifted, texts swapped, split, duplicated, shuffled or halved.
    Without a MEASURE the five of the paper are checked; module:function checks your own.
    The exit code is 1 if a measure fails an expectation that it does not state as known.

    \b
    chronoscore check --on gold/ --compat paper
    chronoscore check 'align+(n=2)' my_module:my_measure --on gold/ --shift 1 --shift 7
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.checks import battery, check
    from chronoscore.cli.work import ROW_FORMATS, drawn
    from chronoscore.measures import parse
    from chronoscore.measures.compat import compat

    reading = chosen["compat"]
    asked = [parse(text, allow_import=True) for text in measures or USUAL]
    found = [compat(measure, reading) if reading else measure for measure in asked]
    topics = collected(gold, chosen["articles"], last=bool(reading))
    tests = battery(chosen["shifts"])
    with progress("checking", chosen["quiet"]) as told:
        outcomes = check(found, topics, tests, progress=told)
    form = chosen["form"]
    if form in ROW_FORMATS:
        emit(ROW_FORMATS[form](rows(outcomes)), chosen["output"])
    else:
        labels = dict(zip(found, map(str, asked), strict=True))
        emit(drawn(table(outcomes, labels, reading), form), chosen["output"])
    return int(any(o.fault and (chosen["strict"] or not o.known) for o in outcomes))


def collected(gold: Sequence[Path], articles: Path | None, *, last: bool) -> "Collection":
    """The timelines to damage, with their topics' articles where there are any."""
    from dataclasses import replace

    from chronoscore.core import Collection, Timeline
    from chronoscore.errors import DataError
    from chronoscore.formats.corpora import inputs
    from chronoscore.formats.corpora.articles import load
    from chronoscore.formats.io import layout

    found = inputs.collection(gold, Timeline, repeated="last" if last else "merge")
    if articles is None:
        return found
    topics = dict(found.topics)
    files = {name: layout.article_file(articles, name) for name in topics}
    if not any(files.values()):
        raise DataError(f"{articles}: no articles.jsonl for any topic; name folders after topics")
    for name, file in files.items():
        if file is not None:
            topics[name] = replace(topics[name], documents=tuple(load(file)))
    return Collection(topics, found.name)


def rows(outcomes: "Sequence[Outcome]") -> "list[Row]":
    """Flat records, one for each test, measure and part."""
    return [
        {
            "test": outcome.test,
            "measure": str(outcome.measure),
            "part": part,
            "change": change,
            "timelines": outcome.timelines,
            "verdict": outcome.verdict,
        }
        for outcome in outcomes
        for part, change in outcome.changes.items()
    ]


def table(
    outcomes: "Sequence[Outcome]", labels: "Mapping[Measure, str]", reading: str | None
) -> "Table":
    """The layout of the paper's Table 2, with a verdict; measures as they were asked for."""
    from chronoscore.measures import AVERAGES
    from chronoscore.report.tables import Cell, Table

    count = max(outcome.timelines for outcome in outcomes)
    lines = []
    before = ""
    for outcome in outcomes:
        label = "" if outcome.test == before else outcome.test
        before = outcome.test
        lines.append((Cell(label), Cell(labels[outcome.measure]), *figures(outcome)))
    ways = dict.fromkeys(AVERAGES[outcome.measure.averaging] for outcome in outcomes)
    return Table(
        title=f"Change from the undamaged timeline, {count} timeline{'' if count == 1 else 's'}",
        columns=("test", "measure", "ΔP", "ΔR", "ΔF", "verdict"),
        rows=tuple(lines),
        notes=(f"average: {'; '.join(ways)}", *([f"compat: {reading}"] if reading else [])),
    )


def figures(outcome: "Outcome") -> "tuple[Cell, Cell, Cell, Cell]":
    """The changes of precision, recall and F (or of a lone value), and the verdict."""
    from chronoscore.report.tables import Cell

    changes = outcome.changes
    last = changes["f"] if "f" in changes else list(changes.values())[-1]
    shown = (changes.get("p"), changes.get("r"), last)
    p, r, f = ("" if change is None else f"{change:.3f}" for change in shown)
    cells = [Cell("0.000" if text == "-0.000" else text) for text in (p, r, f)]
    return cells[0], cells[1], cells[2], Cell(outcome.verdict)
