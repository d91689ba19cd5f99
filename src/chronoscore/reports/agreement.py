"""Agreement of judges, writers and matchers as tables and as flat records."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from chronoscore.core import Row
from chronoscore.reports.panel_plots import DotPanel, Dots
from chronoscore.reports.tables import Cell, Table, format_number
from chronoscore.stats.agreement import TopicAgreement, mean_of_defined
from chronoscore.stats.corpora import (
    Characteristics,
    StreamStudy,
    average_topic_sizes,
    corpus_characteristics,
)
from chronoscore.stats.matching import MatchingStudy
from chronoscore.stats.teams import UnitStudy

ALPHA_NOTE = (
    "α: Krippendorff's, interval, over the two teams' counts; α of chosen leaves out the units "
    "that nobody chose, and grey is the share on which the teams differ by one writer at most"
)


def _plain_cells(*texts: str) -> tuple[Cell, ...]:
    """A row of plain cells."""
    return tuple(Cell(text) for text in texts)


def topic_table(study: StreamStudy) -> Table:
    """The judging paper's Table 1, with the blind overlap that acceptance does not tell."""
    rows = [
        _plain_cells(
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
    mean = average_topic_sizes(study.sizes)
    overlap = mean_of_defined(agreed.jaccard for agreed in study.agreed)
    size = fmean(size.sentences for size in study.sizes)
    rows.append(
        _plain_cells(
            "mean",
            format_number(mean.stories, ".2f"),
            format_number(mean.events, ".2f"),
            format_number(size, ".2f"),
            format_number(mean.hours, ".2f"),
            format_number(mean.acceptance, ".2f"),
            format_number(overlap, ".2f"),
            format_number(fmean(agreed.added for agreed in study.agreed), ".2f"),
        )
    )
    columns = ("topic", "stories", "events", "sentences", "hours", "accepted", "Jaccard", "added")
    return Table("Judges", columns, tuple(rows), tuple(_stream_notes(study)))


def _stream_notes(study: StreamStudy) -> Iterator[str]:
    """What a reader of Table 1 should know."""
    yield (
        "accepted: of the sentences that either judge marked, the share that the verifier kept, "
        "mean over events; Jaccard: the judges' blind overlap; added: links only the verifier made"
    )
    unnamed = [agreed.topic for agreed in study.agreed if not agreed.judges]
    if unnamed:
        yield f"links name no judge, so there is no agreement to tell: {', '.join(unnamed)}"
    undefined = sum(agreed.undefined for agreed in study.agreed if agreed.judges)
    if undefined:
        yield f"{undefined} events that no judge marked are left out of the means"
    others = [agreed.topic for agreed in study.agreed if len(agreed.judges) not in (0, 2)]
    if others:
        yield f"not two judges, so Jaccard is over pairs or undefined: {', '.join(others)}"


def _event_table(agreed: TopicAgreement) -> Table:
    """The judging paper's Table 2 for one topic."""
    rows = [
        _plain_cells(
            event.event,
            str(event.sentences),
            str(event.marked),
            format_number(event.acceptance, ".2f"),
            format_number(event.jaccard, ".2f"),
            str(event.added),
        )
        for event in agreed.events
    ]
    columns = ("event", "sentences", "marked", "accepted", "Jaccard", "added")
    return Table(f"Events of {agreed.topic}", columns, tuple(rows))


def _corpus_table(study: StreamStudy) -> Table:
    """The judging paper's Table 3: all topics and, where there are several, the two halves."""
    parts = {"all": corpus_characteristics(study.sizes)}
    notes: tuple[str, ...] = ()
    if study.halves is not None:
        inside = set(study.halves.training)
        halves = {
            "training": corpus_characteristics(s for s in study.sizes if s.topic in inside),
            "test": corpus_characteristics(s for s in study.sizes if s.topic not in inside),
        }
        parts = halves | parts
        how = "every split tried" if study.halves.exact else "by swaps"
        notes = (
            f"training: {', '.join(study.halves.training)}; test: {', '.join(study.halves.test)}; "
            f"imbalance {study.halves.imbalance:.2g} ({how})",
        )
    columns = [_corpus_column(part) for part in parts.values()]
    rows = [_plain_cells(name, *(column[name] for column in columns)) for name in columns[0]]
    return Table("Corpus", ("", *parts), tuple(rows), notes)


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
    rows = []
    for study in studies:
        counts = [*study.weights.counts, *[0] * (highest - len(study.weights.counts))]
        best = str(study.weights.best(study.length or study.units))
        form = "yes" if study.weights.pyramidal else "no"
        rows.append(
            _plain_cells(
                study.topic, str(study.writers), str(study.units), *map(str, counts), form, best
            )
        )
    weights = [f"weight {weight}" for weight in range(1, highest + 1)]
    return Table(
        "Content units",
        ("topic", "writers", "units", *weights, "pyramid", "best"),
        tuple(rows),
        ("best: what the heaviest units of the length asked for weigh, or all units",),
    )


def _split_table(study: UnitStudy) -> Table:
    """Every way to part the writers, and the mean of all."""
    known = study.unchosen is not None
    figures = {
        f"{'+'.join(split.first)} | {'+'.join(split.second)}": (
            split.grey if known else float("nan"),
            split.alpha if known else float("nan"),
            split.alpha_of_chosen,
        )
        for split in study.splits
    }
    figures["mean"] = (
        mean_of_defined(grey for grey, _, _ in figures.values()),
        mean_of_defined(alpha for _, alpha, _ in figures.values()),
        mean_of_defined(alpha for _, _, alpha in figures.values()),
    )
    if study.unchosen is not None:
        note = f"units that nobody chose: z = {study.unchosen.count}, {study.unchosen.method}"
    else:
        note = "z is unknown: give --z, or the file with the sentences of the source"
    return Table(
        f"Teams of writers of {study.topic}",
        ("teams", "grey", "α", "α of chosen"),
        tuple(
            _plain_cells(name, *(format_number(value, ".4f") for value in values))
            for name, values in figures.items()
        ),
        (note, ALPHA_NOTE),
    )


def _matching_table(studies: Sequence[MatchingStudy]) -> Table:
    """Pairs of matchers."""
    rows = []
    for study in studies:
        agreed = study.agreed
        rows.append(
            _plain_cells(
                study.topic,
                str(agreed.units),
                f"{agreed.first} / {agreed.second} / {agreed.both}",
                format_number(agreed.jaccard, ".3f"),
                format_number(agreed.dice, ".3f"),
                format_number(agreed.share_of_pool, ".3f"),
                format_number(agreed.equal_values, ".3f"),
                format_number(agreed.mean_difference, ".3f"),
            )
        )
    notes = tuple(f"{s.topic}: {s.first} and {s.second}, pool {s.agreed.pool}" for s in studies)
    columns = (
        "topic", "units", "first / second / both", "Jaccard", "Dice", "of pool", "equal v", "|Δv|",
    )  # fmt: skip
    return Table("Matching", columns, tuple(rows), notes)


def agreement_tables(
    streams: StreamStudy,
    units: Sequence[UnitStudy],
    matching: Sequence[MatchingStudy],
    *,
    events: bool = False,
) -> list[Table]:
    """Everything there is to show; events where asked for, or where there is one topic."""
    found: list[Table] = []
    if streams.sizes:
        found.append(topic_table(streams))
        if events or len(streams.sizes) == 1:
            found += [_event_table(agreed) for agreed in streams.agreed]
        found.append(_corpus_table(streams))
    if units:
        found.append(unit_table(units))
        found += [_split_table(study) for study in units if study.splits]
    if matching:
        found.append(_matching_table(matching))
    return found


def agreement_panels(
    streams: StreamStudy, units: Sequence[UnitStudy], matching: Sequence[MatchingStudy]
) -> list[DotPanel]:
    """What a picture shows: judges by topic (or by event of a single one), teams, matchers."""
    judged = [agreed for agreed in streams.agreed if agreed.judges]
    several = len(judged) > 1
    overlaps = [*judged] if several else [event for agreed in judged for event in agreed.events]
    names = [a.topic for a in judged] if several else [e.event for a in judged for e in a.events]
    split = [study for study in units if study.splits]
    return [
        DotPanel(
            "Judges" if several else f"Judges of {', '.join(agreed.topic for agreed in judged)}",
            names,
            [
                Dots("accepted", [one.acceptance for one in overlaps]),
                Dots("Jaccard", [one.jaccard for one in overlaps]),
            ],
        ),
        DotPanel(
            "Teams of writers, mean over splits",
            [study.topic for study in split],
            [
                Dots(
                    "α of chosen",
                    [mean_of_defined(s.alpha_of_chosen for s in study.splits) for study in split],
                )
            ],
        ),
        DotPanel(
            "Matchers",
            [f"{study.topic}: {study.first} – {study.second}" for study in matching],
            [
                Dots("Jaccard", [study.agreed.jaccard for study in matching]),
                Dots("Dice", [study.agreed.dice for study in matching]),
            ],
        ),
    ]


def stream_rows(study: StreamStudy) -> Iterator[Row]:
    """Topics, events and the corpus as flat records."""
    for size, agreed in zip(study.sizes, study.agreed, strict=True):
        for name in ("stories", "events", "sentences", "off", "single", "multi", "hours"):
            yield _row("topics", size.topic, "", name, getattr(size, name))
        for name in ("acceptance", "jaccard", "added", "undefined"):
            yield _row("topics", size.topic, "", name, getattr(agreed, name))
        for event in agreed.events:
            for name in ("sentences", "marked", "accepted", "added", "acceptance", "jaccard"):
                yield _row("events", size.topic, event.event, name, getattr(event, name))
        if study.halves is not None:
            training = size.topic in study.halves.training
            yield _row("halves", size.topic, "", "training", int(training))
    if study.halves is not None:
        yield _row("halves", "", "", "imbalance", study.halves.imbalance)


def unit_rows(study: UnitStudy) -> Iterator[Row]:
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


def matching_rows(study: MatchingStudy) -> Iterator[Row]:
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
