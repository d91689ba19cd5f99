"""What `chronoscore.toml` may say: one schema, for reading it and for editors.

Options of reading and of statistics are those of their option classes, under the names that the
command line gives them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from chronoscore.options import Compat, ReadingRules, Resampling
from chronoscore.options.declare import declared

NAME = "chronoscore.toml"


def _option_table(name: str, kind: type) -> type[msgspec.Struct]:
    """A table with the options of a class."""
    options = declared(kind)
    words = {one.name: (one.names or one.name.replace("_", "-")).split()[0] for one in options}
    fields = []
    for one in options:
        value: Any = Literal[one.choices] if one.choices else one.kind
        described = Annotated[value | None, Meta(description=one.help)]
        fields.append((one.name, described, None))
    return msgspec.defstruct(
        name,
        fields,
        rename=words,
        forbid_unknown_fields=True,
        frozen=True,
        namespace={"__doc__": kind.__doc__.partition("\n")[0] if kind.__doc__ else ""},
    )


ReadingTable = _option_table("ReadingTable", ReadingRules)
StatisticsTable = _option_table("StatisticsTable", Resampling)

OPTIONS: Mapping[str, type] = {"reading": ReadingRules, "statistics": Resampling}
"""The option classes of tables."""

Patterns = str | list[str]


class ColumnTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which columns or keys of records hold what, where their values do not tell."""

    id: Annotated[str | None, Meta(description="The column with a record's id.")] = None
    system: Annotated[
        Patterns | None, Meta(description="The column with a system's text, or one for each.")
    ] = None
    references: Annotated[
        Patterns | None, Meta(description="The column with the reference, or several.")
    ] = None
    date: Annotated[str | None, Meta(description="The key of dates.")] = None
    text: Annotated[Patterns | None, Meta(description="The key of texts, or several.")] = None
    topic: Annotated[str | None, Meta(description="The key of topics.")] = None
    author: Annotated[str | None, Meta(description="The key of authors or systems.")] = None


class GateTable(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"
):
    """What must be reached, or `score` and `diff` exit with 1."""

    fail_under: Annotated[
        Patterns | None,
        Meta(description="For score: averages that must be reached, as in 'align+.f=0.3'."),
    ] = None
    fail_on_regression: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(description="For diff: how much lower the second system may be."),
    ] = None
    strict: Annotated[
        bool, Meta(description="For fail-on-regression: whatever the interval of the difference.")
    ] = False


class ProjectTable(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"
):
    """What is scored, against what, and how. Paths lie in the folder of the file.

    `*` stands for any part of a name. `{system}`, `{run}`, `{topic}` and `{author}` say what a part
    of a name is, where it is not as `score` reads folders.
    """

    systems: Annotated[Patterns, Meta(description="Files or folders of systems.")]
    references: Annotated[
        Patterns | None, Meta(description="Files or folders of references; they are no systems.")
    ] = None
    originals: Annotated[
        Patterns | None, Meta(description="References of the earlier summary, for updates.")
    ] = None
    judgements: Annotated[Patterns | None, Meta(description="Files of judged events.")] = None
    units: Annotated[Patterns | None, Meta(description="Files of content units.")] = None
    documents: Annotated[
        str | None, Meta(description="The collection with the documents, for tf-idf and the like.")
    ] = None
    measures: Annotated[
        Patterns | None, Meta(description="Measures, as in 'align+.f'; by default the usual ones.")
    ] = None
    language: Annotated[
        str | None, Meta(description="The language of the texts, or 'auto', for all measures.")
    ] = None
    compat: Annotated[Compat | None, Meta(description="Measures as another tool has them.")] = None
    jackknife: Annotated[bool, Meta(description="Leave one reference out at a time.")] = False
    reading: ReadingTable | None = None  # type: ignore[valid-type]
    columns: ColumnTable | None = None
    statistics: StatisticsTable | None = None  # type: ignore[valid-type]
    gate: GateTable | None = None


TABLES: Mapping[str, type[msgspec.Struct]] = {
    "reading": ReadingTable,
    "columns": ColumnTable,
    "statistics": StatisticsTable,
    "gate": GateTable,
}
"""The tables inside the file."""

LINE_ONLY = {
    "cluster": "`cluster`", "endpoint": "an endpoint", "key": "a key", "api-key": "a key",
    "token": "a token", "password": "a password", "cache": "a cache", "output": "an output",
    "plot": "an output", "curve": "an output", "breakdown": "an output", "junit": "an output",
    "shards": "an output", "jobs": "the number of jobs",
}  # fmt: skip
"""What a file may not decide, because it may come from a stranger."""


def schema() -> dict[str, Any]:
    """The JSON Schema of the file."""
    found = msgspec.json.schema(ProjectTable)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": NAME, **found}
