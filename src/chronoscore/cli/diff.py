"""`chronoscore diff`: why is B behind A?"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from chronoscore.cli import judged, options, pairs
from chronoscore.cli.derive import grouped, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import plot, target
from chronoscore.errors import UsageError
from chronoscore.options import Printing

if TYPE_CHECKING:
    from chronoscore.api.scoring import ScoreOptions
    from chronoscore.explanations.differences import SystemDifference
    from chronoscore.projects.project import Project


@dataclass(frozen=True, kw_only=True)
class RegressionGate:
    """When the second system counts as a regression."""

    fail_on_regression: float | None = None
    strict: bool = False
    junit: Path | None = None

    def check(self, found: "SystemDifference") -> int:
        """Say whether B is worse than it may be; the exit code does too."""
        if self.fail_on_regression is None:
            return 0
        from chronoscore.reports import junit
        from chronoscore.stats.thresholds import RegressionCheck

        name = found.measure.heading(found.part)
        outcome = RegressionCheck(
            found.b,
            name,
            found.a,
            found.difference,
            found.low,
            self.fail_on_regression,
            self.strict,
        )
        if self.junit:
            junit.write([outcome], self.junit)
        if outcome.short or outcome.undecided:
            hint = "" if outcome.short else "; --strict fails here"
            click.echo(f"chronoscore: {outcome}{hint}", err=True)
        return int(outcome.short)


def _finite(
    _context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """The number of an option, which must be one that figures can be compared with."""
    if value is not None and not math.isfinite(value):
        raise UsageError(f"{parameter.opts[0]} {value:g}: write a number, 0 or more")
    return value


gate = grouped(
    "gate",
    RegressionGate,
    option(
        "--fail-on-regression",
        group="output",
        type=click.FloatRange(min=0),
        callback=_finite,
        metavar="TOLERANCE",
        help="Exit with 1 if B is lower by more than this and the interval of the difference "
        "leaves out 0.",
    ),
    option(
        "--strict",
        group="output",
        is_flag=True,
        help="For --fail-on-regression: the difference counts, whatever its interval.",
    ),
    option(
        "--junit",
        group="output",
        type=target,
        help="For --fail-on-regression: write a test report (XML) for a build server.",
    ),
)


@click.command(cls=GreedyCommand)
@options.project_systems
@judged.scoring
@options.printing
@plot("Draw what each cause adds")
@gate
def command(
    systems: tuple[Path, ...],
    measures: tuple[str, ...],
    printing: Printing,
    plot: Path | None,
    gate: RegressionGate,
    quiet: bool,
    **scoring: "Unpack[ScoreOptions]",
) -> int:
    """Say why the second SYSTEM is behind the first, or ahead of it.

    The difference is split over causes that add up to it: days that are left out, days that are
    off, less said on shared days, days and words that no reference has. One sentence names the
    causes that are sure; tables show all of them, the topics that decide, and the ten days on
    which the two differ most. Two folders of answers of one model (yesterday's prompt and
    today's) are two systems. Of judged streams, units and nuggets, causes are events that are
    missed or late, sentences about no event, and events told before.

    \b
    chronoscore diff runs/a runs/b --reference gold/
    chronoscore diff a.jsonl b.jsonl --judgements judged.jsonl -m nu@20
    chronoscore diff yesterday today --reference gold/ --fail-on-regression 0.01
    """
    gated = gate.fail_on_regression is not None
    pairs.check({"strict": gate.strict, "fail_on_regression": gated, **scoring})
    if gate.junit and not gated:
        raise UsageError("`junit` reports on `fail_on_regression`; add that")
    _check_paths(systems)
    from chronoscore.api.losses import diff_result
    from chronoscore.api.scoring import score

    with progress("reading", quiet) as show:
        scoring["progress"] = show
        scored = score(systems, measures=measures, **scoring)
        if len(scored.systems) != 2:
            names = ", ".join(scored.systems[:6])
            raise UsageError(
                f"diff explains two systems, and there {_are(len(scored.systems))}: {names}; "
                "name two, or rank all with compare"
            )
        result = diff_result(scored, *scored.systems)
        if plot:
            result.plot(path=plot)
        text = result.render(printing.form)
    emit(text, printing.output)
    return gate.check(result.data)


def _check_paths(systems: "tuple[Path, ...] | Project") -> None:
    """Refuse one path given twice."""
    if (
        isinstance(systems, tuple)
        and len(systems) == 2
        and systems[0].resolve() == systems[1].resolve()
    ):
        raise UsageError("both paths are the same; name two systems", place=systems[0])


def _are(count: int) -> str:
    return "is 1" if count == 1 else f"are {count}"
