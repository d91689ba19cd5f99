"""Which timeline formats there are, by name; a name is also an ending of files and of code fences.

Formats of packages are read where the user names them, by an argument or an ending. What stands
in a text, as the label of a code fence, leads to our own only: reading data runs no other code.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.errors import UsageError
from chronoscore.registry import Registry

if TYPE_CHECKING:
    from chronoscore.formats.timelines.format import Format


def _adopt(found: Any, name: str) -> "Format":
    """The format that a package brings."""
    from chronoscore.formats.timelines.format import Format

    if not isinstance(found, Format):
        raise UsageError("it is not a chronoscore.formats.timelines.format.Format")
    if found.name != name:
        raise UsageError(f"the format calls itself '{found.name}'; give both the same name")
    return found


FORMATS: "Registry[Format]" = Registry(
    "format",
    "chronoscore.formats",
    {
        "tilse": "chronoscore.formats.timelines.tilse:TILSE",
        "json": "chronoscore.formats.timelines.json_formats:JSON",
        "jsonl": "chronoscore.formats.timelines.json_formats:JSON_LINES",
        "newstls": "chronoscore.formats.timelines.json_formats:NEWS_TLS",
        "yaml": "chronoscore.formats.timelines.yaml_format:YAML",
        "xml": "chronoscore.formats.timelines.xml_format:XML",
        "csv": "chronoscore.formats.timelines.csv_rows:CSV",
        "tsv": "chronoscore.formats.timelines.csv_rows:TSV",
        "markdown": "chronoscore.formats.timelines.markdown:MARKDOWN",
    },
    _adopt,
    {"md": ("markdown", {}), "ndjson": ("jsonl", {}), "yml": ("yaml", {})},
)
"""The first that recognizes a text of an unknown format gets it; Markdown, the last, takes any."""


def find(name: str) -> "Format":
    """The format of a name or an ending without its dot."""
    return FORMATS.resolve(name)[0]


def of_path(path: Path) -> "Format | None":
    """The format that a file's ending names; none for `.txt`, which may hold anything."""
    name = path.with_suffix("") if path.suffix == ".gz" else path
    ending = name.suffix[1:].lower()
    if ending in ("", "txt") or ending not in FORMATS:
        return None
    return find(ending)


def of_label(label: str) -> "Format | None":
    """Our format that the label of a code fence names."""
    return find(label) if label in FORMATS.built_in or label in FORMATS.presets else None


def detect(text: str, *, several: bool | None = None) -> "Format | None":
    """The first format that recognizes a text; `several` asks for those that hold more than one."""
    found = (one for one in built_in() if several is None or one.several is several)
    return next((one for one in found if one.detect and one.detect(text)), None)


def built_in() -> "Iterator[Format]":
    """Our own formats, each imported when it is come to."""
    return map(FORMATS.find, FORMATS.built_in)
