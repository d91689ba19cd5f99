"""The compiled kernel, where it was built: which engine counts, and who may choose.

Every figure is the same with it and without it. `CHRONOSCORE_ENGINE=python` leaves it out, and
`CHRONOSCORE_ENGINE=c` insists on it.
"""

import os
from types import ModuleType
from typing import TYPE_CHECKING

from chronoscore.errors import UsageError, did_you_mean

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

BULK_INTERFACE = 2
"""The same for the functions of `_bulk.c`."""

if compiled_bulk is not None and getattr(compiled_bulk, "INTERFACE", 0) != BULK_INTERFACE:
    compiled_bulk = None  # type: ignore[assignment]

__all__ = ["ENGINES", "compiled", "compiled_bulk", "engine_name", "is_bulk_compiled", "is_compiled"]

VARIABLE = "CHRONOSCORE_ENGINE"
ENGINES = {"c": "the compiled kernel", "python": "Python and NumPy"}


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
    """Whether many records are read, and bootstrap samples drawn, by compiled code."""
    return compiled_bulk is not None and engine_name() == "c"
