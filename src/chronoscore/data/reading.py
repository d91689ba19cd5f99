"""Reading rules in force: encodings, the order of day and month, and columns, for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from chronoscore.dates import day_order
from chronoscore.formats.io.decoding import decode_as
from chronoscore.formats.timelines.fields import Named, use_named
from chronoscore.options import ReadingRules


@contextmanager
def follow(rules: ReadingRules, *, look: bool = False) -> Iterator[None]:
    """Read files by the rules.

    A `look` says nothing about characters that were replaced: the reader will.
    """
    with (
        decode_as(rules.encoding, rules.encoding_errors, quiet=look),
        day_order.assume(rules.date_order),
        use_named(Named.of(rules.columns)),
    ):
        yield
