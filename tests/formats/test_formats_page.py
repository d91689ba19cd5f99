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


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_an_example_as_we_write_it(form: str) -> None:
    assert len(EXAMPLES) >= 12
    # The page shows these in the shapes that others write.
    if form not in ("json", "jsonl", "tsv"):
        text = timeline_files.write_timeline_text(SPILL, form)
        assert text in EXAMPLES, f"docs/formats.md has no <!-- example --> of {form}:\n{text}"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_named(form: str) -> None:
    named = form in PAGE.read_text("utf-8")
    assert named, f"docs/formats.md does not name the format {form}"
