"""What is sent to a model, and what can be read from its answer.

All that comes from users' files stands in one JSON document between two marks that it cannot
contain.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Prompt:
    """The messages of a request, and the JSON schema of the answer.

    `expected` is about how many tokens an answer has. `turns` are an answer that could not be used
    and what is wrong with it.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None
    expected: int = 500
    turns: tuple[str, ...] = ()

    def render(self) -> str:
        """All of it for people."""
        schema = "" if self.schema is None else json.dumps(self.schema, ensure_ascii=False)
        parts = {"system": self.system, "user": self.user, "schema of the answer": schema}
        return "\n\n".join(f"# {name}\n\n{text}" for name, text in parts.items() if text)

    def messages(self) -> list[dict[str, str]]:
        """As the chat protocol has them."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
            *(
                {"role": "user" if number % 2 else "assistant", "content": text}
                for number, text in enumerate(self.turns)
            ),
        ]


@dataclass(frozen=True)
class Reading:
    """What could be read from an answer, by item, and for the others why not."""

    values: Mapping[str, Any]
    problems: Mapping[str, str] = field(default_factory=dict)
    invented: int = 0
    """How many ids it names that the request did not have."""

    def corrected_by(self, second: "Reading") -> "Reading":
        """Take over what a second answer to the same question says."""
        values = {**self.values, **second.values}
        problems = {
            name: second.problems.get(name, why)
            for name, why in self.problems.items()
            if name not in values
        }
        return Reading(values, problems, self.invented + second.invented)


class Question(Protocol):
    """One request: what to send, what it asks about, and how to read the answer."""

    @property
    def prompt(self) -> Prompt:
        """What is sent."""

    @property
    def asked(self) -> Sequence[str]:
        """The ids of what is asked about."""

    def read(self, answer: str) -> Reading:
        """What an answer says."""


def enclose(data: Mapping[str, Any]) -> str:
    """Texts as a JSON document that cannot close its own marks."""
    written = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace").decode()
    return f"<data>\n{written.replace('<', chr(92) + 'u003c')}\n</data>"


def answer_schema(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object that has one list of objects, as strict endpoints want it."""
    inner = {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": inner}},
        "required": [name],
        "additionalProperties": False,
    }
