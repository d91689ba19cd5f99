"""`chronoscore oracle`: how good could any system be?"""

from pathlib import Path
from typing import Any

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit, pool_of, progress

METHODS = ("greedy", "greedy-chop", "exact", "exact-chop")


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
        "--pool",
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
    click.option("--time-limit", type=float, help="Seconds for each topic; gives value and bound."),
)
"""What all oracles of summaries are told."""

measures = click.option(
    "-m", "--measure", "measures", multiple=True, help="rouge(n=1), align+, …; repeatable."
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
    help="How to choose; exact if nothing is said; repeatable.",
)
@summary_options
@click.option("--dates", type=click.IntRange(1), help="Timelines: as many dates at most.")
@click.option("--per-date", type=click.IntRange(1), help="Timelines: as many sentences a date.")
@click.option("--write-run", type=options.file, help="Write the selected texts to this folder.")
@options.printing
@options.working
def choose(collection: Path, **chosen: Any) -> None:
    """Choose the sentences of a COLLECTION's documents that score highest.

    COLLECTION is JSON Lines of {"id", "documents": [{"id", "sentences"}], "references"}, or a
    folder of topics with articles.jsonl and their references. Summaries are chosen for
    ROUGE-N recall within a budget, timelines for recall (.r) or F of agreement, align, align+
    or align+m1. The value is what the measure itself says of the chosen text; nothing that
    the sentences can make exceeds the bound.

    \b
    chronoscore oracle topics.jsonl -m 'rouge(n=2)' --budget 100w --method exact-chop
    chronoscore oracle topics.jsonl --budget 665b --method greedy --write-run best/ -f json
    chronoscore oracle corpus/ -m 'align+(n=1)' --dates 20 --per-date 2
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.oracle_work import chosen_oracles, printed

    with progress("choosing", chosen["quiet"]) as told, pool_of(chosen) as pool:
        rows = chosen_oracles(collection, chosen, pool, told)
    emit(printed(rows, chosen["form"], "Oracles"), chosen["output"])


@command.command("ceilings")
@collection
@measures
@click.option(
    "--method", type=click.Choice(METHODS), default="exact", show_default=True, help="Extractive."
)
@summary_options
@click.option("--plot", type=options.file, help="Draw the ceilings of each topic.")
@options.printing
@options.working
def ceilings_command(collection: Path, **chosen: Any) -> None:
    """Show what people, extractive systems and any text at all could reach.

    People are scored one against the rest. Give the measure `jackknife` to let all three
    meet equally many references.

    \b
    chronoscore oracle ceilings topics.jsonl -m 'rouge(n=1,stem)' --budget 100w --plot all.png
    """
    from chronoscore.cli.oracle_work import all_ceilings, printed
    from chronoscore.report.oracles import ceiling_row
    from chronoscore.report.plots import plot_ceilings

    with progress("looking for ceilings", chosen["quiet"]) as told, pool_of(chosen) as pool:
        found = all_ceilings(collection, chosen, pool, told)
    if chosen["plot"]:
        plot_ceilings([one for one in found if one.measure == found[0].measure], chosen["plot"])
    notes = ("human: each reference against the others", "any text: sense or nonsense")
    rows = [ceiling_row(one) for one in found]
    emit(printed(rows, chosen["form"], "Recall at most", notes), chosen["output"])


@command.command("frequencies")
@collection
@click.option("--budget", help="Look at this much of each reference: 100w or 665b.")
@click.option("--stem/--no-stem", default=True, show_default=True)
@click.option("--stop", is_flag=True, help="Leave out stop words.")
@click.option("--plot", type=options.file, help="Draw one topic's frequencies.")
@click.option("--topic", help="The topic to draw; the first if nothing is said.")
@options.printing
def frequencies_command(collection: Path, **chosen: Any) -> None:
    """Count what several references ask for, and how much of it only some reward."""
    from chronoscore.cli.oracle_work import printed
    from chronoscore.errors import UsageError, did_you_mean
    from chronoscore.formats.corpora import collections
    from chronoscore.oracles.people import frequencies
    from chronoscore.report.oracles import frequency_row
    from chronoscore.report.plots import plot_frequencies
    from chronoscore.text.preparation import Limit, Preparation

    limit = Limit.parse(chosen["budget"]) if chosen["budget"] else None
    how = Preparation(stem=chosen["stem"], stop=chosen["stop"], limit=limit)
    topics = collections.load(collection)
    found = {topic.id: frequencies(topic.id, topic.summaries, how) for topic in topics}
    if chosen["plot"]:
        name = chosen["topic"] or next(iter(found))
        if name not in found:
            raise UsageError(f"no topic '{name}'; {did_you_mean(name, found)}")
        plot_frequencies(found[name], chosen["plot"])
    rows = [frequency_row(one) for one in found.values()]
    title = "Words and matches that several references offer"
    emit(printed(rows, chosen["form"], title), chosen["output"])


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
@click.option("--time-limit", type=float, help="Seconds; gives value and bound.")
@click.option("--write", type=options.file, help="Write the instance as a collection.")
@options.printing
def hard_command(vertices: int, n: int, **chosen: Any) -> int:
    """Make a hard instance from a random cubic graph, and solve it.

    A sentence for each vertex names it and its neighbours: k sentences match as many words
    as k vertices dominate. `dominating` is that number, found from the graph; the exit code
    is 1 if an exact oracle finds another. The references are not cut by the budget.
    """
    from chronoscore.cli.oracle_work import printed, time_limit
    from chronoscore.core import Collection
    from chronoscore.formats.corpora import collections
    from chronoscore.oracles.hard import hard_instance, most_dominated
    from chronoscore.oracles.summaries import oracle
    from chronoscore.report.oracles import oracle_row

    seconds = time_limit(chosen)
    made = hard_instance(vertices, n=n, dominators=chosen["dominators"], seed=chosen["seed"])
    if chosen["write"]:
        collections.save(Collection({made.topic.id: made.topic}), chosen["write"])
    found = oracle(
        made.topic,
        made.measure,
        budget=made.budget,
        method=chosen["method"],
        seconds=seconds,
        whole_references=True,
    )
    best = most_dominated(made.graph, made.dominators)
    more = {
        "vertices": vertices,
        "n": n,
        "dominators": made.dominators,
        "budget": str(made.budget),
        "dominated": round(found.value * vertices),
        "dominating": best,
    }
    rows = [{**oracle_row(found), **more}]
    emit(printed(rows, chosen["form"], "A hard instance"), chosen["output"])
    proved = chosen["method"].startswith("exact") and found.gap == 0
    return int(proved and more["dominated"] != best)
