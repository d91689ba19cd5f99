"""`judge next`, and what `score --ppi --drawn` makes of it, as a user types them."""

import json
import random

import numpy as np
import pytest

from data_files import write_judgements, write_lines
from machine_files import POWERED, assign, nugget_rows, rows_of

TOPICS = [f"t{n}" for n in range(8)]


@pytest.fixture
def nuggets(tmp_path, monkeypatch):
    """What people would say of all nuggets, and a machine with how sure it is."""
    monkeypatch.chdir(tmp_path)
    people = nugget_rows(TOPICS, systems=("a", "b"), authors=("ann",), error=0)
    draw = random.Random(4)
    machine = []
    for row in people:
        told = dict(row)
        if row["kind"] == "assignment":
            sure = draw.choice([55, 75, 99])
            told |= {"author": "bot", "confidence": sure}
            if draw.random() * 100 > sure:
                told["label"] = draw.choice(["none", "partial", "support"])
        machine.append(told)
    write_lines(tmp_path / "all.jsonl", people)
    write_lines(tmp_path / "machine.jsonl", machine)
    return people


def judge(people, tmp_path, leave_out=0):
    """What people say of the items that a list names."""
    rows = [json.loads(line) for line in (tmp_path / "next.jsonl").read_text().splitlines()]
    wanted = {(r["topic"], r["system"], r["item"]) for r in rows if r["kind"] == "draw"}
    told = [r for r in people if r["kind"] == "assignment"]
    told = [r for r in told if (r["topic"], r["system"], r["nugget"]) in wanted]
    known = [r for r in people if r["kind"] == "nugget"]
    write_lines(tmp_path / "people.jsonl", [*known, *told[leave_out:]])
    return rows


SCORE = ("score", "people.jsonl", "--judgements", "all.jsonl", "--machine", "machine.jsonl",
         "--ppi", "--drawn", "next.jsonl", "-m", "nuggets")  # fmt: skip


def test_what_the_machine_doubts_is_drawn_more_often_and_the_list_is_reproducible(
    run, nuggets, tmp_path
):
    said = run("judge", "next", "machine.jsonl", "--budget", "30", "-o", "next.jsonl")
    assert "30 of 80 nuggets of 8 topics; written to next.jsonl" in said.err
    first = (tmp_path / "next.jsonl").read_bytes()
    rows = judge(nuggets, tmp_path)
    assert rows[0]["settings"]["draw"] == {"budget": 30, "seed": 0, "floor": 0.2}
    sure = {
        (r["topic"], r["system"], r["nugget"]): r["confidence"]
        for r in map(json.loads, (tmp_path / "machine.jsonl").read_text().splitlines())
        if r["kind"] == "assignment"
    }
    by_confidence = {}
    for row in rows:
        if row["kind"] == "draw":
            key = sure[row["topic"], row["system"], row["item"]]
            by_confidence.setdefault(key, set()).add(round(row["probability"], 9))
            assert "label" not in row
    assert all(len(chances) == 1 for chances in by_confidence.values())
    assert max(by_confidence.get(99, {0})) < min(by_confidence[75]) < min(by_confidence[55])
    run("judge", "next", "machine.jsonl", "--budget", "30", "-o", "next.jsonl")
    assert (tmp_path / "next.jsonl").read_bytes() == first
    run("judge", "next", "machine.jsonl", "--budget", "30", "--seed", "1", "-o", "next.jsonl")
    assert (tmp_path / "next.jsonl").read_bytes() != first


def test_a_budget_of_all_items_gives_the_figure_of_people_alone(run, nuggets, tmp_path):
    run("judge", "next", "machine.jsonl", "--budget", "80", "-o", "next.jsonl")
    judge(nuggets, tmp_path)
    powered = rows_of(run(*SCORE, "-f", "jsonl"))
    plain = run("score", "people.jsonl", "--judgements", "all.jsonl", "-m", "nuggets",
                "-f", "jsonl", "--rows", "averages")  # fmt: skip
    expected = {(r["system"], r["part"]): r["value"] for r in rows_of(plain)}
    assert len(powered) == len(expected) > 2
    for row in powered:
        assert row["value"] == pytest.approx(expected[row["system"], row["part"]])
        assert (row["n"], row["further"]) == (8, 0)


@pytest.mark.slow
def test_figures_over_all_draws_come_to_what_people_would_say_of_everything(run, nuggets, tmp_path):
    plain = run("score", "all.jsonl", "--judgements", "all.jsonl", "-m", "nuggets.all_lenient",
                "-f", "jsonl", "--rows", "averages")  # fmt: skip
    truth = next(r["value"] for r in rows_of(plain) if r["system"] == "a")
    values = []
    for seed in range(16):
        run("judge", "next", "machine.jsonl", "--budget", "30", "--seed", str(seed), "-o",
            "next.jsonl")  # fmt: skip
        judge(nuggets, tmp_path)
        row = rows_of(run(*SCORE[:-1], "nuggets.all_lenient", "-f", "jsonl"))[0]
        assert row["low"] < row["value"] < row["high"]
        values.append(row["value"])
    assert abs(np.mean(values) - truth) < 4 * np.std(values) / len(values) ** 0.5


def test_what_was_drawn_and_skipped_blocks_the_figure(run, nuggets, tmp_path):
    run("judge", "next", "machine.jsonl", "--budget", "30", "-o", "next.jsonl")
    judge(nuggets, tmp_path, leave_out=2)
    said = run(*SCORE, code=3)
    assert "2 of 30 drawn nuggets are not judged by people" in said.err
    judge(nuggets, tmp_path)
    shown = run(*SCORE)
    assert "people judged 30 of 80 nuggets of 8 topics, drawn by `judge next`" in shown.out


def test_a_machine_that_judged_more_since_is_refused(run, nuggets, tmp_path):
    run("judge", "next", "machine.jsonl", "--budget", "30", "-o", "next.jsonl")
    judge(nuggets, tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "machine.jsonl").read_text().splitlines()]
    more = {**rows[0], "id": "n9"}
    write_lines(tmp_path / "all.jsonl", [*nuggets, more])
    added = [more, assign("t0", "a", "n9", "none", "bot")]
    write_lines(tmp_path / "machine.jsonl", [*rows, *added])
    said = run(*SCORE, code=3)
    assert "topic 't0', system 'a' had 5 nuggets" in said.err
    assert "has 6 now" in said.err


def test_lists_need_a_machine_powered_figures_and_means_over_items(run, nuggets, tmp_path):
    run("judge", "next", "machine.jsonl", "-o", "next.jsonl")
    judge(nuggets, tmp_path)
    said = run("score", "people.jsonl", "--drawn", "next.jsonl", code=2)
    assert "--drawn is for --ppi" in said.err
    said = run("judge", "next", "machine.jsonl", "--budget", "81", code=2)
    assert "there are 80 items" in said.err
    said = run(*SCORE[:-4], "--drawn", "machine.jsonl", "-m", "nuggets", code=3)
    assert "machine.jsonl" in said.err


def test_sentences_of_a_machine_without_confidence_are_drawn_alike(run, corpus_files, corpus):
    said = run("judge", "next", "machine.jsonl", "--budget", "100", "-o", "next.jsonl")
    assert "nothing says how sure the machine is" in said.err
    rows = [json.loads(line) for line in (corpus_files / "next.jsonl").read_text().splitlines()]
    drawn = {row["item"]: row["probability"] for row in rows if row["kind"] == "draw"}
    assert {round(p, 9) for p in drawn.values()} == {100 / 400}
    # People know the truth of all topics here, and judge no sentence but the drawn ones.
    kept = []
    for row in corpus.together:
        name = row["id"] if row["kind"] == "sentence" else row.get("sentence")
        if name is None or name in drawn:
            kept.append({**row, "marked_by": ["ann"]} if row["kind"] == "link" else row)
    write_judgements(corpus_files / "people.jsonl", kept)
    drawn_list = ("--drawn", "next.jsonl", "-m", "u.precision", "-f", "jsonl")
    found = rows_of(run("score", "s3.jsonl", *POWERED, *drawn_list))[0]
    assert (found["n"], found["further"]) == (20, 0)
    assert found["low"] < found["value"] < found["high"]
