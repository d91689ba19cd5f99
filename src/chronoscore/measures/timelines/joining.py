"""Whole timelines put together from days that are prepared already."""

from collections.abc import Sequence

import numpy as np

from chronoscore.align.dates import Places
from chronoscore.text.batch import Batch, Layout


def joined(batch: Batch, groups: Sequence[Places]) -> Batch:
    """Texts made of other texts, one after the other, without reading them again."""
    layouts = [joined_layout(batch.whole, groups)]
    if batch.lines is not batch.whole:
        layouts.append(joined_layout(batch.lines, groups))
    return Batch(layouts[0], layouts[-1], batch.vocabulary)


def joined_layout(layout: Layout, groups: Sequence[Places]) -> Layout:
    """The words, sentences and texts of groups of texts."""
    texts = np.concatenate([np.empty(0, dtype=np.intp), *groups])
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    lines = stretches(layout.texts[texts], layout.texts[texts + 1])
    lengths = np.diff(layout.sentences)[lines]
    words = layout.words[stretches(layout.sentences[lines], layout.sentences[lines + 1])]
    per_text = np.diff(layout.texts)[texts]
    ends = np.r_[0, np.cumsum(per_text)][np.r_[0, np.cumsum(sizes)]]
    return Layout(words, np.r_[0, np.cumsum(lengths)], ends)


def stretches(begins: Places, ends: Places) -> Places:
    """All whole numbers of several half-open ranges, one range after the other."""
    lengths = ends - begins
    start = np.repeat(begins - (np.cumsum(lengths) - lengths), lengths)
    return start + np.arange(len(start))
