"""`chronoscore oracle`: how good could any system be?"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from chronoscore.api.options import Printing
from chronoscore.cli import options
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.talk import emit, progress, verbose_only
from chronoscore.cli.targets import folder, plot, target

if TYPE_CHECKING:
    from chronoscore.oracles.summaries import Method

# Written out here, so that --help does not have to import numpy.
METHODS = ("greedy", "greedy-chop", "exact", "exact-chop")
Pool = Literal["micro", "macro"]


class WithDefault(click.Group):
    """A group whose first command needs no name: `oracle COLLECTION` is `oracle choose …`."""

    default = "choose"

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Name the default command where none is named."""
        first = arguments[0] if arguments else "--help"
        if first not in self.commands and first not in ("-h", "--help"):
            arguments = [self.default, *arguments]
        return super().parse_args(context, arguments)

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Explain the default command in full, and list the others."""
        chosen = self.commands[self.default]
        inner = click.Context(chosen, info_name="oracle", parent=context.parent)
        chosen.format_help(inner, formatter)
        with formatter.section("Also"):
            others = {name: one for name, one in self.commands.items() if name != self.default}
            formatter.write_dl(
                [(f"oracle {name}", one.get_short_help_str(70)) for name, one in others.items()]
            )


summary_options = options.stacked(
    click.option("--budget", help="Length of the text: 100w (words) or 665b (bytes)."),
    click.option(
        "--pooling",
        "--pool",
        "pool",
        type=click.Choice(["micro", "macro"]),
        default="micro",
        show_default=True,
        help="Pool references as ROUGE does, or average recall over them.",
    ),
    click.option(
        "--whole-references",
        is_flag=True,
        help="Let the budget cut the text only, not the references as ROUGE would.",
    ),
    click.option(
        "--time-limit",
        type=float,
        help="Seconds for each topic; then the value and a bound are given.",
    ),
)
"""The options of all oracles of summaries."""

measures = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    shell_complete=complete_measures,
    help="rouge(n=1), align+, …; repeatable.",
)
collection = click.argument("collection", type=options.file)


@click.group(cls=WithDefault)
def command() -> None:
    """How good could any system be?"""


@command.command()
@collection
@measures
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(METHODS),
    help="How to choose; exact by default; repeatable.",
)
@summary_options
@click.option("--dates", type=click.IntRange(1), help="Timelines: at most this many dates.")
@click.option("--per-date", type=click.IntRange(1), help="Timelines: sentences for each date.")
@click.option("--write-run", type=folder, help="Write the selected texts to this folder.")
@plot("Draw value and bound of each topic")
@options.printed
@options.working
@verbose_only
def choose(
    collection: Path,
    measures: tuple[str, ...],
    methods: "tuple[Method, ...]",
    budget: str | None,
    pool: Pool,
    whole_references: bool,
    time_limit: float | None,
    dates: int | None,
    per_date: int | None,
    write_run: Path | None,
    plot: Path | None,
    printing: Printing,
    jobs: int,
    cluster: str | None,
    quiet: bool,
) -> None:
    """Choose the sentences of a COLLECTION's documents that score highest.

    COLLECTION is JSON Lines of {"id", "documents": [{"id", "sentences"}], "references"}, or a
    folder of topics with articles.jsonl and their references. Summaries are chosen for
    ROUGE-N recall within a budget, timelines for recall (.r) or F of agreement, align, align+
    or align+m1. The value is the measure's own score of the chosen text; no text made of the
    documents' sentences exceeds the bound.

    \b
    chronoscore oracle topics.jsonl -m 'rouge(n=2)' --budget 100w --method exact-chop
    chronoscore oracle topics.jsonl --budget 665b --method greedy --write-run best/ -f json
    chronoscore oracle corpus/ -m 'align+(n=1)' --dates 20 --per-date 2
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.oracle import oracle

    with progress("choosing", quiet) as show:
        result = oracle(
            collection,
            measures or "rouge(n=1)",
            methods=methods or "exact",
            budget=budget,
            pool=pool,
            whole_references=whole_references,
            time_limit=time_limit,
            dates=dates,
            per_date=per_date,
            jobs=jobs,
            cluster=cluster,
            progress=show,
        )
        if write_run:
            result.write_run(write_run)
        if plot:
            result.plot(plot)
    emit(result.render(printing.form), printing.output)


@command.command("ceilings")
@collection
@measures
@click.option(
    "--method", type=click.Choice(METHODS), default="exact", show_default=True, help="Extractive."
)
@summary_options
@plot("Draw the ceilings of each topic")
@options.printed
@options.working
@verbose_only
def ceilings_command(
    collection: Path,
    measures: tuple[str, ...],
    method: "Method",
    budget: str | None,
    pool: Pool,
    whole_references: bool,
    time_limit: float | None,
    plot: Path | None,
    printing: Printing,
    jobs: int,
    cluster: str | None,
    quiet: bool,
) -> None:
    """Show what people, extractive systems and any text at all could reach.

    People are scored one against the rest. Give the measure `jackknife` to let all three
    meet the same number of references.

    \b
    chronoscore oracle ceilings topics.jsonl -m 'rouge(n=1,stem)' --budget 100w --plot all.png
    """
    from chronoscore.api.oracle import ceilings

    with progress("looking for ceilings", quiet) as show:
        result = ceilings(
            collection,
            measures or ("rouge(n=1)", "rouge(n=2)"),
            method=method,
            budget=budget,
            pool=pool,
            whole_references=whole_references,
            time_limit=time_limit,
            jobs=jobs,
            cluster=cluster,
            progress=show,
        )
    if plot:
        result.plot(plot)
    emit(result.render(printing.form), printing.output)


@command.command("frequencies")
@collection
@click.option("--budget", help="Look at this much of each reference: 100w or 665b.")
@click.option("--stem/--no-stem", default=True, show_default=True)
@click.option("--stop", is_flag=True, help="Leave out stop words.")
@plot("Draw one topic's frequencies")
@click.option("--topic", help="The topic to draw; the first by default.")
@options.printed
@options.talk
def frequencies_command(
    collection: Path,
    budget: str | None,
    stem: bool,
    stop: bool,
    plot: Path | None,
    topic: str | None,
    printing: Printing,
    quiet: bool,
) -> None:
    """Count what several references ask for, and how much of it only some reward."""
    from chronoscore.api.limits import reference_frequencies

    with progress("counting", quiet):
        result = reference_frequencies(collection, budget=budget, stem=stem, stop=stop)
    if plot:
        result.plot(plot, topic)
    emit(result.render(printing.form), printing.output)


@command.command("hard")
@click.option("--vertices", default=60, show_default=True, help="Of the cubic graph; even.")
@click.option("--n", default=1, show_default=True, help="Runs of n words.")
@click.option("--dominators", type=int, help="Sentences to choose; just short of a quarter.")
@click.option(
    "--seed", type=options.whole, default=1, show_default=True, help="Of the random graph."
)
@click.option(
    "--method", type=click.Choice(METHODS), default="exact", show_default=True, help="How to solve."
)
@click.option("--time-limit", type=float, help="Seconds; then the value and a bound are given.")
@click.option("--write", type=target, help="Write the instance as a collection.")
@options.printed
@options.talk
def hard_command(
    vertices: int,
    n: int,
    dominators: int | None,
    seed: int,
    method: "Method",
    time_limit: float | None,
    write: Path | None,
    printing: Printing,
    quiet: bool,
) -> int:
    """Make a hard instance from a random cubic graph, and solve it.

    A sentence for each vertex names it and its neighbors: k sentences match as many words
    as k vertices dominate. `dominating` is that number, found from the graph; the exit code
    is 1 if an exact oracle finds another. The references are not cut by the budget.
    """
    from chronoscore.api.limits import hard_instance

    with progress("solving", quiet):
        result = hard_instance(
            vertices,
            n=n,
            dominators=dominators,
            seed=seed,
            method=method,
            time_limit=time_limit,
        )
    if write:
        result.write(write)
    emit(result.render(printing.form), printing.output)
    return int(result.contradicted)
