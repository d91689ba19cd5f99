"""Changes to a timeline that would gain most, each tried by scoring the changed timeline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from chronoscore.core import Entry, Timeline
from chronoscore.explanations.days import DayExplanation

QUOTED = 38
"""Characters of an entry that a change quotes."""
LEAST = 0.0005
"""What a change must gain to be worth mentioning."""


@dataclass(frozen=True)
class Change:
    """One change to a timeline, and what the score gains by it."""

    sentence: str
    gain: float


def best(explanation: DayExplanation, most: int = 3) -> list[Change]:
    """The changes that raise the measure's last shown part most, largest first."""
    candidates = list(_propose(explanation))
    if not candidates:
        return []
    measure, part = explanation.measure, explanation.measure.shown[-1]
    tallies = measure.tally([(explanation.topic, changed) for _, changed in candidates])
    figures = measure.values(tallies)[:, measure.parts.index(part)].tolist()
    gains = [
        Change(sentence, figure - explanation.values[part])
        for (sentence, _), figure in zip(candidates, figures, strict=True)
    ]
    gains.sort(key=lambda change: -change.gain)
    return [change for change in gains if change.gain > LEAST][:most]


def _propose(explanation: DayExplanation) -> Iterator[tuple[str, Timeline]]:
    """Days to add, to word as the reference does, to move and to leave out."""
    output = explanation.output
    entries = {entry.when: entry for entry in output}
    matched = {
        one.system.when
        for side in (explanation.pairings("precision"), explanation.pairings("recall"))
        for one in side
        if one.reference and one.system
    }
    for pairing in explanation.pairings("recall"):
        if pairing.reference is None:
            continue
        when, text = pairing.reference.when, pairing.reference.texts[0]
        if pairing.system is None:
            yield f"Add {when}: {_quote(text)}", _rewrite(output, (), [Entry(when, text)])
            continue
        own = pairing.system.when
        if own != when:
            moved = Entry(when, entries[own].sentences)
            changed = _rewrite(output, [own], [moved])
            yield f"Date {_quote(moved.sentences)} {when}, not {own}", changed
        if tuple(entries[own].sentences) != tuple(text):
            changed = _rewrite(output, [own], [Entry(own, text)])
            yield f"Say on {own} what the reference says: {_quote(text)}", changed
    for when in sorted({day.when for day in explanation.system} - matched):
        yield f"Leave out {when}: {_quote(entries[when].sentences)}", _rewrite(output, [when], ())


def _rewrite(output: Timeline, dropped: Sequence[object], added: Sequence[Entry]) -> Timeline:
    """The timeline without some dates and with some entries."""
    kept = [(entry.when, entry.sentences) for entry in output if entry.when not in dropped]
    return Timeline.of([*kept, *((entry.when, entry.sentences) for entry in added)])


def _quote(sentences: Sequence[str]) -> str:
    """The beginning of a text in quotation marks, cut between words."""
    return f"“{shorten(' '.join(sentences), QUOTED, placeholder=' …')}”"
