"""Judged topics from elsewhere: a judgements file or TREC-TS tables become final topics.

The people behind them get accounts without passwords, so that their marks have owners and
agreement can be computed, and the log tells where everything came from.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from chronoscore.core import DataError, Topic
from chronoscore.core.judging import Anchor, Group
from chronoscore.formats import clock, judgements
from chronoscore.workbench import accounts, log
from chronoscore.workbench.access import ProjectPlace
from chronoscore.workbench.actions.managing import add_topic
from chronoscore.workbench.imports import File, TopicDraft, label, safe_id
from chronoscore.workbench.log import Entry


def is_judgements(file: File) -> bool:
    """Whether a file is a judgements file."""
    return b'"chronoscore-judgements"' in file.raw[:1000]


def judged_topics(file: File) -> list[Topic]:
    """The topics of a judgements file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgements.jsonl"
        path.write_bytes(file.raw)
        try:
            corpus = judgements.load(path)
        except DataError as error:
            raise DataError(str(error).replace(str(path), label(file.name))) from None
    return list(corpus.topics.values())


def add(connection: Connection, project: ProjectPlace, topic: Topic) -> int:
    """Add a judged topic to a project, as final."""
    if project.workflow == "units":
        if topic.pyramid is None:
            raise DataError(f"topic '{topic.id}' has no content units; import it into a stream")
        number = add_topic(connection, project, draft(topic), most="", key=_key())
        Judged(connection, project, number, "match").units(topic)
    else:
        if topic.judgements is None or not topic.judgements.events:
            raise DataError(f"topic '{topic.id}' has no events; import it into units")
        number = add_topic(connection, project, draft(topic), most="", key=_key())
        Judged(connection, project, number, "link").stream(topic)
    return number


def draft(topic: Topic) -> TopicDraft:
    """The stories and sentences of a judged topic, under their own ids."""
    judged = topic.judgements
    found = TopicDraft(safe_id(topic.id), topic.title or topic.id)
    if judged is None or not judged.sentences:
        raise DataError(f"topic '{topic.id}' has no sentences; add its stories to the file")
    for name in judged.sentences:
        if "+" in name or name.startswith("&"):
            raise DataError(
                f"topic '{topic.id}': sentence '{label(name)}' has a + or & in its id; rename it"
            )
    inside = {story.id: list(story.sentences) for story in judged.stories}
    times = {story.id: (story.time, story.title) for story in judged.stories}
    told = {name for names in inside.values() for name in names}
    for name in judged.sentences:
        if name not in told:
            document = name.rpartition("-")[0] or name
            inside.setdefault(document, []).append(name)
            times.setdefault(document, (_leading_time(document), document))
    parts: dict[str, list[str]] = {}
    for part, head in judged.joined.items():
        parts.setdefault(head, []).append(part)
    for story, names in inside.items():
        every = [one for name in names for one in (name, *parts.get(name, ()))]
        missing = [name for name in every if name not in judged.texts]
        if missing:
            raise DataError(
                f"topic '{topic.id}': the text of sentence '{missing[0]}' was left out; "
                "import a file with texts"
            )
        time, title = times[story]
        spans, at = [], 0
        for name in every:
            spans.append((name, at, at + len(judged.texts[name])))
            at += len(judged.texts[name]) + 1
        found.stories.append(
            {
                "id": safe_id(story),
                "time": "" if time is None else clock.written(time),
                "title": title,
                "publisher": "",
                "text": "\n".join(judged.texts[name] for name in every),
                "sentences": spans,
            }
        )
    found.stories.sort(key=lambda story: story["time"])
    found.anchors = _anchors(topic)
    found.imported = {
        "pooled": judged.pooled,
        "events": {e.id: {"time": e.time, "importance": e.importance} for e in judged.events},
        "spans": [[link.sentence, link.event, *link.span] for link in judged.links if link.span],
    }
    return found


class Judged:
    """Writes a judged topic's entries into the log."""

    def __init__(
        self, connection: Connection, project: ProjectPlace, topic: int, step: str
    ) -> None:
        self.connection = connection
        self.project = project
        self.topic = topic
        self.step = step

    def record(self, action: str, data: dict[str, Any], person: int | None = None) -> None:
        """One entry about the topic."""
        log.append(
            self.connection,
            Entry(
                action=action,
                data=data,
                person=person,
                project=self.project.id,
                topic=self.topic,
                step=self.step,
            ),
        )

    def somebody(self, name: str, role: str) -> int:
        """The account of a person who worked elsewhere, with a role here."""
        clean = " ".join("".join(c if c.isprintable() else " " for c in name).split()) or "?"
        if len(clean) + len(accounts.IMPORTED) > accounts.LONGEST_NAME:
            # The end must stay, or a long name could be that of somebody who works here.
            clean = f"{clean[:30]}… {accounts.digest(clean)[:8]}"
        shown = clean + accounts.IMPORTED
        number = accounts.by_name(self.connection, shown)
        if number is None:
            number = accounts.create(self.connection, shown, None, founder=False).id
        self.record("topic.assign", {"person": number, "role": role})
        return number

    def stream(self, topic: Topic) -> None:
        """Events, both judges' marks, and the verdicts."""
        judged = topic.judgements
        assert judged is not None
        for number, event in enumerate(judged.events, 1):
            words = event.text or event.id
            data = {"id": event.id, "n": number, "text": words, "candidates": []}
            self.record("event.add", data)
        names = sorted({name for link in judged.links for name in link.marked_by}) or ["pool"]
        judges = {name: self.somebody(name, "judge") for name in names}
        verifier = self.somebody("verifier", "verifier")
        for name, person in judges.items():
            own = [link for link in judged.links if name in link.marked_by or names == ["pool"]]
            self.record("mark", {"changes": _changes(judged, own), "before": {}}, person)
        groups: dict[tuple[str, str], list[str]] = {}
        verdicts = []
        for link in judged.links:
            if link.group:
                groups.setdefault((link.event, link.group), []).append(link.sentence)
            else:
                block = "+".join([link.sentence, *_parts(judged, link.sentence)])
                added = not link.marked_by and names != ["pool"]
                verdicts.append(_verdict(link.event, block, link.kept, added))
        kept = {(link.event, link.group) for link in judged.links if link.kept}
        place = {name: at for at, name in enumerate(judged.sentences)}
        for (told, group), members in groups.items():
            ordered = sorted(members, key=lambda name: place.get(name, 0))
            whole = [part for name in ordered for part in (name, *_parts(judged, name))]
            item = ("&" if len(ordered) > 1 else "") + "+".join(whole)
            verdicts.append(_verdict(told, item, (told, group) in kept, False))
        self.record("verdict", {"changes": verdicts, "before": []}, verifier)
        self.record("step.open", {"step": "final"})

    def units(self, topic: Topic) -> None:
        """Lines, units, and the matcher's trees."""
        pyramid = topic.pyramid
        assert pyramid is not None
        names = pyramid.writers or tuple(
            sorted({writer for unit in pyramid.units for writer in unit.writers})
        )
        writers = {name: self.somebody(name, "writer") for name in names}
        counts: dict[str, int] = {}
        known: set[str] = set()
        for line in pyramid.lines:
            counts[line.writer] = counts.get(line.writer, 0) + 1
            if line.when is None:
                raise DataError(f"line '{line.id}' has no date; every line needs one")
            data = {
                "id": line.id,
                "n": counts[line.writer],
                "when": str(line.when),
                "text": line.text,
            }
            known.add(line.id)
            self.record("line.add", data, writers[line.writer])
        matcher = self.somebody("matcher", "matcher")
        for number, unit in enumerate(pyramid.units, 1):
            lines = [line for line in unit.lines if line in known]
            fields = {
                "action": unit.text,
                "agent": unit.agent,
                "patient": unit.patient,
                "time": unit.time,
                "location": unit.location,
            }
            data = {"id": unit.id, "n": number, "fields": fields, "lines": lines}
            self.record("unit.add", data)
            tree = _tree(unit.group)
            before = {"tree": {"members": []}, "done": False, "version": 0}
            self.record(
                "match",
                {"unit": unit.id, "tree": tree, "done": True, "version": 1, "before": before},
                matcher,
            )
        if pyramid.unchosen is not None:
            self.record("topic.estimate", {"z": pyramid.unchosen})
        self.record("step.open", {"step": "final"})


def _changes(judged: Any, own: Iterable[Any]) -> list[dict[str, Any]]:
    """One judge's marks of all sentences; what they did not link is off."""
    links: dict[str, set[tuple[str, str]]] = {}
    for link in own:
        for part in (link.sentence, *_parts(judged, link.sentence)):
            links.setdefault(part, set()).add((link.event, link.group))
    every = [part for name in judged.sentences for part in (name, *_parts(judged, name))]
    return [
        {
            "sentence": name,
            "off": name not in links,
            "links": [list(link) for link in sorted(links.get(name, ()))],
            "joined": name in judged.joined,
            "version": 1,
        }
        for name in every
    ]


def _parts(judged: Any, head: str) -> list[str]:
    return [part for part, other in judged.joined.items() if other == head]


def _verdict(event: str, item: str, kept: bool, added: bool) -> dict[str, Any]:
    return {"event": event, "sentence": item, "kept": kept, "added": added, "version": 1}


def _anchors(topic: Topic) -> list[dict[str, Any]]:
    if topic.pyramid is None:
        return []
    found = {a.id: a for unit in topic.pyramid.units for a in unit.group.anchors}
    return [
        {"id": a.id, "sentence": a.source, "start": a.start, "stop": a.end} for a in found.values()
    ]


def _tree(group: Group) -> dict[str, Any]:
    return {
        "members": [
            {"anchor": member.id, "v": share}
            if isinstance(member, Anchor)
            else {**_tree(member), "v": share}
            for member, share in group.members
        ]
    }


def _leading_time(document: str) -> float | None:
    """TREC's document ids begin with the second at which the document came in."""
    first = document.partition("-")[0]
    return float(first) if first.isdecimal() and len(first) >= 9 else None


def _key() -> str:
    return Entry(action="", data={}).key
