"""Comparisons as tables: marks in the cells, and every pair with its test."""

import math
from collections.abc import Mapping, Sequence

from chronoscore.options import Resampling
from chronoscore.reports.tables import Cell, Table, format_number, p_text
from chronoscore.scoring import Scores
from chronoscore.stats.boards import topic_spreads
from chronoscore.stats.compare import OTHER_TESTS, SystemPair
from chronoscore.stats.corpus_tests import PartComparison


def significance_marks(
    letter: Mapping[str, str], found: Sequence[PartComparison]
) -> Mapping[tuple[str, str, str], str]:
    """For each figure, the letters (by system) of those that it is better than.

    A letter in parentheses is significant on its own but not after Holm's correction.
    """
    sure: dict[tuple[str, str, str], list[str]] = {}
    likely: dict[tuple[str, str, str], list[str]] = {}
    for item in found:
        for pair in item.comparison.pairs:
            if pair.p <= 1 - item.comparison.level:
                up = pair.difference * item.measure.direction(item.part) > 0
                better, worse = (pair.system, pair.other) if up else (pair.other, pair.system)
                marked = sure if pair.significant else likely
                key = (better, item.measure.title, item.part)
                marked.setdefault(key, []).append(letter[worse])
    return {
        key: "".join(sorted(sure.get(key, []))) + _parenthesize(sorted(likely.get(key, [])))
        for key in {*sure, *likely}
    }


def _parenthesize(letters: Sequence[str]) -> str:
    """Letters in parentheses, or nothing."""
    return f"({''.join(letters)})" if letters else ""


def mark_notes(found: Sequence[PartComparison], how: Resampling) -> list[str]:
    """What the marks say, in words."""
    exact = all(pair.exact for item in found for pair in item.comparison.pairs)
    trials = found[0].comparison.trials if found else 0
    how_many = "exact" if exact else f"{trials} trials"
    pairs = [pair for item in found for pair in item.comparison.pairs]
    sure = any(pair.significant for pair in pairs)
    likely = any(pair.p <= 1 - how.level and not pair.significant for pair in pairs)
    marks = "b: better than system b" if sure else "no difference is significant"
    return [
        f"{marks} (p ≤ {1 - how.level:.2g}, Holm-corrected over all pairs; approximate "
        f"randomization over topics, {how_many}, two-sided)"
        + ("; (b): better than system b, but only uncorrected" if likely else "")
    ]


def pair_table(found: Sequence[PartComparison]) -> Table:
    """Every pair with its difference, interval, p and effect size."""
    everything = any(item.comparison.tests == "all" for item in found)
    others = [*OTHER_TESTS] if everything else []
    columns = (
        "systems",
        "measure",
        "difference",
        "p",
        "p (Holm)",
        *(f"p ({OTHER_TESTS[name]})" for name in others),
        "effect d",
        "wins",
        "topics",
    )
    rows = []
    for item in found:
        for pair in item.comparison.pairs:
            rows.append(
                (
                    Cell(f"{pair.system} – {pair.other}"),
                    Cell(item.measure.heading(item.part)),
                    _difference_cell(pair),
                    Cell(p_text(pair.p)),
                    Cell(p_text(pair.adjusted), marks="*" if pair.significant else ""),
                    *(Cell(p_text(getattr(pair, name))) for name in others),
                    Cell(format_number(pair.effect, "+.2f")),
                    Cell(format_number(pair.superiority, ".0%")),
                    Cell(str(pair.topics)),
                )
            )
    return Table("", columns, tuple(rows))


def _difference_cell(pair: SystemPair) -> Cell:
    """A difference with its interval, as far as they are defined; one topic has no spread."""
    alone = pair.topics < 2 or math.isnan(pair.low)
    interval = "" if alone else f"[{pair.low:+.3f}, {pair.high:+.3f}]"
    return Cell(format_number(pair.difference, "+.4f"), interval)


def topic_table(scores: Scores, found: Sequence[PartComparison]) -> Table:
    """Each topic's figures, system by system, largest spread first."""
    rows = []
    for item in found:
        for one in topic_spreads(scores, item.measure, item.part):
            figures = (format_number(value, ".4f") for value in (*one.values, one.spread))
            rows.append((f"{one.topic} ({item.measure.heading(item.part)})", *figures))
    return Table.of("by topic", ("topic", *scores.systems, "spread"), rows)
