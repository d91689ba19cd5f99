"""A metric of Hugging Face evaluate: `load().compute(predictions=…, references=…)`."""

from typing import Any

import evaluate
from datasets import Features, Sequence, Value

from chronoscore.data.arguments import Measures
from chronoscore.integrations.completions import named_figures, score_completions

TEXT = Value("string")


class CompletionMetric(evaluate.Metric):
    """Scores timelines and texts; each prediction has a reference or several.

    `compute(…, measures=["align+", "dates.f"])` chooses what is computed. The figures and their
    intervals over predictions are those of `score`, each prediction being a topic.
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description="Timelines and texts, scored by chronoscore.",
            citation="",
            features=[
                Features({"predictions": TEXT, "references": Sequence(TEXT)}),
                Features({"predictions": TEXT, "references": TEXT}),
            ],
        )

    def _compute(
        self, predictions: list[str], references: list[Any], measures: Measures | None = None
    ) -> dict[str, float | str]:
        result = score_completions(predictions, references, measures)
        return {**named_figures(result), "signature": result.signature}


def load() -> CompletionMetric:
    """The metric; nothing is downloaded."""
    return CompletionMetric()
