"""The managers' figures, computed by the same code as `chronoscore agree`."""

import math
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select

from chronoscore.core import Judgements, Link, Pyramid
from chronoscore.errors import DataError
from chronoscore.stats.agreement import TopicAgreement, stream_agreement
from chronoscore.stats.chance import ChanceCorrected, LinkAgreement, link_agreement
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
from chronoscore.workbench.domain import accounts, corpora, unit_corpora
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.judging import all_verifier_items
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.queries import people, stream, units
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.source import TopicSource

CURVE_POINTS = 24


@dataclass(frozen=True)
class StreamFigures:
    """A topic's agreement; acceptance counts only once the verifier is through."""

    topic: TopicAccess
    agreed: TopicAgreement
    size: TopicSize
    verified: bool
    chance: LinkAgreement | None
    machines: dict[str, dict[str, ChanceCorrected]]
    repeated: dict[str, tuple[int, int]]

    @property
    def compared(self) -> list[str]:
        """Whom κ compares: the judges, then machines, which are compared with judges only."""
        pairs = self.chance.kappas if self.chance else {}
        return [*dict.fromkeys(name for pair in pairs for name in pair), *self.machines]

    def kappa(self, one: str, two: str) -> ChanceCorrected | None:
        """κ of two who were compared."""
        if two in self.machines:
            return self.machines[two].get(one)
        pairs = self.chance.kappas if self.chance else {}
        return pairs.get((one, two)) or pairs.get((two, one))


@dataclass(frozen=True)
class UnitFigures:
    """What a topic's content units look like, and how far writers and matchers agree."""

    pyramid: Pyramid
    shape: WeightCounts
    unchosen: Unchosen
    splits: list[TeamSplit]
    why_no_splits: str
    curve: list[tuple[float, float]]
    matching: MatchingAgreement | None


def compute_stream(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> StreamFigures:
    """A stream's agreement and size, live; never for visitors who must stay blind."""
    judged = corpora.build_topic(connection, topic.require_sight().id, source)
    assert judged.judgements is not None
    agreed = stream_agreement(judged.id, judged.judgements)
    hours = corpora.hours(connection, topic.id)
    verified = topic.step == "final"
    size = topic_size(
        judged.id, judged.judgements, agreed=agreed if verified else None, hours=hours or math.nan
    )
    chance = None
    if topic.over("link"):
        # Undecided is not off: before all have handed in, nothing can be compared.
        names = accounts.names(connection, people.people_with_role(connection, topic.id, "judge"))
        chance = link_agreement(judged.judgements, names.values())
    machines = _machines(connection, topic, judged.judgements) if chance else {}
    repeated = self_agreement(connection, topic)
    return StreamFigures(topic, agreed, size, verified, chance, machines, repeated)


def _machines(
    connection: Connection, topic: TopicAccess, judged: Judgements
) -> dict[str, dict[str, ChanceCorrected]]:
    """κ of each machine with each judge, on the same sentences and events."""
    found = {}
    for machine, links in stream.machine_judges(connection, topic).items():
        own = tuple(
            Link(
                sentence=sentence, event=corpora.full_id(topic.name, event),
                marked_by=(machine,), kept=False,
            )
            for sentence, events in links.items()
            for event in events or ()
        )  # fmt: skip
        # Sentences on which the machine abstained are compared with nobody.
        unsure = {sentence for sentence, events in links.items() if events is None}
        compared = replace(
            judged,
            sentences=tuple(name for name in judged.sentences if name not in unsure),
            links=tuple(link for link in (*judged.links, *own) if link.sentence not in unsure),
        )
        kappas = link_agreement(compared, [machine]).kappas
        found[machine] = {
            one if two == machine else two: kappa
            for (one, two), kappa in kappas.items()
            if machine in (one, two)
        }
    return found


def self_agreement(connection: Connection, topic: TopicAccess) -> dict[str, tuple[int, int]]:
    """For each judge, how many of the sentences decided twice got the same decision, and of all."""
    marks = stream.marks_by_judge(connection, topic)
    repeated = stream.repeats_by_judge(connection, topic)
    names = accounts.names(connection, set(repeated))
    return {
        names[judge]: (
            sum(
                {event for event, _ in marks.get(judge, {}).get(name, Mark()).links} == links
                for name, links in again.items()
            ),
            len(again),
        )
        for judge, again in repeated.items()
    }


def share_done(
    connection: Connection, topic: TopicAccess, step: str, person: int, source: TopicSource
) -> float:
    """How much of a step a person has done, for managers; nan where nothing can be counted."""
    topic.require_unblinded()
    if step == "identify":
        table = tables.reading
        query = (
            select(func.count())
            .select_from(table)
            .where(table.c.topic == topic.id, table.c.person == person)
        )
        return _of(connection.execute(query).scalar() or 0, len(source.stories))
    if step == "link":
        own = stream.all_marks(connection, topic.id).get(person, {})
        done = sum(own.get(s.id, Mark()).decided for s in source.sentences)
        return _of(done, len(source.sentences))
    if step == "verify":
        items = all_verifier_items(connection, topic.id, source)
        verdicts = stream.verifier_verdicts(connection, topic.id)
        marked = [(event, item.id) for event, inside in items.items() for item in inside]
        done = sum(one in verdicts and verdicts[one].kept is not None for one in marked)
        return _of(done, len(marked))
    if step in ("match", "rematch"):
        role = "matcher" if step == "match" else "rematcher"
        matched = units.all_matchings(connection, topic.id)[role]
        wanted = units.units_to_match(connection, topic, step)
        return _of(sum(one.id in matched and matched[one.id].done for one in wanted), len(wanted))
    return math.nan


def compute_units(connection: Connection, topic: TopicAccess, source: TopicSource) -> UnitFigures:
    """A topic's pyramid, all splits of its writers, α and how it depends on z."""
    if not topic.require_sight().over("make"):
        raise NotFoundError
    first = unit_corpora.build_topic(connection, topic.id, source, role="matcher").pyramid
    second = unit_corpora.build_topic(connection, topic.id, source, role="rematcher").pyramid
    assert first is not None
    assert second is not None
    unchosen = _unchosen_units(topic, first, source)
    why = ""
    splits: list[TeamSplit] = []
    try:
        splits = team_splits(first, unchosen=unchosen.count)
    except DataError as error:
        why = str(error)
    matched: MatchingAgreement | None = None
    if topic.step in ("rematch", "final"):
        try:
            pool = _pool(connection, topic, first, second)
            matched = matching_agreement(first, second, pool=pool)
        except DataError:
            matched = None
    return UnitFigures(
        first,
        weight_counts(first),
        unchosen,
        splits,
        why,
        _sensitivity(splits, unchosen.count),
        matched,
    )


def _unchosen_units(topic: TopicAccess, pyramid: Pyramid, source: TopicSource) -> Unchosen:
    """The units that nobody chose: set by hand, or estimated from the sentences."""
    if topic.z is not None:
        return Unchosen(round(topic.z), "set by hand")
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
        alphas = []
        for split in splits:
            cells = split.cells.copy()
            cells[0, 0] = here
            alphas.append(alpha_of_cells(cells))
        defined = [value for value in alphas if value == value]
        points.append((float(here), sum(defined) / len(defined) if defined else math.nan))
    return points


def _pool(connection: Connection, topic: TopicAccess, first: Pyramid, second: Pyramid) -> int:
    """Every anchor of the source, once for each unit that both matched."""
    twice = {unit.id for unit in second.units if unit.group.members}
    both = sum(unit.id in twice and bool(unit.group.members) for unit in first.units)
    return both * len(units.anchors_of(connection, topic.id, None))


def _of(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
