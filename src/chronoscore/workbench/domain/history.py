"""The log as people read it: who did what, in a sentence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import TITLES


@dataclass(frozen=True)
class HistoryRow:
    """An entry in words."""

    time: float
    who: str
    step: str
    what: str


def describe_all(connection: Connection, entries: Sequence[LogEntry]) -> list[HistoryRow]:
    """Entries in words, with the names of the people behind them."""
    about = {entry.person for entry in entries if entry.person is not None}
    about |= {entry.data["person"] for entry in entries if "person" in entry.data}
    names = accounts.names_of_people(connection, about)
    return [
        HistoryRow(
            entry.time,
            names.get(entry.person or 0, "the workbench"),
            TITLES.get(entry.step, ""),
            describe_log_entry(entry, names),
        )
        for entry in entries
    ]


def describe_log_entry(entry: LogEntry, names: Mapping[int, str]) -> str:
    """What an entry says, in a sentence."""
    data = dict(entry.data)
    data["who"] = names.get(data.get("person", 0), "somebody")
    data["title"] = data.get("title") or TITLES.get(data.get("step", ""), "")
    # Entries written before texts were kept have ids only.
    quoted = ", ".join(f"“{text}”" for text in data.get("texts", ()))
    data["quoted"] = quoted or data.get("id", "some")
    sentence = SENTENCES[entry.action]
    words = sentence(data) if callable(sentence) else sentence.format_map(data)
    return words + (" (undo)" if "undoes" in data and entry.action != "undo" else "")


def _describe_marks(data: Mapping[str, Any]) -> str:
    changes = data["changes"]
    if data.get("rest"):
        return f"the rest is off ({len(changes)} sentences)"
    parts = []
    for change in changes[:5]:
        links = " ".join(event for event, _ in change["links"])
        state = "off" if change["off"] else links or "undecided"
        parts.append(f"{change['sentence']}{' (joined)' if change['joined'] else ''}: {state}")
    return "; ".join(parts) + ("; …" if len(changes) > 5 else "")


def _describe_verdicts(data: Mapping[str, Any]) -> str:
    words = {True: "kept", False: "dropped", None: "open again"}
    return "; ".join(
        f"{change['event']} {change['sentence']}: {words[change['kept']]}"
        for change in data["changes"][:5]
    )


def _either(field: str, then: str, otherwise: str) -> Callable[[Mapping[str, Any]], str]:
    """One of two sentences, depending on a field that may be missing."""
    return lambda data: (then if data.get(field) else otherwise).format_map(data)


SENTENCES: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    "project.create": "created the project “{name}”",
    "project.change": "changed the settings",
    "project.archive": _either("archived", "archived the project", "took up the project again"),
    "member.add": _either("manager", "{who} is a manager", "{who} is a member"),
    "member.remove": "{who} left the project",
    "member.reset": "made a link by which {who} chooses a new password",
    "topic.create": lambda data: f"imported {len(data['stories'])} stories as “{data['title']}”",
    "topic.rename": "gave the topic the title “{title}”",
    "topic.archive": _either("archived", "archived the topic", "took up the topic again"),
    "story.retitle": "gave {story} the title “{title}”",
    "topic.deadline": _either(
        "day", "{title} is due on {day}", "{title} is no longer due on a day"
    ),
    "guideline.write": _either(
        "step",
        "wrote version {version} of the guidelines for {title}",
        "wrote version {version} of the guidelines",
    ),
    "guideline.read": _either(
        "step",
        "read version {version} of the guidelines for {title}",
        "read version {version} of the guidelines",
    ),
    "comment.add": "said about {sentence}: {text}",
    "topic.practice": "made it a topic for practice",
    "machine.add": lambda data: (
        f"brought in what {data['judge']} linked "
        f"({number_with_noun(len(data['links']), 'sentence')})"
    ),
    "mark.repeat": lambda data: (
        f"decided {number_with_noun(len(data['decisions']), 'sentence')} again"
    ),
    "topic.assign": "{who} works as {role}",
    "topic.unassign": "{who} no longer works as {role}",
    "topic.estimate": lambda data: (
        "left z to the estimate" if data["z"] is None else f"set z to {data['z']:g}"
    ),
    "step.open": "opened {title}",
    "step.submit": _either(
        "rest_off", "handed in {title}, the rest being off", "handed in {title}"
    ),
    "step.reopen": "reopened {title}: {reason}",
    "note.add": "noted: {text}",
    "note.answer": "answered a note: {answer}",
    "story.read": _either("read", "read {story}", "did not read {story}"),
    "candidate.add": "new candidate “{text}” from {sentence}",
    "candidate.edit": _either(
        "withdrawn", "withdrew a candidate", "reworded a candidate: “{text}”"
    ),
    "candidate.omit": "left out candidate {quoted}: {reason}",
    "event.add": "new event {id}: “{text}”",
    "event.put": "added {quoted} to {event}",
    "event.take": "took {quoted} out of {event}",
    "event.edit": _either("omitted", "left out {id}: {omitted}", "event {id} reads “{text}”"),
    "mark": _describe_marks,
    "verdict": _describe_verdicts,
    "verdict.adjudicate": lambda data: f"decided: {_describe_verdicts(data)}",
    "line.add": "wrote {when}: {text}",
    "line.edit": _either("withdrawn", "withdrew a line", "changed a line: {when}: {text}"),
    "line.omit": "left out line {quoted}: {reason}",
    "unit.add": "new unit {id}: “{fields[action]}”",
    "unit.edit": "changed unit {id}",
    "unit.put": "put {quoted} into {unit}",
    "unit.take": "took {quoted} out of {unit}",
    "unit.merge": "merged {other} into {into}",
    "unit.sample": lambda data: (
        f"drew {number_with_noun(len(data['units']), 'unit')} to be matched again"
    ),
    "anchor.add": "anchored words of {sentence}",
    "match": _either("done", "matched {unit} (done)", "matched {unit}"),
    "match.adjudicate": _either(
        "done", "decided how {unit} is expressed", "left open how {unit} is expressed"
    ),
    "undo": "undid: {what}",
}
"""How each action reads: a sentence with fields of the entry, or a function of them."""
