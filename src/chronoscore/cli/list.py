"""`chronoscore list`: what there is."""

import click


@click.command()
@click.argument("what", required=False, default="measures", metavar="[measures|NAME]")
def command(what: str) -> None:
    """List the measures, or explain one of them.

    \b
    chronoscore list
    chronoscore list rouge
    """
    # Measures import numpy; --help should not.
    from chronoscore.reports.catalogue import catalogue, describe_measure

    click.echo(catalogue() if what == "measures" else describe_measure(what), nl=False)
