"""Reading rules in force: encodings and the order of day and month, for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chronoscore.dates import day_order
from chronoscore.formats.io.decoding import decode_as
from chronoscore.formats.io.files import keep_files
from chronoscore.options import ReadingRules


@contextmanager
def follow(
    rules: ReadingRules, kept: dict[Path, bytes] | None = None, *, look: bool = False
) -> Iterator[None]:
    """Read files by the rules; `kept` holds what was read already.

    A `look` says nothing about characters that were replaced: the reader will.
    """
    with (
        decode_as(rules.encoding, rules.encoding_errors, quiet=look),
        day_order.assume(rules.date_order),
        keep_files({} if kept is None else kept),
    ):
        yield
