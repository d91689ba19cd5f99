"""One page about scores: leaderboard, topics, days, explanations."""

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

from chronoscore.api.ceiling import mean_shares
from chronoscore.api.losses import FIRST_RUN, find_difference
from chronoscore.api.scoring import SCORE_OPTIONS, ScoreOptions, score
from chronoscore.core import Run
from chronoscore.data.arguments import Measures, References, Systems
from chronoscore.data.coverage import runs_to_show
from chronoscore.data.values import as_path
from chronoscore.errors import UsageError
from chronoscore.explanations.accounts import Accounting, LossAccount
from chronoscore.explanations.day_differences import CountedDays
from chronoscore.explanations.differences import SystemDifference
from chronoscore.explanations.event_differences import ToldEvents
from chronoscore.formats.io.files import check_target, write_text
from chronoscore.options.declare import accepts
from chronoscore.progress import announce
from chronoscore.reports.score_page import Contents, Share, score_page
from chronoscore.stats.corpus_tests import PartComparison

if TYPE_CHECKING:
    from chronoscore.api.scores import ScoreResult

TRIALS = 9999
"""As many as `compare` makes."""


ALL_PAIRS = 12
"""Systems up to which all pairs are compared in the page; of more, the best with the others."""
WITH_DAYS = 12
"""Pairs of the best system whose days a page shows side by side where there are more systems."""


def contents_of(
    result: "ScoreResult",
    *,
    title: str = "",
    command: str = "",
    noticed: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Contents:
    """What the page shows: the result, its comparisons and its shares of ceilings."""
    compared: Sequence[PartComparison] = ()
    notes = result.notes
    if result.scores.nested and result.data is not None:
        notes = (*notes, f"{FIRST_RUN}, and so are explanations")
    if len(result.systems) > 1:
        with warnings.catch_warnings():
            # The page's first card says so if no difference can be significant.
            warnings.simplefilter("ignore")
            try:
                compared = result.compare(trials=enough_trials(result)).compared
            except UsageError as error:
                if result.data is not None:
                    raise
                # Saved scores may lack what their averaging rule needs for a test.
                notes = (*notes, f"The systems are not compared: {error}.")
    shares = []
    for one in result.ceilings:
        found = mean_shares(one, result.scores, result.averages)
        reached = {system: share for system, (share, _) in found.items()}
        shares.append(Share(one.measure, one.part, one.kind, reached))
    contents = Contents(
        scores=result.scores,
        averages=result.averages,
        resampling=result.resampling,
        compared=compared,
        shares=shares,
        collection=result.collection,
        runs=result.runs,
        notes=notes,
        warnings=noticed,
        command=command,
        title=title,
        spreads=result.spreads(),
        certificates=result.certificates,
        published=next(iter(result.tables())) if result.published else None,
    )
    return contents if result.data is None else _account_for_losses(result, contents)


def _account_for_losses(result: "ScoreResult", contents: Contents) -> Contents:
    """Where the points of the measures went, and why systems differ."""
    collection, runs = result.texts("account for losses")
    runs = [run for run in runs if not run.human]
    accounting, accounts = Accounting(collection, runs, result.resampling), []
    for board in contents.boards:
        with suppress(UsageError):
            accounts.append(accounting.of(board.measure, board.part))
    contents = replace(contents, accounts=tuple(accounts))
    runs = runs_to_show(runs)
    few = len(runs) <= ALL_PAIRS
    differences = [
        one
        for place, account in enumerate(accounts if few else accounts[:1])
        for one in _compare_pairs(result, contents, account, runs, with_days=place == 0)
    ]
    return replace(contents, differences=tuple(differences))


def _compare_pairs(
    result: "ScoreResult",
    contents: Contents,
    account: LossAccount,
    runs: Sequence[Run],
    *,
    with_days: bool,
) -> Iterator[SystemDifference]:
    """Why systems differ: all pairs of a few, of many the best with the others."""
    collection, _ = result.texts("account for losses")
    by_name = {run.system: run for run in runs}
    order = [name for name in contents.order(account.measure) if name in by_name]
    many = len(runs) > ALL_PAIRS
    # The pairs of the best system come first.
    pairs = islice(combinations(order, 2), len(order) - 1 if many else None)
    shown = order[: WITH_DAYS + 1 if many else None] if with_days else []
    counted = CountedDays.of(collection, [by_name[name] for name in shown], account.account)
    told = ToldEvents.of(collection, [by_name[name] for name in shown], account.account)
    for a, b in pairs:
        here = a in shown and b in shown
        days = counted.find(a, b) if here else ()
        events = told.find(a, b) if here else ()
        yield find_difference(result, account, (a, b), days, events)


def enough_trials(result: "ScoreResult") -> int:
    """Trials of the randomization test: with many systems more, or Holm's correction hides all."""
    pairs = math.comb(len(result.systems), 2)
    return max(TRIALS, math.ceil(2 * pairs / (1 - result.resampling.level)))


def write_report(result: "ScoreResult", path: Path) -> Path:
    """Write the page and return where it is."""
    write_text(path, score_page(contents_of(result)))
    return path


@accepts(*SCORE_OPTIONS)
def report(
    systems: Systems,
    references: References | None = None,
    measures: Measures | None = None,
    *,
    path: str | PathLike[str] = "report.html",
    title: str = "",
    command: str = "",
    **options: Unpack[ScoreOptions],
) -> Path:
    """Score systems and write an HTML report to `path`; takes what `score` takes.

    The page has a leaderboard with intervals and ties, every topic, the dates covered and missed,
    and an explanation of each score. It is one file and needs no network.
    """
    target = check_target(as_path(path))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = score(systems, references, measures, **options)
    for one in caught:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    noticed = {str(one.message): getattr(one.message, "details", ()) for one in caught}
    contents = contents_of(result, title=title, command=command, noticed=noticed)
    text = score_page(contents)
    announce(f"writing {target.name}")
    write_text(target, text)
    return target
