"""Does a measure notice what it should? Damaged timelines and what measures make of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import get_args

from chronoscore.api.results import TableResult
from chronoscore.checks import (
    Outcome,
    Reaction,
    choose_alterations,
    list_checks,
    react_as_judged,
    run_alterations,
)
from chronoscore.checks import run_checks as run_checks
from chronoscore.checks.alterations import Alteration
from chronoscore.core import Collection, Timeline
from chronoscore.data.arguments import Measures, References
from chronoscore.data.choice import as_measures
from chronoscore.data.references import as_collection
from chronoscore.data.values import as_list, as_path
from chronoscore.errors import DataError, UsageError, WrongTypeError, check_choice
from chronoscore.formats.corpora import articles as article_files
from chronoscore.formats.io import layout
from chronoscore.formats.judgements import nugget_files
from chronoscore.measures import Measure
from chronoscore.measures.compat import compatible_measure as compatible
from chronoscore.measures.units.nuggets import NuggetMeasure
from chronoscore.options import Compat
from chronoscore.options.checks import Altering
from chronoscore.reports import matrix
from chronoscore.reports.checks import VIEW, Outcomes
from chronoscore.scoring import Progress
from chronoscore.workers import Workers

USUAL = ("concat", "agreement", "align", "align+", "align+m1")
"""The five measures of the paper."""
SHIFTS = (1, 5)
"""Days by which all dates are moved."""


class CheckResult(TableResult[Outcomes]):
    """What each measure made of each damage, with a verdict."""

    def faults(self, *, known: bool = False) -> list[Outcome]:
        """The failed expectations; those that a measure states itself only if `known`."""
        return [one for one in self.data.outcomes if one.fault and (known or not one.known)]


def check(
    measures: Measures = USUAL,
    timelines: References | None = None,
    *,
    articles: str | PathLike[str] | None = None,
    shifts: int | Sequence[int] = SHIFTS,
    damages: str | Sequence[str] = (),
    share: float = Altering.share,
    seed: int = Altering.seed,
    judged: str | PathLike[str] | None = None,
    compat: Compat | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> CheckResult:
    """Damage timelines in known ways and see which measures notice.

    Every timeline is compared with damaged copies of itself: a date removed or added, two
    merged, all shifted, texts swapped, split, duplicated, shuffled or halved. `articles` is a
    folder with DIR/TOPIC/articles.jsonl, from which an added day is taken.

    With `damages` ("all", "harm", "harmless", or names as "numbers" and "synonyms") a `share` of
    each timeline is altered instead, where the `seed` says, and the result is a matrix: which
    measure notices what is false, and which punishes what is harmless. `judged` is what a judge
    made of the same copies (`write_copies`), for the measures of `nuggets`.
    """
    if timelines is None:
        raise DataError("there is no timeline to damage; give at least one that has entries")
    if compat is not None:
        check_choice(compat, get_args(Compat), "compat")
    days = _whole_days(as_list(shifts))
    chosen, how = choose_alterations(as_list(damages)), Altering(share=share, seed=seed)
    if chosen and tuple(days) != SHIFTS:
        raise UsageError("`shifts` is for the checks without `damages`; leave one of them out")
    if not chosen:
        _refuse_alterations(how, judged)
    asked = as_measures(measures)
    if not asked:
        raise UsageError("no measure was given; name at least one, as in 'align+'")
    labels: dict[Measure, str] = {}
    for measure in asked:
        labels.setdefault(compatible(measure, compat) if compat else measure, str(measure))
    used = [*labels]
    topics = as_collection(timelines, Timeline, repeated="last" if compat else "merge")
    if articles is not None:
        topics = _with_articles(topics, as_path(articles, "folder of articles"))
    with Workers(jobs=jobs).executor() as executor:
        if chosen:
            own = [one for one in used if not isinstance(one, NuggetMeasure)]
            run = partial(run_alterations, own, topics, chosen, how)
            reactions = run(executor=executor, progress=progress) if own else []
            reactions += _judged_reactions(used, judged, chosen)
            found = matrix.Matrix(_in_order(reactions, chosen, used), labels, compat, how)
            return CheckResult(found, matrix.VIEW)
        outcomes = run_checks(used, topics, list_checks(days), executor=executor, progress=progress)
    return CheckResult(Outcomes(tuple(outcomes), labels, compat), VIEW)


def _in_order(
    reactions: Sequence[Reaction], chosen: Sequence[Alteration], used: Sequence[Measure]
) -> tuple[Reaction, ...]:
    """Reactions by damage, those of a damage in the order in which measures were asked for."""
    names = [one.name for one in chosen]
    return tuple(
        sorted(reactions, key=lambda one: (names.index(one.test), used.index(one.measure)))
    )


def _refuse_alterations(how: Altering, judged: str | PathLike[str] | None) -> None:
    """Refuse what is of use with `damages` only."""
    if how != Altering():
        raise UsageError("`share` and `seed` are for `damages`; add `damages=all`")
    if judged is not None:
        raise UsageError("`judged` is for `damages`; add `damages=all`")


def _judged_reactions(
    used: Sequence[Measure], judged: str | PathLike[str] | None, chosen: Sequence[Alteration]
) -> list[Reaction]:
    """What a judge made of the damages, by the measures of nuggets that were asked for."""
    measures = [one for one in used if isinstance(one, NuggetMeasure)]
    if judged is None:
        if measures:
            raise UsageError(f"measure '{measures[0]}' needs `judged`, a file of judged copies")
        return []
    if not measures:
        raise UsageError("`judged` is for a measure of nuggets; add 'nuggets.all_strict'")
    path = as_path(judged, "file of judged copies")
    file = nugget_files.load(path)
    try:
        return react_as_judged(measures, file.topics, file.runs, chosen)
    except DataError as error:
        raise DataError(str(error), place=path) from None


def _whole_days(shifts: Sequence[int]) -> Sequence[int]:
    """The numbers of days to shift by."""
    for days in shifts:
        if isinstance(days, bool) or not isinstance(days, int):
            raise WrongTypeError(f"shift {days!r}: must be an integer number of days")
    return shifts


def _with_articles(topics: Collection, folder: Path) -> Collection:
    """The topics with their articles, where the folder has any."""
    files = {topic.id: layout.article_file(folder, topic.id) for topic in topics}
    if not any(files.values()):
        raise DataError("no articles.jsonl for any topic; name folders after topics", place=folder)
    found = {
        name: replace(topics.topics[name], documents=tuple(article_files.load(file)))
        for name, file in files.items()
        if file is not None
    }
    return Collection({**topics.topics, **found}, topics.name)
