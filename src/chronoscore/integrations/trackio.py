"""trackio: figures and the signature in one record, the report as an artifact."""

from typing import Any

import trackio
from trackio import context_vars

from chronoscore.api.scores import ScoreResult
from chronoscore.integrations.trackers import REPORT, SIGNATURE, finite_figures, written_report


def log(result: ScoreResult, **options: Any) -> None:
    """Log a result to the active run, or to a new one that `options` of `trackio.init` describe."""
    started = context_vars.current_run.get() is None
    if started:
        trackio.init(**{"project": "chronoscore", **options})
    try:
        trackio.log({**finite_figures(result), SIGNATURE: result.signature})
        with written_report(result) as report:
            trackio.log_artifact(str(report), name=REPORT, type="report")
    finally:
        if started:
            trackio.finish()
