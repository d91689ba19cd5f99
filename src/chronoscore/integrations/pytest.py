"""Scores as assertions; a failure says where the points went and explains the worst topic.

`pytest_plugins = ["chronoscore.integrations.pytest"]` in `conftest.py` gives tests the fixture
`assert_score`, which also writes each figure into the report of `--junit-xml`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chronoscore.api.scores import ScoreResult
from chronoscore.api.scoring import score
from chronoscore.errors import UsageError
from chronoscore.integrations.completions import explain_points, is_one_timeline, name_answer
from chronoscore.stats.corpus import Average
from chronoscore.stats.thresholds import FigureCheck


def assert_score(
    system: Any,
    reference: Any,
    measure: str = "align+.f",
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    **options: Any,
) -> ScoreResult:
    """Fail unless the figure of each system is in a range; takes what `score` takes.

    A single timeline as `{date: text}` is a reference too; then the system is one answer.
    `at_most` is for measures of which less is better. An undefined figure fails.
    """
    __tracebackhide__ = True
    if at_least is None and at_most is None:
        raise UsageError("assert_score: say `at_least` or `at_most`")
    if is_one_timeline(reference):
        system, reference = name_answer(system, reference)
    result = score(system, reference, measure, **options)
    faults = [
        f"{fault}\n{explain_points(result, one)}"
        for one in result.averages
        for fault in _faults(one, at_least, at_most)
    ]
    if faults:
        pytest.fail("\n\n".join(faults), pytrace=False)
    return result


@pytest.fixture(name="assert_score")
def recording_assert_score(
    record_property: Callable[[str, object], None],
) -> Callable[..., ScoreResult]:
    """`assert_score`, whose figures are written into the test report too."""

    def check(system: Any, reference: Any, *given: Any, **options: Any) -> ScoreResult:
        __tracebackhide__ = True
        result = assert_score(system, reference, *given, **options)
        for one in result.averages:
            record_property(f"{one.system}: {one.measure.heading(one.part)}", one.value)
        return result

    return check


def _faults(one: Average, least: float | None, most: float | None) -> Iterator[str]:
    """What is wrong with a figure."""
    name, bound = one.measure.heading(one.part), one.measure.bounds(one.part)[1]
    if (
        least is not None
        and (check := FigureCheck(one.system, name, one.value, least, bound)).short
    ):
        yield str(check)
    if most is not None and not one.value <= most:
        yield f"{one.system}: {name} is {one.value:.4f}, over {most:g}"
