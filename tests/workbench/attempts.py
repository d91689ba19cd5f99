"""What somebody who must stay blind could send to each address, with others' things in it."""

import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Table, select

from chronoscore.workbench.store import tables
from chronoscore.workbench.web.routes import ROUTES
from chronoscore.workbench.web.routes.data import FORMS, MOST_ENTRIES
from workbench.twins import House

MADE_UP = 9_999
"""A person who is not there: things under this number exist in neither house."""

ARTICLE = '{"id": "new1", "text": "It rained."}'


def _things(house: House, name: str) -> list[dict[str, str]]:
    """The hidden people's things in a topic, then things that nobody made."""
    found = []
    for made, event, unit in ((False, "E1", "U1"), (True, "E9", "U9")):
        for number in (0, 1):
            found.append(
                {
                    **{
                        table.name: f"{table.name[0]}{MADE_UP:012x}"
                        if made
                        else _hidden_id(house, name, table, number)
                        for table in (tables.candidate, tables.note, tables.line, tables.anchor)
                    },
                    "event": event,
                    "unit": unit,
                    "sentence": f"{name}1-s03",
                    "item": f"&{name}1-s02+{name}1-s03+{name}1-s04",
                    "story": f"{name}1",
                }
            )
    return found


def _hidden_id(house: House, name: str, table: Table, number: int) -> str:
    """The id of something that Bob or Max made, or of nothing where they made less."""
    whose = table.c.by if table is tables.anchor else table.c.person
    hidden = [house.people[one].id for one in ("bob", "max")]
    query = select(table.c.id).where(table.c.topic == house.topics[name], whose.in_(hidden))
    with house.office.database.read() as connection:
        # In the order in which they were made: both houses try the same one.
        made = next(table.c[one] for one in ("n", "time", "start") if one in table.c)
        ids = connection.execute(query.order_by(made)).scalars().all()
    return str(ids[number]) if number < len(ids) else f"{table.name[0]}{number:012x}"


def _entries(house: House, name: str) -> list[dict[str, Any]]:
    """Messages to the log: others' keys, undoing others' entries, others' anchors."""
    keys = [
        f"bobs-mark-0-{name}", "eves-verdict-key", f"maxs-anchor-{name}", f"maxs-{name}-U1",
        "nobodys-key",
    ]  # fmt: skip
    found: list[dict[str, Any]] = []
    for key in keys:
        for sentence in ("s03", "s01"):
            change = {
                "sentence": f"{name}1-{sentence}", "base": 0, "off": False, "links": [["E1", ""]],
                "joined": False,
            }  # fmt: skip
            found.append({"action": "mark", "body": {"changes": [change]}, "key": key})
            found.append({"action": "mark", "body": {"changes": [change], "undoes": key}})
        verdict = {"event": "E2", "item": f"{name}1-s03", "kept": False, "base": 1}
        found.append({"action": "verdict", "body": {"changes": [verdict], "undoes": key}})
        found.append({"action": "verdict", "body": {"changes": [verdict]}, "key": key})
        place = {"sentence": f"{name}1-s02", "start": 0, "stop": 6}
        found.append({"action": "anchor", "body": place, "key": key})
        for thing in _things(house, name):
            for base in (0, 1):
                tree = {"members": [{"anchor": thing["anchor"], "v": 1}]}
                body = {"unit": thing["unit"], "tree": tree, "done": False, "base": base}
                found.append({"action": "match", "body": {**body, "undoes": key}})
        body = {"unit": "U1", "tree": {"members": []}, "done": False, "base": 0}
        found.append({"action": "match", "body": body, "key": key})
        found.append({"action": "undo", "body": {"fields": {"action": [key]}}, "key": key})
    return found + [_as_entry(*one) for one in _forms(house, name)]


def _forms(house: House, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Forms that scripts send as entries, about others' things."""
    words = {"text": "stolen", "reason": "why", "when": "1990", "other": "U2", "action": "stolen"}
    for thing in _things(house, name)[1:3]:
        for action in FORMS:
            whats = {
                "merge": ("same", "add", "take", "apart", "rename", "omit", "omit-event"),
                "make": ("unit", "put", "take", "edit", "merge", "omit"),
            }
            for what in whats.get(action, ("",)):
                yield action, {**thing, **words, "do": what}


def _parts(entries: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """At most as many entries as one message may hold."""
    for start in range(0, len(entries), MOST_ENTRIES):
        yield entries[start : start + MOST_ENTRIES]


def _as_entry(action: str, fields: dict[str, str]) -> dict[str, Any]:
    return {"action": action, "body": {"fields": {name: [text] for name, text in fields.items()}}}


def sent(house: House, name: str) -> dict[tuple[str, str], list[Any]]:
    """For every route what is tried on it: queries for GET, fields for POST.

    A route without attempts of its own is tried as it is, and with others' things.
    """
    things = _things(house, name)
    bob = str(house.people["bob"].id)
    story = f"{name}1"
    plain = {f"link:{name}1-s03": "E1", f"base:{name}1-s03": "0", "story": story}
    step = "link" if name == "verify" else name
    get: dict[str, list[Any]] = {
        "/login": ["", "?next=//evil.example"],
        "/t/{topic:int}/review": ["", f"?person={bob}"],
        "/p/{project:int}/guidelines/edit": ["", "?step=none"],
        "/t/{topic:int}/disagreements": ["", "?event=E2&page=9"],
        "/t/{topic:int}/identify": ["", f"?story={story}&from={story}-s03", "?story=none"],
        "/t/{topic:int}/link/plain": ["", f"?story={story}", "?story=none"],
        "/t/{topic:int}/verify": ["", "?event=E1", "?event=E9"],
        "/t/{topic:int}/match": ["", "?unit=U1", "?unit=U9"],
        "/t/{topic:int}/rematch": ["", "?unit=U1", "?unit=U2", "?unit=U3", "?unit=U9"],
        "/p/{project:int}/history": ["", "?page=2"],
        "/p/{project:int}/export.jsonl": ["", "?names=yes&texts=no", "?finished=yes"],
        "/p/{project:int}/export.zip": ["", "?names=yes", "?finished=yes"],
    }
    post: dict[str, list[Any]] = {
        "/login": [{"name": "Bob", "password": "wrong"}],
        "/logout": [{"proof": "wrong"}],
        "/invite/{token}": [{"name": "Bob", "password": "x" * 12, "again": "x" * 12}],
        "/account/theme": [{"theme": "dark"}],
        "/account/password": [{"old": "x", "password": "y" * 12, "again": "z" * 12}],
        "/keys": [{"reset": "yes"}],
        "/projects": [{"name": "New", "workflow": "stream"}],
        "/demo": [{}],
        "/p/{project:int}/people": [{"label": "Bob", "manager": "yes"}],
        "/p/{project:int}/people/{person:int}/member": [{}],
        "/p/{project:int}/settings": [{"name": "Project", "hints": "yes", "lines": "5"}],
        "/p/{project:int}/import": [{"name": "new", "files": ARTICLE}],
        "/p/{project:int}/archive": [{"archived": "no"}],
        "/p/{project:int}/people/withdraw": [{"invitation": "no-such-digest"}],
        "/p/{project:int}/people/known": [{"person": bob}, {"person": str(MADE_UP)}, {}],
        "/p/{project:int}/roles": [
            {"cell": f"{bob}:{house.topics[name]}:nobody"}, {"cell": f"{bob}:{MADE_UP}:judge"},
            {"seen": f"{bob}:{house.topics[name]}:nobody"}, {"cell": "none"},
        ],
        "/p/{project:int}/people/{person:int}/reset": [{}],
        "/reset/{token}": [{"password": "p" * 12, "again": "p" * 12}],
        "/p/{project:int}/guidelines": [
            {"step": "", "text": "mine", "base": "7"}, {"step": "none", "text": "x", "base": "0"},
        ],
        "/p/{project:int}/guidelines/read": [{"read": ":1"}, {"read": [":7", "link:x"]}, {}],
        "/t/{topic:int}/deadline": [{"step": "none", "day": ""}, {"step": step, "day": "soon"}],
        "/t/{topic:int}/disagreements/link": [
            {**one, "verdict": "drop", "base": "1"} for one in things[1:3]
        ],
        "/t/{topic:int}/disagreements/unit": [{"unit": "U1", "role": "rematcher", "base": "0"}],
        "/t/{topic:int}/discussion": [
            {"sentence": "none", "text": "x"}, {"label": "9.9", "text": "x"}, {"text": ""},
        ],
        "/account/tokens": [{"kind": "none"}],
        "/account/tokens/revoke": [{"token": "none"}],
        "/t/{topic:int}/practice": [{}],
        "/t/{topic:int}/again": [{f"off:{story}-s01": "yes"}],
        "/t/{topic:int}/machine": [{"files": ARTICLE}, {}],
        "/t/{topic:int}/queue": [{"files": ARTICLE}, {}],
        "/t/{topic:int}/title": [{"title": "Mine"}, {"title": ""}],
        "/t/{topic:int}/archive": [{"archived": "no"}],
        "/t/{topic:int}/stories": [{"story": story, "title": "Mine"}, {"story": "none"}],
        "/t/{topic:int}/assign": [
            {"person": bob, "role": "judge" if name in house.streams else "writer"},
            {"person": str(MADE_UP), "role": "judge"},
        ],
        "/t/{topic:int}/unassign": [{"person": bob, "role": "nobody"}, {"person": "x"}],
        "/t/{topic:int}/open": [{}],
        "/t/{topic:int}/reopen": [{"step": "none", "reason": "why"}, {"step": step}],
        "/t/{topic:int}/submit": [{"step": step}, {"step": name}, {"step": "final"}],
        "/t/{topic:int}/undo": [
            {}, {"action": f"{bob}:bobs-read-key"}, {"key": "bobs-read-key"},
        ],
        "/t/{topic:int}/notes": [{"place": f"{story}-s03", "text": "mine", "back": "/"}],
        "/t/{topic:int}/notes/answer": [{**one, "answer": "x"} for one in things],
        "/t/{topic:int}/identify/candidates": [
            {"sentence": f"{story}-s03", "text": "mine"}, {"sentence": "none", "text": "mine"},
        ],
        "/t/{topic:int}/identify/candidates/change": [
            {**one, "text": "stolen", "withdraw": withdraw}
            for one in things for withdraw in ("", "yes")
        ],
        "/t/{topic:int}/identify/read": [{"story": story}, {"story": "none"}],
        "/t/{topic:int}/merge": [
            {**one, "do": do, "text": "stolen", "reason": "why"}
            for one in things[1:3]
            for do in ("same", "add", "take", "apart", "rename", "omit", "omit-event")
        ],
        "/t/{topic:int}/log": [
            *({"entries": part} for part in _parts(_entries(house, name))), {"entries": []},
        ],
        "/t/{topic:int}/link/plain": [plain, {**plain, "story": "none"}],
        "/t/{topic:int}/verify": [
            {**one, "item": item, "verdict": "drop", "base": base}
            for one in things[1:3] for base in "01" for item in (one["item"], one["sentence"])
        ],
        "/t/{topic:int}/write": [{"when": "1997", "text": "mine"}],
        "/t/{topic:int}/write/change": [
            {**one, "when": "1990", "text": "stolen", "withdraw": withdraw}
            for one in things for withdraw in ("", "yes")
        ],
        "/t/{topic:int}/make": [
            {**one, "do": do, "other": "U2", "reason": "why", "action": "stolen"}
            for one in things[1:3] for do in ("unit", "put", "take", "edit", "merge", "omit")
        ],
        "/t/{topic:int}/match/plain": [
            {**one, "step": step_, "share": "0.5", "base": "0", "done": "yes"}
            for one in things for step_ in ("match", "rematch")
        ],
        "/t/{topic:int}/analyze": [{"z": "7"}],
    }  # fmt: skip
    special = {("GET", path): tried for path, tried in get.items()} | {
        ("POST", path): tried for path, tried in post.items()
    }
    words = {"text": "stolen", "title": "stolen", "reason": "why", "step": step, "person": bob}
    usual = {"GET": [""], "POST": [{}, *({**one, **words} for one in things[1:3])]}
    return {one: special.get(one, usual[one[0]]) for one in routes()}


def addressed(house: House, path: str, name: str) -> str:
    """A route's address for a topic of the house, its project, and Bob."""
    project = house.stream if name in house.streams else house.units
    path = path.replace("{topic:int}", str(house.topics[name]))
    path = path.replace("{project:int}", str(project))
    # A manager who works blind may change members: what would change the house is about nobody.
    lasting = path.endswith(("{person:int}/manager", "{person:int}/remove"))
    path = path.replace("{person:int}", str(MADE_UP if lasting else house.people["bob"].id))
    return path.replace("{token}", "no-such-token")


def addresses(method: str, project: int, topic: int) -> list[str]:
    """Every address of a project and a topic that takes a method."""
    found = []
    for route in ROUTES:
        if method in route.methods:
            path = route.path.replace("{topic:int}", str(topic))
            path = path.replace("{project:int}", str(project))
            found.append(re.sub(r"\{\w+(:int)?\}", "1", path))
    return found


def routes() -> Iterator[tuple[str, str]]:
    """Every route of the workbench, by method and path; forms come after pages."""
    every = [(method, one.path) for one in ROUTES for method in one.methods if method != "HEAD"]
    return iter(sorted(every, key=lambda one: (one[0], ROUTES_AT[one[1]])))


ROUTES_AT = {one.path: at for at, one in enumerate(ROUTES)}
