"""The log as people read it: who did what, in a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.formatting import plural
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.workflow import TITLES


@dataclass(frozen=True)
class Told:
    """An entry in words."""

    time: float
    who: str
    step: str
    what: str


def told(connection: Connection, entries: Sequence[Entry]) -> list[Told]:
    """Entries in words, with the names of the people behind them."""
    about = {entry.person for entry in entries if entry.person is not None}
    about |= {entry.data["person"] for entry in entries if "person" in entry.data}
    names = accounts.names(connection, about)
    return [
        Told(
            entry.time,
            names.get(entry.person or 0, "the workbench"),
            TITLES.get(entry.step, ""),
            in_words(entry, names),
        )
        for entry in entries
    ]


def in_words(entry: Entry, names: dict[int, str]) -> str:
    """What an entry says, in a sentence."""
    data = entry.data
    who = names.get(data.get("person", 0), "somebody")
    undone = " (undo)" if "undoes" in data else ""
    # Entries of before texts were kept have ids only.
    named = ", ".join(f"“{text}”" for text in data.get("texts", ())) or data.get("id", "some")
    sentences: dict[str, Callable[[], str]] = {
        "project.create": lambda: f"created the project “{data['name']}”",
        "project.change": lambda: "changed the settings",
        "member.add": lambda: f"{who} is a {'manager' if data['manager'] else 'member'}",
        "member.remove": lambda: f"{who} left the project",
        "topic.create": lambda: f"imported {len(data['stories'])} stories as “{data['title']}”",
        "topic.assign": lambda: f"{who} works as {data['role']}",
        "topic.unassign": lambda: f"{who} no longer works as {data['role']}",
        "topic.estimate": lambda: (
            "left z to the estimate" if data["z"] is None else f"set z to {data['z']:g}"
        ),
        "step.open": lambda: f"opened {TITLES[data['step']]}",
        "step.submit": lambda: (
            f"handed in {TITLES[data['step']]}"
            + (", the rest being off" if data.get("rest_off") else "")
        ),
        "step.reopen": lambda: f"reopened {TITLES[data['step']]}: {data['reason']}",
        "note.add": lambda: f"noted: {data['text']}",
        "note.answer": lambda: f"answered a note: {data['answer']}",
        "story.read": lambda: f"{'read' if data['read'] else 'did not read'} {data['story']}",
        "candidate.add": lambda: f"new candidate “{data['text']}” from {data['sentence']}",
        "candidate.edit": lambda: (
            "withdrew a candidate"
            if data["withdrawn"]
            else f"reworded a candidate: “{data['text']}”"
        ),
        "candidate.omit": lambda: f"left out candidate {named}: {data['reason']}",
        "event.add": lambda: f"new event {data['id']}: “{data['text']}”",
        "event.put": lambda: f"added {named} to {data['event']}",
        "event.take": lambda: f"took {named} out of {data['event']}",
        "event.edit": lambda: (
            f"left out {data['id']}: {data['omitted']}"
            if data["omitted"]
            else f"event {data['id']} reads “{data['text']}”"
        ),
        "mark": lambda: _marked(entry) + undone,
        "verdict": lambda: _judged(entry) + undone,
        "line.add": lambda: f"wrote {data['when']}: {data['text']}",
        "line.edit": lambda: (
            "withdrew a line"
            if data["withdrawn"]
            else f"changed a line: {data['when']}: {data['text']}"
        ),
        "line.omit": lambda: f"left out line {named}: {data['reason']}",
        "unit.add": lambda: f"new unit {data['id']}: “{data['fields']['action']}”",
        "unit.edit": lambda: f"changed unit {data['id']}",
        "unit.put": lambda: f"put {named} into {data['unit']}",
        "unit.take": lambda: f"took {named} out of {data['unit']}",
        "unit.merge": lambda: f"merged {data['other']} into {data['into']}",
        "unit.sample": lambda: f"drew {plural(len(data['units']), 'unit')} to be matched again",
        "anchor.add": lambda: f"anchored words of {data['sentence']}",
        "undo": lambda: f"undid: {data['what']}",
        "match": lambda: f"matched {data['unit']}{' (done)' if data['done'] else ''}" + undone,
    }
    return sentences[entry.action]()


def _marked(entry: Entry) -> str:
    changes = entry.data["changes"]
    if entry.data.get("rest"):
        return f"the rest is off ({len(changes)} sentences)"
    parts = []
    for change in changes[:5]:
        links = " ".join(event for event, _ in change["links"])
        state = "off" if change["off"] else links or "undecided"
        parts.append(f"{change['sentence']}{' (joined)' if change['joined'] else ''}: {state}")
    return "; ".join(parts) + ("; …" if len(changes) > 5 else "")


def _judged(entry: Entry) -> str:
    words = {True: "kept", False: "dropped", None: "open again"}
    return "; ".join(
        f"{change['event']} {change['sentence']}: {words[change['kept']]}"
        for change in entry.data["changes"][:5]
    )
