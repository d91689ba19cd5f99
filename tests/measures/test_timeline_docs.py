"""The examples of docs/timelines.md, run as they stand."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "timelines.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.S)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split("\n")[0])
def test_an_example_of_the_page_runs(example: str) -> None:
    found: dict[str, object] = {}
    exec(example, found)
    if "f" in found:
        assert found["f"] == pytest.approx(2 / 7)


def test_every_measure_that_the_page_shows_exists() -> None:
    from chronoscore.measures import parse_measure_text

    shell = "".join(re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), flags=re.S))
    for text in re.findall(r"-m ('[^']+'|\S+)", shell):
        parse_measure_text(text.strip("'"))
