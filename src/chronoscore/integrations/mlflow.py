"""MLflow: figures as metrics, the report as an artifact, the signature as a tag."""

import re
from contextlib import nullcontext
from typing import Any

import mlflow

from chronoscore.api.scores import ScoreResult
from chronoscore.errors import UsageError
from chronoscore.integrations.trackers import SIGNATURE, finite_figures, written_report


def log(result: ScoreResult, **options: Any) -> None:
    """Log a result to the active run, or to a new one that `options` of `start_run` describe."""
    figures: dict[str, float] = {}
    for name, value in finite_figures(result).items():
        # Names may hold only letters, digits and some marks.
        allowed = re.sub(r"[^\w.\-/ ]", "_", name.replace("+", "plus"))
        if allowed in figures:
            raise UsageError(f"two figures would be named '{allowed}' in MLflow; log one of them")
        figures[allowed] = value
    with mlflow.start_run(**options) if mlflow.active_run() is None else nullcontext():
        mlflow.log_metrics(figures)
        mlflow.set_tag(SIGNATURE, result.signature)
        with written_report(result) as report:
            mlflow.log_artifact(str(report))
