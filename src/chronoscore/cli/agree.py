"""`chronoscore agree`: how far can the judgements themselves be trusted?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.api.options import Printing
from chronoscore.cli import options
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import plot

if TYPE_CHECKING:
    from chronoscore.api.agree import Annotators
    from chronoscore.stats.corpus import Resampling


@click.command(cls=GreedyCommand)
@click.argument("judgements", nargs=-1, required=True, type=options.file, metavar="JUDGEMENTS...")
@options.printed
@click.option("--events", is_flag=True, help="Show every event, not only with a single topic.")
@click.option("--log", type=options.file, help="JSON Lines of topic, judge and time: the hours.")
@click.option(
    "--z", "unchosen", type=int, help="Units that nobody chose; else the file's or an estimate."
)
@click.option(
    "--candidates",
    "--pool",
    "pool",
    type=int,
    help="How many candidates both matchers saw; else all they list.",
)
@click.option(
    "--machine",
    multiple=True,
    metavar="NAME|PATH",
    help="An author that is a machine, or a file or folder that a machine wrote.",
)
@click.option(
    "--annotators",
    type=click.Choice(["experts", "skilled", "crowd"]),
    default="experts",
    show_default=True,
    help="Who the people are that a machine may replace: ε = .2, .15 or .1.",
)
@click.option(
    "--systems",
    multiple=True,
    type=options.file,
    help="Rankings, to see whether machine and people rank them alike; several may follow.",
)
@options.measure
@options.redrawn
@plot("Draw how far judges, writers, matchers and machines agree")
@options.talk
def command(
    judgements: tuple[Path, ...],
    printing: Printing,
    events: bool,
    log: Path | None,
    unchosen: int | None,
    pool: int | None,
    machine: tuple[str, ...],
    annotators: "Annotators",
    systems: tuple[Path, ...],
    measures: tuple[str, ...],
    resampling: "Resampling",
    plot: Path | None,
    quiet: bool,
) -> None:
    """Measure how far judges, writers and matchers agree.

    JUDGEMENTS are files in chronoscore's judgements format, directories that hold some, or
    whatever else `score --judgements` reads.
    For streams: what the verifier accepted and how far the judges overlapped, event by event
    and topic by topic, the size of the corpus and two balanced halves. For content units:
    weights, the shape of the pyramid, and every split of the writers into two teams with grey
    share and Krippendorff's alpha. Two files with units of the same topic are two matchers.
    With --machine, each machine is compared with each person and with the verified links, and
    the alternative-annotator test says whether it may replace one of the people.

    \b
    chronoscore agree corpus/
    chronoscore agree units.jsonl judgements.jsonl -f md
    chronoscore agree matched.jsonl rematched.jsonl --candidates 2066
    chronoscore agree people.jsonl --machine machine.jsonl --systems runs/*.jsonl -m nu
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.agree import agree

    with progress("reading", quiet):
        result = agree(
            judgements,
            events=events,
            log=log,
            unchosen=unchosen,
            pool=pool,
            machine=machine or None,
            annotators=annotators,
            systems=systems,
            measures=measures or None,
            resampling=resampling,
        )
        if plot:
            result.plot(plot)
        text = result.render(printing.form)
    emit(text, printing.output)
