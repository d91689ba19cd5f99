"""What is public: the names that `chronoscore` exports, and the page that lists them."""

import inspect
import re
import sys
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

import chronoscore

DOCS = Path(__file__).parents[2] / "docs"

PUBLIC = {
    "functions": """
        agree ceilings check compare compute convert correlate explain fit_novelty judge load
        load_runs load_scores measure_of novelty oracle parse_measure project report rouge
        rouge_many score similarities study_novelty summarize text_id use_cache
    """,
    "nouns": """
        Bootstrap Collection Document Entry Fitting Measure Ranking ReadingRules RequestOptions
        Resampling Run Sentence Summary Timeline Topic When
    """,
    "results": """
        ComparisonResult ExplanationResult JudgeResult PoweredComparison PoweredResult Result
        ScoreResult Scorer SimilarityResult
    """,
    "errors": """
        ChronoscoreError ChronoscoreWarning DataError StoppedError UsageError WrongTypeError
    """,
}


def test_the_public_names_are_these_and_each_can_be_imported() -> None:
    names = {name for group in PUBLIC.values() for name in group.split()}
    assert set(chronoscore.__all__) == names | {"__version__"}
    assert all(getattr(chronoscore, name) is not None for name in chronoscore.__all__)
    assert chronoscore.__all__ == sorted(chronoscore.__all__) == dir(chronoscore)


def test_the_pages_on_python_list_each_public_name_once_and_no_others() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCS.glob("api-*.md"))
    listed = re.findall(r"^## `chronoscore\.(\w+)`$", pages, re.MULTILINE)
    assert sorted(listed) == sorted(set(chronoscore.__all__) - {"__version__"})


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        _ = chronoscore.scores
    assert "chronoscore" in sys.modules


TAKING = [
    name for name in chronoscore.__all__ if hasattr(getattr(chronoscore, name), "option_classes")
]


@pytest.mark.parametrize("name", TAKING)
def test_type_checkers_know_the_keywords_that_option_classes_declare(name: str) -> None:
    function = getattr(chronoscore, name)
    (typed,) = get_args(list(function.__annotations__.values())[-2])
    declared = {key: kind for one in function.option_classes for key, kind in hints(one).items()}
    assert hints(typed).keys() == declared.keys()
    for key, kind in declared.items():
        assert kind is Any or parts(kind) <= parts(hints(typed)[key]), key
    assert {*inspect.signature(function).parameters} >= declared.keys()


def parts(kind: Any) -> set[Any]:
    return {*get_args(kind)} if isinstance(kind, UnionType) else {kind}


def hints(kind: type) -> dict[str, Any]:
    return {key: one for key, one in get_type_hints(kind).items() if key != "example"}


@pytest.mark.parametrize(
    ("error", "builtin"),
    [("UsageError", ValueError), ("DataError", ValueError), ("WrongTypeError", TypeError)],
)
def test_errors_are_also_the_builtin_errors_that_people_catch(
    error: str, builtin: type[Exception]
) -> None:
    assert issubclass(getattr(chronoscore, error), builtin)
    assert issubclass(getattr(chronoscore, error), chronoscore.ChronoscoreError)
