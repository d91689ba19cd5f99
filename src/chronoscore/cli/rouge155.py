"""`chronoscore rouge155`: the options and the output of ROUGE-1.5.5.pl, without Perl."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.errors import ChronoscoreWarning, UsageError, did_you_mean

if TYPE_CHECKING:
    from chronoscore.rouge155.settings import Evaluation

UNNAMED = "X"
"""What ROUGE-1.5.5 calls the system of a list of files."""


class PerlCommand(click.Command):
    """A command that leaves its arguments alone, for they follow Perl's rules."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take every argument as it stands."""
        ctx.params["arguments"] = tuple(args)
        return []


@click.command(cls=PerlCommand, add_help_option=False, options_metavar="[OPTIONS]")
@click.argument("arguments", nargs=-1, metavar="SETTINGS [SYSTEM]")
@click.pass_context
def command(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Score as ROUGE-1.5.5.pl does: the same options, the same bytes.

    SETTINGS is ROUGE's XML file, or with -z a list of files: on each line a system's text
    and its references. SYSTEM is the one to score; -a scores all.

    \b
    -a         all systems             -n N     ROUGE-1 to ROUGE-N
    -d         each evaluation too     -x       no ROUGE-L
    -m         stem                    -w W     ROUGE-W with weight W
    -s         drop stop words         -2 GAP   ROUGE-S (below 0: any gap)
    -b N       first N bytes only      -u, -U   ROUGE-SU instead, or both
    -l N       first N words only      -3 MODE  H HM HMR HM1 HMR1 HMR2
    -c LEVEL   of intervals (95)       -r N     resamples (1000)
    -f A|B     pool the references (A) or take the best one (B)
    -p ALPHA   weight of precision in F, from 0 to 1 (0.5)
    -t 0|1|2   average evaluations (0) or tokens (1), or print counts (2)
    -z FORMAT  SETTINGS is a list of SEE, SPL, ISI or SIMPLE files
    -v         say on stderr what is counted
    -e DIR     ignored: the data that ROUGE needs come with chronoscore
    """
    # Imported late, so that `chronoscore --help` answers at once.
    from chronoscore.rouge155.counting import count_evaluations
    from chronoscore.rouge155.options import parse, read_options
    from chronoscore.rouge155.output import output_lines

    options, rest = parse(arguments)
    if options.keys() & {"h", "H"}:
        click.echo(context.get_help())
        return
    settings = read_options(options)
    evaluations, systems = chosen(options, rest)
    instances = count_evaluations(evaluations, systems, settings)
    warn_of_missing(evaluations, systems)
    if "v" in options:
        for instance in instances:
            for measure, counts in zip(settings.measures, instance.counts, strict=True):
                click.echo(f"{instance.name} {measure} {counts}", err=True)
    encode = as_utf8 if "z" in options else as_perl
    lines = (encode(f"{line}\n") for line in output_lines(instances, systems, settings))
    click.echo(b"".join(lines), nl=False)


def chosen(options: Mapping[str, str], rest: Sequence[str]) -> tuple[list["Evaluation"], list[str]]:
    """Load what to evaluate, and say which systems."""
    from chronoscore.rouge155.settings import READERS, load, load_list

    if not rest:
        raise UsageError("no settings file; name one after the options")
    path = Path(rest[0])
    if "z" in options:
        form = options["z"].upper()
        if form not in READERS:
            raise UsageError(f"-z {form}: no such format; {did_you_mean(form, READERS)}")
        ignored = rest[2:]
        systems = list(rest[1:2]) or [UNNAMED]
        evaluations = load_list(path, form, systems[0])
    else:
        all_systems = "a" in options
        if not all_systems and len(rest) < 2:
            raise UsageError("no system to score; name one after the settings, or say -a for all")
        ignored = rest[1:] if all_systems else rest[2:]
        evaluations = load(path)
        known = {system for evaluation in evaluations for system in evaluation.systems}
        systems = sorted(known) if all_systems else [rest[1]]
    if ignored:
        warn(f"'{' '.join(ignored)}' is ignored, as in Perl; put options before the settings")
    return evaluations, systems


def warn_of_missing(evaluations: Sequence["Evaluation"], systems: Sequence[str]) -> None:
    """Say which systems are not in every evaluation; they are averaged over those they are in."""
    known = {system for evaluation in evaluations for system in evaluation.systems}
    for system in systems:
        without = [each.id for each in evaluations if system not in each.systems]
        if len(without) == len(evaluations):
            warn(f"system '{system}' is in no evaluation, all is 0; {did_you_mean(system, known)}")
        elif without:
            warn(
                f"system '{system}' is not in evaluation '{without[0]}' "
                f"({len(without)} of {len(evaluations)} in all), which are left out for it"
            )


def warn(message: str) -> None:
    """Say something that the reader should know."""
    warnings.warn(message, ChronoscoreWarning, stacklevel=2)


def as_perl(line: str) -> bytes:
    """Write names from XML as Perl prints them: Latin-1 where that can hold them, else UTF-8."""
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return as_utf8(line)


def as_utf8(line: str) -> bytes:
    """Write a line in UTF-8, with names from the command line byte for byte."""
    return line.encode("utf-8", "surrogateescape")
