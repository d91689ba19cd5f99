"""Which page opens to whom: every page, as everybody, in a topic of every step."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.attempts import addressed, routes, sent
from workbench.office import Office
from workbench.twins import Caller, House

pytestmark = pytest.mark.slow

STREAM = ("draft", "identify", "merge", "link", "verify", "final")
UNITS = ("draft", "write", "make", "match", "rematch", "final")
WORKERS = {
    "identify": {"ann", "bob", "boss"}, "merge": {"ann", "bob", "boss"},
    "link": {"ann", "bob", "boss"}, "verify": {"eve"}, "write": {"ann", "bob", "boss"},
    "make": {"uma"}, "match": {"max"}, "rematch": {"nia"},
}  # fmt: skip
"""Who works in each step of the house's topics; in the topic `other` it is Olaf and Boss."""
MANAGERS = {"mara", "boss"}
SIGHTED = {"mara"}
"""Boss manages, and works in every topic, so nobody else's work is shown to them."""
MEMBERS = {
    "stream": {"mara", "boss", "ann", "bob", "eve", "olaf"},
    "units": {"mara", "boss", "ann", "bob", "uma", "max", "nia"},
}
FOR_MEMBERS = {"", "/guidelines"}
"""The pages of a project that are not for its managers only."""
EXPORTS = {"/export.jsonl", "/export.csv", "/export.zip"}
OF_STREAMS = {"/agreement", "/tables", "/split", "/agreement.csv"}
PEOPLE = (*sorted(MEMBERS["stream"] | MEMBERS["units"]), "stranger", "nobody")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("pages")
    found = House(Office(folder / "house.sqlite"), busy=True)
    yield found
    found.office.close()


def workers(name: str, step: str) -> set[str]:
    """Who has the role that a step of this topic needs."""
    if name == "other":
        return {"olaf", "boss"} if step in ("identify", "merge", "link") else set()
    return WORKERS[step]


def expected(house: House, path: str, name: str, who: str) -> int:
    """The status of a page, from what each page is for."""
    workflow, steps = ("stream", STREAM) if name in house.streams else ("units", UNITS)
    now = steps.index("identify" if name == "other" else name)
    if path.startswith("/p/"):
        page = path.removeprefix("/p/{project:int}")
        allowed = MEMBERS[workflow] if page in FOR_MEMBERS else MANAGERS
        if page in EXPORTS and who in MANAGERS - SIGHTED:
            return 400  # There is nothing in it that they may see.
        return 200 if who in allowed and not (page in OF_STREAMS and workflow == "units") else 404
    page = path.removeprefix("/t/{topic:int}").lstrip("/")
    step = page.partition(".")[0].partition("/")[0]
    if step in WORKERS:
        if step not in steps or who not in workers(name, step):
            return 404
        return 200 if steps.index(step) <= now else 409
    if page == "again":  # Nothing is asked twice in this house.
        return 409 if workflow == "stream" and who in workers(name, "link") else 404
    inside = set().union(*(workers(name, one) for one in steps[1:-1])) | MANAGERS
    over = workflow == "stream" and steps[now] == "verify"
    allowed = {
        "": inside, "history": inside, "guidelines": inside,
        "stories": MANAGERS,
        "disagreements": SIGHTED if over else set(),
        "discussion": workers(name, "link") | SIGHTED if over else set(),
        "analyze": SIGHTED if steps[now] in ("match", "rematch") else set(),
        "review": set(),  # Nothing is practiced in this house.
    }[page]  # fmt: skip
    return 200 if who in allowed else 404


def surprising_pages(house: House, who: str) -> Iterator[tuple[str, str, int, int]]:
    """Pages that open to somebody and should not, or the other way round."""
    caller = Caller()
    for method, path in routes():
        if method != "GET" or not path.startswith(("/p/", "/t/")):
            continue
        for name in house.topics if path.startswith("/t/") else ("link", "match"):
            if path.endswith(".zip") and who in SIGHTED:
                continue  # An archive is not text.
            answer = caller.ask(house.visitor(who), "GET", addressed(house, path, name))
            wanted = expected(house, path, name, who)
            if who == "nobody":
                wanted = 401 if path.endswith(("link.json", "identify.json")) else 303
            if answer.status != wanted:
                yield path, name, answer.status, wanted


@pytest.mark.parametrize("who", PEOPLE)
def test_a_page_opens_to_those_it_is_for(house: House, who: str) -> None:
    assert list(surprising_pages(house, who)) == []


FORMS_OF_MANAGERS = {
    "assign", "unassign", "open", "reopen", "notes/answer", "title", "archive", "deadline",
    "stories", "analyze", "practice", "machine", "queue",
}  # fmt: skip
FORMS_OF_WORKERS = {
    "identify/read": {"identify"}, "identify/candidates": {"identify"},
    "identify/candidates/change": {"identify"}, "merge": {"merge"}, "link/plain": {"link"},
    "again": {"link"}, "verify": {"verify"}, "write": {"write"}, "write/change": {"write"},
    "make": {"make"}, "match/plain": {"match", "rematch"},
}  # fmt: skip

REFUSED_EARLIER = {
    "/t/{topic:int}/submit": 409, "/t/{topic:int}/disagreements/link": 409,
    "/t/{topic:int}/disagreements/unit": 409,
}  # fmt: skip
"""Forms that look at the step, or at what the form says, before they look at the person."""


def may_send(house: House, path: str, name: str, who: str) -> bool:
    """Whether a form is for somebody, in whatever step the topic is."""
    workflow, steps = ("stream", STREAM) if name in house.streams else ("units", UNITS)
    if path.startswith("/p/"):
        return who in (MEMBERS[workflow] if path.endswith("/guidelines/read") else MANAGERS)
    form = path.removeprefix("/t/{topic:int}/")
    if form in FORMS_OF_MANAGERS:
        return who in MANAGERS
    if form.startswith("disagreements/"):
        return who in SIGHTED
    if form in FORMS_OF_WORKERS:
        needed = FORMS_OF_WORKERS[form] & set(steps)
        return any(who in workers(name, step) for step in needed)
    inside = set().union(*(workers(name, one) for one in steps[1:-1]))
    advice = f"name '{form}' in FORMS_OF_WORKERS or FORMS_OF_MANAGERS"
    assert form in ("submit", "undo", "notes", "discussion", "log"), advice
    return who in inside | (MANAGERS if form != "submit" else set())


def accepted_forms(house: House, who: str) -> Iterator[tuple[str, str, int]]:
    """Forms of others that are answered with anything but that there is nothing."""
    caller = Caller()
    for name in house.topics:
        tries = sent(house, name)
        for method, path in routes():
            if method != "POST" or not path.startswith(("/p/", "/t/")):
                continue
            if path.startswith("/p/") and name not in ("link", "match"):
                continue
            if may_send(house, path, name, who):
                continue
            where, form = addressed(house, path, name), tries[method, path][0]
            if path.endswith("/log"):
                answer = caller.json(house.visitor(who), where, form)
            else:
                answer = caller.form(house.visitor(who), where, form, f"{who}-{name}-{path}"[:90])
            wanted = {404, REFUSED_EARLIER.get(path)} if who != "nobody" else {401}
            if answer.status not in wanted:
                yield path, name, answer.status


@pytest.mark.parametrize("who", PEOPLE)
def test_a_form_is_refused_to_those_it_is_not_for(house: House, who: str) -> None:
    assert list(accepted_forms(house, who)) == []
