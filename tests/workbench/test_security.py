"""What an attacker would try on any page: headers, forms of other sites, hostile words."""

import re
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from chronoscore.workbench.store import tables
from chronoscore.workbench.web.guard import HEADERS, Guard
from chronoscore.workbench.web.visit import is_local_address
from workbench.attempts import addresses
from workbench.office import Office, Visitor
from workbench.twins import Caller


@pytest.fixture
def caller() -> Caller:
    return Caller()


# Every answer -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_security_headers_are_on_every_answer(
    office: Office, manager: Visitor, project: int, caller: Caller
) -> None:
    topic = office.topic(manager, project)
    paths = {path for method in ("GET", "POST") for path in addresses(method, project, topic)}
    for path in [*sorted(paths), "/static/app.css", "/static/none.js", "/nowhere"]:
        for visitor in (manager, office.nobody):
            for method in ("GET", "HEAD", "POST", "OPTIONS", "PUT"):
                answer = caller.ask(visitor, method, path)
                for name, value in HEADERS.items():
                    assert answer.headers[name.lower()] == value, (method, path, name)
                assert "server" not in answer.headers
                assert "access-control-allow-origin" not in answer.headers
                cache = "no-cache" if path.startswith("/static") else "no-store"
                assert answer.headers["cache-control"] == cache


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline() -> None:
    policy = HEADERS["Content-Security-Policy"]
    for word in ("default-src 'self'", "base-uri 'none'", "form-action 'self'",
                 "frame-ancestors 'none'", "object-src 'none'"):  # fmt: skip
        assert word in policy
    assert "unsafe" not in policy
    assert "*" not in policy


def test_headers_are_on_refusals_and_failures_too(office: Office, manager: Visitor) -> None:
    wrong_host = office.client().get("/login", headers={"host": "evil.example"})
    too_long = office.client().post("/login", content=b"x", headers={"content-length": "9" * 12})
    broken = TestClient(office.app, office.settings.public_url, raise_server_exceptions=False)
    broken.cookies.set(office.cookie, manager.token)
    desk = office.app.app.app.state.desk
    kept, desk.database = desk.database, None
    failed = broken.get("/?secret=words")
    desk.database = kept
    assert (wrong_host.status_code, too_long.status_code, failed.status_code) == (421, 413, 500)
    for answer in (wrong_host, too_long, failed):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert answer.headers["cache-control"] == "no-store"
    for word in ("Traceback", "NoneType", "secret", ".py"):
        assert word not in failed.text


@pytest.mark.slow
def test_pages_need_nothing_from_elsewhere_and_no_inline_script(
    office: Office, manager: Visitor
) -> None:
    manager.post("/demo")
    with office.database.read() as connection:
        topics = connection.execute(select(tables.topic.c.id, tables.topic.c.project)).all()
    seen = set()
    for topic, project in topics:
        for path in addresses("GET", project, topic):
            answer = manager.client.get(path)
            if "html" not in answer.headers.get("content-type", "") or path in seen:
                continue
            seen.add(path)
            assert not re.search(r"<script(?![^>]*src=)", answer.text), path
            assert not re.search(r"<[^>]*\s(style|on\w+)=", answer.text), path
            assert not re.search(r"""(src|href|action)=["'](https?:)?//""", answer.text), path
    assert len(seen) > 60


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "",
     "127.0.0.1:8765@evil.example", "[::1]evil.example", "127.0.0.1:x", "127.0.0.1/evil",
     "127.0.0.1:8765, evil.example"],
)  # fmt: skip
def test_a_page_elsewhere_cannot_point_its_name_at_us(manager: Visitor, host: str) -> None:
    assert manager.client.get("/", headers={"host": host}).status_code == 421


def test_no_answer_is_addressed_by_what_the_request_says_our_name_is(manager: Visitor) -> None:
    for path in ("/login/", "/account/", "/static"):
        answer = manager.client.get(path, headers={"host": "localhost:1"})
        assert answer.status_code == 404
        assert "location" not in answer.headers


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "/\\evil.example", "/<script>alert(1)</script>", "/javascript:x"]
)
def test_the_page_of_a_wrong_address_leads_nowhere_else(
    office: Office, manager: Visitor, caller: Caller, path: str
) -> None:
    for visitor in (manager, office.nobody):
        answer = caller.ask(visitor, "GET", path)
        assert answer.status == 404
        assert "evil" not in answer.text
        assert "<script>alert" not in answer.text
        assert "location" not in answer.headers


@pytest.mark.parametrize(
    "path",
    ["../web.py", "%2e%2e/web.py", "..%2fweb.py", "/etc/passwd", "....//web.py", "..\\web.py"],
)
def test_only_static_files_are_served_as_such(office: Office, caller: Caller, path: str) -> None:
    for where in (f"/static/{path}", f"/static/./{path}"):
        answer = caller.ask(office.nobody, "GET", where)
        assert answer.status == 404
        assert "Visit" not in answer.text


# Forms ------------------------------------------------------------------------------------------


def test_a_form_without_its_visitors_proof_changes_nothing(
    office: Office, manager: Visitor
) -> None:
    other = office.person("Other", founder=True)
    for proof in ("", "x", "é²", other.proof, manager.proof[:-1], manager.proof.upper()):
        data = {"name": "Stolen", "workflow": "stream", "proof": proof}
        assert manager.client.post("/projects", data=data).status_code == 403
    assert "Stolen" not in manager.get("/")


ELSEWHERE = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "http://127.0.0.1:8765.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


@pytest.mark.slow
def test_no_form_is_taken_from_another_site_or_without_proof(
    office: Office, manager: Visitor, project: int
) -> None:
    """Every address that changes anything, JSON included, by a browser that is signed in."""
    topic = office.topic(manager, project)
    before = office.entries()
    for path in addresses("POST", project, topic):
        is_json = path.endswith("/log")
        form: dict[str, Any] = {"json": {"entries": []}} if is_json else {"data": {"name": "x"}}
        assert manager.client.post(path, **form).status_code == 403, path
        given = {"x-form-proof": manager.proof} if is_json else {}
        if not is_json:
            form["data"]["proof"] = manager.proof
        for headers in ELSEWHERE:
            answer = manager.client.post(path, headers={**given, **headers}, **form)
            assert answer.status_code == 403, (path, headers)
            assert "another site" in answer.text
    assert office.entries() == before


def test_a_form_from_our_own_pages_is_taken(office: Office, manager: Visitor) -> None:
    for origin in ("http://127.0.0.1:8765", "http://localhost:8765"):
        headers = {"origin": origin, "sec-fetch-site": "same-origin", "host": origin[7:]}
        data = {"name": "Ours", "workflow": "stream", "proof": manager.proof}
        assert manager.client.post("/projects", data=data, headers=headers).status_code == 303


def test_marks_need_json_and_the_proof(office: Office, manager: Visitor, project: int) -> None:
    topic = office.topic(manager, project)
    send = manager.client.post
    assert send(f"/t/{topic}/log", json={"entries": []}).status_code == 403
    form = {"proof": manager.proof, "entries": "[]"}
    assert send(f"/t/{topic}/log", data=form).status_code == 415
    headers = {"X-Form-Proof": manager.proof, "content-type": "application/json"}
    bodies = (b"", b"{", b"[]", b'{"entries": 1}', b'{"entries": [1]}', b'"\xff"', b"null",
              b"[" * 100_000, b'{"entries":[' + b"9" * 6000 + b"]}",
              b'{"entries":[{"key":"12345678\\u0000","action":"mark","body":{}}]}',
              b'{"entries":[{"key":"12345678\\ud800","action":"mark","body":{}}]}')  # fmt: skip
    for body in bodies:
        answer = send(f"/t/{topic}/log", content=body, headers=headers)
        assert answer.status_code == 400, body[:60]


def test_a_form_sent_twice_counts_once(office: Office, manager: Visitor) -> None:
    for _ in range(2):
        manager.post("/projects", name="Once only", workflow="stream", key="the-same-key")
    assert manager.get("/").count("Once only") == 1


@pytest.mark.parametrize("number", ["²", "-1", "1e3", "9" * 20, "0x1", " ", "١٢٣٤٥٦٧٨٩٠١", "NaN"])
def test_what_looks_like_a_number_and_is_none_is_refused(
    office: Office, manager: Visitor, number: str
) -> None:
    project = office.project(manager, "units")
    topic = office.topic(manager, project, most="3")
    forms = [
        (f"/t/{topic}/assign", {"person": number, "role": "writer"}),
        (f"/t/{topic}/unassign", {"person": number, "role": "writer"}),
        (f"/t/{topic}/verify", {"verdict": "keep", "event": "E1", "item": "x", "base": number}),
        (f"/t/{topic}/match/plain", {"step": "match", "do": "done", "base": number}),
        (f"/p/{project}/settings", {"name": "x", "lines": number, "sample": "1"}),
        (f"/p/{project}/import", {"name": "b", "most": number}),
    ]
    if number.strip():
        forms.append((f"/t/{topic}/analyze", {"z": number}))
    for path, fields in forms:
        data = {"proof": manager.proof, "key": token_hex(8), **fields}
        files = {"files": ("b.txt", b"It rained.")} if path.endswith("/import") else None
        if files and not number.strip():
            continue
        assert manager.client.post(path, data=data, files=files).status_code in (400, 404), path
    manager.get(f"/p/{project}/history?page={number}")


def test_addresses_and_lengths_beyond_all_reason_are_refused(
    office: Office, manager: Visitor, caller: Caller
) -> None:
    assert caller.ask(manager, "GET", "/t/" + "9" * 5000).status == 414
    assert caller.ask(manager, "GET", "/t/" + "9" * 900).status == 404
    for length in ("\xb2", "9" * 5000, "-1", "1 ", ""):
        headers = {b"content-length": length.encode("latin-1")}
        assert office.client().post("/login", content=b"", headers=headers).status_code == 413


def test_on_a_public_host_only_its_own_origin_counts(tmp_path: Path) -> None:
    """On loopback the same server has several; elsewhere http is not the https that we serve."""
    office = Office(tmp_path / "public.sqlite", public_url="https://judge.example.org")
    ann = office.person("Ann")
    data = {"proof": ann.proof, "theme": "dark"}
    for scheme, status in (("http", 403), ("https", 303)):
        headers = {"origin": f"{scheme}://judge.example.org"}
        assert ann.client.post("/account/theme", data=data, headers=headers).status_code == status
    office.close()


def test_a_proof_is_written_differently_on_every_page(office: Office, manager: Visitor) -> None:
    """Pages are compressed: from their lengths a proof that stays the same could be guessed."""
    found = {re.search(r'name="proof" value="(\w+)"', manager.get("/account"))[1] for _ in range(2)}
    assert len(found) == 2
    for proof in found:
        manager.post("/account/theme", proof=proof, theme="dark")


def test_nobody_is_sent_to_another_site() -> None:
    assert is_local_address("/t/1?event=E1")
    for where in ("//evil.example", "/\\evil.example", "https://evil.example", "evil", ""):
        assert not is_local_address(where)


def test_only_imports_may_be_large(office: Office) -> None:
    guard, settings = Guard(office.app, office.settings), office.settings
    for path in ("/p/1/import", "/t/1/machine"):
        assert guard.limit(path) == settings.largest_upload
    for path in ("/p/1/import/x", "/p/1/imports", "/x/p/1/import", "/t/1/log"):
        assert guard.limit(path) == settings.largest_request


def test_a_form_with_thousands_of_files_is_not_read(manager: Visitor, project: int) -> None:
    files = [("files", ("a.txt", b"It rained.", "text/plain"))] * 1_001
    answer = manager.post(f"/p/{project}/import", status=400, files=files, name="many")
    assert "could not be read" in answer.text
