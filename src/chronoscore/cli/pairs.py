"""Which options of a command need or exclude each other, with one sentence each."""

from collections.abc import Mapping
from typing import NamedTuple

from chronoscore.errors import UsageError


class Pair(NamedTuple):
    """Two options of a command; the sentence refuses the first one."""

    option: str
    other: str
    sentence: str


NEEDS = (
    Pair("sampled", "ppi", "`sampled` is for `ppi`; add that or leave it out"),
    Pair("drawn", "ppi", "`drawn` is for `ppi`; add that or leave it out"),
    Pair("machine", "ppi", "`machine` is for `ppi`; add that or leave it out"),
    Pair("ppi", "machine", "`ppi` combines people and a machine; name it with `machine`"),
    Pair("curve_by", "curve", "`curve_by` says how `curve` is drawn; add `curve=FILE`"),
    Pair("resume", "output", "`resume` needs `output=FILE`"),
    Pair("junit", "thresholds", "`junit` reports on `fail_under` or `fail_over`; add one"),
    Pair("strict", "fail_on_regression", "`strict` is for `fail_on_regression`; add that"),
)
"""The first option needs the other one."""
EXCLUDES = tuple(
    Pair(name, "ppi", f"`{name}` is not for `ppi`; leave one of them out")
    for name in (
        "ceiling",
        "humans",
        "jackknife",
        "curve",
        "breakdown",
        "rows",
        "per_topic",
        "detect",
    )
)
"""The first option has no meaning beside the other one."""


def check(values: Mapping[str, object]) -> None:
    """Refuse an option without the one that it needs, or beside one that excludes it."""
    given = {name for name, value in values.items() if value}
    for pair in NEEDS:
        if pair.option in given and pair.other not in given:
            raise UsageError(pair.sentence)
    for pair in EXCLUDES:
        if {pair.option, pair.other} <= given:
            raise UsageError(pair.sentence)
