"""The demo's report: its sections hold what the toolkit computes, each in its right order."""

from typing import TypeAlias

import pytest

from chronoscore import demo
from chronoscore.api import demo_sections
from chronoscore.api.demo_sections import RANKING_SYSTEMS, TIMELINE_SYSTEMS
from chronoscore.core import Timeline
from chronoscore.data import source_files, sources
from chronoscore.measures import parse_measure_text
from chronoscore.reports.tables import Table
from chronoscore.systems import parse_system
from chronoscore.systems.units import BASELINES

pytestmark = pytest.mark.slow

Sections: TypeAlias = dict[str, Table | str]


@pytest.fixture(scope="module")
def sections() -> Sections:
    """The report by the first words of its headings."""
    return {
        heading.partition(":")[2].strip() or heading: c for heading, c in demo_sections.sections(1)
    }


def table(sections: Sections, words: str) -> Table:
    (found,) = (content for heading, content in sections.items() if words in heading)
    assert isinstance(found, Table)
    return found


def drawing(sections: Sections, words: str) -> str:
    (found,) = (content for heading, content in sections.items() if words in heading)
    assert isinstance(found, str)
    return found


def test_people_are_below_extractive_systems_and_these_below_any_text(
    sections: Sections,
) -> None:
    picture = drawing(sections, "what people, extractive systems and any text reach")
    assert picture.count("<rect") == picture.count("<circle") * 2 == 12
    people, extractive, any_text = (
        float(cell.text) for cell in table(sections, "shares of the ceilings").rows[-1][2:]
    )
    assert people < extractive < any_text


def test_no_timeline_oracle_is_above_its_bound(sections: Sections) -> None:
    rows = table(sections, "best timelines").rows
    for _, *cells in rows:
        value, bound, other, other_bound = (float(cell.text) for cell in cells)
        assert 0 < value <= bound <= 1
        assert 0 < other <= other_bound <= 1
    references = {f"{name}, {f.stem}" for name in demo.demo_topics() for f in timelines_of(name)}
    assert {name.text for name, *_ in rows} == references


def timelines_of(topic: str) -> list:
    return sorted((demo.CORPUS / topic / "timelines").glob("*.txt"))


def test_every_system_is_in_its_table(sections: Sections) -> None:
    names = [row[0].text for row in table(sections, "timelines made from the articles").rows]
    assert tuple(names) == TIMELINE_SYSTEMS
    names = [row[0].text for row in table(sections, "sentences ranked as they come in").rows]
    assert tuple(names) == RANKING_SYSTEMS
    assert [r[0].text for r in table(sections, "chosen by place alone").rows] == list(BASELINES)


def test_a_systems_figure_is_the_f_of_its_means_over_topics(
    sections: Sections,
) -> None:
    measure = parse_measure_text("align+m1(n=1).f")
    topics = sources.with_reference_files(
        source_files.load_topics([demo.CORPUS]), [demo.CORPUS], Timeline
    )
    pairs = [(topic, parse_system("wilson")(topic)) for topic in topics]
    p, r, _ = measure.values(measure.tally(pairs)).mean(axis=0)[:3]
    rows = {row[0].text: row for row in table(sections, "timelines made from the articles").rows}
    assert rows["wilson"][1].text == f"{2 * p * r / (p + r):.4f}"


def test_projection_changes_by_the_difference_of_its_rows(
    sections: Sections,
) -> None:
    plain, projected, change = table(sections, "what projection does").rows
    for before, after, by in zip(plain[1:], projected[1:], change[1:], strict=True):
        assert float(by.text) == pytest.approx(float(after.text) - float(before.text), abs=1.1e-4)
