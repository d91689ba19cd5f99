"""Matchers: which spans of the source express a unit, and how much of it."""

from dataclasses import asdict

from sqlalchemy import Connection

from chronoscore.workbench.domain import catalog, trees
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.judging import undone_key
from chronoscore.workbench.domain.actions.performing import Data, next_own_id, performs
from chronoscore.workbench.domain.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    StaleError,
)
from chronoscore.workbench.domain.fields import Id, Word
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import NOTHING
from chronoscore.workbench.store.source import TopicSource


@performs(catalog.MATCH_UNIT)
def match_unit(
    connection: Connection, topic: TopicAccess, source: TopicSource, unit: str, tree: object,
    *, done: bool, base: int, undoes: str = "",
) -> Data:  # fmt: skip
    """Keep a matcher's tree for a unit."""
    # Units and given anchors are frozen by now; reopening a step changes the version.
    state = (topic.version, topic.step)
    given = source.remember(
        "anchors", state,
        lambda: {anchor.id for anchor in units.anchors_of(connection, topic.id, set())},
    )  # fmt: skip
    parsed = trees.parse(tree)
    if not given.issuperset(trees.anchors(parsed)):
        # It may use anchors that the matcher added.
        trees.check_anchors(parsed, {anchor.id for anchor in units.anchors(connection, topic)})
    wanted = source.remember(
        "units", state,
        lambda: {one.id for one in units.units_to_match(connection, topic, topic.step)},
    )  # fmt: skip
    if unit not in wanted:
        raise NotFoundError
    before = units.own_matchings(connection, topic, unit).get(unit, NOTHING)
    if before.version != base:
        raise StaleError("this unit", {unit: asdict(before)})
    data = {"unit": unit, "tree": parsed, "done": done, "version": base + 1}
    return {**data, "before": asdict(before), **undone_key(undoes)}


@performs(catalog.MATCH_ADJUDICATE)
def adjudicate(connection: Connection, topic: TopicAccess, unit: Id, role: Word, base: int) -> Data:
    """Decide, as a manager, whose tree counts for a unit; without a role the first one's does."""
    matched = units.matchings_by_role(connection, topic)
    if unit not in matched["rematcher"] or role not in ("", *matched):
        raise InvalidError("choose the matching of the first or the second matcher")
    before = units.adjudicated_trees(connection, topic.id).get(unit, NOTHING)
    if before.version != base:
        raise StaleError("this unit", {unit: asdict(before)})
    tree = matched[role].get(unit, NOTHING).tree if role else NOTHING.tree
    data = {"unit": unit, "tree": tree, "done": bool(role), "version": base + 1}
    return {**data, "before": asdict(before)}


@performs(catalog.ANCHOR_ADD)
def add_anchor(
    connection: Connection, topic: TopicAccess, source: TopicSource, sentence: str, start: int,
    stop: int,
) -> Data:  # fmt: skip
    """Anchor a word or two of a sentence that no software had found."""
    if sentence not in source.by_id:
        raise InvalidError("no such sentence")
    if not 0 <= start < stop <= len(source.by_id[sentence].text):
        raise InvalidError("an anchor lies within its sentence")
    for anchor in units.anchors(connection, topic):
        if (anchor.sentence, anchor.start, anchor.stop) == (sentence, start, stop):
            raise ConflictError("these words are anchored already")
    name, _ = next_own_id(connection, topic, "a")
    return {"id": name, "sentence": sentence, "start": start, "stop": stop}


def count_unmatched(connection: Connection, topic: TopicAccess) -> int:
    """How many units the visitor has not finished in the current step."""
    own = units.own_matchings(connection, topic)
    wanted = units.units_to_match(connection, topic, topic.step)
    return sum(not own.get(unit.id, NOTHING).done for unit in wanted)
