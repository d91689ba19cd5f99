"""κ and α of judges' links, against other implementations and simulation."""

import math
import random

import pytest

from chronoscore.core import Event, Judgements, Link
from chronoscore.stats.alpha import krippendorff_alpha
from chronoscore.stats.chance import link_agreement


def judged(marks: dict[tuple[str, str], set[str]], sentences: int, events: int) -> Judgements:
    return Judgements(
        sentences=tuple(f"s{n}" for n in range(sentences)),
        events=tuple(Event(f"E{n}", f"event {n}") for n in range(events)),
        links=tuple(
            Link(sentence=s, event=e, marked_by=tuple(sorted(whose)), kept=True)
            for (s, e), whose in marks.items()
            if whose
        ),
    )


def random_marks(
    seed: int, sentences: int, events: int, judges: str, rate: float = 0.15, noise: float = 0.1
) -> dict[tuple[str, str], set[str]]:
    draw = random.Random(seed)
    marks = {}
    for s in range(sentences):
        for e in range(events):
            truth = draw.random() < rate
            marks[f"s{s}", f"E{e}"] = {
                judge for judge in judges if truth != (draw.random() < noise)
            }
    return marks


@pytest.mark.parametrize("judges", ["ab", "abc", "abcd"])
@pytest.mark.parametrize("seed", range(3))
def test_alpha_is_krippendorffs_and_kappa_is_cohens(judges: str, seed: int) -> None:
    marks = random_marks(seed, 60, 4, judges)
    found = link_agreement(judged(marks, 60, 4), judges)
    rows = [[int(judge in whose) for judge in judges] for whose in marks.values()]
    assert found.alpha.value == pytest.approx(krippendorff_alpha(rows), abs=1e-12)
    for number, event in enumerate(found.events):
        of_event = [
            [int(j in whose) for j in judges]
            for (_, e), whose in marks.items()
            if e == f"E{number}"
        ]
        assert event.alpha.value == pytest.approx(krippendorff_alpha(of_event), abs=1e-12)
    cohen = pytest.importorskip("statsmodels.stats.inter_rater").cohens_kappa
    for (one, two), kappa in found.kappas.items():
        cells = [[0, 0], [0, 0]]
        for whose in marks.values():
            cells[one in whose][two in whose] += 1
        assert kappa.value == pytest.approx(cohen(cells).kappa, abs=1e-12)
        assert kappa.low <= kappa.value <= kappa.high


def test_a_case_by_hand() -> None:
    """Ten sentences, one event: both link 2, only a links 1, only b links 1, neither 6."""
    whose = [{"a", "b"}, {"a", "b"}, {"a"}, {"b"}]
    marks = {(f"s{n}", "E0"): one for n, one in enumerate(whose)}
    (event,) = link_agreement(judged(marks, 10, 1)).events
    observed, chance = 0.8, 0.3 * 0.3 + 0.7 * 0.7
    assert event.kappas["a", "b"] == pytest.approx((observed - chance) / (1 - chance))
    assert (event.linked, event.disputed) == (4, 2)


def test_perfect_agreement_and_nothing_to_agree_on() -> None:
    same = {(f"s{n}", "E0"): {"a", "b"} for n in range(3)}
    found = link_agreement(judged(same, 10, 2))
    assert found.alpha.value == 1
    assert found.kappas["a", "b"].value == 1
    assert math.isnan(found.events[1].alpha.value), "nobody linked anything to the other event"
    assert math.isnan(link_agreement(judged({}, 10, 2), "ab").alpha.value)
    assert math.isnan(link_agreement(judged({("s0", "E0"): {"a"}}, 10, 1)).alpha.value)


def test_a_judge_who_linked_nothing_counts() -> None:
    marks = {(f"s{n}", "E0"): {"a"} for n in range(3)}
    found = link_agreement(judged(marks, 10, 1), ["a", "b"])
    assert found.judges == ("a", "b")
    assert found.kappas["a", "b"].value == 0


def test_joined_parts_count_once() -> None:
    judgements = Judgements(
        sentences=("s0", "s2", "s3"),
        events=(Event("E0", "it"),),
        links=(
            Link(sentence="s0", event="E0", marked_by=("a",), kept=True),
            Link(sentence="s1", event="E0", marked_by=("b",), kept=True),
        ),
        joined={"s1": "s0"},
    )
    assert link_agreement(judgements).kappas["a", "b"].value == 1


@pytest.mark.slow
def test_intervals_hold_the_true_value_about_as_often_as_they_say() -> None:
    true = link_agreement(judged(random_marks(99, 20_000, 1, "ab"), 20_000, 1), samples=2)
    inside = 0
    for seed in range(200):
        found = link_agreement(judged(random_marks(seed, 150, 1, "ab"), 150, 1), samples=400)
        kappa = found.kappas["a", "b"]
        inside += kappa.low <= true.kappas["a", "b"].value <= kappa.high
    assert 0.89 <= inside / 200 <= 0.99
