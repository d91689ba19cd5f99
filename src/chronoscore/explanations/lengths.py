"""How long the outputs of systems are: F rewards length, and readers should see it."""

from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from chronoscore.core import Output, Run, Summary, Timeline
from chronoscore.text.unicode import count_words


class OutputLength(NamedTuple):
    """The mean length of a system's outputs."""

    days: float | None
    """None where outputs have no dates."""
    words: float


def mean_length(run: Run) -> OutputLength | None:
    """Days and words of an output, on average over the topics that a system has outputs for."""
    texts = [one for one in run.outputs.values() if isinstance(one, Timeline | Summary)]
    if not texts:
        return None
    timelines = [one for one in texts if isinstance(one, Timeline)]
    return OutputLength(
        fmean(len(one.entries) for one in timelines) if timelines else None,
        fmean(sum(map(count_words, _sentences(one))) for one in texts),
    )


def _sentences(output: Output) -> Iterator[str]:
    """The sentences of an output."""
    if isinstance(output, Timeline):
        for entry in output:
            yield from entry.sentences
    elif isinstance(output, Summary):
        yield from output.sentences
