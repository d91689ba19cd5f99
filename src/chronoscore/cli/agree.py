"""`chronoscore agree`: how far can the judgements themselves be trusted?"""

from pathlib import Path
from typing import Any

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit
from chronoscore.errors import UsageError


@click.command()
@click.argument("judgements", nargs=-1, required=True, type=options.file, metavar="JUDGEMENTS...")
@options.printing
@click.option("--events", is_flag=True, help="Show every event, not only with a single topic.")
@click.option("--log", type=options.file, help="JSON Lines of topic, judge and time: the hours.")
@click.option("--z", type=int, help="Units that nobody chose; else the file's or an estimate.")
@click.option("--pool", type=int, help="Candidates that both matchers saw; else all they list.")
def command(judgements: tuple[Path, ...], **chosen: Any) -> None:
    """Say how far judges, writers and matchers agree.

    JUDGEMENTS are files in chronoscore's judgements format, directories that hold some, or
    what else `score --judgements` reads.
    For streams: what the verifier accepted and how far the judges overlapped, event by event
    and topic by topic, the size of the corpus and two balanced halves. For content units:
    weights, the shape of the pyramid, and every split of the writers into two teams with grey
    share and Krippendorff's alpha. Two files with units of the same topic are two matchers.

    \b
    chronoscore agree corpus/
    chronoscore agree units.jsonl judgements.jsonl -f md
    chronoscore agree matched.jsonl rematched.jsonl --pool 2066
    """
    for name in ("z", "pool"):
        if chosen[name] is not None and chosen[name] < 0:
            raise UsageError(f"--{name} {chosen[name]}: write 0 or more")
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.judged_files import gather, hours_log
    from chronoscore.cli.work import ROW_FORMATS, drawn
    from chronoscore.report import agreement as said
    from chronoscore.report.page import page
    from chronoscore.stats.corpora import study_streams
    from chronoscore.stats.matching import study_matching
    from chronoscore.stats.teams import study_units

    found = gather(judgements)
    streams = study_streams(found.topics.values(), hours_log(chosen["log"], found))
    units = [
        study_units(topic, topic.pyramid, unchosen=chosen["z"])
        for topic in found.topics.values()
        if topic.pyramid is not None
    ]
    matching = [
        study_matching(topic, matchers[0], other, pool=chosen["pool"])
        for topic, matchers in found.matchers.items()
        for other in matchers[1:]
    ]
    form = chosen["form"]
    if form in ROW_FORMATS:
        rows = [*said.stream_rows(streams)]
        rows += [row for each in units for row in said.unit_rows(each)]
        rows += [row for each in matching for row in said.matching_rows(each)]
        emit(ROW_FORMATS[form](rows), chosen["output"])
        return
    tables = said.tables(streams, units, matching, events=chosen["events"])
    if form == "html":
        emit(page("Agreement", [("", table) for table in tables]), chosen["output"])
    else:
        emit("\n".join(drawn(table, form) for table in tables), chosen["output"])
