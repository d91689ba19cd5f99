"""Workflow B, from writing to the analysis, as requests of a browser would do it."""

import json
import re

import pytest

from chronoscore.formats.judgements import judgement_files
from chronoscore.workbench.store import replay
from workbench.office import ON_BOTH, Office, refusal
from workbench.team import UnitsTeam

pytestmark = [ON_BOTH, pytest.mark.slow]


@pytest.fixture
def team(office: Office) -> UnitsTeam:
    return UnitsTeam(office)


def test_a_line_needs_a_date_and_a_timeline_has_its_length(team: UnitsTeam) -> None:
    page = f"/t/{team.topic}/write"
    assert "needs its date" in refusal(team.will.post(page, when="", text="x", status=400).text)
    answer = team.will.post(page, when="03/04/31", text="x", status=400)
    assert "does not tell day from month" in refusal(answer.text)
    team.write(team.will, ("June 1997", "one"), ("800 BC", "two"))
    answer = team.will.post(page, when="1998", text="three", status=409)
    assert "the most it may have" in refusal(answer.text)
    assert team.will.get(page).index("800 BC") < team.will.get(page).index("1997-06")


def test_lines_are_the_writers_own_until_all_have_handed_in(team: UnitsTeam) -> None:
    team.write(team.will, ("1997", "A secret line"))
    assert "A secret line" not in team.wanda.get(f"/t/{team.topic}/write")
    team.uma.get(f"/t/{team.topic}/make", status=409)


def test_dates_that_share_no_day_keep_lines_apart(team: UnitsTeam) -> None:
    team.written()
    lines = team.lines()
    answer = team.uma.post(
        f"/t/{team.topic}/make", do="unit", status=409,
        line=[lines["The dam leaks"], lines["The dam breaks"]],
    )  # fmt: skip
    assert "2031-03-01 or 2031-03-02" in refusal(answer.text)


def test_fields_that_differ_keep_units_apart(team: UnitsTeam) -> None:
    team.written()
    lines = team.lines()
    page = f"/t/{team.topic}/make"
    team.uma.post(page, do="unit", line=[lines["The dam leaks"]])
    team.uma.post(page, do="unit", line=[lines["A leak in the dam"]])
    for unit, place in (("U1", "Pellin"), ("U2", "Athery")):
        team.uma.post(page, do="edit", unit=unit, action="leak", agent="", patient="", time="",
                      location=place)  # fmt: skip
    answer = team.uma.post(page, do="merge", unit="U1", other="U2", status=409)
    assert "location: &#39;Pellin&#39; or &#39;Athery&#39;" in refusal(answer.text)
    team.uma.post(page, do="edit", unit="U2", action="leak", agent="", patient="", time="",
                  location="pellin")  # fmt: skip
    team.uma.post(page, do="merge", unit="U1", other="U2")
    assert "weight 2" in team.uma.get(page)


def test_every_line_needs_a_unit_or_a_reason(team: UnitsTeam) -> None:
    team.written()
    answer = team.uma.post(f"/t/{team.topic}/submit", step="make", status=409)
    assert "3 lines are not in a unit" in refusal(answer.text)
    page = f"/t/{team.topic}/make"
    lines = list(team.lines().values())
    team.uma.post(page, do="omit", line=lines, reason="states, not events")
    team.uma.post(f"/t/{team.topic}/submit", step="make")


def test_the_unit_maker_must_not_be_a_writer(team: UnitsTeam) -> None:
    answer = team.manager.post(
        f"/t/{team.topic}/assign", person=team.will.id, role="maker", status=409
    )
    assert "must not be one of its writers" in refusal(answer.text)


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({"members": [{"anchor": "?", "v": 1.2}]}, "between 0 and 1"),
        ({"members": [{"anchor": "?", "v": 1}, {"anchor": "?", "v": 0.5}]}, "used once"),
        ({"members": [{"anchor": "nothing", "v": 1}]}, "no such anchor"),
        ({"members": [{"anchor": "?", "v": True}]}, "between 0 and 1"),
        ({"members": "all"}, "wrong kind"),
    ],
)
def test_a_tree_that_cannot_be_scored_is_refused(team: UnitsTeam, tree: dict, words: str) -> None:
    team.made()
    name = team.anchor(team.max, "a1-s01")
    text = json.dumps(tree).replace('"?"', json.dumps(name))
    assert words in team.match(team.max, "U1", json.loads(text))["refused"]


def test_groups_cannot_be_nested_without_end(team: UnitsTeam) -> None:
    team.made()
    tree: dict = {"members": []}
    for _ in range(30):
        tree = {"members": [{**tree, "v": 1.0}]}
    assert "nested" in team.match(team.max, "U1", tree)["refused"]


def test_the_second_matcher_sees_the_sample_and_nothing_of_the_first(team: UnitsTeam) -> None:
    team.made()
    entry = {"key": "anchor-key", "action": "anchor",
             "body": {"sentence": "a1-s02", "start": 0, "stop": 6}}  # fmt: skip
    added = team.max.send(team.topic, entry)[0]["data"]["id"]
    for unit in ("U1", "U2"):
        used = {"members": [{"anchor": added, "v": 0.7}]}
        assert "entry" in team.match(team.max, unit, used)
    team.nia.get(f"/t/{team.topic}/rematch", status=409)
    team.max.post(f"/t/{team.topic}/submit", step="match")
    html = team.nia.get(f"/t/{team.topic}/rematch")
    assert html.count('class="ev"') == 1
    assert added not in html
    sampled = re.search(r'data-done="(U\d)"', html)[1]
    assert team.start(team.nia, "rematch", sampled)["matching"]["tree"] == {"members": []}
    other = "U1" if sampled == "U2" else "U2"
    refused = team.match(team.nia, other, {"members": []})
    assert "not open to you" in refused["refused"]


def test_units_travel_to_the_pyramid_and_the_analysis(team: UnitsTeam, tmp_path) -> None:
    team.made()
    leak, broke = team.anchor(team.max, "a1-s01"), team.anchor(team.max, "a2-s01")
    team.match(
        team.max,
        "U1",
        {
            "members": [
                {"members": [{"anchor": leak, "v": 1.0}], "v": 0.5},
                {"anchor": broke, "v": 0.2},
            ]
        },
    )
    team.match(team.max, "U2", {"members": [{"anchor": broke, "v": 1.0}]})
    team.max.post(f"/t/{team.topic}/submit", step="match")
    sampled = re.search(r'data-done="(U\d)"', team.nia.get(f"/t/{team.topic}/rematch"))[1]
    team.match(team.nia, sampled, {"members": [{"anchor": broke, "v": 0.9}]})
    team.nia.post(f"/t/{team.topic}/submit", step="rematch")
    path = tmp_path / "units.jsonl"
    path.write_text(team.manager.get(f"/p/{team.project}/export.jsonl"))
    pyramid = judgement_files.load(path).topics["dam"].pyramid
    assert [(unit.id, unit.weight) for unit in pyramid.units] == [("dam-U1", 2), ("dam-U2", 1)]
    assert sorted(pyramid.units[0].group.shares) == [0.2, 0.5, 1.0]
    assert pyramid.length == 2
    html = team.manager.get(f"/t/{team.topic}/analyze")
    assert "a pyramid." not in html
    # Units per sentence with any (2/2), times the sentences with none (5).
    assert "z = <b>5</b>" in html
    assert "1 split" in html
    assert "Jaccard" in html
    team.manager.post(f"/t/{team.topic}/analyze", z="87")
    assert "z = <b>87</b>, set by hand" in team.manager.get(f"/t/{team.topic}/analyze")
    assert replay.verify(team.office.database).equal


def test_matching_from_an_old_version_shows_both(team: UnitsTeam) -> None:
    team.made()
    first = {"members": [{"anchor": team.anchor(team.max, "a1-s01"), "v": 0.4}]}
    team.match(team.max, "U1", first)
    body = {"unit": "U1", "tree": {"members": []}, "done": False, "base": 0}
    late = team.max.send(team.topic, {"key": "another-tab", "action": "match", "body": body})[0]
    assert late["conflict"]["U1"]["tree"] == first
