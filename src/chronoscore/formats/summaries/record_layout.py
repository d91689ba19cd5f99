"""What files of records are called, and which of their columns hold what.

This much is known of a file before it is read, and without the readers of records.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from chronoscore.errors import UsageError
from chronoscore.formats.io.sources import FileSource
from chronoscore.options import RECORD_ROLES, check_columns

RecordForm: TypeAlias = Literal["jsonl", "csv", "parquet"]
FORMS: Mapping[str, RecordForm] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
}


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns of a file of records hold what.

    Without `id` a record is called by its column `id`, or else by its number. References are one
    column, with one text or a list of texts, or several columns.
    """

    id: str | None = None
    system: str = "system"
    references: tuple[str, ...] = ("references",)

    def __post_init__(self) -> None:
        if not self.references:
            raise UsageError("columns: name at least one column of references")
        names = [self.system, *self.references, *([self.id] if self.id else [])]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"columns: '{twice}' cannot be two things; name each column once")

    @property
    def usual(self) -> bool:
        """Whether the columns have the names that records usually give them."""
        return self == Columns()


def record_file_format(source: FileSource) -> RecordForm:
    """The format of a file of records by its name."""
    for ending in reversed(source.endings):
        if ending in FORMS:
            return FORMS[ending]
    raise UsageError(
        f"the name does not say which format; end it in {', '.join(FORMS)}, "
        "with .gz or .zst after it if it is packed",
        place=source,
    )


def parse_record_columns(given: Any) -> Columns:
    """Columns from a dict such as {"system": "prediction", "references": ["gold1", "gold2"]}."""
    if given is None:
        return Columns()
    if isinstance(given, Columns):
        return given
    check_columns(given)
    found = {key: given[key] for key in RECORD_ROLES if key in given}
    if "references" in found:
        names = found["references"]
        found["references"] = tuple(names) if isinstance(names, list | tuple) else (names,)
    return Columns(**found)
