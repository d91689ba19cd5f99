"""How far everybody is, how fast they go, and when they will be done at this pace."""

import math
import time
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from chronoscore.workbench.domain import figures
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.judging import all_verifier_items
from chronoscore.workbench.domain.queries import guiding, people, units
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.source import TopicSource

COUNTED = {
    "identify": "stories", "link": "sentences", "verify": "marks", "match": "units",
    "rematch": "units",
}  # fmt: skip
"""What is counted in a step."""

ENOUGH = 0.02
"""The share that must be done before a pace says anything."""


@dataclass(frozen=True, kw_only=True)
class ProgressRow:
    """A person's progress in a step of a topic; nan where nothing can be counted."""

    topic: int
    title: str
    step: str
    name: str
    entries: int
    seconds: float
    share: float
    submitted: float | None
    rate: float
    left: float
    ends: float
    due: str

    @property
    def counted(self) -> str:
        """What the rate counts."""
        return COUNTED.get(self.step, "")


def list_rows(connection: Connection, topic: TopicAccess, source: TopicSource) -> list[ProgressRow]:
    """Everybody who worked in a topic, or has to; for managers who may know."""
    work = {
        (one.step, one.person): one
        for one in people.work_by_person(connection, topic.require_unblinded())
    }
    names = {one.person: one.name for one in people.assignments(connection, topic)}
    days = guiding.deadlines(connection, [topic])
    begun = _first_entries(connection, topic.id)
    rows = []
    for step in topic.steps[1:-1]:
        if not topic.started(step):
            continue
        done = people.submissions(connection, topic.id, step)
        for person in people.step_workers(connection, topic.id, step):
            one = work.get((step, person))
            share = figures.share_done(connection, topic, step, person, source)
            seconds = one.seconds if one else 0.0
            submitted = done.get(person)
            rate, left, ends = math.nan, math.nan, math.nan
            if seconds >= 60 and share >= ENOUGH:
                rate = share * _size(connection, topic, step, source) / (seconds / 3600)
            if submitted is None and share >= ENOUGH:
                left = seconds / share * (1 - share)
                start = begun.get((step, person), time.time())
                ends = start + (time.time() - start) / share
            rows.append(
                ProgressRow(
                    topic=topic.id, title=topic.title, step=step, name=names.get(person, ""),
                    entries=one.entries if one else 0, seconds=seconds,
                    share=1.0 if submitted and math.isnan(share) else share, submitted=submitted,
                    rate=rate, left=left, ends=ends, due=days.get((topic.id, step), ""),
                )
            )  # fmt: skip
    return rows


def _size(connection: Connection, topic: TopicAccess, step: str, source: TopicSource) -> float:
    """How many things a step has to decide."""
    if step == "identify":
        return len(source.stories)
    if step == "link":
        return len(source.sentences)
    if step == "verify":
        items = all_verifier_items(connection, topic.id, source)
        return sum(len(inside) for inside in items.values())
    return len(units.units_to_match(connection, topic, step))


def _first_entries(connection: Connection, topic: int) -> dict[tuple[str, int], float]:
    log = tables.log
    rows = connection.execute(
        select(log.c.step, log.c.person, func.min(log.c.time))
        .where(log.c.topic == topic, log.c.person.is_not(None))
        .group_by(log.c.step, log.c.person)
    )
    return {(step, person): first for step, person, first in rows}
