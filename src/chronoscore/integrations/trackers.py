"""What experiment trackers get of a result: figures with intervals, a report, the signature."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chronoscore.api.scores import ScoreResult
from chronoscore.integrations.completions import named_figures

SIGNATURE = "chronoscore.signature"
REPORT = "chronoscore-report"


def finite_figures(result: ScoreResult) -> dict[str, float]:
    """The figures by name; undefined ones, such as an interval of one topic, are left out."""
    return {name: value for name, value in named_figures(result).items() if value == value}


@contextmanager
def written_report(result: ScoreResult) -> Iterator[Path]:
    """The report as a file, as long as a tracker copies it."""
    with TemporaryDirectory() as folder:
        yield result.report(Path(folder) / f"{REPORT}.html")
