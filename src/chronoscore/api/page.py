"""One page about scores: leaderboard, topics, days, explanations."""

import warnings
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.api.ceiling import mean_shares
from chronoscore.api.results import path_of
from chronoscore.formats.io.files import check_target, write_text
from chronoscore.reports.comparison import PartComparison
from chronoscore.reports.score_page import Contents, Share, score_page

if TYPE_CHECKING:
    from chronoscore.api.scores import ScoreResult


def write_report(
    result: "ScoreResult",
    path: Path,
    *,
    title: str = "",
    command: str = "",
    noticed: Sequence[str] = (),
) -> Path:
    """Write the page and return where it is."""
    compared: Sequence[PartComparison] = ()
    if len(result.systems) > 1:
        with warnings.catch_warnings():
            # The page's first card says so if no difference can be significant.
            warnings.simplefilter("ignore")
            compared = result.compare().compared
    contents = Contents(
        scores=result.scores,
        averages=result.averages,
        resampling=result.resampling,
        compared=compared,
        shares=[
            Share(
                one.measure,
                one.part,
                one.kind,
                {
                    system: share
                    for system, (share, _) in mean_shares(
                        one, result.scores, result.averages
                    ).items()
                },
            )
            for one in result.ceilings
        ],
        collection=result.collection,
        runs=result.runs,
        notes=result.notes,
        warnings=noticed,
        command=command,
        title=title,
    )
    write_text(path, score_page(contents))
    return path


def report(
    systems: Any,
    references: Any = None,
    measures: Any = None,
    *,
    path: str | PathLike[str] = "report.html",
    title: str = "",
    command: str = "",
    **options: Any,
) -> Path:
    """Score systems and write one page about it; takes what `score` takes, and `path`.

    The page has a leaderboard with intervals and ties, every topic, the days that are told and
    missed, and the explanation of each score. It is one file, which needs no network.
    """
    from chronoscore.api.scoring import score

    target = check_target(path_of(path))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = score(systems, references, measures, **options)
    for one in caught:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    noticed = list(dict.fromkeys(str(one.message) for one in caught))
    return write_report(result, target, title=title, command=command, noticed=noticed)
