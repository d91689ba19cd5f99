"""`chronoscore summarize`: run a baseline or a published system on documents."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.cli import options
from chronoscore.cli.completion import complete_summarizers
from chronoscore.cli.talk import emit, flush_warnings, progress
from chronoscore.cli.targets import place
from chronoscore.errors import DataError, UsageError

if TYPE_CHECKING:
    from chronoscore.api.summarize import Part

BASELINES = "unit-baselines"
"""Not a system but all the content-unit baselines at once, scored and compared."""
MODULE_FUNCTION = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")


@click.command()
@click.argument(
    "words_given",
    metavar="SYSTEM... DOCUMENTS...",
    nargs=-1,
    shell_complete=complete_summarizers,
)
@click.option(
    "-o", "--output", type=place, help="The run's folder; a single output may be printed."
)
@click.option("--dates", type=click.IntRange(min=1), help="Dates of a timeline.")
@click.option("--sentences", type=click.IntRange(min=1), help="Sentences on each date.")
@click.option("--like", multiple=True, type=options.file, help="References to be as long as.")
@click.option(
    "--keywords",
    multiple=True,
    metavar="WORDS",
    help="Words, a keywords.json, or 'auto': a timeline's sentences must have one.",
)
@click.option("--words", type=click.IntRange(min=1), help="Words of a summary.")
@click.option("--part", type=click.Choice(["all", "original", "update"]), help="What to summarize.")
@click.option("--at", metavar="DAY", help="Where the update begins; else at the middle article.")
@click.option("--endpoint", metavar="URL", help="Where an llm is asked, as http://host/v1.")
@click.option("--cache", type=options.file, help="Answers of an llm that are known (SQLite).")
@click.option("--offline", is_flag=True, help="Take all answers of an llm from the cache.")
@click.option("-n", type=click.IntRange(min=1), help="Events to choose (content units).")
@click.option("--units", multiple=True, type=options.file, help="Content units to score against.")
@click.option("--runs", default=100, show_default=True, help="Runs of random unit baselines.")
@click.option(
    "--seed", type=options.whole, default=1, show_default=True, help="Seed of everything random."
)
@options.jobs
@click.option("--time-limit", type=float, metavar="SECONDS", help="Of each system on each topic.")
@click.option("--list", "listed", is_flag=True, help="List the systems.")
@click.option(
    "-f", "--format", "form", type=click.Choice(["table", "md", "latex", "html"]), default="table"
)
@options.talk
def command(
    words_given: tuple[str, ...],
    output: Path | None,
    dates: int | None,
    sentences: int | None,
    like: tuple[Path, ...],
    keywords: tuple[str, ...],
    words: int | None,
    part: "Part | None",
    at: str | None,
    endpoint: str | None,
    cache: Path | None,
    offline: bool,
    n: int | None,
    units: tuple[Path, ...],
    runs: int,
    seed: int,
    jobs: int,
    time_limit: float | None,
    listed: bool,
    form: str,
    quiet: bool,
) -> None:
    """Run systems on DOCUMENTS and write what they make to a folder that `score` reads.

    SYSTEM is a name, with parameters in parentheses if need be (see --list), a function of
    your own as module:function, or 'command: …', which reads JSON and prints a timeline. Of
    several systems each gets a folder in the output's. DOCUMENTS are articles.jsonl, a
    topic's folder with one, a folder of texts whose names tell their dates, a folder of
    topics, TimeML, or MEANTIME or SemEval-2015's timelines as distributed.

    \b
    chronoscore summarize --list
    chronoscore summarize datewise corpus/ -o runs/datewise --dates 10 --sentences 2
    chronoscore summarize datewise lead mine:my_system corpus/ -o runs --like gold/
    chronoscore summarize 'command: python mine.py' corpus/ -o runs/mine --time-limit 60
    chronoscore summarize 'llm(model=llama3.1)' corpus/ -o runs/llm --endpoint URL --dates 10
    chronoscore summarize 'clust(rank=size)' corpus/ -o runs/clust --like gold/
    chronoscore summarize projected-classy corpus/ -o runs/projected --words 100
    chronoscore summarize useful-novel corpus/ -o runs/online
    chronoscore summarize unit-baselines corpus/ --units corpus/
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.summarize import list_systems, summarize
    from chronoscore.api.unit_baselines import unit_baselines

    if listed:
        emit(list_systems().render(form), output)
        return
    systems, documents = split_words(words_given)
    with progress("summarizing", quiet) as show:
        if BASELINES in systems:
            if len(systems) > 1:
                raise UsageError(f"{BASELINES} are scored by themselves; leave out other systems")
            scores = unit_baselines(documents, units, n=n, runs=runs, seed=seed, progress=show)
            emit(scores.render(form), output)
            return
        result = summarize(
            documents,
            systems if len(systems) > 1 else systems[0],
            dates=dates,
            sentences=sentences,
            words=words,
            part=part,
            at=at,
            n=n,
            like=like,
            keywords=keywords or None,
            endpoint=endpoint,
            cache=cache or llm_cache(systems, output),
            offline=offline,
            seed=seed,
            jobs=jobs,
            time_limit=time_limit,
            progress=show,
        )
        if output:
            result.write_run(output)
    flush_warnings()
    if not output:
        click.echo(result.text().removesuffix("\n"))
    if not quiet:
        click.echo(result.describe(output), err=True)
    if result.failures:
        raise DataError(f"{len(result.failures)} outputs are missing; see the warnings above")


def llm_cache(systems: Sequence[str], output: Path | None) -> Path | None:
    """Where answers are kept if nothing is said: beside the run of a language model."""
    asked = any(system.partition("(")[0].strip() == "llm" for system in systems)
    return output.with_name(f"{output.name}.answers.sqlite") if asked and output else None


def split_words(words: Sequence[str]) -> tuple[list[str], list[Path]]:
    """The systems that stand first, and the paths behind them."""
    count = next((n for n, word in enumerate(words) if n and not is_system(word)), len(words))
    if not words[count:]:
        raise UsageError("name a system and its documents; chronoscore summarize --list helps")
    return list(words[:count]), [Path(word) for word in words[count:]]


def is_system(word: str) -> bool:
    """Whether a word behind the first names one more system; what could be a path is refused."""
    from chronoscore.systems.registry import PRESETS, systems_by_name
    from chronoscore.systems.user_systems import COMMAND

    name = word.partition("(")[0].strip()
    known = (
        word.startswith(COMMAND)
        or name in systems_by_name()
        or name in PRESETS
        or name == BASELINES
    )
    own = MODULE_FUNCTION.fullmatch(name) is not None
    if not known and not own:
        return False
    if Path(word).exists():
        if own:
            return False
        raise UsageError(f"'{word}' is a system and a path; write ./{word} for the path")
    return True
