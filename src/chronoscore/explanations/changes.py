"""Changes to a timeline that would gain most, each tried by scoring the changed timeline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import NamedTuple

from chronoscore.core import Entry, Timeline, When
from chronoscore.explanations.days import DayExplanation, Pairing

QUOTED = 38
"""Characters of an entry that a change quotes."""
LEAST = 0.0005
"""What a change must gain to be worth mentioning."""
TRIED = 60
"""Changes of one timeline that are scored: of more than these, the most promising ones."""


@dataclass(frozen=True)
class Change:
    """One change to a timeline, and what the score gains by it."""

    sentence: str
    gain: float


class Proposal(NamedTuple):
    """A change that has not been scored, and what it would move if all other days stayed put."""

    sentence: str
    dropped: tuple[When, ...]
    added: tuple[Entry, ...]
    found: float
    """Shared runs of words after weights, more or fewer."""
    offered: int
    """Runs of words of the system, more or fewer."""


def best(explanation: DayExplanation, most: int = 3) -> list[Change]:
    """The changes that raise the measure's last shown part most, largest first.

    A long timeline has more changes than can be scored in a moment; there, those are scored that
    promise most if no other day is aligned differently.
    """
    proposals = sorted(_propose(explanation), key=lambda one: -_promise(explanation, one))[:TRIED]
    if not proposals:
        return []
    measure, part = explanation.measure, explanation.measure.shown[-1]
    changed = [_rewrite(explanation.output, one.dropped, one.added) for one in proposals]
    tallies = measure.tally([(explanation.topic, timeline) for timeline in changed])
    figures = measure.values(tallies)[:, measure.parts.index(part)].tolist()
    gains = [
        Change(one.sentence, figure - explanation.values[part])
        for one, figure in zip(proposals, figures, strict=True)
    ]
    gains.sort(key=lambda change: -change.gain)
    return [change for change in gains if change.gain > LEAST][:most]


def _promise(explanation: DayExplanation, change: Proposal) -> float:
    """The F after a change, if all other days stay aligned as they are."""
    found, wanted, kept, offered = explanation.counts.tolist()
    offered += change.offered
    recall = (found + change.found) / wanted if wanted else 0.0
    precision = (kept + change.found) / offered if offered > 0 else 0.0
    return recall * precision / (recall + precision) if recall + precision > 0 else 0.0


def _propose(explanation: DayExplanation) -> Iterator[Proposal]:
    """Days to add, to word as the reference does, to move and to leave out."""
    entries = {entry.when: entry for entry in explanation.output}
    matched = {
        one.system.when
        for side in (explanation.pairings("precision"), explanation.pairings("recall"))
        for one in side
        if one.reference and one.system
    }
    for pairing in explanation.pairings("recall"):
        yield from _propose_for_day(explanation, pairing, entries)
    for when in sorted({day.when for day in explanation.system} - matched):
        own = entries[when].sentences
        size = explanation.reader.size([own])
        yield Proposal(f"Leave out {when}: {_quote(own)}", (when,), (), 0.0, -size)


def _propose_for_day(
    explanation: DayExplanation, pairing: Pairing, entries: dict[When, Entry]
) -> Iterator[Proposal]:
    """What could be done about one day of the references."""
    if pairing.reference is None:
        return
    reader, texts = explanation.reader, pairing.reference.texts
    when, text = pairing.reference.when, texts[0]
    says_all = sum(len(reader.shared(one, text)) for one in texts)
    size = len(texts) * reader.size([text])
    if pairing.system is None:
        yield Proposal(f"Add {when}: {_quote(text)}", (), (Entry(when, text),), says_all, size)
        return
    own = pairing.system.when
    earned = pairing.weight * len(pairing.shared)
    sentences = entries[own].sentences
    if own != when:
        gained = len(pairing.shared) - earned
        sentence = f"Date {_quote(sentences)} {when}, not {own}"
        yield Proposal(sentence, (own,), (Entry(when, sentences),), gained, 0)
    if tuple(sentences) != tuple(text):
        more = size - len(texts) * reader.size([sentences])
        sentence = f"Say on {own} what the reference says: {_quote(text)}"
        gained = pairing.weight * says_all - earned
        yield Proposal(sentence, (own,), (Entry(own, text),), gained, more)


def _rewrite(output: Timeline, dropped: Sequence[object], added: Sequence[Entry]) -> Timeline:
    """The timeline without some dates and with some entries."""
    kept = [(entry.when, entry.sentences) for entry in output if entry.when not in dropped]
    return Timeline.of([*kept, *((entry.when, entry.sentences) for entry in added)])


def _quote(sentences: Sequence[str]) -> str:
    """The beginning of a text in quotation marks, cut between words."""
    return f"“{shorten(' '.join(sentences), QUOTED, placeholder=' …')}”"
