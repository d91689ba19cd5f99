"""Scores that were saved load as what they were: figures, averaging rule, signature."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.options import Averaging

SYSTEMS = [demo.RUNS / "careful", demo.RUNS / "lead"]


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
@pytest.mark.parametrize("ending", ["jsonl", "json", "csv"])
def test_saved_scores_load_with_the_same_figures(ending: str, tmp_path: Path) -> None:
    result = cs.score(SYSTEMS, demo.CORPUS, "align+")
    result.save(tmp_path / f"scores.{ending}")
    loaded = cs.load_scores(tmp_path / f"scores.{ending}")
    assert loaded.rows("all") == result.rows("all")
    assert str(loaded).splitlines()[:6] == str(result).splitlines()[:6]
    ours, theirs = result.compare().rows()[0], loaded.compare().rows()[0]
    assert ours["p"] == theirs["p"]
    assert ours["difference"] == pytest.approx(theirs["difference"])
    with pytest.raises(cs.UsageError, match="scores from a file hold no texts"):
        loaded.explain("lead")


@pytest.mark.parametrize(
    ("measure", "rule", "label"),
    [
        ("align+", "micro", "parts of the counts summed over topics"),
        ("align+", "mean", "mean over topics of each part"),
        ("align+.f", None, "F of the mean precision and the mean recall"),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_saved_averages_keep_the_rule_they_were_made_by(
    measure: str, rule: Averaging | None, label: str, ending: str, tmp_path: Path
) -> None:
    result = cs.score(
        SYSTEMS,
        demo.CORPUS,
        measure,
        resampling=cs.Resampling(rule=rule),
    )
    result.save(tmp_path / f"scores.{ending}")
    loaded = cs.load_scores(tmp_path / f"scores.{ending}")
    assert loaded.rows("all") == result.rows("all")
    assert f"average over 12 topics: {label}" in str(loaded)
    assert loaded.signature.split(" average:")[1] == result.signature.split(" average:")[1]
    again = cs.load_scores(tmp_path / f"scores.{ending}", resampling=cs.Resampling(rule="mean"))
    values = [
        float(row["value"])
        for row in result.rows()
        if (row["system"], row["part"]) == ("careful", "f")
    ]
    assert again["careful", "align+.f"].value == pytest.approx(sum(values) / len(values))
    assert "average:mean" in again.signature


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_saved_scores_are_never_tested_by_a_figure_that_their_file_cannot_give(
    tmp_path: Path,
) -> None:
    file = tmp_path / "scores.jsonl"
    for measure, rule in (("align+", "micro"), ("align+.f", None)):
        cs.score(SYSTEMS, demo.CORPUS, measure, resampling=cs.Resampling(rule=rule)).save(file)
        loaded = cs.load_scores(file)
        with pytest.raises(cs.UsageError, match="average with `rule"):
            loaded.compare()
        page = loaded.report(tmp_path / "page.html").read_text("utf-8")
        assert "The systems are not compared" in page
        means = cs.load_scores(file, resampling=cs.Resampling(rule="mean"))
        (pair,) = means.compare().rows()
        assert pair["difference"] == pytest.approx(
            means["careful", "align+.f"].value - means["lead", "align+.f"].value
        )
    with pytest.raises(cs.UsageError, match="hold no counts"):
        cs.load_scores(file, resampling=cs.Resampling(rule="micro"))


def test_f_without_p_and_r_is_said_to_be_averaged_otherwise(tmp_path: Path) -> None:
    result = cs.score(SYSTEMS, demo.CORPUS, "align+")
    rows = [json.dumps(row) for row in result.rows("topics") if row["part"] == "f"]
    (tmp_path / "f.jsonl").write_text("\n".join(rows))
    with pytest.warns(cs.ChronoscoreWarning, match="has f of 'align\\+' without p and r"):
        loaded = cs.load_scores(tmp_path / "f.jsonl")
    of_topics = [json.loads(row)["value"] for row in rows if json.loads(row)["system"] == "careful"]
    assert loaded["careful", "align+.f"].value == pytest.approx(sum(of_topics) / 12)


def test_averages_by_two_rules_or_by_an_unknown_one_are_refused(tmp_path: Path) -> None:
    head, file = "system,topic,measure,part,value,average\n", tmp_path / "scores.csv"
    file.write_text(f"{head}a,t,m,f,0.5,\na,,m,f,0.5,median\n")
    with pytest.raises(cs.DataError, match="unknown averaging rule 'median'"):
        cs.load_scores(file)
    file.write_text(f"{head}a,t,m,f,0.5,\na,,m,f,0.5,mean\nb,,m,f,0.5,micro\n")
    with pytest.raises(cs.DataError, match="different rules"):
        cs.load_scores(file)


def test_swaps_are_in_the_signature_only_if_some_were_drawn() -> None:
    def signature(topics: int) -> str:
        gold = {f"t{n:02}": "the dam broke" for n in range(topics)}
        runs = {"a": gold, "b": dict.fromkeys(gold, "a dam")}
        how = cs.Resampling(seed=7)
        return cs.compare(runs, gold, "rouge1", trials=99, resampling=how).signature

    assert "swaps" not in signature(13)
    assert signature(14).endswith("|swaps:99|seed:7")


def test_results_under_different_machines_are_not_equal() -> None:
    gold = {"t": "the dam broke"}
    mine, other = (cs.score({"a": {"t": text}}, gold, "rouge1") for text in ("the dam", "a dam"))
    assert replace(mine, machine=other) == replace(mine, machine=other)
    assert replace(mine, machine=other) != replace(mine, machine=mine)
    assert replace(mine, machine=other) != mine


@pytest.mark.parametrize("ending", ["jsonl", "csv", "json"])
def test_saved_scores_keep_how_their_intervals_were_computed(tmp_path: Path, ending: str) -> None:
    words = ["dam", "flood", "river", "storm", "bridge"]
    gold = {word: {"2031-03-12": " ".join(words[: n + 1])} for n, word in enumerate(words)}
    mine = {"mine": {topic: {"2031-03-12": "dam"} for topic in gold}}
    how = cs.Resampling(interval="bootstrap", times=50, level=0.8, seed=7)
    result = cs.score(mine, gold, "align+", resampling=how)
    result.save(tmp_path / f"s.{ending}")
    loaded = cs.load_scores(tmp_path / f"s.{ending}")
    assert loaded.resampling == how
    assert repr(loaded.rows("all")) == repr(result.rows("all"))
    usual = cs.load_scores(tmp_path / f"s.{ending}", resampling=cs.Resampling())
    assert usual["mine", "align+.f"].low < loaded["mine", "align+.f"].low
    frame = result.to_pandas()
    assert frame[frame["topic"] == ""]["low"].notna().any()
