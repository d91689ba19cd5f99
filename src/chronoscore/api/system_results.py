"""What systems made, by topic: printed, saved, and scored as a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from chronoscore.api.results import Result, Section
from chronoscore.core import Output, Ranking, Row, Run, Summary, Timeline
from chronoscore.data.values import as_path
from chronoscore.errors import UsageError, number_with_noun
from chronoscore.formats.judgements import rankings
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.conversion import safe_name
from chronoscore.progress import track
from chronoscore.reports.tables import Cell, Table

if TYPE_CHECKING:  # Scoring takes what systems made; it does not load them.
    from chronoscore.systems import System
    from chronoscore.systems.running import Failure


@dataclass(frozen=True)
class SystemResult(Result, Mapping[str, Output]):
    """What a system made, by topic: `score` takes it as one run of a system."""

    system: "System"
    outputs: Mapping[str, Output]
    failures: "tuple[Failure, ...]" = ()
    """Why some topics have no output."""
    asked: Mapping[str, int] = field(default_factory=dict)
    """How many dates each timeline should have, where that is known."""
    label: str = ""
    """The system as it was named, without the options that all systems share."""

    def __getitem__(self, topic: str) -> Output:
        return self.outputs[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    def by_system(self) -> "dict[str, SystemResult]":
        """The form in which `score` takes what systems wrote."""
        return {self.label or str(self.system): self}

    @property
    def run(self) -> Run:
        """The outputs as a run under the system's name."""
        return Run(str(self.system), self.outputs)

    def rows(self) -> Sequence[Row]:
        """A record for each sentence: system, topic, date where there is one, and text."""
        return [
            {"system": str(self.system), "topic": topic, **line}
            for topic, output in self.outputs.items()
            for line in _output_lines(output)
        ]

    def sections(self) -> Sequence[Section]:
        """A table for each topic."""
        tables = []
        for topic, output in self.outputs.items():
            lines = list(_output_lines(output))
            columns = tuple(lines[0]) if lines else ("text",)
            cells = tuple(tuple(Cell(str(line[name])) for name in columns) for line in lines)
            tables.append(("", Table(topic, columns, cells)))
        return tables

    def describe(self, folder: Path | None = None) -> str:
        """What was made, in a line, as in "chieu-lee: 1 timeline, 10 of 13 dates".

        The line names the folder or file that it was written to, if one is given.
        """
        count = len(self.outputs)
        made = list(self.outputs.values())
        parts = []
        if timelines := [one for one in made if isinstance(one, Timeline)]:
            parts.append(
                number_with_noun(len(timelines), "timeline") + f", {self.describe_dates()}"
            )
        if summaries := [one for one in made if isinstance(one, Summary)]:
            words = sum(len(text.split()) for one in summaries for text in one.sentences)
            parts.append(
                number_with_noun(len(summaries), "summary") + f", {number_with_noun(words, 'word')}"
            )
        if count > len(timelines) + len(summaries):
            chosen = sum(len(one) for one in made if isinstance(one, Ranking))
            parts.append(
                number_with_noun(count, "ranking") + f", {number_with_noun(chosen, 'item')}"
            )
        if self.failures:
            parts.append(f"{number_with_noun(len(self.failures), 'topic')} failed")
        if folder:
            parts.append(f"written to {folder}" if made else "nothing written")
        return f"{self.label or self.system}: {'; '.join(parts)}"

    def describe_dates(self) -> str:
        """How many dates there are of those asked for, with the topics that have fewer."""
        have = {t: len(one) for t, one in self.outputs.items() if isinstance(one, Timeline)}
        if not all(topic in self.asked for topic in have):
            return number_with_noun(sum(have.values()), "date")
        asked = sum(self.asked[topic] for topic in have)
        total = sum(have.values())
        if total > asked:
            return f"{number_with_noun(total, 'date')} where {asked} were asked for"
        short = [t for t in have if have[t] < self.asked[t]] if len(have) > 1 else []
        named = [f"'{topic}' {have[topic]} of {self.asked[topic]}" for topic in short[:5]]
        more = f", {len(short) - 5} more" if len(short) > 5 else ""
        return f"{total} of {number_with_noun(asked, 'date')}" + (
            f" ({', '.join(named)}{more})" * bool(named)
        )

    def text(self) -> str:
        """A single output as its file has it."""
        if self.system.makes is Ranking:
            raise UsageError("a ranking is a file; give `output`")
        if len(self.outputs) > 1:
            count = len(self.outputs)
            raise UsageError(f"{count} topics make {count} files; give a folder as `output`")
        (only,) = self.outputs.values()
        assert not isinstance(only, Ranking)
        if isinstance(only, Timeline):
            return timeline_files.write_timeline_text(only, "tilse")
        return "\n".join(only.sentences)

    def write_run(self, folder: str | PathLike[str]) -> None:
        """Write the outputs to a folder that `score` reads, a file for each topic."""
        home = as_path(folder, "folder")
        if self.system.makes is Ranking:
            file = home if home.suffix == ".jsonl" else home / "rankings.jsonl"
            name = home.resolve().name.removesuffix(".jsonl")
            rankings.save([Run(name, self.outputs)], file)
            return
        part = getattr(self.system, "part", "all")
        for topic, output in track("writing", self.outputs.items(), len(self.outputs)):
            file = (home if part == "all" else home / part) / f"{safe_name(topic)}.txt"
            if isinstance(output, Timeline):
                timeline_files.save(output, file, "tilse")
            elif not isinstance(output, Ranking):
                plain.save(output, file)


class SystemResults(Result, Mapping[str, SystemResult]):
    """What several systems made, by system: `score` takes it as their runs."""

    def __init__(self, results: Sequence[SystemResult]) -> None:
        self.results = {result.label or str(result.system): result for result in results}

    def __getitem__(self, system: str) -> SystemResult:
        return self.results[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def failures(self) -> "tuple[Failure, ...]":
        """Why some outputs are missing."""
        return tuple(one for result in self.values() for one in result.failures)

    def rows(self) -> Sequence[Row]:
        """A record for each sentence of each system."""
        return [row for result in self.values() for row in result.rows()]

    def sections(self) -> Sequence[Section]:
        """The tables of each system."""
        return [(system, table) for system in self for _, table in self[system].sections()]

    def describe(self, folder: Path | None = None) -> str:
        """What was made, a line for each system, and where it was written."""
        names = self._folder_names()
        return "\n".join(
            result.describe(folder and folder / names[system]) for system, result in self.items()
        )

    def text(self) -> str:
        """Refused: several outputs are several files."""
        raise UsageError(f"{len(self)} systems make {len(self)} runs; give a folder as `output`")

    def write_run(self, folder: str | PathLike[str]) -> None:
        """Write a run for each system to a folder of its own, named after the system."""
        home = as_path(folder, "folder")
        for system, own in self._folder_names().items():
            if self[system].outputs:
                self[system].write_run(home / own)

    def _folder_names(self) -> dict[str, str]:
        """A name for each system's folder; of equal names all but the first get a number."""
        names: dict[str, str] = {}
        for system in self:
            own = _folder_of(system)
            forms = (own, *(f"{own}-{number}" for number in range(2, len(self) + 1)))
            names[system] = next(form for form in forms if form not in names.values())
        return names


def _folder_of(label: str) -> str:
    """A short name for a system's folder: of a command, without the folders in it.

    >>> _folder_of("command: /usr/bin/python3 my/mine.py")
    'python3 mine.py'
    """
    from chronoscore.systems.user_systems import COMMAND

    words = label.removeprefix(COMMAND).split() if label.startswith(COMMAND) else [label]
    bare = " ".join(PurePath(word).name if len(words) > 1 else word for word in words)
    return safe_name(bare)[:80].strip()


def _output_lines(output: Output) -> Iterator[Mapping[str, str]]:
    """The sentences of a summary or timeline, or what a ranking chose."""
    if isinstance(output, Timeline):
        for entry in output.entries:
            for sentence in entry.sentences:
                yield {"date": str(entry.when), "text": sentence}
    elif isinstance(output, Ranking):
        for one in output:
            yield {"sentence": one.sentence, "score": str(one.score), "text": one.text}
    else:
        yield from ({"text": sentence} for sentence in output.sentences)
