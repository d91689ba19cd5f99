"""The published schema accepts what the reader of project files accepts, and nothing else."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.projects.schema import TABLES, ProjectTable

PUBLISHED = Path(__file__).parents[2] / "docs" / "project-schema.json"
SCHEMA = json.loads(PUBLISHED.read_text(encoding="utf-8"))
TYPES: Mapping[str, Any] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    # TOML tells 1 from 1.0.
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
KNOWN = {"$schema", "$ref", "$defs", "title", "description", "default", "anyOf", "type", "enum",
         "properties", "additionalProperties", "required", "items", "minimum"}  # fmt: skip


def accepts(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether a JSON Schema accepts a value, by the words that ours has."""
    assert {*schema} <= KNOWN
    if "$ref" in schema:
        return accepts(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if "anyOf" in schema and not any(accepts(one, value) for one in schema["anyOf"]):
        return False
    if "type" in schema and not TYPES[schema["type"]](value):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "minimum" in schema and not value >= schema["minimum"]:
        return False
    if "items" in schema and not all(accepts(schema["items"], one) for one in value):
        return False
    if schema.get("type") != "object":
        return True
    known = schema.get("properties", {})
    if schema.get("additionalProperties") is False and {*value} - {*known}:
        return False
    return {*schema.get("required", ())} <= {*value} and all(
        accepts(known[key], one) for key, one in value.items() if key in known
    )


def words(schema: Mapping[str, Any]) -> list[str]:
    """The values that parts of the schema name."""
    inner = [*schema.get("anyOf", ()), *schema.get("properties", {}).values()]
    return [*schema.get("enum", ()), *(word for one in inner for word in words(one))]


LONE = st.one_of(
    st.sampled_from(sorted({str(w) for one in SCHEMA["$defs"].values() for w in words(one)})),
    st.text(max_size=5),
    st.integers(-3, 3),
    st.floats(-2, 2),
    st.booleans(),
)
VALUES = LONE | st.lists(LONE, max_size=2)


def tables(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    keys = [one.encode_name for one in msgspec.structs.fields(kind)]
    return st.dictionaries(st.sampled_from([*keys, "other"]), VALUES, max_size=2)


DOCUMENTS = st.builds(
    lambda plain, inner, systems: {"systems": systems} | plain | inner,
    tables(ProjectTable),
    st.fixed_dictionaries({}, optional={key: tables(kind) for key, kind in TABLES.items()}),
    st.just("a") | VALUES,
)


@given(DOCUMENTS)
def test_the_schema_accepts_what_the_reader_accepts(document: dict[str, Any]) -> None:
    try:
        msgspec.convert(document, ProjectTable)
        is_read = True
    except msgspec.ValidationError:
        is_read = False
    assert accepts(SCHEMA, document) == is_read
