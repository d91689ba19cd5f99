"""How long the outputs of systems are: F rewards length, and readers should see it."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from chronoscore.core import Output, Run, Summary, Timeline
from chronoscore.text.unicode import count_words


class OutputLength(NamedTuple):
    """The mean length of a system's outputs."""

    days: float | None
    """None where outputs have no dates."""
    words: float


def mean_length(runs: Sequence[Run]) -> OutputLength | None:
    """Days and words of an output, on average over all outputs of a system's runs."""
    outputs = [output for run in runs for output in run.outputs.values()]
    texts = [one for one in outputs if isinstance(one, Timeline | Summary)]
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
