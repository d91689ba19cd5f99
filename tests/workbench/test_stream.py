"""Workflow A, from identifying to the final topic, as requests of a browser would do it."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from chronoscore.formats.judgements import judgement_files
from chronoscore.stats.agreement import stream_agreement
from chronoscore.workbench.domain import access, corpora
from chronoscore.workbench.exchange import judged_imports
from chronoscore.workbench.store import replay
from chronoscore.workbench.store.source import load
from workbench.office import ON_BOTH, SENTENCES, Office, candidates, refusal, to_link
from workbench.team import StreamTeam

pytestmark = [ON_BOTH, pytest.mark.slow]


@pytest.fixture
def team(office: Office) -> StreamTeam:
    return StreamTeam(office)


def test_a_step_opens_when_every_judge_has_handed_in(team: StreamTeam) -> None:
    for judge in (team.ann, team.bob):
        assert "1 Identify" in judge.get(f"/t/{team.topic}/identify")
        for story in ("a1", "a2"):
            judge.post(f"/t/{team.topic}/identify/read", story=story)
    team.ann.post(f"/t/{team.topic}/submit", step="identify")
    team.ann.get(f"/t/{team.topic}/merge", status=409)
    team.bob.post(f"/t/{team.topic}/submit", step="identify")
    team.ann.get(f"/t/{team.topic}/merge")


def test_unread_stories_keep_a_judge_from_handing_in(team: StreamTeam) -> None:
    answer = team.ann.post(f"/t/{team.topic}/submit", step="identify", status=409)
    assert "2 stories are not marked as read" in refusal(answer.text)


def test_what_was_handed_in_is_frozen(team: StreamTeam) -> None:
    for story in ("a1", "a2"):
        team.ann.post(f"/t/{team.topic}/identify/read", story=story)
    team.ann.post(f"/t/{team.topic}/submit", step="identify")
    answer = team.ann.post(
        f"/t/{team.topic}/identify/candidates", sentence="a1-s01", text="late", status=409
    )
    assert "frozen" in refusal(answer.text)


def test_no_candidate_may_stay_unassigned(team: StreamTeam) -> None:
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/identify/candidates", sentence="a1-s01", text="a leak")
        for story in ("a1", "a2"):
            judge.post(f"/t/{team.topic}/identify/read", story=story)
        judge.post(f"/t/{team.topic}/submit", step="identify")
    names = candidates(team.office, team.topic)
    team.ann.post(f"/t/{team.topic}/merge", do="same", candidate=names[:1], text="The leak")
    answer = team.ann.post(f"/t/{team.topic}/submit", step="merge", status=409)
    assert "1 candidate is not in an event" in refusal(answer.text)
    team.ann.post(f"/t/{team.topic}/merge", do="omit", candidate=names[1:], reason="", status=400)
    team.ann.post(f"/t/{team.topic}/merge", do="omit", candidate=names[1:], reason="twice")
    team.ann.post(f"/t/{team.topic}/submit", step="merge")


def test_a_split_candidate_is_in_two_events_and_an_empty_event_is_gone(team: StreamTeam) -> None:
    for judge in (team.ann, team.bob):
        for story in ("a1", "a2"):
            judge.post(f"/t/{team.topic}/identify/read", story=story)
    team.ann.post(f"/t/{team.topic}/identify/candidates", sentence="a1-s01", text="leak and break")
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/submit", step="identify")
    page = f"/t/{team.topic}/merge"
    (name,) = re.findall(r'name="candidate" value="([^"]+)"', team.ann.get(page))
    for words in ("The leak", "The break"):
        team.ann.post(page, do="same", candidate=name, text=words)
    assert team.bob.get(page).count(f'name="candidate" value="{name}"') == 3
    team.bob.post(page, do="take", candidate=name, event="E2")
    assert 'id="E2"' not in team.ann.get(page)
    team.bob.post(page, do="rename", event="E1", text="The first leak")
    assert "The first leak" in team.ann.get(page)


def test_undecided_is_not_off(team: StreamTeam) -> None:
    team.link()
    answer = team.ann.post(f"/t/{team.topic}/submit", step="link", status=409)
    assert "7 sentences are undecided" in refusal(answer.text)
    team.ann.post(f"/t/{team.topic}/submit", step="link", rest_off="yes")
    assert "the rest is off (7 sentences)" in team.ann.get(f"/t/{team.topic}/history")


def test_the_verifier_must_not_be_a_judge_of_the_topic(team: StreamTeam) -> None:
    answer = team.manager.post(
        f"/t/{team.topic}/assign", person=team.ann.id, role="verifier", status=409
    )
    assert "must not be one of its judges" in refusal(answer.text)


def test_only_members_of_the_project_get_a_role(team: StreamTeam) -> None:
    stranger = team.office.person("Zoe")
    answer = team.manager.post(
        f"/t/{team.topic}/assign", person=stranger.id, role="judge", status=400
    )
    assert "No such member" in refusal(answer.text)


def test_the_verifier_sees_the_union_without_names(team: StreamTeam) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"], s5=["E2"])
    team.judge(team.bob, s1=["E1"], s7=["E1"])
    assert [item for item, _ in team.items("E1")] == ["a1-s01", "a2-s03"]
    html = team.eve.get(f"/t/{team.topic}/verify?event=E1")
    assert "Ann" not in html
    assert "Bob" not in html


def test_nothing_is_final_before_every_mark_was_judged(team: StreamTeam) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"])
    team.judge(team.bob)
    answer = team.eve.post(f"/t/{team.topic}/submit", step="verify", status=409)
    assert "1 mark is neither kept nor dropped" in refusal(answer.text)
    team.verdict("E1", "a1-s01", True)
    team.eve.post(f"/t/{team.topic}/submit", step="verify")
    assert "Final" in team.manager.get(f"/t/{team.topic}")


def test_the_export_carries_what_agreement_is_computed_from(team: StreamTeam, tmp_path) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"], s5=["E2"], s6=["E1", "E2"])
    team.judge(team.bob, s1=["E1"], s7=["E1"])
    for event, item, kept in (
        ("E1", "a1-s01", True), ("E1", "a2-s02", False), ("E1", "a2-s03", True),
        ("E2", "a2-s01", True), ("E2", "a2-s02", True),
    ):  # fmt: skip
        team.verdict(event, item, kept)
    team.eve.post(f"/t/{team.topic}/submit", step="verify")
    corpus = judgement_files.load(team.export(tmp_path, finished="yes"))
    judged = corpus.topics["dam"].judgements
    assert judged is not None
    agreed = stream_agreement("dam", judged)
    # E1: union of 3, kept 2; both marked 1 of 3. E2: union of 2, kept 2; nothing in common.
    assert [event.acceptance for event in agreed.events] == [pytest.approx(2 / 3), 1.0]
    assert [event.jaccard for event in agreed.events] == [pytest.approx(1 / 3), 0.0]
    assert {judge for link in judged.links for judge in link.marked_by} == {"j1", "j2"}
    assert judged.sentences == tuple(SENTENCES)
    assert corpus.settings["hints"] is True
    page = team.manager.get(f"/p/{team.project}/agreement")
    assert "<b>0.83</b>" in page
    assert "<b>0.17</b>" in page


def test_joined_parts_are_one_sentence_whoever_marked_which(team: StreamTeam, tmp_path) -> None:
    team.link()
    team.ann.mark(team.topic, "a1-s03", "E1")
    team.bob.send(
        team.topic,
        {"key": "0123456789", "action": "mark", "body": {"changes": [
            {"sentence": "a1-s03", "base": 0, "off": False, "links": [["E1", ""]], "joined": False},
            {"sentence": "a1-s04", "base": 0, "off": False, "links": [["E1", ""]], "joined": True},
        ]}},
    )  # fmt: skip
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/submit", step="link", rest_off="yes")
    assert [item for item, _ in team.items("E1")] == ["a1-s03+a1-s04"]
    team.verdict("E1", "a1-s03+a1-s04", True)
    team.eve.post(f"/t/{team.topic}/submit", step="verify")
    judged = judgement_files.load(team.export(tmp_path)).topics["dam"].judgements
    assert dict(judged.joined) == {"a1-s04": "a1-s03"}
    assert [(link.sentence, link.marked_by) for link in judged.links] == [("a1-s03", ("j1", "j2"))]


def test_the_first_sentence_of_a_story_joins_nothing(team: StreamTeam) -> None:
    team.link()
    assert "none before it" in team.ann.mark(team.topic, "a2-s01", "E1", joined=True)["refused"]


def test_a_group_id_means_nothing_beyond_its_judge_and_event(team: StreamTeam, tmp_path) -> None:
    """Browsers choose the ids of groups, so two judges, or one in two events, may choose alike."""
    team.link()
    team.judge(team.ann, s1=[("E1", "g")], s2=[("E1", "g")], s5=[("E2", "g")], s6=[("E2", "g")])
    team.judge(team.bob, s1=[("E1", "g"), ("E1", "h")], s3=[("E1", "g")], s5=[("E1", "h")])
    alone = [["a1-s01", "a1-s02"], ["a1-s01", "a1-s03"], ["a1-s01", "a2-s01"]]
    items = {"E1": ["&" + "+".join(group) for group in alone], "E2": ["&a2-s01+a2-s02"]}
    for event, wanted in items.items():
        assert [item for item, _ in team.items(event)] == wanted
        for item in wanted:
            team.verdict(event, item, True)
    team.eve.post(f"/t/{team.topic}/submit", step="verify")
    topic = judgement_files.load(team.export(tmp_path)).topics["dam"]
    assert groups(topic.judgements) == [*alone, ["a2-s01", "a2-s02"]]
    # The same in a file: one id for a group of each event.
    both = {"dam-E1-g1": "g", "dam-E2-g1": "g"}
    links = [
        replace(link, group=both.get(link.group, link.group)) for link in topic.judgements.links
    ]
    again = replace(topic, id="again", judgements=replace(topic.judgements, links=tuple(links)))
    with team.office.database.write() as connection:
        project = access.find_project(connection, team.manager.id, team.project)
        number = judged_imports.add(connection, project, again)
        made = corpora.build_topic(connection, number, load(connection, number))
    assert groups(made.judgements) == groups(topic.judgements)


def groups(judged) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for link in judged.links:
        found.setdefault(link.group, []).append(link.sentence)
    return list(found.values())


def test_a_group_is_kept_or_dropped_as_one(team: StreamTeam, tmp_path) -> None:
    team.link()
    team.judge(team.ann, s2=[("E2", "g")], s6=[("E2", "g")])
    team.judge(team.bob, s6=["E2"])
    assert [item for item, _ in team.items("E2")] == ["&a1-s02+a2-s02", "a2-s02"]
    team.verdict("E2", "&a1-s02+a2-s02", True)
    team.verdict("E2", "a2-s02", False)
    team.eve.post(f"/t/{team.topic}/submit", step="verify")
    judged = judgement_files.load(team.export(tmp_path)).topics["dam"].judgements
    kept = {(link.sentence, bool(link.group)) for link in judged.kept}
    assert kept == {("a1-s02", True), ("a2-s02", True)}


@pytest.mark.parametrize("how", [{"item": "a1-s02"}, {"sentence": "1.2"}])
@pytest.mark.parametrize("allowed", [False, True])
def test_additions_only_where_the_project_allows_them(
    office: Office, allowed: bool, how: dict[str, str]
) -> None:
    team = StreamTeam(office, additions=allowed).link()
    team.judge(team.ann)
    team.judge(team.bob)
    answer = team.eve.client.post(
        f"/t/{team.topic}/verify",
        data={"proof": team.eve.proof, "event": "E1", **how, "base": 0, "verdict": "keep",
              "key": "k" * 10},
    )  # fmt: skip
    assert (answer.status_code == 303) is allowed
    if allowed:
        assert team.items("E1") == [("a1-s02", 1)]


def test_a_mark_from_an_old_version_is_refused_with_both_versions(team: StreamTeam) -> None:
    team.link()
    team.ann.mark(team.topic, "a1-s01", "E1")
    late = team.ann.mark(team.topic, "a1-s01", off=True, base=0)
    assert late["conflict"]["a1-s01"] == {
        "off": False, "links": [["E1", ""]], "joined": False, "version": 1,
    }  # fmt: skip


def test_a_verdict_from_an_old_version_is_refused(team: StreamTeam) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"])
    team.judge(team.bob)
    team.verdict("E1", "a1-s01", kept=True)
    late = {"event": "E1", "item": "a1-s01", "base": 0, "verdict": "drop"}
    team.eve.post(f"/t/{team.topic}/verify", **late, status=409)
    assert team.items("E1") == [("a1-s01", 1)]


def test_the_same_key_is_the_same_entry(team: StreamTeam) -> None:
    team.link()
    answers = [team.ann.mark(team.topic, "a1-s01", "E1", key="a-key-of-mine") for _ in range(3)]
    assert [answer["entry"] for answer in answers] == [1, 1, 1]


def test_a_reopened_topic_is_a_new_version_with_the_old_marks(team: StreamTeam) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"])
    team.judge(team.bob)
    team.manager.post(f"/t/{team.topic}/reopen", step="link", reason="", status=400)
    team.manager.post(f"/t/{team.topic}/reopen", step="link", reason="Bob was in a hurry")
    assert "version 2" in team.manager.get(f"/t/{team.topic}")
    data = json.loads(team.ann.get(f"/t/{team.topic}/link.json"))
    assert data["mine"]["marks"]["a1-s01"]["links"] == [["E1", ""]]
    assert data["mine"]["frozen"] is False
    team.eve.get(f"/t/{team.topic}/verify", status=409)
    assert "Bob was in a hurry" in team.manager.get(f"/t/{team.topic}/history")


def test_events_left_out_after_a_reopening_take_their_links_with_them(team: StreamTeam) -> None:
    team.link()
    team.ann.mark(team.topic, "a1-s01", "E1")
    team.manager.post(f"/t/{team.topic}/reopen", step="merge", reason="too many")
    team.ann.post(f"/t/{team.topic}/merge", do="omit-event", event="E1", reason="abstract")
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/submit", step="merge")
    data = json.loads(team.ann.get(f"/t/{team.topic}/link.json"))
    assert data["mine"]["marks"]["a1-s01"]["links"] == []
    assert [event["id"] for event in data["mine"]["events"]] == ["E2"]


def test_the_plain_form_links_without_script(team: StreamTeam) -> None:
    team.link()
    page = f"/t/{team.topic}/link/plain"
    assert 'name="base:a1-s01" value="0"' in team.ann.get(f"{page}?story=a1")
    team.ann.post(page, story="a1", **{
        "link:a1-s01": ["E1", "E2"], "base:a1-s01": "0", "off:a1-s02": "yes", "base:a1-s02": "0",
        "base:a1-s03": "0", "base:a1-s04": "0",
    })  # fmt: skip
    marks = json.loads(team.ann.get(f"/t/{team.topic}/link.json"))["mine"]["marks"]
    assert [link[0] for link in marks["a1-s01"]["links"]] == ["E1", "E2"]
    assert marks["a1-s02"]["off"] is True
    assert "a1-s03" not in marks


def test_a_manager_who_judges_stays_blind_until_the_topic_is_final(office: Office) -> None:
    manager = office.person("Mara", founder=True)
    ann, eve = office.person("Ann"), office.person("Eve")
    project = office.project(manager, "stream", ann, eve)
    topic = office.topic(manager, project)
    office.assign(manager, topic, judge=[manager, ann], verifier=eve)
    manager.post(f"/t/{topic}/open")
    to_link(office, manager, topic, manager, ann)
    ann.mark(topic, "a1-s02", "E1")
    assert "hidden from you" in manager.get(f"/p/{project}/agreement")
    shown = manager.get(f"/p/{project}/history")
    assert "linked 1.2 to “" not in shown
    assert "linked 1.2 to “" in ann.get(f"/t/{topic}/history")
    manager.get(f"/p/{project}/export.jsonl", status=400)


def test_replaying_the_log_gives_the_same_tables(team: StreamTeam) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"], s2=[("E2", "g")], s3=[("E2", "g")])
    team.judge(team.bob, s7=["E2"])
    team.verdict("E1", "a1-s01", False)
    team.ann.post(f"/t/{team.topic}/notes", place="a1-s01", text="unsure")
    verdict = replay.verify(team.office.database)
    assert verdict.equal
    assert verdict.entries > 20


def test_what_builds_on_a_conflict_is_not_taken(team: StreamTeam) -> None:
    team.link()
    team.ann.mark(team.topic, "a1-s01", "E1")
    late = [
        {
            "key": f"another-tab-{base}",
            "action": "mark",
            "body": {
                "changes": [
                    {"sentence": "a1-s01", "base": base, "off": True, "links": [], "joined": False}
                ]
            },
        }
        for base in (0, 1)
    ]
    (answer,) = team.ann.send(team.topic, *late)
    assert answer["conflict"]["a1-s01"]["version"] == 1


@pytest.mark.slow
def test_the_history_is_in_words_and_by_person_step_and_day(office: Office) -> None:
    team = StreamTeam(office).link()
    team.ann.mark(team.topic, "a1-s02", "E1", "E2")
    team.bob.mark(team.topic, "a1-s03", off=True)
    team.judge(team.ann)
    team.judge(team.bob)
    item, _ = team.items("E1")[0]
    team.verdict("E1", item, True)
    for page in (f"/t/{team.topic}/history", f"/p/{team.project}/history"):
        everything = team.manager.get(page)
        assert "linked 1.2 to “The dam leaks”, “The dam breaks”" in everything
        assert "1.2 for “The dam leaks”: kept" in everything
        assert "read story 1" in everything
        rows = everything[everything.index("<tbody>") :]
        assert not re.search(r"\ba\d-s\d\d\b|\bE\d\b", rows)
        by_bob = team.manager.get(f"{page}?person={team.bob.id}&step=link")
        assert "called 1.3 off" in by_bob
        assert "linked 1.2 to “" not in by_bob
        assert "read story 1" not in by_bob
        assert "called 1.3 off" not in team.manager.get(f"{page}?day=2001-01-01")
        today = datetime.now(UTC).date()
        days = [team.manager.get(f"{page}?day={today - timedelta(days=n)}") for n in (0, 1)]
        assert any("called 1.3 off" in shown for shown in days)
        for nonsense in ("person=x", "person=99999", "step=lunch", "day=31 June"):
            assert "called 1.3 off" in team.manager.get(f"{page}?{nonsense}")
    # A judge sees their own entries, whomever they ask for.
    own = team.ann.get(f"/t/{team.topic}/history?person={team.bob.id}")
    assert "linked 1.2 to “The dam leaks”" in own
    assert "called 1.3 off" not in own
