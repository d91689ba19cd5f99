"""Figures and times as people read them."""

import math
from datetime import UTC, datetime

from chronoscore.stats.chance import ChanceCorrected

_QUOTES = frozenset('"“”„‟«»「」『』')


def moment(seconds: float) -> str:
    """A time of the log, in UTC: `12 Mar 2031 06:40`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%-d %b %Y %H:%M")


def hours(seconds: float) -> str:
    """Time at work: `1 h 52 min`."""
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def share(value: float | None) -> str:
    """A share in percent, or a dash where there is none."""
    return "–" if value is None or math.isnan(value) else f"{100 * value:.0f} %"


def figure(value: float | None, digits: int = 2) -> str:
    """A figure with this many digits, or a dash where there is none."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def interval(value: ChanceCorrected, digits: int = 2) -> str:
    """A coefficient with its interval: `0.71 [0.63, 0.78]`."""
    shown = figure(value.value, digits)
    if math.isnan(value.low):
        return shown
    return f"{shown} [{figure(value.low, digits)}, {figure(value.high, digits)}]"


def quote(text: str) -> str:
    """A text in quotation marks that do not meet the same marks in it.

    >>> quote("The dam broke"), quote("“It will hold”"), quote('"Go," he said')
    ('“The dam broke”', '“It will hold”', '‘"Go," he said’')
    """
    whole = len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES
    if whole and not _QUOTES.intersection(text[1:-1]):
        return text
    return f"‘{text}’" if _QUOTES.intersection(text) else f"“{text}”"


def without_prefix(text: str, prefix: str) -> str:
    """The end of a text that begins with something."""
    return text.removeprefix(prefix)


def clock_time(time: str, *, short: bool = False) -> str:
    """A story's time as people write it: `Wed 13 Mar 2031 08:20`, or short `13 Mar 08:20`."""
    try:
        read = datetime.fromisoformat(time)
    except ValueError:
        return time
    day = "%-d %b" if short else "%a %-d %b %Y"
    return read.strftime(f"{day} %H:%M" if "T" in time else day)
