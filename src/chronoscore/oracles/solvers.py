"""Whole-number programs and who solves them: scipy's HiGHS, or highspy or GLPK by name.

Solvers like to talk. What they print to file descriptor 1, under Python's own feet, would
end up among the results; while one works, the descriptor leads nowhere.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Program:
    """Maximise gains · x, where rows · x ≤ most, 0 ≤ x ≤ upper, and some of x whole."""

    gains: Floats
    rows: "csr_array"
    most: Floats
    upper: Floats
    whole: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Solution:
    """The best that was found, none if time ran out before, and what cannot be exceeded."""

    values: Floats | None
    bound: float


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to search, and how near to the bound is near enough."""

    seconds: float | None = None
    gap: float = 0.0


def solve(program: Program, effort: Effort = Effort(), solver: str = "scipy") -> Solution:  # noqa: B008
    """Let a solver work in silence."""
    if solver not in SOLVERS:
        raise UsageError(f"unknown solver '{solver}'; {did_you_mean(solver, SOLVERS)}")
    if not len(program.gains):
        return Solution(np.empty(0), 0.0)
    with silence():
        return SOLVERS[solver](program, effort)


@contextmanager
def silence() -> Iterator[None]:
    """Lead file descriptor 1 nowhere for a while."""
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


def by_scipy(program: Program, effort: Effort) -> Solution:
    """HiGHS as scipy carries it."""
    # scipy.optimize is slow to import; only this function pays for it.
    from scipy.optimize import Bounds, LinearConstraint, milp

    options: Any = {"mip_rel_gap": effort.gap}
    if effort.seconds is not None:
        options["time_limit"] = max(effort.seconds, 0.001)
    found = milp(
        -program.gains,
        constraints=LinearConstraint(program.rows, -np.inf, program.most),
        bounds=Bounds(0, program.upper),
        integrality=program.whole.astype(np.uint8),
        options=options,
    )
    bound = -found.mip_dual_bound if found.mip_dual_bound is not None else np.inf
    if found.status == 0 and found.x is not None and not np.isfinite(bound):
        bound = -float(found.fun)
    return Solution(found.x, float(bound))


def extra(solver: str, package: str) -> Any:
    """The module of a solver that is not part of our installation."""
    try:
        return import_module(package)
    except ImportError:
        raise UsageError(f"solver '{solver}' is not installed; pip install {package}") from None


def by_highspy(program: Program, effort: Effort) -> Solution:
    """HiGHS by its own package."""
    highspy = extra("highspy", "highspy")
    rows = program.rows.tocsc()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.gains), len(program.most)
    model.col_cost_ = -program.gains
    model.col_lower_, model.col_upper_ = np.zeros(len(program.gains)), program.upper
    model.row_lower_, model.row_upper_ = np.full(len(program.most), -np.inf), program.most
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr, rows.indices
    model.a_matrix_.value_ = rows.data
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    model.integrality_ = [kinds[int(one)] for one in program.whole]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", effort.gap)
    if effort.seconds is not None:
        highs.setOptionValue("time_limit", max(effort.seconds, 0.001))
    highs.passModel(model)
    highs.run()
    info = highs.getInfo()
    bound = -info.mip_dual_bound if program.whole.any() else -info.objective_function_value
    held = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    values = np.array(highs.getSolution().col_value) if held else None
    return Solution(values, float(bound))


def by_glpk(program: Program, effort: Effort) -> Solution:
    """GLPK, which the paper used, through swiglpk."""
    glpk = extra("glpk", "swiglpk")
    glpk.glp_term_out(glpk.GLP_OFF)
    problem = glpk.glp_create_prob()
    try:
        fill_glpk(glpk, problem, program)
        told = glpk.glp_iocp()
        glpk.glp_init_iocp(told)
        told.presolve, told.mip_gap = glpk.GLP_ON, effort.gap
        told.cb_func = None
        if effort.seconds is not None:
            told.tm_lim = max(1, int(1000 * effort.seconds))
        code = glpk.glp_intopt(problem, told)
        status = glpk.glp_mip_status(problem)
        held = status in (glpk.GLP_OPT, glpk.GLP_FEAS)
        size = len(program.gains)
        values = np.array([glpk.glp_mip_col_val(problem, c + 1) for c in range(size)])
        value = glpk.glp_mip_obj_val(problem)
        if held and code in (0, glpk.GLP_EMIPGAP):
            return Solution(values, value * (1 + effort.gap))
        # GLPK keeps its bound to itself; that of the linear relaxation still holds.
        return Solution(values if held else None, relaxed_glpk(glpk, problem))
    finally:
        glpk.glp_delete_prob(problem)


def fill_glpk(glpk: Any, problem: Any, program: Program) -> None:
    """Tell GLPK the program, whose rows and columns count from 1 there."""
    rows = program.rows.tocoo()
    glpk.glp_set_obj_dir(problem, glpk.GLP_MAX)
    glpk.glp_add_rows(problem, len(program.most))
    glpk.glp_add_cols(problem, len(program.gains))
    for number, most in enumerate(program.most.tolist(), 1):
        glpk.glp_set_row_bnds(problem, number, glpk.GLP_UP, 0.0, most)
    for number, gain in enumerate(program.gains.tolist(), 1):
        upper, whole = program.upper[number - 1], program.whole[number - 1]
        fixed = glpk.GLP_FX if upper <= 0 else glpk.GLP_DB
        glpk.glp_set_col_bnds(problem, number, fixed, 0.0, float(upper))
        glpk.glp_set_col_kind(problem, number, glpk.GLP_IV if whole else glpk.GLP_CV)
        glpk.glp_set_obj_coef(problem, number, gain)
    filled = len(rows.data)
    here, there = glpk.intArray(filled + 1), glpk.intArray(filled + 1)
    value = glpk.doubleArray(filled + 1)
    cells = zip(rows.row.tolist(), rows.col.tolist(), rows.data.tolist(), strict=True)
    for place, (row, column, one) in enumerate(cells, 1):
        here[place], there[place], value[place] = row + 1, column + 1, float(one)
    glpk.glp_load_matrix(problem, filled, here, there, value)


def relaxed_glpk(glpk: Any, problem: Any) -> float:
    """The value of the program without whole numbers."""
    told = glpk.glp_smcp()
    glpk.glp_init_smcp(told)
    told.msg_lev = glpk.GLP_MSG_OFF
    glpk.glp_simplex(problem, told)
    return float(glpk.glp_get_obj_val(problem))


SOLVERS: dict[str, Callable[[Program, Effort], Solution]] = {
    "scipy": by_scipy,
    "highspy": by_highspy,
    "glpk": by_glpk,
}
"""By name; all but the first are extras."""
