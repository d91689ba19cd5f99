"""`chronoscore rouge155`: the options and the output of ROUGE-1.5.5.pl, without Perl."""

import click


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
    -e DIR     irregular words and stop words of ROUGE's data folder DIR

    \b
    --install FOLDER  write a ROUGE-1.5.5.pl that runs this command, with its data, and
                      say what pyrouge, files2rouge, sacrerouge and rouge-metric need
    """
    # Imported late, so that `chronoscore --help` answers at once.
    from chronoscore.rouge155.program import run_rouge155

    result = run_rouge155(arguments)
    if result is None:
        click.echo(context.get_help())
        return
    for line in result.log:
        click.echo(line, err=True)
    click.echo(result.output, nl=False)
