"""How well measures follow people, as tables: correlations, their differences, the study."""

import math
from collections.abc import Sequence

import numpy as np

from chronoscore.reports.comparison import p_text
from chronoscore.reports.panel_plots import DotPanel, Dots
from chronoscore.reports.tables import Cell, Table, format_number
from chronoscore.stats.correlate import Correlated, Difference
from chronoscore.stats.correlation_intervals import Bootstrap
from chronoscore.stats.protocol import Redrawing
from chronoscore.stats.score_grid import Who, score_label
from chronoscore.stats.study import Fitted, Study, format_log_p_value

DRAWN = {
    "both": "systems and topics",
    "systems": "systems",
    "inputs": "topics",
}
SWAPPED = {
    "perm-both": "single summaries",
    "perm-systems": "systems, exact up to 13",
    "perm-inputs": "topics, exact up to 13",
}
OF = {
    "system": "of systems' means over topics",
    "summary": "over systems, averaged over topics",
    "global": "of all summaries",
}


def correlation_tables(found: Sequence[Correlated], how: Bootstrap, who: Who) -> list[Table]:
    """One table for each rating and level: measures down, coefficients across."""
    kinds = dict.fromkeys((one.rating, one.level) for one in found)
    return [
        _correlation_table([one for one in found if (one.rating, one.level) == kind], how, who)
        for kind in kinds
    ]


def _correlation_table(found: Sequence[Correlated], how: Bootstrap, who: Who) -> Table:
    """The coefficients of one rating at one level."""
    first = found[0]
    names = list(dict.fromkeys(one.coefficient for one in found))
    measures = list(dict.fromkeys((one.measure, one.part) for one in found))
    cells = {(one.measure, one.part, one.coefficient): one for one in found}
    best = {
        name: max((abs(one.value) for one in found if one.coefficient == name), default=math.nan)
        for name in names
    }
    rows = []
    for scored in measures:
        row = [Cell(score_label(scored))]
        for name in names:
            one = cells[*scored, name]
            strongest = len(measures) > 1 and abs(one.value) == best[name]
            row.append(
                Cell(
                    format_number(one.value, ".3f"),
                    _interval_cell(one.low, one.high),
                    best=strongest,
                )
            )
        rows.append((*row, Cell(str(cells[*scored, names[0]].n))))
    counted = {"system": "systems", "summary": "topics", "global": "summaries"}[first.level]
    drawn = (
        f"{how.level:.0%} {how.kind} bootstrap interval, {how.times} draws of "
        + (DRAWN[how.redrawn])
    )
    reasons = dict.fromkeys(f"{score_label((o.measure, o.part))}: {o.why}" for o in found if o.why)
    return Table(
        f"{first.rating}, {first.level} level",
        ("measure", *names, counted),
        tuple(rows),
        (
            f"correlation {OF[first.level]}; {_whose_summaries(who)}",
            f"[low, high]: {drawn}, seed {how.seed}",
            *(f"– undefined, {reason}" for reason in reasons),
        ),
    )


def _whose_summaries(who: Who) -> str:
    """Whose summaries count."""
    return {"machines": "machines only", "humans": "people only", "all": "machines and people"}[who]


def difference_table(found: Sequence[Difference], how: Bootstrap, trials: int) -> Table:
    """Every pair of measures with its difference, interval and test."""
    rows = tuple(
        (
            Cell(
                f"{score_label((one.measure, one.part))} – "
                f"{score_label((one.other, one.other_part))}"
            ),
            Cell(one.rating),
            Cell(one.level),
            Cell(one.coefficient),
            Cell(
                format_number(one.difference, "+.3f"), _interval_cell(one.low, one.high, plus=True)
            ),
            Cell(p_text(one.p)),
            Cell(p_text(one.adjusted), marks="*" if one.adjusted <= 1 - how.level else ""),
        )
        for one in found
    )
    test = found[0].test
    way = (
        "Williams's test"
        if test == "williams"
        else f"swaps of {SWAPPED[test]} ({test}), {trials} trials"
    ) + (", two-sided" if found[0].sides == 2 else ", one-sided: the first is better")
    return Table(
        "differences",
        ("measures", "rating", "level", "coefficient", "difference", "p", "p (Holm)"),
        rows,
        (f"p: {way}; Holm-corrected over the pairs of each rating, level and coefficient",),
    )


def coefficient_table(fits: Sequence[Fitted], level: float = 0.95) -> Table:
    """Fitted coefficients with their intervals, as the paper's Table 2."""
    rows = []
    for one in fits:
        low, high = one.fit.interval(level)
        cells = [
            Cell(f"{value:.4f}", f"[{a:.3f}, {b:.3f}]")
            for value, a, b in zip(one.fit.coefficients, low, high, strict=True)
        ]
        more = (
            f"{float(one.fit.scale):.4f}",
            format_number(one.correlation, ".3f"),
            str(one.systems),
        )
        rows.append((Cell(one.measure), Cell(one.rating), *cells, *map(Cell, more)))
    return Table(
        "coefficients",
        ("measure", "rating", "constant", "R(AB)", "R(BB)", "scale", "r", "systems"),
        tuple(rows),
        (
            f"[low, high]: {level:.0%} interval by Student's t; scale: the spread about the fit, "
            "odd systems aside; r: of fitted and given ratings",
        ),
    )


def coefficient_panels(fits: Sequence[Fitted], level: float = 0.95) -> list[DotPanel]:
    """The same as a picture, a panel for each rating."""
    panels = []
    for rating in dict.fromkeys(one.rating for one in fits):
        chosen = [one for one in fits if one.rating == rating]
        bounds = [one.fit.interval(level) for one in chosen]
        series = [
            Dots(
                name,
                [float(one.fit.coefficients[place]) for one in chosen],
                [(float(low[place]), float(high[place])) for low, high in bounds],
            )
            for place, name in enumerate(("constant", "R(AB)", "R(BB)"))
        ]
        panels.append(DotPanel(rating, [one.measure for one in chosen], series))
    return panels


def halves_table(studies: Sequence[Study]) -> Table:
    """The paper's Table 3: correlations on the half of the systems that was held back."""
    columns: list[str] = []
    figures: list[list[float]] = []
    for study in studies:
        if study.halves:
            columns += [f"{study.rating} {measure}" for measure in study.measures]
            figures += np.stack(study.halves, axis=-1).tolist()
    rows = tuple(
        (
            Cell(name),
            *(
                Cell(format_number(three[n], ".3f"), best=three[n] == max(three))
                for three in figures
            ),
        )
        for n, name in enumerate(("R(AB)", "R(BB)", "N"))
    )
    sizes = dict.fromkeys(str(len(s.machines.systems)) for s in studies if s.halves)
    return Table(
        "correlation on systems that were held back",
        ("score", *columns),
        rows,
        (
            f"Pearson; of {' and '.join(sizes)} machine systems a random half was fitted on, "
            "the other half tested",
        ),
    )


def redrawing_table(studies: Sequence[Study], place: int) -> Table:
    """The paper's Table 4: median correlations over draws of systems, for one way to split."""
    done = [one for one in studies if one.redrawn]
    rows = []
    for study in done:
        drawn = study.redrawn[place]
        low, high = drawn.interval
        for number, measure in enumerate(study.measures):
            medians = [float(value[number]) for value in drawn.medians]
            middle = float(np.nanmedian(drawn.differences[number]))
            rows.append(
                (
                    Cell(measure),
                    Cell(study.rating),
                    *(Cell(format_number(m, ".3f"), best=m == max(medians)) for m in medians),
                    Cell(format_log_p_value(float(drawn.log_p[number]))),
                    Cell(
                        format_number(middle, "+.3f"),
                        _interval_cell(low[number], high[number], plus=True),
                    ),
                )
            )
    return Table(
        f"median correlation over draws of systems, {done[0].redrawn[place].split} split",
        ("measure", "rating", "R(AB)", "R(BB)", "N", "p", "N – R(BB)"),
        tuple(rows),
        _redrawing_notes(done[0].redrawn[place]),
    )


def _redrawing_notes(drawn: Redrawing) -> tuple[str, ...]:
    """What the columns of Table 4 mean, and which to trust."""
    times = drawn.samples.update.shape[-1]
    shared = (
        f"{drawn.leakage:.1%} of the tested draws are of systems that were also fitted on"
        if drawn.leakage
        else "no tested system was fitted on"
    )
    return (
        f"{times} draws with replacement, half fitted on, half tested; {shared}",
        "p: Mann-Whitney on the draws' correlations of R(BB) and N, as published; it shrinks "
        "with the number of draws and ignores that they are paired",
        f"N – R(BB): median of the paired difference with its {drawn.level:.0%} interval, which "
        "is what says whether N follows people better",
    )


def gap_table(studies: Sequence[Study]) -> Table:
    """The paper's Table 5: how far predictions fall from what people were rated."""
    rows = []
    people = 0
    for study in studies:
        if study.gap is None:
            continue
        people = max(people, len(study.people.systems))
        of_update, of_novelty = study.gap.medians
        signs, ranked = study.gap.sign_p(), study.gap.rank_p()
        for number, measure in enumerate(study.measures):
            closer = study.gap.novelty[number] < study.gap.update[number]
            pair = (float(of_update[number]), float(of_novelty[number]))
            rows.append(
                (
                    Cell(measure),
                    Cell(study.rating),
                    *(Cell(format_number(value, ".3f"), best=value == min(pair)) for value in pair),
                    Cell(f"{int(closer.sum())} of {closer.size}"),
                    Cell(p_text(float(signs[number]))),
                    Cell(p_text(float(ranked[number]))),
                )
            )
    return Table(
        "median gap between predicted and given ratings of people",
        ("measure", "rating", "R gap", "N gap", "N closer", "p (sign)", "p (Wilcoxon)"),
        tuple(rows),
        (f"predictions fitted on machines only; {people} people; both tests exact and two-sided",),
    )


def study_tables(studies: Sequence[Study]) -> list[Table]:
    """All tables that the data allowed."""
    tables = []
    if any(one.halves for one in studies):
        tables.append(halves_table(studies))
    splits = max((len(one.redrawn) for one in studies), default=0)
    tables += [redrawing_table(studies, place) for place in range(splits)]
    if any(one.gap for one in studies):
        tables.append(gap_table(studies))
    return tables


def _interval_cell(low: float, high: float, *, plus: bool = False) -> str:
    """An interval, or nothing where there is none."""
    if math.isnan(low):
        return ""
    return f"[{low:+.3f}, {high:+.3f}]" if plus else f"[{low:.3f}, {high:.3f}]"
