"""Calls that type checkers must accept, and calls that they must refuse; never run.

A refused call has the error that mypy must find in its line; see test_typing.py.
"""

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars

import chronoscore as cs


def overlap(output: str, references: list[str]) -> float:
    """A measure of one's own."""
    return float(output in references)


class Words:
    """A tokenizer of one's own."""

    def tokenize(self, text: str) -> list[str]:
        """The words."""
        return text.split()


def accepted(collection: cs.Collection, topic: cs.Topic, run: cs.Run, pandas_frame: Any) -> None:
    """What users pass."""
    answer = {"2031-03-12": "The dam broke."}
    frame = polars.DataFrame({"system": ["a"], "topic": ["dam"], "text": ["The dam broke."]})
    rows = [{"system": "a", "topic": "dam", "text": "The dam broke."}]
    cs.score("runs/*", "gold")
    cs.score(Path("mine.txt"), [Path("gold1.txt"), "gold2.txt"], "rouge1")
    cs.score(("a.jsonl", Path("b.jsonl")), measures=["rouge1", cs.parse_measure("rouge2"), overlap])
    cs.score({"mine": {"dam": answer}}, {"dam": [answer, "2031-03-12: It broke."]}, "align+")
    cs.score({"mine": {1: "a text"}}, {1: ["a text", "another"]}, overlap)
    cs.score(frame, frame, "rouge1")
    cs.score(rows, rows, ("rouge1", "rouge2"))
    cs.score(pandas_frame, pandas_frame)
    cs.score(run, collection)
    cs.score([run, run], topic)
    cs.score((run,), [topic])
    cs.score(cs.summarize("corpus", ["datewise", "random"]), collection)
    cs.score("ranking.jsonl", judgements=["a.jsonl", Path("b.jsonl")], pool=[run], machine="robot")
    cs.score("a.csv", columns={"system": "prediction", "references": ["gold1", "gold2"]}, jobs=2)
    cs.score("mine", "gold", ceiling="own", published="crisis", compat="tilse", jackknife=True)
    cs.score("mine", "gold", resampling=cs.Resampling(times=10), reading=cs.ReadingRules())
    cs.compare(cs.score("mine", "gold"), baseline="mine")
    cs.compare(frame, rows, trials=99)
    cs.report({"mine": {"dam": "a text"}}, {"dam": "a text"}, path=Path("page.html"))
    cs.explain(run, collection, overlap, topic="dam", documents="corpus")
    cs.similarities([run], collection, "pairs")
    cs.load("gold").topics["dam"]
    cs.load({"dam": [answer]})
    cs.load_runs(rows, "summaries", collection=collection)
    cs.check(["align+", "dates"], collection)
    cs.agree("people.jsonl", machine="robot", systems=[run], measures="nu")
    scorer = cs.Scorer(["the old dam broke", "a dam burst"], ["rouge1", overlap])
    scorer(["the dam broke", "a dog barked"])
    scorer(np.array(["the dam broke"]), np.array([1]))
    scorer(frame["text"], frame["topic"])
    scorer.rank(("the dam broke",), ["dam"], by="rouge1")
    cs.Scorer({date(2031, 3, 12): "The dam broke."}, "align+")(answer)
    cs.Scorer([answer, [("2031-03-12", "It broke.")]], "align+")([answer, Path("mine.txt")])
    cs.Scorer({"dam": ["a", "b"], "ferry": ["c"]}, "rouge1")(["a", "c"], ["dam", "ferry"])
    cs.Scorer(collection, cs.parse_measure("rouge1"))([["a sentence", "another"]], "dam")
    cs.Scorer(frame, "rouge1")("a text", 1)
    cs.Scorer([topic], "rouge1")([cs.Summary.of("a text"), "another"], "dam")
    cs.Scorer(cs.Timeline.of(answer), "align+")([("2031-03-12", "It broke.")])
    cs.compute(predictions=["a"], references=[["a", "b"]], tokenizer=str.split)
    cs.compute(predictions=frame["text"], references=["a"], tokenizer=Words())
    cs.judge("pairs", {"mine": {"dam": answer}}, model="m", references={"dam": answer})
    cs.judge("link", [topic], model="m")


def refused(collection: cs.Collection, run: cs.Run) -> None:
    """What users mistake."""
    cs.score(1, "gold")  # error: arg-type
    cs.score("mine", 2)  # error: arg-type
    cs.score("mine", "gold", 3)  # error: arg-type
    cs.score(b"mine", "gold")  # error: arg-type
    cs.score(collection, run)  # error: arg-type
    cs.score({"mine.txt"}, "gold")  # error: arg-type
    cs.score("mine", "gold", ["rouge1", 2])  # error: list-item
    cs.score("mine", "gold", jobs="2")  # error: arg-type
    cs.score("mine", "gold", jbos=2)  # error: call-arg
    cs.score("mine", "gold", compat="tisle")  # error: arg-type
    cs.score("mine", "gold", reading={"on_error": "skip"})  # error: arg-type
    cs.compare(1.5, "gold")  # error: arg-type
    cs.report("mine", object())  # error: arg-type
    cs.explain(None, "gold")  # error: arg-type
    cs.explain("mine", "gold", jobs=2)  # error: call-arg
    cs.similarities("mine", "gold", 1)  # error: arg-type
    cs.load(1)  # error: arg-type
    cs.load("gold", "texts")  # error: arg-type
    cs.load_runs(collection)  # error: arg-type
    cs.check("align+", 1)  # error: arg-type
    cs.agree("people.jsonl", systems=1)  # error: arg-type
    cs.Scorer(1, "rouge1")  # error: arg-type
    cs.Scorer("a text", None)  # error: arg-type
    cs.Scorer("a text", "rouge1")(1)  # error: arg-type
    cs.Scorer("a text", "rouge1").rank("a text", 1.5)  # error: arg-type
    cs.compute(predictions=1, references=["a"])  # error: arg-type
    cs.compute(predictions=["a"], references=["a"], tokenizer=1)  # error: arg-type
    cs.judge("link", 1, model="m")  # error: arg-type
