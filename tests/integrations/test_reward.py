"""Rewards give the figures of `score`, whatever models and trainers pass them."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore.demo import RUNS, SYSTEMS, demo_timelines
from chronoscore.integrations.reward import Reward

COLLECTION, DEMO_RUNS = demo_timelines()
ANSWERS = [
    (topic, (RUNS / system / "timelines" / f"{topic}.txt").read_text(encoding="utf-8"))
    for system in SYSTEMS
    for topic in COLLECTION.topics
]
GOLD = {"2031-03-12": "The old dam broke.", "2031-03-14": "Rescue teams arrived."}


def expected() -> list[float]:
    """The demo's figures of topics, in the order of ANSWERS."""
    result = cs.score(DEMO_RUNS, COLLECTION, "align+.f")
    figures = {(row["system"], row["topic"]): row["value"] for row in result.rows()}
    return [figures[system, topic] for system in SYSTEMS for topic in COLLECTION.topics]


def test_rewards_of_the_demo_are_its_scores():
    topics, texts = zip(*ANSWERS, strict=True)
    reward = Reward(COLLECTION, "align+.f")
    assert reward(texts, topic=topics) == pytest.approx(expected())


def test_a_copy_in_another_process_and_threads_give_the_same():
    topics, texts = map(list, zip(*ANSWERS, strict=True))
    reward = pickle.loads(pickle.dumps(Reward(COLLECTION, "align+.f")))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: reward(texts[n::4], topics[n::4]), range(4)))
    assert [found[n % 4][n // 4] for n in range(len(texts))] == pytest.approx(expected())


def test_a_column_of_the_data_set_names_topics_and_others_are_ignored():
    reward = Reward(
        {"dam": GOLD, "ferry": {"2032-09-10": "They strike."}}, "dates.f", topic="event"
    )
    answers = ["- 2031-03-12: It broke.\n- 2031-03-14: Help.", "- 2032-09-10: Strike."]
    assert reward(answers, event=["dam", "ferry"], prompts=["a", "b"], trainer_state=None) == [1, 1]
    assert reward(answers, event=["ferry", "dam"]) == [0, 0]
    with pytest.raises(ValueError, match="2 topics"):
        reward(answers, prompts=["a", "b"])


@pytest.mark.parametrize(
    "completion",
    [
        "2031-03-12: The dam broke.",
        [{"role": "assistant", "content": "2031-03-12: The dam broke."}],
        [
            {"role": "assistant", "content": None, "tool_calls": [{}]},
            {"role": "tool", "content": "2031-03-14: Rescue teams arrived."},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "2031-03-12: The dam broke."}],
            },
        ],
        {"2031-03-12": "The dam broke."},
        json.dumps({"2031-03-12": "The dam broke."}),
        cs.Timeline.of({"2031-03-12": "The dam broke."}),
    ],
    ids=["text", "chat", "tools", "dates", "json", "timeline"],
)
def test_every_form_of_an_answer_earns_the_same(completion):
    result = cs.score({"m": {"t": {"2031-03-12": "The dam broke."}}}, {"t": GOLD}, "align+.f")
    assert Reward(GOLD, "align+.f")([completion]) == pytest.approx([result["m", "align+.f"].value])


@pytest.mark.parametrize(
    "completion", ["", " \n", None, "I cannot say.", [], "\0", "\ud800", "{", "[1]"]
)
@pytest.mark.parametrize(
    ("measure", "floor", "expected"),
    [("align+.f", None, 0), ("align+.f", -1, -1), ("contradictions", -7.5, -7.5)],
)
def test_an_empty_or_unreadable_completion_gets_the_floor(completion, measure, floor, expected):
    assert Reward(GOLD, measure, floor=floor)([completion]) == [expected]


@given(st.lists(st.text(max_size=60) | st.sampled_from(["- 2031-03-12: x", "2031-", "3 May: a"])))
def test_no_text_stops_training(completions):
    rewards = Reward(GOLD, "align+.f")(completions)
    assert len(rewards) == len(completions)
    assert all(0 <= one <= 1 for one in rewards)


def test_where_less_is_better_the_sign_is_turned():
    wrong = "- 2031-03-12: The old dam broke and 40 people died."
    gold = {"2031-03-12": "The old dam broke and 30 people died."}
    found = cs.score({"m": {"t": wrong}}, {"t": gold}, "contradictions")
    value = found["m", "contradictions"].value
    assert value > 0
    assert Reward(gold, "contradictions", floor=-200)([wrong]) == [-value]


def test_a_measure_without_a_worst_value_asks_for_a_floor():
    with pytest.raises(ValueError, match="say with `floor`"):
        Reward(GOLD, "contradictions")


def test_texts_are_rewarded_by_text_measures():
    reward = Reward(["the old dam broke"], "rouge1.f")
    assert reward(["the dam broke", ""]) == [pytest.approx(6 / 7), 0]
    assert reward.__name__ == "rouge(n=1).f"


def test_what_is_no_completion_is_refused():
    with pytest.raises(ValueError, match=r"completion 2: .* is not a completion"):
        Reward(GOLD)(["x", 3])
    with pytest.raises(ValueError, match="one figure"):
        Reward(GOLD, ["align+", "dates"])
