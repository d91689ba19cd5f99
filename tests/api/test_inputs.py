"""Every way to pass the same data gives the same figures."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.measures import parse_measure_text
from chronoscore.scoring import score as score_runs

MINE = {"2031-03-12": "The dam broke.", "2031-03-14": "Rescue teams arrived from the coast."}
LEAD = {"2031-03-11": "Heavy rain fell on the dam."}
ANN = {"2031-03-12": "The old dam broke.", "2031-03-15": "Teams arrived."}
BOB = {"2031-03-12": "A dam collapsed.", "2031-03-14": "Rescue teams came."}
SYSTEMS = {"mine": {"dam": MINE}, "lead": {"dam": LEAD}}
REFERENCES = {"dam": {"ann": ANN, "bob": BOB}}


def tilse(timeline: dict[str, str]) -> str:
    blocks = [f"{when}\n{text}\n" for when, text in timeline.items()]
    return ("-" * 32 + "\n").join(blocks) + "-" * 32 + "\n"


def markdown(timeline: dict[str, str]) -> str:
    return "".join(f"- **{when}**: {text}\n" for when, text in timeline.items())


def written(folder: Path) -> tuple[Path, Path]:
    """The same data as files."""
    for name, outputs in SYSTEMS.items():
        (folder / "runs" / name).mkdir(parents=True)
        (folder / "runs" / name / "dam.txt").write_text(tilse(outputs["dam"]))
    (folder / "gold" / "dam").mkdir(parents=True)
    for author, timeline in REFERENCES["dam"].items():
        (folder / "gold" / "dam" / f"{author}.txt").write_text(tilse(timeline))
    return folder / "runs", folder / "gold"


def long_rows() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    runs = [
        {"system": system, "topic": topic, "date": when, "text": text}
        for system, outputs in SYSTEMS.items()
        for topic, timeline in outputs.items()
        for when, text in timeline.items()
    ]
    gold = [
        {"topic": "dam", "author": author, "date": when, "text": text}
        for author, timeline in REFERENCES["dam"].items()
        for when, text in timeline.items()
    ]
    return runs, gold


def every(change: Callable[[dict[str, str]], Any]) -> tuple[Any, Any]:
    systems = {s: {t: change(one) for t, one in outputs.items()} for s, outputs in SYSTEMS.items()}
    return systems, {"dam": [change(ANN), change(BOB)]}


def dates(timeline: dict[str, str]) -> dict[datetime.date, list[str]]:
    return {datetime.date.fromisoformat(when): [text] for when, text in timeline.items()}


def frame(build: Callable[[Any], Any]) -> tuple[Any, Any]:
    runs, gold = long_rows()
    return build(runs), build(gold)


def own_objects(_folder: Path) -> tuple[Any, Any]:
    runs = [cs.Run(s, {"dam": cs.Timeline.of(o["dam"])}) for s, o in SYSTEMS.items()]
    gold = tuple(cs.Timeline.of(t, author=a) for a, t in REFERENCES["dam"].items())
    return runs, cs.Collection({"dam": cs.Topic(id="dam", timelines=gold)})


def as_paths(folder: Path) -> tuple[Any, Any]:
    runs, gold = written(folder)
    return f"{runs}/*", str(gold)


def path_lists(folder: Path) -> tuple[Any, Any]:
    runs, gold = written(folder)
    return [runs / "mine", str(runs / "lead")], [gold]


def named_paths(folder: Path) -> tuple[Any, Any]:
    runs, _ = written(folder)
    return {name: str(runs / name) for name in SYSTEMS}, REFERENCES


def files_in_dicts(folder: Path) -> tuple[Any, Any]:
    runs, gold = written(folder)
    systems = {name: {"dam": runs / name / "dam.txt"} for name in SYSTEMS}
    return systems, {"dam": [gold / "dam" / "ann.txt", gold / "dam" / "bob.txt"]}


def dated_frame(_folder: Path) -> tuple[Any, Any]:
    runs, gold = frame(pd.DataFrame)
    runs["date"], gold["date"] = pd.to_datetime(runs["date"]), pd.to_datetime(gold["date"])
    return runs, gold


WAYS: dict[str, Callable[[Path], tuple[Any, Any]]] = {
    "paths": as_paths,
    "lists of paths": path_lists,
    "paths by name": named_paths,
    "files in dicts": files_in_dicts,
    "own objects": own_objects,
    "tilse text": lambda _: every(tilse),
    "Markdown": lambda _: every(markdown),
    "timelines": lambda _: every(cs.Timeline.of),
    "dates and sentences": lambda _: every(dates),
    "pairs": lambda _: every(lambda timeline: list(timeline.items())),
    "JSON records": lambda _: every(
        lambda timeline: [{"date": when, "text": text} for when, text in timeline.items()]
    ),
    "records": lambda _: long_rows(),
    "pandas": lambda _: frame(pd.DataFrame),
    "pandas with timestamps": dated_frame,
    "polars": lambda _: frame(pl.DataFrame),
    "lazy polars": lambda _: frame(lambda rows: pl.DataFrame(rows).lazy()),
    "paths against dicts": lambda folder: (as_paths(folder)[0], REFERENCES),
    "dicts against paths": lambda folder: (SYSTEMS, as_paths(folder)[1]),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_pass_timelines_gives_the_same_figures(way: str, tmp_path: Path) -> None:
    expected = cs.score(SYSTEMS, REFERENCES, ["align+", "dates"])
    systems, references = WAYS[way](tmp_path)
    result = cs.score(systems, references, ["align+", "dates"])
    assert sorted(map(str, result.rows())) == sorted(map(str, expected.rows()))


def test_figures_are_those_of_the_engine_below() -> None:
    collection = cs.load(REFERENCES)
    runs = cs.load_runs(SYSTEMS)
    measure = parse_measure_text("align+")
    expected = score_runs(collection, runs, [measure]).values(measure)[0, 0, 2]
    assert cs.score(SYSTEMS, REFERENCES, "align+")["mine", "align+.f"].value == expected


@pytest.mark.parametrize("way", [way for way in WAYS if way != "Markdown"])
def test_timelines_are_recognized_where_no_measure_is_named(way: str, tmp_path: Path) -> None:
    assert cs.score(*WAYS[way](tmp_path)).measures == ("align+", "dates")


def test_texts_without_a_measure_are_scored_by_rouge_and_rankings_by_nu() -> None:
    texts = cs.score({"mine": {"t": "the dam broke"}}, {"t": "the old dam broke"})
    assert texts.measures == ("rouge(n=1)", "rouge(n=2)", "rouge-l")
    assert (
        texts["mine", "rouge1.r"].value
        == cs.rouge("the dam broke", "the old dam broke")["rouge1"].r
    )
    judged = cs.score(demo.RUNS / "careful", judgements=demo.CORPUS)
    assert judged.measures[0] == "nu"


@pytest.mark.parametrize("column", [list, tuple, pd.Series, pl.Series, np.array])
def test_rouge_many_gives_each_text_what_rouge_gives(column: Callable[[list[str]], Any]) -> None:
    ours, theirs = ["the dam broke", "rain", ""], ["the old dam broke", "heavy rain fell", "x"]
    rows = cs.rouge_many(column(ours), column(theirs), ["rouge1", "rougeL"], stem=True).rows()
    for row, text, reference in zip(rows, ours, theirs, strict=True):
        alone = cs.rouge(text, reference, ["rouge1", "rougeL"], stem=True)
        assert row["rouge1.f"] == pytest.approx(alone["rouge1"].f)
        assert row["rougeL.r"] == pytest.approx(alone["rougeL"].r)


@pytest.mark.slow
def test_a_result_is_a_table_html_a_page_and_a_plot(tmp_path: Path) -> None:
    result = cs.score(SYSTEMS, REFERENCES, "align+")
    assert str(result).lstrip().startswith("system")
    assert "<table>" in result._repr_html_()
    assert len(repr(result)) < 100
    page = result.report(tmp_path / "r.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "mine is ahead of lead" in page or "lead is ahead of mine" in page
    result.plot("align+.f", tmp_path / "p.svg")
    assert "mine" in (tmp_path / "p.svg").read_text() or (tmp_path / "p.svg").stat().st_size > 1000
    assert "dam" in str(result.explain("mine", topic="dam"))


def test_two_texts_for_one_system_and_topic_are_refused() -> None:
    rows = [{"system": "a", "topic": "t", "text": text} for text in ("x", "y")]
    with pytest.raises(cs.DataError, match="row 2: system 'a' has a text for topic 't' already"):
        cs.score(rows, {"t": "x"}, "rouge1")


def test_scores_that_are_compared_keep_their_references_measures_and_options() -> None:
    result = cs.score({"a": {"t": "x y"}, "b": {"t": "x z"}}, {"t": "x y"})
    for given in ({"measures": "rouge2"}, {"references": {"t": "y"}}, {"jackknife": True}):
        with pytest.raises(cs.UsageError, match="cannot change finished scores"):
            cs.compare(result, **given)


def test_report_writes_the_page_that_the_result_writes(tmp_path: Path) -> None:
    systems = {"mine": {"dam": {"2031-03-12": "The dam broke."}}}
    gold = {"dam": {"2031-03-12": "The old dam broke."}}
    written = cs.report(systems, gold, "align+", path=tmp_path / "one.html")
    cs.score(systems, gold, "align+").report(tmp_path / "two.html")
    assert written.read_text("utf-8") == (tmp_path / "two.html").read_text("utf-8")
