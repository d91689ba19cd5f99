"""What a look at the arguments finds before anything is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from chronoscore.core import Collection, Output, Summary
from chronoscore.data import records
from chronoscore.data.kinds import kind_of_inputs, kind_of_updates
from chronoscore.data.reading import follow
from chronoscore.data.records import RecordFiles
from chronoscore.data.values import are_paths, as_paths, is_missing
from chronoscore.formats.io.opened import OpenedFiles, keep_files
from chronoscore.options import ReadingRules
from chronoscore.options.scoring import JudgedOptions, RecordOptions


@dataclass(frozen=True, kw_only=True)
class Look:
    """What the arguments are, each found when it is first asked for and never again.

    Files that were opened on the way are handed on to their readers.
    """

    systems: Any
    references: Any
    originals: Any
    judged: JudgedOptions
    record_options: RecordOptions
    reading: ReadingRules
    opened: OpenedFiles = field(default_factory=OpenedFiles, repr=False, compare=False)

    @property
    def judgements(self) -> tuple[Path, ...]:
        """All files and folders of judgements and units."""
        return (*(self.judged.judgements or ()), *(self.judged.units or ()))

    @cached_property
    def records(self) -> RecordFiles | None:
        """The files of records, if that is what the systems are."""
        if not all(map(is_missing, (self.originals, *vars(self.judged).values()))):
            return None
        with self._looking():
            return records.find(self.systems, self.references, self.record_options, self.reading)

    @cached_property
    def kind(self) -> type[Output]:
        """What the systems wrote, by a look at the first reference."""
        if self.records is not None:
            return Summary
        with self._looking():
            if not is_missing(self.originals) and are_paths(self.references):
                return kind_of_updates(as_paths(self.references))
            return kind_of_inputs(self.systems, self.references)

    @cached_property
    def topics(self) -> Collection:
        """The topics that judgements and units are about."""
        # Formats of judged corpora take long to load; only judged data pay for them.
        from chronoscore.formats.corpora import judged_topics
        from chronoscore.formats.corpora.trects import TaskOptions

        task = TaskOptions(self.judged.matches, self.judged.duplicates)
        return judged_topics.load_collection(
            self.judgements, task=None if task == TaskOptions() else task
        )

    @contextmanager
    def _looking(self) -> Iterator[None]:
        with follow(self.reading, look=True), keep_files(self.opened, look=True):
            yield
