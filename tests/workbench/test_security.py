"""What an attacker would try, one by one."""

import io
import re
import time
import zipfile
from secrets import token_hex

import pytest
from sqlalchemy import select, update

from chronoscore.workbench import accounts, sessions, tables
from chronoscore.workbench.guard import HEADERS
from chronoscore.workbench.routes import ROUTES
from workbench.office import PASSWORD, Office, refusal, to_link

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&"


@pytest.fixture
def manager(office: Office):
    return office.person("Mara", founder=True)


@pytest.fixture
def project(office: Office, manager) -> int:
    return office.project(manager, "stream")


def invited(office: Office, **more) -> str:
    with office.database.writing() as connection:
        return accounts.invite(connection, days=more.pop("days", 1), **more)


def with_password(office: Office, name: str):
    """Make an account through the door, as a person would."""
    token = invited(office, founder=True)
    client = office.client()
    page = client.get(f"/invite/{token}")
    proof = re.search(r'name="proof" value="([^"]+)"', page.text)[1]
    answer = client.post(
        f"/invite/{token}",
        data={"proof": proof, "name": name, "password": PASSWORD, "again": PASSWORD},
    )
    assert answer.status_code == 303, refusal(answer.text)
    return client


def login(client, name: str, password: str):
    proof = re.search(r'name="proof" value="([^"]+)"', client.get("/login").text)[1]
    return client.post("/login", data={"proof": proof, "name": name, "password": password})


# Every answer -----------------------------------------------------------------------------------


def test_security_headers_are_on_every_answer(office: Office, manager, project: int) -> None:
    topic = office.topic(manager, project)
    paths = [route.path for route in ROUTES] + ["/static/app.css", "/static/none.js", "/nowhere"]
    for path in paths:
        path = re.sub(r"\{topic:int\}", str(topic), path)
        path = re.sub(r"\{project:int\}", str(project), path)
        path = re.sub(r"\{\w+(:int)?\}", "1", path)
        for visitor in (manager, office.nobody):
            for answer in (visitor.client.get(path), visitor.client.post(path)):
                for name, value in HEADERS.items():
                    assert answer.headers[name] == value, (path, name)
                assert "server" not in answer.headers
                cache = "no-cache" if path.startswith("/static") else "no-store"
                assert answer.headers["cache-control"] == cache


def test_headers_are_on_refusals_and_failures_too(office: Office, manager) -> None:
    from starlette.testclient import TestClient

    wrong_host = office.client().get("/login", headers={"host": "evil.example"})
    too_long = office.client().post("/login", content=b"x", headers={"content-length": "9" * 12})
    broken = TestClient(office.app, office.settings.public_url, raise_server_exceptions=False)
    broken.cookies.set(sessions.COOKIE, manager.token)
    office.database.engine.dispose()
    desk = office.app.app.state.desk
    secret, desk.database = desk.database, None
    failed = broken.get("/")
    desk.database = secret
    assert (wrong_host.status_code, too_long.status_code, failed.status_code) == (421, 413, 500)
    for answer in (wrong_host, too_long, failed):
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert "Traceback" not in failed.text


def test_pages_need_nothing_from_elsewhere_and_no_inline_script(office: Office, manager) -> None:
    manager.post("/demo")
    for path in ("/", "/keys", "/account", "/t/3/link"):
        html = manager.get(path)
        assert not re.search(r"<script(?![^>]*src=)", html)
        assert not re.search(r"\sstyle=|\son\w+=", html)
        assert not re.search(r"""(src|href)=["'](https?:)?//""", html)


def test_a_page_elsewhere_cannot_point_its_name_at_us(office: Office, manager) -> None:
    for host in ("evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""):
        assert manager.client.get("/", headers={"host": host}).status_code == 421


# Forms ------------------------------------------------------------------------------------------


def test_a_form_without_its_visitors_proof_changes_nothing(office: Office, manager) -> None:
    other = office.person("Other", founder=True)
    for proof in ("", "x", other.proof, manager.proof[:-1]):
        data = {"name": "Stolen", "workflow": "stream", "proof": proof}
        assert manager.client.post("/projects", data=data).status_code == 403
    assert "Stolen" not in manager.get("/")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_from_another_site_is_refused(office: Office, manager, headers) -> None:
    data = {"name": "Stolen", "workflow": "stream", "proof": manager.proof}
    assert manager.client.post("/projects", data=data, headers=headers).status_code == 403


def test_marks_need_json_and_the_proof(office: Office, manager, project: int) -> None:
    topic = office.topic(manager, project)
    send = manager.client.post
    assert send(f"/t/{topic}/log", json={"entries": []}).status_code == 403
    form = {"proof": manager.proof, "entries": "[]"}
    assert send(f"/t/{topic}/log", data=form).status_code == 415
    headers = {"X-Form-Proof": manager.proof, "content-type": "application/json"}
    for body in (b"", b"{", b"[]", b'{"entries": 1}', b'{"entries": [1]}', b'"\xff"', b"null"):
        answer = send(f"/t/{topic}/log", content=body, headers=headers)
        assert answer.status_code == 400, body


def test_a_form_sent_twice_counts_once(office: Office, manager) -> None:
    for _ in range(2):
        manager.post("/projects", name="Once only", workflow="stream", key="the-same-key")
    assert manager.get("/").count("Once only") == 1


# Sessions ---------------------------------------------------------------------------------------


def test_signing_in_gives_a_new_secret_whatever_the_browser_held(office: Office) -> None:
    with_password(office, "Mara").close()
    client = office.client()
    client.cookies.set(sessions.COOKIE, "planted-by-an-attacker")
    answer = login(client, "Mara", PASSWORD)
    assert answer.status_code == 303
    token = re.search(rf"{sessions.COOKIE}=([^;]+)", answer.headers["set-cookie"])[1]
    assert token != "planted-by-an-attacker"
    attacker = office.client()
    attacker.cookies.set(sessions.COOKIE, "planted-by-an-attacker")
    assert attacker.get("/").status_code == 303
    with office.database.reading() as connection:
        kept = set(connection.execute(select(tables.session.c.digest)).scalars())
    assert token not in kept
    assert accounts.digest(token) in kept


def test_cookies_cannot_be_read_or_sent_by_others(office: Office, tmp_path) -> None:
    with_password(office, "Mara").close()
    cookie = login(office.client(), "Mara", PASSWORD).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie
    public = Office(tmp_path / "public.sqlite", public_url="https://judge.example.org")
    with_password(public, "Mara").close()
    answer = login(public.client(), "Mara", PASSWORD)
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]
    public.close()


def test_signing_out_ends_the_session_on_the_server(office: Office, manager) -> None:
    manager.post("/logout")
    thief = office.client()
    thief.cookies.set(sessions.COOKIE, manager.token)
    assert thief.get("/").status_code == 303


def test_a_new_password_ends_every_other_session(office: Office) -> None:
    client = with_password(office, "Mara")
    other = office.client()
    login(other, "Mara", PASSWORD)
    assert other.get("/").status_code == 200
    proof = re.search(r'name="proof" value="([^"]+)"', client.get("/account").text)[1]
    new = "another long sentence"
    data = {"proof": proof, "old": PASSWORD, "password": new, "again": new}
    assert client.post("/account/password", data=data).status_code == 303
    assert other.get("/").status_code == 303
    assert login(office.client(), "Mara", PASSWORD).status_code == 403
    assert login(office.client(), "Mara", new).status_code == 303


def test_passwords_are_kept_as_argon2id(office: Office) -> None:
    with_password(office, "Mara").close()
    with office.database.reading() as connection:
        kept = connection.execute(select(tables.person.c.password)).scalar()
    assert kept.startswith("$argon2id$")
    assert PASSWORD not in kept


def test_guessing_passwords_is_slowed_down(office: Office) -> None:
    with_password(office, "Mara").close()
    client = office.client()
    codes = [login(client, "mara ", f"guess number {n}").status_code for n in range(10)]
    assert codes == [403] * 8 + [429] * 2
    assert login(client, "Mara", PASSWORD).status_code == 429


def test_a_wrong_name_and_a_wrong_password_read_the_same(office: Office) -> None:
    with_password(office, "Mara").close()
    texts = {
        re.sub(r'value="[^"]*"', "", login(office.client(), name, "wrong wrong wrong").text)
        for name in ("Mara", "Nobody")
    }
    assert len(texts) == 1


def test_an_account_without_password_cannot_be_signed_in_to(office: Office) -> None:
    office.person("j1 (imported)")
    for password in ("", "None", "j1"):
        assert login(office.client(), "j1 (imported)", password).status_code == 403


def test_the_way_back_after_signing_in_stays_here(office: Office) -> None:
    with_password(office, "Mara").close()
    for where in ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:1"):
        client = office.client()
        proof = re.search(r'name="proof" value="([^"]+)"', client.get("/login").text)[1]
        data = {"proof": proof, "name": "Mara", "password": PASSWORD, "back": where}
        assert client.post("/login", data=data).headers["location"] == "/"


# Invitations ------------------------------------------------------------------------------------


def test_an_invitation_works_once(office: Office) -> None:
    token = invited(office)
    codes = []
    for name in ("First", "Second"):
        client = office.client()
        page = client.get(f"/invite/{token}")
        found = re.search(r'name="proof" value="([^"]+)"', page.text)
        data = {"proof": found[1] if found else "", "name": name, "password": PASSWORD,
                "again": PASSWORD}  # fmt: skip
        codes.append((page.status_code, client.post(f"/invite/{token}", data=data).status_code))
    assert codes[0] == (200, 303)
    assert codes[1][0] == 404
    with office.database.reading() as connection:
        assert accounts.by_name(connection, "Second") is None


def test_an_old_invitation_opens_nothing(office: Office) -> None:
    token = invited(office, days=1)
    with office.database.writing() as connection:
        connection.execute(update(tables.invitation).values(expires=time.time() - 1))
    assert office.client().get(f"/invite/{token}").status_code == 404
    with office.database.reading() as connection:
        assert token not in set(connection.execute(select(tables.invitation.c.digest)).scalars())


def test_a_weak_password_leaves_the_invitation_open(office: Office) -> None:
    token = invited(office)
    client = office.client()
    proof = re.search(r'name="proof" value="([^"]+)"', client.get(f"/invite/{token}").text)[1]
    data = {"proof": proof, "name": "Al", "password": "short", "again": "short"}
    assert client.post(f"/invite/{token}", data=data).status_code == 400
    assert client.get(f"/invite/{token}").status_code == 200


# Hostile content --------------------------------------------------------------------------------


def test_story_texts_and_event_names_cannot_run_as_script(office: Office, manager) -> None:
    judges = [office.person(f"Judge {HOSTILE}"[:60]), office.person("Bob")]
    project = office.project(manager, "stream", *judges)
    import json

    story = {"id": "a1", "title": HOSTILE, "publisher": HOSTILE, "sentences": [HOSTILE, "Two."],
             "time": "2031-03-01T08:00:00"}  # fmt: skip
    rest = {"id": "a2", "title": "t", "sentences": ["Three."]}
    upload = ("x.jsonl", "\n".join(map(json.dumps, (story, rest))).encode(), "application/jsonl")
    topic = office.topic(manager, project, "hostile", upload=upload)
    office.assign(manager, topic, judge=judges)
    manager.post(f"/t/{topic}/open")
    to_link(office, manager, topic, *judges)
    judges[0].post(f"/t/{topic}/notes", place=HOSTILE, text=HOSTILE)
    manager.post(f"/t/{topic}/reopen", step="merge", reason=HOSTILE)
    judges[0].post(f"/t/{topic}/merge", do="rename", event="E1", text=HOSTILE)
    pages = [
        (judges[0], "identify"), (judges[0], "merge"), (judges[0], "history"), (judges[0], ""),
        (manager, ""), (manager, "history"),
    ]  # fmt: skip
    for visitor, page in pages:
        html = visitor.get(f"/t/{topic}/{page}".rstrip("/"))
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    for page in ("progress", "agreement", "tables", "notes", "history", "people", "export", ""):
        html = manager.get(f"/p/{project}/{page}".rstrip("/"))
        assert "<script>alert" not in html
    for judge in judges:
        judge.post(f"/t/{topic}/submit", step="merge")
    for page in ("link", "link/plain"):
        assert "<script>alert" not in judges[0].get(f"/t/{topic}/{page}")
    data = judges[0].client.get(f"/t/{topic}/link.json")
    assert data.headers["content-type"] == "application/json"
    assert data.json()["mine"]["events"][0]["text"] == HOSTILE


def test_sql_in_texts_and_names_is_only_text(office: Office, manager, project: int) -> None:
    nasty = "'; DROP TABLE log; --"
    manager.post(f"/p/{project}/settings", name=nasty, hints="yes")
    topic = office.topic(manager, project, "x' OR '1'='1")
    assert nasty in manager.get("/").replace("&#39;", "'")
    manager.post(f"/t/{topic}/notes", place=nasty, text=nasty)
    for query in (f"/t/{topic}/history?before={nasty}", f"/p/{project}/history?before=1'--"):
        manager.get(query)
    assert manager.client.get(f"/t/{topic}/identify?story={nasty}").status_code == 404
    for path in ("/t/1'--", "/p/1 OR 1=1", "/t/99999999999999999999"):
        assert manager.client.get(path).status_code == 404
    assert login(office.client(), "' OR 1=1 --", PASSWORD).status_code == 403


# Uploads ----------------------------------------------------------------------------------------


def upload(manager, project: int, name: str, raw: bytes) -> str:
    answer = manager.post(
        f"/p/{project}/import", files={"files": (name, raw)}, name="t", title="", status=400
    )
    return refusal(answer.text)


def packed(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a/../../b.txt", "..\\..\\b.txt", "C:\\b.txt"]
)
def test_archives_that_point_outside_are_refused(manager, project: int, name: str) -> None:
    assert "points outside" in upload(manager, project, "x.zip", packed(**{name: b"text."}))


def test_an_uploads_name_is_only_a_label(office: Office, manager, project: int, tmp_path) -> None:
    before = set(tmp_path.rglob("*"))
    name = "../../../../tmp/owned.txt"
    topic = office.topic(manager, project, upload=(name, b"It rained. It stopped.", "text/plain"))
    assert "2 sentences" in manager.get(f"/t/{topic}")
    assert {path.name for path in set(tmp_path.rglob("*")) - before} <= set()


def test_a_zip_bomb_is_not_unpacked(tmp_path) -> None:
    office = Office(tmp_path / "small.sqlite", largest_upload=1024 * 1024)
    manager = office.person("Mara", founder=True)
    project = office.project(manager, "stream")
    bomb = packed(**{"a.txt": b"a" * 30_000_000})
    assert len(bomb) < 100_000
    assert "more than an upload may hold" in upload(manager, project, "bomb.zip", bomb)
    many = packed(**{f"{n}.txt": b"b" * 90_000 for n in range(20)})
    assert "more than an upload" in upload(manager, project, "many.zip", many)
    inner = packed(**{"inner.zip": packed(**{"a.txt": b"text"})})
    assert "inside the archive" in upload(manager, project, "nested.zip", inner)
    office.close()


def test_xml_bombs_and_outside_entities_are_refused(manager, project: int) -> None:
    laughs = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'
    outside = (
        b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b"<TimeML><TEXT>&x;</TEXT></TimeML>"
    )
    for raw in (laughs, outside):
        words = upload(manager, project, "x.tml", raw)
        assert "declares entities" in words
        assert "root:" not in words


@pytest.mark.parametrize(
    ("name", "raw", "words"),
    [
        ("a.txt", b"\xff\xfe\x00", "not UTF-8"),
        ("a.txt", b"one\x00two", "NUL byte"),
        ("a.txt", b"   ", "no text"),
        ("a.jsonl", b"{", "no article"),
        ("a.jsonl", b'{"id": "a", "text": "x", "time": "soon"}', "no time"),
        ("a.jsonl", b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "comes twice"),
        ("a.tml", b"<TimeML", "no XML"),
        ("a.tml", b"<html></html>", "is no TimeML"),
        ("a.zip", b"PK\x03\x04 broken", "broken archive"),
    ],
)
def test_files_that_cannot_be_read_are_refused_in_a_sentence(
    manager, project: int, name: str, raw: bytes, words: str
) -> None:
    said = upload(manager, project, name, raw)
    assert words in said
    assert "/tmp" not in said


def test_too_much_at_once_is_refused(tmp_path) -> None:
    office = Office(tmp_path / "s.sqlite", largest_upload=200_000, largest_request=50_000)
    manager = office.person("Mara", founder=True)
    project = office.project(manager, "stream")
    data = {"proof": manager.proof, "key": token_hex(8), "name": "t"}
    big = {"files": ("a.txt", b"x" * 300_000)}
    assert manager.client.post(f"/p/{project}/import", data=data, files=big).status_code == 413

    def drip():
        for _ in range(100):
            yield b"x" * 1000

    form = {"content-type": "application/x-www-form-urlencoded"}
    assert manager.client.post("/projects", content=drip(), headers=form).status_code == 413
    office.close()
