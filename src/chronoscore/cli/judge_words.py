"""What there is around judging beside the tasks: `judge certify`, `judge next`, `judge redact`."""

from pathlib import Path
from typing import Any, ClassVar

import click

from chronoscore.cli import options
from chronoscore.cli.asking import asking, sources
from chronoscore.cli.derive import GroupedCommand, files, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.names import Registered
from chronoscore.cli.talk import emit
from chronoscore.cli.targets import target
from chronoscore.judging.registry import JUDGES
from chronoscore.options.judging import JudgeInputs, RequestOptions


@click.command(cls=GroupedCommand)
@click.argument("cache", type=options.file)
@option("-o", "--output", group="common", type=target, required=True, help="The file to write.")
@options.talk
def redact(cache: Path, output: Path) -> None:
    """Copy a CACHE of answers without texts and reasoning, for publishing.

    Labels, ids, confidences and token counts stay, so that --offline with the copy still writes
    the same judgements byte for byte. Nuggets that a model proposed are the output itself and stay.

    \b
    chronoscore judge redact judged.answers.sqlite -o public.sqlite
    """
    from chronoscore.judging.redaction import redact as redact_cache

    click.echo(f"{redact_cache(cache, output).describe()}; written to {output}", err=True)


@click.command(cls=GreedyCommand)
@click.argument("task", type=Registered(JUDGES))
@click.argument("inputs", nargs=-1, required=True, type=options.file, metavar="INPUT...")
@option("--model", group="common", required=True, metavar="NAME", help="Its name at the endpoint.")
@option(
    *("-o", "--output"),
    group="common",
    type=target,
    default="certificate.json",
    help="The certificate to write.",
)
@files("--people", group="input", help="nuggets, facts: labels by people, to compare with.")
@sources
@asking
@options.talk
def certify(
    task: str,
    inputs: tuple[Path, ...],
    model: str,
    output: Path,
    people: tuple[Path, ...],
    sources: JudgeInputs,
    asking: RequestOptions,
) -> None:
    """Try how far a judge can be trusted, and write certificate.json.

    About 100 items of a TASK are judged as usual, in another order, one at a time, with another
    seed, with the texts of pairs exchanged, with planted errors (numbers times ten, denials, an
    invented statement) and with a label suggested in their text. With --people, labels are compared
    with theirs (alternative-annotator test); with --confidence there is a calibration curve.

    \b
    chronoscore judge certify facts mine/ --documents corpus/ --endpoint URL --model NAME
    """
    from chronoscore.api.certify import certify as certify_judge

    result = certify_judge(
        task,
        inputs,
        model=model,
        output=output,
        people=people or None,
        options=asking,
        **vars(sources),
    )
    emit(result.render(), None)
    click.echo(f"written to {output}", err=True)


@click.command(cls=GreedyCommand)
@click.argument("machine", nargs=-1, required=True, type=options.file, metavar="MACHINE...")
@option("--budget", group="common", type=int, default=50, help="How many items people can judge.")
@option(
    *("-o", "--output"),
    group="common",
    type=target,
    default="next.jsonl",
    help="The list to write.",
)
@option("--seed", group="common", type=int, default=0, help="Of the draw.")
@options.talk
def propose(machine: tuple[Path, ...], budget: int, output: Path, seed: int) -> None:
    """Draw what people should judge next, from what a MACHINE judged.

    The less sure the machine is of an item (judge with --confidence), the likelier it is drawn.
    The list has the probability of each item; score --ppi --drawn weights by it, once
    people have judged all of them.

    \b
    chronoscore judge next machine.jsonl --budget 50 -o next.jsonl
    chronoscore score people.jsonl --machine machine.jsonl --ppi --drawn next.jsonl -m nuggets
    """
    from chronoscore.api.proposals import propose_items

    result = propose_items(machine, budget=budget, seed=seed, output=output)
    click.echo(f"{result.describe()}; written to {output}", err=True)


class JudgeCommand(GreedyCommand):
    """The command of all tasks, whose first word may also be one of these commands."""

    commands: ClassVar[dict[str, click.Command]] = {
        "certify": certify,
        "next": propose,
        "redact": redact,
    }

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Hand over to the command that the first word names, if it names one."""
        inner = self.commands.get(args[0]) if args else None
        if inner is not None:
            return inner.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)
