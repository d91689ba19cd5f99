"""On a server: a folder of a host, proxies, health, counts, the access log, stopping."""

import gzip
import http.client
import io
import re
import signal
import socket
import sqlite3
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from chronoscore.cli import main
from chronoscore.errors import UsageError
from chronoscore.workbench.domain import sessions, tokens
from chronoscore.workbench.store.settings import OWN_FOLDERS, Settings, parse_public_url
from chronoscore.workbench.web.app import build_workbench
from chronoscore.workbench.web.compression import compress_beginning
from chronoscore.workbench.web.routes import ROUTES
from workbench.office import ON_BOTH, PASSWORD, Office, Visitor, accept, invited, login, open_link
from workbench.running import PATIENCE, Server
from workbench.team import StreamTeam

PUBLIC = "https://judge.example.org/judging"


@pytest.fixture
def abroad(tmp_path: Path) -> Iterator[Office]:
    """A workbench that browsers reach under a folder of another host."""
    found = Office(tmp_path / "abroad.sqlite", public_url=PUBLIC)
    yield found
    found.close()


class Browser(Visitor):
    """Somebody whose browser sees the folder, before a proxy that takes it off or does not."""

    def __init__(self, office: Office, who: Visitor, folder: str) -> None:
        super().__init__(office, who.name, who.id, who.token)
        self.client.base_url = f"https://judge.example.org{folder}"
        self.client.cookies.clear()
        self.client.cookies.set(office.cookie, who.token, domain="judge.example.org")


def own_addresses(html: str) -> list[str]:
    return re.findall(r'(?:href|src|action)="(/[^"]*)"', html)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["/judging", ""], ids=["passed on whole", "taken off"])
def test_every_address_on_every_page_is_under_the_folder(abroad: Office, folder: str) -> None:
    mara = Browser(abroad, abroad.person("Mara", founder=True), folder)
    assert mara.post("/demo").headers["location"] == "/judging/"
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = mara.client.get(path)
        assert answer.status_code in (200, 303), path
        addresses = own_addresses(answer.text)
        assert [one for one in addresses if not one.startswith("/judging/")] == [], path
        linked = re.findall(r'<a [^>]*href="/judging(/[^"?#]*)', answer.text)
        waiting += sorted(set(linked) - seen - set(waiting))
    assert len(seen) > 40


@pytest.mark.slow
def test_cookies_and_redirects_keep_to_the_folder(abroad: Office) -> None:
    client = abroad.client()
    client.base_url = "https://judge.example.org/judging"
    answer = accept(client, invited(abroad, founder=True), "Mara")
    assert answer.headers["location"] == "/judging/"
    assert "Path=/judging;" in answer.headers["set-cookie"]
    fresh = abroad.client()
    fresh.base_url = "https://judge.example.org/judging"
    away = fresh.get("/keys").headers["location"]
    assert away == "/judging/login?next=/keys"
    assert login(fresh, "Mara", PASSWORD, back="/keys").headers["location"] == "/judging/keys"


def test_a_link_to_send_names_the_folder(abroad: Office) -> None:
    mara = abroad.person("Mara", founder=True)
    project = abroad.project(mara, "stream")
    mara = Browser(abroad, mara, "/judging")
    page = mara.post(f"/p/{project}/people", 200, label="Ann").text
    assert f"{PUBLIC}/invite/" in page


def test_back_from_a_refusal_stays_in_the_folder(abroad: Office) -> None:
    mara = Browser(abroad, abroad.person("Mara", founder=True), "/judging")
    for referer, back in (
        (f"{PUBLIC}/keys", "/judging/keys"), ("https://judge.example.org/other", None),
    ):  # fmt: skip
        page = mara.client.get("/nowhere", headers={"Referer": referer}).text
        found = re.search(r'href="([^"]+)" id="again"', page)
        assert (found and found[1]) == back


@pytest.mark.parametrize(
    ("given", "parsed"),
    [
        ("https://Judge.Example.org:443/", "https://judge.example.org"),
        ("https://example.org/a/b/", "https://example.org/a/b"),
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765"),
        ("http://[::1]:8765/x", "http://[::1]:8765/x"),
    ],
)
def test_a_public_url_is_read_as_browsers_write_it(given: str, parsed: str) -> None:
    assert parse_public_url(given) == parsed


@pytest.mark.parametrize(
    "given",
    [
        "judge.example.org", "https://", "https:///judging", "https://a@b.org", "ftp://b.org",
        "https://b.org/?x", "https://b.org/#x", "https://b.org/a b", 'https://b.org/"x',
        "https://b.org/../x", "https://b.org:no", "https://b.org/t", "https://b.org/static/x",
    ],
)  # fmt: skip
def test_a_public_url_that_cannot_work_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="--public-url"):
        parse_public_url(given)


def test_no_folder_can_hide_a_page() -> None:
    assert {route.path.split("/")[1] for route in ROUTES if route.path != "/"} <= OWN_FOLDERS


def test_health_notices_what_cannot_be_written(office: Office) -> None:
    client = office.client()
    assert client.get("/health", headers={"Host": "10.0.0.7"}).json() == {"status": "ok"}
    broken = Office.__new__(Office)
    broken.database, broken.settings = office.database, office.settings
    broken.app = build_workbench(office.database, office.settings)
    office.database.close()
    event.listen(
        office.database.engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only=ON")
    )
    answer = broken.client().get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"status": "failing", "problem": "the log cannot be written"}


def test_health_is_asked_often_and_written_seldom(office: Office) -> None:
    written: list[str] = []
    event.listen(
        office.database.engine, "before_cursor_execute",
        lambda *args: written.append(args[2]) if args[2].startswith("INSERT") else None,
    )  # fmt: skip
    for _ in range(20):
        office.client().get("/health")
    assert len(written) == 2


def figures(text: str) -> dict[str, float]:
    """Prometheus' text format, read line by line."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP \w+ .+|TYPE \w+ (counter|gauge|histogram))", line)
            continue
        parsed = re.fullmatch(r'(\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (-?[\d.]+)', line)
        assert parsed, line
        found[parsed[1]] = float(parsed[2])
    return found


def api_token(office: Office, who: Visitor) -> str:
    with office.database.write() as connection:
        return tokens.create(connection, who.id, "api", "monitor")


def counts(office: Office, **headers: str) -> dict[str, float]:
    client = office.client()
    client._transport.client = ("127.0.0.1", 50_000)
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    return figures(answer.text)


def test_metrics_count_requests_entries_refusals_and_conflicts(office: Office) -> None:
    mara, ann = office.person("Mara", founder=True), office.person("Ann")
    project = office.project(mara, "stream", ann)
    topic = office.topic(mara, project)
    office.assign(mara, topic, judge=ann)
    open_link(office, project, topic)
    token = {"Authorization": f"Bearer {api_token(office, mara)}"}
    before = counts(office, **token)
    ann.mark(topic, "a1-s01", "E1")
    ann.mark(topic, "a1-s01", off=True)
    ann.mark(topic, "none", "E1")
    ann.get("/nowhere", 404)
    office.nobody.get("/invite/secret-of-somebody", 404)
    after = counts(office, **token)

    def more(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    kinds = ("saved", "conflict", "refused")
    names = [f'chronoscore_outbox_entries_total{{answer="{kind}"}}' for kind in kinds]
    assert [more(name) for name in names] == [1, 1, 1]
    assert more("chronoscore_log_entries") == 1
    page = 'method="POST",page="/t/N/log",status="200"'
    assert more(f"chronoscore_requests_total{{{page}}}") == 3
    assert more('chronoscore_requests_total{method="GET",page="none",status="404"}') == 2
    assert more('chronoscore_request_seconds_count{page="/t/N/log"}') == 3
    assert more('chronoscore_request_seconds_bucket{page="/t/N/log",le="+Inf"}') == 3
    assert "secret-of-somebody" not in str(after)


def test_only_the_operator_sees_counts(office: Office, tmp_path: Path) -> None:
    """Somebody at work could tell from them how busy the others are."""
    mara = office.person("Mara", founder=True)
    mara.get("/metrics", 404)
    for settings in (
        {}, {"public_url": PUBLIC}, {"metrics_token": "a-token-of-16-or-more"},
    ):  # fmt: skip
        other = Office(tmp_path / "other.sqlite", **settings)
        client = other.client()
        client._transport.client = ("127.0.0.1", 50_000)
        assert client.get("/metrics").status_code == 404
        wrong = {"Authorization": "Bearer a-token-of-16-or-mor3"}
        assert client.get("/metrics", headers=wrong).status_code == 404
        other.close()
    other = Office(
        tmp_path / "third.sqlite", public_url=PUBLIC, metrics_token="a-token-of-16-or-more"
    )
    right = {"Authorization": "Bearer a-token-of-16-or-more", "Host": "127.0.0.1:8765"}
    assert other.client().get("/metrics", headers=right).status_code == 200
    other.close()


def test_a_managers_token_sees_counts_unless_the_manager_works_somewhere(office: Office) -> None:
    """A judge on the same machine could tell from them when rivals work."""
    mara, boss, ann = (office.person(name, founder=name == "Mara") for name in ("Mara", "B", "A"))
    project = office.project(mara, "stream", boss, ann)
    office.project(boss, "stream")
    topic = office.topic(mara, project)

    def asked(who: Visitor) -> int:
        headers = {"Authorization": f"Bearer {api_token(office, who)}"}
        return int(office.client().get("/metrics", headers=headers).status_code)

    assert [asked(who) for who in (mara, boss, ann)] == [200, 200, 404]
    office.assign(mara, topic, judge=[boss, ann])
    assert [asked(who) for who in (mara, boss, ann)] == [200, 404, 404]


def test_two_workbenches_on_one_host_share_no_cookie() -> None:
    urls = ["http://127.0.0.1:8765", "http://127.0.0.1:8766", "http://127.0.0.1",
            "https://h.example", "https://h.example/a", "https://h.example/a/b",
            "https://h.example/a.b", "https://h.example/a_b", "https://h.example/b"]  # fmt: skip
    assert len({Settings(public_url=url).cookie("chronoscore") for url in urls}) == len(urls)


def test_the_access_log_has_numbers_and_no_secrets(office: Office) -> None:
    log = io.StringIO()
    office.app = build_workbench(office.database, office.settings, log=log)
    client, token = office.client(), invited(office, founder=True)
    accept(client, token, "Mara")
    client.get(f"/reset/{token}")
    client.get("/login?next=/secret-in-a-query")
    client.get("/bad%0aline%0dforged")
    answer = client.get("/keys")
    lines = log.getvalue().splitlines()
    assert len(lines) == 6
    pattern = r"[\d:T.-]+Z [0-9a-f]{16} \S+ (GET|POST) \S+ \d{3} \d+ [\d.]+ms"
    assert all(re.fullmatch(pattern, line) for line in lines), lines
    assert lines[-1].split()[1] == answer.headers["x-request-id"]
    text = log.getvalue()
    for secret in (token, "secret-in-a-query", PASSWORD, client.cookies[office.cookie]):
        assert secret not in text
    assert "/invite/* " in text
    assert "/login?* " in text


def test_what_breaks_can_be_found_by_its_number(office: Office) -> None:
    from starlette.testclient import TestClient

    log = io.StringIO()
    office.app = build_workbench(office.database, office.settings, log=log)
    mara = office.person("Mara", founder=True)
    with office.database.write() as connection:
        connection.exec_driver_sql("ALTER TABLE member RENAME TO elsewhere")
    client = TestClient(
        office.app, base_url=office.settings.public_url, raise_server_exceptions=False
    )
    client.cookies.set(office.cookie, mara.token)
    answer = client.get("/")
    assert answer.status_code == 500
    number = answer.headers["x-request-id"]
    assert number in answer.text
    assert f"{number} testclient GET / 500" in log.getvalue()


@pytest.mark.parametrize("rest", [b"", b"}", b"the end " * 200_000])
@pytest.mark.parametrize("start", [b"", b"{", b"stories " * 200_000, bytes(range(256)) * 5_000])
def test_what_is_compressed_once_goes_before_what_is_compressed_later(
    start: bytes, rest: bytes
) -> None:
    assert gzip.decompress(compress_beginning(start).complete(rest)) == start + rest


@ON_BOTH
def test_the_stream_reads_the_same_compressed_or_not_and_for_every_judge(office: Office) -> None:
    team = StreamTeam(office).link()
    for judge in (team.ann, team.bob, team.ann):
        team.ann.mark(team.topic, "a1-s01", "E1")
        plain, packed = (
            judge.client.get(f"/t/{team.topic}/link.json", headers={"Accept-Encoding": given})
            for given in ("identity", "gzip")
        )
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.json() == plain.json()


def test_pages_are_compressed_for_who_reads_gzip(office: Office) -> None:
    mara = office.person("Mara", founder=True)
    for path in ("/keys", "/static/app.css"):
        with_it, without = (
            mara.client.get(path, headers={"Accept-Encoding": given})
            for given in ("br, gzip;q=0.8", "identity")
        )
        assert with_it.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in with_it.headers["vary"]
        assert "content-encoding" not in without.headers
        assert int(with_it.headers["content-length"]) < len(without.content) / 2
        hidden = r"\b[0-9a-f]{32,128}\b"
        assert re.sub(hidden, "", with_it.text) == re.sub(hidden, "", without.text)
    refused = mara.client.get("/keys", headers={"Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers


def test_the_proof_of_forms_is_written_differently_on_every_page(office: Office) -> None:
    """Compressed pages of the same length would give a secret away that never changes."""
    mara = office.person("Mara", founder=True)
    proofs = {re.search(r'name="proof" value="([^"]+)"', mara.get("/keys"))[1] for _ in range(5)}
    assert len(proofs) == 5
    plain = sessions.form_proof(office.secret, mara.token)
    for proof in (*proofs, plain):
        assert plain not in proof or proof == plain
        mara.post("/keys", reset="yes", proof=proof)
    first = proofs.pop()
    for wrong in (first[:-1] + "0g", first[:64] * 2, "", "0" * 128, plain[:-1] + "x"):
        mara.post("/keys", 403, reset="yes", proof=wrong)


@pytest.mark.slow
def test_requests_under_way_are_finished_before_a_server_stops(
    office: Office, tmp_path: Path
) -> None:
    mara = office.person("Mara", founder=True)
    project = office.project(mara, "stream")
    path = Path(str(office.database.engine.url.database))
    office.database.close()
    server = Server(path, tmp_path / "server.log").start()
    body = f"proof={mara.proof}&label=late".encode()
    with socket.create_connection(("127.0.0.1", server.port)) as door:
        door.sendall(
            f"POST /p/{project}/people HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Cookie: chronoscore_{server.port}={mara.token}\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n".encode()
            + body[:20]
        )
        wait_for_request(server)
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        wait_until_closed(server.port)
        door.sendall(body[20:])
        answer = http.client.HTTPResponse(door)
        answer.begin()
        assert answer.status == 200
        assert b"/invite/" in answer.read()
    assert server.process.wait(PATIENCE) == 0
    assert server.log.read_text().endswith("chronoscore workbench: stopped\n")
    assert not path.with_name(f"{path.name}-wal").exists()


def wait_for_request(server: Server) -> None:
    """Ask something else: when it is answered, what was sent before has been begun."""
    for _ in range(3):
        urllib.request.urlopen(f"{server.url}/health", timeout=PATIENCE).close()


def wait_until_closed(port: int) -> None:
    for _ in range(PATIENCE * 100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            return
    raise AssertionError("the server still takes connections")


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["workbench", *words])
    return int(stopped.value.code or 0)


@pytest.mark.slow
def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "one.sqlite"
    server = Server(path, tmp_path / "server.log").start()
    try:
        assert run("--database", str(path), "--port", "0") == 2
        assert "another workbench serves this file" in capsys.readouterr().err
        assert run("restore", "--database", str(path), str(path)) == 2
        assert run("backup", "--database", str(path), str(tmp_path / "copy.sqlite")) == 0
    finally:
        server.kill()
    server.start()
    server.stop()


@pytest.mark.slow
def test_a_copy_without_its_wal_is_noticed(tmp_path: Path, capsys: Any) -> None:
    path, copy = tmp_path / "one.sqlite", tmp_path / "copy.sqlite"
    server = Server(path, tmp_path / "server.log").start()
    try:
        copy.write_bytes(path.read_bytes())
        assert run("verify", "--database", str(path)) == 0
    finally:
        server.kill()
    capsys.readouterr()
    assert run("verify", "--database", str(copy)) == 1
    assert "without its -wal file" in capsys.readouterr().err
    assert run("restore", "--database", str(tmp_path / "new.sqlite"), str(copy)) == 3
    assert not (tmp_path / "new.sqlite").exists()
    # A server that was killed leaves its WAL, and nothing is missing.
    for _ in range(2):
        assert run("verify", "--database", str(path)) == 0
    server.start()
    server.stop()
    copy.unlink()
    copy.write_bytes(path.read_bytes())
    assert run("verify", "--database", str(copy)) == 0


@pytest.mark.slow
def test_a_damaged_file_is_noticed(office: Office, tmp_path: Path, capsys: Any) -> None:
    office.person("Mara", founder=True).post("/demo")
    path = Path(str(office.database.engine.url.database))
    office.database.close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    whole = path.read_bytes()
    for name, damaged in (
        ("half", whole[: len(whole) // 2 // 4096 * 4096]),
        ("torn", whole[:81_920] + bytes(8 * 4096) + whole[81_920 + 8 * 4096 :]),
    ):
        copy = tmp_path / f"{name}.sqlite"
        copy.write_bytes(damaged)
        assert run("verify", "--database", str(copy)) == 3
        said = capsys.readouterr().err
        assert said.count("\n") == 1, said
        assert "damaged" in said or "cannot be opened" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--trusted-proxy", "the-proxy"], "write an address or network"),
        (["--metrics-token-file", "SHORT"], "16 or more characters"),
        (["--access-log", "/nowhere/at/all.log"], "cannot be written"),
    ],
)
def test_wrong_options_of_a_server_are_refused(
    words: list[str], said: str, tmp_path: Path, capsys: Any
) -> None:
    short = tmp_path / "short"
    short.write_text("short\n")
    words = [str(short) if word == "SHORT" else word for word in words]
    assert run("--database", str(tmp_path / "a.sqlite"), "--port", "0", *words) in (2, 3)
    assert said in capsys.readouterr().err


def logged_address(tmp_path: Path, *words: str) -> str:
    """The address that the access log names for a request that claims to come from elsewhere."""
    server = Server(tmp_path / "a.sqlite", tmp_path / "server.log")
    server.words = ["--access-log", str(tmp_path / "access.log"), *words]
    server.start()
    try:
        request = urllib.request.Request(
            f"{server.url}/health", headers={"X-Forwarded-For": "203.0.113.5"}
        )
        urllib.request.urlopen(request, timeout=PATIENCE).close()
    finally:
        server.stop()
    return (tmp_path / "access.log").read_text().splitlines()[-1].split()[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "address"),
    [
        ([], "127.0.0.1"),
        (["--trusted-proxy", "127.0.0.0/8"], "203.0.113.5"),
        (["--trusted-proxy", "10.0.0.7"], "127.0.0.1"),
        (["--public-url", "https://judge.example.org"], "203.0.113.5"),
        (["--public-url", "https://judge.example.org", "--trusted-proxy", "10.0.0.7"], "127.0.0.1"),
    ],
)
def test_only_a_trusted_proxy_says_where_visitors_come_from(
    words: list[str], address: str, tmp_path: Path
) -> None:
    assert logged_address(tmp_path, *words) == address
