"""Machine judges as tables and flat records: agreement, confusion, and who could be replaced."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from chronoscore.core import Row
from chronoscore.data.machines import NUGGET_LABELS
from chronoscore.errors import number_with_noun
from chronoscore.options import Resampling
from chronoscore.reports.plots.panels import DotPanel, Dots
from chronoscore.reports.scores import NO_SPREAD, describe_interval
from chronoscore.reports.tables import (
    Cell,
    Cells,
    Table,
    format_level,
    format_number,
    interval_cell,
    p_text,
)
from chronoscore.stats.alt_test import ADVISED_ITEMS, EPSILONS, PASSES_AT, AlternativeTest
from chronoscore.stats.correlate import Correlated
from chronoscore.stats.machine import FIGURES, JudgeAgreement, MachineStudy
from chronoscore.stats.score_grid import score_label

BY_ORDER = " Labels in order, by −RMSE"
"""Of the alternative-annotator test that compares how near labels are."""
HEADINGS = {"precision": "P", "recall": "R", "f": "F", "kappa": "κ", "alpha": "α"}


def _agreement_row(name: str, agreed: JudgeAgreement, figures: Iterable[str]) -> list[Cell | str]:
    """One line of a table of agreement."""
    return [
        name,
        str(agreed.items),
        *(
            interval_cell(one.value, one.low, one.high, ".3f")
            for one in map(agreed.figures.__getitem__, figures)
        ),
    ]


def _agreement_table(study: MachineStudy, resampling: Resampling) -> Table:
    """The machine against each person and the verified links; people among themselves below."""
    rows = [
        _agreement_row(f"{study.machine} – {one.other}", one, FIGURES) for one in study.against
    ] + [_agreement_row(f"{one.judge} – {one.other}", one, FIGURES) for one in study.yardstick]
    positive = study.labels[-1]
    topics = max((one.topics for one in study.against), default=0)
    notes = [
        f"P, R, F: of items that are '{positive}', the second judge taken as right; κ: Cohen's; "
        "α: Krippendorff's, labels in order",
    ]
    if study.yardstick:
        notes.append("the pairs of people below show how far people agree with each other")
    if topics > 1:
        notes.append(f"[low, high]: {describe_interval(resampling, FIGURES.values())}")
        if any(math.isnan(f.low) for one in study.against for f in one.figures.values()):
            notes.append(NO_SPREAD)
    columns = ("judges", "items", *(HEADINGS.get(figure, figure) for figure in FIGURES))
    return Table.of(f"Machine judge {study.machine}", columns, rows, notes)


def panel(study: MachineStudy) -> DotPanel:
    """The same as a picture: accuracy, F and Cohen's κ with their intervals."""
    pairs = [*study.against, *study.yardstick]
    return DotPanel(
        f"Machine judge {study.machine}, and people among themselves",
        [f"{one.judge} – {one.other}" for one in pairs],
        [
            Dots(
                HEADINGS.get(name, name),
                [one.figures[name].value for one in pairs],
                [(one.figures[name].low, one.figures[name].high) for one in pairs],
            )
            for name in ("accuracy", "f", "kappa")
        ],
    )


def _group_table(study: MachineStudy) -> Table:
    """The machine against the reference, by importance, position and length."""
    figures = ("accuracy", "precision", "recall", "f", "kappa")
    rows = [
        _agreement_row(f"{one.trait}: {one.group}", one.agreed, figures) for one in study.groups
    ]
    columns = ("items with", "items", *(HEADINGS.get(figure, figure) for figure in figures))
    return Table.of(f"{study.machine} – {study.reference}, by group", columns, rows)


def _confusion_table(study: MachineStudy) -> Table:
    """How often each label was paired with each."""
    rows = [
        (name, *map(str, counts), f"{same:.0%}")
        for name, counts, same in zip(
            study.labels, study.confusion.tolist(), study.same_label, strict=True
        )
    ]
    columns = (f"{study.reference} \\ {study.machine}", *study.labels, "same")
    why = {
        f"no alternative-annotator test: it {t.why}": None for t in study.tests.values() if t.why
    }
    return Table.of("Labels", columns, rows, why)


def _replacement_table(
    study: MachineStudy, tests: Mapping[str, AlternativeTest], who: str, by: str = ""
) -> Table:
    """The alternative-annotator test, person by person."""
    test = tests[who]
    rows = [
        (
            one.person,
            str(one.items),
            format_number(one.machine_ahead, ".3f"),
            format_number(one.person_ahead, ".3f"),
            p_text(one.p),
            Cell(p_text(one.adjusted), marks="*" if one.beaten else ""),
        )
        for one in test.people
    ]
    columns = ("left out", "items", "machine ahead", "person ahead", "p", "p (BY)")
    notes = _replacement_notes(study, tests, test, by)
    return Table.of(f"May {study.machine} replace a person?{by}", columns, rows, notes)


def _replacement_notes(
    study: MachineStudy, tests: Mapping[str, AlternativeTest], test: AlternativeTest, by: str
) -> Iterator[str]:
    """The outcome, and what the columns are."""
    for who, one in tests.items():
        verdict = "may replace a person" if one.passed else "may not replace a person"
        yield (
            f"{who} (ε = {one.epsilon:g}): ω = {one.winning_rate:.2f}, so it {verdict}"
            f" ({'≥' if one.passed else '<'} {PASSES_AT:g})"
        )
    near, well = ("is at least as near to", "") if by else ("agrees with", " at least as well")
    yield f"average advantage probability ρ = {test.advantage_probability:.3f}"
    yield (
        f"ahead: share of items on which it {near} the other people{well}; "
        f"*: behind by less than ε = {test.epsilon:g}, one-sided t test, Benjamini–Yekutieli"
    )
    if study.labels != NUGGET_LABELS:
        yield f"items: pairs that a person or the machine made '{study.labels[-1]}'"
    if test.left_out:
        yield f"left out for too few items: {', '.join(test.left_out)}"
    if test.fewest_items < ADVISED_ITEMS:
        items = number_with_noun(test.fewest_items, "item is", "items are")
        yield f"{items} few; {ADVISED_ITEMS} to 100 are recommended"


def rank_table(machine: str, found: Sequence[Correlated], level: float) -> Table:
    """Correlations of systems' scores under the machine and under people."""
    names = list(dict.fromkeys(one.coefficient for one in found))
    measures = list(dict.fromkeys((one.measure, one.part) for one in found))
    cells = {(one.measure, one.part, one.coefficient): one for one in found}
    rows: list[Cells] = [
        (
            score_label(scored),
            *(
                interval_cell(one.value, one.low, one.high, ".3f")
                for one in (cells[*scored, name] for name in names)
            ),
            str(cells[*scored, names[0]].n),
        )
        for scored in measures
    ]
    note = (
        "correlation of systems' mean scores under the machine and under people; [low, high]: "
        f"{format_level(level)} centered bootstrap interval over systems and topics"
    )
    title = f"Systems under {machine} and under people"
    return Table.of(title, ("measure", *names, "systems"), rows, [note])


def tables(study: MachineStudy, resampling: Resampling, annotators: str) -> list[Table]:
    """All tables of one machine."""
    drawn = [_agreement_table(study, resampling)]
    if study.groups:
        drawn.append(_group_table(study))
    drawn.append(_confusion_table(study))
    if not study.tests[annotators].why:
        drawn.append(_replacement_table(study, study.tests, annotators))
        if study.ordered_tests:
            drawn.append(_replacement_table(study, study.ordered_tests, annotators, BY_ORDER))
    return drawn


def rows(study: MachineStudy) -> Iterator[Row]:
    """All figures of one machine as flat records."""
    for kind, agreed in [
        *(("machine", one) for one in study.against),
        *(("people", one) for one in study.yardstick),
    ]:
        yield from _agreement_rows(kind, f"{agreed.judge} | {agreed.other}", agreed)
    for one in study.groups:
        item = f"{study.machine} | {study.reference} | {one.trait}: {one.group}"
        yield from _agreement_rows("machine by group", item, one.agreed)
    for name, counts in zip(study.labels, study.confusion.tolist(), strict=True):
        for other, count in zip(study.labels, counts, strict=True):
            item = f"{study.machine} | {study.reference}"
            yield _wide_row("confusion", item, f"{name} | {other}", count)
    for who, test in study.tests.items():
        yield from _replacement_rows("alternative annotator", study.machine, who, test)
    for who, test in study.ordered_tests.items():
        yield from _replacement_rows("alternative annotator by RMSE", study.machine, who, test)


def _agreement_rows(table: str, item: str, agreed: JudgeAgreement) -> Iterator[Row]:
    """The figures of two judges."""
    yield _wide_row(table, item, "items", agreed.items)
    for name, figure in agreed.figures.items():
        yield _wide_row(table, item, name, figure.value, figure.low, figure.high)


def _replacement_rows(table: str, machine: str, who: str, test: AlternativeTest) -> Iterator[Row]:
    """The alternative-annotator test for one kind of people."""
    yield _wide_row(table, f"{machine} | {who}", "epsilon", EPSILONS[who])
    if test.why:
        return
    yield _wide_row(table, f"{machine} | {who}", "winning rate", test.winning_rate)
    yield _wide_row(
        table, f"{machine} | {who}", "advantage probability", test.advantage_probability
    )
    yield _wide_row(table, f"{machine} | {who}", "passed", int(test.passed))
    for one in test.people:
        item = f"{machine} | {who} | {one.person}"
        for name in ("items", "machine_ahead", "person_ahead", "p", "adjusted"):
            yield _wide_row(table, item, name.replace("_", " "), getattr(one, name))
        yield _wide_row(table, item, "beaten", int(one.beaten))


def rank_rows(machine: str, found: Sequence[Correlated]) -> Iterator[Row]:
    """Correlations of systems as flat records."""
    for one in found:
        item = f"{machine} | {score_label((one.measure, one.part))}"
        yield _wide_row("systems", item, one.coefficient, one.value, one.low, one.high)


def _wide_row(
    table: str,
    item: str,
    figure: str,
    value: float,
    low: float = float("nan"),
    high: float = float("nan"),
) -> Row:
    """A record as `agree` has them, with an interval."""
    return {
        "table": table, "topic": "", "item": item, "figure": figure, "value": value,
        "low": low, "high": high,
    }  # fmt: skip
