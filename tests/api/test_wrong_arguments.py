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
from chronoscore import demo

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
    "no date": pd.NaT,
    "keys without a date": {"mine": {"dam": {pd.NaT: "x"}}},
    "number of NumPy": np.int64(3),
    "date of NumPy": np.datetime64("2031-03-12"),
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
    "run of a number": cs.Run(5, {"dam": cs.Summary.of("a")}),  # type: ignore[arg-type]
    "two runs of one name": [cs.Run("mine", {"dam": cs.Summary.of(t)}) for t in "ab"],
    "odd timeline": cs.Timeline("abc"),  # type: ignore[arg-type]
    "odd entry": cs.Timeline((cs.Entry("2031", "a"),)),  # type: ignore[arg-type]
    "odd summary": cs.Summary((1, None)),  # type: ignore[arg-type]
    "odd topic": cs.Topic(id="dam", timelines=GOLD, documents="d"),  # type: ignore[arg-type]
    "odd document": cs.Topic(id="dam", documents=(cs.Document(id="d", sentences="ab"),)),  # type: ignore[arg-type]
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
        "rouge tokenizer": lambda: cs.rouge("a", "a", tokenizer=lambda text: wrong),
        "Run": lambda: cs.Run("mine", wrong),
        "Collection": lambda: cs.Collection(wrong),
        "text_id": lambda: cs.text_id(wrong),
        "bootstrap": lambda: cs.Bootstrap(times=wrong),
        "bootstrap seed": lambda: cs.Bootstrap(seed=wrong),
        "bootstrap level": lambda: cs.Bootstrap(level=wrong),
        "bootstrap kind": lambda: cs.Bootstrap(kind=wrong),
        "bootstrap redrawn": lambda: cs.Bootstrap(redrawn=wrong),
        "fitting": lambda: cs.Fitting(weighting=wrong),
        "fitting tuning": lambda: cs.Fitting(tuning=wrong),
        "score jobs": lambda: cs.score(SYSTEMS, REFERENCES, "align+", jobs=wrong),
        "compare trials": lambda: result.compare(trials=wrong),
        "compute": lambda: cs.compute(predictions=wrong, references=wrong),
        "compute measures": lambda: cs.compute(
            predictions=["a"], references=["a"], rouge_types=wrong
        ),
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
        "columns": lambda: cs.score("none.jsonl", columns=wrong),
        "name of a column": lambda: cs.score("none.jsonl", columns={"system": wrong}),
        "columns of references": lambda: cs.score("none.jsonl", columns={"references": wrong}),
        "shards": lambda: cs.score("none.jsonl", shards=wrong),
        "save format": lambda: result.save("out.jsonl", wrong),
        "result explain": lambda: result.explain(wrong, wrong, wrong),
        "plot": lambda: result.plot(wrong),
        "curve": lambda: result.curve(wrong),
        "breakdown": lambda: result.breakdown(wrong),
    }


def command_calls(wrong: Any) -> dict[str, Callable[[], Any]]:
    """The functions behind the other commands, with a wrong value for each argument in turn."""
    scores = [
        {"system": s, "topic": "a", "measure": "m", "part": part, "value": n / 10}
        for n, s in enumerate("abcde")
        for part in ("ab", "bb")
    ]
    people = [{"system": s, "topic": "a", "rating": "r", "value": n} for n, s in enumerate("abcde")]
    topic = {"id": "t", "documents": [{"sentences": ["a b", "c"]}], "references": [["a b"]]}
    quick = cs.Bootstrap(times=2)
    fits: dict[str, Any] = {"scores": scores, "ratings": people}
    return {
        "check measures": lambda: cs.check(wrong, REFERENCES),
        "check timelines": lambda: cs.check("align+", wrong),
        "check articles": lambda: cs.check("align+", REFERENCES, articles=wrong),
        "check shifts": lambda: cs.check("align+", REFERENCES, shifts=wrong),
        "check compat": lambda: cs.check("align+", REFERENCES, compat=wrong),
        "oracle collection": lambda: cs.oracle(wrong, "rouge1", budget="2w"),
        "oracle of timelines": lambda: cs.oracle(wrong, "align+"),
        "oracle measures": lambda: cs.oracle(topic, wrong, budget="2w"),
        "oracle methods": lambda: cs.oracle(topic, "rouge1", budget="2w", methods=wrong),
        "oracle budget": lambda: cs.oracle(topic, "rouge1", budget=wrong),
        "oracle pool": lambda: cs.oracle(topic, "rouge1", budget="2w", pool=wrong),
        "oracle time": lambda: cs.oracle(topic, "rouge1", budget="2w", time_limit=wrong),
        "oracle dates": lambda: cs.oracle(topic, "align+", dates=wrong),
        "ceilings collection": lambda: cs.ceilings(wrong, "rouge1", budget="2w"),
        "ceilings method": lambda: cs.ceilings(topic, "rouge1", budget="2w", method=wrong),
        "correlate scores": lambda: cs.correlate(wrong, people, bootstrap=quick),
        "correlate ratings": lambda: cs.correlate(scores, wrong, bootstrap=quick),
        "correlate measures": lambda: cs.correlate(**fits, measures=wrong, bootstrap=quick),
        "correlate rating": lambda: cs.correlate(**fits, rating=wrong, bootstrap=quick),
        "correlate by": lambda: cs.correlate(**fits, by=wrong, bootstrap=quick),
        "correlate kinds": lambda: cs.correlate(**fits, coefficients=wrong, bootstrap=quick),
        "correlate bootstrap": lambda: cs.correlate(**fits, bootstrap=wrong),
        "correlate who": lambda: cs.correlate(**fits, who=wrong, bootstrap=quick),
        "correlate test": lambda: cs.correlate(**fits, test=wrong, trials=2, bootstrap=quick),
        "correlate trials": lambda: cs.correlate(**fits, trials=wrong, bootstrap=quick),
        "correlate baseline": lambda: cs.correlate(
            **fits, test="williams", baseline=wrong, bootstrap=quick
        ),
        "agree": lambda: cs.agree(wrong),
        "agree log": lambda: cs.agree(demo.CORPUS / "dam" / "units.jsonl", log=wrong),
        "agree pool": lambda: cs.agree(demo.CORPUS / "dam" / "units.jsonl", pool=wrong),
        "agree unchosen": lambda: cs.agree(demo.CORPUS / "dam" / "units.jsonl", unchosen=wrong),
        "fit scores": lambda: cs.fit_novelty(wrong, people),
        "fit ratings": lambda: cs.fit_novelty(scores, wrong),
        "fit who": lambda: cs.fit_novelty(**fits, who=wrong),
        "fit fitting": lambda: cs.fit_novelty(**fits, fitting=wrong),
        "fit level": lambda: cs.fit_novelty(**fits, level=wrong),
        "predict scores": lambda: cs.novelty(wrong, "tac2008-r2"),
        "predict coefficients": lambda: cs.novelty(scores, wrong),
        "predict target": lambda: cs.novelty(scores, "tac2008-r2", target=wrong),
        "predict measures": lambda: cs.novelty(scores, "tac2008-r2", measures=wrong),
        "study draws": lambda: cs.study_novelty(**fits, draws=wrong),
        "study split": lambda: cs.study_novelty(**fits, split=wrong, draws=2),
        "summarize documents": lambda: cs.summarize(wrong, "lead-summary"),
        "summarize units": lambda: cs.summarize(wrong, "units-1"),
        "summarize system": lambda: cs.summarize(topic, wrong),
        "summarize words": lambda: cs.summarize(topic, "lead-summary", words=wrong),
        "summarize part": lambda: cs.summarize(topic, "lead-summary", part=wrong),
        "summarize at": lambda: cs.summarize(topic, "lead-summary", part="update", at=wrong),
        "summarize like": lambda: cs.summarize(topic, "lead", like=wrong),
        "summarize seed": lambda: cs.summarize(topic, "random-summary", seed=wrong),
        "convert": lambda: cs.convert(wrong),
        "convert read": lambda: cs.convert(b"- 2031-03-12: The dam broke.", read=wrong),
        "convert repeated": lambda: cs.convert(b"- 2031-03-12: A.", repeated=wrong),
        "convert text": lambda: cs.convert(b"- 2031-03-12: A.").text(wrong),
        "convert save": lambda: cs.convert(b"- 2031-03-12: A.").save("a.json", wrong),
        "convert output": lambda: cs.convert(b"- 2031-03-12: A.").save(wrong),
    }


TAKEN: dict[str, set[str]] = {
    "object": set(),
    "a word": {
        *("rouge text", "rouge references", "rouge_many reference", "text_id", "score a text"),
        *("score a day", "Timeline.of a text", "Summary.of"),
    },
}
"""The arguments for which a value is right."""
NO_TYPES = {
    *("Timeline.of a date", "When.of", "columns", "name of a column", "columns of references")
}
"""Arguments inside data, of which a wrong type is wrong data."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_gives_a_result_or_one_sentence(
    name: str, result: cs.ScoreResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    escaped, taken = [], set()
    wrong = WRONG[name]
    for what, call in (calls(wrong, result) | command_calls(wrong)).items():
        kind = TypeError if name == "object" and what not in NO_TYPES else TypeError | ValueError
        try:
            call()
            taken.add(what)
        except cs.ChronoscoreError as error:
            lines = str(error).count("\n") - str(wrong).count("\n")
            if not (0 < len(str(error)) < 1000 + len(str(wrong)) and lines <= 0):
                escaped.append(f"{what}: {error}")
            elif not isinstance(error, kind):
                escaped.append(f"{what}: {error!r}")
        except Exception as error:
            escaped.append(f"{what}: {error!r}")
    assert escaped == []
    assert taken == TAKEN.get(name, taken)


@pytest.mark.parametrize(
    "call",
    [
        lambda: cs.score({"m": {"dam": cs.Summary("abc")}}, {"dam": "a"}, "rouge1"),  # type: ignore[arg-type]
        lambda: cs.score([cs.Run("m", {"dam": cs.Summary.of(t)}) for t in "ab"], {"dam": "a"}),
        lambda: cs.score(SYSTEMS, [cs.Topic(id="dam", timelines=(cs.Timeline.of(GOLD),))] * 2),
        lambda: cs.score(
            SYSTEMS, {"dam": cs.Timeline(cs.Timeline.of(GOLD).entries * 2)}, "align+"
        ),
        lambda: cs.score(
            SYSTEMS,
            [{"topic": "dam", "date": day, "text": "a", "author": author}
             for day, author in zip(GOLD, ("Ann", None), strict=True)],
        ),
        lambda: cs.rouge_many({"a", "b"}, ["a", "b"]),
        lambda: cs.rouge_many(pd.Series(["a", "b"], [1, 0]), pd.Series(["a", "b"])),
    ],
    ids=["characters", "two runs", "two topics", "same dates", "author", "set", "other order"],
)  # fmt: skip
def test_what_would_be_scored_wrongly_without_a_word_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(cs.ChronoscoreError):
        call()


def test_dates_of_numpy_are_dates() -> None:
    days = {np.datetime64(day, "ns"): text for day, text in GOLD.items()}
    assert cs.score({"mine": {"dam": days}}, REFERENCES, "dates")["mine", "dates.f"].value == 1


def test_the_empty_combinations_are_refused_in_words() -> None:
    for systems, references in itertools.product(({}, [], None, ""), repeat=2):
        with pytest.raises(cs.ChronoscoreError):
            cs.score(systems, references)


@pytest.mark.parametrize(
    ("keyword", "advice"),
    [
        ("average", "resampling=Resampling(rule=…)"),
        ("seed", "resampling=Resampling(seed=…)"),
        ("coarse", "reading=ReadingRules(coarse=…)"),
        ("jackknif", "did you mean 'jackknife'"),
    ],
)
def test_a_keyword_that_belongs_inside_another_is_answered_with_how_to_write_it(
    keyword: str, advice: str
) -> None:
    with pytest.raises(TypeError) as refused:
        cs.score(SYSTEMS, REFERENCES, "dates", **{keyword: "mean"})  # type: ignore[arg-type]
    assert advice in str(refused.value)
