"""Logs of judging: who did something for which topic, and when.

JSON Lines with a row for every action, ``{"topic": …, "judge": …, "time": …}``; the time is
ISO 8601 or seconds since 1970. What was done does not matter, only that work was going on.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.formats.io.files import text_lines
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error


class LoggedAction(msgspec.Struct):
    """One row; other keys are ignored."""

    topic: str
    judge: str
    time: str | float


def load(path: Path) -> Mapping[tuple[str, str], list[float]]:
    """The moments of every judge's actions for every topic."""
    decoder = msgspec.json.Decoder(LoggedAction)
    moments: dict[tuple[str, str], list[float]] = {}
    for number, line in text_lines(path):
        if not line.strip():
            continue
        try:
            action = decoder.decode(line)
            moment = clock.parse_seconds(action.time)
        except UNREADABLE as error:
            raise DataError(
                f'{describe_json_error(error)}; write {{"topic": "…", "judge": "…", "time": "…"}}',
                place=f"{path}:{number}",
            ) from None
        except DataError as error:
            raise error.at(f"{path}:{number}") from None
        moments.setdefault((action.topic, action.judge), []).append(moment)
    return moments
