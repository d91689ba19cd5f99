"""`chronoscore explain`: why this score?"""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from chronoscore.cli import judged, options, project_files
from chronoscore.cli.completion import complete_topics
from chronoscore.cli.derive import option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress, quiet
from chronoscore.cli.targets import output, plot
from chronoscore.errors import UsageError
from chronoscore.options import FORMATS

if TYPE_CHECKING:
    from chronoscore.api.scoring import InputOptions
    from chronoscore.projects.project import Project


def only_one(
    _context: click.Context, _argument: click.Parameter, systems: "tuple[Path, ...] | Project"
) -> "Path | Project | None":
    """The system; several are refused."""
    if not isinstance(systems, tuple):
        return systems.lone()
    if len(systems) > 1:
        raise UsageError(
            f"explain shows one system, and {len(systems)} were named; name one of them, or see "
            "why two differ with chronoscore diff A B"
        )
    return systems[0] if systems else None


@click.command(cls=GreedyCommand)
@project_files.systems(options.file, "system", callback=only_one)
@options.reference
@judged.sources
@options.original
@options.one_measure("align+")
@options.documents
@option("-t", "--topic", group="common", shell_complete=complete_topics, help="Only this topic.")
@option("-f", "--format", "form", group="common", choices=FORMATS, default="table")
@output
@plot("Draw both timelines and their alignment")
@quiet
@options.compat
@options.cache
@options.reading
def command(
    system: "Path | Project",
    references: tuple[Path, ...],
    measure: str,
    topic: str | None,
    form: str,
    output: Path | None,
    plot: Path | None,
    quiet: bool,
    **inputs: "Unpack[InputOptions]",
) -> None:
    """Show where SYSTEM's score comes from.

    For aligned timelines: which date is aligned with which, how far apart they are, what the two
    days share, and what each pair adds to recall (to precision with `-m align+.p`); `-f html`
    puts the texts side by side with the shared words marked. For ROUGE-N, concat and novelty:
    what each reference has that was found, and missed. For dates: the nearest date to each.
    For contradictions: every conflict, with `-f jsonl` with both spans and their places.
    For nu, u and n: where each event is first mentioned. For pyramid: how much of each unit is
    expressed.

    \b
    chronoscore explain mine.txt --reference gold.txt -m align+ -f html -o why.html
    chronoscore explain mine.txt --reference gold.txt -m contradictions -f jsonl
    chronoscore explain ranking.jsonl --judgements judged.jsonl -m nu@20
    """
    from chronoscore.api.explanation import explain

    with progress("reading", quiet):
        result = explain(system, references, measure, topic=topic, **inputs)
        if plot:
            result.plot(plot)
        text = result.render(form)
    emit(text, output)
