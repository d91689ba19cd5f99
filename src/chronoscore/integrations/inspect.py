"""A scorer and a metric of Inspect: the targets of a sample are its references."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from chronoscore.api.scoring import score
from chronoscore.core import Timeline
from chronoscore.integrations.completions import (
    SYSTEM,
    explain_points,
    find_fault,
    named_figures,
    score_completions,
)


@metric(scores="unreduced")
def figure() -> Metric:
    """The corpus figure with its interval over samples, as `score` gives it.

    Epochs are runs of the system: a topic's figure is their mean.
    """

    def compute(scores: list[SampleScore]) -> Value:
        if not scores:
            return {}
        runs, references = _gather(scores)
        measure = (scores[0].score.metadata or {})["measure"]
        answers: Any = runs["run-1"] if len(runs) == 1 else runs
        return dict(named_figures(score({SYSTEM: answers}, references, measure)))

    return compute


@scorer(metrics=[figure()])
def timeline(measure: str = "align+.f") -> Scorer:
    """Score a completion against the sample's targets by a measure.

    The explanation says where the points went. An answer that cannot be read scores as an empty
    one.
    """

    async def compute(state: TaskState, target: Target) -> Score:
        answer, references = state.output.completion, list(target.target)
        result = score_completions([answer], [references], measure)
        found = result.averages[-1]
        fault = find_fault(answer) if found.measure.needs is Timeline else ""
        return Score(
            value=found.value,
            answer=answer,
            explanation="\n".join(filter(None, [fault, explain_points(result, found)])),
            metadata={
                "measure": measure,
                "references": references,
                "signature": result.signature,
                "read": "" if fault else answer,
            },
        )

    return compute


def _gather(scores: Sequence[SampleScore]) -> tuple[dict[str, dict[str, str]], dict[str, Any]]:
    """The answers by epoch and sample, and the references by sample."""
    runs: dict[str, dict[str, str]] = {}
    references: dict[str, Any] = {}
    for number, one in enumerate(scores, 1):
        topic = str(number if one.sample_id is None else one.sample_id)
        data = one.score.metadata or {}
        epoch = 1 + sum(topic in answers for answers in runs.values())
        runs.setdefault(f"run-{epoch}", {})[topic] = data["read"]
        references[topic] = data["references"]
    return runs, references
