"""Published figures of timeline systems, quoted beside the user's own and not scored again.

They are F1 of mean precision and mean recall, by align+m1 with tilse's settings and by dates. A
figure is shown only beside a measure whose signature is the published one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.options import Resampling
from chronoscore.reports.tables import Cell, Table
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import Average, rule_for


@dataclass(frozen=True)
class Source:
    """Where figures were published."""

    mark: str
    citation: str


ACL20 = Source(
    "ACL 2020",
    "Gholipour Ghalandari and Ifrim (2020). Examining the State-of-the-Art in News Timeline "
    "Summarization. ACL, 1322-1334, Table 4",
)
STEEN = Source("Steen, thesis", "Steen (thesis), TR(date)+Feat+Path")
OUTPUTS = Source(
    "public outputs", "SDF-TLS: its public outputs, scored by an independent ROUGE; not published"
)
UNVERIFIED = Source(
    "as reported", "as reported by the system's authors, not checked against the paper"
)


@dataclass(frozen=True)
class PublishedSystem:
    """One system's AR-1, AR-2 and date F1, by corpus; empty where none are known."""

    name: str
    source: Source
    timeline17: str
    crisis: str
    entities: str

    def figures(self, corpus: str) -> list[str]:
        """The three figures as they were printed."""
        found = {"timeline17": self.timeline17, "crisis": self.crisis, "entities": self.entities}
        return found[corpus].split()


SYSTEMS = (
    PublishedSystem("Chieu 2004", ACL20, ".066 .019 .251", ".052 .012 .142", ".036 .010 .102"),
    PublishedSystem("Tran 2013", ACL20, ".094 .022 .517", ".054 .011 .289", ".042 .012 .184"),
    PublishedSystem("PubCount", ACL20, ".105 .027 .481", ".067 .012 .233", ".033 .009 .107"),
    PublishedSystem("Martschat 2018", ACL20, ".105 .030 .544", ".075 .016 .281", ".042 .009 .167"),
    PublishedSystem("DATEWISE", ACL20, ".120 .035 .544", ".089 .026 .295", ".057 .017 .205"),
    PublishedSystem("DATEWISE titles", ACL20, "", ".072 .016 .287", ".057 .017 .194"),
    PublishedSystem("CLUST", ACL20, ".082 .020 .407", ".061 .013 .226", ".051 .015 .174"),
    PublishedSystem("Text oracle", ACL20, ".198 .073 .541", ".136 .052 .297", ".069 .023 .200"),
    PublishedSystem("Date oracle", ACL20, ".179 .057 .926", ".202 .063 .974", ".170 .047 .757"),
    PublishedSystem("Full oracle", ACL20, ".312 .128 .926", ".367 .150 .974", ".232 .075 .757"),
    PublishedSystem("Steen", STEEN, ".089 .025 .519", ".087 .029 .318", ""),
    PublishedSystem("SDF-TLS", OUTPUTS, ".113 .033 .516", ".086 .018 .291", ""),
    PublishedSystem("LLM-TLS", UNVERIFIED, ".118 .036 .528", ".112 .032 .329", ""),
    PublishedSystem("CHRONOS", UNVERIFIED, ".116 .042 .522", ".108 .045 .323", ""),
    PublishedSystem("EGC", UNVERIFIED, ".103 .024 .550", ".070 .014 .291", ""),
)

TIMELINES = {"timeline17": 19, "crisis": 22, "entities": 47}
"""The corpora, and on how many reference timelines the figures rest."""
MEASURES = ("align+m1(n=1)", "align+m1(n=2)", "dates")
"""The measures of the three figures, in their order."""


def _run_length(measure: Measure) -> int:
    """How many words a measure of aligned days compares at a time; 0 for other measures."""
    return measure.n if isinstance(measure, AlignmentMeasure) else 0


def _place_of(measure: Measure, how: Resampling) -> int | str:
    """Which of the published figures a measure gives, or why it gives none."""
    for place, text in enumerate(MEASURES):
        expected = compatible_measure(parse_measure_text(text), "tilse")
        if measure.signature == expected.signature:
            if rule_for(measure, how) != "of-means":
                return "published figures are F of mean precision and recall; average by of-means"
            return place
        if measure.name == expected.name and _run_length(measure) == _run_length(expected):
            return "published figures use other settings; score with compat tilse"
    return f"published figures are of {', '.join(MEASURES)}"


def add_published(
    table: Table, scores: Scores, figures: Sequence[Average], how: Resampling, corpus: str
) -> Table:
    """The table with a row for each published system, and what these rows are."""
    columns = list(dict.fromkeys((figure.measure, figure.part) for figure in figures))
    places = {measure: _place_of(measure, how) for measure, _ in columns}
    refusals = [
        f"nothing published beside {measure.title}: {place}"
        for measure, place in places.items()
        if isinstance(place, str)
    ]
    if len(refusals) == len(places):
        return replace(table, notes=(*table.notes[:-1], *refusals, *table.notes[-1:]))
    rows, sources = list(table.rows), []
    for system in SYSTEMS:
        known = system.figures(corpus)
        if not known:
            continue
        cells = [Cell(f"{system.name} (quoted: {system.source.mark})")]
        for measure, part in columns:
            place = places[measure]
            shown = isinstance(place, int) and part == "f"
            cells.append(Cell(f"0{known[place]}" if shown and isinstance(place, int) else "–"))
        cells += [Cell("")] * (len(table.columns) - len(cells))
        rows.append(tuple(cells))
        sources.append(system.source)
    return replace(
        table,
        rows=tuple(rows),
        notes=(
            *table.notes[:-1],
            f"quoted: figures published for {corpus}, not scored again"
            + _size_note(corpus, len(scores.topics)),
            *(f"{source.mark}: {source.citation}" for source in dict.fromkeys(sources)),
            *refusals,
            *table.notes[-1:],
        ),
    )


def _size_note(corpus: str, topics: int) -> str:
    """That the published figures rest on another number of timelines, if so."""
    count = TIMELINES[corpus]
    if topics == count:
        return ""
    own = "1 topic" if topics == 1 else f"{topics} topics"
    return f"; they rest on {count} timelines and yours on {own}, so compare with care"
