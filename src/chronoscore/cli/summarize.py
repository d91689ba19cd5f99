"""`chronoscore summarize`: run a baseline or a published system on documents."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.cli import options
from chronoscore.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from chronoscore.core import Output, Topic
    from chronoscore.systems import System

BASELINES = "unit-baselines"
"""Not a system but all the content-unit baselines at once, scored and compared."""


@click.command()
@click.argument("system", required=False)
@click.argument("documents", nargs=-1, type=options.file)
@click.option(
    "-o", "--output", type=options.file, help="The run's folder; a single output may be printed."
)
@click.option("--dates", type=click.IntRange(min=1), help="Dates of a timeline.")
@click.option("--sentences", type=click.IntRange(min=1), help="Sentences on each date.")
@click.option("--like", multiple=True, type=options.file, help="References to be as long as.")
@click.option("--words", type=click.IntRange(min=1), help="Words of a summary.")
@click.option("--part", type=click.Choice(["all", "original", "update"]), help="What to summarise.")
@click.option("--at", metavar="DAY", help="Where the update begins; else at the middle article.")
@click.option("-n", type=click.IntRange(min=1), help="Events to choose (content units).")
@click.option("--units", multiple=True, type=options.file, help="Content units to score against.")
@click.option("--runs", default=100, show_default=True, help="Runs of random unit baselines.")
@click.option(
    "--seed", type=options.whole, default=1, show_default=True, help="Seed of all that is random."
)
@click.option("--list", "listed", is_flag=True, help="List the systems.")
@click.option(
    "-f", "--format", "form", type=click.Choice(["table", "md", "latex", "html"]), default="table"
)
@options.quiet
def command(system: str | None, documents: tuple[Path, ...], **chosen: Any) -> None:
    """Run SYSTEM on DOCUMENTS and write what it makes to a folder that `score` reads.

    SYSTEM is a name, with parameters in parentheses if need be: see --list. DOCUMENTS are
    articles.jsonl, a topic's folder with one, a folder of texts whose names tell their dates,
    a folder of topics, or TimeML for the content-unit baselines.

    \b
    chronoscore summarize --list
    chronoscore summarize datewise corpus/ -o runs/datewise --dates 10 --sentences 2
    chronoscore summarize 'clust(rank=size)' corpus/ -o runs/clust --like gold/
    chronoscore summarize projected-classy corpus/ -o runs/projected --words 100
    chronoscore summarize useful-novel corpus/ -o runs/online
    chronoscore summarize unit-baselines corpus/ --units corpus/
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.work import drawn

    if chosen["listed"]:
        from chronoscore.report.systems import system_table

        options.emit(drawn(system_table(), chosen["form"]), chosen["output"])
        return
    if system is None or not documents:
        raise UsageError("name a system and its documents; chronoscore summarize --list helps")
    if system == BASELINES:
        with options.progress("summarising", chosen["quiet"]) as told:
            tables = compared(documents, chosen, told)
        text = "\n".join(drawn(table, chosen["form"]) for table in tables)
        options.emit(text, chosen["output"])
        return
    made = configured(system, chosen)
    with options.progress("summarising", chosen["quiet"]) as told:
        outputs = summarised(made, documents, chosen, told)
    written(made, outputs, chosen["output"])


def configured(text: str, chosen: dict[str, Any]) -> "System":
    """The system, with the parameters that options set."""
    from dataclasses import fields

    from chronoscore.systems import get

    system = get(text)
    known = {field.name for field in fields(system)}
    changes: dict[str, Any] = {}
    for name in ("dates", "sentences", "words", "part", "at", "n"):
        if chosen[name] is None:
            continue
        if name not in known:
            raise UsageError(f"system '{system.name}' has no parameter '{name}'; leave it out")
        changes[name] = chosen[name]
    if "seed" in known and "seed=" not in text:
        changes["seed"] = chosen["seed"]
    if chosen["like"] and "dates" not in known and not system.oracle:
        raise UsageError(f"--like is about timelines, and '{system.name}' makes none")
    if system.oracle and not chosen["like"]:
        raise UsageError(f"'{system.name}' looks at references; give them with --like")
    return system.with_parameters(**changes)


def summarised(
    system: "System",
    documents: tuple[Path, ...],
    chosen: dict[str, Any],
    told: "Callable[[int, int], None] | None",
) -> dict[str, "Output"]:
    """The outputs by topic."""
    from chronoscore.systems import sources
    from chronoscore.systems.units import UnitBaseline, article_of

    tagged = sources.tagged_texts(documents) if isinstance(system, UnitBaseline) else []
    if isinstance(system, UnitBaseline) and tagged:
        return system.select_all([article_of(text) for text in tagged])
    topics = sources.topics(documents)
    if isinstance(system, UnitBaseline):
        return system.select_all([article_of(topic) for topic in topics])
    if chosen["like"]:
        topics = sources.like(topics, chosen["like"], system.makes)
    found: dict[str, Output] = {}
    for number, topic in enumerate(topics):
        if told:
            told(number, len(topics))
        others = tuple(d for other in topics if other is not topic for d in other.documents)
        found[topic.id] = system(topic, background=others)
    return found


def compared(
    documents: tuple[Path, ...],
    chosen: dict[str, Any],
    told: "Callable[[int, int], None] | None" = None,
) -> list[Any]:
    """The content-unit baselines as the paper's Table 3, and a test of each pair."""
    from dataclasses import replace

    from chronoscore.report.systems import baseline_table, pair_table
    from chronoscore.systems import sources
    from chronoscore.systems.unit_scores import baseline_scores
    from chronoscore.systems.units import article_of

    if not chosen["units"]:
        raise UsageError("unit-baselines are scored; give content units with --units")
    texts = sources.tagged_texts(documents)
    topics = [topic_of(text.id) for text in texts] if texts else sources.topics(documents)
    topics = sources.with_units(topics, chosen["units"])
    articles = [article_of(source) for source in (texts or topics)]
    if texts:
        articles = [
            replace(article, length=topic.pyramid.length if topic.pyramid else None)
            for article, topic in zip(articles, topics, strict=True)
        ]
    scores = baseline_scores(
        topics,
        n=chosen["n"],
        runs=chosen["runs"],
        seed=chosen["seed"],
        articles=articles,
        progress=told,
    )
    return [baseline_table(scores), pair_table(scores)]


def topic_of(name: str) -> "Topic":
    """A topic that only a tagged text stands for."""
    from chronoscore.core import Topic

    return Topic(id=name)


def written(system: "System", outputs: dict[str, "Output"], folder: Path | None) -> None:
    """Write a run, or print it where it is a single output."""
    from chronoscore.core import Ranking, Run, Timeline
    from chronoscore.formats.judgements import rankings
    from chronoscore.formats.summaries import plain
    from chronoscore.formats.timelines.conversion import safe_name
    from chronoscore.formats.timelines.timeline_files import save, write_content

    if system.makes is Ranking:
        if folder is None:
            raise UsageError("a ranking is a file; give -o")
        file = folder if folder.suffix == ".jsonl" else folder / "rankings.jsonl"
        name = folder.resolve().name.removesuffix(".jsonl")
        rankings.save([Run(name, outputs)], file)
        return
    if folder is None:
        if len(outputs) > 1:
            raise UsageError(f"{len(outputs)} topics make as many files; give a folder with -o")
        (only,) = outputs.values()
        assert not isinstance(only, Ranking)
        text = (
            write_content(only, "tilse")
            if isinstance(only, Timeline)
            else "\n".join(only.sentences)
        )
        click.echo(text.removesuffix("\n"))
        return
    part = getattr(system, "part", "all")
    place = folder if part == "all" else folder / part
    for topic, output in outputs.items():
        file = place / f"{safe_name(topic)}.txt"
        if isinstance(output, Timeline):
            save(output, file, "tilse")
        elif not isinstance(output, Ranking):
            plain.save(output, file)
