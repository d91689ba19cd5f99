"""Times of day as seconds since 1970 in UTC, the form in which decisions are compared."""

from datetime import UTC, datetime

from chronoscore.errors import DataError

LATEST = 253_402_300_799.0
"""The last second of the year 9999; the first of the year 1 is nearer."""


def parse_seconds(value: str | float) -> float:
    """Read ISO 8601, without a zone as UTC, or take a number as it is.

    >>> parse_seconds("1970-01-02T00:00:30")
    86430.0
    """
    if not isinstance(value, str):
        if not -62_135_596_800 <= value <= LATEST:
            raise DataError(f"time {value} is out of range; write ISO 8601 or seconds since 1970")
        return float(value)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise DataError(
            f"time '{value}' is not a time; write ISO 8601, as in 2010-06-03T14:05:00"
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def format_seconds(value: float) -> str:
    """Write ISO 8601 in UTC, with parts of a second only where there are any.

    >>> format_seconds(86430.0)
    '1970-01-02T00:00:30'
    """
    return datetime.fromtimestamp(value, UTC).replace(tzinfo=None).isoformat()
