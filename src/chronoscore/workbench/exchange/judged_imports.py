"""Judged topics from elsewhere: a judgements file or TREC-TS tables become final topics.

The people behind them get accounts without passwords, so that their marks have owners and
agreement can be computed, and the log tells where everything came from.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any
from unicodedata import normalize

import msgspec
from sqlalchemy import Connection

from chronoscore.core import ContentUnit, Judgements, Link, Pyramid, Topic
from chronoscore.core.judging import Anchor, Group
from chronoscore.errors import DataError
from chronoscore.formats.judgements import judgement_files
from chronoscore.formats.judgements.rows import AnchorRow
from chronoscore.workbench.domain import accounts, catalog, trees
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions import topics
from chronoscore.workbench.domain.actions.performing import record
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.exchange import files, judged_stories
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.tables import UNIT_FIELDS
from chronoscore.workbench.store.workflow import DEFAULTS

POOL = ["pool"]
"""Who marked what is in a file that names no judges, such as TREC's pools."""


def is_judgements(file: File) -> bool:
    """Whether a file is a judgements file."""
    return b'"chronoscore-judgements"' in file.raw[:1000]


@dataclass(frozen=True)
class JudgedTopic:
    """A topic that was judged elsewhere, and what its file says about how that was done.

    `notes` are rows on what was left out, `rematches` the second matcher's trees.
    """

    topic: Topic
    settings: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Mapping[str, Any], ...] = ()
    rematches: tuple[Mapping[str, Any], ...] = ()


def read(file: File) -> list[JudgedTopic]:
    """The topics of a judgements file."""
    with files.write_to_folder([File("judgements.jsonl", file.raw)], file.name) as folder:
        corpus = judgement_files.load(folder / "judgements.jsonl")
    standing = {"step": "steps", "version": "versions", "hours": "hours"}
    judged = []
    for name, topic in corpus.topics.items():
        facts = {}
        for fact, key in standing.items():
            told = corpus.settings.get(key)
            if isinstance(told, dict) and isinstance(told.get(name), str | int | float):
                facts[fact] = told[name]
        about = [note for note in corpus.notes if note.get("topic") == name]
        judged.append(
            JudgedTopic(
                topic,
                corpus.settings,
                facts,
                tuple(note for note in about if note.get("kind") == "omitted"),
                tuple(note for note in about if note.get("kind") == "rematch"),
            )
        )
    return judged


def add(connection: Connection, project: ProjectAccess, judged: JudgedTopic | Topic) -> int:
    """Add a judged topic to a project, as final."""
    if isinstance(judged, Topic):
        judged = JudgedTopic(judged)
    topic, anchors, length = judged.topic, [], ""
    if project.workflow == "units":
        if topic.pyramid is None:
            raise DataError(f"topic '{topic.id}' has no content units; import it into a stream")
        _check_lines(topic.id, topic.pyramid)
        length = str(topic.pyramid.length or 0)
        names = [*_writers(topic.pyramid), "matcher", *(["rematcher"] if judged.rematches else [])]
        anchors = _further_anchors(judged)
    else:
        if topic.judgements is None or not topic.judgements.events:
            raise DataError(f"topic '{topic.id}' has no events; import it into units")
        names = [*_judges(topic.judgements), "verifier"]
    people = {name: _person(connection, name) for name in names}
    facts = {"people": {str(number): name for name, number in people.items()}, **judged.facts}
    # As they are written: the log would put their keys into another order.
    notes = [msgspec.json.encode(note).decode() for note in judged.notes]
    text = judged_stories.draft(topic, notes=notes, **facts)
    text.anchors += anchors
    entry = topics.create(connection, project, token_hex(16), text, most=length)
    number = entry.number_made
    if project.workflow == "units":
        assert topic.pyramid is not None
        here = JudgedTopicLog(connection, project, number, "match")
        here.units(topic.pyramid, judged.rematches)
    else:
        assert topic.judgements is not None
        JudgedTopicLog(connection, project, number, "link").stream(topic.judgements)
    return number


def adopt_settings(
    connection: Connection, project: ProjectAccess, settings: Mapping[str, Any]
) -> None:
    """An empty project takes over the settings under which a file was judged."""
    known = {
        name: settings[name]
        for name, usual in DEFAULTS[project.workflow].items()
        if type(settings.get(name)) is type(usual) and 0 <= settings[name] <= topics.MOST_LINES
    }
    changed = {**project.settings, **known}
    if changed != project.settings:
        data = {"name": project.name, "settings": changed}
        record(connection, project, catalog.PROJECT_CHANGE, data, token_hex(16))


class JudgedTopicLog:
    """Writes a judged topic's entries into the log, all at one moment: nobody worked here."""

    def __init__(
        self, connection: Connection, project: ProjectAccess, topic: int, step: str
    ) -> None:
        self.connection = connection
        self.project = project
        self.topic = topic
        self.step = step
        self.time = time.time()

    def record(self, action: str, data: dict[str, Any], person: int | None = None) -> None:
        """One entry about the topic."""
        place: dict[str, Any] = {"project": self.project.id, "topic": self.topic}
        when: dict[str, Any] = {"step": self.step, "time": self.time}
        entry = LogEntry(action=action, data=data, person=person, **when, **place)
        log.append(self.connection, entry)

    def person_with(self, name: str, role: str) -> int:
        """The account of a person who worked elsewhere, with a role here."""
        number = _person(self.connection, name)
        self.record("topic.assign", {"person": number, "role": role})
        return number

    def stream(self, judged: Judgements) -> None:
        """Events, the judges' marks, and the verdicts: all of a judged stream."""
        self.events(judged)
        names = _judges(judged)
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

    def units(self, pyramid: Pyramid, rematches: Iterable[Mapping[str, Any]] = ()) -> None:
        """Lines, units, and the matchers' trees: all of a pyramid."""
        self.lines(pyramid)
        matcher = self.person_with("matcher", "matcher")
        before = {"tree": {"members": []}, "done": False, "version": 0}
        standing = {unit.id: _tree(unit.group) for unit in pyramid.units}
        rows = [row for row in rematches if row.get("hcu") in standing]
        first = {row["hcu"]: row["tree"] for row in rows if row.get("first") is True}
        for number, unit in enumerate(pyramid.units, 1):
            self.unit(number, unit)
            tree = first.get(unit.id, standing[unit.id])
            matching = {"tree": tree, "done": True, "version": 1, "before": before}
            self.record("match", {"unit": unit.id, **matching}, matcher)
        second = [row for row in rows if row.get("first") is not True]
        self.rematches({row["hcu"]: row["tree"] for row in second}, before)
        for name in first:
            decided = {"tree": standing[name], "done": True, "version": 1, "before": before}
            self.record("match.adjudicate", {"unit": name, **decided})
        if pyramid.unchosen is not None:
            self.record("topic.estimate", {"z": pyramid.unchosen})
        self.record("step.open", {"step": "final"})

    def rematches(self, again: dict[str, Any], before: dict[str, Any]) -> None:
        """The second matcher's trees, and which units were drawn for it."""
        if not again:
            return
        matcher = self.person_with("rematcher", "rematcher")
        self.record("unit.sample", {"units": list(again)})
        for unit, tree in again.items():
            matching = {"tree": tree, "done": True, "version": 1, "before": before}
            self.record("match", {"unit": unit, **matching}, matcher)

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


def _judges(judged: Judgements) -> list[str]:
    marking = {name for link in judged.links for name in link.marked_by}
    return sorted(marking | {*judged.judges}) or POOL


def _person(connection: Connection, name: str) -> int:
    """The account of a person who worked elsewhere, made if there is none."""
    shown, number = _account(connection, name)
    if number is None:
        number = accounts.create(connection, shown, None, founder=False).id
    return number


def _further_anchors(judged: JudgedTopic) -> list[dict[str, Any]]:
    """The anchors that only the second matcher used; their rows are checked as they are read."""
    topic = judged.topic
    assert topic.pyramid is not None
    known = set(topic.pyramid.anchors)
    texts = topic.judgements.texts if topic.judgements else {}
    found = []
    for row in judged.rematches:
        try:
            spans = [msgspec.convert(one, AnchorRow) for one in row.get("anchors", ())]
            named = {one.id for one in spans} | known
            trees.check_anchors(trees.parse(row.get("tree")), named)
        except (msgspec.ValidationError, TypeError, InvalidError) as error:
            raise DataError(
                f"a row of kind rematch cannot be used ({error}); fix it",
                place=f"topic '{topic.id}'",
            ) from None
        for one in spans:
            if one.source not in texts or not 0 <= one.start < one.end <= len(texts[one.source]):
                raise DataError(
                    f"anchor '{one.id}' is outside its sentence", place=f"topic '{topic.id}'"
                )
            if one.id not in known:
                known.add(one.id)
                place = {"sentence": one.source, "start": one.start, "stop": one.end}
                found.append({"id": one.id, **place})
    return found


def _account(connection: Connection, name: str) -> tuple[str, int | None]:
    """The name under which imported work is kept, and the account that has it, if any.

    Names that only look alike are kept apart, or two writers would count as one. The ending
    always stays, or a long name could be that of a member.
    """
    visible = "".join(c if c.isprintable() else " " for c in normalize("NFC", name))
    clean = " ".join(visible.split()) or "?"
    shown = clean + accounts.IMPORTED
    number = accounts.find_by_name(connection, shown)
    taken = number is not None and accounts.names(connection, {number})[number] != shown
    if taken or clean != name or len(shown) > accounts.LONGEST_NAME:
        shown = f"{clean[:30]}… {accounts.digest_secret(name)[:8]}{accounts.IMPORTED}"
        number = accounts.find_by_name(connection, shown)
    return shown, number


def _writers(pyramid: Pyramid) -> list[str]:
    """The writers that the file lists, and those of its lines."""
    return list(dict.fromkeys([*pyramid.writers, *(line.writer for line in pyramid.lines)]))


def _check_lines(topic: str, pyramid: Pyramid) -> None:
    """Refuse units that the workbench would weigh otherwise: there, lines are what counts."""
    for line in pyramid.lines:
        if line.when is None:
            raise DataError(
                f"line '{line.id}' has no date; every line needs one", place=f"topic '{topic}'"
            )
    writer = {line.id: line.writer for line in pyramid.lines}
    for unit in pyramid.units:
        unknown = [line for line in unit.lines if line not in writer]
        if unknown:
            raise DataError(
                f"unit '{unit.id}' has no line '{unknown[0]}'; add it", place=f"topic '{topic}'"
            )
        silent = sorted(unit.writers - {writer[line] for line in unit.lines})
        if silent:
            raise DataError(
                f"unit '{unit.id}' has no line of its writer '{silent[0]}'; add it",
                place=f"topic '{topic}'",
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
