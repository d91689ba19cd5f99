"""The command line: one module per verb, loaded only when its verb is called."""

import click


@click.group()
def main() -> None:
    """Evaluate summaries that live in time."""
