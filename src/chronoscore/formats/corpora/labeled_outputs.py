"""What a file holds: outputs with the topics and roles that the file tells."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from chronoscore.core import Output, Timeline
from chronoscore.errors import DataError
from chronoscore.formats.corpora.unreadable import is_judged
from chronoscore.formats.io.files import PACKED
from chronoscore.formats.io.layout import bare_name, is_json
from chronoscore.formats.io.notes import Note
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.entries import Repeated, Role

if TYPE_CHECKING:
    from chronoscore.formats.corpora.crisisfacts_texts import FactRules
    from chronoscore.formats.summaries.records import Record

STORE = "timelines"
"""What a topic's folder keeps its timelines under."""


@dataclass(frozen=True, slots=True)
class LabeledOutput:
    """One output in a file, and what the file says about it: its topic and its role.

    Without a topic it belongs to the one that the file's name tells; without a role it is
    whatever the file was given as.
    """

    output: Output
    topic: str | None = None
    role: Role = ""
    shared: bool = False
    """Whether it counts only where its topic has references."""


Read: TypeAlias = Callable[[Path, list[Note]], list[LabeledOutput]]
"""Reads a file, adding to the notes what had to be dropped, guessed or merged."""


def read_summaries(
    path: Path, notes: list[Note], rules: "FactRules | None" = None
) -> list[LabeledOutput]:
    """The summaries of a file: one sentence a line, JSON records, or what CrisisFACTS has."""
    if (found := _read_crisisfacts(path, notes, rules)) is not None:
        return found
    if not is_json(path):
        return [LabeledOutput(plain.load(path))]
    from chronoscore.formats.summaries import records

    try:
        loaded = records.load(path)
    except DataError:
        if is_judged(path):
            raise DataError("holds judgements; give it as `judgements`", place=path) from None
        raise
    return [piece for record in loaded for piece in _record_pieces(record)]


def _read_crisisfacts(
    path: Path, notes: list[Note], rules: "FactRules | None"
) -> list[LabeledOutput] | None:
    """The events of a run or of summaries, or nothing if a file holds neither."""
    if not (path.suffix in PACKED or is_json(path)):
        return None
    # The readers of a track take long to load; texts do not pay for them.
    from chronoscore.formats.corpora import crisisfacts_texts as texts
    from chronoscore.formats.corpora.crisisfacts import kind_of

    how = rules or texts.FactRules()
    match kind_of(path):
        case "run":
            told = how.read_texts(path, notes)
            return [LabeledOutput(text, event, "system", shared=True) for event, text in told]
        case "summaries":
            found = how.read_summaries(path, notes)
            return [LabeledOutput(text, event, "reference") for event, text in found.items()]
    return None


def _record_pieces(record: "Record") -> Iterator[LabeledOutput]:
    """The system's output and the references of one record."""
    if record.system is not None:
        yield LabeledOutput(record.system, record.topic, "system")
    for reference in record.references:
        yield LabeledOutput(reference, record.topic, "reference")


def read_timelines(
    path: Path, notes: list[Note], *, repeated: Repeated, first_days: bool = False
) -> list[LabeledOutput]:
    """The timelines of a file in any format, signed by it where they name no author."""
    reading = timeline_files.read(path, repeated=repeated, first_days=first_days)
    notes.extend(reading.notes)
    pieces = []
    several = len(reading.timelines) > 1 or bare_name(path) == STORE
    for number, held in enumerate(reading.timelines, 1):
        alone = str(number) if several else bare_name(path)
        signed = held.timeline.author or ("" if held.topic is not None else alone)
        timeline = Timeline(held.timeline.entries, signed)
        pieces.append(LabeledOutput(timeline, held.topic, held.role))
    return pieces


def file_outputs_with_role(pieces: Sequence[LabeledOutput], role: Role) -> list[LabeledOutput]:
    """The pieces that can play a role."""
    return [piece for piece in pieces if piece.role in ("", role)]


def topics_without_role(pieces: Sequence[LabeledOutput], role: Role) -> list[str]:
    """The topics that a file names without anything for this role."""
    served = {piece.topic for piece in file_outputs_with_role(pieces, role)}
    return [
        piece.topic for piece in pieces if piece.topic is not None and piece.topic not in served
    ]
