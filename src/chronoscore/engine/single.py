"""Counting one text against its references, without arrays: by the kernel, or in plain Python."""

from collections.abc import Sequence

from chronoscore.engine import plain
from chronoscore.engine.kinds import Kind
from chronoscore.kernel import is_compiled
from chronoscore.text.plain import prepare
from chronoscore.text.preparation import Preparation


def count_text(
    kinds: Sequence[Kind],
    system: Sequence[str],
    references: Sequence[Sequence[str]],
    preparation: Preparation,
) -> list[list[plain.Counts]]:
    """What a text shares with each reference: a list of counts for each kind."""
    if preparation.name == "perl155" and preparation.sentences == "lines" and is_compiled():
        from chronoscore.engine.compiled import count_texts

        counts = count_texts(kinds, system, references, preparation)
        if counts is not None:
            return counts
    ours = prepare(system, preparation)
    theirs = [prepare(reference, preparation) for reference in references]
    return [[plain.count(kind, ours, one) for one in theirs] for kind in kinds]
