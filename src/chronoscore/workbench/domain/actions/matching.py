"""Matchers: which spans of the source express a unit, and how much of it."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from chronoscore.workbench.domain import trees
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.recording import (
    expect_field_type,
    next_own_id,
    record_action,
    undone_key,
)
from chronoscore.workbench.domain.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    StaleError,
)
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import NOTHING
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource


@require_permission("match")
def match_unit(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, body: dict[str, Any]
) -> LogEntry:
    """Keep a matcher's tree for a unit."""
    unit = expect_field_type(body.get("unit"), str, "unit")
    # Units and given anchors are frozen by now; reopening a step changes the version.
    state = (topic.version, topic.step)
    wanted = source.remember(
        "units", state,
        lambda: {one.id for one in units.units_to_match(connection, topic, topic.step)},
    )  # fmt: skip
    if unit not in wanted:
        raise NotFoundError
    given = source.remember(
        "anchors", state,
        lambda: {anchor.id for anchor in units.anchors_of(connection, topic.id, set())},
    )  # fmt: skip
    try:
        tree = trees.parse_tree(body.get("tree"), given)
    except InvalidError:
        # It may use anchors that the matcher added.
        own = {anchor.id for anchor in units.anchors(connection, topic)}
        tree = trees.parse_tree(body.get("tree"), own)
    done = expect_field_type(body.get("done"), bool, "done")
    base = expect_field_type(body.get("base"), int, "base")
    before = units.own_matchings(connection, topic, unit).get(unit, NOTHING)
    if before.version != base:
        raise StaleError("this unit", {unit: asdict(before)})
    data = {"unit": unit, "tree": tree, "done": done, "version": base + 1}
    data |= {"before": asdict(before), **undone_key(body)}
    return record_action(connection, topic, "match", data, key)


@require_permission("match.adjudicate")
def adjudicate(
    connection: Connection, topic: TopicAccess, key: str, unit: str, role: str, base: int
) -> LogEntry:
    """Decide, as a manager, whose tree counts for a unit; without a role the first one's does."""
    matched = units.matchings_by_role(connection, topic)
    if unit not in matched["rematcher"] or role not in ("", *matched):
        raise InvalidError("choose the matching of the first or the second matcher")
    before = units.adjudicated_trees(connection, topic.id).get(unit, NOTHING)
    if before.version != base:
        raise StaleError("this unit", {unit: asdict(before)})
    tree = matched[role].get(unit, NOTHING).tree if role else NOTHING.tree
    data = {"unit": unit, "tree": tree, "done": bool(role), "version": base + 1}
    return record_action(
        connection, topic, "match.adjudicate", {**data, "before": asdict(before)}, key
    )


@require_permission("anchor.add")
def add_anchor(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, body: dict[str, Any]
) -> LogEntry:
    """Anchor a word or two of a sentence that no software had found."""
    sentence = source.by_id.get(expect_field_type(body.get("sentence"), str, "sentence"))
    if sentence is None:
        raise InvalidError("no such sentence")
    start = expect_field_type(body.get("start"), int, "start")
    stop = expect_field_type(body.get("stop"), int, "stop")
    if not 0 <= start < stop <= len(sentence.text):
        raise InvalidError("an anchor lies within its sentence")
    for anchor in units.anchors(connection, topic):
        if (anchor.sentence, anchor.start, anchor.stop) == (sentence.id, start, stop):
            raise ConflictError("these words are anchored already")
    name, _ = next_own_id(connection, topic, "a")
    data = {"id": name, "sentence": sentence.id, "start": start, "stop": stop}
    return record_action(connection, topic, "anchor.add", data, key)


def count_unmatched(connection: Connection, topic: TopicAccess) -> int:
    """How many units the visitor has not finished in the current step."""
    own = units.own_matchings(connection, topic)
    wanted = units.units_to_match(connection, topic, topic.step)
    return sum(not own.get(unit.id, NOTHING).done for unit in wanted)
