"""How a unit is expressed: a tree of anchors and groups, and what a matcher does to it.

A tree is `{"members": [...]}`; a member is an anchor or a group with its share `v`. The match
screen's script does the same in the browser.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Any

from chronoscore.workbench.web.visit import RefusedError

Tree = dict[str, Any]

DEEPEST, MOST_ANCHORS = 20, 500


def name(member: Tree) -> str:
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


def checked(value: object, anchors: Collection[str]) -> Tree:
    """A tree from a browser that scoring can use: known anchors, each once, shares from 0 to 1."""
    used: set[str] = set()
    return {"members": _checked(value, anchors, used, 0)}


def _checked(value: object, anchors: Collection[str], used: set[str], depth: int) -> list[Tree]:
    if depth > DEEPEST:
        raise RefusedError(400, f"groups are nested more than {DEEPEST} deep; flatten them")
    if not isinstance(value, dict) or not isinstance(value.get("members"), list):
        raise RefusedError(400, "'tree' is missing or of the wrong kind")
    found: list[Tree] = []
    for member in value["members"]:
        share = member.get("v") if isinstance(member, dict) else None
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise RefusedError(400, "a share lies between 0 and 1")
        if "members" in member:
            inner = _checked(member, anchors, used, depth + 1)
            if inner:
                found.append({"members": inner, "v": float(share)})
            continue
        anchor = member.get("anchor")
        if not isinstance(anchor, str) or anchor not in anchors:
            raise RefusedError(400, "no such anchor")
        if anchor in used:
            raise RefusedError(400, "an anchor is used once in a unit")
        used.add(anchor)
        found.append({"anchor": anchor, "v": float(share)})
    if len(used) > MOST_ANCHORS:
        raise RefusedError(400, f"a unit has at most {MOST_ANCHORS} anchors")
    return found


def whole(tree: Tree) -> float:
    """S of a system that finds every anchor of the tree."""
    shares = [one["v"] * (whole(one) if "members" in one else 1.0) for one in tree["members"]]
    return min(1.0, math.fsum(shares))


def toggled(tree: Tree, anchor: str) -> Tree:
    """The tree with an anchor that expresses the whole, or without it if it was there."""
    if any(member.get("anchor") == anchor for member in walk(tree)):
        return without(tree, {name({"anchor": anchor})})
    return {"members": [*tree["members"], {"anchor": anchor, "v": 1.0}]}


def shared(tree: Tree, shares: Mapping[str, float]) -> Tree:
    """The tree with other shares for the members named."""
    made = deepcopy(tree)
    for member in walk(made):
        member["v"] = shares.get(name(member), member["v"])
    return made


def without(tree: Tree, names: Collection[str]) -> Tree:
    """The tree without some members; a group that is left empty goes with them."""
    kept = []
    for member in tree["members"]:
        left = without(member, names) if "members" in member else member
        if name(member) not in names and left.get("members") != []:
            kept.append(left)
    return {**tree, "members": kept}


def dissolved(tree: Tree, names: Collection[str]) -> Tree:
    """The tree with the members of some groups standing where the group stood."""
    members: list[Tree] = []
    for member in tree["members"]:
        left = dissolved(member, names) if "members" in member else member
        members.extend(left["members"] if "members" in left and name(member) in names else [left])
    return {**tree, "members": members}


def grouped(tree: Tree, names: Collection[str]) -> Tree:
    """The members named as one group, each worth 1 in it: any of them is enough.

    It stands in the innermost group that holds them all. Of a group and something in it,
    the group counts.
    """
    picked = list(_outermost(tree, names))
    if len(picked) < 2:
        raise RefusedError(400, "pick two or more to make a group")
    for at, member in enumerate(tree["members"]):
        if name(member) not in names and list(_outermost(member, names)) == picked:
            inner = grouped(member, names)
            return {**tree, "members": [*tree["members"][:at], inner, *tree["members"][at + 1 :]]}
    rest = without(tree, names)["members"]
    if "v" in tree and not rest:
        raise RefusedError(400, "these are a group already")
    group = {"members": [{**member, "v": 1.0} for member in picked], "v": 1.0}
    return {**tree, "members": [*rest, group]}


def _outermost(tree: Tree, names: Collection[str]) -> Iterator[Tree]:
    for member in tree.get("members", ()):
        if name(member) in names:
            yield member
        else:
            yield from _outermost(member, names)
