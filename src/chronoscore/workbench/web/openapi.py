"""What programs get from the JSON interface, and its description in OpenAPI's words.

The description follows from the structs that the interface answers with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import Struct

from chronoscore.workbench.web.visit import Screen


class ProjectHead(Struct):
    """What every project has."""

    id: int
    name: str
    workflow: Literal["stream", "units"]
    archived: bool


class ListedProject(ProjectHead):
    """A project in the list, with the number of its topics."""

    topics: int


class ProjectList(Struct):
    """The projects that the owner of the token manages."""

    projects: list[ListedProject]


class TopicState(Struct):
    """Where a topic stands; nothing about its people if the owner of the token works in it."""

    id: int
    name: str
    title: str
    step: str
    version: int
    archived: bool
    blind: bool
    waits_for: int | None
    deadlines: dict[str, str]


class WholeProject(ProjectHead):
    """A project with its settings and topics."""

    settings: dict[str, Any]
    topics: list[TopicState]


class PersonProgress(Struct):
    """How far a person is in a step of a topic; null where nothing can be counted."""

    topic: int
    title: str
    step: str
    name: str
    entries: int
    seconds: float | None
    share: float | None
    submitted: float | None
    rate: float | None
    left: float | None
    ends: float | None
    due: str


class ProjectProgress(Struct):
    """The progress of everybody whom the owner of the token may know about."""

    progress: list[PersonProgress]


class ErrorAnswer(Struct):
    """Why nothing is answered."""

    error: str


@dataclass(frozen=True)
class Operation:
    """Something that a program can ask for: the screen that answers, and how that is described.

    `answer` is the struct of the answer; without one it is a judgements file. `options` are
    what may stand in the query: the only value of each, and what it means.
    """

    screen: Screen
    summary: str
    description: str
    answer: type[Struct] | None = None
    options: tuple[tuple[str, str, str], ...] = ()
    refusal: str = ""


def describe(operations: Mapping[str, Operation], url: str) -> dict[str, Any]:
    """The interface at an address, as an OpenAPI document."""
    answers = [one.answer for one in operations.values() if one.answer is not None]
    refs, schemas = msgspec.json.schema_components(
        [*answers, ErrorAnswer], ref_template="#/components/schemas/{name}"
    )
    schema_of = dict(zip([*answers, ErrorAnswer], refs, strict=True))

    def refuse(description: str) -> dict[str, Any]:
        return _response(description, "application/json", schema_of[ErrorAnswer])

    paths = {}
    for path, one in operations.items():
        responses: dict[str, Any] = {"401": {"$ref": "#/components/responses/NoToken"}}
        if "{project" in path:
            responses["404"] = {"$ref": "#/components/responses/NotFound"}
        if one.refusal:
            responses["400"] = refuse(one.refusal)
        kind = "application/json" if one.answer else "application/jsonl"
        schema = schema_of[one.answer] if one.answer else {"type": "string"}
        parameters = _parameters(path, one)
        operation: dict[str, Any] = {
            "operationId": one.screen.__name__,
            "summary": one.summary,
            **({"parameters": parameters} if parameters else {}),
            "responses": {"200": _response(one.description, kind, schema), **responses},
        }
        paths[path.replace(":int", "")] = {"get": operation}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "chronoscore workbench",
            "version": "1",
            "description": "Reads the projects that the owner of a token manages. Nothing can be "
            "changed. Topics in which the owner works are left out or shown without others' work, "
            "as on the pages.",
        },
        "servers": [{"url": url}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Made under Your account, Feeds and programs.",
                }
            },
            "responses": {
                "NoToken": refuse("No token, or one that was revoked."),
                "NotFound": refuse(
                    "No such project, or the owner of the token does not manage it."
                ),
            },
        },
    }


def _response(description: str, kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


def _parameters(path: str, operation: Operation) -> list[dict[str, Any]]:
    parameters = [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": {"type": "string", "enum": [value]},
            "description": meaning,
        }
        for name, value, meaning in operation.options
    ]
    if "{project" in path:
        number = {
            "name": "project",
            "in": "path",
            "required": True,
            "schema": {"type": "integer"},
            "description": "The number of the project, as in its address.",
        }
        parameters.insert(0, number)
    return parameters
