"""`chronoscore list`: what there is."""

import click

from chronoscore.errors import UsageError

ELSEWHERE = {
    "systems": "chronoscore summarize --list",
    "formats": "chronoscore convert --help",
    "commands": "chronoscore --help",
}
"""What else people ask for, and what shows it."""


@click.command()
@click.argument("what", required=False, default="measures", metavar="[measures|NAME]")
@click.option("--engine", is_flag=True, help="Say which engine counts.")
def command(what: str, engine: bool) -> None:
    """List the measures, or explain one of them.

    \b
    chronoscore list
    chronoscore list rouge
    chronoscore list --engine
    """
    if engine:
        from chronoscore.kernel import ENGINES, engine_name

        click.echo(f"{engine_name()}: {ENGINES[engine_name()]}")
        return
    if what in ELSEWHERE:
        raise UsageError(f"'{what}' is no measure; type {ELSEWHERE[what]}")
    # Measures import numpy; --help should not.
    from chronoscore.reports.catalogue import describe_measure, measure_catalog

    click.echo(measure_catalog() if what == "measures" else describe_measure(what), nl=False)
