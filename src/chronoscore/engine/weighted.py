"""ROUGE-W: common subsequences in which unbroken runs weigh more, as ROUGE-1.5.5 finds them."""

import math
from collections.abc import Container, Sequence

from chronoscore.text.plain import Prepared

Number = int | float
LARGEST_INTEGER = 2**64
"""Perl keeps whole numbers exact below this, and takes floating point above."""
EXACT_FLOAT = 2**53
"""Below this every whole number has its floating point."""


def power(base: Number, weight: float) -> Number:
    """Raise to the weight as Perl does: a whole number where the factors' bits fit in 64."""
    try:
        raised = math.pow(base, weight)
    except OverflowError:
        return math.inf
    if isinstance(base, int) and float(weight).is_integer():
        # Perl takes powers of two by floating point, where they are exact.
        if base & (base - 1) and base.bit_length() * weight <= 64:
            return int(base ** int(weight))
        return int(raised) if raised < EXACT_FLOAT else raised
    return raised


def add(one: Number, other: Number) -> Number:
    """Add as Perl does: as whole numbers where both are and the sum cannot overflow."""
    both = isinstance(one, float) and isinstance(other, float)
    largest = LARGEST_INTEGER // 4 if both else EXACT_FLOAT
    terms = [int(n) if _is_whole(n, largest) else n for n in (one, other)]
    if any(isinstance(term, float) for term in terms):
        return float(one) + float(other)
    total = sum(terms)
    return total if total < LARGEST_INTEGER else float(total)


def _is_whole(number: Number, largest: int) -> bool:
    return isinstance(number, float) and abs(number) < largest and number.is_integer()


def length(sentences: Sequence[Sequence[str]], weight: float) -> Number:
    """Add up the weighted lengths of sentences, each taken as one unbroken run."""
    total: Number = 0
    for sentence in sentences:
        # Not sum(): newer Pythons add floats more exactly than Perl does.
        total = add(total, power(len(sentence), weight))
    return total


def sum_hits(system: Prepared, reference: Prepared, weight: float) -> Number:
    """Add up the weights of the runs of matched tokens.

    A token counts only as often as both texts have it. One that is used up neither ends a
    run nor breaks it: ROUGE-1.5.5 looks whether the next place is matched, not whether it
    counts, so a run may leap over such a token, and is lost if the token ends the sentence.
    """
    ours, theirs = dict(system.bag), dict(reference.bag)
    hits: Number = 0
    for sentence in reference.sentences:
        marks = _unite(system.sentences, sentence, weight)
        run = 0
        for place in sorted(marks):
            token = sentence[place]
            if not (ours.get(token) and theirs.get(token)):
                continue
            ours[token] -= 1
            theirs[token] -= 1
            run += 1
            if place + 1 not in marks:
                hits = add(hits, power(run, weight))
                run = 0
    return hits


def _unite(system: Sequence[Sequence[str]], sentence: Sequence[str], weight: float) -> set[int]:
    powers = [power(run, weight) for run in range(len(sentence) + 1)]
    known = set(sentence)
    marks: set[int] = set()
    for other in system:
        shared = known.intersection(other)
        if shared:
            columns = [other[column] for column in _thin(other, shared)]
            places = _thin(sentence, shared)
            found = _match([sentence[place] for place in places], columns, powers)
            marks.update(places[row] for row in found)
    return marks


def _thin(tokens: Sequence[str], shared: Container[str]) -> list[int]:
    """Give the places of shared tokens, and one place for each run of others.

    Without a match a row or column of the table only evens out the one before; a second
    changes nothing, so none but the first of a run is needed.
    """
    places = []
    matching = True
    for place, token in enumerate(tokens):
        matched = token in shared
        if matched or matching:
            places.append(place)
        matching = matched
    return places


DIAGONAL, UP, LEFT = range(3)


def _match(reference: Sequence[str], system: Sequence[str], powers: Sequence[Number]) -> list[int]:
    """Give the reference tokens on the heavy common subsequence that Perl's walk finds.

    The weights are added and taken away in Perl's order: sums that differ in their last bit
    would break ties elsewhere.
    """
    width = len(system)
    values: list[Number] = [0] * (width + 1)
    runs = [0] * (width + 1)
    moves = []
    for token in reference:
        fresh: list[Number] = [0]
        fresh_runs = [0]
        row = []
        left: Number = 0
        for column, other in enumerate(system):
            if token == other:
                run = runs[column]
                left = values[column] + powers[run + 1] - powers[run]
                fresh_runs.append(run + 1)
                row.append(DIAGONAL)
            else:
                up = values[column + 1]
                fresh_runs.append(0)
                if up >= left:
                    left = up
                    row.append(UP)
                else:
                    row.append(LEFT)
            fresh.append(left)
        values, runs = fresh, fresh_runs
        moves.append(row)
    return _walk(moves, width)


def _walk(moves: Sequence[Sequence[int]], width: int) -> list[int]:
    marks = []
    place, column = len(moves) - 1, width - 1
    while place >= 0 and column >= 0:
        move = moves[place][column]
        if move == DIAGONAL:
            marks.append(place)
        if move != LEFT:
            place -= 1
        if move != UP:
            column -= 1
    return marks
