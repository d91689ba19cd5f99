"""`chronoscore agree`: how far can the judgements themselves be trusted?"""

from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.derive import derive, files, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import progress, show
from chronoscore.options import Printing, Resampling
from chronoscore.options.agreement import AgreementOptions


@click.command(cls=GreedyCommand)
@click.argument("judgements", nargs=-1, required=True, type=options.file, metavar="JUDGEMENTS...")
@option(
    "--machine",
    group="common",
    multiple=True,
    metavar="NAME|PATH",
    help="An author that is a machine, or a file or folder that a machine wrote.",
)
@files(
    "--systems",
    group="judging",
    help="Rankings, to see whether machine and people rank them alike; several may follow.",
)
@options.measure
@derive(AgreementOptions, "known")
@options.intervals
@options.printing_with_plot("Draw how far judges, writers, matchers and machines agree")
@options.talk
def command(
    judgements: tuple[Path, ...],
    machine: tuple[str, ...],
    systems: tuple[Path, ...],
    measures: tuple[str, ...],
    known: AgreementOptions,
    resampling: Resampling,
    printing: Printing,
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
    from chronoscore.api.agree import agree

    with progress("reading"):
        result = agree(
            judgements,
            machine=machine or None,
            systems=systems,
            measures=measures or None,
            resampling=resampling,
            **vars(known),
        )
    show(result, printing)
