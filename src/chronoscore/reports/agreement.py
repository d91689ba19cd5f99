"""Agreement of judges, writers, matchers and machines: tables, flat records, a picture."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import TYPE_CHECKING

from chronoscore.core import Row
from chronoscore.errors import number_with_noun
from chronoscore.options import Resampling
from chronoscore.reports import machine
from chronoscore.reports.plots import panels
from chronoscore.reports.plots.panels import DotPanel, Dots
from chronoscore.reports.tables import Table, format_number
from chronoscore.reports.views import View
from chronoscore.stats.agreement import TopicAgreement
from chronoscore.stats.chance import ChanceCorrected
from chronoscore.stats.corpora import Characteristics
from chronoscore.stats.correlate import Correlated
from chronoscore.stats.machine import MachineStudy
from chronoscore.stats.matching import MatchingStudy
from chronoscore.stats.streams import StreamStudy
from chronoscore.stats.teams import UnitStudy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALPHA_NOTE = (
    "α: Krippendorff's, interval, over the two teams' counts; α of chosen leaves out the units "
    "that nobody chose, and grey is the share on which the teams differ by one writer at most"
)


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Agreement on streams, on content units, and between matchers of the same topic."""

    streams: StreamStudy
    units: tuple[UnitStudy, ...]
    matching: tuple[MatchingStudy, ...]
    events: bool = False
    """Whether tables show every event where there are several topics."""
    machines: tuple[MachineStudy, ...] = ()
    ranks: Mapping[str, tuple[Correlated, ...]] = field(default_factory=dict)
    """By machine: how systems' scores correlate under the machine and under people."""
    resampling: Resampling = field(default_factory=Resampling)
    annotators: str = "experts"


def tables(found: Agreement) -> list[Table]:
    """The judging papers' tables, then each machine against people."""
    drawn: list[Table] = []
    if found.streams.sizes:
        drawn.append(topic_table(found.streams))
        if found.events or len(found.streams.sizes) == 1:
            drawn += [_event_table(agreed) for agreed in found.streams.agreed]
        drawn += _chance_tables(found.streams)
        drawn.append(_corpus_table(found.streams))
    if found.units:
        drawn.append(unit_table(found.units))
        drawn += [_split_table(study) for study in found.units if study.splits]
    if found.matching:
        drawn.append(_matching_table(found.matching))
    for study in found.machines:
        drawn += machine.tables(study, found.resampling, found.annotators)
    for name, ranks in found.ranks.items():
        drawn.append(machine.rank_table(name, ranks, found.resampling.level))
    return drawn


def topic_table(study: StreamStudy) -> Table:
    """The judging paper's Table 1, with the blind overlap, which acceptance does not show."""
    rows = [
        (
            size.topic,
            str(size.stories),
            str(size.events),
            str(size.sentences),
            format_number(size.hours, ".2f"),
            format_number(agreed.acceptance, ".2f"),
            format_number(agreed.jaccard, ".2f"),
            str(agreed.added),
        )
        for size, agreed in zip(study.sizes, study.agreed, strict=True)
    ]
    rows.append(("mean", *(format_number(value, ".2f") for value in study.means)))  # type: ignore[arg-type]
    columns = (
        "topic",
        "stories",
        "events",
        "sentences",
        "hours",
        "acceptance",
        "blind overlap",
        "added",
    )
    return Table.of("Judges", columns, rows, _stream_notes(study))


def _stream_notes(study: StreamStudy) -> Iterator[str]:
    """What a reader of Table 1 should know."""
    yield (
        "acceptance: of the sentences that either judge marked, the share that the verifier kept, "
        "mean over events; blind overlap: the share that both marked (Jaccard); "
        "added: links only the verifier made"
    )
    unnamed = [agreed.topic for agreed in study.agreed if not agreed.judges]
    if unnamed:
        yield f"links name no judge, so agreement is unknown: {', '.join(unnamed)}"
    undefined = sum(agreed.undefined for agreed in study.agreed if agreed.judges)
    if undefined:
        events = number_with_noun(undefined, "event", "events")
        verb = "is" if undefined == 1 else "are"
        yield f"{events} that no judge marked {verb} left out of the means"
    single = [agreed.topic for agreed in study.agreed if len(agreed.judges) == 1]
    if single:
        yield f"a single judge, so the blind overlap is undefined: {', '.join(single)}"
    several = [agreed for agreed in study.agreed if len(agreed.judges) > 2]
    if several:
        counts = ", ".join(f"{agreed.topic} has {len(agreed.judges)} judges" for agreed in several)
        yield f"{counts}; the blind overlap is the mean over pairs"


def _event_table(agreed: TopicAgreement) -> Table:
    """The judging paper's Table 2 for one topic."""
    rows = [
        (
            event.event,
            str(event.sentences),
            str(event.marked),
            format_number(event.acceptance, ".2f"),
            format_number(event.jaccard, ".2f"),
            str(event.added),
        )
        for event in agreed.events
    ]
    columns = ("event", "sentences", "marked", "acceptance", "blind overlap", "added")
    return Table.of(f"Events of {agreed.topic}", columns, rows)


def _chance_tables(study: StreamStudy) -> Iterator[Table]:
    """κ of each pair of judges and α of all, as the workbench shows them."""
    rows = [
        (size.topic if first else "", f"{one} – {other}", _interval(kappa), alpha if first else "")
        for size, chance in zip(study.sizes, study.chance, strict=True)
        if chance is not None
        for alpha in [_interval(chance.alpha)]
        for first, ((one, other), kappa) in zip(
            chain([True], repeat(False)), chance.kappas.items(), strict=False
        )
    ]
    if rows:
        note = (
            "κ (Cohen's, of two judges) and α (Krippendorff's, of all): 1 is perfect agreement, "
            "0 is chance; [low, high]: 95% interval over sentences"
        )
        yield Table.of("Agreement beyond chance", ("topic", "judges", "κ", "α"), rows, [note])


def _interval(figure: ChanceCorrected) -> str:
    """A coefficient with its interval, where it has one."""
    bounds = "" if math.isnan(figure.low) else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return format_number(figure.value, ".2f") + bounds


def _corpus_table(study: StreamStudy) -> Table:
    """The judging paper's Table 3: all topics and, where there are several, the two halves."""
    parts = study.parts
    notes: list[str] = []
    if study.halves is not None:
        search = "every split tried" if study.halves.exact else "by swaps"
        notes.append(
            f"training: {', '.join(study.halves.training)}; test: {', '.join(study.halves.test)}; "
            f"imbalance {study.halves.imbalance:.2g} ({search})"
        )
    columns = [_corpus_column(part) for part in parts.values()]
    rows = [(name, *(column[name] for column in columns)) for name in columns[0]]
    return Table.of("Corpus", ("", *parts), rows, notes)


def _corpus_column(part: Characteristics) -> dict[str, str]:
    """One column of Table 3."""
    off, single, multi = part.shares
    return {
        "topics": str(part.topics),
        "stories": str(part.stories),
        "stories per topic": format_number(part.stories_per_topic, ".1f"),
        "events": str(part.events),
        "events per topic": format_number(part.events_per_topic, ".1f"),
        "sentences": str(part.sentences),
        "sentences per topic": format_number(part.sentences_per_topic, ".1f"),
        "sentences per story": format_number(part.sentences_per_story, ".1f"),
        "off-event sentences": format_number(off, ".0%"),
        "single-event sentences": format_number(single, ".0%"),
        "multi-event sentences": format_number(multi, ".0%"),
    }


def unit_table(studies: Sequence[UnitStudy]) -> Table:
    """How many units have which weight."""
    highest = max(len(study.weights.counts) for study in studies)
    rows = [
        (
            study.topic,
            str(study.writers),
            str(study.units),
            *map(str, study.weights.counts),
            *["0"] * (highest - len(study.weights.counts)),
            "yes" if study.weights.pyramidal else "no",
            str(study.weights.best(study.length or study.units)),
        )
        for study in studies
    ]
    weights = [f"weight {weight}" for weight in range(1, highest + 1)]
    columns = ("topic", "writers", "units", *weights, "pyramid", "best")
    note = "best: the weight of the heaviest units that fit the length asked for, or of all units"
    return Table.of("Content units", columns, rows, [note])


def _split_table(study: UnitStudy) -> Table:
    """Every way to split the writers, and the mean of all."""
    names = [f"{'+'.join(split.first)} | {'+'.join(split.second)}" for split in study.splits]
    figures = [*study.split_figures, study.mean_figures]
    rows = [
        (name, *(format_number(value, ".4f") for value in values))
        for name, values in zip([*names, "mean"], figures, strict=True)
    ]
    note = "z is unknown; give it, or the file with the sentences of the source"
    if study.unchosen is not None:
        note = f"units that nobody chose: z = {study.unchosen.count}, {study.unchosen.method}"
    columns = ("teams", "grey", "α", "α of chosen")
    return Table.of(f"Teams of writers of {study.topic}", columns, rows, (note, ALPHA_NOTE))


def _matching_table(studies: Sequence[MatchingStudy]) -> Table:
    """Pairs of matchers."""
    rows = [
        (
            study.topic,
            str(agreed.units),
            f"{agreed.first} / {agreed.second} / {agreed.both}",
            format_number(agreed.jaccard, ".3f"),
            format_number(agreed.dice, ".3f"),
            format_number(agreed.share_of_pool, ".3f"),
            format_number(agreed.equal_values, ".3f"),
            format_number(agreed.mean_difference, ".3f"),
        )
        for study in studies
        for agreed in [study.agreed]
    ]
    notes = (f"{s.topic}: {s.first} and {s.second}, pool {s.agreed.pool}" for s in studies)
    columns = (
        "topic", "units", "first / second / both", "Jaccard", "Dice", "of pool", "equal v", "|Δv|",
    )  # fmt: skip
    return Table.of("Matching", columns, rows, notes)


def draw(found: Agreement) -> "Figure":
    """How far judges, writers, matchers and machines agree, a panel for each."""
    judges, split = _judge_panel(found.streams), [one for one in found.units if one.splits]
    means = [study.mean_figures.alpha_of_chosen for study in split]
    return panels.dots(
        [
            judges,
            DotPanel(
                "Teams of writers, mean over splits",
                [study.topic for study in split],
                [Dots("α of chosen", means)],
            ),
            DotPanel(
                "Matchers",
                [f"{study.topic}: {study.first} – {study.second}" for study in found.matching],
                [
                    Dots("Jaccard", [study.agreed.jaccard for study in found.matching]),
                    Dots("Dice", [study.agreed.dice for study in found.matching]),
                ],
            ),
            *map(machine.panel, found.machines),
        ]
    )


def _judge_panel(streams: StreamStudy) -> DotPanel:
    """Judges by topic, or by event of a single topic."""
    judged = [agreed for agreed in streams.agreed if agreed.judges]
    figures = [(one.topic, one.acceptance, one.jaccard) for one in judged]
    title = "Judges"
    if len(judged) <= 1:
        figures = [(e.event, e.acceptance, e.jaccard) for one in judged for e in one.events]
        title = f"Judges of {', '.join(agreed.topic for agreed in judged)}"
    return DotPanel(
        title,
        [name for name, _, _ in figures],
        [
            Dots("acceptance", [accepted for _, accepted, _ in figures]),
            Dots("blind overlap", [jaccard for _, _, jaccard in figures]),
        ],
    )


def rows(found: Agreement) -> Iterator[Row]:
    """Flat records of all that was found."""
    blank: Row = {"low": math.nan, "high": math.nan} if found.machines else {}
    for row in _rows_of_people(found):
        yield {**row, **blank}
    for study in found.machines:
        yield from machine.rows(study)
    for name, ranks in found.ranks.items():
        yield from machine.rank_rows(name, ranks)


def _rows_of_people(found: Agreement) -> Iterator[Row]:
    """Streams, content units and matchers as flat records."""
    yield from _stream_rows(found.streams)
    for unit in found.units:
        yield from _unit_rows(unit)
    for matching in found.matching:
        yield from _matching_rows(matching)


def _stream_rows(study: StreamStudy) -> Iterator[Row]:
    """Topics, events and the corpus as flat records."""
    for size, agreed, chance in zip(study.sizes, study.agreed, study.chance, strict=True):
        for name in ("stories", "events", "sentences", "off", "single", "multi", "hours"):
            yield _row("topics", size.topic, "", name, getattr(size, name))
        for name in ("acceptance", "jaccard", "added", "undefined"):
            yield _row("topics", size.topic, "", name, getattr(agreed, name))
        if chance is not None:
            for (one, other), kappa in chance.kappas.items():
                yield _row("topics", size.topic, f"{one} | {other}", "kappa", kappa.value)
            yield _row("topics", size.topic, "", "alpha", chance.alpha.value)
        for event in agreed.events:
            for name in ("sentences", "marked", "accepted", "added", "acceptance", "jaccard"):
                yield _row("events", size.topic, event.event, name, getattr(event, name))
        if study.halves is not None:
            training = size.topic in study.halves.training
            yield _row("halves", size.topic, "", "training", int(training))
    if study.halves is not None:
        yield _row("halves", "", "", "imbalance", study.halves.imbalance)


def _unit_rows(study: UnitStudy) -> Iterator[Row]:
    """A topic's weights and splits as flat records."""
    for weight, count in enumerate(study.weights.counts, 1):
        yield _row("units", study.topic, str(weight), "count", count)
    yield _row("units", study.topic, "", "pyramidal", int(study.weights.pyramidal))
    yield _row("units", study.topic, "", "best", study.weights.best(study.length or study.units))
    if study.unchosen is not None:
        yield _row("units", study.topic, study.unchosen.method, "unchosen", study.unchosen.count)
    for split in study.splits:
        name = f"{'+'.join(split.first)} | {'+'.join(split.second)}"
        if study.unchosen is not None:
            yield _row("teams", study.topic, name, "grey", split.grey)
            yield _row("teams", study.topic, name, "alpha", split.alpha)
        yield _row("teams", study.topic, name, "alpha of chosen", split.alpha_of_chosen)


def _matching_rows(study: MatchingStudy) -> Iterator[Row]:
    """Two matchers as flat records."""
    names = (
        "units", "first", "second", "both", "pool", "jaccard", "dice", "share_of_pool",
        "equal_values", "mean_difference",
    )  # fmt: skip
    for name in names:
        files = f"{study.first} | {study.second}"
        value = getattr(study.agreed, name)
        yield _row("matching", study.topic, files, name.replace("_", " "), value)


def _row(table: str, topic: str, item: str, figure: str, value: float) -> Row:
    """One flat record; every record has the same keys."""
    return {"table": table, "topic": topic, "item": item, "figure": figure, "value": value}


VIEW: View[Agreement] = View(title="Agreement", rows=rows, tables=tables, draw=draw)
