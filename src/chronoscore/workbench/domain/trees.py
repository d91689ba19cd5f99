"""How a unit is expressed: a tree of anchors and groups, and what a matcher does to it.

A tree is `{"members": [...]}`; a member is an anchor or a group with its share `v`. The match
screen's script does the same in the browser.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Any

from chronoscore.workbench.domain.errors import InvalidError

Tree = dict[str, Any]

DEEPEST, MOST_ANCHORS = 20, 500


def member_name(member: Tree) -> str:
    """What a member is called: its anchor, or all that is in it, as JSON without shares.

    An anchor stands only once in a tree, so no two members have the same name.
    """
    return json.dumps(_shape(member), ensure_ascii=False, separators=(",", ":"))


def _shape(member: Tree) -> object:
    return member["anchor"] if "anchor" in member else [_shape(one) for one in member["members"]]


def walk(tree: Tree) -> Iterator[Tree]:
    """Every member at every depth, from the top."""
    for member in tree["members"]:
        yield member
        if "members" in member:
            yield from walk(member)


def are_same(one: Tree, other: Tree) -> bool:
    """Whether two trees say the same, in whatever order."""
    return _sorted(one) == _sorted(other)


def _sorted(tree: Tree) -> list[tuple[str, float, Any]]:
    return sorted(
        (
            member.get("anchor", ""),
            float(member["v"]),
            _sorted(member) if "members" in member else [],
        )
        for member in tree["members"]
    )


def parse(value: object) -> Tree:
    """A tree from a browser that scoring can use: anchors, each once, shares from 0 to 1."""
    tree = {"members": _parse_members(value, 0)}
    used = anchors(tree)
    if len(used) > len(set(used)):
        raise InvalidError("an anchor is used once in a unit")
    if len(used) > MOST_ANCHORS:
        raise InvalidError(f"a unit has at most {MOST_ANCHORS} anchors")
    return tree


def anchors(tree: Tree) -> list[str]:
    """The anchors in a tree."""
    return [member["anchor"] for member in walk(tree) if "anchor" in member]


def check_anchors(tree: Tree, known: Collection[str]) -> None:
    """Refuse a tree with anchors that are not among those known."""
    if not set(known).issuperset(anchors(tree)):
        raise InvalidError("no such anchor")


def _parse_members(value: object, depth: int) -> list[Tree]:
    if depth > DEEPEST:
        raise InvalidError(f"groups are nested more than {DEEPEST} deep; flatten them")
    if not isinstance(value, dict) or not isinstance(value.get("members"), list):
        raise InvalidError("'tree' is missing or of the wrong kind")
    parsed = [_parse_member(member, depth) for member in value["members"]]
    return [member for member in parsed if member.get("members") != []]


def _parse_member(value: object, depth: int) -> Tree:
    """An anchor or a group, with its share."""
    member: Mapping[str, object] = value if isinstance(value, dict) else {}
    share, anchor = member.get("v"), member.get("anchor")
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InvalidError("a share lies between 0 and 1")
    if "members" in member:
        return {"members": _parse_members(member, depth + 1), "v": float(share)}
    if not isinstance(anchor, str):
        raise InvalidError("no such anchor")
    return {"anchor": anchor, "v": float(share)}


def full_share(tree: Tree) -> float:
    """S of a system that finds every anchor of the tree."""
    shares = [one["v"] * (full_share(one) if "members" in one else 1.0) for one in tree["members"]]
    return min(1.0, math.fsum(shares))


def toggle_anchor(tree: Tree, anchor: str) -> Tree:
    """The tree with an anchor that expresses the whole, or without it if it was there."""
    if any(member.get("anchor") == anchor for member in walk(tree)):
        return remove_members(tree, {member_name({"anchor": anchor})})
    return {"members": [*tree["members"], {"anchor": anchor, "v": 1.0}]}


def set_shares(tree: Tree, shares: Mapping[str, float]) -> Tree:
    """The tree with other shares for the members named."""
    made = deepcopy(tree)
    for member in walk(made):
        member["v"] = shares.get(member_name(member), member["v"])
    return made


def remove_members(tree: Tree, names: Collection[str]) -> Tree:
    """The tree without some members; a group that is left empty goes with them."""
    kept = []
    for member in tree["members"]:
        left = remove_members(member, names) if "members" in member else member
        if member_name(member) not in names and left.get("members") != []:
            kept.append(left)
    return {**tree, "members": kept}


def dissolve_groups(tree: Tree, names: Collection[str]) -> Tree:
    """The tree with the members of some groups standing where the group stood."""
    members: list[Tree] = []
    for member in tree["members"]:
        left = dissolve_groups(member, names) if "members" in member else member
        members.extend(
            left["members"] if "members" in left and member_name(member) in names else [left]
        )
    return {**tree, "members": members}


def group_members(tree: Tree, names: Collection[str]) -> Tree:
    """The members named as one group, each worth 1 in it: any of them is enough.

    It stands in the innermost group that holds them all. Of a group and something in it,
    the group counts.
    """
    picked = list(_outermost(tree, names))
    if len(picked) < 2:
        raise InvalidError("pick two or more to make a group")
    for at, member in enumerate(tree["members"]):
        if member_name(member) not in names and list(_outermost(member, names)) == picked:
            inner = group_members(member, names)
            return {**tree, "members": [*tree["members"][:at], inner, *tree["members"][at + 1 :]]}
    rest = remove_members(tree, names)["members"]
    if "v" in tree and not rest:
        raise InvalidError("these are a group already")
    together = {"members": [{**member, "v": 1.0} for member in picked], "v": 1.0}
    return {**tree, "members": [*rest, together]}


def _outermost(tree: Tree, names: Collection[str]) -> Iterator[Tree]:
    for member in tree.get("members", ()):
        if member_name(member) in names:
            yield member
        else:
            yield from _outermost(member, names)
