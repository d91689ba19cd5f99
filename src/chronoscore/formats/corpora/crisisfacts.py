"""CrisisFACTS: dated facts of disasters, gold summaries, and runs of facts.

Each request (one event on one day) is a topic whose events are the facts that people found;
the gold summaries of an event make a topic of references. A run is JSON Lines of
``{"requestID", "factText", "unixTimestamp", "importance"}``.
"""

from pathlib import Path
from typing import Any

import msgspec

from chronoscore.core import (
    Collection,
    Event,
    Judgements,
    Output,
    Ranking,
    Run,
    Selection,
    Summary,
    Topic,
)
from chronoscore.errors import DataError
from chronoscore.formats.io.files import BOM, read_bytes, read_numbered_lines
from chronoscore.formats.io.layout import bare_name
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

SUMMARIES = {"nist": "nist.summary", "wiki": "wiki.summary", "ics": "ics.summary"}


class Fact(msgspec.Struct):
    """A fact that people found, and when."""

    fact: str
    dateUnix: float | None = None  # noqa: N815
    importance: float = 1.0


class RequestedFacts(msgspec.Struct):
    """An event with its facts by request."""

    event: str
    eventID: str  # noqa: N815
    factsByRequest: dict[str, list[Fact]]  # noqa: N815


class RunRow(msgspec.Struct):
    """One fact of a run."""

    requestID: str  # noqa: N815
    factText: str  # noqa: N815
    unixTimestamp: float | None = None  # noqa: N815
    importance: float = 0.0
    runtag: str = ""


def facts_file(path: Path) -> Path | None:
    """The file of facts at a path: the file itself, or the one in a directory."""
    if path.is_dir():
        found = sorted(path.glob("*.facts.json*"))
        return found[0] if found else None
    return path if ".facts.json" in path.name else None


def load(path: Path) -> Collection:
    """Read facts; every request is a topic."""
    file = facts_file(path)
    if file is None:
        raise DataError("holds no facts; give a .facts.json or its directory", place=path)
    topics = {}
    for event in _decode_rows(file, list[RequestedFacts]):
        for request in sorted(event.factsByRequest, key=_sort_requests):
            topics[request] = Topic(
                id=request,
                title=event.event,
                judgements=Judgements(
                    sentences=(),
                    events=tuple(
                        Event(
                            f"{request}-f{number:03}",
                            fact.fact,
                            # Here times are in thousandths of a second.
                            None if fact.dateUnix is None else fact.dateUnix / 1000,
                            fact.importance,
                        )
                        for number, fact in enumerate(event.factsByRequest[request], 1)
                    ),
                    links=(),
                    pooled=True,
                ),
            )
    return Collection(topics, name=bare_name(file))


def _sort_requests(request: str) -> tuple[str, int]:
    """Requests by event and number: r10 after r9."""
    event, _, number = request.rpartition("-r")
    return event, int(number) if number.isdecimal() else 0


def load_summaries(path: Path) -> Collection:
    """Read gold summaries; every event is a topic with its references, each one sentence."""
    topics = {}
    for row in _decode_rows(path, list[dict[str, Any]]):
        name = row.get("eventID")
        found = [
            Summary((text,), author)
            for author, key in SUMMARIES.items()
            if isinstance(text := row.get(key), str) and text.strip()
        ]
        if not isinstance(name, str) or not found:
            raise DataError(
                f"event '{name}' has no id or no summary; "
                f"give eventID and {', '.join(SUMMARIES.values())}",
                place=path,
            )
        topics[name] = Topic(id=name, title=str(row.get("title", "")), summaries=tuple(found))
    return Collection(topics, name=bare_name(path))


def load_runs(path: Path) -> list[Run]:
    """Read the facts of a run, line by line; a file may hold several runs by their tags."""
    decoder = msgspec.json.Decoder(RunRow)
    found: dict[str, dict[str, list[Selection]]] = {}
    for number, line in read_numbered_lines(path):
        written = line.removeprefix(BOM) if number == 1 else line
        if not written.strip():
            continue
        try:
            row = decoder.decode(written)
        except UNREADABLE as error:
            raise DataError(
                f"{describe_json_error(error)}; write requestID, factText, importance",
                place=f"{path}:{number}",
            ) from None
        system = row.runtag or bare_name(path)
        chosen = Selection("", row.importance, row.unixTimestamp, text=row.factText)
        found.setdefault(system, {}).setdefault(row.requestID, []).append(chosen)
    runs: list[Run] = []
    for system, requests in found.items():
        outputs: dict[str, Output] = {r: Ranking(tuple(facts)) for r, facts in requests.items()}
        runs.append(Run(system, outputs))
    return runs


def is_run(path: Path) -> bool:
    """Whether the first row of a JSON Lines file is a fact of a run."""
    if not path.is_file() or ".json" not in path.name:
        return False
    for _, line in read_numbered_lines(path):
        return b'"requestID"' in line and b'"factText"' in line
    return False


def _decode_rows(path: Path, kind: Any) -> Any:
    """Decode a whole file into rows of a kind."""
    try:
        return msgspec.json.decode(read_bytes(path), type=kind)
    except UNREADABLE as error:
        raise DataError(
            f"{describe_json_error(error)}; give the track's own file", place=path
        ) from None
