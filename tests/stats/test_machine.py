"""A machine judge against people: figures by other implementations, intervals, groups."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import sem
from scipy.stats import t as student
from statsmodels.stats.inter_rater import cohens_kappa

from chronoscore.core import Abstention, Event, Judgements, Link, Story, Topic
from chronoscore.data.judges import was_verified
from chronoscore.data.machines import NUGGET_LABELS, NuggetLabel
from chronoscore.options import Resampling
from chronoscore.stats.alpha import krippendorff_alpha
from chronoscore.stats.decisions import (
    LINK_LABELS,
    contested_decisions,
    group_into_thirds,
    join_blocks,
    link_block,
    nugget_blocks,
)
from chronoscore.stats.machine import agreement_figures, study_machine

HOW = Resampling()


def confusion_of(labels: np.ndarray, reference: np.ndarray, kinds: int) -> np.ndarray:
    table = np.zeros((kinds, kinds))
    for row, column in zip(reference, labels, strict=True):
        table[row, column] += 1
    return table


@pytest.mark.parametrize("kinds", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_kappa_and_alpha_are_those_of_other_implementations(kinds, seed):
    rng = np.random.default_rng(seed)
    reference = rng.integers(0, kinds, 40)
    labels = np.where(rng.random(40) < 0.6, reference, rng.integers(0, kinds, 40))
    table = confusion_of(labels, reference, kinds)
    found = agreement_figures(table, kinds - 1)
    assert found["kappa"] == pytest.approx(cohens_kappa(table, return_results=False))
    pairs = [[int(a), int(b)] for a, b in zip(reference, labels, strict=True)]
    assert found["alpha"] == pytest.approx(krippendorff_alpha(pairs, level="ordinal"))


def test_figures_of_a_table_counted_by_hand():
    # Linked by both 6, by the machine alone 2, by the reference alone 4, by neither 8.
    found = agreement_figures(np.array([[8.0, 2], [4, 6]]), 1)
    assert found["accuracy"] == pytest.approx(14 / 20)
    assert found["precision"] == pytest.approx(6 / 8)
    assert found["recall"] == pytest.approx(6 / 10)
    assert found["f"] == pytest.approx(2 * 6 / 18)
    assert found["kappa"] == pytest.approx((0.7 - 0.5) / 0.5)


def test_what_cannot_be_divided_is_undefined_and_not_zero():
    found = agreement_figures(np.array([[5.0, 0], [0, 0]]), 1)
    assert found["accuracy"] == 1
    assert all(np.isnan(found[name]) for name in ("precision", "recall", "f", "kappa", "alpha"))


def stream(topic_links, machines=(), abstentions=(), **more):
    names = tuple(f"s{n}" for n in range(6))
    return Judgements(
        sentences=names,
        events=(Event("e1", importance=1.0), Event("e2", importance=2.0)),
        links=tuple(
            Link(sentence=s, event=e, marked_by=by, kept=kept) for s, e, by, kept in topic_links
        ),
        stories=(Story(id="d", sentences=names),),
        texts={name: "word " * (n + 1) for n, name in enumerate(names)},
        abstentions=tuple(abstentions),
        **more,
    )


LINKS = [
    ("s0", "e1", ("ann", "bot"), True),
    ("s1", "e1", ("ann",), True),
    ("s2", "e2", ("ann", "bob"), False),
    ("s3", "e2", (), True),
    ("s4", "e2", ("bot",), False),
]


def test_every_pair_of_a_sentence_and_an_event_is_an_item():
    block = link_block("t", stream(LINKS), {}, frozenset({"bot"}))
    found = join_blocks([block], LINK_LABELS)
    assert list(found.people) == ["ann", "bob"]
    assert list(found.machines) == ["bot"]
    assert len(found.topic) == 12
    assert np.flatnonzero(found.people["ann"]).tolist() == [0, 2, 5]
    assert np.flatnonzero(found.machines["bot"]).tolist() == [0, 9]
    assert np.flatnonzero(found.verified).tolist() == [0, 2, 7]
    # Linked by a person or by the machine: the only items on which a test says anything.
    assert np.flatnonzero(contested_decisions(found, found.machines["bot"])).tolist() == [
        0,
        2,
        5,
        9,
    ]


def test_a_link_that_only_the_machine_made_is_verified_only_if_somebody_verified():
    marks = [("s0", "e1", ("ann",), True), ("s4", "e2", ("bot",), True)]
    machines = frozenset({"bot"})
    assert not was_verified(stream(marks), machines)
    alone = link_block("t", stream(marks), {}, machines)
    assert np.flatnonzero(alone.verified).tolist() == [0]
    looked = [*marks, ("s5", "e1", ("ann",), False)]
    assert was_verified(stream(looked), machines)
    assert np.flatnonzero(link_block("t", stream(looked), {}, machines).verified).tolist() == [0, 9]


def test_links_that_name_nobody_are_the_reference_and_the_machine_adds_none():
    marks = [("s0", "e1", (), True), ("s4", "e2", ("bot",), True)]
    block = link_block("t", stream(marks), {}, frozenset({"bot"}))
    assert np.flatnonzero(block.verified).tolist() == [0]


def test_an_abstention_is_neither_a_link_nor_none():
    abstained = [Abstention("s1", "bot")]
    block = link_block("t", stream(LINKS, abstentions=abstained), {}, frozenset({"bot"}))
    assert block.machines["bot"].tolist() == [1, 0, -1, -1, 0, 0, 0, 0, 0, 1, 0, 0]


def test_parts_that_were_joined_count_as_one_sentence():
    joined = stream([("part", "e1", ("ann",), True)], joined={"part": "s2"})
    assert np.flatnonzero(link_block("t", joined, {}, frozenset()).people["ann"]).tolist() == [4]


def test_groups_are_by_importance_position_and_length():
    block = link_block("t", stream(LINKS), {}, frozenset({"bot"}))
    groups = join_blocks([block], LINK_LABELS).groups
    assert groups["importance"].names == ("1", "2")
    assert groups["importance"].codes.tolist() == [0, 1] * 6
    assert groups["position"].codes[::2].tolist() == [0, 0, 1, 1, 2, 2]
    assert groups["length"].names == ("1 to 2 words", "3 to 4 words", "5 to 6 words")


def test_thirds_of_values_that_are_mostly_the_same_are_fewer_groups():
    found = group_into_thirds(np.array([1.0, 1, 1, 1, 5, np.nan]), "words")
    assert found.names == ("1 to 1 words", "5 to 5 words")
    assert found.codes.tolist() == [0, 0, 0, 0, 1, -1]


def test_intervals_are_students_over_topics_on_the_logit_scale():
    rng = np.random.default_rng(2)
    marks = []
    for _ in range(6):
        cells = [(f"s{n}", e) for n in range(6) for e in ("e1", "e2")]
        ann = {c for c in cells if rng.random() < 0.5}
        bot = {c for c in cells if (c in ann) == (rng.random() < 0.8)}
        names = {c: tuple(n for n, own in (("ann", ann), ("bot", bot)) if c in own) for c in cells}
        marks.append([(*c, names[c], True) for c in cells if names[c]])
    blocks = [link_block(f"t{n}", stream(m), {}, frozenset({"bot"})) for n, m in enumerate(marks)]
    found = study_machine(join_blocks(blocks, LINK_LABELS), "bot", HOW)
    figure = next(one for one in found.against if one.other == "ann").figures["accuracy"]
    shares = [np.mean(b.people["ann"] == b.machines["bot"]) for b in blocks]
    mean = np.mean(shares)
    assert figure.value == pytest.approx(mean)
    reach = student.ppf(0.975, 5) * sem(shares) / (mean * (1 - mean))
    bounds = expit(logit(mean) + np.array([-reach, reach]))
    assert (figure.low, figure.high) == pytest.approx(tuple(bounds))
    # A topic that the machine did not judge changes nothing.
    more = link_block("t6", stream([("s0", "e1", ("ann",), True)]), {}, frozenset({"bot"}))
    again = study_machine(join_blocks([*blocks, more], LINK_LABELS), "bot", HOW)
    assert next(one for one in again.against if one.other == "ann").figures["accuracy"] == figure


def test_nuggets_have_three_labels_and_their_confusion_is_counted():
    topics = {
        "t": Topic(
            id="t",
            judgements=Judgements(
                sentences=(), events=(Event("n1", "a b", importance=2.0), Event("n2")), links=()
            ),
        )
    }
    given = [
        NuggetLabel("t", "mine", "n1", "ann", 2, False),
        NuggetLabel("t", "mine", "n2", "ann", 1, False),
        NuggetLabel("t", "theirs", "n1", "ann", 0, False),
        NuggetLabel("t", "mine", "n1", "bob", 1, False),
        NuggetLabel("t", "mine", "n1", "bot", 2, True),
        NuggetLabel("t", "mine", "n2", "bot", 0, True),
        NuggetLabel("t", "theirs", "n1", "bot", None, True),
    ]
    decisions = join_blocks(nugget_blocks(given, topics), NUGGET_LABELS)
    assert decisions.groups["importance"].names == ("okay", "vital")
    found = study_machine(decisions, "bot", HOW)
    assert {one.other: one.items for one in found.against} == {"ann": 2, "bob": 1, "people": 3}
    # Rows are people, columns the machine: none, partial, support.
    assert found.confusion.tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 1]]
    assert all("at least 3 people" in test.why for test in found.tests.values())
