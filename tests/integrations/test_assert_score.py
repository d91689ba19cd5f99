"""`assert_score` passes and fails as the figures of `score` say, and a failure explains itself."""

import pytest
from _pytest.outcomes import Failed

import chronoscore as cs
from chronoscore.demo import CORPUS, RUNS
from chronoscore.integrations.pytest import assert_score

LEAD = RUNS / "lead" / "timelines"


def test_the_demo_passes_below_its_figure_and_fails_above_with_an_explanation():
    figure = cs.score(LEAD, CORPUS, "align+.f")["lead", "align+.f"].value
    assert assert_score(LEAD, CORPUS, at_least=figure)["lead", "align+.f"].value == figure
    with pytest.raises(Failed) as failure:
        assert_score(LEAD, CORPUS, "align+.f", at_least=figure + 0.001)
    text = str(failure.value)
    assert text.startswith(f"lead: align+.f is {figure:.4f}, under {figure + 0.001:g}\n")
    assert "of what the references say" in text
    rows = cs.score(LEAD, CORPUS, "align+.f").rows()
    worst = min(rows, key=lambda row: row["value"])["topic"]
    assert f"\n{worst}: align+\n" in text
    assert "what would gain most:" in text


def test_one_answer_as_a_model_gave_it_is_checked():
    gold = {"2031-03-12": "The dam broke, and 300 people fled."}
    assert_score("- 12 March 2031: The dam broke.", gold, "dates.f", at_least=1)
    with pytest.raises(Failed, match=r"dates\.f is 0\.0000, under 0\.5"):
        assert_score("- 14 March 2031: The dam broke.", gold, "dates.f", at_least=0.5)


def test_less_may_be_better_and_a_range_is_needed():
    gold = {"2031-03-12": "30 people died."}
    assert_score({"2031-03-12": "30 people died."}, gold, "contradictions", at_most=0)
    with pytest.raises(Failed, match="over 0"):
        assert_score({"2031-03-12": "40 people died."}, gold, "contradictions", at_most=0)
    with pytest.raises(ValueError, match="say `at_least` or `at_most`"):
        assert_score({"2031-03-12": "40 people died."}, gold)
