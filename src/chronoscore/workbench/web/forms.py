"""Forms and messages: the parameters of an action are the fields that are sent for it.

A browser without script posts a form. A script sends the same fields, or JSON of the same
shape, as an entry of its outbox. A posted form that is refused can be shown again as it was
filled in, with the reason beside it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec.inspect import BoolType, IntType, ListType, StrType, type_info
from sqlalchemy import Connection
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import Response
from starlette.routing import Route

from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import Library, TopicSource
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Screen, Visit, read_text

S = TypeVar("S", bound=msgspec.Struct)
Values: TypeAlias = ImmutableMultiDict[str, Any]
Perform: TypeAlias = Callable[..., LogEntry]
"""A function that `@performs` an action."""
Form: TypeAlias = Perform | Mapping[str, Perform]
"""What a form does; one with several buttons does what the value of its button `do` names."""


Where: TypeAlias = Callable[[Visit], str] | str
"""The page after a form, in which {topic} and {project} stand for their numbers."""


@dataclass
class Refusal:
    """A form that was refused, and why; `shown` once a page shows the reason beside the form."""

    path: str
    values: Values
    words: str
    shown: bool = False

    def about(self, path: str, **ids: str) -> bool:
        """Whether this is the form at an address that names these things."""
        same = all(self.values.get(name) == value for name, value in ids.items())
        return self.path.endswith(path) and same

    def show(self) -> str:
        """The reason; the page need not say it again."""
        self.shown = True
        return self.words


@cache
def fields_of(perform: Perform) -> type[msgspec.Struct]:
    """What is sent for an action: its parameters after the connection and the access."""
    hints = get_type_hints(perform, include_extras=True)
    fields: list[Any] = []
    for one in list(signature(perform).parameters.values())[2:]:
        if hints[one.name] is not TopicSource:
            default = [] if one.default is one.empty else [one.default]
            fields.append((one.name, hints[one.name], *default))
    return msgspec.defstruct(perform.__name__, fields, kw_only=True)


def read_form(perform: Perform, values: Values) -> msgspec.Struct:
    """The fields of an action from a form: blanks around texts go, a box is ticked by `yes`."""
    kind = fields_of(perform)
    return kind(**{one.name: _read(values, one) for one in msgspec.structs.fields(kind)})


def _read(values: Values, field: msgspec.structs.FieldInfo) -> object:
    kind, name = type_info(field.type), field.name
    if isinstance(kind, ListType):
        return [value for value in values.getlist(name) if isinstance(value, str)]
    if isinstance(kind, BoolType):
        return values.get(name) != "no" if field.default is True else values.get(name) == "yes"
    if isinstance(kind, IntType):
        number = read_text(values, name, most=20)
        if not number.isdecimal():
            raise InvalidError(f"choose a {name}, or open the page again")
        return int(number)
    if not isinstance(kind, StrType):
        raise TypeError(f"a form cannot hold '{name}'; send it as a message")
    return read_text(values, name, most=kind.max_length or 4000)


def read_message(perform: Perform, body: object) -> msgspec.Struct:
    """The fields of an action from what a script sent as JSON."""
    return convert(body, fields_of(perform))


def convert(value: object, kind: type[S]) -> S:
    """A value of this type from a browser's message, or a refusal that says what is wrong."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InvalidError(f"the message cannot be used ({error})") from None


def choose(form: Form, values: Values) -> Perform:
    """The action that a form asks for."""
    if not isinstance(form, Mapping):
        return form
    what = read_text(values, "do", most=20)
    if what not in form:
        raise InvalidError("no such action")
    return form[what]


def act(
    connection: Connection, access: TopicAccess | ProjectAccess, key: str, library: Library,
    perform: Perform, sent: msgspec.Struct,
) -> LogEntry:  # fmt: skip
    """Do an action with the fields that were sent for it."""
    given = msgspec.structs.asdict(sent)
    if "source" in signature(perform).parameters:
        given["source"] = library.source(connection, access.id)
    return perform(connection, access, key, **given)


def perform_posted(visit: Visit, form: Form) -> TopicAccess:
    """Do what a posted form of a topic says."""
    with visit.write_topic() as (connection, topic):
        perform = choose(form, visit.form)
        sent = read_form(perform, visit.form)
        act(connection, topic, visit.key, visit.desk.library, perform, sent)
    return topic


class FormRoute(Route):
    """The address of a form in a topic; a scripted one is also sent through the outbox."""

    def __init__(self, name: str, form: Form, post: Screen, *, scripted: bool) -> None:
        at = route(f"/t/{{topic:int}}/{name}", post, "POST")
        super().__init__(at.path, at.endpoint, methods=["POST"])
        self.form = form
        self.form_name = name
        self.scripted = scripted


def topic_form(
    path: str, form: Form, *, where: Where = "/t/{topic}", screen: Screen | None = None,
    scripted: bool = False,
) -> FormRoute:  # fmt: skip
    """The address of a form in a topic, and where the browser goes afterwards.

    With a screen, a form that is refused is shown there again. A form that is scripted has the
    attribute `data-entry` in its template: scripts send it as an entry of their outbox.
    """

    def post(visit: Visit) -> Response:
        try:
            topic = perform_posted(visit, form)
        except (InvalidError, ConflictError) as error:
            if screen is None:
                raise
            visit.refusal = Refusal(visit.request.url.path, visit.form, str(error))
            answer = screen(visit)
            answer.status_code = 400 if isinstance(error, InvalidError) else 409
            return answer
        return _go_on(visit, where, topic=topic.id, project=topic.project.id)

    return FormRoute(path, form, post, scripted=scripted)


def project_form(path: str, perform: Perform, *, where: Where = "/p/{project}") -> Route:
    """The address of a form for a project's managers, and where the browser goes afterwards."""

    def post(visit: Visit) -> Response:
        with visit.write_project() as (connection, here):
            sent = read_form(perform, visit.form)
            act(connection, here, visit.key, visit.desk.library, perform, sent)
        return _go_on(visit, where, project=here.id)

    return route(f"/p/{{project:int}}/{path}", post, "POST")


def _go_on(visit: Visit, where: Where, **numbers: int) -> Response:
    page = where(visit) if callable(where) else where
    # Not `format`: a page may name something that a person called {topic}.
    for name, number in numbers.items():
        page = page.replace(f"{{{name}}}", str(number))
    return visit.back(page)
