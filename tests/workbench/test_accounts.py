"""Who gets in: sessions, passwords, names, invitations."""

import inspect
import re
import threading
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import pytest
from anyio import to_thread
from argon2 import PasswordHasher
from sqlalchemy import func, select, update

from chronoscore.workbench.domain import accounts, recovery, sessions
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.routes import accounts as routes
from chronoscore.workbench.web.server import first_manager_link
from workbench.office import PASSWORD, Office, accept, invited, login, refusal, with_password
from workbench.running import PATIENCE


def proof_on(client: Any, path: str) -> str:
    return re.search(r'name="proof" value="([^"]+)"', client.get(path).text)[1]


# Sessions ---------------------------------------------------------------------------------------


def test_signing_in_gives_a_new_secret_whatever_the_browser_held(office: Office) -> None:
    with_password(office, "Mara").close()
    client = office.client()
    client.cookies.set(office.cookie, "planted-by-an-attacker")
    answer = login(client, "Mara", PASSWORD)
    assert answer.status_code == 303
    token = re.search(rf"{office.cookie}=([^;]+)", answer.headers["set-cookie"])[1]
    assert token != "planted-by-an-attacker"
    attacker = office.client()
    attacker.cookies.set(office.cookie, "planted-by-an-attacker")
    assert attacker.get("/").status_code == 303
    with office.database.read() as connection:
        kept = set(connection.execute(select(tables.session.c.digest)).scalars())
    assert token not in kept
    assert accounts.digest_secret(token) in kept


def test_a_session_that_is_known_before_signing_in_is_not_taken_over(office: Office) -> None:
    """An attacker's own session, planted in the victim's browser, does not become theirs."""
    with_password(office, "Mara").close()
    attacker = office.person("Eve")
    victim = office.client()
    victim.cookies.set(office.cookie, attacker.token)
    victim.cookies.set(office.settings.cookie(sessions.GUEST), "planted")
    data = {"proof": attacker.proof, "name": "Mara", "password": PASSWORD}
    answer = victim.post("/login", data=data)
    assert answer.status_code == 303
    assert attacker.token not in answer.headers["set-cookie"]
    assert "Mara" not in attacker.get("/account")


def test_cookies_cannot_be_read_or_sent_by_others(office: Office, tmp_path) -> None:
    with_password(office, "Mara").close()
    client = office.client()
    for cookie in (
        client.get("/login").headers["set-cookie"].lower(),
        login(client, "Mara", PASSWORD).headers["set-cookie"].lower(),
    ):
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "secure" not in cookie
        assert "domain" not in cookie
    public = Office(tmp_path / "public.sqlite", public_url="https://judge.example.org")
    with_password(public, "Mara").close()
    answer = login(public.client(), "Mara", PASSWORD)
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]
    public.close()


def test_signing_out_ends_the_session_on_the_server(office: Office, manager) -> None:
    manager.post("/logout")
    thief = office.client()
    thief.cookies.set(office.cookie, manager.token)
    assert thief.get("/").status_code == 303


def test_a_new_password_ends_every_other_session(office: Office) -> None:
    client = with_password(office, "Mara")
    other = office.client()
    login(other, "Mara", PASSWORD)
    assert other.get("/").status_code == 200
    new = "another long sentence"
    data = {"proof": proof_on(client, "/account"), "old": PASSWORD, "password": new, "again": new}
    assert client.post("/account/password", data=data).status_code == 303
    assert other.get("/").status_code == 303
    assert login(office.client(), "Mara", PASSWORD).status_code == 403
    assert login(office.client(), "Mara", new).status_code == 303


@pytest.mark.parametrize(
    "where",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1",
     "\\\\evil.example", "/\t/evil.example", "/\n/evil.example", "///evil.example"],
)  # fmt: skip
def test_the_way_back_after_signing_in_stays_here(office: Office, where: str) -> None:
    with_password(office, "Mara").close()
    found = login(office.client(), "Mara", PASSWORD, back=where).headers["location"]
    assert found.startswith("/")
    # A browser drops tabs and line ends from an address before it reads it.
    assert not re.sub(r"[\t\r\n]", "", found).startswith(("//", "/\\"))


# Passwords --------------------------------------------------------------------------------------


def test_passwords_are_kept_as_argon2id(office: Office) -> None:
    with_password(office, "Mara").close()
    with office.database.read() as connection:
        kept = connection.execute(select(tables.person.c.password)).scalar()
    assert kept.startswith("$argon2id$")
    assert PASSWORD not in kept


def test_a_password_takes_its_guesser_64_megabytes() -> None:
    """What the workbench uses outside these tests: the second choice of RFC 9106, or more."""
    hasher = PasswordHasher()
    assert (hasher.type.name, hasher.memory_cost, hasher.time_cost) == ("ID", 65536, 3)
    assert "PasswordHasher()" in inspect.getsource(accounts)


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    """How long each try has to wait; the tests do not wait for it."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(routes, "sleep", sleep)
    return found


def test_guessing_passwords_is_slowed_down_and_locks_nobody_out(office: Office, pauses) -> None:
    with_password(office, "Mara").close()
    client = office.client()
    codes = [login(client, "mara ", f"guess number {n}").status_code for n in range(10)]
    assert codes == [403] * 10
    assert pauses == [0, 0, 0, 0, 1, 2, 4, 8, 8, 8]
    assert login(client, "Mara", PASSWORD).status_code == 303
    assert pauses[-1] == sessions.LONGEST_PAUSE
    assert login(office.client(), "Mara", PASSWORD).status_code == 303
    assert pauses[-1] == 0


def test_the_owner_does_not_wait_where_they_signed_in_before(office: Office, pauses) -> None:
    owner = with_password(office, "Mara")
    other = office.client()
    login(other, "Mara", PASSWORD)
    for client in (owner, other):
        client.post("/logout", data={"proof": proof_on(client, "/account")})
    stranger = office.client()
    for number in range(60):
        assert login(stranger, "Mara", f"guess number {number}").status_code == 403
    assert max(pauses) == sessions.LONGEST_PAUSE
    # Eight slips of the finger cost nothing either.
    for client in (owner, other):
        for number in range(7):
            login(client, "Mara", f"slip number {number}")
        assert login(client, "Mara", PASSWORD).status_code == 303
        assert set(pauses[-8:]) == {0}


def test_a_device_that_one_person_used_gives_no_free_tries_for_another(
    office: Office, pauses
) -> None:
    with_password(office, "Mara").close()
    device = with_password(office, "Eve")
    device.post("/logout", data={"proof": proof_on(device, "/account")})
    for number in range(5):
        login(device, "Mara", f"guess number {number}")
    assert pauses[-1] == 1
    stolen = device.cookies[office.settings.cookie(sessions.DEVICE)].replace(".", ".0")
    device.cookies.delete(office.settings.cookie(sessions.DEVICE))
    device.cookies.set(office.settings.cookie(sessions.DEVICE), stolen)
    for number in range(5):
        login(device, "Eve", f"guess number {number}")
    assert pauses[-1] == 1


def test_a_signed_in_person_does_not_pay_for_strangers(office: Office, pauses) -> None:
    owner, stranger = with_password(office, "Mara"), office.client()
    for number in range(12):
        login(stranger, "Mara", f"guess number {number}")
    new = "another long sentence"
    proof = proof_on(owner, "/account")
    wrong = {"proof": proof, "old": "wrong", "password": new, "again": new}
    for _ in range(5):
        assert owner.post("/account/password", data=wrong).status_code == 403
    assert pauses[-5:] == [0, 0, 0, 0, 1]
    data = {**wrong, "old": PASSWORD}
    assert owner.post("/account/password", data=data).status_code == 303


def test_no_field_of_a_form_gives_free_tries(office: Office, pauses) -> None:
    """Whoever is signed in guesses at the door as slowly as a stranger, whatever they send."""
    with_password(office, "Mara").close()
    eve = with_password(office, "Eve")
    proof = proof_on(eve, "/account")
    more = ({}, {"old": "x"}, {"session": "x"}, {"device": "x"}, {"old": ["x", "y"]})
    for number in range(8):
        fields = {"proof": proof, "name": "Mara", "password": "wrong", **more[number % 5]}
        assert eve.post("/login", data=fields).status_code == 403
    assert pauses == [0, 0, 0, 0, 1, 2, 4, 8]


def test_tries_at_the_old_password_count_for_the_name(office: Office, pauses) -> None:
    """A thief with a session, and strangers at the door, share one account of tries."""
    thief = with_password(office, "Mara")
    new = "another long sentence"
    data = {"proof": proof_on(thief, "/account"), "old": "wrong", "password": new, "again": new}
    for name in ("Mara", "Nobody", "", "Eve", "Mara"):
        assert thief.post("/account/password", data={**data, "name": name}).status_code == 403
    assert pauses == [0, 0, 0, 0, 1]
    login(office.client(), "Mara", "wrong")
    assert pauses[-1] == 2
    thief.cookies.delete(office.cookie)
    login(thief, "Mara", "wrong")
    assert pauses[-1] == 0, "a known device has tries of its own"
    login(office.client(), "Mara", "wrong")
    assert pauses[-1] == 8, "and they count for the name"


def test_another_spelling_of_a_name_gives_no_further_tries(office: Office, pauses) -> None:
    with_password(office, "Zoë Émile").close()
    spellings = ["Zoë Émile", "ZOË ÉMILE", unicodedata.normalize("NFD", "Zoë Émile"),
                 "Zoë  émile", "Zoë Ｅ\u0301mile"]  # fmt: skip
    for number in range(6):
        login(office.client(), spellings[number % 5], f"guess number {number}")
    assert pauses == [0, 0, 0, 0, 1, 2]


def test_tries_at_the_same_moment_are_counted_too(office: Office, pauses) -> None:
    with_password(office, "Mara").close()
    start = threading.Barrier(12)

    def attempt(number: int) -> int:
        client = office.client()
        client.get("/login")
        start.wait(PATIENCE)
        return login(client, "Mara", f"guess number {number}").status_code

    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(attempt, range(12))) == {403}
    assert sorted(pauses) == [0] * 4 + [1, 2, 4] + [8] * 5


def test_a_crowd_of_tries_for_one_name_does_not_wait_all_at_once(
    office: Office, monkeypatch
) -> None:
    monkeypatch.setattr(routes, "MOST_WAITING", 2)
    with_password(office, "Mara").close()
    with office.database.write() as connection:
        for _ in range(20):
            sessions.count_try(connection, name="Mara")
    release = threading.Event()

    async def sleep(seconds: float) -> None:
        await to_thread.run_sync(release.wait, PATIENCE)

    monkeypatch.setattr(routes, "sleep", sleep)
    with ThreadPoolExecutor(3) as pool:
        tries = [pool.submit(login, office.client(), "Mara", "wrong") for _ in range(3)]
        refused = next(as_completed(tries)).result()
        assert refused.status_code == 429
        assert "try again in 8 seconds" in refused.text
        release.set()
        assert sorted(one.result().status_code for one in tries) == [403, 403, 429]


def test_names_tried_from_one_address_are_counted_together(
    office: Office, monkeypatch, pauses
) -> None:
    monkeypatch.setitem(sessions.FREE_TRIES, "address", 5)
    for number in range(7):
        login(office.client(), f"Name {number}", "wrong")
    assert pauses == [0] * 5 + [1, 2]


def test_a_right_password_uses_up_no_try(office: Office) -> None:
    with_password(office, "Mara").close()
    assert {login(office.client(), "Mara", PASSWORD).status_code for _ in range(6)} == {303}
    with office.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(tables.attempt)).scalar() == 0


def test_a_wrong_name_and_a_wrong_password_read_the_same(office: Office) -> None:
    with_password(office, "Mara").close()
    texts = {
        re.sub(r'value="[^"]*"', "", login(office.client(), name, "wrong wrong wrong").text)
        for name in ("Mara", "Nobody")
    }
    assert len(texts) == 1


def test_an_unknown_name_costs_as_much_work_as_a_known_one(office: Office, monkeypatch) -> None:
    with_password(office, "Mara").close()
    office.person("j1 (imported)")
    login(office.client(), "Mara", "wrong")
    checked: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, known: str, password: str) -> bool:
        checked.append(known.rpartition("$")[0].rpartition("$")[0])
        return verify(self, known, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    for name in ("Mara", "Nobody", "j1 (imported)"):
        login(office.client(), name, "wrong wrong wrong")
    assert len(checked) == 3
    assert len(set(checked)) == 1


def test_passwords_are_checked_one_after_another(office: Office, monkeypatch) -> None:
    """Each takes 64 MB, so that a crowd at the door would fill the memory."""
    now, most = 0, 0
    lock = threading.Lock()

    def slow(self: PasswordHasher, known: str, password: str) -> bool:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)  # A second one has a moment to come.
        with lock:
            now -= 1
        return True

    monkeypatch.setattr(PasswordHasher, "verify", slow)

    def check(_number: int) -> None:
        with office.database.read() as connection:
            accounts.check_password(connection, "Nobody", "x")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(check, range(8)))
    assert most == 1


def test_nobody_waits_for_the_database_while_a_password_is_hashed(
    office: Office, monkeypatch
) -> None:
    held: list[bool] = []
    hash_slowly = PasswordHasher.hash

    def watch(self: PasswordHasher, password: str) -> str:
        held.append(office.database._writing.locked())
        return hash_slowly(self, password)

    monkeypatch.setattr(PasswordHasher, "hash", watch)
    client, new = with_password(office, "Ann"), "another long sentence"
    data = {"proof": proof_on(client, "/account"), "old": PASSWORD, "password": new, "again": new}
    assert client.post("/account/password", data=data).status_code == 303
    with office.database.write() as connection:
        ann = accounts.find_by_name(connection, "Ann") or 0
        recovery.make_server_link(connection, ann, accounts.digest_secret("token"))
    data = {"proof": proof_on(client, "/reset/token"), "password": new, "again": new}
    assert client.post("/reset/token", data=data).status_code == 303
    assert len(held) >= 3
    assert not any(held)


def test_an_account_without_password_cannot_be_signed_in_to(office: Office) -> None:
    office.person("j1 (imported)")
    for password in ("", "None", "j1"):
        assert login(office.client(), "j1 (imported)", password).status_code == 403


# Names ------------------------------------------------------------------------------------------


def test_people_with_any_letters_in_their_names_can_sign_in(office: Office) -> None:
    for name in ("Émile Ørsted", "Ωμέγα", "李雷", "Straße"):
        with_password(office, name).close()
        assert login(office.client(), name, PASSWORD).status_code == 303
    assert login(office.client(), "émile ØRSTED", PASSWORD).status_code == 303


@pytest.mark.parametrize(
    "name",
    ["émile", "E\u0301MILE", "Ｅ\u0301mile", " Émile ", "Émile\u200b", "É\u034fmile", "Émile\ufe0f",
     "\u202eelimÉ", "Émi\u04cfe", "Emile (imported)", "\u3164", "", "x" * 61],
)  # fmt: skip
def test_nobody_takes_a_name_that_looks_like_anothers(office: Office, name: str) -> None:
    with_password(office, "Émile").close()
    token = invited(office)
    assert accept(office.client(), token, name).status_code == 400
    assert office.client().get(f"/invite/{token}").status_code == 200


# Invitations ------------------------------------------------------------------------------------


def test_an_invitation_works_once(office: Office) -> None:
    token = invited(office)
    assert accept(office.client(), token, "First").status_code == 303
    assert office.client().get(f"/invite/{token}").status_code == 404
    with office.database.read() as connection:
        assert accounts.find_by_name(connection, "Second") is None


def test_a_password_is_typed_twice_the_same(office: Office) -> None:
    token, client = invited(office), office.client()
    data = {"proof": proof_on(client, f"/invite/{token}"), "name": "Ann", "password": PASSWORD}
    answer = client.post(f"/invite/{token}", data={**data, "again": PASSWORD + "x"})
    assert answer.status_code == 400
    assert "passwords differ" in answer.text


def test_an_invitation_used_by_two_at_once_lets_one_in(office: Office) -> None:
    token = invited(office)
    clients = [office.client() for _ in range(4)]
    proofs = [proof_on(client, f"/invite/{token}") for client in clients]

    def use(number: int) -> int:
        data = {"proof": proofs[number], "name": f"Guest {number}", "password": PASSWORD,
                "again": PASSWORD}  # fmt: skip
        return clients[number].post(f"/invite/{token}", data=data).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(use, range(4))) == [303, 404, 404, 404]
    with office.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(tables.person)).scalar() == 1


def test_links_for_the_founder_open_nothing_once_there_is_one(office: Office) -> None:
    """Every start before the founder's account prints a link; only the newest works, once."""
    settings = Settings()
    first, second = (first_manager_link(office.database, settings) for _ in range(2))
    old, new = (link.rpartition("/")[2] for link in (first, second))
    assert accept(office.client(), old, "Early").status_code in (403, 404)
    assert accept(office.client(), new, "Mara").status_code == 303
    assert first_manager_link(office.database, settings) == ""
    # A link from before the founder came another way, or one that a copy of the database holds.
    with office.database.write() as connection:
        left = accounts.make_invitation(connection, days=1, founder=True)
    client = office.client()
    assert client.get(f"/invite/{left}").status_code == 404
    assert accept(client, left, "Eve").status_code in (403, 404)
    with office.database.read() as connection:
        names = select(tables.person.c.name).where(tables.person.c.founder)
        assert connection.execute(names).scalars().all() == ["Mara"]


def test_an_old_invitation_opens_nothing(office: Office) -> None:
    token = invited(office, days=1)
    with office.database.write() as connection:
        connection.execute(update(tables.invitation).values(expires=time.time() - 1))
    assert office.client().get(f"/invite/{token}").status_code == 404
    with office.database.read() as connection:
        assert token not in set(connection.execute(select(tables.invitation.c.digest)).scalars())


def test_a_weak_password_leaves_the_invitation_open(office: Office) -> None:
    token = invited(office)
    assert accept(office.client(), token, "Al", "short").status_code == 400
    assert office.client().get(f"/invite/{token}").status_code == 200


def test_a_manager_who_opens_an_invitation_stays_manager(office: Office, manager) -> None:
    project = office.project(manager, "stream")
    manager.post(f"/invite/{invited(office, project=project)}")
    manager.get(f"/p/{project}/people")


def test_a_manager_who_is_let_go_cannot_come_back_by_a_link(office: Office, manager) -> None:
    second = office.person("Second")
    project = office.project(manager, "stream", second)
    manager.post(f"/p/{project}/people/{second.id}/manager")
    page = second.post(f"/p/{project}/people", label="", manager="yes", status=200)
    link = re.search(r"/invite/[\w-]+", page.text)[0]
    assert office.client().get(link).status_code == 200
    manager.post(f"/p/{project}/people/{second.id}/remove")
    assert office.client().get(link).status_code == 404
    second.get(f"/p/{project}", 404)


def test_an_invitation_to_join_makes_no_founder(office: Office, manager) -> None:
    client = with_password(office, "New", project=office.project(manager, "stream"))
    data = {"proof": proof_on(client, "/"), "name": "Own", "workflow": "stream"}
    answer = client.post("/projects", data=data)
    assert answer.status_code == 404, refusal(answer.text)


@pytest.mark.parametrize(
    ("days", "idle_hours", "known"), [(13, 1, True), (15, 1, False), (13, 13, False)]
)
def test_a_session_ends_after_some_days_however_often_it_is_used(
    office: Office, days: float, idle_hours: float, known: bool
) -> None:
    token, now = office.person("Mara").token, time.time()
    with office.database.write() as connection:
        times = {"created": now - days * 86400, "seen": now - idle_hours * 3600}
        connection.execute(update(tables.session).values(**times))
    with office.database.read() as connection:
        visitor, _ = sessions.find_visitor(connection, token, Settings())
    assert (visitor is not None) == known
