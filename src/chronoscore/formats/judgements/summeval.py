"""SummEval's records: a summary with the marks of experts and crowd workers, and scores.

A record is ``{"id", "model_id", "expert_annotations": [{"coherence": 2, …}, …],
"turker_annotations": […], "metric_scores_11": {"rouge": {"rouge_1_recall": …}, …}}``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from chronoscore.errors import DataError

JUDGES = {"expert_annotations": "", "turker_annotations": "turker "}
SCORES = "metric_scores_"


def is_summeval_record(cells: Mapping[str, Any]) -> bool:
    """Whether a record is in SummEval's form."""
    return "model_id" in cells and any(key in JUDGES or key.startswith(SCORES) for key in cells)


def rename_summeval_columns(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The record's system and topic under our names."""
    return {"system": cells["model_id"], "topic": cells.get("id")}


def read_summeval_ratings(where: str, cells: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Each quality with the mean of its judges' marks."""
    for key, prefix in JUDGES.items():
        marks: dict[str, list[float]] = {}
        for number, judge in enumerate(_require_list(where, key, cells.get(key) or []), 1):
            if not isinstance(judge, dict):
                raise DataError(
                    f"'{key}' {number} is not an object; write one for each judge", place=where
                )
            for quality, mark in judge.items():
                marks.setdefault(quality, []).append(
                    _require_number(where, f"{key}.{quality}", mark)
                )
        for quality, given in marks.items():
            yield prefix + quality, sum(given) / len(given)


def read_summeval_scores(where: str, cells: Mapping[str, Any]) -> Iterator[tuple[str, str, float]]:
    """Each measure, with the number of references as its part, and its value."""
    for key, found in cells.items():
        if not key.startswith(SCORES) or not isinstance(found, dict):
            continue
        part = f"refs{key.removeprefix(SCORES)}"
        for name, value in found.items():
            nested = value.items() if isinstance(value, dict) else [(name, value)]
            for measure, score in nested:
                # One scorer wraps its number in a list; another repeats the record's id.
                score = score[0] if isinstance(score, list) and len(score) == 1 else score
                if measure != "id":
                    yield measure, part, _require_number(where, f"{key}.{measure}", score)


def _require_list(where: str, key: str, found: Any) -> list[Any]:
    """A list, or a refusal."""
    if not isinstance(found, list):
        raise DataError(f"'{key}' is not a list; write one mark for each judge in it", place=where)
    return found


def _require_number(where: str, column: str, value: Any) -> float:
    """A number as JSON has it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"'{column}': '{value}' is not a number; write one", place=where)
    return float(value)
