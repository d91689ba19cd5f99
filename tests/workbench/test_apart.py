"""Topics, projects and people's things are kept apart, even where all names are the same."""

import json
import re
import time
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, update

from chronoscore.workbench.domain import access, accounts, links, recovery, sessions, tokens
from chronoscore.workbench.domain.accounts import digest_secret
from chronoscore.workbench.domain.actions import projects
from chronoscore.workbench.domain.actions.performing import next_own_id
from chronoscore.workbench.domain.queries import digest, people, stream
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.server import first_manager_link
from workbench.attempts import routes
from workbench.office import PASSWORD, Office, invite, invited, with_password
from workbench.team import StreamTeam, UnitsTeam
from workbench.twins import Caller

PAGES = [
    path
    for method, path in routes()
    if method == "GET" and not path.endswith(".zip") and ("{topic" in path or "{project" in path)
]


def everything(office: Office, team: Any, *people: Any) -> dict[tuple[str, str], Any]:
    """What everybody sees of a topic and its project, on every page."""
    caller, found = Caller(), {}
    for path in PAGES:
        where = path.replace("{topic:int}", str(team.topic))
        where = where.replace("{project:int}", str(team.project))
        for who in (team.manager, *people):
            status, headers, text = caller.ask(who, "GET", where).plain
            # Whoever looks at everything is on record for it.
            row = r"<tr>(?:(?!</tr>).)*(?:exported|saw what others)(?:(?!</tr>).)*</tr>\s*"
            found[who.name, where] = (status, headers, re.sub(row, "", text, flags=re.S))
    return found


def talk(team: Any, *people: Any, text: str, read_by: int = 1) -> None:
    """Notes, guidelines, days, invitations: whatever can be done in any step."""
    path, project = f"/t/{team.topic}", f"/p/{team.project}"
    for number, who in enumerate(people, read_by):
        who.post(f"{path}/notes", place=f"a1-s0{number}", text=f"{text}, says {who.name}")
    team.manager.post(f"{project}/guidelines", step="", text=text, base="0")
    for who in people[:read_by]:
        who.post(f"{project}/guidelines/read", read=":1")
    step = "link" if isinstance(team, StreamTeam) else "write"
    team.manager.post(f"{path}/deadline", step=step, day=f"2031-03-1{read_by}")
    team.manager.post(f"{project}/people", status=200, label=text)


def streams(office: Office, text: str, marks: dict[str, list[str]], read_by: int = 1) -> StreamTeam:
    team = StreamTeam(office, repeats=0).link()
    talk(team, team.ann, team.bob, text=text, read_by=read_by)
    for name, events in marks.items():
        assert "entry" in team.ann.mark(team.topic, name, *events)
    team.judge(team.ann)
    assert "entry" in team.bob.mark(team.topic, "a1-s03", off=True)
    return team


def handed_in(team: StreamTeam, text: str, *, kept: bool) -> StreamTeam:
    team.judge(team.bob, s1=["E2"])
    team.ann.post(f"/t/{team.topic}/discussion", sentence="a1-s01", text=text)
    team.verdict("E1", "a1-s01", kept)
    return team


@pytest.mark.slow
def test_what_is_done_in_one_stream_is_not_seen_in_another(office: Office) -> None:
    one = streams(office, "one", {"a1-s01": ["E1"]})
    before = everything(office, one, one.ann, one.bob, one.eve)
    two = streams(office, "the other", {"a1-s01": ["E1", "E2"], "a2-s01": ["E1"]}, 2)
    assert everything(office, one, one.ann, one.bob, one.eve) == before
    handed_in(one, "one", kept=True)
    before = everything(office, one, one.ann, one.bob, one.eve)
    handed_in(two, "the other", kept=False)
    assert everything(office, one, one.ann, one.bob, one.eve) == before


@pytest.mark.slow
def test_what_is_done_in_one_topic_of_units_is_not_seen_in_another(office: Office) -> None:
    one = UnitsTeam(office)
    one.write(one.will, ("2031-03-04", "A first line"))
    people = (one.will, one.wanda, one.uma, one.max, one.nia)
    before = everything(office, one, *people)
    two = UnitsTeam(office).made()
    talk(two, two.will, two.max, text="the other", read_by=2)
    assert everything(office, one, *people) == before
    one.will.post(f"/t/{one.topic}/submit", step="write")
    one.write(one.wanda, ("2031-03-04", "The first line"))
    one.wanda.post(f"/t/{one.topic}/submit", step="write")
    line = next(iter(one.lines().values()))
    one.uma.post(f"/t/{one.topic}/make", do="unit", line=[line])
    before = everything(office, one, *people)
    anchor = two.anchor(two.max, "a1-s01")
    for unit in ("U1", "U2"):
        tree = {"members": [{"anchor": anchor, "v": 0.5}]}
        assert "entry" in two.match(two.max, unit, tree)
    two.max.post(f"/t/{two.topic}/submit", step="match")
    assert everything(office, one, *people) == before


def test_ids_and_read_stories_tell_what_a_person_did_in_the_topic(office: Office) -> None:
    one, two = StreamTeam(office), StreamTeam(office)
    for sentence in ("a1-s01", "a1-s02"):
        fields = {"sentence": sentence, "text": "A leak"}
        one.ann.post(f"/t/{one.topic}/identify/candidates", **fields)
    one.ann.post(f"/t/{one.topic}/identify/read", story="a1")
    with office.database.read() as connection:
        topic = access.find_topic(connection, two.ann.id, two.topic)
        name, number = next_own_id(connection, topic, "c")
        assert (number, bool(re.fullmatch(r"c[0-9a-f]{12}", name))) == (1, True)
        assert stream.own_read_stories(connection, topic) == set()
        reader = access.find_topic(connection, one.bob.id, one.topic)
        assert stream.own_read_stories(connection, reader) == set()


def withdraw(connection: Connection, project: int, digest: str) -> None:
    data = {"label": "somebody", "digest": digest}
    log.append(connection, LogEntry(action="member.withdraw", data=data, project=project))


def test_what_is_used_up_or_withdrawn_leaves_the_others_things_alone(office: Office) -> None:
    mara = office.person("Mara", founder=True)
    project, other = (office.project(mara, "stream") for _ in range(2))
    ann, bob = (with_password(office, name) for name in ("Ann", "Bob"))
    numbers = [office.person(name).id for name in ("Ann", "Bob")]
    with office.database.write() as connection:
        first, second = (invite(connection, project=project) for _ in range(2))
        third = invite(connection, project=other)
        for number in numbers:
            recovery.make_server_link(connection, number, digest_secret(f"reset {number}"))
            assert links.person_to_reset(connection, f"reset {numbers[0]}").id == numbers[0]
        kept, gone = (tokens.create(connection, numbers[0], "api", "x") for _ in range(2))
        theirs = tokens.create(connection, numbers[1], "api", "x")
        assert [one.digest for one in links.open_invitations(connection, other)] == [
            digest_secret(third)
        ]
        assert len(tokens.list_own(connection, numbers[0])) == 2
        withdraw(connection, project, digest_secret(first))
        tokens.revoke(connection, numbers[0], digest_secret(gone))
        tokens.note_use(connection, kept)
        opened = {accounts.find_invitation(connection, one) is not None for one in (second, third)}
        assert opened == {True}
        assert accounts.find_invitation(connection, "no such link") is None
        projects.join(connection, accounts.find_invitation(connection, second), numbers[0])
        assert accounts.find_invitation(connection, third) is not None
        assert tokens.find_holder(connection, kept, "api")[0].id == numbers[0]
        holder, noted = tokens.find_holder(connection, theirs, "api")
        assert (holder.id, noted) == (numbers[1], True)
        data = {"archived": True}
        log.append(connection, LogEntry(action="project.archive", data=data, project=project))
        withdraw(connection, project, digest_secret(second))
        used = select(func.count()).select_from(tables.invitation)
        used = used.where(tables.invitation.c.used_by == numbers[0])
        assert connection.execute(used).scalar() == 2, "what let somebody in stays on record"
        assert accounts.find_invitation(connection, third) is not None
        accounts.change_password(connection, numbers[0], accounts.hash_password(PASSWORD))
        assert links.person_to_reset(connection, f"reset {numbers[0]}") is None
        assert links.person_to_reset(connection, f"reset {numbers[1]}").id == numbers[1]
        invite(connection, founder=True)
        assert accounts.find_invitation(connection, third) is not None
    assert ann.get("/account").status_code == 303
    assert bob.get("/account").status_code == 200


def test_a_right_password_clears_no_tries_of_others(office: Office) -> None:
    with office.database.write() as connection:
        for _ in range(10):
            sessions.count_try(connection, name="Ann", address="1.1.1.1")
            sessions.count_try(connection, name="Bob", address="2.2.2.2")
        sessions.forgive_tries(connection, name="Ann", address="1.1.1.1")
        assert sessions.count_try(connection, name="Ann") == 0
        assert sessions.count_try(connection, name="Bob") > 0
        what = tables.attempt.c.what
        counts = select(func.count()).group_by(what).where(what.startswith("address:"))
        counts = counts.order_by(func.min(tables.attempt.c.id))
        assert connection.execute(counts).scalars().all() == [9, 10]
        # Whoever reads the table learns neither names nor addresses.
        kept = connection.execute(select(what)).scalars().all()
        assert all(re.fullmatch(r"(name|address):[0-9a-f]{64}", one) for one in kept)


def test_who_manages_one_project_is_an_ordinary_member_of_another(office: Office) -> None:
    mara, ann = office.person("Mara", founder=True), office.person("Ann")
    office.project(ann, "stream")
    other = office.project(mara, "stream")
    ann.post(f"/invite/{invited(office, project=other)}")
    ann.get(f"/p/{other}")
    ann.get(f"/p/{other}/people", status=404)


def test_what_waits_for_a_judge_tells_nothing_of_the_others_work(office: Office) -> None:
    team = StreamTeam(office).link()
    team.ann.post(f"/t/{team.topic}/notes", place="a1-s01", text="Hm")
    with office.database.read() as connection:
        before = digest.collect(connection, team.ann.id)
    team.bob.mark(team.topic, "a1-s01", "E1")
    team.bob.post(f"/t/{team.topic}/notes", place="a1-s02", text="Hm")
    with office.database.read() as connection:
        assert digest.collect(connection, team.ann.id) == before
        topic = access.find_topic(connection, team.ann.id, team.topic)
        assert {one.name for one in people.work_by_person(connection, topic)} == {"Ann"}
    mine = json.loads(team.ann.get(f"/t/{team.topic}/link.json"))["mine"]
    assert (mine["marks"], mine["notes"]) == ({}, ["a1-s01"])


def test_a_manager_knows_and_resets_only_people_of_projects_that_they_manage(
    office: Office,
) -> None:
    mara = office.person("Mara", founder=True)
    for name in ("Boss", "Olga", "Zoe"):
        with_password(office, name)
    boss, olga, zoe = (office.person(name) for name in ("Boss", "Olga", "Zoe"))
    mine = office.project(boss, "stream", olga)
    office.project(mara, "stream", zoe, boss)
    office.project(olga, "stream", boss)
    assert "Zoe" not in boss.get(f"/p/{mine}/people")
    page = boss.post(f"/p/{mine}/people/{olga.id}/reset", status=200).text
    link = re.search(r"/reset/[\w-]{43}", page)[0]
    stranger = office.client()
    proof = re.search(r'name="proof" value="([^"]+)"', stranger.get(link).text)[1]
    data = {"proof": proof, "password": "x" * 12, "again": "x" * 12}
    assert stranger.post(link, data=data).status_code == 409


def test_a_role_in_one_topic_is_none_in_another(office: Office) -> None:
    team = StreamTeam(office)
    article = b'{"id": "b1", "text": "It rained."}'
    upload = ("more.jsonl", article, "application/jsonl")
    other = office.topic(team.manager, team.project, name="other", upload=upload)
    team.ann.get(f"/t/{other}", status=404)
    team.manager.post(f"/t/{other}/stories", status=400, story="a1", title="Of the other topic")


def test_an_undo_changes_nothing_of_others_nor_in_other_topics(office: Office) -> None:
    one, two = StreamTeam(office), StreamTeam(office)
    for team, who in ((two, two.ann), (one, one.ann), (one, one.bob)):
        path = f"/t/{team.topic}/identify/candidates"
        who.post(path, sentence="a1-s01", text=f"A leak, says {who.name}")
    page = one.ann.get(f"/t/{one.topic}/identify")
    last = re.search(r'name="action" value="(\d+:[^"]+)"', page)[1]
    one.ann.post(f"/t/{one.topic}/undo", action=last)
    table = tables.candidate
    with office.database.read() as connection:
        left = connection.execute(select(table.c.topic, table.c.person)).all()
    assert sorted(left) == sorted([(one.topic, one.bob.id), (two.topic, two.ann.id)])


def test_a_new_start_keeps_the_secret_the_tries_and_the_way_in(office: Office) -> None:
    office.person("j1 (imported)")
    settings = Settings(public_url="https://judge.example.org")
    with office.database.write() as connection:
        for _ in range(9):
            sessions.count_try(connection, name="Ann")
        for _ in range(2):
            sessions.keep_address(connection, settings)
        sessions.clear_old(connection, settings)
        assert sessions.server_secret(connection) == office.secret
        assert sessions.known_address(connection) == "https://judge.example.org"
        assert sessions.count_try(connection, name="Ann") > 0
    assert first_manager_link(office.database, settings).startswith(settings.public_url)


def test_a_visit_puts_off_the_end_of_its_own_session_only(office: Office) -> None:
    ann, bob = office.person("Ann"), office.person("Bob")
    table, before = tables.session, time.time() - 11 * 60
    with office.database.write() as connection:
        connection.execute(update(table).values(seen=before))
    ann.get("/account")
    with office.database.read() as connection:
        seen = dict(connection.execute(select(table.c.person, table.c.seen)).all())
    assert seen[ann.id] > before
    assert seen[bob.id] == before
