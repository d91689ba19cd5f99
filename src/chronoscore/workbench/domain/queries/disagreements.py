"""Where the judges of a stream differ, worst first; for managers who may know who said what."""

from dataclasses import dataclass

from sqlalchemy import Connection

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.judging import all_verifier_items
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import LinkVerdict
from chronoscore.workbench.domain.union import MarkedItem
from chronoscore.workbench.store.source import SourceSentence, TopicSource


@dataclass(frozen=True)
class Disagreement:
    """An item that some judges linked to an event and others did not."""

    event: str
    text: str
    item: MarkedItem
    sentences: tuple[SourceSentence, ...]
    linked: tuple[str, ...]
    others: tuple[tuple[str, str], ...]
    verdict: LinkVerdict
    machines: tuple[tuple[str, str], ...]
    """What each machine says: yes, no, or that it abstained."""

    @property
    def split(self) -> float:
        """How evenly the judges are split: 1 is half against half, near 0 is one against many."""
        yes, no = len(self.linked), len(self.others)
        return 2 * min(yes, no) / (yes + no)


def find(
    connection: Connection, topic: TopicAccess, source: TopicSource, event: str = ""
) -> list[Disagreement]:
    """Every item on which judges differ, of one event or all: the most evenly split first."""
    if not topic.require_sight().over("link"):
        raise NotFoundError
    marks = stream.marks_by_judge(connection, topic)
    names = accounts.names(connection, set(marks))
    texts = {one.id: one.text for one in stream.joint_events(connection, topic.id)}
    verdicts = stream.verifier_verdicts(connection, topic.id)
    machines = stream.machine_judges(connection, topic)
    found = []
    for name, items in all_verifier_items(connection, topic.id, source).items():
        if event and name != event:
            continue
        for item in items:
            others = [judge for judge in marks if judge not in item.marked_by]
            if not item.marked_by or not others:
                continue
            instead = tuple((names[judge], _instead(marks[judge], item, texts)) for judge in others)
            found.append(
                Disagreement(
                    name, texts[name], item, tuple(source.by_id[one] for one in item.sentences),
                    tuple(sorted(names[judge] for judge in item.marked_by)), instead,
                    verdicts.get((name, item.id), LinkVerdict(None, False, 0)),
                    tuple(
                        (machine, stream.machine_says(links, name, item.sentences))
                        for machine, links in sorted(machines.items())
                    ),
                )
            )  # fmt: skip
    return sorted(found, key=lambda one: (-one.split, one.sentences[0].place, one.event))


def _instead(own: dict[str, stream.Mark], item: MarkedItem, texts: dict[str, str]) -> str:
    """What a judge said of a sentence that they did not link to the event."""
    links = [event for name in item.sentences for event, _ in own.get(name, stream.Mark()).links]
    named = dict.fromkeys(texts[event] for event in links if event in texts)
    return "; ".join(named) or "off"
