"""Texts that lie in one run of bytes, read by the kernel without a string for each of them."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from chronoscore.kernel import is_compiled
from chronoscore.text.batch import KernelReader, Layout
from chronoscore.text.preparation import Preparation
from chronoscore.text.ranges import Numbers

MOST_WORDS = 1 << 20
"""Words that a reader remembers from block to block."""

# The characters outside ASCII whose lower case has an ASCII letter: Kelvin sign and dotted I.
_LOWERED = (b"\xe2\x84\xaa", b"\xc4\xb0")

_idle: dict[Preparation, list[KernelReader]] = {}


def is_readable(data: bytes, preparation: Preparation) -> bool:
    """Whether the kernel reads these bytes as the preparation reads the text."""
    return (
        is_compiled()
        and preparation.script.ascii_only
        and preparation.limit is None
        and preparation.sentences != "split"
        and not (preparation.name == "google" and _has_lowered(data))
    )


def _has_lowered(data: bytes) -> bool:
    """Whether a character has a lower case that the kernel does not know."""
    return not data.isascii() and any(sign in data for sign in _LOWERED)


def read(data: bytes, bounds: Numbers, preparation: Preparation) -> Layout:
    """Lay out texts: text t is data[bounds[t]:bounds[t + 1]], its lines are sentences."""
    if preparation.sentences == "text":
        sentences, texts = bounds, np.arange(len(bounds), dtype=np.int64)
    else:
        sentences, texts = _split_lines(data, bounds)
    with _borrow_reader(preparation) as reader:
        return Layout(*reader.scan(data, sentences), texts)


@contextmanager
def _borrow_reader(preparation: Preparation) -> Iterator[KernelReader]:
    """A reader for one thread, with what it remembers of the words of earlier blocks."""
    idle = _idle.setdefault(preparation, [])
    try:
        reader = idle.pop()
    except IndexError:
        reader = KernelReader(preparation)
    yield reader
    if len(reader) <= MOST_WORDS:
        idle.append(reader)


def _split_lines(data: bytes, bounds: Numbers) -> tuple[Numbers, Numbers]:
    """Where sentences begin, and which is the first of each text.

    >>> _split_lines(b"one\\ntwothree\\n", np.array([0, 7, 13]))
    (array([ 0,  4,  7, 13, 13]), array([0, 2, 4]))
    """
    octets: NDArray[np.uint8] = np.frombuffer(data, dtype=np.uint8)
    breaks = np.flatnonzero(octets == ord("\n"))
    # A line end before a text's start belongs to an earlier text.
    texts = np.searchsorted(breaks, bounds) + np.arange(len(bounds))
    sentences = np.empty(len(breaks) + len(bounds), dtype=np.int64)
    starts = np.ones(len(sentences), dtype=bool)
    starts[texts] = False
    sentences[texts] = bounds
    sentences[starts] = breaks + 1
    return sentences, texts
