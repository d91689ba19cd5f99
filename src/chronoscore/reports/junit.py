"""Test reports as build servers read them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree

from chronoscore.formats.io.files import write_bytes


class GateCheck(Protocol):
    """A figure of a system that was checked; as text, it says what is wrong."""

    @property
    def system(self) -> str:
        """Whose figure it is."""

    @property
    def name(self) -> str:
        """The measure and its part."""

    @property
    def short(self) -> bool:
        """Whether the check failed."""


def write(checks: Sequence[GateCheck], path: Path) -> None:
    """Write a test for each figure."""
    suite = ElementTree.Element(
        "testsuite",
        name="chronoscore",
        tests=str(len(checks)),
        failures=str(sum(one.short for one in checks)),
    )
    for one in checks:
        case = ElementTree.SubElement(suite, "testcase", classname=one.system, name=one.name)
        if one.short:
            ElementTree.SubElement(case, "failure", message=str(one))
    ElementTree.indent(suite)
    write_bytes(path, ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True) + b"\n")
