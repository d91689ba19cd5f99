"""Where two matchers differ: side by side, worst first, and what a manager decides about it."""

import json
import re

import pytest

from chronoscore.workbench.store import replay
from workbench.office import ON_BOTH, Office
from workbench.team import UnitsTeam
from workbench.travel import check_equal, exported

pytestmark = ON_BOTH


class Matched(UnitsTeam):
    """Both units are matched twice: U1 with nothing in common, U2 with other shares."""

    def __init__(self, office: Office) -> None:
        super().__init__(office)
        self.manager.post(f"/p/{self.project}/settings", name="Project", sample="2", lines="5")
        self.made()
        self.anchors = sorted(self.start(self.max)["anchors"])
        one, two, three = self.anchors[:3]
        self.hand_in(self.max, "match", {"U1": {one: 1}, "U2": {two: 0.7, three: 0.2}})
        assert "matched “" in self.manager.get(f"/t/{self.topic}/history")
        self.manager.get(self.where, 404)
        self.hand_in(self.nia, "rematch", {"U1": {two: 0.5}, "U2": {three: 0.2, two: 0.6}})

    @property
    def where(self) -> str:
        return f"/t/{self.topic}/disagreements"

    def hand_in(self, who, step: str, shares: dict[str, dict[str, float]]) -> None:
        for unit, held in shares.items():
            members = [{"anchor": name, "v": share} for name, share in held.items()]
            self.match(who, unit, {"members": members})
        who.post(f"/t/{self.topic}/submit", step=step)

    def figures(self) -> str:
        """The page of figures, without what differs from visit to visit."""
        return re.sub(r'value="[0-9a-f]+"', "", self.manager.get(f"/t/{self.topic}/analyze"))

    def exported_shares(self) -> dict[str, list[float]]:
        rows = map(json.loads, exported(self.manager, self.project).splitlines())
        groups = [row for row in rows if row["kind"] == "group"]
        return {row["hcu"]: [one["v"] for one in row["members"]] for row in groups}


@pytest.fixture
def team(office: Office) -> Matched:
    return Matched(office)


def test_matchings_stand_side_by_side_worst_first(team: Matched) -> None:
    page = team.manager.get(team.where)
    assert "2 units of “Dam” that Max and Nia express differently" in page
    assert re.findall(r'<li id="(U\d)">', page) == ["U1", "U2"], "nothing in common comes first"
    assert re.findall(r"(\d+) % of the words", page) == ["0", "100"]
    cells = re.findall(r'<td class="n" data-label="(?:Max|Nia)">([^<]+)</td>', page)
    assert cells == ["1.0", "–", "–", "0.5", "0.7", "0.6", "0.2", "0.2"]
    assert team.where in team.manager.get(f"/t/{team.topic}/analyze")
    for nobody in (team.max, team.nia, team.will):
        nobody.get(team.where, 404)


def test_a_manager_decides_whose_matching_counts(team: Matched) -> None:
    figures = team.figures()
    assert team.exported_shares() == {"dam-U1": [1], "dam-U2": [0.7, 0.2]}
    decision = {"unit": "U1", "role": "rematcher", "base": "0"}
    for nobody in (team.max, team.nia):
        nobody.post(f"{team.where}/unit", 404, **decision)
    team.manager.post(f"{team.where}/unit", **decision)
    team.manager.post(f"{team.where}/unit", 409, **decision)
    for wrong in ({"unit": "U9"}, {"role": "writer"}, {"base": "x"}):
        team.manager.post(f"{team.where}/unit", 400, **{**decision, "base": "1", **wrong})
    assert "decided: Nia" in team.manager.get(team.where)
    assert team.exported_shares() == {"dam-U1": [0.5], "dam-U2": [0.7, 0.2]}
    assert team.figures() == figures, "who agreed, agreed"
    assert "decided how “" in team.manager.get(f"/t/{team.topic}/history")
    check_equal(team.office, team.manager, team.project, "units")
    team.manager.post(f"{team.where}/unit", unit="U1", role="", base="1")
    assert team.exported_shares() == {"dam-U1": [1], "dam-U2": [0.7, 0.2]}
    assert replay.verify(team.office.database).equal


def test_a_decision_lapses_when_the_matching_that_it_chose_is_changed(team: Matched) -> None:
    team.manager.post(f"{team.where}/unit", unit="U1", role="rematcher", base="0")
    team.manager.post(f"/t/{team.topic}/reopen", step="rematch", reason="look again")
    team.match(team.nia, "U1", {"members": [{"anchor": team.anchors[3], "v": 0.4}]}, base=1)
    team.nia.post(f"/t/{team.topic}/submit", step="rematch")
    assert team.exported_shares()["dam-U1"] == [1]
    assert "open: the first counts" in team.manager.get(team.where)
