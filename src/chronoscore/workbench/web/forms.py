"""Forms that a script sends as entries and a browser without script posts: one function each.

A form that is refused is shown again as it was filled in, with the reason beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.visit import Fields, Screen, Visit

Form: TypeAlias = Callable[[Connection, TopicAccess, str, TopicSource, Fields], LogEntry]
"""What a form does: an entry in a topic, under a key, made of the form's fields."""


@dataclass
class Refusal:
    """A form that was refused, and why; `shown` once a page has said so beside the form."""

    path: str
    fields: Fields
    words: str
    shown: bool = False

    def about(self, path: str, **ids: str) -> bool:
        """Whether this is the form at an address that names these things."""
        same = all(self.fields.values.get(name) == value for name, value in ids.items())
        return self.path.endswith(path) and same

    def show(self) -> str:
        """The reason; the page need not say it again."""
        self.shown = True
        return self.words


def perform_posted_action(visit: Visit, form: Form) -> TopicAccess:
    """Do what the posted form says."""
    with visit.writing_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        form(connection, topic, visit.key, source, visit.fields)
    return topic


def answer_posted_form(visit: Visit, form: Form, screen: Screen, where: str) -> Response:
    """Do what the posted form says and go on; what is refused is shown again, filled in."""
    try:
        topic = perform_posted_action(visit, form)
    except (InvalidError, ConflictError) as error:
        visit.refusal = Refusal(visit.request.url.path, visit.fields, str(error))
        answer = screen(visit)
        answer.status_code = 400 if isinstance(error, InvalidError) else 409
        return answer
    return visit.back(where.replace("{topic}", str(topic.id)))
