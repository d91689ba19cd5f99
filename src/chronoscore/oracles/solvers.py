"""Mixed-integer programs, solved by HiGHS as SciPy carries it.

HiGHS prints to file descriptor 1, past Python's `sys.stdout`, which would put its messages
among the results. While it runs, the descriptor points to the null device.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Floats
from chronoscore.pipeline import call_in_thread

if TYPE_CHECKING:
    from scipy.sparse import csr_array


INFEASIBLE = 2
"""What SciPy's `milp` calls a program that nothing can meet."""


@dataclass(frozen=True, eq=False)
class Program:
    """Maximize gains · x, where rows · x ≤ most, 0 ≤ x ≤ upper, and x is whole where `whole`."""

    gains: Floats
    rows: "csr_array"
    most: Floats
    upper: Floats
    whole: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Solution:
    """The best values found and a bound on every solution.

    There are no values if time ran out first, or if nothing meets the rows; the bound is then
    minus infinity.
    """

    values: Floats | None
    bound: float


@dataclass(frozen=True, slots=True)
class Effort:
    """A time limit, and the relative gap between value and bound at which to stop."""

    seconds: float | None = None
    gap: float = 0.0


def solve_program(program: Program, effort: Effort = Effort()) -> Solution:
    """Solve a program without printing anything."""
    if not len(program.gains):
        return Solution(np.empty(0), 0.0)
    # scipy.optimize is slow to import; only this function pays for it.
    from scipy.optimize import Bounds, LinearConstraint, milp

    options: Any = {"mip_rel_gap": effort.gap}
    if effort.seconds is not None:
        options["time_limit"] = max(effort.seconds, 0.001)
    with silence_solver():
        found = call_in_thread(
            lambda: milp(
                -program.gains,
                constraints=LinearConstraint(program.rows, -np.inf, program.most),
                bounds=Bounds(0, program.upper),
                integrality=program.whole.astype(np.uint8),
                options=options,
            )
        )
    if found.status == INFEASIBLE:
        return Solution(None, -np.inf)
    bound = -found.mip_dual_bound if found.mip_dual_bound is not None else np.inf
    if found.status == 0 and found.x is not None and not np.isfinite(bound):
        bound = -float(found.fun)
    return Solution(found.x, float(bound))


@contextmanager
def silence_solver() -> Iterator[None]:
    """Point file descriptor 1 to the null device for a while."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (AttributeError, OSError, ValueError):
        # There is no standard output to silence.
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
