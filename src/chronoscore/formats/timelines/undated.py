"""Records and rows without a date that can be read: dropped as long as others have one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from chronoscore.errors import DataError
from chronoscore.formats.timelines.date_values import date_kind
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline


class UndatedError(DataError):
    """An entry has no date that can be read; the others may have one."""


@contextmanager
def drop_undated(
    entries: Entries, date: Any, line: int, what: str, *, lenient: bool
) -> Iterator[None]:
    """Note a date that is not understood; one that cannot be is refused, unless `lenient`."""
    try:
        yield
    except DataError as error:
        if not lenient and date_kind(str(date)) == "wrong":
            raise
        entries.note("dropped", f"{error.message}; the {what} is dropped", line)
        raise UndatedError(error.message, place=error.place) from None


def label_groups(
    groups: Mapping[tuple[str | None, str], Entries], undated: Sequence[DataError]
) -> list[LabeledTimeline]:
    """The timelines of topics and authors; where no entry has a date, the first error counts."""
    found = [LabeledTimeline(own.timeline(by), topic) for (topic, by), own in groups.items()]
    if undated and not any(len(labeled.timeline) for labeled in found):
        raise DataError(undated[0].message, reason="date", place=undated[0].place)
    return found
