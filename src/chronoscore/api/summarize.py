"""Run a baseline or a published system on documents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Any, Literal, get_args

from chronoscore.api.arguments import check_choice, check_text, check_whole
from chronoscore.api.inputs import collection_of
from chronoscore.api.results import Result, Section, path_of, table_rows
from chronoscore.api.sources import Sources, collection_from, load_documents
from chronoscore.api.values import are_paths, as_list, paths_of
from chronoscore.core import Output, Ranking, Row, Run, Timeline, Topic
from chronoscore.errors import UsageError, WrongTypeError, describe_type
from chronoscore.formats.judgements import rankings
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.conversion import safe_name
from chronoscore.reports.systems import baseline_table, pair_table, system_table
from chronoscore.reports.tables import Cell, Table
from chronoscore.scoring import Progress
from chronoscore.systems import System, get, sources
from chronoscore.systems.unit_scores import BaselineScores, baseline_scores
from chronoscore.systems.units import UnitBaseline, article_of

Part = Literal["all", "original", "update"]


@dataclass(frozen=True)
class SystemList(Result):
    """All systems, with what they make and where they come from."""

    def rows(self) -> Sequence[Row]:
        """A record for each system."""
        return table_rows(system_table())

    def sections(self) -> Sequence[Section]:
        """The one table."""
        return [("", system_table())]


def list_systems() -> SystemList:
    """The systems that `summarize` runs."""
    return SystemList()


@dataclass(frozen=True)
class SystemResult(Result, Mapping[str, Output]):
    """What a system made, by topic: `score` takes it as one run of a system."""

    system: System
    outputs: Mapping[str, Output]

    def __getitem__(self, topic: str) -> Output:
        return self.outputs[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def run(self) -> Run:
        """The outputs as a run under the system's name."""
        return Run(str(self.system), self.outputs)

    def rows(self) -> Sequence[Row]:
        """A record for each sentence: system, topic, date where there is one, and text."""
        return [
            {"system": str(self.system), "topic": topic, **line}
            for topic, output in self.outputs.items()
            for line in output_lines(output)
        ]

    def sections(self) -> Sequence[Section]:
        """A table for each topic."""
        tables = []
        for topic, output in self.outputs.items():
            lines = list(output_lines(output))
            columns = tuple(lines[0]) if lines else ("text",)
            cells = tuple(tuple(Cell(str(line[name])) for name in columns) for line in lines)
            tables.append(("", Table(topic, columns, cells)))
        return tables

    def text(self) -> str:
        """A single output as its file has it."""
        if self.system.makes is Ranking:
            raise UsageError("a ranking is a file; give -o")
        if len(self.outputs) > 1:
            count = len(self.outputs)
            raise UsageError(f"{count} topics make {count} files; give a folder with -o")
        (only,) = self.outputs.values()
        assert not isinstance(only, Ranking)
        if isinstance(only, Timeline):
            return timeline_files.write_content(only, "tilse")
        return "\n".join(only.sentences)

    def write_run(self, folder: str | PathLike[str]) -> None:
        """Write the outputs to a folder that `score` reads, a file for each topic."""
        home = path_of(folder, "folder")
        if self.system.makes is Ranking:
            file = home if home.suffix == ".jsonl" else home / "rankings.jsonl"
            name = home.resolve().name.removesuffix(".jsonl")
            rankings.save([Run(name, self.outputs)], file)
            return
        part = getattr(self.system, "part", "all")
        for topic, output in self.outputs.items():
            file = (home if part == "all" else home / part) / f"{safe_name(topic)}.txt"
            if isinstance(output, Timeline):
                timeline_files.save(output, file, "tilse")
            elif not isinstance(output, Ranking):
                plain.save(output, file)


def output_lines(output: Output) -> Iterator[Mapping[str, str]]:
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


def summarize(
    documents: Sources,
    system: str | System = "datewise",
    *,
    dates: int | None = None,
    sentences: int | None = None,
    words: int | None = None,
    part: Part | None = None,
    at: str | None = None,
    n: int | None = None,
    like: Any = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> SystemResult:
    """Run a system on documents and give what it makes for each topic.

    `like` are references that a timeline should be as long as, or that an oracle looks at.
    Parameters of the system may also stand in its text, as in "datewise(dates=10)".
    """
    for name, number in (("dates", dates), ("sentences", sentences), ("words", words), ("n", n)):
        check_whole(name, number)
    if part is not None:
        check_choice("part", part, get_args(Part))
    check_text("at", at)
    check_whole("seed", seed, least=0, optional=False)
    made = configure(
        system,
        {
            "dates": dates,
            "sentences": sentences,
            "words": words,
            "part": part,
            "at": at,
            "n": n,
        },
        like=bool(as_list(like)),
        seed=seed,
    )
    return SystemResult(made, run_system(made, documents, like, progress))


def configure(
    given: str | System, parameters: Mapping[str, str | int | None], *, like: bool, seed: int
) -> System:
    """The system with the parameters that were given."""
    if not isinstance(given, str | System):
        raise WrongTypeError(
            f"{describe_type(given)} is not a system; give its name, as in 'datewise'"
        )
    system = get(given) if isinstance(given, str) else given
    known = {field.name for field in fields(system)}
    changes = {name: value for name, value in parameters.items() if value is not None}
    for name in changes:
        if name not in known:
            raise UsageError(f"system '{system.name}' has no parameter '{name}'; leave it out")
    if "seed" in known and isinstance(given, str) and "seed=" not in given:
        changes["seed"] = seed
    if like and "dates" not in known and not system.oracle:
        raise UsageError(f"'like' is only for timelines, and '{system.name}' makes none")
    if system.oracle and not like:
        raise UsageError(f"'{system.name}' looks at references; give them with --like")
    return system.with_parameters(**changes)


def run_system(
    system: System, documents: Sources, like: Any, progress: Progress | None
) -> dict[str, Output]:
    """The outputs by topic."""
    if isinstance(system, UnitBaseline):
        tagged = sources.tagged_texts(paths_of(documents)) if are_paths(documents) else []
        given = tagged or load_documents(documents)
        return system.select_all([article_of(source) for source in given])
    topics = load_documents(documents)
    if as_list(like):
        topics = sources.with_references(topics, collection_of(like, system.makes).topics)
    outputs: dict[str, Output] = {}
    for number, topic in enumerate(topics):
        if progress:
            progress(number, len(topics))
        others = tuple(d for other in topics if other is not topic for d in other.documents)
        outputs[topic.id] = system(topic, background=others)
    return outputs


@dataclass(frozen=True)
class BaselineResult(Result):
    """The pyramid scores of the content-unit baselines, and a test of each pair."""

    scores: BaselineScores

    def rows(self) -> Sequence[Row]:
        """A record for each baseline and article."""
        return [
            {"baseline": number, "topic": article, "value": value}
            for number, values in zip(self.scores.baselines, self.scores.values, strict=True)
            for article, value in zip(self.scores.articles, values.tolist(), strict=True)
        ]

    def sections(self) -> Sequence[Section]:
        """The paper's Table 3, and the p of each pair."""
        return [("", baseline_table(self.scores)), ("", pair_table(self.scores))]


def unit_baselines(
    documents: Sources,
    units: Any,
    *,
    n: int | None = None,
    runs: int = 100,
    seed: int = 1,
    progress: Progress | None = None,
) -> BaselineResult:
    """Score all content-unit baselines on documents, and test each pair.

    `units` are files of content units, or topics that hold some; `n` is the number of events
    to choose, and `runs` how often random baselines are run.
    """
    check_whole("n", n)
    check_whole("runs", runs, optional=False)
    if not as_list(units):
        raise UsageError("unit-baselines are scored; give content units with --units")
    texts = sources.tagged_texts(paths_of(documents)) if are_paths(documents) else []
    topics = [Topic(id=text.id) for text in texts] or load_documents(documents)
    if are_paths(units):
        topics = sources.with_units(topics, paths_of(units, "file of content units"))
    else:
        topics = sources.with_pyramids(topics, collection_from(units))
    articles = [article_of(source) for source in (texts or topics)]
    if texts:
        articles = [
            replace(article, length=topic.pyramid.length if topic.pyramid else None)
            for article, topic in zip(articles, topics, strict=True)
        ]
    return BaselineResult(
        baseline_scores(topics, n=n, runs=runs, seed=seed, articles=articles, progress=progress)
    )
