"""What models return, as it is scored: texts, chat messages, nothing at all."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from chronoscore.api.scores import ScoreResult
from chronoscore.api.scoring import score
from chronoscore.core import Output, Ranking, Summary, Timeline
from chronoscore.data.arguments import Measures
from chronoscore.data.values import as_timeline, has_date_keys
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type, warn
from chronoscore.stats.corpus import Average

SYSTEM = "completions"
"""The name of the system in results."""


def as_answer(completion: Any, where: str = "completion") -> Any:
    """A completion as it is scored: a text, or a timeline that was read before.

    Of chat messages the last by the assistant counts, of its parts the texts. Without any there
    is an empty text.

    >>> as_answer([{"role": "user", "content": "When?"}, {"role": "assistant", "content": "Now."}])
    'Now.'
    """
    if completion is None:
        return ""
    if isinstance(completion, str | Summary) or is_one_timeline(completion):
        return completion
    if isinstance(completion, Mapping) and "content" in completion:
        return _join_parts(completion["content"], where)
    if isinstance(completion, list | tuple) and all(_is_message(one) for one in completion):
        answers = [one for one in completion if one.get("role", "assistant") == "assistant"]
        return as_answer(answers[-1], where) if answers else ""
    raise WrongTypeError(
        f"{describe_type(completion)} is not a completion; give a text or chat messages",
        place=where,
    )


def score_completions(
    completions: Sequence[Any], references: Sequence[Any], measures: Measures | None
) -> ScoreResult:
    """Score completions, each against its own references, as one system's topics.

    A completion that cannot be read scores as an empty one.
    """
    if len(completions) != len(references):
        raise DataError(
            f"{len(completions)} completions and {len(references)} references; give one for each"
        )
    width = len(str(len(completions)))
    names = [f"{number:0{width}}" for number in range(1, len(completions) + 1)]
    answers = [as_answer(one, f"completion {n}") for n, one in enumerate(completions, 1)]
    known = dict(zip(names, references, strict=True))
    try:
        return score({SYSTEM: dict(zip(names, answers, strict=True))}, known, measures)
    except DataError:
        faults = [find_fault(one) for one in answers]
        if not any(faults):
            raise
    count = sum(map(bool, faults))
    warn(
        f"{count} of {len(answers)} completions cannot be read and score as empty ones",
        kind="answers",
    )
    answers = ["" if fault else one for one, fault in zip(answers, faults, strict=True)]
    return score({SYSTEM: dict(zip(names, answers, strict=True))}, known, measures)


def find_fault(answer: Any) -> str:
    """Why an answer cannot be read as a timeline, if it cannot; an empty one can."""
    try:
        as_timeline(answer, "completion", report=lambda notes: None)
    except DataError as error:
        return str(error)
    return ""


def is_one_timeline(value: Any) -> bool:
    """Whether a value is a single timeline and no set of topics."""
    return isinstance(value, Timeline) or (isinstance(value, Mapping) and has_date_keys(value))


def is_blank(output: Output) -> bool:
    """Whether an output says nothing, as one that could not be read."""
    return not isinstance(output, Ranking) and not any(str(s).strip() for s in output.sentences)


def name_answer(answer: Any, reference: Any) -> tuple[Any, Any]:
    """One answer and its reference as a system and as topics."""
    return {"answer": {"answer": as_answer(answer)}}, {"answer": reference}


def named_figures(result: ScoreResult) -> dict[str, float]:
    """Each figure by name, with the ends of its interval; systems are named if there are more.

    >>> result = score_completions(["- 2031-03-12: It broke."], [{"2031-03-12": "Dam"}], "dates.f")
    >>> named_figures(result)
    {'dates.f': 1.0, 'dates.f.low': nan, 'dates.f.high': nan}
    """
    found: dict[str, float] = {}
    for one in result.averages:
        name = one.measure.heading(one.part)
        name = name if len(result.systems) == 1 else f"{one.system}/{name}"
        found |= {name: one.value, f"{name}.low": one.low, f"{name}.high": one.high}
    return found


def explain_points(result: ScoreResult, one: Average) -> str:
    """Where the points of a system's figure went, and where those of its worst topic."""
    rows = [row for row in result.rows() if (row["system"], row["part"]) == (one.system, one.part)]
    direction = one.measure.direction(one.part)
    worst = min(rows, key=lambda row: direction * float(str(row["value"])))
    told = []
    # Not every measure has an account and an explanation.
    with suppress(UsageError):
        told.append(str(result.losses(one.measure.title)))
    with suppress(UsageError):
        told.append(str(result.explain(one.system, str(worst["topic"]), one.measure.title)))
    return "\n".join(told)


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and ("content" in value or "role" in value)


def _join_parts(content: Any, where: str) -> str:
    """The text of a message whose content may come in parts."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list | tuple):
        texts = [one.get("text") if isinstance(one, Mapping) else one for one in content]
        return "".join(one for one in texts if isinstance(one, str))
    raise WrongTypeError(f"{describe_type(content)} is not the content of a message", place=where)
