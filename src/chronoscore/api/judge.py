"""A language model as one more judge, in the same files as people."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

from chronoscore.api.results import Result, Section
from chronoscore.core import Row
from chronoscore.data.arguments import References, Systems
from chronoscore.data.sources import JudgedSources, Sources
from chronoscore.data.values import as_path
from chronoscore.errors import DataError, UsageError, WrongTypeError, check_text, describe_type
from chronoscore.formats.io.files import read_text
from chronoscore.judging.counts import RequestCounts, RequestEstimate, Watch
from chronoscore.judging.jobs import Job, JudgedFile, Settings, count_abstentions
from chronoscore.judging.prompts import Prompt
from chronoscore.judging.registry import JUDGES
from chronoscore.judging.session import Session, open_session
from chronoscore.options.declare import accepts, or_default, sort_keywords
from chronoscore.options.judging import JudgeInputs, PairUnit, RequestOptions
from chronoscore.reports.tables import Cell, Table


@dataclass(frozen=True, kw_only=True)
class JudgeResult(Result):
    """What a model judged, how, and how often it gave no usable answer.

    Of a dry run there are no judgements, only the `estimate` of what it would send.
    """

    title: ClassVar[str] = "Machine judge"

    settings: Settings
    items: int
    judged: JudgedFile | None = None
    abstentions: Mapping[str, int] = field(default_factory=dict)
    """How many items have no verdict, by reason."""
    counts: RequestCounts = field(default_factory=RequestCounts)
    by_rule: int = 0
    """How many items were decided without asking."""
    rule: str = ""
    estimate: RequestEstimate | None = None
    prompt: Prompt | None = None
    """The first request of a dry run."""

    @property
    def abstained(self) -> int:
        """How many items have no verdict."""
        return sum(self.abstentions.values())

    def rows(self) -> Sequence[Row]:
        """Flat records, one for each judgement; one of all figures for a dry run."""
        if self.judged is not None:
            return self.judged.rows()
        assert self.estimate is not None
        known = {name: one for name, one in asdict(self.estimate).items() if one is not None}
        return [{"items": self.items, **known}]

    def sections(self) -> Sequence[Section]:
        """What was asked and answered, or would be asked."""
        cells = [(name, str(value)) for name, value in self.settings["judge"].items()]
        notes: tuple[str, ...] = ()
        if self.estimate is not None:
            for name, value in self.rows()[0].items():
                form = ",.2f" if isinstance(value, float) else ","
                form = ".2g" if isinstance(value, float) and 0 < value < 1 else form
                cells.append((name.replace("_", " "), format(value, form)))
            notes = (
                "tokens: requests with their schemas, about a quarter of the characters; answer "
                "tokens: short answers; repairs and reasoning come on top",
            )
        else:
            cells.append(("items asked about", f"{self.items:,}"))
            cells += [(self.rule, f"{self.by_rule:,}")] if self.by_rule else []
            cells.append(("abstentions", f"{self.abstained:,}"))
            cells += ((f"because {why}", f"{count:,}") for why, count in self.abstentions.items())
            cells.append(("invented ids refused", f"{self.counts.invented:,}"))
        rows = tuple((Cell(name), Cell(value)) for name, value in cells)
        return [("", Table(self.title, ("", ""), rows, notes))]

    def describe(self) -> str:
        """What was judged, in one line."""
        judged = f"{self.items - self.abstained:,} of {self.items:,} items judged"
        parts = [f"{judged}, {self.abstained:,} abstentions"]
        if self.abstentions:
            reason, count = max(self.abstentions.items(), key=lambda one: one[1])
            parts[0] += f" ({count:,} because {reason})"
        if self.counts.invented:
            parts.append(f"{self.counts.invented:,} invented ids refused")
        if self.by_rule:
            parts.append(f"{self.by_rule:,} {self.rule}")
        return "; ".join(parts)

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the judgements as a .jsonl file of their own format, or the table otherwise."""
        file = as_path(path)
        if form is None and file.suffix == ".jsonl" and self.judged is not None:
            self.judged.save(file, self.settings)
            return
        super().save(path, form)


class JudgeKeywords(TypedDict, total=False):
    """Further keywords of `judge`, for type checkers."""

    references: References | None
    nuggets: JudgedSources | None
    units: JudgedSources | None
    documents: Sources | None
    make: bool
    within: int | None
    evidence: int
    unit: PairUnit
    claims: bool
    ignore_dates: bool


@accepts(JudgeInputs)
def judge(
    task: str,
    inputs: Systems | References | JudgedSources,
    *,
    model: str,
    endpoint: str | None = None,
    output: str | PathLike[str] | None = None,
    author: str = "model",
    batch: int | None = None,
    options: RequestOptions | None = None,
    dry_run: bool = False,
    announce: Callable[[str], None] | None = None,
    watch: Watch | None = None,
    **more: Unpack[JudgeKeywords],
) -> JudgeResult:
    """Let a language model judge; the files are those that human judgements come in.

    `link`: which events each sentence of judged topics tells. `nuggets`: how far outputs support
    each of the `nuggets`, or, with `make`, the nuggets of references. `units`: which content units
    the sentences of a source express, or outputs with `units`. `pairs`: do entries of outputs and
    `references` tell the same event. `facts`: are the entries of outputs supported by the
    `documents`, with the most similar sentences `within` so many days as evidence. Installed
    packages may bring further tasks.

    `endpoint` is any OpenAI-compatible address; it and `batch` may also be given in `options`. The
    key comes from the environment variable CHRONOSCORE_API_KEY or OPENAI_API_KEY. `output` is the
    file to write; answers are kept beside it, unless `options` name another cache. `dry_run` only
    counts what would be sent.
    """
    if not isinstance(task, str):
        raise WrongTypeError(f"{describe_type(task)} is not a task; give text")
    check_text("model", model)
    check_text("author", author)
    if not model or not author:
        raise UsageError("a judge has a model and a name; give both")
    chosen = JUDGES.find(task)
    target = None if output is None else as_path(output, "output")
    (sources,) = sort_keywords(more, JudgeInputs)
    own = {"endpoint": endpoint, "batch": batch}
    asking = _override(or_default(options, RequestOptions), own, target)
    if sources.make and asking.votes > 1:
        raise UsageError("votes are for judgements; make nuggets with one")
    session = open_session(model, asking, announce, watch, dry_run=dry_run)
    job = reword(chosen.job(inputs, sources, batch=asking.batch, author=author), asking)
    if dry_run:
        planned = session.estimate(job.questions)
        settings = judge_settings(job, session, author)
        first = session.arrange(job.questions[0], 0).prompt if job.questions else None
        return JudgeResult(settings=settings, items=job.items, estimate=planned, prompt=first)
    result = _run_job(job, session, author)
    if target is not None and result.judged is not None:
        result.judged.save(target, result.settings)
    return result


def _override(options: RequestOptions, own: dict[str, Any], output: Path | None) -> RequestOptions:
    """The options with what a call gave by itself; the cache is beside the output by default."""
    if options.cache is None and output is not None:
        own["cache"] = output.with_suffix(".answers.sqlite")
    return replace(options, **{name: value for name, value in own.items() if value is not None})


def reword(job: Job, options: RequestOptions) -> Job:
    """The job with users' guidelines or instruction, and asked how sure the model is."""
    if options.guidelines is None and options.prompt is None and not options.confidence:
        return job
    rubric = replace(job.rubric, confidence=options.confidence)
    if options.prompt is not None:
        rubric = replace(rubric, instruction=_text_of(options.prompt), dates="")
    if options.guidelines is not None:
        rubric = replace(rubric, guidelines=_text_of(options.guidelines))
    return job.reworded(rubric)


def _text_of(path: str | PathLike[str]) -> str:
    """The text of a file, which says something."""
    text = read_text(as_path(path)).strip()
    if not text:
        raise DataError("is empty; write what judges are told", place=path)
    return text


def judge_settings(job: Job, session: Session, author: str) -> Settings:
    """How judgements are made, as the header of their file says it."""
    made = {
        "task": job.rubric.name,
        "author": author,
        "model": session.model,
        "prompt": job.rubric.digest,
        "temperature": session.options.temperature,
        "votes": session.options.votes,
    }
    if not job.rubric.ordered:
        made["order_seed"] = session.options.seed or 0
    if session.temperature_refused:
        made |= {"temperature": None, "temperature_refused": session.options.temperature}
    return {"judge": made}


def _run_job(job: Job, session: Session, author: str) -> JudgeResult:
    """Ask all questions of a job, and make the file of the answers."""
    outcomes = job.settle(session.ask_all(job.questions))
    return JudgeResult(
        settings=judge_settings(job, session, author),
        items=job.items,
        judged=job.finish(outcomes),
        abstentions=dict(count_abstentions(outcomes).most_common()),
        counts=session.counts,
        by_rule=job.by_rule,
        rule=job.rule,
    )
