"""What needs no host of the modules for hosts: the figures of `score`, and empty answers."""

from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore import integrations
from chronoscore.demo import CORPUS, RUNS
from chronoscore.integrations.lm_eval import TaskMetric
from chronoscore.integrations.promptfoo import get_assert

TOPICS = sorted(path.name for path in CORPUS.iterdir() if (path / "timelines").is_dir())
REFERENCES = [
    [one.read_text("utf-8") for one in sorted((CORPUS / topic / "timelines").glob("*.txt"))]
    for topic in TOPICS
]
ANSWERS = [(RUNS / "lead" / "timelines" / f"{topic}.txt").read_text("utf-8") for topic in TOPICS]


def test_each_host_has_a_short_module():
    home = Path(integrations.__path__[0])
    ours = [path for path in home.glob("*.py") if path.stem not in ("completions", "trackers")]
    assert len(ours) > 8
    assert max(len(path.read_text("utf-8").splitlines()) for path in ours) <= 80


def test_a_task_of_lm_eval_has_the_figure_of_score_and_its_interval():
    one = cs.score(RUNS / "lead" / "timelines", CORPUS, "align+.f")["lead", "align+.f"]
    metric = TaskMetric("align+.f")
    collected = [
        metric.collect({"references": given}, [answer])["align+.f.low"]
        for given, answer in zip(REFERENCES, ANSWERS, strict=True)
    ]
    found = metric.value(collected), metric.low(collected), metric.high(collected)
    assert found == pytest.approx((one.value, one.low, one.high))


def test_unreadable_answers_score_as_empty_ones_with_a_warning():
    metric = TaskMetric("align+.f")
    answers = ["I cannot say.", *ANSWERS[1:]]
    items = list(zip(REFERENCES, answers, strict=True))
    blank = list(zip(REFERENCES, ["", *ANSWERS[1:]], strict=True))
    with pytest.warns(cs.ChronoscoreWarning, match="1 of 12 completions cannot be read"):
        assert metric.value(items) == metric.value(blank)


def test_an_assertion_of_promptfoo_passes_from_its_figure_on():
    context = {"vars": {}, "config": {"references": REFERENCES[0], "at_least": 0.2}}
    figure = cs.score({"m": {"t": ANSWERS[0]}}, {"t": REFERENCES[0]}, "align+.f")["m", "align+.f"]
    found = get_assert(ANSWERS[0], context)
    assert found["score"] == found["namedScores"]["align+.f"] == pytest.approx(figure.value)
    assert found["pass"] is (figure.value >= 0.2)
    assert "of what the references say" in found["reason"]
    with pytest.raises(ValueError, match="a variable `reference`"):
        get_assert("x", {"vars": {}})


def test_an_unknown_tracker_is_refused():
    result = cs.score({"m": {"t": ANSWERS[0]}}, {"t": REFERENCES[0]}, "dates")
    with pytest.raises(ValueError, match="wandb"):
        result.log_to("wanb")
