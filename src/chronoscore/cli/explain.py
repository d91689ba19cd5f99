"""`chronoscore explain`: why this score?"""

from pathlib import Path
from typing import Any

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit
from chronoscore.errors import UsageError

FORMATS = ("table", "md", "latex", "html")


@click.command(cls=options.GreedyCommand)
@click.argument("system", type=options.file, metavar="SYSTEM")
@options.reference
@click.option("-m", "--measure", default="align+", show_default=True, metavar="MEASURE")
@click.option("-t", "--topic", help="Only this topic.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="table")
@click.option("-o", "--output", type=options.file, help="Write to this file.")
@options.compat
def command(system: Path, references: tuple[Path, ...], **chosen: Any) -> None:
    """Show where SYSTEM's score comes from.

    For aligned timelines: which date answers to which, how far apart they are, what the two
    days share, and what each pair adds to recall; `-f html` puts the texts side by side with
    the shared words marked. For ROUGE-N: what each reference has that was found, and missed.

    \b
    chronoscore explain mine.txt --reference gold.txt -m align+ -f html -o why.html
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.work import chosen_measures, drawn
    from chronoscore.core import Timeline
    from chronoscore.formats.corpora import inputs
    from chronoscore.measures.timelines.aligned_rouge import AlignmentMeasure
    from chronoscore.report import explanation
    from chronoscore.report.page import page
    from chronoscore.report.tables import Table

    (measure,) = chosen_measures([chosen["measure"]], chosen)
    collection, (run, *_) = inputs.load([system], references, measure.needs)
    topics = [topic for topic in run.outputs if chosen["topic"] in (None, topic)]
    if not topics:
        raise UsageError(f"no topic '{chosen['topic']}'; there are {', '.join(run.outputs)}")
    sections: list[tuple[str, Table | str]] = []
    for name in topics:
        if name not in collection.topics:
            raise UsageError(f"topic '{name}' has no reference; name it like the system's file")
        topic, output = collection.topics[name], run.outputs[name]
        sections += [("", table) for table in explanation.explain(measure, topic, output)]
        if isinstance(measure, AlignmentMeasure) and isinstance(output, Timeline):
            found = explanation.pairings(measure, topic, output)
            sections.append((f"{name}: side by side", explanation.alignment_view(measure, found)))
    if chosen["form"] == "html":
        emit(page(f"Why: {run.system}", sections), chosen["output"])
        return
    tables = [content for _, content in sections if isinstance(content, Table)]
    emit("\n".join(drawn(table, chosen["form"]) for table in tables), chosen["output"])
