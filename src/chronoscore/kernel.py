"""The compiled kernel, where it was built: which of the two engines counts.

Every figure is the same with it and without it. `CHRONOSCORE_ENGINE=python` leaves it out, and
`CHRONOSCORE_ENGINE=c` insists on it.
"""

import os
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

from chronoscore.errors import UsageError, did_you_mean, warn

if TYPE_CHECKING:
    from chronoscore import _bulk as compiled_bulk
    from chronoscore import _kernel as compiled
else:
    try:
        from chronoscore import _kernel as compiled
    except ImportError:  # built without a compiler
        compiled: ModuleType | None = None
    try:
        from chronoscore import _bulk as compiled_bulk
    except ImportError:
        compiled_bulk: ModuleType | None = None

INTERFACE = 4
"""Counts up when the functions of the kernel change; one of another build is left out."""

if compiled is not None and getattr(compiled, "INTERFACE", 1) != INTERFACE:
    compiled = None  # type: ignore[assignment]

BULK_INTERFACE = 3
"""The same for the functions of `_bulk.c`."""

if compiled_bulk is not None and getattr(compiled_bulk, "INTERFACE", 0) != BULK_INTERFACE:
    compiled_bulk = None  # type: ignore[assignment]

__all__ = [
    "ENGINES",
    "compiled",
    "compiled_bulk",
    "engine_name",
    "is_bulk_compiled",
    "is_compiled",
    "warn_of_slow_counting",
]

VARIABLE = "CHRONOSCORE_ENGINE"
ENGINES = {"c": "the compiled kernel", "python": "plain Python"}
MANY = 20_000
"""Pairs of texts that plain Python counts without a word about it."""


def engine_name() -> str:
    """The engine that counts: `c` where the kernel was built, otherwise `python`."""
    wanted = os.environ.get(VARIABLE) or ("python" if compiled is None else "c")
    if wanted not in ENGINES:
        raise UsageError(f"{VARIABLE}={wanted}: unknown engine; {did_you_mean(wanted, ENGINES)}")
    if wanted == "c" and compiled is None:
        raise UsageError(
            f"{VARIABLE}=c: the compiled kernel was not built; install a C compiler and "
            "reinstall chronoscore, or use python"
        )
    return wanted


def is_compiled() -> bool:
    """Whether the compiled kernel counts."""
    return engine_name() == "c"


def is_bulk_compiled() -> bool:
    """Whether many records are read by compiled code."""
    return compiled_bulk is not None and engine_name() == "c"


def warn_of_slow_counting(pairs: Iterable[int]) -> None:
    """Note once for a call that the kernel would be worth having; `pairs` are added up."""
    if not is_compiled() and sum(pairs) > MANY:
        remedy = (
            "install a C compiler and reinstall chronoscore"
            if compiled is None
            else f"unset {VARIABLE}"
        )
        warn(
            f"more than {MANY:,} pairs of texts are counted in plain Python, which takes up to "
            f"40 times as long as the compiled kernel; {remedy}",
            kind="plain-engine",
        )
