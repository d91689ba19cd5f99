"""How far do judges, writers and matchers agree, and may a machine stand in for one of them?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from chronoscore.api.arguments import check_optional
from chronoscore.api.inputs import is_argument_missing
from chronoscore.api.judges import people_topics
from chronoscore.api.machine import (
    Gathered,
    Machine,
    MachineSources,
    machine_decisions,
    machine_sources,
    read_nuggets,
    split_nuggets,
)
from chronoscore.api.ranks import rank_systems
from chronoscore.api.results import Result, Section, as_path, save_result_plot
from chronoscore.api.scoring import check_resampling_argument
from chronoscore.api.values import are_path_arguments, as_list, as_paths
from chronoscore.core import Collection, Pyramid, Row, Topic
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    check_choice,
    describe_type,
    did_you_mean,
)
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.judgements import worklog
from chronoscore.progress import track
from chronoscore.reports import agreement as report
from chronoscore.reports import machine as machine_report
from chronoscore.stats.alt_test import EPSILONS
from chronoscore.stats.corpora import StreamStudy, study_streams
from chronoscore.stats.corpus import Resampling
from chronoscore.stats.correlate import Correlated
from chronoscore.stats.machine import MachineStudy, study_machine
from chronoscore.stats.matching import MatchingStudy, study_matching
from chronoscore.stats.teams import UnitStudy, study_units

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Judgements: TypeAlias = (
    str | PathLike[str] | Collection | Topic | Sequence[str | PathLike[str] | Topic]
)
"""Where judgements are: paths, or topics that hold some."""

Annotators: TypeAlias = Literal["experts", "skilled", "crowd"]
"""Who the people are: the less they cost, the less a machine may be behind them."""


@dataclass(frozen=True, kw_only=True)
class AgreementResult(Result):
    """Agreement on streams, on content units, and between matchers of the same topic."""

    title: ClassVar[str] = "Agreement"

    streams: StreamStudy
    units: tuple[UnitStudy, ...]
    matching: tuple[MatchingStudy, ...]
    events: bool = False
    """Whether tables show every event where there are several topics."""
    machines: tuple[MachineStudy, ...] = ()
    ranks: Mapping[str, tuple[Correlated, ...]] = field(default_factory=dict)
    """By machine: how systems' scores correlate under the machine and under people."""
    resampling: Resampling = field(default_factory=Resampling)
    annotators: Annotators = "experts"

    def rows(self) -> Sequence[Row]:
        """Flat records of all that was found."""
        found = [
            *report.stream_rows(self.streams),
            *(row for each in self.units for row in report.unit_rows(each)),
            *(row for each in self.matching for row in report.matching_rows(each)),
        ]
        if not self.machines:
            return found
        blank: Row = {"low": math.nan, "high": math.nan}
        return [
            *({**row, **blank} for row in found),
            *(row for each in self.machines for row in machine_report.machine_rows(each)),
            *(
                row
                for name, ranks in self.ranks.items()
                for row in machine_report.rank_rows(name, ranks)
            ),
        ]

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw how far judges, writers, matchers and machines agree, a panel for each."""
        from chronoscore.reports.panel_plots import dot_plot

        panels = report.agreement_panels(self.streams, self.units, self.matching)
        figure = dot_plot([*panels, *map(machine_report.machine_panel, self.machines)])
        return save_result_plot(figure, path)

    def sections(self) -> Sequence[Section]:
        """The judging papers' tables, then each machine against people."""
        tables = report.agreement_tables(
            self.streams, self.units, self.matching, events=self.events
        )
        for study in self.machines:
            tables += machine_report.machine_tables(study, self.resampling, self.annotators)
        for name, ranks in self.ranks.items():
            tables.append(machine_report.rank_table(name, ranks, self.resampling.level))
        return [("", table) for table in tables]


def agree(
    judgements: Judgements,
    *,
    events: bool = False,
    log: str | PathLike[str] | None = None,
    unchosen: int | None = None,
    pool: int | None = None,
    machine: Machine | None = None,
    annotators: Annotators = "experts",
    systems: Any = None,
    measures: Any = None,
    resampling: Resampling | None = None,
) -> AgreementResult:
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
    for name, number in (("unchosen units", unchosen), ("pool", pool)):
        check_optional(number, name, least=0)
    check_choice(annotators, EPSILONS, "kind of annotators")
    how = check_resampling_argument(resampling)
    if machine is None:
        if not is_argument_missing(systems) or measures is not None:
            raise UsageError("systems are ranked by a machine and by people; name the machine")
        given, studies, ranks = _gather(judgements), [], {}
    else:
        sources = machine_sources(machine)
        given, people = _gather_people(judgements, sources)
        decisions = machine_decisions(people, given.matchers, sources)
        machines = [(one, name) for one in decisions for name in one.machines]
        studies = [
            study_machine(one, name, how)
            for one, name in track("comparing machines with people", machines, len(machines))
        ]
        ranks = rank_systems(people, sources, systems, measures, how)
        given.topics = people_topics(given.topics.values(), sources.names)
    moments = {} if log is None else _hours_log(as_path(log, "log"), given)
    return AgreementResult(
        streams=study_streams(given.topics.values(), moments),
        units=tuple(
            study_units(topic, topic.pyramid, unchosen=unchosen)
            for topic in given.topics.values()
            if topic.pyramid is not None
        ),
        matching=tuple(
            study_matching(topic, matchers[0], other, pool=pool)
            for topic, matchers in given.matchers.items()
            for other in matchers[1:]
        ),
        events=events,
        machines=tuple(studies),
        ranks=ranks,
        resampling=how,
        annotators=annotators,
    )


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
                    f"{place}: topic '{topic.id}' has its events in {other} already; give one file"
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
    if are_path_arguments(judgements):
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
        where = f"{as_paths(given)[0]}: holds" if are_path_arguments(given) else "the topics hold"
        raise DataError(f"{where} neither events nor content units; give a file of judgements")
    return together


def _judged_in(given: Judgements) -> Iterator[tuple[str, Topic]]:
    """Each topic with the place that it comes from: files below the paths, or an argument."""
    if are_path_arguments(given):
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
        raise DataError(f"{path}: no such file or directory; check the path")
    if not path.is_dir():
        return [path]
    return judged_topics.find_judgement_files(path) or [path]


def _hours_log(path: Path, given: JudgedTopics) -> Mapping[tuple[str, str], Sequence[float]]:
    """When each judge worked on each topic; the log must be about topics that were given."""
    moments = worklog.load(path)
    for topic, _ in moments:
        if topic not in given.topics:
            raise DataError(
                f"{path}: no such topic '{topic}' in the judgements; "
                f"{did_you_mean(topic, given.topics)}"
            )
    return moments
