"""Basic elements, against ROUGE-1.5.5's own scores."""

import json
from pathlib import Path
from typing import Any

import pytest

from chronoscore.engine import elements
from chronoscore.engine.kinds import Elements
from chronoscore.engine.pooling import add_reference_counts
from chronoscore.errors import DataError
from chronoscore.rouge155.rates import best_perl_counts, perl_rates
from chronoscore.text.stems import base_form

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = json.loads((GOLDEN / "rouge155-formats.json").read_text(encoding="utf-8"))["be_cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_score_is_the_one_that_perl_printed(case: dict[str, Any]) -> None:
    for name, wanted in case["scores"].items():
        mode, words, rule = name.split("_")

        def bag(text: str, mode: str = mode, words: str = words) -> Any:
            return elements.count(
                elements.parse(text.splitlines(), "x"),
                mode,
                base=base_form if words == "m" else None,
            )

        if not isinstance(wanted, list):
            with pytest.raises(DataError, match="not a basic element"):
                bag(case["system"])
            continue
        counts = [
            elements.count_shared(bag(case["system"]), bag(text)) for text in case["references"]
        ]
        kind = Elements(mode)
        chosen = best_perl_counts(kind, counts, []) if rule == "B" else add_reference_counts(counts)
        assert [f"{rate:.5f}" for rate in perl_rates(kind, chosen, 0.5)] == wanted, name


@pytest.mark.parametrize("line", ["a|b", "a|b|", "a|b|c|d", "", "a"])
def test_a_line_that_is_no_triple_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(DataError, match=r"file\.be:2: "):
        elements.parse(["a|b|c", line], "file.be")


@pytest.mark.parametrize("line", ["|b|c", "||c", "a||c", "a|b|c|", "a|b|c||"])
def test_empty_fields_count_but_for_the_last(line: str) -> None:
    assert len(elements.parse([line], "x")) == 1


def test_stemming_takes_longer_fields_word_by_word_and_no_relation() -> None:
    (found,) = elements.count(elements.parse(["men at work|is|dogs"], "x"), "HMR2", base=base_form)
    assert found == ("man at work", "is", "dogs")


def test_nil_is_looked_for_after_stemming() -> None:
    found = elements.count(elements.parse(["a|NIL |x"], "x"), "H", base=base_form)
    assert list(found) == [("a",)]


def test_only_ascii_letters_are_lower_cased() -> None:
    (found,) = elements.count(elements.parse(["É|B|c"], "x"), "HMR2", base=None)
    assert found == ("É".encode().decode("latin-1"), "b", "c")
