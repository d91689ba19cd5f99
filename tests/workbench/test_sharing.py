"""`chronoscore workbench --share`: which address, under which certificate, and what pages say."""

import hashlib
import io
import re
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import segno
from click.testing import CliRunner

from chronoscore.cli.workbench import choose_address, command
from chronoscore.errors import DataError, UsageError
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.sharing import addresses, codes
from chronoscore.workbench.web.sharing.addresses import Interface
from workbench.office import PASSWORD, Office, Visitor, accept, invited, refusal
from workbench.running import PATIENCE, START

certificate = pytest.importorskip("chronoscore.workbench.web.sharing.certificate")

LAN = Interface("192.168.1.20", "wlan0")
DOCKER = Interface("172.17.0.1", "docker0", virtual=True)
TUNNEL = Interface("10.8.0.6", "tun0", virtual=True)
FINGERPRINT = ":".join(["AB"] * 32)
SHARED = {"public_url": "https://192.168.1.20:8765", "fingerprint": FINGERPRINT}


def never_ask(_found: Sequence[Interface]) -> Interface:
    raise AssertionError("nobody should be asked")


def test_the_only_private_address_is_taken_without_a_question() -> None:
    assert addresses.choose(None, never_ask, [LAN]) == LAN


@pytest.mark.parametrize("found", [[LAN, DOCKER], [TUNNEL], [TUNNEL, LAN], [LAN, LAN]])
def test_several_addresses_or_a_virtual_one_are_asked_about(found: list[Interface]) -> None:
    asked = []

    def ask(offered: Sequence[Interface]) -> Interface:
        asked.extend(offered)
        return offered[0]

    chosen = addresses.choose(None, ask, found)
    assert sorted(map(str, asked)) == sorted(map(str, found))
    assert chosen == (LAN if LAN in found else TUNNEL)


def test_without_a_terminal_the_sentence_names_the_addresses_and_what_to_type() -> None:
    with pytest.raises(UsageError) as error:
        addresses.choose(None, addresses.refuse_to_guess, [DOCKER, LAN])
    assert "192.168.1.20 (wlan0)" in str(error.value)
    assert "172.17.0.1 (docker0, a VPN, container or virtual network)" in str(error.value)
    assert "--share --host 192.168.1.20" in str(error.value)


def test_a_person_chooses_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n"))
    with CliRunner().isolation(input="2\n"):
        assert choose_address([LAN, DOCKER]) == DOCKER


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("0.0.0.0", "one address"),
        ("::", "one address"),
        ("8.8.8.8", "the Internet"),
        ("2001:4860:4860::8888", "the Internet"),
        ("example.org", "write an address"),
    ],
)
def test_an_address_that_is_not_private_is_refused(host: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        addresses.choose(host, never_ask, [])


@pytest.mark.parametrize(
    "host", ["10.1.2.3", "172.31.0.9", "192.168.0.4", "100.101.3.7", "fd00::7"]
)
def test_a_private_address_that_was_named_is_taken(host: str) -> None:
    assert addresses.choose(host, never_ask, [LAN, DOCKER]).address == host


def test_addresses_of_this_machine_are_private_and_not_its_own_loop() -> None:
    for one in addresses.list_private():
        assert not one.address.startswith("127.")
        addresses.check(one.address)


def test_an_interface_upon_hardware_is_told_from_one_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "_NET", tmp_path)
    for path in ("eth0/device", "br0/lower_eth0", "vlan/lower_br0", "docker0/lower_veth1", "veth1"):
        (tmp_path / path).mkdir(parents=True)
    found = {name: addresses._on_hardware(tmp_path / name)
             for name in ("eth0", "br0", "vlan", "docker0", "veth1")}  # fmt: skip
    assert found == {"eth0": True, "br0": True, "vlan": True, "docker0": False, "veth1": False}


def test_the_key_is_kept_for_its_owner_and_the_certificate_used_again(tmp_path: Path) -> None:
    first = certificate.provide(tmp_path, "192.168.1.20")
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert certificate.provide(tmp_path, "192.168.1.20") == first
    key = first.key.read_bytes()
    moved = certificate.provide(tmp_path, "10.0.0.7")
    assert (moved.key.read_bytes(), moved.fingerprint != first.fingerprint) == (key, True)


def test_a_certificate_that_ends_soon_is_renewed_with_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = certificate.provide(tmp_path, "192.168.1.20")
    key = first.key.read_bytes()

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime.now(UTC) + timedelta(days=380)

    monkeypatch.setattr(certificate, "datetime", Later)
    renewed = certificate.provide(tmp_path, "192.168.1.20")
    assert (renewed.key.read_bytes(), renewed.fingerprint != first.fingerprint) == (key, True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl reads the certificate")
def test_another_program_reads_the_same_names_and_fingerprint(tmp_path: Path) -> None:
    made = certificate.provide(tmp_path, "192.168.1.20")
    words = ["openssl", "x509", "-in", made.certificate, "-noout", "-fingerprint", "-sha256",
             "-ext", "subjectAltName"]  # fmt: skip
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert made.fingerprint in shown
    assert re.findall(r"IP Address:(\S+)|DNS:", shown) == ["192.168.1.20"]


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (lambda key: key.chmod(0o640), "other people on this machine can read the key"),
        (lambda key: key.write_text("rubbish"), "holds no usable key"),
    ],
)
def test_a_key_that_others_read_or_that_is_none_is_refused(tmp_path: Path, harm, why: str) -> None:
    harm(certificate.provide(tmp_path, "192.168.1.20").key)
    with pytest.raises(DataError, match=why):
        certificate.provide(tmp_path, "192.168.1.20")


def test_the_code_in_the_terminal_is_square_and_holds_what_the_page_holds() -> None:
    dark = codes.terminal_lines("https://192.168.1.20:8765", colored=True)
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in dark]
    rows = [
        list(row)
        for row in segno.make_qr("https://192.168.1.20:8765", error="l").matrix_iter(border=2)
    ]
    read = []
    for line in plain:
        read.append([int(sign in "▀█") for sign in line])
        read.append([int(sign in "▄█") for sign in line])
    assert read[: len(rows)] == rows
    assert max(map(len, plain)) <= 78
    light = codes.terminal_lines("https://192.168.1.20:8765", colored=False)
    assert light[0] == "█" * len(rows)


def office_with(tmp_path: Path, **settings: object) -> Office:
    return Office(tmp_path / "workbench.sqlite", **settings)


def test_no_page_of_a_shared_workbench_asks_browsers_to_insist_on_tls(tmp_path: Path) -> None:
    for settings, insists in ((SHARED, False), ({"public_url": "https://judge.example.org"}, True)):
        office = office_with(tmp_path, **settings)
        for path in ("/login", "/static/app.css", "/nothing", "/health"):
            headers = office.client().get(path).headers
            assert ("strict-transport-security" in headers) is insists, path
        office.close()


def test_the_certificates_page_shows_the_fingerprint_only_where_there_is_one(
    tmp_path: Path, office: Office
) -> None:
    shared = office_with(tmp_path, **SHARED)
    page = shared.nobody.get("/certificate")
    assert page.count("AB:AB:AB:AB:AB:AB:AB:AB") == 4
    assert "Proceed to 192.168.1.20" in page
    assert office.nobody.get("/certificate", 404)
    shared.close()


def test_other_hosts_and_origins_are_refused_while_sharing(tmp_path: Path) -> None:
    office = office_with(tmp_path, **SHARED)
    client = office.client()
    for host in ("localhost:8765", "127.0.0.1:8765", "evil.example:8765", "192.168.1.21:8765"):
        assert client.get("/login", headers={"host": host}).status_code == 421, host
    for origin in ("https://192.168.1.20:9999", "http://192.168.1.20:8765", "https://192.168.1.20",
                   "null"):  # fmt: skip
        answer = client.post("/login", headers={"origin": origin})
        assert "another site" in refusal(answer.text), origin
    office.close()


def test_invitations_of_a_shared_workbench_carry_its_address(tmp_path: Path) -> None:
    office = office_with(tmp_path, **SHARED, invitation_days=1.0)
    mara = office.person("Mara", founder=True)
    project = office.project(mara, "stream")
    page = mara.post(f"/p/{project}/people", 200, label="Ann, Bob;Cem ,Ann").text
    links = re.findall(r"https://192\.168\.1\.20:8765(/invite/[^<]+)<", page)
    assert len(links) == 3
    assert page.count('class="qr"') == 3
    assert "for a day" in page
    assert "only on this computer" not in page
    client = office.client()
    assert 'value="Bob"' in client.get(links[1]).text
    assert accept(client, links[1].removeprefix("/invite/"), "Bob").status_code == 303
    assert client.get(links[1]).status_code == 404
    office.close()


@pytest.mark.parametrize(("seconds", "status"), [(24 * 3600 - 60, 200), (24 * 3600 + 1, 404)])
def test_an_invitation_while_sharing_ends_after_24_hours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int, status: int
) -> None:
    office = office_with(tmp_path, **SHARED, invitation_days=1.0)
    mara = office.person("Mara", founder=True)
    page = mara.post(f"/p/{office.project(mara, 'stream')}/people", 200, label="Ann").text
    link = re.search(r"/invite/[\w-]{43}", page)[0]
    later = time.time() + seconds
    monkeypatch.setattr(accounts.time, "time", lambda: later)
    assert office.client().get(link).status_code == status
    office.close()


def test_a_link_that_works_only_here_says_so_beside_it(
    office: Office, manager: Visitor, project: int
) -> None:
    words = "only on this computer: restart with --share or --public-url"
    page = manager.post(f"/p/{project}/people", 200, label="Ann").text
    assert re.search(rf"/invite/[^<]+</code>.*?{words}", page, re.S)


def test_over_plain_http_people_read_that_the_browser_refused_the_cookie(tmp_path: Path) -> None:
    office = office_with(tmp_path, public_url="http://192.168.1.20:8765")
    token = invited(office, founder=True)
    client = office.client()
    assert "Do not type a password here" in client.get(f"/invite/{token}").text
    client.cookies.clear()
    answer = accept(client, token, "Mara", PASSWORD)
    assert answer.status_code == 403
    assert "refused the cookie that signing in needs" in refusal(answer.text)
    assert "too old" not in answer.text
    office.close()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--share", "--public-url", "https://x.example"], "give one of them"),
        (["--share", "--trusted-proxy", "10.0.0.1"], "give one of them"),
        (["--share", "--host", "0.0.0.0"], "--share listens on one address"),
    ],
)
def test_sharing_excludes_what_is_for_proxies(words: list[str], why: str) -> None:
    answer = CliRunner().invoke(command, words)
    assert why in str(answer.exception)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no second loopback address")
def test_a_shared_workbench_answers_under_its_certificate_on_its_one_address(
    tmp_path: Path,
) -> None:
    words = ["workbench", "--share", "--host", "127.0.0.2", "--port", "0", "--database",
             str(tmp_path / "w.sqlite")]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", START, *words], stderr=subprocess.PIPE, text=True,
        env={"XDG_DATA_HOME": str(tmp_path), "PATH": "", "PYTHONUTF8": "1", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr is not None
    lines = []
    while not lines or "/invite/" not in lines[-1]:
        lines.append(process.stderr.readline())
        assert process.poll() is None, lines
    said = "".join(lines)
    port = int(re.search(r"https://127\.0\.0\.2:(\d+)", said)[1])
    told = "".join(re.findall(r"^  ((?:[0-9A-F]{2}:?){16})$", said, re.M))
    try:
        trusting = ssl.create_default_context(
            cafile=tmp_path / "chronoscore" / certificate.CERTIFICATE
        )
        with (
            socket.create_connection(("127.0.0.2", port), PATIENCE) as raw,
            trusting.wrap_socket(raw, server_hostname="127.0.0.2") as line,
        ):
            shown = line.getpeercert(binary_form=True)
            line.sendall(b"GET /login HTTP/1.0\r\nHost: 127.0.0.2\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 200")
        assert hashlib.sha256(shown).digest().hex(":").upper() == told
        with pytest.raises(OSError), socket.create_connection(("127.0.0.1", port), 5):
            pass
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stderr.close()
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", port), 5):
        pass


def test_sharing_is_off_unless_it_is_asked_for() -> None:
    assert not Settings().shared
