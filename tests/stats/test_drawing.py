"""What people should judge next: chances, draws, and figures by Horvitz–Thompson weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.errors import UsageError
from chronoscore.stats.drawing import FLOOR, draw_systematically, inclusion_chances
from chronoscore.stats.ppi import powered_mean
from chronoscore.stats.ppi_draws import DrawnTopic, correct_drawn_topics

doubts = st.lists(
    st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=12).map(np.array),
    min_size=1,
    max_size=6,
)


@given(doubts, st.data())
def test_chances_add_up_to_the_budget_and_none_is_below_a_fifth_of_equal_ones(doubts, data):
    count = sum(map(len, doubts))
    budget = data.draw(st.integers(1, count))
    chances = np.concatenate(inclusion_chances(doubts, budget))
    assert chances.sum() == pytest.approx(budget)
    assert chances.max() <= 1 + 1e-12
    assert chances.min() >= FLOOR * budget / count * (1 - 1e-9)
    assert len(draw_systematically(chances, seed=budget)) == budget


def test_a_doubt_counts_by_the_share_that_an_item_has_of_its_topic():
    small, large = inclusion_chances([np.ones(2), np.ones(8)], 2)
    least = FLOOR * 2 / 10
    assert small.tolist() == pytest.approx([least + 0.8 * 2 / 4] * 2)
    assert large.tolist() == pytest.approx([least + 0.8 * 2 / 16] * 8)


def test_items_are_drawn_as_often_as_their_chances_say():
    chances = np.concatenate(inclusion_chances([np.array([0.0, 0.2, 0.9]), np.ones(5)], 3))
    times = np.zeros(len(chances))
    for seed in range(2000):
        times[draw_systematically(chances, seed)] += 1
    error = np.sqrt(chances * (1 - chances) / 2000)
    assert (np.abs(times / 2000 - chances) <= 4 * error + 1e-12).all()


def test_nothing_and_more_than_there_is_cannot_be_drawn():
    for budget in (0, 4):
        with pytest.raises(UsageError, match="there are 3 items"):
            inclusion_chances([np.ones(3)], budget)


def plain_correction(topics, place):
    """The formula written out for one topic, with c and λ from the others."""
    rows = [
        (y, f, 1 / (p * len(one.every)))
        for other, one in enumerate(topics)
        if other != place
        for y, f, p in zip(one.people, one.machine, one.chances, strict=True)
    ]
    whole = sum(w for *_, w in rows)
    mean_y = sum(w * y for y, _, w in rows) / whole
    mean_f = sum(w * f for _, f, w in rows) / whole
    slope = sum(w * (y - mean_y) * (f - mean_f) for y, f, w in rows)
    slope = min(1, max(0, slope / sum(w * (f - mean_f) ** 2 for _, f, w in rows)))
    constant = mean_y - slope * mean_f
    own = topics[place]
    rest = sum(
        (y - constant - slope * f) / p
        for y, f, p in zip(own.people, own.machine, own.chances, strict=True)
    )
    return constant + slope * own.every.mean() + rest / len(own.every)


def test_corrected_means_are_the_formula_written_out():
    rng = np.random.default_rng(3)
    topics = [
        DrawnTopic(rng.random(n), rng.random(n), rng.uniform(0.1, 1, n), rng.random(n + 4))
        for n in (3, 0, 5, 2)
    ]
    found = correct_drawn_topics(topics)
    assert found.values.tolist() == pytest.approx([plain_correction(topics, n) for n in range(4)])
    assert 0 <= found.weight <= 1


def test_a_machine_that_is_always_right_makes_all_of_a_topic_known():
    rng = np.random.default_rng(1)
    every = [rng.random(20) for _ in range(6)]
    topics = [DrawnTopic(one[:4], one[:4], np.full(4, 0.2), one) for one in every]
    found = correct_drawn_topics(topics)
    assert found.weight == pytest.approx(1)
    assert found.values.tolist() == pytest.approx([one.mean() for one in every])


@pytest.mark.slow
def test_figures_are_unbiased_hold_as_often_as_they_say_and_narrower_than_of_equal_chances():
    """Topics of a known mean, .3: of each item the machine knows how likely it is."""
    rng = np.random.default_rng(8)
    found = {"by doubt": [], "equal": []}
    for seed in range(400):
        # A rare thing: the machine is sure of most items, and rightly so.
        shares = np.clip(rng.beta(0.3, 0.7, (20, 60)) * rng.uniform(0.8, 1.2, (20, 1)), 0, 1)
        truth = (rng.random(shares.shape) < shares).astype(float)
        doubts = {"by doubt": np.sqrt(shares * (1 - shares)), "equal": np.ones_like(shares)}
        for name, doubt in doubts.items():
            chances = np.concatenate(inclusion_chances(list(doubt), 60))
            drawn = np.zeros(chances.shape, dtype=bool)
            drawn[draw_systematically(chances, seed)] = True
            topics = [
                DrawnTopic(y[d], f[d], p[d], f)
                for y, f, p, d in zip(
                    truth,
                    shares,
                    chances.reshape(20, 60),
                    drawn.reshape(20, 60),
                    strict=True,
                )
            ]
            means = correct_drawn_topics(topics)
            one = powered_mean(
                means.values, np.zeros(20), np.zeros(0), alone=means.alone, bounds=(0, 1)
            )
            found[name].append((one.value, one.low <= 0.3 <= one.high, one.high - one.low))
    for figures in found.values():
        values, held, _ = np.array(figures).T
        assert abs(values.mean() - 0.3) < 4 * values.std() / 20
        # Three standard errors of a share of 400 at the edges of what is allowed.
        assert 0.93 - 0.04 <= held.mean() <= 0.97 + 0.03
    widths = {name: np.mean([one[2] for one in own]) for name, own in found.items()}
    assert widths["by doubt"] < 0.9 * widths["equal"]
