"""An assertion of promptfoo: `type: python` with a file that imports `get_assert`."""

from collections.abc import Mapping
from typing import Any

from chronoscore.errors import UsageError
from chronoscore.integrations.completions import explain_points, score_completions


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Whether an answer reaches `at_least`, its figure, and where the points went.

    The assertion's `config` names the `measure` (align+.f unless it says so) and `at_least`, or
    `at_most` where less is better. The reference is the test's variable `reference`; several
    stand in `config`, as a list `references`.
    """
    config, given = context.get("config") or {}, context.get("vars") or {}
    references = config.get("references", given.get("reference"))
    if references is None:
        raise UsageError("promptfoo: give the test a variable `reference`")
    measure = config.get("measure", "align+.f")
    result = score_completions([output], [references], measure)
    found = result.averages[-1]
    least, most = config.get("at_least"), config.get("at_most")
    passed = (least is None or found.value >= least) and (most is None or found.value <= most)
    told = [f"{measure} is {found.value:.4f}", *result.notes, explain_points(result, found)]
    return {
        "pass": bool(passed),
        "score": found.value,
        "reason": "\n".join(told),
        "namedScores": {measure: found.value},
    }
