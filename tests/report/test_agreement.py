"""Tables on agreement: every cell and note, of studies small enough to compute by hand."""

from chronoscore.reports.agreement import Agreement, draw, tables
from chronoscore.reports.tables import Table
from chronoscore.stats.agreement import EventAgreement, TopicAgreement
from chronoscore.stats.chance import ChanceCorrected, LinkAgreement
from chronoscore.stats.corpora import CorpusSplit, TopicSize
from chronoscore.stats.streams import StreamStudy

nan = float("nan")


def event(name: str, *, marked: int, accepted: int, jaccard: float) -> EventAgreement:
    return EventAgreement(
        event=name, text=name, sentences=accepted + 1, marked=marked, accepted=accepted, added=1,
        jaccard=jaccard,
    )  # fmt: skip


DAM = TopicAgreement(
    topic="dam",
    judges=("ann", "bob"),
    events=(
        event("e1", marked=4, accepted=3, jaccard=0.5),
        event("e2", marked=2, accepted=1, jaccard=1.0),
        event("e3", marked=0, accepted=0, jaccard=nan),
    ),
)
FIRE = TopicAgreement(
    topic="fire", judges=(), events=(event("e4", marked=0, accepted=0, jaccard=nan),)
)
SIZES = (
    TopicSize(
        topic="dam",
        stories=3,
        events=3,
        sentences=20,
        off=10,
        single=8,
        multi=2,
        hours=1.5,
        acceptance=5 / 8,
    ),
    TopicSize(topic="fire", stories=1, events=1, sentences=10, off=9, single=1),
)
CHANCE = LinkAgreement(
    judges=("ann", "bob", "eve"),
    alpha=ChanceCorrected(0.5, 0.25, 0.75),
    kappas={
        ("ann", "bob"): ChanceCorrected(0.625, 0.5, 0.75),
        ("ann", "eve"): ChanceCorrected(0.4),
    },
    events=(),
)


def drawn(study: StreamStudy, *, events: bool = False) -> dict[str, Table]:
    found = tables(Agreement(streams=study, units=(), matching=(), events=events))
    return {table.title: table for table in found}


def cells(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_judges_have_a_row_for_each_topic_and_their_mean() -> None:
    judges = drawn(StreamStudy((DAM, FIRE), SIZES, None, (CHANCE, None)))["Judges"]
    # Acceptance 3/4 and 1/2, overlap 1/2 and 1; the third event has nothing to agree on.
    assert cells(judges) == [
        ["dam", "3", "3", "20", "1.50", "0.62", "0.75", "3"],
        ["fire", "1", "1", "10", "–", "–", "–", "1"],
        ["mean", "2.00", "2.00", "15.00", "1.50", "0.62", "0.75", "2.00"],
    ]
    assert judges.notes[1:] == (
        "links name no judge, so agreement is unknown: fire",
        "1 event that no judge marked is left out of the means",
    )


def test_events_are_listed_with_what_was_marked_and_kept() -> None:
    study = StreamStudy((DAM, FIRE), SIZES, None, (None, None))
    assert "Events of dam" not in drawn(study)
    assert cells(drawn(study, events=True)["Events of dam"]) == [
        ["e1", "4", "4", "0.75", "0.50", "1"],
        ["e2", "2", "2", "0.50", "1.00", "1"],
        ["e3", "1", "0", "–", "–", "1"],
    ]


def test_agreement_beyond_chance_is_shown_where_two_judges_are_named() -> None:
    known = drawn(StreamStudy((DAM, FIRE), SIZES, None, (CHANCE, None)))
    assert cells(known["Agreement beyond chance"]) == [
        ["dam", "ann – bob", "0.62 [0.50, 0.75]", "0.50 [0.25, 0.75]"],
        ["", "ann – eve", "0.40", ""],
    ]
    assert "Agreement beyond chance" not in drawn(StreamStudy((FIRE,), SIZES[1:], None, (None,)))


def test_halves_of_a_corpus_stand_beside_the_whole() -> None:
    whole = drawn(StreamStudy((DAM, FIRE), SIZES, None, (None, None)))["Corpus"]
    assert whole.notes == ()
    figures = {row[0]: row[1:] for row in cells(whole)}
    assert figures["topics"] == ["2"]
    assert figures["stories"] == ["4"]
    assert figures["stories per topic"] == ["2.0"]
    halves = CorpusSplit(training=("dam",), test=("fire",), imbalance=0.25, exact=True)
    split = drawn(StreamStudy((DAM, FIRE), SIZES, halves, (None, None)))["Corpus"]
    assert split.notes == ("training: dam; test: fire; imbalance 0.25 (every split tried)",)
    assert split.columns == ("", "training", "test", "all")
    figures = {row[0]: row[1:] for row in cells(split)}
    assert figures["stories"] == ["3", "1", "4"]
    assert figures["sentences per story"] == ["6.7", "10.0", "7.5"]
    assert figures["off-event sentences"] == ["50%", "90%", "63%"]


def test_a_single_topic_is_drawn_event_by_event() -> None:
    def panel(*agreed: TopicAgreement) -> tuple[str, list[str], list[list[float]]]:
        study = StreamStudy(agreed, SIZES[: len(agreed)], None)
        axes = draw(Agreement(streams=study, units=(), matching=())).axes[0]
        rows = [label.get_text() for label in axes.get_yticklabels()]
        return axes.get_title(loc="left"), rows, [list(one.get_xdata()) for one in axes.lines]

    title, rows, (accepted, overlap) = panel(DAM, FIRE)
    assert (title, rows) == ("Judges of dam", ["e1", "e2", "e3"])
    assert (accepted[:2], overlap[:2]) == ([0.75, 0.5], [0.5, 1.0])
    again = TopicAgreement(topic="ferry", judges=("ann",), events=DAM.events[:1])
    assert panel(DAM, again) == ("Judges", ["dam", "ferry"], [[0.625, 0.75], [0.75, 0.5]])
