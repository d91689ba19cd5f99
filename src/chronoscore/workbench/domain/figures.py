"""The managers' figures, computed by the same code as `chronoscore agree`."""

import math
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from chronoscore.core import Pyramid, Topic
from chronoscore.errors import DataError
from chronoscore.stats.agreement import TopicAgreement, stream_agreement
from chronoscore.stats.corpora import TopicSize, topic_size
from chronoscore.stats.matching import MatchingAgreement, matching_agreement
from chronoscore.stats.teams import (
    TeamSplit,
    Unchosen,
    WeightCounts,
    alpha_of_cells,
    estimate_unchosen,
    team_splits,
    weight_counts,
)
from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.queries import stream, units
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.exchange import corpora
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.web.visit import not_here

CURVE_POINTS = 24


@dataclass(frozen=True)
class Judged:
    """A topic's agreement; acceptance counts only once the verifier is through."""

    place: Place
    agreed: TopicAgreement
    size: TopicSize
    verified: bool


@dataclass(frozen=True)
class Units:
    """What a topic's content units look like, and how far writers and matchers agree."""

    pyramid: Pyramid
    shape: WeightCounts
    unchosen: Unchosen
    splits: list[TeamSplit]
    why_no_splits: str
    curve: list[tuple[float, float]]
    matching: MatchingAgreement | None


def judged(connection: Connection, place: Place, source: Source) -> Judged:
    """A stream's agreement and size, live; never for anybody who must stay blind."""
    if not place.unblinded:
        raise not_here()
    topic: Topic = corpora.stream_topic(connection, place.id, source)
    assert topic.judgements is not None
    agreed = stream_agreement(topic.id, topic.judgements)
    hours = seconds(connection, place.id) / 3600
    verified = place.step == "final"
    size = topic_size(
        topic.id, topic.judgements, agreed=agreed if verified else None, hours=hours or math.nan
    )
    return Judged(place, agreed, size, verified)


def seconds(connection: Connection, topic: int) -> float:
    """The time that people spent on a topic, the sum over all of them."""
    table = tables.activity
    query = select(func.sum(table.c.seconds)).where(table.c.topic == topic)
    return float(connection.execute(query).scalar() or 0.0)


def share_done(
    connection: Connection, place: Place, step: str, person: int, source: Source
) -> float:
    """How much of a step somebody has done, for the managers; nan where nothing can be counted."""
    if not place.unblinded:
        raise not_here()
    if step == "identify":
        table = tables.reading
        query = (
            select(func.count())
            .select_from(table)
            .where(table.c.topic == place.id, table.c.person == person)
        )
        return _of(connection.execute(query).scalar() or 0, len(source.stories))
    if step == "link":
        own = stream.marks_by_judge(connection, place).get(person, {})
        done = sum(own.get(s.id, Mark()).decided for s in source.sentences)
        return _of(done, len(source.sentences))
    if step in ("match", "rematch"):
        role = "matcher" if step == "match" else "rematcher"
        matched = units.matchings_by_role(connection, place)[role]
        wanted = units.matched_units(connection, place, step)
        return _of(sum(one.id in matched and matched[one.id].done for one in wanted), len(wanted))
    return math.nan


def content_units(connection: Connection, place: Place, source: Source) -> Units:
    """A topic's pyramid, all splits of its writers, α and how it hangs on z."""
    if not place.unblinded or not place.over("make"):
        raise not_here()
    first = corpora.unit_topic(connection, place.id, source).pyramid
    second = corpora.unit_topic(connection, place.id, source, role="rematcher").pyramid
    assert first is not None
    assert second is not None
    unchosen = z_of(place, first, source)
    why = ""
    splits: list[TeamSplit] = []
    try:
        splits = team_splits(first, unchosen=unchosen.count)
    except DataError as error:
        why = str(error)
    matched: MatchingAgreement | None = None
    if place.step in ("rematch", "final"):
        try:
            pool = _pool(connection, place, first, second)
            matched = matching_agreement(first, second, pool=pool)
        except DataError:
            matched = None
    return Units(
        first,
        weight_counts(first),
        unchosen,
        splits,
        why,
        _sensitivity(splits, unchosen.count),
        matched,
    )


def z_of(place: Place, pyramid: Pyramid, source: Source) -> Unchosen:
    """The units that nobody chose: set by hand, or estimated from the sentences."""
    if place.z is not None:
        return Unchosen(round(place.z), "set by hand")
    used = {anchor.source for anchor in pyramid.anchors.values()}
    if not used:
        return Unchosen(0, "no unit is anchored yet, so nothing can be estimated")
    return estimate_unchosen(
        len(pyramid.units),
        sentences_with=len(used),
        sentences_without=len(source.sentences) - len(used),
    )


def _sensitivity(splits: list[TeamSplit], z: int) -> list[tuple[float, float]]:
    """The mean α over all splits for z from 0 to twice the estimate."""
    if not splits:
        return []
    most = max(2 * z, 20)
    points = []
    for step in range(CURVE_POINTS + 1):
        here = round(most * step / CURVE_POINTS)
        found = []
        for split in splits:
            cells = split.cells.copy()
            cells[0, 0] = here
            found.append(alpha_of_cells(cells))
        defined = [value for value in found if value == value]
        points.append((float(here), sum(defined) / len(defined) if defined else math.nan))
    return points


def _pool(connection: Connection, place: Place, first: Pyramid, second: Pyramid) -> int:
    """Every anchor of the source, once for each unit that both matched."""
    twice = {unit.id for unit in second.units if unit.group.members}
    both = sum(unit.id in twice and bool(unit.group.members) for unit in first.units)
    return both * len(units.anchors_of(connection, place.id, None))


def _of(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
