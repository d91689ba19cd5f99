"""An explanation adds up to the score that it explains."""

import pytest

from chronoscore.core import Summary, Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import parse
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.reports.explanation import alignment_view, explain, pairings

GOLD = Timeline.of(
    {
        "2031-03-02": "The old dam broke at night.",
        "2031-03-05": "Thousands fled the valley.",
        "2031-03-20": "An inquiry opened.",
    }
)
MINE = Timeline.of(
    {"2031-03-02": "A dam broke.", "2031-03-07": "Thousands had fled.", "2031-04-01": "Rain fell."}
)
TOPIC = Topic(id="dam", timelines=(GOLD, Timeline.of({"2031-03-02": "The dam broke."})))


@pytest.mark.parametrize("name", ["agreement", "align", "align+", "align+m1", "align+(n=2)"])
def test_the_gains_of_the_pairs_add_up_to_recall(name: str) -> None:
    measure = parse(name)
    assert isinstance(measure, AlignmentMeasure)
    found = pairings(measure, TOPIC, MINE)
    recall = measure.values(measure.tally([(TOPIC, MINE)]))[0, 1]
    total = sum(pairing.gained for pairing in found) / sum(pairing.wanted for pairing in found)
    assert total == pytest.approx(recall)


def test_every_date_of_either_side_is_accounted_for() -> None:
    measure = parse("align+")
    assert isinstance(measure, AlignmentMeasure)
    found = pairings(measure, TOPIC, MINE)
    assert {str(p.reference.when) for p in found if p.reference} == {
        "2031-03-02",
        "2031-03-05",
        "2031-03-20",
    }
    assert {str(p.system.when) for p in found if p.system} == {str(when) for when in MINE.dates}


def test_shared_words_are_marked_and_markup_is_harmless() -> None:
    measure = parse("align+")
    assert isinstance(measure, AlignmentMeasure)
    mine = Timeline.of({"2031-03-02": "<b>Dams</b> broke"})
    view = alignment_view(measure, pairings(measure, TOPIC, mine))
    assert "&lt;b&gt;<mark>Dams</mark>&lt;/b&gt;" in view


def test_rouge_is_explained_by_what_was_found_and_missed() -> None:
    topic = Topic(id="t", summaries=(Summary.of("the old dam broke", author="a"),))
    (table,) = explain(parse("rouge1"), topic, Summary.of("the dam"))
    assert [cell.text for cell in table.rows[0]] == ["a", "2/4", "the, dam", "old, broke"]


def test_what_cannot_be_explained_is_said() -> None:
    with pytest.raises(UsageError, match="cannot be explained yet"):
        explain(parse("rouge-l"), TOPIC, Summary.of("a"))
