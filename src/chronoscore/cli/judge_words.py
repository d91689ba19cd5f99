"""`chronoscore judge redact`: what there is around judging beside the tasks."""

from pathlib import Path
from typing import Any, ClassVar

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.targets import target


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


class JudgeCommand(GreedyCommand):
    """The command of all tasks, whose first word may also be one of these commands."""

    commands: ClassVar[dict[str, click.Command]] = {"redact": redact}

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
