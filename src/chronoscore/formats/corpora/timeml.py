"""TimeML: events and times marked in a text, as taggers such as TIPSem write it.

Only the text inside ``<TEXT>`` counts, and offsets count its characters. An EVENT is what an
anchor of a content unit may be; MAKEINSTANCE gives it instances, TIMEX3 marks times.
"""

from dataclasses import dataclass, field
from pathlib import Path

from chronoscore.core import Anchor, Place, When
from chronoscore.errors import DataError
from chronoscore.formats.io import xml
from chronoscore.formats.io.files import write_text


@dataclass(frozen=True, kw_only=True)
class TaggedEvent:
    """A word (or few) that tells of an event, its class, and its instances."""

    id: str
    start: int
    end: int
    text: str
    kind: str = "OCCURRENCE"
    instances: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TaggedTime:
    """Words that tell a time, with TIMEX3's value and type; `when` is the day, month or year."""

    id: str
    start: int
    end: int
    text: str
    value: str
    kind: str = "DATE"

    @property
    def when(self) -> When | None:
        """The value as a date, where it is one."""
        try:
            return When.parse(self.value)
        except DataError:
            return None


@dataclass(frozen=True, kw_only=True)
class TaggedText:
    """A text with its events and times; `sentences` are there where the file marks them."""

    id: str
    text: str
    events: tuple[TaggedEvent, ...] = ()
    times: tuple[TaggedTime, ...] = ()
    sentences: tuple[Place, ...] = ()
    created: When | None = None
    title: str = ""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The events as anchors in this text, named by it."""
        return tuple(
            Anchor(id=f"{self.id}-{event.id}", source=self.id, start=event.start, end=event.end)
            for event in self.events
        )


@dataclass
class MarkCollector:
    """What has been found while walking through the text."""

    path: Path
    text: list[str] = field(default_factory=list)
    length: int = 0
    events: list[tuple[xml.Node, int, int]] = field(default_factory=list)
    times: list[tuple[xml.Node, int, int]] = field(default_factory=list)
    sentences: list[tuple[xml.Node, int, int]] = field(default_factory=list)

    def walk(self, node: xml.Node) -> None:
        """Collect text and marks below an element."""
        start = self.length
        kinds = {"EVENT": self.events, "TIMEX3": self.times, "s": self.sentences}
        for child in node.children:
            if isinstance(child, str):
                self.text.append(child)
                self.length += len(child)
            else:
                self.walk(child)
        if node.tag in kinds:
            kinds[node.tag].append((node, start, self.length))


def load(path: Path) -> TaggedText:
    """Read a TimeML file."""
    root = xml.load(path)
    body = next((node for node in root.walk() if node.tag == "TEXT"), None)
    if root.tag != "TimeML" or body is None:
        raise DataError("is not TimeML; it needs <TimeML> with a <TEXT> in it", place=path)
    marks = MarkCollector(path)
    marks.walk(body)
    text = "".join(marks.text)
    instances: dict[str, list[str]] = {}
    for node in root.walk():
        if node.tag == "MAKEINSTANCE":
            event = xml.required_attribute(path, node, "eventID")
            instances.setdefault(event, []).append(xml.required_attribute(path, node, "eiid"))
    name = root.first("DOCID")
    label = name.text.strip() if name else path.name.partition(".")[0]
    title = root.first("TITLE") or root.first("EXTRAINFO")
    tagged = TaggedText(
        id=label,
        text=text,
        events=tuple(_read_event(path, mark, text, instances) for mark in marks.events),
        times=tuple(_read_time(path, mark, text) for mark in marks.times),
        sentences=tuple(
            Place(f"{label}-{xml.required_attribute(path, node, 'id')}", start, end)
            for node, start, end in marks.sentences
        ),
        created=creation_date(root),
        title=title.text.strip() if title else "",
    )
    _check_ids(path, tagged, instances, marks)
    return tagged


def _read_event(
    path: Path,
    mark: tuple[xml.Node, int, int],
    text: str,
    instances: dict[str, list[str]],
) -> TaggedEvent:
    """An event with its words and instances."""
    node, start, end = mark
    name = xml.required_attribute(path, node, "eid")
    return TaggedEvent(
        id=name,
        start=start,
        end=end,
        text=text[start:end],
        kind=node.attributes.get("class", "OCCURRENCE"),
        instances=tuple(instances.get(name, ())),
    )


def _read_time(path: Path, mark: tuple[xml.Node, int, int], text: str) -> TaggedTime:
    """A time with its words and value."""
    node, start, end = mark
    return TaggedTime(
        id=xml.required_attribute(path, node, "tid"),
        start=start,
        end=end,
        text=text[start:end],
        value=node.attributes.get("value", ""),
        kind=node.attributes.get("type", "DATE"),
    )


def creation_date(root: xml.Node) -> When | None:
    """The document's own date, where it is told and is one."""
    for node in root.walk():
        if node.tag == "TIMEX3" and node.attributes.get("functionInDocument") == "CREATION_TIME":
            try:
                return When.parse(node.attributes.get("value", ""))
            except DataError:
                return None
    return None


def _check_ids(
    path: Path, tagged: TaggedText, instances: dict[str, list[str]], marks: MarkCollector
) -> None:
    """Refuse repeated ids, events without a word, and instances of nothing."""
    seen: set[str] = set()
    for (node, start, end), event in zip(marks.events, tagged.events, strict=True):
        if event.id in seen:
            raise DataError(
                f"event '{event.id}' occurs twice; give each its own id",
                place=f"{path}:{node.line}",
            )
        if start == end:
            raise DataError(
                f"event '{event.id}' marks no word; remove it", place=f"{path}:{node.line}"
            )
        seen.add(event.id)
    strange = [event for event in instances if event not in seen]
    if strange:
        raise DataError(
            f"MAKEINSTANCE names event '{strange[0]}', which the text does not mark; "
            "add or remove it",
            place=path,
        )


def save(tagged: TaggedText, path: Path) -> None:
    """Write TimeML, so that other tools can read what was tagged here."""
    date = str(tagged.created) if tagged.created else ""
    stamp = (
        f'<TIMEX3 tid="t0" type="DATE" value={xml.quote(date)} temporalFunction="false" '
        f'functionInDocument="CREATION_TIME">{xml.escape(date)}</TIMEX3>'
    )
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>\n<TimeML>\n',
        f"<DOCID>{xml.escape(tagged.id)}</DOCID>\n",
        f"<DCT>{stamp}</DCT>\n" if date else "",
        f"<TITLE>{xml.escape(tagged.title)}</TITLE>\n" if tagged.title else "",
        f"<TEXT>{_mark_up(tagged)}</TEXT>\n",
        *(
            f"<MAKEINSTANCE eventID={xml.quote(event.id)} eiid={xml.quote(instance)}/>\n"
            for event in tagged.events
            for instance in event.instances
        ),
        "</TimeML>\n",
    ]
    write_text(path, "".join(parts))


def _mark_up(tagged: TaggedText) -> str:
    """The text with its marks, sentences outermost."""
    opens: dict[int, list[str]] = {}
    closes: dict[int, list[str]] = {}
    marks: list[tuple[int, int, int, str, str]] = []
    for place in tagged.sentences:
        name = place.source.removeprefix(f"{tagged.id}-")
        marks.append((place.start, -place.end, 0, f"<s id={xml.quote(name)}>", "</s>"))
    for time in tagged.times:
        attributes = f"tid={xml.quote(time.id)} type={xml.quote(time.kind)}"
        opening = f"<TIMEX3 {attributes} value={xml.quote(time.value)}>"
        marks.append((time.start, -time.end, 1, opening, "</TIMEX3>"))
    for event in tagged.events:
        opening = f"<EVENT eid={xml.quote(event.id)} class={xml.quote(event.kind)}>"
        marks.append((event.start, -event.end, 2, opening, "</EVENT>"))
    around: list[int] = []
    for start, end, _, opening, closing in sorted(marks):
        around = [other for other in around if other > start]
        if any(other < -end for other in around):
            raise DataError(f"text '{tagged.id}': marks cross at {start}; nest them or drop one")
        around.append(-end)
        opens.setdefault(start, []).append(opening)
        closes.setdefault(-end, []).insert(0, closing)
    return _insert_tags(tagged.text, opens, closes)


def _insert_tags(text: str, opens: dict[int, list[str]], closes: dict[int, list[str]]) -> str:
    """Text with tags put in at their places."""
    out: list[str] = []
    before = 0
    for place in sorted({*opens, *closes}):
        out += [xml.escape(text[before:place]), *closes.get(place, ()), *opens.get(place, ())]
        before = place
    return "".join([*out, xml.escape(text[before:])])
