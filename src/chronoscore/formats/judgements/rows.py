"""The rows of a judgements file, as they stand on their lines.

Each row is a JSON object whose `kind` says which of these it is. Keys that are not named
here are ignored, so that a later version may add some.
"""

from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from chronoscore.errors import did_you_mean
from chronoscore.formats.io.files import JUDGEMENTS
from chronoscore.formats.summaries.records import describe_json_error

FORMAT = JUDGEMENTS
VERSION = 1


class JudgementsRow(msgspec.Struct, tag_field="kind", omit_defaults=True):
    """What all rows have in common."""


class HeaderRow(JudgementsRow, tag="header"):
    """Opens the file: how it was made, and an estimate of the units that nobody chose."""

    format: str = ""
    version: int | float | str = VERSION
    workflow: str = ""
    settings: dict[str, Any] | None = None
    z: int | None = None


class TopicRow(JudgementsRow, tag="topic"):
    """A topic; `length` is how many timeline lines its writers were asked for.

    Of a `pooled` topic only a sample of what systems chose was judged. `judges` and `writers`
    name everybody where some of them have no link or line in the file, and `z` is the topic's
    own estimate where those of the topics differ.
    """

    id: str
    title: str = ""
    length: int | None = None
    pooled: bool = False
    judges: list[str] = []
    writers: list[str] = []
    z: int | None = None


class StoryRow(JudgementsRow, tag="story"):
    """A text of the stream, with the time at which it came in."""

    id: str
    topic: str = ""
    time: str | float | None = None
    title: str = ""
    sha256: str = ""


class SentenceRow(JudgementsRow, tag="sentence"):
    """The n-th sentence of a story; `join` makes it a part of the one before, or of another.

    `confidence` says by judge how sure a machine is of what it linked, from 0 to 100.
    """

    id: str
    story: str = ""
    topic: str = ""
    n: int | None = None
    start: int | None = None
    end: int | None = None
    join: bool | str = False
    text: str | None = None
    confidence: dict[str, Annotated[float, msgspec.Meta(ge=0, le=100)]] = {}


class EventRow(JudgementsRow, tag="event"):
    """An event that the judges agreed on."""

    id: str
    topic: str = ""
    text: str = ""
    from_: str = msgspec.field(name="from", default="")
    time: str | float | None = None
    importance: float = 1.0


class LinkRow(JudgementsRow, tag="link"):
    """A sentence that tells of an event, who said so, and what the verifier said."""

    sentence: str
    event: str
    marked_by: list[str] = []
    verdict: Literal["kept", "dropped", "added", "keep", "drop", "add"] | None = None
    group: str = ""
    start: int | None = None
    end: int | None = None


class AbstentionRow(JudgementsRow, tag="abstention"):
    """A sentence on which a judge gave no usable answer."""

    sentence: str
    author: str
    topic: str = ""
    reason: str = ""


class WriterRow(JudgementsRow, tag="writer"):
    """A writer of timelines."""

    id: str


class LineRow(JudgementsRow, tag="line"):
    """One dated line of a writer's timeline."""

    id: str
    writer: str
    when: str = ""
    text: str = ""
    topic: str = ""


class UnitRow(JudgementsRow, tag="hcu"):
    """A content unit made from lines; its weight is the number of their writers."""

    id: str
    topic: str = ""
    action: str = ""
    agent: str = ""
    patient: str = ""
    time: str = ""
    location: str = ""
    lines: list[str] = []
    writers: list[str] = []
    weight: int | None = None


class AnchorRow(JudgementsRow, tag="anchor"):
    """Characters of a source that may express a unit."""

    id: str
    source: str
    start: int
    end: int


class Member(msgspec.Struct):
    """An anchor or a group by its id, and the share of the whole that it is worth."""

    ref: str
    v: float


class GroupRow(JudgementsRow, tag="group"):
    """What expresses a unit; a unit's tree starts at the group that is in no other."""

    hcu: str
    members: list[Member]
    id: str = ""
    root: bool | None = None


class RematchRow(JudgementsRow, tag="rematch"):
    """How a second matcher says that a unit is expressed, with anchors of their own."""


class OmittedRow(JudgementsRow, tag="omitted"):
    """Something that the judges left out, and why."""


class AgreementRow(JudgementsRow, tag="agreement"):
    """A figure of agreement that was computed when the file was written."""


class FooterRow(JudgementsRow, tag="footer"):
    """Closes the file: how many lines came before, and the SHA-256 of their bytes."""

    lines: int | None = None
    sha256: str = ""


AnyRow: TypeAlias = (
    HeaderRow
    | TopicRow
    | StoryRow
    | SentenceRow
    | EventRow
    | LinkRow
    | AbstentionRow
    | WriterRow
    | LineRow
    | UnitRow
    | AnchorRow
    | GroupRow
    | RematchRow
    | OmittedRow
    | AgreementRow
    | FooterRow
)

KINDS = tuple(str(kind.__struct_config__.tag) for kind in AnyRow.__args__)


NAMES = frozenset({"id", "topic", "story", "sentence", "event", "from", "writer", "hcu"}) | {
    *("source", "ref", "group", "join", "system", "lines[]", "writers[]", "judges[]", "marked_by[]")
}
"""Keys whose values are ids, which other tools may write as numbers."""


def decode_judgement_row_loosely(line: bytes) -> AnyRow:
    """Read a row that leaves fields null or writes ids as numbers; slower than the decoder."""
    row: AnyRow = msgspec.convert(drop_nulls_of_judgement_row(msgspec.json.decode(line)), AnyRow)
    return row


def drop_nulls_of_judgement_row(value: Any, key: str = "") -> Any:
    """A row's value with nulls dropped and ids as text."""
    if isinstance(value, dict):
        return {k: drop_nulls_of_judgement_row(v, k) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [drop_nulls_of_judgement_row(item, f"{key}[]") for item in value]
    plain_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if plain_number and key in NAMES else value


class KindOnly(msgspec.Struct):
    """Only the kind, to say what is wrong with it."""

    kind: str


@cache
def judgement_row_decoder() -> "msgspec.json.Decoder[AnyRow]":
    """Built once; it knows all kinds of rows."""
    return msgspec.json.Decoder(AnyRow)


def describe_judgement_row_error(line: bytes, error: Exception) -> str:
    """What is wrong with a line; an unknown kind is answered with the nearest known one."""
    if not isinstance(error, msgspec.ValidationError):
        return f"{describe_json_error(error)}; fix the line"
    try:
        kind = msgspec.json.decode(line, type=KindOnly).kind
    except msgspec.ValidationError:
        return f"the row has no kind; write one of {', '.join(KINDS)}"
    if kind not in KINDS:
        return f"unknown kind '{kind}'; {did_you_mean(kind, KINDS)}"
    return f"{kind}: {describe_json_error(error)}; fix the row"
