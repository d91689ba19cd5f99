import json
import re
from pathlib import Path

import pytest

from data_files import write_lines
from judging.chat_server import Said, data_of, serving

GOLD = """2010-04-20
The rig explodes at night.
Eleven workers are missing.
--------------------------------
2010-04-22
The burning platform sinks.
--------------------------------
2010-05-06
A dome is lowered over the leak.
--------------------------------
"""


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    file = tmp_path / "spill.txt"
    file.write_text(GOLD, encoding="utf-8")
    return file


def test_the_papers_table_is_printed_with_a_verdict(run, gold):
    printed = run("check", "--on", gold).out
    assert "ΔP" in printed
    assert "shift 5" in printed
    assert "P, R and F do not fall (known)" in printed


def test_a_test_without_a_trial_says_what_is_missing(run, tmp_path):
    (tmp_path / "gold").mkdir()
    days = "2010-04-20\nThe rig explodes.\n----\n2010-04-22\nThe platform sinks.\n----\n"
    (tmp_path / "gold" / "spill.txt").write_text(days, encoding="utf-8")
    printed = run("check", "--on", tmp_path / "gold").out
    assert "no day to split" in printed
    rows = run("check", "align+", "--on", tmp_path / "gold", "-f", "json").rows
    assert {row["change"] for row in rows if row["test"] == "split"} == {None}


def test_several_jobs_give_the_same_bytes(run, gold):
    words = ("check", "align", "concat", "--on", gold, "-f", "jsonl")
    assert run(*words, "--jobs", "2").out == run(*words).out


def test_a_known_fault_fails_only_when_strict(run, gold):
    run("check", "concat", "--on", gold)
    run("check", "concat", "--on", gold, "--strict", code=1)
    run("check", "align", "--on", gold, "--strict")


def test_an_unknown_fault_of_a_users_measure_fails(run, gold, tmp_path):
    (tmp_path / "counts_entries.py").write_text(
        "def score(output, references):\n    return len(output) / len(references[0])\n",
        encoding="utf-8",
    )
    run("check", "counts_entries:score", "--on", gold, code=1)


def test_rows_hold_every_part_at_full_precision(run, gold):
    rows = run("check", "align", "--on", gold, "--shift", "2", "-f", "json").rows
    moved = {row["part"]: row["change"] for row in rows if row["test"] == "shift 2"}
    assert set(moved) == {"p", "r", "f"}
    assert moved["p"] == pytest.approx(moved["r"])


def test_articles_that_no_topic_has_are_refused(run, gold, tmp_path):
    empty = tmp_path / "articles"
    empty.mkdir()
    said = run("check", "--on", gold, "--articles", empty, code=3)
    assert "no articles.jsonl for any topic" in said.err


def test_a_matrix_says_which_measure_notices_what(run, gold, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    printed = run("check", "align+", "dates", "--on", gold, "--damage", "all").out
    assert "What each measure notices" in printed
    assert max(map(len, printed.splitlines())) <= 80
    rows = run("check", "align+", "--on", gold, "--damage", "year,order", "-f", "json").rows
    assert [(row["damage"], row["verdict"]) for row in rows] == [
        ("year", "notices"),
        ("order", "accepts"),
        ("sensitivity", "1 of 1"),
        ("invariance", "1 of 1"),
    ]


@pytest.mark.slow
def test_a_matrix_is_a_page_and_a_picture(run, gold, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "matrix.svg"
    words = ("--damage", "year", "--damage", "order", "-f", "html", "-o", page, "--plot", picture)
    run("check", "align+", "dates", "--on", gold, *words)
    assert "Which measure notices what" in page.read_text(encoding="utf-8")
    assert picture.stat().st_size > 1000


def test_what_a_users_measure_does_not_notice_fails(run, gold, tmp_path):
    (tmp_path / "counts_days.py").write_text(
        "def score(output, references):\n    return len(output) / len(references[0])\n",
        encoding="utf-8",
    )
    run("check", "counts_days:score", "--on", gold, "--damage", "year", code=1)
    run("check", "counts_days:score", "--on", gold, "--damage", "truncated,order")
    run("check", "dates", "--on", gold, "--damage", "repeated")
    run("check", "dates", "--on", gold, "--damage", "repeated", "--strict", code=1)


def test_a_share_without_damage_is_refused(run, gold):
    said = run("check", "--on", gold, "--share", "0.2", code=2)
    assert "are for --damage" in said.err


def entries_of(file):
    return [entry["sentences"] for entry in json.loads(file.read_text("utf-8"))["timeline"]]


def judge_by_text(folder, path):
    """A judge that supports the entries of the unaltered timelines, word for word."""
    rows = []
    for file in sorted(folder.rglob("*.jsonl")):
        known = entries_of(folder / "unaltered" / file.name)
        for number, entry in enumerate(entries_of(file), 1):
            place = {"topic": file.stem, "system": file.parent.name}
            name = f"{file.parent.name}-{number}"
            label = {"label": "support" if entry in known else "none", "author": "judge"}
            rows.append({"kind": "nugget", **place, "id": name})
            rows.append({"kind": "assignment", **place, "nugget": name, **label})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_a_judge_stands_beside_measures_in_the_matrix(run, gold, tmp_path):
    folder, judged = tmp_path / "copies", tmp_path / "judged.jsonl"
    damage = ("--on", gold, "--damage", "negation,year,order")
    assert "written to" in run("check", *damage, "--copies", folder).err
    assert {one.name for one in folder.iterdir()} == {"unaltered", "negation", "year", "order"}
    judge_by_text(folder, judged)
    words = ("nuggets.all_strict", "align+", *damage, "--judged", judged, "-f", "json")
    rows = run("check", *words, code=1).rows
    verdicts = {
        row["damage"]: row["verdict"] for row in rows if row["measure"] == "nuggets.all_strict"
    }
    assert verdicts["negation"] == "notices"
    assert verdicts["year"] == "does not notice"
    assert verdicts["order"] == "accepts"
    (change,) = (
        row["change"]
        for row in rows
        if (row["measure"], row["damage"]) == ("nuggets.all_strict", "negation")
    )
    before, after = (
        entries_of(folder / name / "spill.jsonl") for name in ("unaltered", "negation")
    )
    kept = [one == other for one, other in zip(before, after, strict=True)]
    assert change == pytest.approx(sum(kept) / len(kept) - 1)


def test_judged_measures_stand_in_the_column_of_their_name(run, gold, tmp_path):
    folder, judged = tmp_path / "copies", tmp_path / "judged.jsonl"
    damage = ("--on", gold, "--damage", "negation")
    run("check", *damage, "--copies", folder)
    judge_by_text(folder, judged)
    shown = run("check", "nuggets.all_strict", "align+", *damage, "--judged", judged).out
    assert re.search(r"nuggets.all_strict +align\+", shown)
    judged_change, change = re.search(r"negation +harm +(\S+) +(\S+)", shown).groups()
    assert (judged_change, change) == ("-0.667", "0.000")


def test_a_measure_that_is_named_twice_is_checked_once(run, gold):
    damage = ("--on", gold, "--damage", "negation,order")
    assert run("check", "align+", "align+", *damage).out == run("check", "align+", *damage).out


def careful(_number, body):
    """Supports an entry that the evidence has word for word on the same day."""
    return Said(json.dumps({"answers": [_held_against(one) for one in data_of(body)["items"]]}))


def _held_against(item):
    same = [
        one["id"]
        for one in item["evidence"]
        if (one["text"], one["date"]) == (item["text"], item["date"])
    ]
    return {"id": item["id"], "label": "support" if same else "none", "evidence": same}


def blind(_number, body):
    """Supports everything."""
    rows = [{"id": one["id"], "label": "support", "evidence": []} for one in data_of(body)["items"]]
    return Said(json.dumps({"answers": rows}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("judge", "noticed", "verdicts"),
    [
        (careful, {"negation", "roles", "year", "late"}, {"synonyms": "punishes the harmless"}),
        # A year off there is no evidence, so that nobody is asked.
        (blind, {"year"}, {"synonyms": "accepts"}),
    ],
)
def test_the_matrix_says_what_a_judge_of_copies_notices(run, tmp_path, judge, noticed, verdicts):
    """From the copies through `judge facts` to the matrix, with a judge of known rules."""
    (tmp_path / "spill.txt").write_text(
        "2010-04-20\nThe explosion injured Adams.\n----\n2010-04-22\nAdams blamed Cooper.\n----\n"
    )
    damage = ("--on", "spill.txt", "--share", "1", "--damage")
    damage = (*damage, "negation,roles,year,late,truncated,synonyms,order")
    told = [("2010-04-20", "The explosion injured Adams."), ("2010-04-22", "Adams blamed Cooper.")]
    write_lines(
        tmp_path / "corpus" / "spill" / "articles.jsonl",
        [{"id": day, "time": day, "sentences": [text]} for day, text in told],
    )
    run("check", *damage, "--copies", "copies")
    copies = sorted(one.name for one in (tmp_path / "copies").iterdir())
    with serving(judge) as server:
        asked = ("--endpoint", server.url, "--model", "m", "-o", "judged.jsonl")
        run("judge", "facts", *(f"copies/{one}" for one in copies), "--documents", "corpus", *asked)
    words = ("nuggets.all_strict", *damage, "--judged", "judged.jsonl", "-f", "json")
    rows = run("check", *words, code=1).rows
    found = {row["damage"]: row["verdict"] for row in rows}
    harm = {row["damage"] for row in rows if not row["harmless"]} - {"sensitivity"}
    assert {one for one in harm if found[one] == "notices"} == noticed
    assert {one for one in harm if found[one] == "does not notice"} == harm - noticed
    assert found["order"] == "accepts"
    assert found | verdicts == found
    shares = {row["damage"]: row["verdict"] for row in rows if row["damage"].startswith("s")}
    assert shares["sensitivity"] == f"{len(noticed)} of {len(harm)}"


def test_what_judges_need_is_said(run, gold, tmp_path):
    damage = ("--on", gold, "--damage", "year")
    judged = tmp_path / "judged.jsonl"
    judged.write_text('{"kind": "nugget", "topic": "a", "id": "1"}\n', encoding="utf-8")
    assert "needs --judged" in run("check", "nuggets", *damage, code=2).err
    assert "add 'nuggets" in run("check", "align", *damage, "--judged", judged, code=2).err
    said = run("check", "nuggets", *damage, "--judged", judged, code=3).err
    assert "no run 'unaltered'" in said
    assert "--damage all" in run("check", "--on", gold, "--judged", judged, code=2).err
    assert "--damage all" in run("check", "--on", gold, "--copies", tmp_path / "c", code=2).err
    assert "is there already" in run("check", *damage, "--copies", tmp_path, code=3).err
