"""The examples on the page about formats say what the page says they do."""

import re
from pathlib import Path

import pytest

from chronoscore.core import Timeline
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.registry import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
EXAMPLES = re.findall(r"<!-- example -->\n```\w+\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)

SPILL = Timeline.of(
    {
        "2010-05-06": ["A dome is lowered over the leak.", "It fails."],
        "2010-05-26": ["Mud is pumped into the well."],
    }
)


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_is_the_same_timeline(text: str) -> None:
    (held,) = timeline_files.read_timeline_text(text, "page").timelines
    assert held.timeline.entries == SPILL.entries


def test_every_format_has_an_example_as_we_write_it() -> None:
    assert len(EXAMPLES) >= 12
    for form in ("tilse", "newstls", "yaml", "csv", "markdown"):
        assert timeline_files.write_timeline_text(SPILL, form) in EXAMPLES


def test_every_format_is_named() -> None:
    for form in FORMATS:
        assert form in PAGE.read_text("utf-8")
