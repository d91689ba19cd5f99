"""How entries of the log read: sentences with an entry's fields, or functions of them."""

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any, TypeAlias

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain.formatting import quote

Data: TypeAlias = Mapping[str, Any]
Sentence: TypeAlias = str | Callable[[Data], str]


class _Writer(Formatter):
    """Puts fields into sentences; `{text:quoted}` has quotation marks."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """A field as it is written."""
        return (
            quote(str(value))
            if format_spec == "quoted"
            else super().format_field(value, format_spec)
        )


def fill(sentence: Sentence, data: Data) -> str:
    """A sentence with the fields of an entry in it."""
    return sentence(data) if callable(sentence) else _Writer().vformat(sentence, (), data)


def either(field: str, then: str, otherwise: str) -> Sentence:
    """One of two sentences, depending on a field that may be missing."""
    return lambda data: fill(then if data.get(field) else otherwise, data)


def count(field: str, noun: str, sentence: str) -> Sentence:
    """A sentence that counts what is in a field, at the place `{count}`."""
    return lambda data: fill(sentence, {**data, "count": number_with_noun(len(data[field]), noun)})


def describe_marks(data: Data) -> str:
    """What a judge decided about sentences."""
    changes = data["changes"]
    if data.get("rest"):
        return f"the rest is off ({number_with_noun(len(changes), 'sentence')})"
    parts = []
    for change in changes[:5]:
        links = ", ".join(event for event, _ in change["links"])
        place = f"{change['sentence']}{' (joined)' if change['joined'] else ''}"
        if change["off"]:
            parts.append(f"called {place} off")
        else:
            parts.append(f"linked {place} to {links}" if links else f"left {place} undecided")
    return "; ".join(parts) + ("; …" if len(changes) > 5 else "")


def describe_verdicts(data: Data) -> str:
    """Which links were kept or dropped."""
    words = {True: "kept", False: "dropped", None: "open again"}
    return "; ".join(
        f"{change['sentence']} for {change['event']}: {words[change['kept']]}"
        for change in data["changes"][:5]
    )


def describe_decision(data: Data) -> str:
    """Which links a manager kept or dropped."""
    return f"decided: {describe_verdicts(data)}"


def describe_reopening(data: Data) -> str:
    """Which step was reopened and why, and whose work stays as it was."""
    words = f"reopened {data['title']}: {data['reason']}"
    kept = len(data.get("kept", ()))
    if not kept:
        return words
    who = number_with_noun(kept, "person who has", "people who have")
    return f"{words} (what {who} seen others’ decisions handed in stays)"


def describe_estimate(data: Data) -> str:
    """The number of units that nobody chose, or that it is estimated."""
    return "left z to the estimate" if data["z"] is None else f"set z to {data['z']:g}"
