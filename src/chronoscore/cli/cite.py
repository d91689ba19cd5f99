"""`chronoscore cite`: whom to thank."""

import click

from chronoscore.version import __version__

PAPERS = {
    "rouge": "Lin (2004). ROUGE: A Package for Automatic Evaluation of Summaries. "
    "Text Summarization Branches Out, 74-81.",
    "timelines": "Martschat and Markert (2017). Improving ROUGE for Timeline Summarization. "
    "EACL 2, 285-290.",
    "novelty": "Conroy, Schlesinger and O'Leary (2011). Nouveau-ROUGE: A Novelty Metric for "
    "Update Summarization. Computational Linguistics 37(1), 1-8.",
    "units": "Bauer and Teufel (2015). A Methodology for Evaluating Timeline Generation "
    "Algorithms based on Deep Semantic Units. ACL-IJCNLP 2, 834-839.",
    "streams": "Khandelwal, Gupta and Allan (2001). An Evaluation Corpus for Temporal "
    "Summarization. HLT, 102-106.",
    "oracles": "Schluter (2017). The Limits of Automatic Summarisation according to ROUGE. "
    "EACL 2, 41-45.",
}


@click.command()
def command() -> None:
    """Print how to cite chronoscore and the papers whose systems it implements."""
    # Loads rich, which --help should not.
    from chronoscore.reports.terminal import wrap_lines

    own = f"chronoscore {__version__}, the chronoscore authors (see CITATION.cff)"
    click.echo(wrap_lines([own, *(f"{name:<9} {paper}" for name, paper in PAPERS.items())], 10))
