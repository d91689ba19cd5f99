"""What the user passed, on its way to data: choose the measures, then read the files."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.core import Collection, Output, Ranking, Run, Summary, Timeline
from chronoscore.data import records
from chronoscore.data.choice import (
    USUAL,
    Choice,
    as_measures,
    choose,
    usual_of_compat,
)
from chronoscore.data.documents import DocumentFiles
from chronoscore.data.kinds import kind_of_inputs
from chronoscore.data.reading import follow
from chronoscore.data.records import RecordFiles
from chronoscore.data.references import as_collection
from chronoscore.data.refusals import DataKind
from chronoscore.data.runs import as_runs
from chronoscore.data.stages import Data, JudgedData, RecordData
from chronoscore.data.values import are_paths, as_path, as_paths, is_missing
from chronoscore.errors import UsageError
from chronoscore.formats.corpora import inputs as files
from chronoscore.formats.summaries.record_layout import Columns
from chronoscore.measures import Measure
from chronoscore.measures.function import FunctionMeasure
from chronoscore.options import Compat, ReadingRules

if TYPE_CHECKING:
    from chronoscore.formats.corpora.trects import TaskOptions

OptionalPath = str | PathLike[str] | None


@dataclass(frozen=True, kw_only=True)
class JudgedOptions:
    """Where judgements and content units are, and what a task's directory leaves open.

    Files say by their content whether they hold judgements or units; `units` is an older name
    that also chooses the measure.
    """

    judgements: tuple[Path, ...] = ()
    units: tuple[Path, ...] = ()
    pool: Any = None
    task: "TaskOptions | None" = None

    @classmethod
    def of(
        cls,
        judgements: Any = None,
        units: Any = None,
        pool: Any = None,
        matches: OptionalPath = None,
        duplicates: OptionalPath = None,
    ) -> "JudgedOptions":
        """The options from what was passed."""
        task = None
        if matches is not None or duplicates is not None:
            from chronoscore.formats.corpora.trects import TaskOptions

            named = (None if one is None else as_path(one) for one in (matches, duplicates))
            task = TaskOptions(*named)
        found = tuple(as_paths(judgements)), tuple(as_paths(units))
        return cls(judgements=found[0], units=found[1], pool=pool, task=task)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files and folders of judgements and units."""
        return (*self.judgements, *self.units)


@dataclass(frozen=True, kw_only=True)
class RecordOptions:
    """How files of records are read, and where the counts of finished blocks are kept."""

    columns: Columns | None = None
    shards: Path | None = None
    resume: bool = True

    @property
    def asked(self) -> bool:
        """Whether the user expects files of records."""
        return self.columns is not None or (self.shards is not None and self.resume)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Systems, references and whatever they are scored by, as they were passed."""

    systems: Any
    references: Any = None
    originals: Any = None
    documents: Path | None = None
    judged: JudgedOptions = field(default_factory=JudgedOptions)
    records: RecordOptions = field(default_factory=RecordOptions)
    reading: ReadingRules = field(default_factory=ReadingRules)
    _kept: dict[Path, bytes] = field(default_factory=dict, repr=False, compare=False)
    """Files that a look has opened already."""

    @cached_property
    def record_files(self) -> RecordFiles | None:
        """The files of records, if that is what the systems are."""
        others = (self.originals, self.judged.pool, self.judged.paths)
        if self.judged.task is not None or not all(map(is_missing, others)):
            return None
        return records.find(
            self.systems, self.references, self.records.columns, self.reading, self.records.asked
        )

    @cached_property
    def kind(self) -> type[Output]:
        """What the systems wrote, by a look at the first reference."""
        if self.record_files is not None:
            return Summary
        return kind_of_inputs(self.systems, self.references)

    @cached_property
    def judged_topics(self) -> Collection:
        """The topics that judgements and units are about."""
        # Formats of judged corpora take long to load; only judged data pay for them.
        from chronoscore.formats.corpora import judged_topics

        return judged_topics.load_collection(self.judged.paths, task=self.judged.task)

    def choose(
        self, measures: Any = None, *, compat: Compat | None = None, jackknife: bool = False
    ) -> Choice:
        """The measures that were named, or the usual ones for what the files hold."""
        with follow(self.reading, self._kept, look=True):
            named = as_measures(measures) or self._usual_measures(compat)
            decided = [
                one.for_kind(self.kind)
                if isinstance(one, FunctionMeasure) and one.undecided
                else one
                for one in named
            ]
            return choose(decided, compat=compat, jackknife=jackknife, reading=self.reading)

    def _usual_measures(self, compat: Compat | None) -> list[Measure]:
        """The measures that are meant where none is named."""
        if usual := usual_of_compat(compat):
            return as_measures(usual)
        if not self.judged.paths:
            return as_measures(USUAL[self.kind])
        if not self.judged.judgements:
            return as_measures("pyramid")
        topics = [*self.judged_topics]
        judged = any(topic.judgements for topic in topics)
        only_units = not judged and any(topic.pyramid for topic in topics)
        return as_measures("pyramid" if only_units else USUAL[Ranking])

    def data_kind(self, choice: Choice) -> DataKind:
        """The kind of data, for the table of refused options."""
        if self.record_files is not None and self.record_files.takes(choice.measures):
            return "records"
        if choice.kind is Ranking:
            return "judged topics"
        if choice.kind is Timeline:
            return "timelines"
        return "texts" if is_missing(self.originals) else "updates"

    def read(self, choice: Choice) -> Data | JudgedData | RecordData:
        """Read what the measures need; nothing else decodes files."""
        beside = as_paths(self.references) if are_paths(self.references) else []
        documents = DocumentFiles(self.documents, tuple(beside), choice.reading)
        match self.data_kind(choice), self.record_files:
            case "records", RecordFiles() as found:
                return RecordData(
                    files=found, choice=choice, documents=documents, shards=self.records.shards
                )
        with follow(choice.reading, self._kept), _pause_garbage_collector():
            data = self._read(choice, documents)
            data = replace(data, collection=documents.add_to(data.collection, choice.measures))
        self._kept.clear()
        return data

    def _read(self, choice: Choice, documents: DocumentFiles) -> Data | JudgedData:
        if choice.kind is Ranking:
            collection, runs = self._read_judged()
            return JudgedData(
                collection=collection,
                runs=tuple(runs),
                choice=choice,
                documents=documents,
                systems=self.systems,
                pool=self.judged.pool,
            )
        if not is_missing(self.originals):
            from chronoscore.formats.summaries import updates

            collection, runs = updates.load(
                as_paths(self.systems), as_paths(self.references), as_paths(self.originals)
            )
        else:
            collection, runs = self._read_outputs(choice)
        data = Data(collection=collection, runs=tuple(runs), choice=choice, documents=documents)
        return data.on_first_days() if choice.reading.coarse == "first" else data

    def _read_outputs(self, choice: Choice) -> tuple[Collection, list[Run]]:
        """Outputs and references of one kind, paired up by topic."""
        needs, repeated, rules = choice.kind, choice.repeated, choice.reading
        if are_paths(self.systems) and (is_missing(self.references) or are_paths(self.references)):
            paths = as_paths(self.systems), as_paths(self.references)
            return files.load(*paths, needs, repeated=repeated, reading=rules)
        collection = as_collection(self.references, needs, repeated=repeated)
        return collection, as_runs(
            self.systems, collection, needs, repeated=repeated, reading=rules
        )

    def _read_judged(self) -> tuple[Collection, list[Run]]:
        """Judgements and rankings."""
        judged = self.judged
        if not judged.paths and (is_missing(self.references) or are_paths(self.references)):
            raise UsageError("rankings are scored against judgements; give `judgements` or `units`")
        if not judged.paths:
            collection = as_collection(self.references, Ranking)
            return collection, as_runs(self.systems, collection, Ranking)
        if are_paths(self.systems):
            from chronoscore.formats.corpora import judged_topics

            collection = self.judged_topics
            paths = as_paths(self.systems)
            return collection, judged_topics.load_runs(paths, judged.paths, collection)
        return self.judged_topics, as_runs(self.systems, self.judged_topics, Ranking)


@contextmanager
def _pause_garbage_collector() -> Iterator[None]:
    """Do not look for cyclic garbage while many objects are made that all stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
