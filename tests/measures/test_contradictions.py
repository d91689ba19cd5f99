"""Conflicts are found where two texts cannot both be true, and nowhere else."""

import numpy as np
import pytest

import chronoscore
from chronoscore.core import Timeline, Topic, When
from chronoscore.core.texts import Document, Sentence
from chronoscore.errors import DataError, UsageError
from chronoscore.measures.contradictions.conflicts import Conflict
from chronoscore.measures.contradictions.measure import Contradictions

DAY = "2010-04-20"


def against(reference: str, system: str, *, when: str = DAY) -> list[Conflict]:
    topic = Topic(id="t", timelines=(Timeline.of({DAY: reference}, author="gold"),))
    return Contradictions().conflicts(topic, Timeline.of({when: system}))


@pytest.mark.parametrize(
    ("reference", "system", "kind", "span", "other"),
    [
        (
            "The explosion on the rig killed 11 workers.",
            "An explosion on the rig killed 110 workers.",
            *("number", "110", "11"),
        ),
        (
            "The flood damage cost the city $5.2bn.",
            "Flood damage cost the city $52bn.",
            *("number", "$52bn", "$5.2bn"),
        ),
        (
            "The volcano near the harbor erupted on 18 April 2010.",
            "The volcano near the harbor erupted on 8 April 2010.",
            *("date", "8 April 2010", "18 April 2010"),
        ),
        (
            "On Monday defense minister Robert Gates visited troops in the capital.",
            "On Monday defense minister Hillary Clinton visited troops in the capital.",
            *("name", "Hillary Clinton", "Robert Gates"),
        ),
        (
            "Rebel troops entered the harbor of the old capital.",
            "Rebel troops did not enter the harbor of the old capital.",
            *("negation", "did not enter", "entered"),
        ),
        (
            "Israel attacked Iran in the early morning.",
            "Iran attacked Israel in the early morning.",
            *("role", "Iran attacked Israel", "Israel attacked Iran"),
        ),
        (
            "The flood damage cost the city $5.2bn.",
            "Flood damage cost the city £5.2bn.",
            *("number", "£5.2bn", "$5.2bn"),
        ),
        (
            "The plane flew 200 miles off the coast of Malaysia.",
            "The plane flew 200 km off the coast of Malaysia.",
            *("number", "200", "200"),
        ),
        (
            "A guard became the 87th soldier to die in Iraq.",
            "A guard became the 78th soldier to die in Iraq.",
            *("number", "78th", "87th"),
        ),
        (
            "The army refused to sign the treaty with the rebels in Geneva.",
            "The army signed the treaty with the rebels in Geneva.",
            *("negation", "signed", "to sign"),
        ),
        (
            "The parliament rejected the treaty with the rebels on Monday.",
            "The parliament approved the treaty with the rebels on Monday.",
            *("negation", "approved", "rejected"),
        ),
        (
            "Hundreds of people marched in Odessa.",
            "Tens of thousands of people marched in Odessa.",
            *("number", "Tens of thousands", "Hundreds"),
        ),
        (
            "Hundreds of people marched in Odessa.",
            "In Odessa 40 people marched.",
            *("number", "40", "Hundreds"),
        ),
        (
            "In Paris president Barack Obama visited the troops.",
            "In Paris president Barack Bush visited the troops.",
            *("name", "Barack Bush", "Barack Obama"),
        ),
    ],
)
def test_each_kind_is_found_with_both_spans(
    reference: str, system: str, kind: str, span: str, other: str
) -> None:
    (conflict,) = against(reference, system)
    assert (conflict.kind, conflict.span, conflict.other_span) == (kind, span, other)
    assert conflict.other is not None
    assert conflict.other.source == "gold"
    assert against(reference, reference) == []
    assert against(system, system) == []


@pytest.mark.parametrize(
    ("reference", "system"),
    [
        ("The deluge killed forty people in town.", "The flood killed 40 people in town."),
        ("At least 40 people died in the flood.", "The flood killed 45 people."),
        ("The flood killed 40 people.", "The flood left 300 houses under water."),
        ("Iran was attacked by Israel at dawn.", "Israel attacked Iran at dawn."),
        ("Troops did not enter the harbor.", "Rebels entered the northern airport terminal."),
        ("The flood killed 40 people.", "Stocks rose by 400 points in Tokyo."),
        ("The plane flew 200 km off the coast.", "The plane flew 200 kilometers off the coast."),
        ("The 87th soldier to die was a guard.", "A guard is the eighty-seventh soldier to die."),
        ("The parliament did not approve the treaty.", "The parliament rejected the treaty."),
        (
            "The army began talks to end the war in the north.",
            "The army ended talks with rebels in the south.",
        ),
        ("Hundreds of people marched in Odessa.", "About 700 people marched in Odessa."),
        (
            "On Monday rebel troops entered the old harbor.",
            "In Odessa rebel troops entered the old harbor.",
        ),
        (
            "In Paris president Barack Obama visited the troops.",
            "In Paris Obama visited the troops.",
        ),
        ("The tremor struck the town at 0603 local time.", "A tremor struck the town three times."),
    ],
)
def test_other_words_and_other_things_are_no_conflict(reference: str, system: str) -> None:
    assert against(reference, system) == []


def test_a_number_that_agrees_does_not_outweigh_one_of_the_same_thing() -> None:
    gold = "More than 5,000 protesters marched in Odessa. Some 40 to 60 people protested elsewhere."
    assert [one.span for one in against(gold, "50 protesters marched in Odessa.")] == ["50"]


def test_what_is_far_away_in_time_is_not_compared() -> None:
    texts = (
        "The explosion on the rig killed 11 workers.",
        "An explosion on the rig killed 12 workers.",
    )
    assert len(against(*texts, when="2010-04-23")) == 1
    assert against(*texts, when="2010-04-24") == []


def test_a_toll_may_grow_if_any_source_has_it() -> None:
    first = Timeline.of({DAY: "The flood killed 11 people in the valley."}, author="a")
    later = Timeline.of({"2010-04-21": "The flood killed 14 people in the valley."}, author="b")
    system = Timeline.of({"2010-04-21": "The flood killed 14 people in the valley."})
    assert Contradictions().conflicts(Topic(id="t", timelines=(first, later)), system) == []
    assert len(Contradictions().conflicts(Topic(id="t", timelines=(first,)), system)) == 1


def test_figures_are_conflicts_per_100_entries() -> None:
    gold = {DAY: "The explosion on the rig killed 11 workers.", "2010-05-01": "A dome fails."}
    mine = {DAY: "An explosion on the rig killed 110 workers.", "2010-05-01": "A dome fails."}
    extra = {**mine, "2010-05-02": "Oil comes ashore.", "2010-05-03": "A dome arrives."}
    result = chronoscore.score(
        {"mine": {"t": mine}, "extra": {"t": extra}, "gold": {"t": gold}},
        {"t": gold},
        "contradictions",
    )
    totals = [result[name, "contradictions.total"].value for name in ("mine", "extra", "gold")]
    assert totals == [50.0, 25.0, 0.0]
    assert result["mine", "contradictions.number"].value == 50.0
    assert result.ranking == ["gold", "extra", "mine"]


def documents(*texts: tuple[str, str]) -> tuple[Document, ...]:
    return tuple(
        Document(id=f"d{n}", when=When.parse(when), sentences=(Sentence(f"d{n}-1", text),))
        for n, (when, text) in enumerate(texts, 1)
    )


def test_documents_tell_what_is_invented() -> None:
    measure = Contradictions(against="documents")
    topic = Topic(
        id="t",
        timelines=(Timeline.of({DAY: "Nothing of all this."}),),
        documents=documents((DAY, "The explosion on the rig killed 11 workers.")),
    )
    output = Timeline.of(
        {
            DAY: "An explosion on the rig killed 12 workers.",
            "2010-04-27": "The explosion on the rig is investigated.",
            "2010-04-28": "The explosion on the rig is investigated.",
            "2010-04-21": "Aliens landed in Paris.",
        }
    )
    found = measure.conflicts(topic, output)
    assert [(str(one.when), one.kind) for one in found] == [
        (DAY, "number"),
        ("2010-04-21", "invented"),
        ("2010-04-28", "invented"),
    ]
    np.testing.assert_allclose(measure.values(measure.tally([(topic, output)]))[0, -2:], [50, 75])


def test_what_says_too_little_to_share_two_words_is_not_invented() -> None:
    told = documents((DAY, "The fire on the rig killed 11 workers."))
    topic = Topic(id="t", documents=told)
    texts = {DAY: "The fire is out.", "2010-04-21": "They did.", "2010-04-22": "It is over now."}
    measure = Contradictions(against="documents")
    assert measure.conflicts(topic, Timeline.of(texts)) == []
    (found,) = measure.conflicts(topic, Timeline.of({DAY: "The flood is over."}))
    assert found.kind == "invented"


def test_a_sentence_counts_on_the_day_it_tells_of_too() -> None:
    told = Sentence("s", "The explosion on the rig killed 11 workers.", When.parse(DAY))
    topic = Topic(
        id="t", documents=(Document(id="d", when=When.parse("2010-06-30"), sentences=(told,)),)
    )
    output = Timeline.of({DAY: "An explosion on the rig killed 12 workers."})
    found = Contradictions(against="documents").conflicts(topic, output)
    assert [one.kind for one in found] == ["number"]


def test_documents_without_dates_are_refused() -> None:
    topic = Topic(id="bp", timelines=(Timeline.of({DAY: "A dome."}),))
    with pytest.raises(DataError, match="topic 'bp' has no dated documents"):
        Contradictions(against="documents").tally([(topic, Timeline.of({DAY: "A dome."}))])


def test_other_languages_have_numbers_and_dates_only() -> None:
    gold = (
        "Die Explosion auf der Insel hat 11 Arbeiter getötet, und die Regierung ist nicht sicher."
    )
    mine = "Die Explosion auf der Insel hat 110 Arbeiter getötet, und die Regierung ist sicher."
    assert [one.kind for one in against(gold, mine)] == ["number"]


def test_a_negative_distance_is_refused() -> None:
    with pytest.raises(UsageError, match="write a number of days"):
        Contradictions(within=-1)
