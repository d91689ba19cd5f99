"""What to change in a timeline to gain most, each change tried by scoring it anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from chronoscore.core import Entry, Timeline, Topic
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.explain import AlignedDays

QUOTED = 38
"""Characters of an entry that a change quotes."""


@dataclass(frozen=True)
class Change:
    """One change to a timeline, and what the score gains by it."""

    sentence: str
    gain: float


def explain_best_changes(
    measure: AlignmentMeasure, topic: Topic, output: Timeline, days: AlignedDays, most: int = 3
) -> list[Change]:
    """The changes that raise the measure's last shown part most, largest first."""
    candidates = list(_propose(output, days))
    if not candidates:
        return []
    pairs = [(topic, output), *((topic, changed) for _, changed in candidates)]
    place = measure.parts.index(measure.shown[-1])
    figures = measure.values(measure.tally(pairs))[:, place].tolist()
    gains = [
        Change(sentence, figure - figures[0])
        for (sentence, _), figure in zip(candidates, figures[1:], strict=True)
    ]
    gains.sort(key=lambda change: -change.gain)
    return [change for change in gains if change.gain > 0.0005][:most]


def _propose(output: Timeline, days: AlignedDays) -> Iterator[tuple[str, Timeline]]:
    """Days to add, to word as the reference does, to move and to leave out."""
    entries = {entry.when: entry for entry in output}
    matches = days.matches("recall")
    for day in days.reference:
        text = day.texts[0]
        pair = matches.get(day.when)
        if pair is None:
            changed = _rewrite(output, (), [Entry(day.when, text)])
            yield f"Add {day.when}: {_quote(text)}", changed
            continue
        own = pair.system.when
        if own != day.when:
            moved = Entry(day.when, entries[own].sentences)
            changed = _rewrite(output, [own], [moved])
            yield f"Date {_quote(moved.sentences)} {day.when}, not {own}", changed
        if tuple(entries[own].sentences) != tuple(text):
            changed = _rewrite(output, [own], [Entry(own, text)])
            yield f"Say on {own} what the reference says: {_quote(text)}", changed
    matched = {pair.system.when for pair in days.pairs}
    for when in sorted({day.when for day in days.system} - matched):
        yield f"Leave out {when}: {_quote(entries[when].sentences)}", _rewrite(output, [when], ())


def _rewrite(output: Timeline, dropped: Sequence[object], added: Sequence[Entry]) -> Timeline:
    """The timeline without some dates and with some entries."""
    kept = [(entry.when, entry.sentences) for entry in output if entry.when not in dropped]
    return Timeline.of([*kept, *((entry.when, entry.sentences) for entry in added)])


def _quote(sentences: Sequence[str]) -> str:
    """The beginning of a text in quotation marks, cut between words."""
    return f"“{shorten(' '.join(sentences), QUOTED, placeholder=' …')}”"
