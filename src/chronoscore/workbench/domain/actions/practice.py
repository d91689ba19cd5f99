"""Practice topics, lists of sentences, machine judges, and sentences that are decided twice."""

import random
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from chronoscore.core import Judgements
from chronoscore.errors import DataError
from chronoscore.workbench.domain import catalog
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.performing import Data, performs
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.store.source import TopicSource

LONGEST_JUDGE = 100


@performs(catalog.TOPIC_PRACTICE)
def set_answers(_connection: Connection, topic: TopicAccess, judged: Judgements | None) -> Data:
    """Make a draft a topic for practice, with the kept links of a judged one as its answers."""
    if judged is None or topic.project.workflow != "stream":
        raise InvalidError("practice needs a judged stream")
    prefix = f"{topic.name}-"
    short = {event.id: event.id.removeprefix(prefix) for event in judged.events}
    answers: dict[str, list[str]] = {}
    for link in judged.kept:
        answers.setdefault(link.sentence, [])
        if short[link.event] not in answers[link.sentence]:
            answers[link.sentence].append(short[link.event])
    for part, head in judged.joined.items():
        if head in answers:
            answers[part] = answers[head]
    events = [
        {"id": short[event.id], "n": number, "text": event.text}
        for number, event in enumerate(judged.events, 1)
    ]
    return {"answers": {"links": answers}, "events": events}


@performs(catalog.TOPIC_QUEUE)
def set_queue(
    _connection: Connection, topic: TopicAccess, sentences: list[str], source: TopicSource
) -> Data:
    """Let judges decide about some sentences only, those that were drawn for them."""
    if topic.project.workflow != "stream" or topic.practice:
        raise InvalidError("sentences of a stream are drawn, and none for practice")
    unknown = [name for name in sentences if name not in source.by_id]
    if unknown:
        raise DataError(f"sentence '{unknown[0]}' is not in the topic; draw from its export")
    wanted = set(sentences)
    if not wanted:
        raise DataError(f"names no sentence of topic '{topic.name}'; draw from its export")
    return {"sentences": [one.id for one in source.sentences if one.id in wanted]}


@performs(catalog.MACHINE_ADD)
def add_machine(
    connection: Connection, topic: TopicAccess, judge: str,
    links: Mapping[str, Sequence[str] | None], source: TopicSource,
) -> Data:  # fmt: skip
    """Keep what a machine linked, beside the judges' work and apart from it.

    A sentence on which it abstained has None in place of its links.
    """
    if topic.project.workflow != "stream":
        raise InvalidError("machines judge streams")
    if not judge or len(judge) > LONGEST_JUDGE or not judge.isprintable():
        raise InvalidError(f"a machine has a name of 1 to {LONGEST_JUDGE} visible characters")
    events = {event.id for event in stream.joint_events(connection, topic.id)}
    kept: dict[str, list[str] | None] = {}
    for sentence, own in links.items():
        if sentence not in source.by_id:
            raise DataError(
                f"sentence '{sentence}' is not in the topic; let the machine judge its export"
            )
        if own is None:
            kept[sentence] = None
            continue
        names = sorted({event.removeprefix(f"{topic.name}-") for event in own})
        unknown = [name for name in names if name not in events]
        if unknown:
            raise DataError(
                f"event '{unknown[0]}' is not in the topic; let the machine judge its export"
            )
        kept[sentence] = names
    return {"judge": judge, "links": kept}


def sentences_to_repeat(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> list[str]:
    """The sentences that the visitor decides a second time, in an order of their own.

    Drawn by topic and person, so that everybody gets others and a reload gets the same. Half of
    them are linked, if there are enough, because most sentences of a stream are off.
    """
    wanted = int(topic.project.settings.get("repeats", 0) or 0)
    marks = stream.own_marks(connection, topic)
    decided = [s.id for s in source.sentences if s.id in marks and marks[s.id].decided]
    draw = random.Random(f"{topic.id} {topic.person}")
    linked = [name for name in decided if marks[name].links]
    off = [name for name in decided if not marks[name].links]
    first = draw.sample(linked, min(len(linked), max(wanted // 2, wanted - len(off))))
    second = draw.sample(off, min(len(off), wanted - len(first)))
    return draw.sample(first + second, len(first) + len(second))


@performs(catalog.MARK_REPEAT)
def repeat_decisions(
    connection: Connection, topic: TopicAccess, source: TopicSource,
    decisions: Mapping[str, Sequence[str]],
) -> Data:  # fmt: skip
    """Keep the visitor's second decisions: events for each sentence, none meaning off."""
    wanted = sentences_to_repeat(connection, topic, source)
    if not wanted or set(decisions) != set(wanted):
        raise InvalidError("decide every sentence of the page")
    if stream.own_repeats(connection, topic):
        raise ConflictError("you have decided these sentences again already")
    events = {event.id for event in stream.joint_events(connection, topic.id)}
    rows = []
    for name in wanted:
        links = sorted(set(decisions[name]))
        if not events.issuperset(links):
            raise InvalidError("no such event")
        rows.append({"sentence": name, "off": not links, "links": links})
    return {"decisions": rows}
