"""Export, import, export: the second file has the bytes of the first."""

import hashlib
import json
import random
import re
import zipfile
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from chronoscore.cli import main
from chronoscore.formats.judgements import judgement_files
from workbench.office import ON_BOTH, Office, Visitor
from workbench.team import StreamTeam, UnitsTeam
from workbench.travel import check_equal, exported, travelled

pytestmark = pytest.mark.slow

WORDS = ["dam", "lake", "town", "river", "leak", "storm", "“jewel”", "naïve", "42", "—", "then"]


@pytest.mark.slow
@ON_BOTH
@pytest.mark.parametrize("workflow", ["stream", "units"])
def test_the_demo_comes_back_whole(office: Office, workflow: str) -> None:
    manager = office.person("Mara", founder=True)
    manager.post("/demo")
    numbers = dict(re.findall(r'href="/p/(\d+)">(Demo: [^<]+)<', manager.get("/")))
    wanted = {"stream": "Demo: judge a stream", "units": "Demo: content units"}[workflow]
    project = next(int(number) for number, name in numbers.items() if name == wanted)
    first = check_equal(office, manager, project, workflow)
    assert '"sha256"' in first


def articles(chance: random.Random) -> str:
    """Stories of which some have a title, some a time, and all their own blanks."""
    rows = []
    for number in range(chance.randint(2, 4)):
        sentences = [
            " ".join(chance.choices(WORDS, k=chance.randint(2, 6))).capitalize() + "."
            for _ in range(chance.randint(1, 5))
        ]
        row: dict[str, Any] = {
            "id": f"a{number}",
            "text": chance.choice(["  ", " ", "\n\n"]).join(sentences),
        }
        if chance.random() < 0.8:
            row["time"] = f"2031-03-0{number + 1}T08:00:0{number}"
        if chance.random() < 0.8:
            row["title"] = " ".join(chance.choices(WORDS, k=3))
        rows.append(json.dumps(row, ensure_ascii=False))
    return "\n".join(rows)


def judged_stream(office: Office, chance: random.Random) -> tuple[Visitor, int]:
    """A project whose judges link, group, join and leave open by chance."""
    manager = office.person("Mara", founder=True)
    judges = [office.person(name) for name in ("Zoë", "Bob", "Ann")]
    eve = office.person("Eve")
    project = office.project(manager, "stream", *judges, eve, additions=True, hints=False)
    for name in ("one", "two"):
        raw = articles(chance).encode()
        topic = office.topic(manager, project, name=name, upload=("a.jsonl", raw, "text/plain"))
        office.assign(manager, topic, judge=judges, verifier=eve)
        manager.post(f"/t/{topic}/open")
        stories = json.loads(judges[0].get(f"/t/{topic}/identify.json"))["stories"]
        sentences = [sentence for story in stories for sentence in story["sentences"]]
        for judge in judges:
            for story in stories:
                judge.post(f"/t/{topic}/identify/read", story=story["id"])
                judge.post(
                    f"/t/{topic}/identify/candidates",
                    sentence=story["sentences"][-1][0], text=f"{story['id']} by {judge.name}",
                )  # fmt: skip
            judge.post(f"/t/{topic}/submit", step="identify")
        page = f"/t/{topic}/merge"
        names = re.findall(r'name="candidate" value="([^"]+)"', judges[0].get(page))
        for number, candidate in enumerate(names):
            if number == 0:
                judges[0].post(page, do="omit", candidate=[candidate], reason="not an event")
            else:
                judges[0].post(
                    page, do="same", candidate=[candidate], text=f"“{candidate}” happens"
                )
        judges[0].post(page, do="omit-event", event="E2", reason="twice")
        for judge in judges:
            judge.post(f"/t/{topic}/submit", step="merge")
        events = [f"E{n}" for n in range(1, len(names)) if n != 2]
        for judge in judges:
            link_by_chance(judge, topic, stories, events, chance)
            judge.post(f"/t/{topic}/submit", step="link", rest_off="yes")
        verify_by_chance(eve, topic, events, [name for name, _ in sentences], chance)
        if name == "one":
            eve.post(f"/t/{topic}/submit", step="verify", status=(303))
    return manager, project


def link_by_chance(
    judge: Visitor, topic: int, stories: list[Any], events: list[str], chance: random.Random
) -> None:
    """Marks of one judge: many, few or none, in groups that overlap with one another."""
    diligence = chance.choice([0, 0, 0.3, 1])
    favorites = chance.sample(events, min(len(events), 3))
    for story in stories:
        for number, (name, _) in enumerate(story["sentences"]):
            if chance.random() >= diligence:
                continue
            chosen: list[Any] = [
                (event, group and f"{event}-{group}")
                for event in chance.sample(favorites, chance.randint(1, len(favorites)))
                for group in chance.sample(["", "a", "b", "c"], chance.randint(1, 3))
            ]
            joined = number > 0 and chance.random() < 0.2
            judge.mark(topic, name, *chosen, joined=joined)


def verify_by_chance(
    eve: Visitor, topic: int, events: list[str], sentences: list[str], chance: random.Random
) -> None:
    """Verdicts on what the judges linked, and sentences that only the verifier saw."""
    for event in events:
        html = eve.get(f"/t/{topic}/verify?event={event}")
        items = re.findall(r'data-item="([^"]+)"', html)
        added = chance.sample(sentences, chance.randint(0, 2))
        for number, item in enumerate(dict.fromkeys([*items, *added])):
            change = {"event": event, "item": unescape(item), "kept": chance.random() < 0.6}
            body = {"changes": [{**change, "base": 0}]}
            entry = {"key": f"verdict-{event}-{number}", "action": "verdict", "body": body}
            answer = eve.send(topic, entry)[0]
            assert "entry" in answer or "is in the list" in answer["refused"]


@pytest.mark.slow
@ON_BOTH
@pytest.mark.parametrize("seed", [2, 106])
def test_a_random_stream_comes_back_whole(office: Office, seed: int) -> None:
    manager, project = judged_stream(office, random.Random(seed))
    first = check_equal(office, manager, project, "stream")
    assert '"hints":false' in first
    assert first.count('"kind":"omitted"') == 4
    assert '"verdict":"dropped"' in first


@ON_BOTH
def test_a_stream_with_nothing_but_what_the_verifier_added_comes_back_whole(
    office: Office,
) -> None:
    team = StreamTeam(office, additions=True).link()
    for judge in (team.ann, team.bob):
        team.judge(judge)
    team.verdict("E1", "a1-s01", True)
    first = check_equal(office, team.manager, team.project, "stream")
    assert '"judges":["j1","j2"]' in first
    assert '"verdict":"added"' in first
    assert '"marked_by"' not in first


def test_a_part_of_a_sentence_is_not_added_to_the_whole_of_it(office: Office) -> None:
    """The file would have had the same link twice, and nobody could have read it."""
    team = StreamTeam(office, additions=True).link()
    team.ann.mark(team.topic, "a1-s03", "E1")
    team.ann.mark(team.topic, "a1-s04", "E1", joined=True)
    team.judge(team.ann)
    team.judge(team.bob)
    change = {"event": "E1", "item": "a1-s04", "kept": True, "base": 0}
    entry = {"key": "an-added-part", "action": "verdict", "body": {"changes": [change]}}
    (answer,) = team.eve.send(team.topic, entry)
    assert "part of a sentence that is in the list" in answer["refused"]
    # Its parts may be added to another event, one after the other: the file has them as one.
    for part in ("a1-s03", "a1-s04"):
        team.verdict("E2", part, True)
    first = check_equal(office, team.manager, team.project, "stream")
    assert first.count('"event":"dam-E2"') == 1


def test_dropped_groups_that_overlap_come_back_whole(office: Office) -> None:
    """What is left of one group after another's sentence stands alone may stand alone, too."""
    team = StreamTeam(office).link()
    groups = {"s1": ["E1", ("E1", "a")], "s2": [("E1", "a"), ("E1", "b")], "s3": [("E1", "b")]}
    team.judge(team.ann, **groups, s5=[("E1", "c")], s6=[("E1", "c")])
    team.judge(team.bob, s5=["E1", ("E1", "d")], s6=[("E1", "d")], s7=[("E1", "d")])
    for item, _ in team.items("E1"):
        team.verdict("E1", item, not item.startswith("&"))
    check_equal(office, team.manager, team.project, "stream")


def matched_units(office: Office, chance: random.Random, topics: int = 1) -> UnitsTeam:
    """Two matchers who use their own anchors and nested groups by chance."""
    team = UnitsTeam(office)
    match_topic(team, chance)
    for number in range(1, topics):
        raw = articles(chance).encode()
        upload = ("a.jsonl", raw, "text/plain")
        team.topic = office.topic(team.manager, team.project, f"more-{number}", upload=upload)
        roles = {"writer": [team.will, team.wanda], "maker": team.uma}
        office.assign(team.manager, team.topic, **roles, matcher=team.max, rematcher=team.nia)
        team.manager.post(f"/t/{team.topic}/open")
        match_topic(team, chance)
    return team


def match_topic(team: UnitsTeam, chance: random.Random) -> None:
    """Take a topic from its writers to its end; some lines are left out, or all of a writer."""
    dates = ["1 March 2031", "March 2031", "2031"]
    for who in (team.will, team.wanda):
        team.write(who, *((chance.choice(dates), f"{who.name} “{n}”") for n in range(2)))
        who.post(f"/t/{team.topic}/submit", step="write")
    lines = team.lines()
    page = f"/t/{team.topic}/make"
    left_out = chance.choice(["Will", "Wanda", "1", "“0”"])
    used = [name for text, name in lines.items() if left_out not in text]
    chance.shuffle(used)
    for line in used[:2]:
        team.uma.post(page, do="unit", line=[line])
    for line in used[2:]:
        team.uma.post(page, do="put", unit="U1", line=[line])
    rest = [name for name in lines.values() if name not in used]
    team.uma.post(page, do="omit", line=rest, reason="too small")
    fields = {"action": "leaks", "agent": "the dam", "location": chance.choice(["", "Corvane"])}
    team.uma.post(page, do="edit", unit="U1", time="", **fields)
    team.uma.post(f"/t/{team.topic}/submit", step="make")
    for who, step, units in ((team.max, "match", ["U1", "U2"]), (team.nia, "rematch", None)):
        given = sorted(team.start(who, step)["anchors"])
        body = {"sentence": "a1-s01", "start": 0, "stop": 2}
        new = {"key": f"anchor-{step}-{team.topic}", "action": "anchor", "body": body}
        given.append(who.send(team.topic, new)[0]["data"]["id"])
        for unit in units or [team.start(who, step, unit="")["unit"]]:
            team.match(who, unit, tree_by_chance(given, chance))
        who.post(f"/t/{team.topic}/submit", step=step)
    team.manager.post(f"/t/{team.topic}/analyze", z=chance.choice(["", "3", "7"]))


def tree_by_chance(anchors: list[str], chance: random.Random) -> dict[str, Any]:
    chosen = chance.sample(anchors, min(len(anchors), 4)) + anchors[-1:]
    leaves: list[Any] = [
        {"anchor": name, "v": chance.choice([0, 0.3, 1])} for name in dict.fromkeys(chosen)
    ]
    inner = {"members": leaves[:2], "v": 0.5}
    return {"members": [inner, *leaves[2:]]}


@pytest.mark.slow
@ON_BOTH
def test_units_of_several_topics_come_back_whole(office: Office) -> None:
    """With a writer none of whose lines was used in one of them, and a z of its own for each."""
    team = matched_units(office, random.Random(3), topics=3)
    first = check_equal(office, team.manager, team.project, "units")
    topics = [row for row in map(json.loads, first.splitlines()) if row["kind"] == "topic"]
    assert any(row.get("writers") == ["w1", "w2"] for row in topics)
    assert len({row.get("z") for row in topics}) > 1


@pytest.mark.slow
@ON_BOTH
@pytest.mark.parametrize("seed", range(2))
def test_random_units_come_back_whole(office: Office, seed: int, tmp_path: Path) -> None:
    team = matched_units(office, random.Random(seed))
    first = check_equal(office, team.manager, team.project, "units")
    header = json.loads(first.partition("\n")[0])
    assert header["settings"]["sample"] == 1
    assert '"kind":"rematch"' in first
    assert '"length":2' in first
    path = tmp_path / "units.jsonl"
    path.write_text(first)
    assert judgement_files.load(path).topics["dam"].pyramid.length == 2


@pytest.mark.slow
def test_hours_and_the_second_matcher_are_there_after_the_journey(office: Office) -> None:
    team = matched_units(office, random.Random(1))
    agreement = r"Jaccard\s*</?[^>]*>?\s*([01]\.\d+)"
    before = re.search(agreement, team.manager.get(f"/t/{team.topic}/analyze"))
    fresh = travelled(office, team.manager, team.project, "units")
    topic = re.search(r"/t/(\d+)", team.manager.get(f"/p/{fresh}"))[1]
    after = re.search(agreement, team.manager.get(f"/t/{topic}/analyze"))
    assert (before and before[0]) == (after and after[0])


@pytest.mark.slow
def test_hours_travel(office: Office) -> None:
    team = StreamTeam(office).link()
    from chronoscore.workbench.store import log
    from chronoscore.workbench.store.log import LogEntry

    place = {"person": team.ann.id, "project": team.project, "topic": team.topic, "step": "link"}
    with office.database.write() as connection:
        for minute in range(10):
            data = {"story": "a1", "read": True}
            entry = LogEntry(action="story.read", data=data, time=1000.0 + 60 * minute, **place)
            log.append(connection, entry)
    team.judge(team.ann, s1=["E1"])
    team.judge(team.bob, s1=["E1"])
    first = check_equal(office, team.manager, team.project, "stream")
    hours = json.loads(first.partition("\n")[0])["settings"]["hours"]["dam"]
    assert hours >= 0.15


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        {"tree": 7},
        {"tree": {"members": [{"anchor": "nowhere", "v": 1}]}},
        {"tree": {"members": []}, "anchors": [{"id": "x", "source": "a1-s01", "start": 0}]},
        {"tree": {"members": []},
         "anchors": [{"id": "x", "source": "a1-s01", "start": 0, "end": 10**6}]},
        {"tree": {"members": []},
         "anchors": [{"id": "x", "source": "none", "start": 0, "end": 1}]},
    ],
)  # fmt: skip
def test_a_second_matching_that_cannot_be_used_is_refused(office: Office, row: Any) -> None:
    team = matched_units(office, random.Random(2))
    lines = exported(team.manager, team.project).splitlines()[:-1]
    made = json.dumps({"kind": "rematch", "topic": "dam", "hcu": "dam-U1", **row})
    body = "".join(f"{line}\n" for line in [*lines, made]).encode()
    footer = {"kind": "footer", "sha256": hashlib.sha256(body).hexdigest()}
    raw = body + json.dumps(footer).encode()
    fresh = office.project(team.manager, "units")
    answer = team.manager.post(
        f"/p/{fresh}/import", status=400, files={"files": ("j.jsonl", raw, "text/plain")}
    )
    assert "topic" in answer.text
    assert "/t/" not in team.manager.get(f"/p/{fresh}").partition("<main")[2]


@pytest.mark.slow
def test_an_exported_corpus_is_one_that_summarize_and_score_read(
    office: Office, tmp_path: Path, capsys
) -> None:
    manager, project = judged_stream(office, random.Random(5))
    database, folder = str(office.database.engine.url.database), tmp_path / "corpus"
    words = ["workbench", "export", "--database", database, str(project), "--corpus", str(folder)]
    assert run(*words) == 0
    assert run(*words) == 2
    assert "choose a new folder" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == {"one", "two"}
    runs = tmp_path / "runs"
    assert run("summarize", "lead", str(folder), "-o", str(runs), "--dates", "2") == 0
    capsys.readouterr()
    packed = manager.client.get(f"/p/{project}/export.zip").content
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        names = sorted(archive.namelist())
        assert names == sorted(str(p.relative_to(folder)) for p in folder.rglob("*.*"))
        assert all(archive.read(name) == (folder / name).read_bytes() for name in names)
    # The judged file of each topic comes back as well.
    fresh = office.project(manager, "stream")
    raw = (folder / "one" / "judgements.jsonl").read_bytes()
    manager.post(f"/p/{fresh}/import", files={"files": ("j.jsonl", raw, "text/plain")})
    assert exported(manager, fresh).encode() == raw


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as done:
        main(list(words))
    return int(done.value.code or 0)
