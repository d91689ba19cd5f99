"""Nothing leaks: every address as a rival judge, a stranger, a visitor without session."""

import re
import time
from secrets import token_hex

import pytest
from sqlalchemy import update

from chronoscore.workbench import tables
from chronoscore.workbench.routes import ROUTES
from workbench.office import Office, Visitor, to_link

SECRETS = ("zebra", "a1-s03", "nobodyknows")
"""Words that only Bob wrote, and a sentence that only Bob marked."""


class House:
    """A stream in its link step, in which Ann and Bob are rivals, and a timeline being written."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.manager = office.person("Mara", founder=True)
        self.ann, self.bob, self.eve = (office.person(name) for name in ("Ann", "Bob", "Eve"))
        self.stranger = office.person("Stranger")
        self.project = office.project(self.manager, "stream", self.ann, self.bob, self.eve)
        self.topic = office.topic(self.manager, self.project)
        office.assign(self.manager, self.topic, judge=[self.ann, self.bob], verifier=self.eve)
        self.manager.post(f"/t/{self.topic}/open")
        to_link(office, self.manager, self.topic, self.ann, self.bob)
        self.other = office.topic(
            self.manager, self.project, "second",
            upload=("b.jsonl", b'{"id": "b1", "text": "It rained."}', "application/jsonl"),
        )  # fmt: skip
        office.assign(self.manager, self.other, judge=[self.ann, self.bob])
        self.manager.post(f"/t/{self.other}/open")
        self.bob.post(f"/t/{self.other}/identify/candidates", sentence="b1-s01", text="zebra rain")
        for number in range(5):
            self.bob.mark(self.topic, "a1-s03", "E1" if number % 2 else "E2", base=number)
        self.bob.post(f"/t/{self.topic}/notes", place="a1-s03", text="nobodyknows this")
        self.units = office.project(self.manager, "units", self.ann, self.bob, self.eve)
        self.text = office.topic(self.manager, self.units, "text", most="5")
        office.assign(self.manager, self.text, writer=[self.ann, self.bob], maker=self.eve)
        self.manager.post(f"/t/{self.text}/open")
        self.bob.post(f"/t/{self.text}/write", when="1997", text="zebra line")

    def addresses(self, method: str) -> list[str]:
        found = []
        for route in ROUTES:
            if method not in route.methods:
                continue
            for topic in (self.topic, self.other, self.text):
                for project in (self.project, self.units):
                    path = route.path.replace("{topic:int}", str(topic))
                    path = path.replace("{project:int}", str(project))
                    path = path.replace("{person:int}", str(self.bob.id))
                    found.append(path.replace("{token}", "no-such-token"))
        return sorted(set(found))


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> House:
    office = Office(tmp_path_factory.mktemp("house") / "workbench.sqlite")
    yield House(office)
    office.close()


def leaks(visitor: Visitor, path: str) -> list[str]:
    answer = visitor.client.get(path)
    # The sentences themselves are no secret in the stream, only who marked which.
    text = re.sub(r'\["a1-s03","[^"]*"\]|[a-z]+:a1-s03"|data-sentence="a1-s03"', "", answer.text)
    text = re.sub(r'value="a1-s03"', "", text)
    return [secret for secret in SECRETS if secret in text]


def test_a_rival_judge_learns_nothing_on_any_address(house: House) -> None:
    found = {path: leaks(house.ann, path) for path in house.addresses("GET")}
    assert {path: secrets for path, secrets in found.items() if secrets} == {}


def test_the_judge_who_wrote_it_sees_it(house: House) -> None:
    """The test above would pass on empty pages; this shows that the words are there."""
    found = {s for path in house.addresses("GET") for s in leaks(house.bob, path)}
    assert found == set(SECRETS)


def test_the_manager_sees_all_of_it(house: House) -> None:
    found = {s for path in house.addresses("GET") for s in leaks(house.manager, path)}
    assert found >= {"nobodyknows", "a1-s03"}


@pytest.mark.parametrize("who", ["eve", "stranger"])
def test_nobody_else_learns_anything_either(house: House, who: str) -> None:
    visitor = getattr(house, who)
    found = {path: leaks(visitor, path) for path in house.addresses("GET")}
    assert {path: secrets for path, secrets in found.items() if secrets} == {}


def test_a_stranger_cannot_tell_what_exists(house: House) -> None:
    for path in house.addresses("GET"):
        if not path.startswith(("/p/", "/t/")):
            continue
        answer = house.stranger.client.get(path)
        missing = house.stranger.client.get(re.sub(r"/(p|t)/\d+", r"/\1/999999", path))
        assert answer.status_code == missing.status_code == 404
        pages = {re.sub(r'value="\w+"|\d+', "", one.text) for one in (answer, missing)}
        assert len(pages) == 1


@pytest.mark.parametrize("expired", [False, True])
def test_without_a_session_there_is_only_the_door(house: House, expired: bool) -> None:
    visitor = house.office.nobody
    if expired:
        visitor = house.office.person("Bob")
        with house.office.database.writing() as connection:
            long_ago = time.time() - 90 * 86400
            digest = tables.session.c.digest
            from chronoscore.workbench.accounts import digest as digest_of

            connection.execute(
                update(tables.session)
                .where(digest == digest_of(visitor.token))
                .values(seen=long_ago)
            )
    for path in house.addresses("GET"):
        if path.startswith(("/login", "/invite")):
            continue
        answer = visitor.client.get(path)
        assert answer.status_code in (303, 401), path
        assert "zebra" not in answer.text
    for path in house.addresses("POST"):
        if path.startswith(("/login", "/invite")):
            continue
        answer = visitor.client.post(path, data={"proof": visitor.proof, "key": token_hex(8)})
        assert answer.status_code in (401, 403, 415), path


def test_no_change_gets_through_from_a_rival_or_a_stranger(house: House) -> None:
    """Every form, sent by those who may not: refused, and the log does not grow."""
    from sqlalchemy import func, select

    def count() -> int:
        with house.office.database.reading() as connection:
            return connection.execute(select(func.count()).select_from(tables.log)).scalar()

    before = count()
    for path in house.addresses("POST"):
        if not re.match(r"/(p|t)/\d+", path) or path.endswith("/log"):
            continue
        fields = {
            "person": str(house.stranger.id), "role": "judge", "change": "remove", "name": "x",
            "step": "identify", "reason": "because", "do": "omit", "verdict": "keep", "base": "0",
            "text": "x", "when": "1997", "story": "a1", "sentence": "a1-s01", "note": "n3-1",
        }  # fmt: skip
        answer = house.stranger.client.post(
            path, data={"proof": house.stranger.proof, "key": token_hex(8), **fields}
        )
        assert answer.status_code == 404, path
    body = {
        "changes": [{"sentence": "a1-s01", "base": 0, "off": True, "links": [], "joined": False}]
    }
    entry = {"key": token_hex(8), "action": "mark", "body": body}
    house.stranger.send(house.topic, entry, status=404)
    assert count() == before
    # A judge is no manager.
    for path in (f"/t/{house.topic}/open", f"/t/{house.topic}/reopen", f"/t/{house.topic}/assign"):
        data = {"proof": house.ann.proof, "key": token_hex(8), "person": str(house.ann.id),
                "role": "judge", "step": "link", "reason": "x"}  # fmt: skip
        assert house.ann.client.post(path, data=data).status_code == 404
    assert count() == before


def test_own_numbers_do_not_tell_how_busy_the_other_is(house: House) -> None:
    """Bob made five marks; Ann's first is her entry number 1 and version 1."""
    answer = house.ann.mark(house.topic, "a1-s04", "E1")
    assert answer["entry"] == 1
    assert answer["data"]["changes"][0]["version"] == 1
    house.ann.post(f"/t/{house.other}/identify/candidates", sentence="b1-s01", text="rain")
    html = house.ann.get(f"/t/{house.other}/identify")
    assert re.findall(r'name="candidate" value="([^"]+)"', html) == [f"c{house.ann.id}-1"]
    house.ann.mark(house.topic, "a1-s04", base=1)


def test_errors_say_the_same_whether_or_not_the_rival_marked(house: House) -> None:
    marked, not_marked = (
        house.ann.mark(house.topic, name, "E9", base=7) for name in ("a1-s03", "a1-s02")
    )
    assert marked["refused"] == not_marked["refused"]
    answers = [house.ann.mark(house.topic, name, "E1", base=3) for name in ("a1-s03", "a1-s02")]
    states = [next(iter(answer["conflict"].values())) for answer in answers]
    assert states[0] == states[1]


def test_look_alike_hints_are_made_of_own_marks_only(house: House) -> None:
    """The browser finds look-alikes in what it is given, and it is given only own marks."""
    mine = house.ann.client.get(f"/t/{house.topic}/link.json").json()["mine"]
    assert "a1-s03" not in mine["marks"]
    assert mine["entry"] <= 2
