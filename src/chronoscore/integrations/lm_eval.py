"""A metric for tasks of lm-evaluation-harness; see the example in docs/hosts.md."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chronoscore.integrations.completions import SYSTEM, score_completions

Item = tuple[Any, str]
"""References and a completion."""


class TaskMetric:
    """What a task calls: `collect` for each document, `value`, `low` and `high` for all of them.

    The references of a document stand in its field `references`. Figures are those of `score`,
    each document being a topic; a mean of single figures would be another figure.
    """

    def __init__(self, measure: str = "align+.f", *, references: str = "references") -> None:
        self.measure, self.references = measure, references
        self.names = {end: measure + end for end in ("", ".low", ".high")}

    def collect(self, document: Mapping[str, Any], results: Sequence[str]) -> dict[str, Item]:
        """The references and the completion of a document: `process_results` of the task."""
        return dict.fromkeys(self.names.values(), (document[self.references], results[0]))

    def value(self, items: Sequence[Item]) -> float:
        """The figure: the `aggregation` of the metric that is called as the measure."""
        return self._figures(items)[""]

    def low(self, items: Sequence[Item]) -> float:
        """The lower end of its interval."""
        return self._figures(items)[".low"]

    def high(self, items: Sequence[Item]) -> float:
        """The upper end of its interval."""
        return self._figures(items)[".high"]

    def metric_list(self) -> list[dict[str, Any]]:
        """The `metric_list` of a task that is written in Python."""
        rules: Mapping[str, Callable[[Sequence[Item]], float]] = {
            "": self.value,
            ".low": self.low,
            ".high": self.high,
        }
        return [
            {"metric": self.names[end], "aggregation": rule, "higher_is_better": True}
            for end, rule in rules.items()
        ]

    def _figures(self, items: Sequence[Item]) -> dict[str, float]:
        references, completions = zip(*items, strict=True)
        result = score_completions(completions, references, self.measure)
        one = result[SYSTEM, self.measure]
        return {"": one.value, ".low": one.low, ".high": one.high}
