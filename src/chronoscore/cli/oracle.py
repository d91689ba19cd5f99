"""`chronoscore oracle`: how good could any system be?"""

from pathlib import Path
from typing import get_args

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand, derive, derive_one, option
from chronoscore.cli.talk import emit, progress, show
from chronoscore.cli.targets import folder, plot, target
from chronoscore.options import Printing, Resampling
from chronoscore.options.oracles import Method, SummarySearch, TimelineSearch
from chronoscore.workers import Workers


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


measures = options.several_measures("rouge(n=1), align+, …; repeatable.")
method = option(
    "--method",
    group="measures",
    choices=get_args(Method),
    default="exact",
    help="How to choose sentences.",
)
collection = click.argument("collection", type=options.file)


@click.group(cls=WithDefault)
def command() -> None:
    """How good could any system be?"""


@command.command(cls=GroupedCommand)
@collection
@measures
@option(
    "--method",
    "methods",
    group="measures",
    multiple=True,
    choices=get_args(Method),
    help="How to choose; exact by default; repeatable.",
)
@derive(SummarySearch, "search")
@derive(TimelineSearch, "length")
@option("--write-run", group="output", type=folder, help="Write the selected texts to this folder.")
@options.printing_with_plot("Draw value and bound of each topic")
@derive(Workers, "workers")
@options.talk
def choose(
    collection: Path,
    measures: tuple[str, ...],
    methods: tuple[Method, ...],
    search: SummarySearch,
    length: TimelineSearch,
    write_run: Path | None,
    printing: Printing,
    workers: Workers,
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
    from chronoscore.api.oracle import oracle

    with progress("choosing") as watch:
        result = oracle(
            collection,
            measures or "rouge(n=1)",
            methods=methods or "exact",
            progress=watch,
            **vars(search) | vars(length) | vars(workers),
        )
        if write_run:
            result.write_run(write_run)
    show(result, printing)


@command.command("ceilings", cls=GroupedCommand)
@collection
@measures
@method
@derive(SummarySearch, "search")
@options.printing_with_plot("Draw the ceilings of each topic")
@derive(Workers, "workers")
@options.talk
def ceilings_command(
    collection: Path,
    measures: tuple[str, ...],
    method: Method,
    search: SummarySearch,
    printing: Printing,
    workers: Workers,
) -> None:
    """Show what people, extractive systems and any text at all could reach.

    People are scored one against the rest. Give the measure `jackknife` to let all three
    meet the same number of references.

    \b
    chronoscore oracle ceilings topics.jsonl -m 'rouge(n=1,stem)' --budget 100w --plot all.png
    """
    from chronoscore.api.oracle import ceilings

    with progress("looking for ceilings") as watch:
        result = ceilings(
            collection,
            measures or ("rouge(n=1)", "rouge(n=2)"),
            method=method,
            progress=watch,
            **vars(search) | vars(workers),
        )
    show(result, printing)


@command.command("frequencies", cls=GroupedCommand)
@collection
@click.option("--budget", help="Look at this much of each reference: 100w or 665b.")
@click.option("--stem/--no-stem", default=True, show_default=True)
@click.option("--stop", is_flag=True, help="Leave out stop words.")
@plot("Draw one topic's frequencies")
@click.option("--topic", help="The topic to draw; the first by default.")
@options.printing
@options.talk
def frequencies_command(
    collection: Path,
    budget: str | None,
    stem: bool,
    stop: bool,
    plot: Path | None,
    topic: str | None,
    printing: Printing,
) -> None:
    """Count what several references ask for, and how much of it only some reward."""
    from chronoscore.api.oracle import reference_frequencies

    with progress("counting"):
        result = reference_frequencies(collection, budget=budget, stem=stem, stop=stop)
    if plot:
        result.plot(plot, topic=topic)
    emit(result.render(printing.form), printing.output)


@command.command("hard", cls=GroupedCommand)
@click.option("--vertices", default=60, show_default=True, help="Of the cubic graph; even.")
@click.option("--n", default=1, show_default=True, help="Runs of n words.")
@click.option("--dominators", type=int, help="Sentences to choose; just short of a quarter.")
@derive_one(Resampling, "seed", help="Of the random graph.")
@method
@derive_one(SummarySearch, "time_limit", help="Seconds; then the value and a bound are given.")
@click.option("--write", type=target, help="Write the instance as a collection.")
@options.printing
@options.talk
def hard_command(
    vertices: int,
    n: int,
    dominators: int | None,
    seed: int,
    method: Method,
    time_limit: float | None,
    write: Path | None,
    printing: Printing,
) -> int:
    """Make a hard instance from a random cubic graph, and solve it.

    A sentence for each vertex names it and its neighbors: k sentences match as many words
    as k vertices dominate. `dominating` is that number, found from the graph; the exit code
    is 1 if an exact oracle finds another. The references are not cut by the budget.
    """
    from chronoscore.api.oracle import hard_instance

    with progress("solving"):
        result = hard_instance(
            vertices, n=n, dominators=dominators, seed=seed, method=method, time_limit=time_limit
        )
    if write:
        result.write(write)
    show(result, printing)
    return int(result.data.contradicted)
