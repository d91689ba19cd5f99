"""`chronoscore summarize`: run a baseline or a published system on documents."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.completion import complete_summarizers
from chronoscore.cli.derive import GroupedCommand, derive, files, option
from chronoscore.cli.talk import emit, flush_warnings, is_quiet, progress
from chronoscore.cli.targets import place
from chronoscore.errors import DataError, UsageError
from chronoscore.options.judging import ModelAccess
from chronoscore.options.systems import Length, SystemRun

BASELINES = "unit-baselines"
"""Not a system but all the content-unit baselines at once, scored and compared."""
MODULE_FUNCTION = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")


@click.command(cls=GroupedCommand)
@click.argument(
    "words_given", metavar="SYSTEM... DOCUMENTS...", nargs=-1, shell_complete=complete_summarizers
)
@option(
    "-o",
    "--output",
    group="common",
    type=place,
    help="The run's folder; a single output may be printed.",
)
@derive(Length, "length")
@derive(
    SystemRun,
    "run",
    like=files("--like", group="common", help="References to be as long as."),
    keywords=option(
        "--keywords",
        group="input",
        multiple=True,
        metavar="WORDS",
        help="Words, a keywords.json, or 'auto': a timeline's sentences must have one.",
    ),
    jobs=options.jobs,
)
@derive(ModelAccess, "asking")
@files("--units", group="judging", help="Content units to score unit-baselines against.")
@option(
    "--runs", group="judging", default=100, metavar="NUMBER", help="Runs of random unit baselines."
)
@option("--list", "listed", group="output", is_flag=True, help="List the systems.")
@option(
    "-f",
    "--format",
    "form",
    group="output",
    choices=["table", "md", "latex", "html"],
    default="table",
)
@options.talk
def command(
    words_given: tuple[str, ...],
    output: Path | None,
    length: Length,
    run: SystemRun,
    asking: ModelAccess,
    units: tuple[Path, ...],
    runs: int,
    listed: bool,
    form: str,
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
    from chronoscore.api.summarize import list_systems, summarize, unit_baselines

    if listed:
        emit(list_systems().render(form), output)
        return
    systems, documents = split_words(words_given)
    with progress("summarizing") as show:
        if BASELINES in systems:
            if len(systems) > 1:
                raise UsageError(f"{BASELINES} are scored by themselves; leave out other systems")
            scores = unit_baselines(
                documents, units, n=length.n, runs=runs, seed=run.seed, progress=show
            )
            emit(scores.render(form), output)
            return
        asking = replace(asking, cache=asking.cache or llm_cache(systems, output))
        run = replace(run, keywords=run.keywords or None, progress=show)
        result = summarize(
            documents,
            systems if len(systems) > 1 else systems[0],
            **vars(length) | vars(run) | vars(asking),
        )
        if output:
            result.write_run(output)
    flush_warnings()
    if not output:
        click.echo(result.text().removesuffix("\n"))
    if not is_quiet():
        click.echo(result.describe(output), err=True)
    if result.failures:
        raise DataError(f"{len(result.failures)} outputs are missing; see the warnings above")


def llm_cache(systems: Sequence[str], output: Path | None) -> Path | None:
    """Where answers are kept by default: beside the run of a language model."""
    asked = any(system.partition("(")[0].strip() == "llm" for system in systems)
    return output.with_name(f"{output.name}.answers.sqlite") if asked and output else None


def split_words(words: Sequence[str]) -> tuple[list[str], list[Path]]:
    """The systems, which come first, and the paths behind them."""
    count = next((n for n, word in enumerate(words) if n and not is_system(word)), len(words))
    if not words[count:]:
        raise UsageError("name a system and its documents; chronoscore summarize --list helps")
    return list(words[:count]), [Path(word) for word in words[count:]]


def is_system(word: str) -> bool:
    """Whether a word behind the first names one more system; what could be a path is refused."""
    from chronoscore.systems.registry import SYSTEMS
    from chronoscore.systems.user_systems import COMMAND

    name = word.partition("(")[0].strip()
    known = word.startswith(COMMAND) or name in SYSTEMS or name == BASELINES
    own = MODULE_FUNCTION.fullmatch(name) is not None
    if not known and not own:
        return False
    if Path(word).exists():
        if own:
            return False
        raise UsageError(f"'{word}' is a system and a path; write ./{word} for the path")
    return True
