"""The page of a step, as the people who work in it open it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain import keys
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.visit import Visit


@dataclass(frozen=True)
class StepView:
    """A step of a topic that the visitor works in, and what every such page shows."""

    visit: Visit
    connection: Connection
    topic: TopicAccess
    source: TopicSource
    step: str
    work: tuple[int, float]

    def page(self, template: str, **values: object) -> Response:
        """Fill in a template, with the visitor's keys and their work in the step so far."""
        entries, seconds = self.work
        return self.visit.page(
            template, 200, topic=self.topic, source=self.source, entries=entries, seconds=seconds,
            keys=keys.on_screen(self.step, self.visit.require_person().keys),
            frozen=self.topic.frozen(self.step), **values,
        )  # fmt: skip


@contextmanager
def open_step(visit: Visit, step: str) -> Iterator[StepView]:
    """The topic of the address, if the visitor may open this step of it."""
    with visit.read_topic() as (connection, topic):
        topic.require_step(step)
        source = visit.desk.library.source(connection, topic.id)
        work = people.own_work(connection, topic, step)
        yield StepView(visit, connection, topic, source, step, work)
