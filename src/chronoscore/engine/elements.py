"""ROUGE-BE: matching basic elements, the head-modifier-relation triples of parsed text."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from chronoscore.engine.plain import Counts, clipped_overlap
from chronoscore.errors import DataError

NIL = "nil"
MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")


class Triple(NamedTuple):
    """One basic element, lower-cased."""

    head: str
    modifier: str
    relation: str


def parse(lines: Sequence[str], where: str) -> list[Triple]:
    """Read one HEAD|MODIFIER|RELATION a line; every byte stands for itself, as in Perl."""
    found = []
    for number, line in enumerate(lines, 1):
        fields = line.encode("utf-8", "surrogateescape").lower().decode("latin-1").split("|")
        while fields and not fields[-1]:
            fields.pop()
        if len(fields) != 3:
            raise DataError(
                f"'{line.strip()}' is not a basic element; write HEAD|MODIFIER|RELATION",
                place=f"{where}:{number}",
            )
        found.append(Triple(*fields))
    return found


def count(
    triples: Iterable[Triple], mode: str, *, base: Callable[[str], str] | None
) -> Counter[tuple[str, ...]]:
    """Count what the mode takes from each triple; `base` gives the base form of a word, if any."""
    found: Counter[tuple[str, ...]] = Counter()
    for triple in triples:
        head, modifier, relation = triple
        if base:
            head, modifier = _stem(head, base), _stem(modifier, base)
        match mode:
            case "H" if modifier == NIL:
                found[head,] += 1
            case "HM" if modifier != NIL:
                found[head, modifier] += 1
            case "HM1":
                found[head, modifier] += 1
            case "HMR" if relation != NIL:
                found[head, modifier, relation] += 1
            case "HMR1" if modifier != NIL:
                found[head, modifier, relation] += 1
            case "HMR2":
                found[head, modifier, relation] += 1
    return found


def count_shared(ours: Counter[tuple[str, ...]], theirs: Counter[tuple[str, ...]]) -> Counts:
    """Count the basic elements that two texts share."""
    return Counts(clipped_overlap(ours, theirs), theirs.total(), ours.total())


def _stem(field: str, base: Callable[[str], str]) -> str:
    """Stem the words of a longer field; a blank before the first stays, as Perl's split has it."""
    if len(field) <= 3:
        return field
    words = re.split(r"[ \t\n\r\f\v]+", field)
    while words and not words[-1]:
        words.pop()
    return " ".join(map(base, words))
