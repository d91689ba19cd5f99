"""Experiment trackers that results are logged to, by name."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chronoscore.errors import UsageError, check_choice
from chronoscore.registry import load

if TYPE_CHECKING:
    from chronoscore.api.scores import ScoreResult

TRACKERS = ("mlflow", "wandb", "trackio")


def log_to_tracker(result: "ScoreResult", tracker: str, options: Mapping[str, Any]) -> None:
    """Log a result to a tracker, whose package is imported only now."""
    check_choice(tracker, TRACKERS, "tracker")
    try:
        log = load(f"chronoscore.integrations.{tracker}:log")
    except ModuleNotFoundError as error:
        if error.name != tracker:
            raise
        raise UsageError(f"{tracker} is not installed; pip install {tracker}") from None
    log(result, **options)
