"""Judged topics from elsewhere: a judgements file or TREC-TS tables become final topics.

The people behind them get accounts without passwords, so that their marks have owners and
agreement can be computed, and the log tells where everything came from.
"""

from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Any
from unicodedata import normalize

from sqlalchemy import Connection

from chronoscore.core import ContentUnit, Judgements, Link, Pyramid, Topic
from chronoscore.core.judging import Anchor, Group
from chronoscore.errors import DataError
from chronoscore.formats.judgements import judgement_files
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions import topics
from chronoscore.workbench.exchange.files import File, in_folder
from chronoscore.workbench.exchange.judged_stories import draft
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.tables import UNIT_FIELDS

POOL = ["pool"]
"""Who marked what is in a file that names no judges, such as TREC's pools."""


def is_judgements(file: File) -> bool:
    """Whether a file is a judgements file."""
    return b'"chronoscore-judgements"' in file.raw[:1000]


def read_judgements(file: File) -> list[Topic]:
    """The topics of a judgements file."""
    with in_folder([File("judgements.jsonl", file.raw)], file.name) as folder:
        return list(judgement_files.load(folder / "judgements.jsonl").topics.values())


def add_judged(connection: Connection, project: ProjectAccess, topic: Topic) -> int:
    """Add a judged topic to a project, as final."""
    if project.workflow == "units":
        if topic.pyramid is None:
            raise DataError(f"topic '{topic.id}' has no content units; import it into a stream")
        _check_lines(topic.id, topic.pyramid)
        number = create_topic(connection, project, topic)
        JudgedTopicLog(connection, project, number, "match").units(topic.pyramid)
    else:
        if topic.judgements is None or not topic.judgements.events:
            raise DataError(f"topic '{topic.id}' has no events; import it into units")
        number = create_topic(connection, project, topic)
        JudgedTopicLog(connection, project, number, "link").stream(topic.judgements)
    return number


def create_topic(connection: Connection, project: ProjectAccess, topic: Topic) -> int:
    """Log the text of a judged topic; returns the topic's number."""
    return log.new_number(topics.create(connection, project, token_hex(16), draft(topic), most=""))


class JudgedTopicLog:
    """Writes a judged topic's entries into the log."""

    def __init__(
        self, connection: Connection, project: ProjectAccess, topic: int, step: str
    ) -> None:
        self.connection = connection
        self.project = project
        self.topic = topic
        self.step = step

    def record(self, action: str, data: dict[str, Any], person: int | None = None) -> None:
        """One entry about the topic."""
        place: dict[str, Any] = {"project": self.project.id, "topic": self.topic}
        entry = LogEntry(action=action, data=data, person=person, step=self.step, **place)
        log.append(self.connection, entry)

    def person_with(self, name: str, role: str) -> int:
        """The account of a person who worked elsewhere, with a role here."""
        shown, number = _account(self.connection, name)
        if number is None:
            number = accounts.create(self.connection, shown, None, founder=False).id
        self.record("topic.assign", {"person": number, "role": role})
        return number

    def stream(self, judged: Judgements) -> None:
        """Events, the judges' marks, and the verdicts: all of a judged stream."""
        self.events(judged)
        names = sorted({name for link in judged.links for name in link.marked_by}) or POOL
        judges = {name: self.person_with(name, "judge") for name in names}
        verifier = self.person_with("verifier", "verifier")
        parts = judged.parts
        for name, person in judges.items():
            own = [link for link in judged.links if name in link.marked_by or names == POOL]
            self.record("mark", {"changes": _marks(judged, parts, own), "before": {}}, person)
        verdicts = _verdicts(judged, parts, pooled=names == POOL)
        self.record("verdict", {"changes": verdicts, "before": []}, verifier)
        self.record("step.open", {"step": "final"})

    def events(self, judged: Judgements) -> None:
        """The joint list of events."""
        for number, event in enumerate(judged.events, 1):
            words = event.text or event.id
            data = {"id": event.id, "n": number, "text": words, "candidates": []}
            self.record("event.add", data)

    def units(self, pyramid: Pyramid) -> None:
        """Lines, units, and the matcher's trees: all of a pyramid."""
        self.lines(pyramid)
        matcher = self.person_with("matcher", "matcher")
        before = {"tree": {"members": []}, "done": False, "version": 0}
        for number, unit in enumerate(pyramid.units, 1):
            self.unit(number, unit)
            matching = {"tree": _tree(unit.group), "done": True, "version": 1, "before": before}
            self.record("match", {"unit": unit.id, **matching}, matcher)
        if pyramid.unchosen is not None:
            self.record("topic.estimate", {"z": pyramid.unchosen})
        self.record("step.open", {"step": "final"})

    def lines(self, pyramid: Pyramid) -> None:
        """Everybody's timeline."""
        writers = {name: self.person_with(name, "writer") for name in _writers(pyramid)}
        counts = dict.fromkeys(writers, 0)
        for line in pyramid.lines:
            counts[line.writer] += 1
            data = {"id": line.id, "n": counts[line.writer], "when": str(line.when)}
            self.record("line.add", {**data, "text": line.text}, writers[line.writer])

    def unit(self, number: int, unit: ContentUnit) -> None:
        """A unit made of lines."""
        fields = {"action": unit.text, **{name: getattr(unit, name) for name in UNIT_FIELDS[1:]}}
        data = {"id": unit.id, "n": number, "fields": fields, "lines": list(unit.lines)}
        self.record("unit.add", data)


def _account(connection: Connection, name: str) -> tuple[str, int | None]:
    """The name under which imported work is kept, and the account that has it, if any.

    Names that only look alike are kept apart, or two writers would count as one. The ending
    always stays, or a long name could be that of somebody who works here.
    """
    visible = "".join(c if c.isprintable() else " " for c in normalize("NFC", name))
    clean = " ".join(visible.split()) or "?"
    shown = clean + accounts.IMPORTED
    number = accounts.by_name(connection, shown)
    taken = number is not None and accounts.names(connection, {number})[number] != shown
    if taken or clean != name or len(shown) > accounts.LONGEST_NAME:
        shown = f"{clean[:30]}… {accounts.digest(name)[:8]}{accounts.IMPORTED}"
        number = accounts.by_name(connection, shown)
    return shown, number


def _writers(pyramid: Pyramid) -> list[str]:
    """Those whom the file lists, and those whose lines it has."""
    return list(dict.fromkeys([*pyramid.writers, *(line.writer for line in pyramid.lines)]))


def _check_lines(topic: str, pyramid: Pyramid) -> None:
    """Refuse units that the workbench would weigh otherwise: there, lines are what counts."""
    for line in pyramid.lines:
        if line.when is None:
            raise DataError(f"topic '{topic}': line '{line.id}' has no date; every line needs one")
    writer = {line.id: line.writer for line in pyramid.lines}
    for unit in pyramid.units:
        unknown = [line for line in unit.lines if line not in writer]
        if unknown:
            raise DataError(f"topic '{topic}': unit '{unit.id}' has no line '{unknown[0]}'; add it")
        silent = sorted(unit.writers - {writer[line] for line in unit.lines})
        if silent:
            raise DataError(
                f"topic '{topic}': unit '{unit.id}' has no line of its writer '{silent[0]}'; add it"
            )


def _marks(
    judged: Judgements, parts: Mapping[str, list[str]], own: Iterable[Link]
) -> list[dict[str, Any]]:
    """One judge's marks of all sentences; what they did not link is off."""
    links: dict[str, set[tuple[str, str]]] = {}
    for link in own:
        for part in (link.sentence, *parts.get(link.sentence, ())):
            links.setdefault(part, set()).add((link.event, link.group))
    return [
        {
            "sentence": name,
            "off": name not in links,
            "links": [list(link) for link in sorted(links.get(name, ()))],
            "joined": name in judged.joined,
            "version": 1,
        }
        for head in judged.sentences
        for name in (head, *parts.get(head, ()))
    ]


def _verdicts(
    judged: Judgements, parts: Mapping[str, list[str]], *, pooled: bool
) -> list[dict[str, Any]]:
    """What the verifier said of each link, and of each group as one."""
    verdicts = []
    groups: dict[tuple[str, str], list[str]] = {}
    for link in judged.links:
        if link.group:
            groups.setdefault((link.event, link.group), []).append(link.sentence)
        else:
            block = "+".join([link.sentence, *parts.get(link.sentence, ())])
            added = not link.marked_by and not pooled
            verdicts.append(_verdict(link.event, block, link.kept, added))
    kept = {(link.event, link.group) for link in judged.links if link.kept}
    place = {name: at for at, name in enumerate(judged.sentences)}
    for (event, group), members in groups.items():
        ordered = sorted(members, key=lambda name: place.get(name, 0))
        whole = [part for name in ordered for part in (name, *parts.get(name, ()))]
        item = ("&" if len(ordered) > 1 else "") + "+".join(whole)
        verdicts.append(_verdict(event, item, (event, group) in kept, False))
    return verdicts


def _verdict(event: str, item: str, kept: bool, added: bool) -> dict[str, Any]:
    return {"event": event, "sentence": item, "kept": kept, "added": added, "version": 1}


def _tree(group: Group) -> dict[str, Any]:
    return {
        "members": [
            {"anchor": member.id, "v": share}
            if isinstance(member, Anchor)
            else {**_tree(member), "v": share}
            for member, share in group.members
        ]
    }
