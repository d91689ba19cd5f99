"""Ways to damage a perfect timeline, each with all the copies that it may result in.

A damage that could strike any day gives one copy for each, so that what a measure makes of
it is an expectation over all of them and not the luck of one draw.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from chronoscore.core import Document, Entry, Timeline, When

Copies: TypeAlias = Sequence[Timeline]

NONSENSE = "Blurn vask tolp merid quonk drashel fibnor crell zand obrix"
"""Ten words that no timeline has, for a day to be added where there are no articles."""


def damage_by_removal(timeline: Timeline) -> Copies:
    """Leave one date out; none where it is the only one."""
    entries = timeline.entries
    if len(entries) < 2:
        return ()
    return [_make_timeline(entries[:place] + entries[place + 1 :]) for place in range(len(entries))]


def damage_by_addition(timeline: Timeline, articles: Sequence[Document] = ()) -> Copies:
    """Add the first sentence of the first article of the first date that is not there.

    Without articles, ten words of nonsense on the first free day after an entry.
    """
    known = set(timeline.dates)
    free = [
        (article.when, article.sentences[0].text)
        for article in articles
        if article.when and article.when not in known and article.sentences
    ]
    if free:
        # min keeps the first of several articles of a day.
        when, text = min(free, key=lambda dated: dated[0])
        return [_make_timeline((*timeline.entries, Entry(when, (text,))))]
    if not timeline.entries:
        return ()
    day = next_free(timeline.dates, timeline.entries[0].when)
    return [_make_timeline((*timeline.entries, Entry(day, (NONSENSE,))))]


def damage_by_merge(timeline: Timeline) -> Copies:
    """Give the earlier of the two closest dates the texts of both; ties by order of time."""
    entries = timeline.entries
    if len(entries) < 2:
        return ()
    gaps = [b.when.distance(a.when) for a, b in pairwise(entries)]
    place = gaps.index(min(gaps))
    both = Entry(entries[place].when, entries[place].sentences + entries[place + 1].sentences)
    return [_make_timeline((*entries[:place], both, *entries[place + 2 :]))]


def damage_by_shift(timeline: Timeline, days: int) -> Copies:
    """Move every date by a number of days."""
    return [Timeline.of([(e.when.shift(days), e.sentences) for e in timeline])]


def damage_by_swap(timeline: Timeline) -> Copies:
    """Exchange the texts of two neighboring dates, for every two of them."""
    texts = [entry.sentences for entry in timeline]
    return [
        _replace_texts(timeline, [*texts[:n], texts[n + 1], texts[n], *texts[n + 2 :]])
        for n in range(len(texts) - 1)
    ]


def damage_by_split(timeline: Timeline) -> Copies:
    """Move the second half of a day's sentences to the next free day, for every such day."""
    copies = []
    for place, entry in enumerate(timeline.entries):
        half = (len(entry.sentences) + 1) // 2
        if half < len(entry.sentences):
            others = timeline.entries[:place] + timeline.entries[place + 1 :]
            late = Entry(next_free(timeline.dates, entry.when), entry.sentences[half:])
            copies.append(
                _make_timeline((*others, Entry(entry.when, entry.sentences[:half]), late))
            )
    return copies


def damage_by_duplication(timeline: Timeline) -> Copies:
    """Say a day's text once more on the next free day, for every day."""
    return [
        _make_timeline(
            (*timeline.entries, Entry(next_free(timeline.dates, entry.when), entry.sentences))
        )
        for entry in timeline
    ]


def damage_by_shuffle(timeline: Timeline) -> Copies:
    """Turn the texts around over the dates, by every number of places."""
    texts = [entry.sentences for entry in timeline]
    return [_replace_texts(timeline, texts[turn:] + texts[:turn]) for turn in range(1, len(texts))]


def damage_by_halving(timeline: Timeline) -> Copies:
    """Keep the first half of each day's sentences, and of a lone sentence its first words."""
    return [_replace_texts(timeline, [_half_of(entry.sentences) for entry in timeline])]


def _half_of(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """The first half of a text.

    >>> _half_of(("The dam broke .",)), _half_of(("One.", "Two.", "Three."))
    (('The dam',), ('One.', 'Two.'))
    """
    if len(sentences) != 1:
        return sentences[: (len(sentences) + 1) // 2]
    words = sentences[0].split()
    return (" ".join(words[: (len(words) + 1) // 2]),)


def _replace_texts(timeline: Timeline, texts: Iterable[tuple[str, ...]]) -> Timeline:
    """The same dates with other texts."""
    pairs = zip(timeline.dates, texts, strict=True)
    return _make_timeline(tuple(Entry(when, text) for when, text in pairs))


def next_free(dates: Iterable[When], when: When) -> When:
    """The first day after a date that is not among the dates."""
    taken = {one.first for one in dates if one.grain == "day"}
    number = when.last + 1
    while number in taken:
        number += 1
    return When(number, number, "day")


def _make_timeline(entries: tuple[Entry, ...]) -> Timeline:
    """A timeline of entries in any order; their texts are kept as the same objects."""
    return Timeline(tuple(sorted(entries, key=lambda entry: entry.when)))
