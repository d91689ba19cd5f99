"""A certificate of a machine judge: how steady it is, and what it lets pass."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, ClassVar

from chronoscore.api.judge import judge_settings, reword
from chronoscore.api.results import Result, Section
from chronoscore.core import Row
from chronoscore.data.arguments import Paths
from chronoscore.data.values import as_path, as_paths, is_missing
from chronoscore.formats.judgements import certificate_files
from chronoscore.judging import trust
from chronoscore.judging.certificates import FixedQuestion, Trials, certify_labels, plan_trials
from chronoscore.judging.counts import RequestCounts
from chronoscore.judging.jobs import Job
from chronoscore.judging.registry import JUDGES
from chronoscore.judging.session import open_session
from chronoscore.options.declare import or_default, sort_keywords
from chronoscore.options.judging import JudgeInputs, RequestOptions
from chronoscore.reports.tables import Cell, Table


@dataclass(frozen=True, kw_only=True)
class CertifyResult(Result):
    """What trials of a judge show; `figures` is what certificate.json holds."""

    title: ClassVar[str] = "Certificate of a machine judge"

    figures: Mapping[str, Any]

    @property
    def findings(self) -> Mapping[str, str]:
        """What is wrong with the judge, with the figures that show it."""
        found: Mapping[str, str] = self.figures["findings"]
        return found

    def rows(self) -> Sequence[Row]:
        """A record for each share: what it is of, of how many items, and how large."""
        flips = {f"flips: {name}": one for name, one in self.figures["flips"].items()}
        planted = {f"accepted: {name}": one for name, one in self.figures["planted"].items()}
        followed = {"followed: suggested label": self.figures["suggested"]}
        return [{"trial": name, **one} for name, one in {**flips, **planted, **followed}.items()]

    def sections(self) -> Sequence[Section]:
        """The shares, and below them the findings."""
        rows = tuple(
            (
                Cell(str(row["trial"])),
                Cell(f"{row['items']:,}"),
                Cell("–" if row["share"] is None else f"{row['share']:.1%}"),
            )
            for row in self.rows()
        )
        found = [f"{name}: {why}" for name, why in self.findings.items()]
        notes = tuple(found or ["nothing was found wrong with this judge by these trials"])
        notes = (*notes, *self._people_notes())
        tables = [("", Table(self.title, ("trial", "items", "share"), rows, notes))]
        curve = self.figures.get("calibration")
        return [*tables, ("", _curve_table(curve))] if curve else tables

    def _people_notes(self) -> Iterator[str]:
        """How far people agree, and whether the judge may replace one of them."""
        people = self.figures.get("people")
        if not people:
            return
        yield f"agrees with {people['agreement']:.0%} of {people['labels']:,} labels by people"
        if "not_tested" in people:
            yield f"no alternative-annotator test: it {people['not_tested']}"
        else:
            verdict = "may" if people["passed"] else "may not"
            yield (
                f"alternative-annotator test (ordered labels, ε {people['epsilon']:g}): {verdict} "
                f"replace a person; winning rate {people['winning_rate']:.2f}, advantage "
                f"probability {people['advantage_probability']:.2f}"
            )


def _curve_table(curve: Mapping[str, Any]) -> Table:
    """Confidence beside agreement."""
    rows = tuple(
        (
            Cell(f"{one['from']} to {one['to']}"),
            Cell(f"{one['items']:,}"),
            Cell(f"{one['confidence']:.1%}"),
            Cell(f"{one['agreement']:.1%}"),
        )
        for one in curve["curve"]
    )
    note = f"off by {curve['error']:.1%} on average; agreement with {curve['against']}"
    return Table("Calibration", ("confidence", "items", "mean", "agreement"), rows, (note,))


def certify(
    task: str,
    inputs: Any,
    *,
    model: str,
    output: str | PathLike[str] | None = None,
    people: Paths | None = None,
    options: RequestOptions | None = None,
    announce: Callable[[str], None] | None = None,
    **more: Any,
) -> CertifyResult:
    """Try a judge on a sample of a task's items: other orders, sizes, seeds, planted errors.

    `people` are files with people's labels of the same nuggets or statements: then the certificate
    has the alternative-annotator test, and confidences are held against people's labels.
    `output` is the file to write; answers are kept beside it, unless `options` name another cache.
    """
    asking = replace(or_default(options, RequestOptions), votes=1)
    target = None if output is None else as_path(output, "output")
    if asking.cache is None and target is not None:
        asking = replace(asking, cache=target.with_suffix(".answers.sqlite"))
    (sources,) = sort_keywords(more, JudgeInputs)
    job = JUDGES.find(task).job(inputs, sources, batch=asking.batch, author="model")
    job = reword(job, asking)
    labeled = {} if is_missing(people) else trust.read_people(as_paths(people))
    seed = asking.seed or 0
    trials = plan_trials(job, seed)
    session = open_session(model, asking, announce)
    trials.take(session.ask_all([question for *_, question in trials.asked]))
    settings = judge_settings(job, session, "model")
    usual = [(number, one) for trial, number, one in trials.asked if trial == "usual"]
    again = open_session(model, _rest_of(replace(asking, seed=seed + 1), session.counts), announce)
    trials.asked = [("repeat", number, one) for number, one in usual]
    trials.take(again.ask_all([FixedQuestion(one.question) for _, one in usual]))
    asked = sum(len(one.asked) for _, one in usual)
    certified = certify_labels(trials, job.rubric.labels, asked)
    figures = {
        **settings,
        **_add_trust(certified, job, trials, labeled),
        "asked": asked,
        "cost": _cost(asking, session.counts, again.counts),
    }
    if target is not None:
        certificate_files.save(target, figures)
    return CertifyResult(figures=figures)


def _add_trust(
    figures: dict[str, Any],
    job: Job,
    trials: Trials,
    people: Mapping[str, Mapping[trust.ItemName, float]],
) -> dict[str, Any]:
    """The figures with what confidences and people's labels show."""
    compared = None
    agreement, against = trust.agreement_with_itself(trials), "its own other answers"
    if people:
        named = trust.name_items(job, trials)
        compared = trust.compare_with_people(named, people)
        agreement, against = trust.agreement_with_people(named, people), "people"
    curve = trust.calibration(trials, agreement, against)
    findings = figures["findings"] | dict(trust.trust_findings(curve, compared))
    more = {"calibration": curve, "people": compared}
    return {**figures, **{name: one for name, one in more.items() if one}, "findings": findings}


def _rest_of(options: RequestOptions, used: RequestCounts) -> RequestOptions:
    """What the limits leave after so much was sent."""
    limits = {"max_requests": used.requests, "max_tokens": used.tokens}
    left = {
        name: max(0, getattr(options, name) - count)
        for name, count in limits.items()
        if getattr(options, name) is not None
    }
    return replace(options, **left)


def _cost(options: RequestOptions, *counts: RequestCounts) -> dict[str, Any]:
    """Requests and tokens that were sent now, and money where prices are given."""
    read = sum(one.tokens - one.answer_tokens for one in counts)
    written = sum(one.answer_tokens for one in counts)
    money = options.cost(read, written)
    sent = {"requests": sum(one.requests for one in counts), "read": read, "written": written}
    return sent if money is None else {**sent, "money": round(money, 4)}
