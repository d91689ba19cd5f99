"""The demo's sections on systems."""

from chronoscore.report.demo_systems import system_sections
from chronoscore.report.tables import Table


def test_every_section_of_the_demo_is_a_table_with_rows() -> None:
    sections = system_sections(1)
    assert len(sections) == 4
    for heading, content in sections:
        assert heading
        assert isinstance(content, Table)
        assert content.rows


def test_the_demo_is_the_same_by_seed() -> None:
    assert system_sections(2) == system_sections(2)
