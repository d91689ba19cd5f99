"""What the user passed, on its way to data: choose the measures, then read the files."""

import gc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from chronoscore.core import Collection, Ranking, Run, Summary, Timeline
from chronoscore.data.choice import (
    USUAL,
    Choice,
    as_measures,
    choose,
    usual_of_compat,
)
from chronoscore.data.documents import DocumentFiles
from chronoscore.data.look import Look
from chronoscore.data.reading import follow
from chronoscore.data.records import RecordFiles
from chronoscore.data.references import as_collection
from chronoscore.data.refusals import DataKind
from chronoscore.data.runs import as_runs
from chronoscore.data.stages import Data, JudgedData, RecordData
from chronoscore.data.values import are_paths, as_list, as_path, as_paths, is_missing
from chronoscore.errors import UsageError, warn
from chronoscore.formats.corpora import inputs as files
from chronoscore.formats.corpora.unreadable import LOOKED_AT, is_judged
from chronoscore.formats.io.files import read_start
from chronoscore.formats.io.opened import keep_files
from chronoscore.formats.summaries.record_layout import Columns, parse_record_columns
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure
from chronoscore.measures.function import FunctionMeasure
from chronoscore.options import RECORD_ROLES, Compat, ReadingRules, check_columns
from chronoscore.options.declare import or_default
from chronoscore.options.scoring import JudgedOptions, RecordOptions, SourceOptions

NOT_JUDGED, NO_RECORDS = JudgedOptions(), RecordOptions()


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

    @classmethod
    def of(
        cls,
        systems: Any,
        references: Any,
        sources: SourceOptions,
        judged: JudgedOptions = NOT_JUDGED,
        records: RecordOptions = NO_RECORDS,
    ) -> "Inputs":
        """The inputs from the options of a call, with paths and columns as such."""
        columns, reading = records.columns, or_default(sources.reading, ReadingRules)
        if not isinstance(columns, Columns):
            check_columns(columns)
            named = {**(reading.columns or {}), **(columns or {})}
            reading = replace(reading, columns=named or None)
            columns = {role: name for role, name in named.items() if role in RECORD_ROLES}
        return cls(
            systems=systems,
            references=references,
            originals=sources.originals,
            documents=_as_optional_path(sources.documents),
            judged=replace(
                judged,
                judgements=tuple(as_paths(judged.judgements)),
                units=tuple(as_paths(judged.units)),
                matches=_as_optional_path(judged.matches),
                duplicates=_as_optional_path(judged.duplicates),
            ),
            records=replace(
                records,
                columns=parse_record_columns(columns) if columns else None,
                shards=_as_optional_path(records.shards),
            ),
            reading=reading,
        )

    @cached_property
    def look(self) -> Look:
        """What a look at them finds."""
        return Look(
            systems=self.systems,
            references=self.references,
            originals=self.originals,
            judged=self.judged,
            record_options=self.records,
            reading=self.reading,
        )

    def keep_files(self) -> AbstractContextManager[None]:
        """Open no file twice meanwhile, whichever stage reads it."""
        return keep_files(self.look.opened)

    def choose(
        self, measures: Any = None, *, compat: Compat | None = None, jackknife: bool = False
    ) -> Choice:
        """The measures that were named, or the usual ones for what the files hold."""
        named = as_measures(measures) or self._usual_measures(compat)
        decided = [
            one.for_kind(self.look.kind)
            if isinstance(one, FunctionMeasure) and one.undecided
            else one
            for one in named
        ]
        choice = choose(decided, compat=compat, jackknife=jackknife, reading=self.reading)
        if choice.kind is Summary and is_missing(self.originals):
            self._warn_of_timelines(choice.measures[0] if as_list(measures) else None)
        return choice

    def _warn_of_timelines(self, asked: Measure | None) -> None:
        """Warn if the first system is a timeline that will be read as a plain text."""
        paths = as_paths(self.systems) if are_paths(self.systems) else []
        first = paths[0] if paths else None
        if first is not None and first.is_dir():
            first = next((one for one in sorted(first.iterdir()) if one.is_file()), None)
        if first is None or first.suffix not in ("", ".md", ".txt") or not first.is_file():
            return
        with follow(self.reading, look=True), keep_files(self.look.opened, look=True):
            if not timeline_files.holds_timeline(first):
                return
        given = as_paths(self.references) if are_paths(self.references) else []
        if any(is_judged(path) or _is_blank(path) for path in given):
            return  # Their reader says what is wrong with them.
        why = "the references are read as plain texts; give timelines as `references`"
        if asked is not None:
            why = f"'{asked}' is for texts; concat is ROUGE of a whole timeline"
        warn(f"{first}: is a timeline, and is scored as a text with its dates: {why}", kind="text")

    def _usual_measures(self, compat: Compat | None) -> list[Measure]:
        """The measures that are meant where none is named."""
        judged = bool(self.look.judgements)
        if usual := as_measures(usual_of_compat(compat)):
            return [one for one in usual if (one.needs is Ranking) == judged] or usual
        if not judged:
            return as_measures(USUAL[self.look.kind])
        if not self.judged.judgements:
            return as_measures("pyramid")
        with follow(self.reading), self.keep_files():
            topics = [*self.look.topics]
        judged = any(topic.judgements for topic in topics)
        only_units = not judged and any(topic.pyramid for topic in topics)
        return as_measures("pyramid" if only_units else USUAL[Ranking])

    def data_kind(self, choice: Choice) -> DataKind:
        """The kind of data, for the table of refused options."""
        if self.look.records is not None and self.look.records.takes(choice.measures):
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
        match self.data_kind(choice), self.look.records:
            case "records", RecordFiles() as found:
                kept = {"shards": self.records.shards, "resume": self.records.resume}
                return RecordData(files=found, choice=choice, documents=documents, **kept)
        with follow(choice.reading), self.keep_files(), _pause_garbage_collector():
            data = self._read(choice, documents)
            return replace(data, collection=documents.add_to(data.collection, choice.measures))

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
            collection, runs = self._read_updates(choice)
        else:
            collection, runs = self._read_outputs(choice)
        data = Data(collection=collection, runs=tuple(runs), choice=choice, documents=documents)
        return data.on_first_days() if choice.reading.coarse == "first" else data

    def _read_outputs(self, choice: Choice) -> tuple[Collection, list[Run]]:
        """Outputs and references of one kind, paired up by topic."""
        needs, repeated, rules = choice.kind, choice.repeated, choice.reading
        if are_paths(self.systems) and (is_missing(self.references) or are_paths(self.references)):
            paths = as_paths(self.systems), as_paths(self.references)
            return files.load(
                *paths, needs, repeated=repeated, reading=rules, edition=choice.edition
            )
        if choice.edition is not None:
            raise UsageError(f"`compat={choice.edition!r}` reads the track's own files; give paths")
        collection = as_collection(self.references, needs, repeated=repeated)
        return collection, as_runs(
            self.systems, collection, needs, repeated=repeated, reading=rules
        )

    def _read_updates(self, choice: Choice) -> tuple[Collection, list[Run]]:
        """Update summaries with their references and those of what was known before."""
        from chronoscore.formats.summaries import updates

        given = (self.systems, self.references, self.originals)
        if all(map(are_paths, given)):
            return updates.load(*map(as_paths, given))
        collection, runs = self._read_outputs(choice)
        return updates.join(collection, as_collection(self.originals, choice.kind), runs)

    def _read_judged(self) -> tuple[Collection, list[Run]]:
        """Judgements and rankings."""
        judged = self.look.judgements
        if not judged and (is_missing(self.references) or are_paths(self.references)):
            raise UsageError("rankings are scored against judgements; give `judgements` or `units`")
        if not judged:
            collection = as_collection(self.references, Ranking)
            return collection, as_runs(self.systems, collection, Ranking)
        collection = self.look.topics
        if are_paths(self.systems):
            from chronoscore.formats.corpora import judged_topics

            return collection, judged_topics.load_runs(as_paths(self.systems), judged, collection)
        return collection, as_runs(self.systems, collection, Ranking)


def _as_optional_path(value: object) -> Path | None:
    return None if value is None else as_path(value)


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


def _is_blank(path: Path) -> bool:
    """Whether a file holds nothing that could be read, as far as a look tells."""
    return not path.is_dir() and not read_start(path, LOOKED_AT).strip()
