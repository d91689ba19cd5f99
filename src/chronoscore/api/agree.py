"""How far do judges, writers and matchers agree, and may a machine stand in for one of them?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TypeAlias, TypedDict, Unpack

from chronoscore.api.results import TableResult
from chronoscore.core import Collection, Pyramid, Topic
from chronoscore.data.arguments import Measures, Systems
from chronoscore.data.judges import people_topics
from chronoscore.data.machines import (
    Gathered,
    Machine,
    MachineSources,
    machine_sources,
    read_nuggets,
    split_nuggets,
)
from chronoscore.data.values import (
    are_paths,
    as_list,
    as_path,
    as_paths,
    is_missing,
)
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    describe_type,
    did_you_mean,
)
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.judgements import worklog
from chronoscore.options import Resampling
from chronoscore.options.agreement import AgreementOptions, Annotators
from chronoscore.options.declare import accepts, or_default, sort_keywords
from chronoscore.progress import track
from chronoscore.reports.agreement import VIEW, Agreement
from chronoscore.stats.machine import study_machine
from chronoscore.stats.machine_decisions import pair_decisions
from chronoscore.stats.machine_ranks import rank_systems
from chronoscore.stats.matching import study_matching
from chronoscore.stats.streams import study_streams
from chronoscore.stats.teams import study_units

Judgements: TypeAlias = (
    str | PathLike[str] | Collection | Topic | Sequence[str | PathLike[str] | Topic]
)
"""Where judgements are: paths, or topics that hold some."""


class AgreementKeywords(TypedDict, total=False):
    """Further keywords of `agree`, for type checkers."""

    events: bool
    log: str | PathLike[str] | None
    unchosen: int | None
    pool: int | None
    annotators: Annotators


@accepts(AgreementOptions)
def agree(
    judgements: Judgements,
    *,
    machine: Machine | None = None,
    systems: Systems | None = None,
    measures: Measures | None = None,
    resampling: Resampling | None = None,
    **options: Unpack[AgreementKeywords],
) -> TableResult[Agreement]:
    """Measure how far judges, writers and matchers agree.

    For streams: what the verifier accepted and how far the judges overlapped. For content
    units: weights, the shape of the pyramid, and every split of the writers into two teams.
    Two files with units of the same topic are two matchers. `unchosen` is the number of units
    that nobody chose, `pool` the number of candidates that both matchers saw; `log` names a
    file of topics, judges and times, from which hours are counted.

    `machine` names the authors that are machines, or files that machines wrote. Each is compared
    with each person and with the verified links, and tested whether it may replace a person;
    `annotators` says who the people are: experts, skilled or crowd. With `systems`, these are
    ranked by the machine's and by the people's judgements with `measures`.
    """
    known: AgreementOptions
    (known,) = sort_keywords(options, AgreementOptions)
    how = or_default(resampling, Resampling)
    if is_missing(systems):
        how.check_drawn()
    if machine is None:
        if not is_missing(systems) or measures is not None:
            raise UsageError("systems are ranked by a machine and by people; name the machine")
        given, studies, ranks = _gather(judgements), [], {}
    else:
        sources = machine_sources(machine)
        given, people = _gather_people(judgements, sources)
        decisions = pair_decisions(people, given.matchers, sources)
        machines = [(one, name) for one in decisions for name in one.machines]
        studies = [
            study_machine(one, name, how)
            for one, name in track("comparing machines with people", machines, len(machines))
        ]
        ranks = rank_systems(people, sources, systems, measures, how)
        given.topics = people_topics(given.topics.values(), sources.names)
    moments = {} if known.log is None else _hours_log(as_path(known.log, "log"), given)
    found = Agreement(
        streams=study_streams(given.topics.values(), moments),
        units=tuple(
            study_units(topic, topic.pyramid, unchosen=known.unchosen)
            for topic in given.topics.values()
            if topic.pyramid is not None
        ),
        matching=tuple(
            study_matching(topic, matchers[0], other, pool=known.pool)
            for topic, matchers in given.matchers.items()
            for other in matchers[1:]
        ),
        events=known.events,
        machines=tuple(studies),
        ranks=ranks,
        resampling=how,
        annotators=known.annotators,
    )
    return TableResult(found, VIEW)


@dataclass
class JudgedTopics:
    """Topics with what was judged of them; `matchers` are all files with a topic's units."""

    topics: dict[str, Topic] = field(default_factory=dict)
    matchers: dict[str, list[tuple[str, Pyramid]]] = field(default_factory=dict)
    linked: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, topic: Topic) -> None:
        """Join a topic with what is known of it; links of one topic come from one file."""
        known = self.topics.setdefault(topic.id, topic)
        if topic.judgements is not None and topic.judgements.events:
            if other := self.linked.get(topic.id):
                raise DataError(
                    f"topic '{topic.id}' has its events in {other} already; give one file",
                    place=place,
                )
            self.linked[topic.id] = place
            known = replace(known, judgements=topic.judgements)
        if topic.pyramid is not None:
            self.matchers.setdefault(topic.id, []).append((place, topic.pyramid))
            known = replace(known, pyramid=self.matchers[topic.id][0][1])
        self.topics[topic.id] = known


def _gather_people(
    judgements: Judgements, machine: MachineSources
) -> tuple[JudgedTopics, Gathered]:
    """What the people's files hold, nuggets apart; their authors may be machines too."""
    people = Gathered()
    rest: Judgements = judgements
    if are_paths(judgements):
        nuggets, others = split_nuggets(as_paths(judgements, "file of judgements"))
        read_nuggets(nuggets, people, machine, nameless="people")
        rest = others
    given = _gather(rest) if rest else JudgedTopics()
    people.topics = [
        (given.linked.get(name, "the judgements"), topic) for name, topic in given.topics.items()
    ]
    return given, people


def _gather(given: Judgements) -> JudgedTopics:
    """Everything that was judged, by topic."""
    together = JudgedTopics()
    for place, topic in _judged_in(given):
        together.add(place, topic)
    if not together.linked and not together.matchers:
        where = f"{as_paths(given)[0]}: holds" if are_paths(given) else "the topics hold"
        raise DataError(f"{where} neither events nor content units; give a file of judgements")
    return together


def _judged_in(given: Judgements) -> Iterator[tuple[str, Topic]]:
    """Each topic with the place that it comes from: files below the paths, or an argument."""
    if are_paths(given):
        named = [file for path in as_paths(given, "file of judgements") for file in _files(path)]
        for file in dict.fromkeys(named):
            yield from ((str(file), topic) for topic in judged_topics.load_judged_topics(file))
        return
    for number, topic in enumerate(as_list(given), 1):
        if not isinstance(topic, Topic):
            raise WrongTypeError(
                f"{describe_type(topic)} is not a judged topic; give paths or topics"
            )
        yield f"topic {number}", topic


def _files(path: Path) -> list[Path]:
    """The file itself, our own files below a directory, or the directory of a shared task."""
    if not path.exists():
        raise DataError("no such file or directory; check the path", place=path)
    if not path.is_dir():
        return [path]
    return judged_topics.find_judgement_files(path) or [path]


def _hours_log(path: Path, given: JudgedTopics) -> Mapping[tuple[str, str], Sequence[float]]:
    """When each judge worked on each topic; the log must be about topics that were given."""
    moments = worklog.load(path)
    for topic, _ in moments:
        if topic not in given.topics:
            raise DataError(
                f"no such topic '{topic}' in the judgements; {did_you_mean(topic, given.topics)}",
                place=path,
            )
    return moments
