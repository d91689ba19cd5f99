"""Signing in and out, invitations, and a person's own settings."""

import json
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from anyio import sleep
from sqlalchemy import Connection, update
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from chronoscore.errors import UsageError
from chronoscore.workbench.domain import accounts, recovery, sessions
from chronoscore.workbench.domain.actions import projects
from chronoscore.workbench.domain.errors import InvalidError, NotFoundError
from chronoscore.workbench.domain.keys import KEYS, check_own_keys
from chronoscore.workbench.store import tables
from chronoscore.workbench.web.routing import route, set_cookie
from chronoscore.workbench.web.visit import Visit

THEMES = ("auto", "light", "dark")
MOST_WAITING = 8
"""Tries for one name or from one address that wait at the same time."""


def login(visit: Visit) -> Response:
    """The form to sign in."""
    if visit.person:
        return visit.go("/")
    return visit.page("login.html", next=visit.query("next") or "/", wrong="")


def sign_in(visit: Visit) -> Response:
    """Check the password; the session gets a new secret, whatever came before."""
    name, password = visit.text("name", most=200), visit.password("password")
    where = visit.text("back", most=500)
    with visit.database.read() as connection:
        number = accounts.check_password(connection, name, password)
    if number is None:
        return visit.page("login.html", 403, next=where, wrong="Name or password is wrong.")
    with visit.database.write() as connection:
        sessions.forgive_tries(connection, **_signing_in(visit))
        token = sessions.start(connection, number)
    return _welcome(visit, token, visit.back("/"), name)


def sign_out(visit: Visit) -> Response:
    """End the session."""
    with visit.database.write() as connection:
        sessions.end(connection, visit.token)
    answer = visit.go("/login")
    set_cookie(answer, visit.desk.settings, sessions.COOKIE, "")
    return answer


def invitation(visit: Visit) -> Response:
    """The page behind an invitation: make an account, or join with the one you have."""
    token = visit.request.path_params["token"]
    return visit.page("invitation.html", link=_opened(visit, token), token=token, wrong="")


def accept(visit: Visit) -> Response:
    """Use an invitation, once."""
    token = visit.request.path_params["token"]
    session = name = ""
    _opened(visit, token)
    try:
        hashed = None if visit.person else _new_password(visit)
        with visit.database.write() as connection:
            # Another visitor may have used it meanwhile.
            link = _invitation(connection, token)
            person = visit.person
            if person is None:
                person = accounts.create(
                    connection, visit.text("name", most=200), hashed, founder=link.founder
                )
                session, name = sessions.start(connection, person.id), person.name
            if link.project is None:
                accounts.use_invitation(connection, link, person.id)
            else:
                projects.join(connection, link, person.id)
    except UsageError as error:
        again = _opened(visit, token)
        return visit.page("invitation.html", 400, link=again, token=token, wrong=str(error))
    # The first page shows a newcomer's work as soon as there is any.
    answer = visit.go(f"/p/{link.project}" if link.manager else "/")
    return _welcome(visit, session, answer, name) if session else answer


def _opened(visit: Visit, token: str) -> accounts.Invitation:
    """What an invitation allows."""
    with visit.database.read() as connection:
        return _invitation(connection, token)


def _invitation(connection: Connection, token: str) -> accounts.Invitation:
    link = accounts.find_invitation(connection, token)
    if link is None:
        raise NotFoundError
    return link


def _new_password(visit: Visit) -> str:
    """What is kept of the password that the form gives twice."""
    password = visit.password("password")
    if password != visit.password("again"):
        raise UsageError("the two passwords differ; type them again")
    return accounts.hash_password(password)


def account(visit: Visit) -> Response:
    """Theme and password."""
    with visit.database.read() as connection:
        asked = recovery.own_request(connection, visit.require_person().id)
    return visit.page("account.html", themes=THEMES, done=visit.query("done"), asked=bool(asked))


def refuse_reset(visit: Visit) -> Response:
    """The visitor asked for no new password: the link that was made opens nothing."""
    with visit.database.write() as connection:
        recovery.refuse_own(connection, visit.require_person().id)
    return visit.go("/account")


def change_theme(visit: Visit) -> Response:
    """Light, dark, or as the system says."""
    theme = visit.text("theme")
    if theme not in THEMES:
        raise InvalidError("no such theme")
    _change(visit, theme=theme)
    return visit.go("/account?done=theme")


def change_password(visit: Visit) -> Response:
    """A new password, after the old one was given."""
    old, new = visit.password("old"), visit.password("password")
    if new != visit.password("again"):
        raise InvalidError("the two passwords differ; type them again")
    accounts.check_strength(new)
    person = visit.require_person()
    with visit.database.read() as connection:
        right = accounts.check_password(connection, person.name, old) == person.id
    if not right:
        raise HTTPException(403, "the old password is wrong")
    hashed = accounts.hash_password(new)
    with visit.database.write() as connection:
        sessions.forgive_tries(connection, **_signed_in(visit))
        accounts.change_password(connection, person.id, hashed)
        token = sessions.start(connection, person.id)
    return _welcome(visit, token, visit.go("/account?done=password"), person.name)


def keys(visit: Visit) -> Response:
    """Which key does what, to be changed at will."""
    own = visit.require_person().keys
    done = visit.query("done")
    return visit.page("keys.html", actions=KEYS, own=own, done=done)


def change_keys(visit: Visit) -> Response:
    """Keep the visitor's own keys; two actions cannot share one."""
    own = {}
    if visit.text("reset") != "yes":
        for screen in KEYS.values():
            for action, (usual, _) in screen.items():
                given = visit.text(action, most=20)
                if given and given != usual:
                    own[action] = given
        check_own_keys(own)
    _change(visit, keys=json.dumps(own))
    return visit.go("/keys?done=yes")


def proof(visit: Visit) -> Response:
    """The proof that this visitor's scripts must send; no other site can read it."""
    return JSONResponse({"proof": visit.proof, "person": visit.require_person().id})


Sources: TypeAlias = Callable[[Visit], dict[str, str]]
"""Whose password a form tries, and where the try comes from: decided by the form's address."""


def slow_down(sources_of: Sources) -> Callable[[Visit], Awaitable[None]]:
    """Throttle password guessing; waiting holds no thread and delays no other visitor."""

    async def brake(visit: Visit) -> None:
        sources, waiting = sources_of(visit), visit.desk.waiting
        pause = await run_in_threadpool(_count_try, visit, sources)
        kind = next(kind for kind in ("session", "device", "name") if kind in sources)
        crowd = [f"{kind}:{sources[kind]}", f"address:{_address(visit)}"]
        if pause and any(waiting[one] >= MOST_WAITING for one in crowd):
            raise HTTPException(429, f"too many tries at once; try again in {pause:.0f} seconds")
        waiting.update(crowd)
        try:
            await sleep(pause)
        finally:
            waiting.subtract(crowd)

    return brake


def _signing_in(visit: Visit) -> dict[str, str]:
    """A try at the door: from a device where the person has signed in, or from anywhere."""
    name = visit.text("name", most=200)
    device = sessions.find_device(visit.desk.secret, visit.cookie(sessions.DEVICE), name)
    return {"name": name, **({"device": device} if device else {"address": _address(visit)})}


def _signed_in(visit: Visit) -> dict[str, str]:
    """A try at one's own old password."""
    return {"name": visit.require_person().name, "session": visit.token}


def _count_try(visit: Visit, sources: dict[str, str]) -> float:
    with visit.database.write() as connection:
        return sessions.count_try(connection, **sources)


def _address(visit: Visit) -> str:
    client = visit.request.client
    return client.host if client else ""


def _change(visit: Visit, **values: str) -> None:
    table = tables.person
    with visit.database.write() as connection:
        connection.execute(
            update(table).where(table.c.id == visit.require_person().id).values(**values)
        )


def _welcome(visit: Visit, token: str, answer: Response, name: str) -> Response:
    known = visit.cookie(sessions.DEVICE)
    device = sessions.remember_device(visit.desk.secret, known, name)
    days = sessions.DEVICE_DAYS
    set_cookie(answer, visit.desk.settings, sessions.DEVICE, device, days=days)
    set_cookie(answer, visit.desk.settings, sessions.COOKIE, token)
    set_cookie(answer, visit.desk.settings, sessions.GUEST, "")
    return answer


ROUTES = [
    route("/login", login, guests=True),
    route("/login", sign_in, "POST", guests=True, brake=slow_down(_signing_in)),
    route("/logout", sign_out, "POST"),
    route("/invite/{token}", invitation, guests=True),
    route("/invite/{token}", accept, "POST", guests=True),
    route("/account", account),
    route("/account/theme", change_theme, "POST"),
    route("/account/password", change_password, "POST", brake=slow_down(_signed_in)),
    route("/account/reset/refuse", refuse_reset, "POST"),
    route("/keys", keys),
    route("/keys", change_keys, "POST"),
    route("/proof", proof, json=True),
]
