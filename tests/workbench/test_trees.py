"""What a matcher does to a unit's tree, in the browser and on the server."""

import re
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronoscore.core import Anchor, Group
from chronoscore.measures.units.pyramid import score_group
from chronoscore.workbench.domain import trees
from chronoscore.workbench.domain.errors import RefusedError
from workbench.office import Office, refusal
from workbench.running import Hands, Served
from workbench.team import UnitsTeam

pytestmark = pytest.mark.slow


def anchor(name: str, share: float = 1.0) -> dict:
    return {"anchor": name, "v": share}


def group(*members: dict, share: float = 1.0) -> dict:
    return {"members": list(members), "v": share}


def tree(*members: dict) -> dict:
    return {"members": list(members)}


def called(*members: dict) -> set[str]:
    return {trees.member_name(member) for member in members}


A, B, C, D = (anchor(name) for name in "abcd")


def test_members_of_different_groups_become_a_group_at_the_top() -> None:
    found = trees.group_members(tree(group(A, B), anchor("c", 0.5), D), called(A, C))
    assert found == tree(group(B), D, group(A, C))


def test_members_of_one_group_become_a_group_inside_it() -> None:
    found = trees.group_members(tree(group(A, B, C, share=0.5), D), called(A, C))
    assert found == tree(group(B, group(A, C), share=0.5), D)


def test_a_group_can_be_put_into_a_group() -> None:
    inner = group(A, anchor("b", 0.3), share=0.5)
    found = trees.group_members(tree(inner, C, D), called(inner, D))
    assert found == tree(C, group(group(A, anchor("b", 0.3)), D))


def test_of_a_group_and_something_in_it_the_group_counts() -> None:
    assert trees.group_members(tree(group(A, B), C), called(group(A, B), A, C)) == tree(
        group(group(A, B), C)
    )


@pytest.mark.parametrize(
    ("names", "words"), [(called(A), "two or more"), (called(A, B), "a group already")]
)
def test_some_things_cannot_be_grouped(names: set[str], words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        trees.group_members(tree(group(A, B), C), names)


def test_a_group_that_is_left_empty_goes() -> None:
    assert trees.remove_members(tree(group(group(A), share=0.5), B), called(A)) == tree(B)


def test_what_was_in_a_dissolved_group_stands_where_it_stood() -> None:
    found = trees.dissolve_groups(
        tree(A, group(B, group(C, D)), share := anchor("e")), called(group(B, group(C, D)))
    )
    assert found == tree(A, B, group(C, D), share)


def test_no_two_members_have_one_name() -> None:
    odd = tree(anchor('["a","b"]'), group(A, B), anchor("(a b)"), group(anchor("a b")), group(C))
    names = names_of(odd)
    assert len(set(names)) == len(names)
    assert trees.remove_members(odd, called(group(A, B)))["members"] == [
        one for one in odd["members"] if one != group(A, B)
    ]


@st.composite
def a_tree(draw: st.DrawFn) -> dict:
    numbers = count()
    shares = st.integers(0, 10).map(lambda tenths: tenths / 10)
    odd = st.sampled_from(["", "(", "a ", '["', "\\", ",", "é\u2028"])

    def member(depth: int) -> dict:
        if depth == 0 or draw(st.booleans()):
            return anchor(f"{draw(odd)}x{next(numbers)}", draw(shares))
        inner = [member(depth - 1) for _ in range(draw(st.integers(1, 3)))]
        return group(*inner, share=draw(shares))

    return tree(*(member(3) for _ in range(draw(st.integers(0, 4)))))


def names_of(found: dict) -> list[str]:
    return [trees.member_name(member) for member in trees.walk(found)]


def as_group(found: dict) -> Group:
    members = [
        (as_group(one), one["v"])
        if "members" in one
        else (Anchor(id=one["anchor"], source=one["anchor"], start=0, end=1), one["v"])
        for one in found["members"]
    ]
    return Group(members=tuple(members))


DONE_BY_THE_SCRIPT = """async ([found, picked, anchors]) => {
  const trees = await import("/static/trees.js");
  const names = new Set(picked);
  return {
    score: trees.score(found, (anchor) => names.has(trees.name({ anchor }))),
    grouped: trees.grouped(found, names),
    dissolved: trees.dissolved(found, names),
    without: trees.without(found, names),
    shared: picked.length ? trees.shared(found, picked[0], 0.7) : found,
    names: [...trees.walk(found)].map(trees.name),
    chains: anchors.map((anchor) => trees.chain(found, anchor)),
  };
}"""


def test_the_script_does_what_the_server_and_the_measure_do(
    office: Office, server: Served, visit
) -> None:
    page = visit(office.person("Mara", founder=True))
    page.goto(f"{server.url}/")

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(a_tree(), st.data())
    def same(found: dict, data: st.DataObject) -> None:
        names = names_of(found)
        anchors = [one["anchor"] for one in trees.walk(found) if "anchor" in one]
        picked = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        chosen = frozenset(one for one in anchors if trees.member_name({"anchor": one}) in picked)
        script = page.evaluate(DONE_BY_THE_SCRIPT, [found, picked, anchors])
        assert script["names"] == names
        assert script["without"] == trees.remove_members(found, picked)
        assert script["dissolved"] == trees.dissolve_groups(found, picked)
        assert script["shared"] == trees.set_shares(found, dict.fromkeys(picked[:1], 0.7))
        assert trees.full_share(found) == pytest.approx(
            score_group(as_group(found), frozenset(anchors))
        )
        assert script["score"] == pytest.approx(score_group(as_group(found), chosen))
        for name, chain in zip(anchors, script["chains"], strict=True):
            number = re.search(r"x\d+", name)[0]
            around = [one for one in names if number in re.findall(r"x\d+", one)]
            assert chain == sorted(around, key=len)
        try:
            expected = trees.group_members(found, picked)
        except RefusedError:
            expected = None
        assert script["grouped"] == expected

    same()


@pytest.fixture
def team(office: Office) -> UnitsTeam:
    return UnitsTeam(office).made()


def test_groups_in_groups_by_keys(team: UnitsTeam, server: Served, visit) -> None:
    """Pick two, group them; widen to the group, give it a share, group it with a third."""
    page = visit(team.max)
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U1")
    hands = Hands(page).ready()
    names = page.eval_on_selector_all("[data-anchor]", "all => all.map(one => one.dataset.anchor)")
    first, second, third = names[:3]
    hands.press("p", "j", "p", "g").saved()
    hands.press("w", "5").saved()
    assert team.start(team.max)["matching"]["tree"] == tree(
        group(anchor(first), anchor(second), share=0.5)
    )
    assert page.text_content("#score") == "0.50"
    hands.press("p", "j", "p", "g").saved()
    assert team.start(team.max)["matching"]["tree"] == tree(
        group(group(anchor(first), anchor(second)), anchor(third))
    )
    assert page.locator("#tree .tree .tree > li").count() == 2
    # From the anchor to the group around it, then to the one around that, and apart again.
    hands.press("k", "w", "w", "g").saved()
    assert team.start(team.max)["matching"]["tree"] == tree(
        group(anchor(first), anchor(second)), anchor(third)
    )
    hands.press("w", "x").saved()
    assert team.start(team.max)["matching"]["tree"] == tree(anchor(third))
    hands.press("u").saved()
    assert page.locator("#tree .tree > li").count() == 2


def test_groups_and_shares_by_mouse(team: UnitsTeam, server: Served, visit) -> None:
    page = visit(team.max)
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U1")
    hands = Hands(page).ready()
    anchors = page.locator("[data-anchor]")
    for at in range(3):
        anchors.nth(at).click()
    for at in range(2):
        page.locator("#tree [name=pick]").nth(at).check()
    page.click("#tree-form [value=group]")
    page.locator("#tree > li", has_text="any of").locator("> .member .share").fill("0.4")
    page.keyboard.press("Tab")
    hands.saved()
    held = team.start(team.max)["matching"]["tree"]["members"]
    assert [member["v"] for member in held] == [1.0, 0.4]
    assert len(held[1]["members"]) == 2
    assert page.text_content("#score") == "1.00"


def test_a_unit_is_matched_without_script(team: UnitsTeam, server: Served, visit) -> None:
    page = visit(team.max, java_script_enabled=False)
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U1")
    names = [page.locator("[data-anchor]").nth(at).get_attribute("value") for at in range(3)]
    for at in range(3):
        page.locator("[data-anchor]").nth(at).click()
    for name in names[:2]:
        page.check(f"""#tree [value='"{name}"']""")
    page.click("#tree-form [value=group]")
    page.fill(f"""[name='share:["{names[0]}","{names[1]}"]']""", "0.4")
    page.click("#tree-form [value=shares]")
    page.fill("[name=sentence]", "9.9")
    page.fill("[name=words]", "Nobody")
    page.click("form:has([name=words]) button")
    page.click("main >> text=Back")
    page.fill("[name=sentence]", "1.2")
    page.fill("[name=words]", "Nobody")
    page.click("form:has([name=words]) button")
    page.locator("[data-sentence=a1-s02] [data-anchor]", has_text="Nobody").click()
    assert page.text_content("#score") == "1.00"
    page.click("#done-form button")
    start = team.start(team.max)
    *matched, manual = start["matching"]["tree"]["members"]
    assert matched == [
        anchor(names[2]),
        group(anchor(names[0]), anchor(names[1]), share=0.4),
    ]
    assert start["anchors"][manual["anchor"]]["manual"]
    assert start["matching"]["done"]


def test_a_plain_form_from_an_old_page_overwrites_nothing(team: UnitsTeam) -> None:
    name = team.anchor(team.max, "a1-s01")
    page = f"/t/{team.topic}/match/plain"
    fields = {"step": "match", "unit": "U1", "base": "0", "do": "toggle", "anchor": name}
    team.max.post(page, **fields)
    assert "nother tab" in refusal(team.max.post(page, **fields, status=409).text)
    assert team.start(team.max)["matching"]["tree"] == tree(anchor(name))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"do": "toggle", "anchor": "nothing"}, "o such anchor"),
        ({"do": "group"}, "two or more"),
        ({"do": "burn"}, "o such change"),
        ({"do": "anchor", "sentence": "9.9", "words": "x"}, "no sentence &#39;9.9&#39;"),
        ({"do": "anchor", "sentence": "1.2", "words": "Somebody"}, "does not have these words"),
    ],
)
def test_plain_forms_say_what_is_wrong(team: UnitsTeam, fields: dict[str, str], words: str) -> None:
    page = f"/t/{team.topic}/match/plain"
    answer = team.max.post(page, step="match", unit="U1", base="0", **fields, status=400)
    assert words in refusal(answer.text)


def test_words_that_overlap_an_anchor_can_be_used_too(team: UnitsTeam) -> None:
    given = next(
        one for one in team.start(team.max)["anchors"].values() if one["sentence"] == "a1-s01"
    )
    body = {"sentence": "a1-s01", "start": given["start"] - 1, "stop": given["stop"] + 2}
    entry = {"key": "overlapping", "action": "anchor", "body": body}
    added = team.max.send(team.topic, entry)[0]["data"]["id"]
    html = team.max.get(f"/t/{team.topic}/match?unit=U1")
    assert f'data-anchor="{added}"' in html
    assert f'data-anchor="{given["id"]}"' in html
