"""`chronoscore agree`: how far can the judgements themselves be trusted?"""

from pathlib import Path

import click

from chronoscore.api.options import Printing
from chronoscore.cli import options
from chronoscore.cli.options import emit


@click.command()
@click.argument("judgements", nargs=-1, required=True, type=options.file, metavar="JUDGEMENTS...")
@options.printed
@click.option("--events", is_flag=True, help="Show every event, not only with a single topic.")
@click.option("--log", type=options.file, help="JSON Lines of topic, judge and time: the hours.")
@click.option(
    "--z", "unchosen", type=int, help="Units that nobody chose; else the file's or an estimate."
)
@click.option("--pool", type=int, help="Candidates that both matchers saw; else all they list.")
def command(
    judgements: tuple[Path, ...],
    printing: Printing,
    events: bool,
    log: Path | None,
    unchosen: int | None,
    pool: int | None,
) -> None:
    """Measure how far judges, writers and matchers agree.

    JUDGEMENTS are files in chronoscore's judgements format, directories that hold some, or
    whatever else `score --judgements` reads.
    For streams: what the verifier accepted and how far the judges overlapped, event by event
    and topic by topic, the size of the corpus and two balanced halves. For content units:
    weights, the shape of the pyramid, and every split of the writers into two teams with grey
    share and Krippendorff's alpha. Two files with units of the same topic are two matchers.

    \b
    chronoscore agree corpus/
    chronoscore agree units.jsonl judgements.jsonl -f md
    chronoscore agree matched.jsonl rematched.jsonl --pool 2066
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.agree import agree

    result = agree(judgements, events=events, log=log, unchosen=unchosen, pool=pool)
    emit(result.render(printing.form), printing.output)
