"""ROUGE-BE as a measure gives Perl's figures."""

import json
from pathlib import Path
from typing import Any

import pytest

from chronoscore.core import Summary, Topic
from chronoscore.errors import DataError
from chronoscore.measures import parse_measure_text

GOLDEN = Path(__file__).parents[1] / "golden" / "rouge155-formats.json"
SOUND: list[dict[str, Any]] = [
    case for case in json.loads(GOLDEN.read_text())["be_cases"] if case["id"] != "be_bad"
]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["id"])
def test_every_mode_gives_perls_recall_and_precision(case: dict[str, Any]) -> None:
    references = tuple(Summary.of(lines(text)) for text in case["references"])
    pair = (Topic(id="t", summaries=references), Summary.of(lines(case["system"])))
    for name, printed in case["scores"].items():
        if printed is None:
            continue
        mode, how, several = name.split("_")
        stem, pool = ("stem," if "m" in how else ""), {"A": "pool", "B": "best"}[several]
        measure = parse_measure_text(f"rouge-be(mode={mode},{stem}several={pool})")
        precision, recall, f = measure.values(measure.tally([pair]))[0]
        assert [f"{recall:.5f}", f"{precision:.5f}"] == printed[:2], name
        assert f == pytest.approx(float(printed[2]), abs=2e-5)


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def test_a_line_that_is_no_element_is_refused() -> None:
    topic = Topic(id="t", summaries=(Summary.of("dam|old|mod"),))
    with pytest.raises(DataError, match="is not a basic element; write HEAD"):
        parse_measure_text("rouge-be").tally([(topic, Summary.of("the dam broke"))])
