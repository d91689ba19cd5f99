"""The log as people read it: who did what, in a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from chronoscore.workbench.domain import accounts, sentences
from chronoscore.workbench.domain.catalog import CATALOG
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
    names = accounts.names(connection, about)
    return [
        HistoryRow(
            entry.time,
            names.get(entry.person or 0, "the workbench"),
            TITLES.get(entry.step, ""),
            describe(entry, names),
        )
        for entry in entries
    ]


def describe(entry: LogEntry, names: Mapping[int, str]) -> str:
    """What an entry says, in a sentence."""
    data = dict(entry.data)
    data["who"] = names.get(data.get("person", 0), "a member")
    data["title"] = data.get("title") or TITLES.get(data.get("step", ""), "")
    # Entries written before texts were kept have ids only.
    quoted = ", ".join(f"“{text}”" for text in data.get("texts", ()))
    data["quoted"] = quoted or data.get("id", "some")
    words = sentences.fill(CATALOG[entry.action].sentence, data)
    return words + (" (undo)" if "undoes" in data and entry.action != "undo" else "")
