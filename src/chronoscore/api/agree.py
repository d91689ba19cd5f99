"""How far do judges, writers and matchers agree?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import ClassVar, TypeAlias

from chronoscore.api.arguments import check_whole
from chronoscore.api.results import Result, Section, path_of
from chronoscore.api.values import are_paths, as_list, paths_of
from chronoscore.core import Collection, Pyramid, Row, Topic
from chronoscore.errors import DataError, WrongTypeError, describe_type, did_you_mean
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.io.files import lines
from chronoscore.formats.judgements import worklog
from chronoscore.formats.judgements.rows import FORMAT
from chronoscore.reports import agreement as report
from chronoscore.stats.corpora import StreamStudy, study_streams
from chronoscore.stats.matching import MatchingStudy, study_matching
from chronoscore.stats.teams import UnitStudy, study_units

Judgements: TypeAlias = (
    str | PathLike[str] | Collection | Topic | Sequence[str | PathLike[str] | Topic]
)
"""Where judgements are: paths, or topics that hold some."""

LOOKED_AT = 4096
"""Bytes of a file's first line that must name the format."""


@dataclass(frozen=True, kw_only=True)
class AgreementResult(Result):
    """Agreement on streams, on content units, and between matchers of the same topic."""

    title: ClassVar[str] = "Agreement"

    streams: StreamStudy
    units: tuple[UnitStudy, ...]
    matching: tuple[MatchingStudy, ...]
    events: bool = False
    """Whether tables show every event where there are several topics."""

    def rows(self) -> Sequence[Row]:
        """Flat records of all that was found."""
        return [
            *report.stream_rows(self.streams),
            *(row for each in self.units for row in report.unit_rows(each)),
            *(row for each in self.matching for row in report.matching_rows(each)),
        ]

    def sections(self) -> Sequence[Section]:
        """The judging papers' tables."""
        tables = report.tables(self.streams, self.units, self.matching, events=self.events)
        return [("", table) for table in tables]


def agree(
    judgements: Judgements,
    *,
    events: bool = False,
    log: str | PathLike[str] | None = None,
    unchosen: int | None = None,
    pool: int | None = None,
) -> AgreementResult:
    """Measure how far judges, writers and matchers agree.

    For streams: what the verifier accepted and how far the judges overlapped. For content
    units: weights, the shape of the pyramid, and every split of the writers into two teams.
    Two files with units of the same topic are two matchers. `unchosen` is the number of units
    that nobody chose, `pool` the number of candidates that both matchers saw; `log` names a
    file of topics, judges and times, from which hours are counted.
    """
    for name, number in (("unchosen units", unchosen), ("pool", pool)):
        check_whole(name, number, least=0)
    given = gather(judgements)
    moments = {} if log is None else hours_log(path_of(log, "log"), given)
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


def gather(given: Judgements) -> JudgedTopics:
    """Everything that was judged, by topic."""
    together = JudgedTopics()
    for place, topic in judged_in(given):
        together.add(place, topic)
    if not together.linked and not together.matchers:
        where = f"{paths_of(given)[0]}: holds" if are_paths(given) else "the topics hold"
        raise DataError(f"{where} neither events nor content units; give a file of judgements")
    return together


def judged_in(given: Judgements) -> Iterator[tuple[str, Topic]]:
    """Each topic with the place that it comes from: files below the paths, or an argument."""
    if are_paths(given):
        named = [file for path in paths_of(given, "file of judgements") for file in files(path)]
        for file in dict.fromkeys(named):
            yield from ((str(file), topic) for topic in judged_topics.topics_of(file))
        return
    for number, topic in enumerate(as_list(given), 1):
        if not isinstance(topic, Topic):
            raise WrongTypeError(
                f"{describe_type(topic)} is not a judged topic; give paths or topics"
            )
        yield f"topic {number}", topic


def files(path: Path) -> list[Path]:
    """The file itself, our own files below a directory, or the directory of a shared task."""
    if not path.exists():
        raise DataError(f"{path}: no such file or directory; check the path")
    if not path.is_dir():
        return [path]
    own = sorted(file for file in path.rglob("*.jsonl*") if file.is_file() and is_ours(file))
    return own or [path]


def is_ours(path: Path) -> bool:
    """Whether the first line says that the file holds judgements."""
    try:
        _, first = next(lines(path))
    except DataError:
        return False
    return FORMAT.encode() in first[:LOOKED_AT]


def hours_log(path: Path, given: JudgedTopics) -> Mapping[tuple[str, str], Sequence[float]]:
    """When each judge worked on each topic; the log must be about topics that were given."""
    moments = worklog.load(path)
    for topic, _ in moments:
        if topic not in given.topics:
            raise DataError(
                f"{path}: no such topic '{topic}' in the judgements; "
                f"{did_you_mean(topic, given.topics)}"
            )
    return moments
