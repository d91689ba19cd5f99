"""A user's own function is a measure in one line."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from chronoscore.core import Collection, Run, Summary, Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import measure_of, parse_measure_text
from chronoscore.scoring import score


def shorter(output: Summary, references: Sequence[Summary]) -> float:
    return sum(len(output.sentences) < len(r.sentences) for r in references) / len(references)


def test_a_function_scores_runs_like_any_measure() -> None:
    topic = Topic(id="t", summaries=(Summary.of(["a", "b"]), Summary.of(["a"])))
    run = Run("mine", {"t": Summary.of(["a"])})
    scores = score(Collection({"t": topic}), [run], [measure_of(shorter)])
    assert [row["value"] for row in scores.rows()] == [0.5]


def test_what_a_function_needs_is_read_off_its_annotation() -> None:
    def dated(output: Timeline, references: Sequence[Timeline]) -> float:
        return float(len(output))

    assert measure_of(dated).needs is Timeline
    assert measure_of(shorter).needs is Summary
    assert measure_of(lambda output, references: 0.0).needs is Summary


def test_a_function_is_found_by_its_module_and_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mymeasure.py").write_text("def one(output, references):\n    return 1.0\nx = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert str(parse_measure_text("mymeasure:one", allow_import=True)) == "mymeasure:one"
    with pytest.raises(UsageError, match="is not a function"):
        parse_measure_text("mymeasure:x", allow_import=True)
