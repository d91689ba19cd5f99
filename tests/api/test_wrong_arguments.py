"""Whatever is passed to a public function, the answer is a result or one sentence."""

import datetime
import itertools
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import chronoscore as cs

GOLD = {"2031-03-12": "The old dam broke.", "2031-03-14": "Rescue teams arrived."}
SYSTEMS = {"mine": {"dam": GOLD}, "lead": {"dam": {"2031-03-11": "Rain fell."}}}
REFERENCES = {"dam": GOLD}
CYCLE: list[Any] = []
CYCLE.append(CYCLE)

WRONG: dict[str, Any] = {
    "none": None,
    "number": 7,
    "negative": -1,
    "nan": math.nan,
    "infinity": math.inf,
    "flag": True,
    "bytes": b"dam",
    "empty text": "",
    "blank": " \n",
    "zero byte": "a\0b",
    "a word": "nonsense",
    "surrogate": "\ud800",
    "long": "a" * 5000,
    "path": Path("nowhere"),
    "pattern": "nowhere/*",
    "odd pattern": "[",
    "two stars": "a**b",
    "empty list": [],
    "list of none": [None],
    "nested": [[["a"]], [[1]]],
    "cycle": CYCLE,
    "mixed": ["a", 1, None],
    "pairs": [("a", 1), ("b", 2)],
    "empty dict": {},
    "dict of none": {"dam": None},
    "dict of numbers": {"mine": {"dam": 7}},
    "dict of bytes": {"mine": {"dam": b"x"}},
    "dict of lists": {"mine": {"dam": [[1], {}]}},
    "dict of dicts": {"mine": {"dam": {"a": {"b": {"c": object()}}}}},
    "wrong date": {"mine": {"dam": {"2031-02-30": "x", "2031-03-01": "y"}}},
    "number keys": {1: {2: "text"}},
    "none keys": {None: {None: None}},
    "tuple keys": {("a", 1): {("b", 2): "text"}},
    "texts": {"dam": ["", "a"]},
    "empty texts": {"mine": {"dam": ""}},
    "nan text": {"mine": {"dam": math.nan}},
    "json": {"mine": {"dam": '{"timeline": [1, 2'}},
    "object": object(),
    "class": dict,
    "function": lambda: None,
    "generator": (n for n in range(2)),
    "set": {1, 2},
    "range": range(3),
    "date": datetime.date(2031, 3, 12),
    "array": np.ones((2, 2)),
    "array of objects": np.array([None, 1], dtype=object),
    "series": pd.Series([1.0, math.nan]),
    "polars series": pl.Series([None, "a"]),
    "frame": pd.DataFrame({"a": [1]}),
    "empty frame": pd.DataFrame(),
    "frame of nan": pd.DataFrame(
        {"system": ["mine"], "topic": ["dam"], "date": [pd.NaT], "text": [math.nan]}
    ),
    "frame of numbers": pd.DataFrame({"system": [1], "topic": [2.5], "text": [3]}),
    "twice the same column": pd.DataFrame(
        [["a", "b", "c", "d"]], columns=["system", "topic", "text", "text"]
    ),
    "two rows": pd.DataFrame({"system": ["a", "a"], "topic": ["t", "t"], "text": ["x", "y"]}),
    "polars frame": pl.DataFrame({"topic": ["dam"]}),
    "lazy frame": pl.DataFrame({"system": ["a"], "topic": ["dam"], "text": [None]}).lazy(),
    "records": [{"system": "mine"}, {"topic": None}],
    "dated records": [{"system": "a", "topic": "dam", "date": "soon", "text": "x"}],
    "timeline": cs.Timeline.of(GOLD),
    "summary": cs.Summary.of("a"),
    "run": cs.Run("mine", {"dam": cs.Summary.of("a")}),
    "odd run": cs.Run("mine", {"dam": 7}),  # type: ignore[dict-item]
    "topic": cs.Topic(id="dam"),
    "collection": cs.Collection({}),
    "odd collection": cs.Collection({"dam": 7}),  # type: ignore[dict-item]
}


@pytest.fixture(scope="module")
def result() -> cs.ScoreResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cs.score(SYSTEMS, REFERENCES, "align+")


def calls(wrong: Any, result: cs.ScoreResult) -> dict[str, Callable[[], Any]]:
    """Every public function, with a wrong value for each argument in turn."""
    return {
        "rouge text": lambda: cs.rouge(wrong, "a"),
        "rouge references": lambda: cs.rouge("a", wrong),
        "rouge measures": lambda: cs.rouge("a", "a", wrong),
        "rouge stem": lambda: cs.rouge("a", "a", stem=wrong),
        "rouge limit": lambda: cs.rouge("a", "a", limit=wrong),
        "rouge prepare": lambda: cs.rouge("a", "a", prepare=wrong),
        "rouge_many predictions": lambda: cs.rouge_many(wrong, ["a"]),
        "rouge_many references": lambda: cs.rouge_many(["a"], wrong),
        "rouge_many reference": lambda: cs.rouge_many(["a"], [wrong]),
        "compute": lambda: cs.compute(predictions=wrong, references=wrong),
        "compute measures": lambda: cs.compute(predictions=["a"], references=["a"], measures=wrong),
        "score systems": lambda: cs.score(wrong, REFERENCES, "align+"),
        "score systems alone": lambda: cs.score(wrong),
        "score systems by rouge": lambda: cs.score(wrong, {"dam": "a"}, "rouge1"),
        "score systems by nu": lambda: cs.score(wrong, REFERENCES, "nu"),
        "score an output": lambda: cs.score({"mine": {"dam": wrong}}, REFERENCES, "align+"),
        "score a text": lambda: cs.score({"mine": {"dam": wrong}}, {"dam": "a"}, "rouge1"),
        "score a day": lambda: cs.score({"m": {"dam": {"2031-03-12": wrong}}}, REFERENCES),
        "score references": lambda: cs.score(SYSTEMS, wrong, "align+"),
        "score references alone": lambda: cs.score(SYSTEMS, wrong),
        "score a reference": lambda: cs.score(SYSTEMS, {"dam": wrong}),
        "score measures": lambda: cs.score(SYSTEMS, REFERENCES, wrong),
        "score judgements": lambda: cs.score(SYSTEMS, judgements=wrong),
        "score originals": lambda: cs.score(SYSTEMS, REFERENCES, "rouge1", originals=wrong),
        "score compat": lambda: cs.score(SYSTEMS, REFERENCES, "align+", compat=wrong),
        "score documents": lambda: cs.score(
            SYSTEMS, REFERENCES, "align+", ceiling=True, documents=wrong
        ),
        "score resampling": lambda: cs.score(SYSTEMS, REFERENCES, "align+", resampling=wrong),
        "score seed": lambda: cs.score(
            SYSTEMS, REFERENCES, "align+", resampling=cs.Resampling(seed=wrong)
        ),
        "score times": lambda: cs.score(
            SYSTEMS, REFERENCES, "align+", resampling=cs.Resampling(times=wrong)
        ),
        "score level": lambda: cs.score(
            SYSTEMS, REFERENCES, "align+", resampling=cs.Resampling(level=wrong)
        ),
        "score average": lambda: cs.score(
            SYSTEMS, REFERENCES, "align+", resampling=cs.Resampling(rule=wrong)
        ),
        "compare": lambda: cs.compare(wrong, REFERENCES, "align+"),
        "compare baseline": lambda: result.compare(baseline=wrong),
        "explain": lambda: cs.explain(wrong, REFERENCES),
        "explain references": lambda: cs.explain(SYSTEMS, wrong),
        "explain measure": lambda: cs.explain(SYSTEMS, REFERENCES, wrong),
        "explain topic": lambda: cs.explain(SYSTEMS, REFERENCES, topic=wrong),
        "load": lambda: cs.load(wrong),
        "load kind": lambda: cs.load(REFERENCES, wrong),
        "load_runs": lambda: cs.load_runs(wrong),
        "load_runs kind": lambda: cs.load_runs(SYSTEMS, wrong),
        "load_scores": lambda: cs.load_scores(wrong),
        "Timeline.of": lambda: cs.Timeline.of(wrong),
        "Timeline.of a text": lambda: cs.Timeline.of({"2031-03-12": wrong}),
        "Timeline.of a date": lambda: cs.Timeline.of([(wrong, "text")]),
        "Summary.of": lambda: cs.Summary.of(wrong),
        "When.parse": lambda: cs.When.parse(wrong),
        "When.of": lambda: cs.When.of(wrong),
        "measure_of": lambda: cs.measure_of(wrong),
        "parse_measure": lambda: cs.parse_measure(wrong),
        "figure": lambda: result[wrong],
        "figure of a system": lambda: result[wrong, "align+.f"],
        "figure of a measure": lambda: result["mine", wrong],
        "rows": lambda: result.rows(wrong),
        "render": lambda: result.render(wrong),
        "save format": lambda: result.save("out.jsonl", wrong),
        "result explain": lambda: result.explain(wrong, wrong, wrong),
        "plot": lambda: result.plot(wrong),
        "curve": lambda: result.curve(wrong),
        "breakdown": lambda: result.breakdown(wrong),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_gives_a_result_or_one_sentence(
    name: str, result: cs.ScoreResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    escaped = []
    for what, call in calls(WRONG[name], result).items():
        try:
            call()
        except cs.ChronoscoreError as error:
            if not 0 < len(str(error)) < 1000 + len(str(WRONG[name])):
                escaped.append(f"{what}: {error}")
        except Exception as error:
            escaped.append(f"{what}: {error!r}")
    assert escaped == []


def test_the_empty_combinations_are_refused_in_words() -> None:
    for systems, references in itertools.product(({}, [], None, ""), repeat=2):
        with pytest.raises(cs.ChronoscoreError):
            cs.score(systems, references)
