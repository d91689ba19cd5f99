"""CrisisFACTS: dated facts of disasters by request, and which of the track's files a path is.

Each request (one event on one day) is a topic whose events are the facts that people found.
Runs are read by `crisisfacts_runs`, summaries by `crisisfacts_texts`, and what assessors decided
by `crisisfacts_assessed`. Files are known by what they hold, because the track's own come under
many names: `run.json.gz` and `run.gz` both hold JSON Lines.
"""

from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from chronoscore.core import Collection, Event, Judgements, Topic
from chronoscore.errors import DataError
from chronoscore.formats.io.files import PACKED, read_bytes, read_start
from chronoscore.formats.io.layout import bare_name, is_json
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

LABELS = "final-annotated-facts-results.json"
"""What assessors thought of facts in 2023."""
LOOKED_AT = 1 << 16
"""Bytes at the beginning of a file that say what it is."""
FileKind: TypeAlias = Literal["run", "facts", "labels", "collapsed", "summaries", "events", ""]
KEYS: tuple[tuple[FileKind, tuple[bytes, ...]], ...] = (
    ("run", (b'"requestID"', b'"factText"')),
    ("facts", (b'"factsByRequest"',)),
    ("labels", (b'"fact_list"',)),
    ("collapsed", (b'"collapsed_fact_id"',)),
    ("summaries", (b'"nist.summary"',)),
    ("summaries", (b'"wiki.summary"',)),
    ("summaries", (b'"ics.summary"',)),
    ("events", (b'"eventID"', b'"trecisID"')),
)
"""What the beginning of each of the track's files has in it."""


class Fact(msgspec.Struct):
    """A fact that people found, and when."""

    fact: str
    dateUnix: float | None = None  # noqa: N815
    importance: float = 1.0


class Request(msgspec.Struct):
    """What a run was asked for: an event on a day."""

    requestID: str  # noqa: N815


class RequestedFacts(msgspec.Struct):
    """An event with its facts by request, and the requests in the track's order."""

    event: str
    eventID: str  # noqa: N815
    factsByRequest: dict[str, list[Fact]]  # noqa: N815
    summaryRequests: list[Request] = []  # noqa: N815


def facts_file(path: Path) -> Path | None:
    """The file of facts at a path: the file itself, or the one in a directory."""
    if path.is_dir():
        found = sorted(path.glob("*.facts.json*"))
        return found[0] if found else None
    return path if ".facts.json" in path.name or kind_of(path) == "facts" else None


def load(path: Path) -> Collection:
    """Read facts; every request is a topic."""
    file = facts_file(path)
    if file is None:
        raise DataError("holds no facts; give a .facts.json or its directory", place=path)
    topics = {}
    for event in decode_rows(file, list[RequestedFacts]):
        for request in sorted(event.factsByRequest, key=request_order):
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


def load_depths(file: Path) -> dict[str, int]:
    """How many facts people found for each request, in the order of the file."""
    return {
        name: len(event.factsByRequest.get(name, ()))
        for event in decode_rows(file, list[RequestedFacts])
        for name in [one.requestID for one in event.summaryRequests] or event.factsByRequest
    }


def request_order(request: str) -> tuple[str, int]:
    """Requests by event and number: r10 after r9."""
    event, _, number = request.rpartition("-r")
    return event, int(number) if number.isdecimal() else 0


def event_of(request: str) -> str:
    """The event that a request is about.

    >>> event_of("CrisisFACTS-001-r3")
    'CrisisFACTS-001'
    """
    return request.rpartition("-")[0] or request


def kind_of(path: Path) -> FileKind:
    """Which of the track's files a file is, by a look at its beginning; none if it is not one."""
    if not (path.suffix.lower() in PACKED or is_json(path)) or not path.is_file():
        return ""
    if LABELS in path.name:
        # The labels may stand far behind the texts.
        return "labels"
    start = read_start(path, LOOKED_AT).lstrip()
    if start[:1] not in (b"[", b"{"):
        return ""
    return next((kind for kind, keys in KEYS if all(key in start for key in keys)), "")


def decode_rows(path: Path, kind: Any) -> Any:
    """Decode a whole file into rows of a kind."""
    try:
        return msgspec.json.decode(read_bytes(path), type=kind)
    except UNREADABLE as error:
        raise DataError(
            f"{describe_json_error(error)}; give the track's own file", place=path
        ) from None
