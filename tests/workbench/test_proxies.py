"""Through real proxies with TLS, configured as the guide says: nginx and Caddy."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from chronoscore.workbench.domain import sessions
from chronoscore.workbench.store.settings import Settings
from workbench.office import ARTICLES, PASSWORD
from workbench.running import PATIENCE, Server, free_port

GUIDE = Path(__file__).parents[2] / "docs" / "deploy.md"
HOST = "judge.example.org"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.S | re.M)


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"no {name} on this machine (apt-get install {name})")
    return found


def certificate(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate that the test's own browser trusts."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-keyout", key, "-out", cert, "-subj", f"/CN={HOST}", "-addext",
         f"subjectAltName=DNS:{HOST}"],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, cert


@dataclass(frozen=True)
class Front:
    """A running proxy: where browsers find the workbench, and what they trust."""

    port: int
    folder: str
    trust: Path

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}{self.folder}"

    @property
    def cookie(self) -> str:
        return Settings(public_url=self.url).cookie(sessions.COOKIE)

    def client(self) -> Any:
        """A browser for which the name of the host leads to this machine."""
        context = ssl.create_default_context(cafile=str(self.trust))
        return httpx.Client(
            transport=Here(verify=context), base_url=self.url, follow_redirects=False,
            timeout=PATIENCE,
        )  # fmt: skip


class Here(httpx.HTTPTransport):
    """Connects to this machine, whatever the host is called."""

    def handle_request(self, request: Any) -> Any:
        here = httpx.Request(
            request.method, request.url.copy_with(host="127.0.0.1"), headers=request.headers,
            stream=request.stream, extensions={**request.extensions, "sni_hostname": HOST},
        )  # fmt: skip
        return super().handle_request(here)


def nginx(folder: Path, port: int, backend: int, prefix: str) -> tuple[list[str], Path]:
    key, cert = certificate(folder)
    (block,) = blocks("nginx")
    block = block.replace("443 ssl", f"127.0.0.1:{port} ssl").replace("8765", str(backend))
    block = re.sub(r"/etc/\S+fullchain.pem", str(cert), block)
    block = re.sub(r"/etc/\S+privkey.pem", str(key), block)
    block = block.replace("location / {", f"location {prefix}/ {{")
    paths = "".join(
        f"{one}_temp_path {folder}/{one};"
        for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; "
        + ("user root; " if os.geteuid() == 0 else "")
        + f"events {{}} http {{ access_log off; {paths} {block} }}"
    )
    return [program("nginx"), "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"], cert


def caddy(folder: Path, port: int, backend: int, prefix: str) -> tuple[list[str], Path]:
    key, cert = certificate(folder)
    block = blocks("caddy")[1 if prefix else 0].replace("8765", str(backend))
    block = re.sub(r"^\S+ \{", f"{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls {cert} {key}", block)
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(options + block)
    return [program("caddy"), "run", "--config", f"{folder}/Caddyfile"], cert


@pytest.fixture(params=[(nginx, "/judging"), (nginx, ""), (caddy, "/judging"), (caddy, "")],
                ids=["nginx-folder", "nginx", "caddy-folder", "caddy"])  # fmt: skip
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Front]:
    configure, prefix = request.param
    server, port = Server(tmp_path / "wb.sqlite", tmp_path / "server.log"), free_port()
    words, trust = configure(tmp_path, port, server.port, prefix)
    found = Front(port, prefix, trust)
    server.words = ["--public-url", found.url, "--access-log", str(tmp_path / "access.log")]
    server.start()
    with (tmp_path / "proxy.log").open("wb") as log:
        proxy = subprocess.Popen(
            words, stdout=log, stderr=log,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        )  # fmt: skip
    try:
        wait_for(port, proxy, tmp_path / "proxy.log")
        yield found
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE)
        server.stop()


def wait_for(port: int, proxy: Any, log: Path) -> None:
    for _ in range(PATIENCE * 20):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert proxy.poll() is None, log.read_text()
            time.sleep(0.05)
    raise AssertionError(log.read_text())


def form(client: Any, page: str, where: str, **fields: Any) -> Any:
    """Open a page and send a form of it as a browser would."""
    proof = re.search(r'name="proof" value="([^"]+)"', client.get(page).text)[1]
    origin = str(client.base_url).split("/judging")[0].rstrip("/")
    files = fields.pop("files", None)
    answer = client.post(
        where, data={"proof": proof, **fields}, files=files,
        headers={"Origin": origin, "Sec-Fetch-Site": "same-origin"},
    )  # fmt: skip
    assert answer.status_code in (200, 303), (where, answer.status_code, answer.text[:300])
    return answer


@pytest.mark.slow
def test_people_work_through_a_proxy_as_the_guide_sets_it_up(front: Front, tmp_path: Path) -> None:
    with front.client() as client:
        walk(client, front, tmp_path)


def walk(client: Any, front: Front, tmp_path: Path) -> None:
    """Make an account, a project and a topic; judge a sentence; try to be somebody else."""
    link = re.search(r"https://\S+/invite/\S+", (tmp_path / "server.log").read_text())[0]
    assert link.startswith(f"{front.url}/invite/")
    page = link.removeprefix(front.url)
    twice = {"password": PASSWORD, "again": PASSWORD}
    answer = form(client, page, page, name="Mara", **twice)
    assert answer.headers["location"] == f"{front.folder}/"
    cookie = next(c for c in client.cookies.jar if c.name == front.cookie)
    assert cookie.secure
    assert cookie.path == (front.folder or "/")
    form(client, "/", "/projects", name="Dams", workflow="stream")
    project = re.search(rf'href="{front.folder}(/p/\d+)"', client.get("/").text)[1]
    upload = {"files": ("stories.jsonl", ARTICLES.encode(), "application/jsonl")}
    place = form(client, f"{project}/import", f"{project}/import", name="dam", files=upload)
    assert place.headers["location"].startswith(f"{front.folder}/t/")
    form(client, "/", "/demo")
    where = re.search(rf'href="{front.folder}(/t/\d+)/link"', client.get("/").text)[1]
    stream = client.get(f"{where}/link.json", headers={"Accept-Encoding": "gzip"})
    assert stream.headers["content-encoding"] == "gzip"
    sentence = stream.json()["stories"][0]["sentences"][0][0]
    change = {"sentence": sentence, "base": 0, "off": True, "links": [], "joined": False}
    entry = {"key": "through-a-proxy", "action": "mark", "body": {"changes": [change]}}
    proof = client.get("/proof").json()["proof"]
    saved = client.post(
        f"{where}/log", json={"entries": [entry]}, headers={"X-Form-Proof": proof}
    ).json()
    assert saved["answers"][0]["entry"] == 1
    for forged in ({"X-Forwarded-For": "203.0.113.77"}, {"X-Forwarded-Host": "evil.example"}):
        assert client.get("/keys", headers=forged).status_code == 200
    assert client.get("/metrics").status_code == 404
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/static/app.css").status_code == 200
    log = (tmp_path / "access.log").read_text()
    assert "203.0.113.77" not in log, "a visitor does not choose the address that is logged"
    assert link.rpartition("/")[2] not in log


def test_the_unit_and_the_container_file_are_well_formed() -> None:
    (unit,) = (block for block in blocks("ini") if "[Service]" in block)
    for section in ("Unit", "Service", "Install"):
        assert f"[{section}]" in unit
    lines = unit.replace("\\\n", "").splitlines()
    assert all(re.fullmatch(r"\[\w+\]|[A-Za-z]+=.+|", line) for line in lines)
    (start,) = (line for line in lines if line.startswith("ExecStart="))
    (file,) = blocks("dockerfile")
    assert file == (GUIDE.parents[1] / "Containerfile").read_text()
    instructions = re.findall(r"^([A-Z]+) ", file.replace("\\\n", ""), re.M)
    assert instructions[0] == "FROM"
    assert {"USER", "ENTRYPOINT", "HEALTHCHECK"} <= set(instructions)
    known = options()
    assert set(re.findall(r"--[a-z][\w-]+", start)) <= known
    (entry,) = (line for line in file.splitlines() if line.startswith("ENTRYPOINT"))
    assert set(re.findall(r"--[a-z][\w-]+", entry)) <= known


def options() -> set[str]:
    from chronoscore.cli.workbench import serve

    return {option for parameter in serve.params for option in parameter.opts}


@pytest.mark.slow
def test_the_container_builds() -> None:
    engine = shutil.which("podman") or shutil.which("docker")
    if engine is None or subprocess.run([engine, "info"], capture_output=True).returncode:
        pytest.skip("neither podman nor docker runs on this machine")
    root = GUIDE.parents[1]
    words = [engine, "build", "-f", str(root / "Containerfile"), str(root)]
    subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE)
