"""The longest common subsequence that ROUGE-1.5.5 finds, united over a system's sentences.

Many subsequences are equally long; which one is taken decides the score. Perl fills a table
and walks back from its last cell: diagonally on a match, otherwise up (towards the start of
the reference) where that cell is no smaller, otherwise left. Here a whole row of the table is
one integer with a bit for each reference token, and all reference sentences lie side by side
in it, a zero bit between them stopping the carry.
"""

from collections.abc import Container, Sequence
from itertools import chain

Sentences = Sequence[Sequence[str]]


def mark_united(system: Sentences, reference: Sentences) -> tuple[dict[str, int], int]:
    """Mark the reference tokens that lie on a longest common subsequence with any sentence.

    Gives the places of each reference token that the system has, and the marked places, as
    bits.
    """
    masks, spans = _lay_out(reference, set(chain.from_iterable(system)))
    everywhere = sum(spans)
    rows = [[masks.get(token, 0) for token in sentence] for sentence in system]
    marks = 0
    # What is marked already need not be looked at again, so the fullest rows come first.
    for reach, row in sorted(((_reach(row), row) for row in rows), key=_fullness, reverse=True):
        unsettled = []
        for span in spans:
            reachable = reach & span
            if reachable & ~marks:
                if reachable & (reachable - 1):
                    unsettled.append(span)
                else:
                    marks |= reachable  # the only token that matches at all
        if unsettled:
            columns = _columns(row, everywhere)
            longest = columns[0][1] or columns[1][1]  # the first may be an empty one
            for span in unsettled:
                reachable = reach & span
                if (longest & span).bit_count() == reachable.bit_count():
                    marks |= reachable  # all that matches is in the same order
                else:
                    marks |= _walk_back(columns, span)
    return masks, marks


def _reach(row: Sequence[int]) -> int:
    reach = 0
    for mask in row:
        reach |= mask
    return reach


def _fullness(candidate: tuple[int, Sequence[int]]) -> int:
    return candidate[0].bit_count()


def _lay_out(reference: Sentences, known: Container[str]) -> tuple[dict[str, int], list[int]]:
    """Give each known token's places as bits, and the bits that each sentence spans."""
    masks: dict[str, int] = {}
    spans = []
    bit = 1
    for sentence in reference:
        start = bit
        for token in sentence:
            if token in known:
                masks[token] = masks.get(token, 0) | bit
            bit <<= 1
        spans.append(bit - start)
        bit <<= 1
    return masks, spans


def _columns(row: Sequence[int], everywhere: int) -> list[tuple[int, int]]:
    """Give, from the last system token to the first, where it matches and where the table steps.

    A step is a place where the table's value grows from one reference token to the next
    (Hyyrö's bit-parallel recurrence keeps the places where it does not). Tokens that match
    nothing leave the table as it is: a run of them is one empty column.
    """
    flat = everywhere
    columns = []
    previous = 0
    for mask in row:
        if mask:
            moved = flat & mask
            flat = (flat + moved | flat - moved) & everywhere
            columns.append((mask, everywhere ^ flat))
        elif previous:
            columns.append((0, 0))
        previous = mask
    columns.reverse()
    return columns


def _walk_back(columns: Sequence[tuple[int, int]], below: int) -> int:
    """Walk back through the table from its last cell and give the matched places.

    `below` holds the places not yet passed. In each column the walk goes up to the highest
    place that matches or steps: a match is taken, a step sends it left. Columns that match
    nothing below only send it up to the step that the next matching column has, once.
    """
    marks = 0
    passed_empty = False
    for mask, steps in columns:
        mask &= below
        if not mask:
            passed_empty = True
            continue
        steps &= below
        if passed_empty:
            if not steps:
                break
            below &= (1 << steps.bit_length()) - 1
            mask &= below
            if not mask:
                continue
            passed_empty = False
        height, step = mask.bit_length(), steps.bit_length()
        if height >= step:
            top = 1 << (height - 1)
            marks |= top
            below &= top - 1
            if not below:
                break
        else:
            below &= (1 << step) - 1
    return marks
