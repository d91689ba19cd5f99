"""Weights & Biases: figures, the report as an artifact, the signature in the configuration."""

from contextlib import nullcontext
from typing import Any

import wandb

from chronoscore.api.scores import ScoreResult
from chronoscore.integrations.trackers import REPORT, SIGNATURE, finite_figures, written_report


def log(result: ScoreResult, **options: Any) -> None:
    """Log a result to the active run, or to a new one that `options` of `wandb.init` describe.

    Tags of W&B are too short for a signature, so it stands in the run's configuration.
    """
    started = wandb.run is None
    with wandb.init(**options) if started else nullcontext(wandb.run) as run:
        run.log(finite_figures(result))
        run.config.update({SIGNATURE: result.signature}, allow_val_change=True)
        artifact = wandb.Artifact(REPORT, type="report")
        with written_report(result) as report:
            artifact.add_file(str(report), policy="mutable")
            run.log_artifact(artifact)
            if started:
                run.finish()
