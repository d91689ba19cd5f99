"""Every JSON that a command writes is read by a strict parser, undefined figures too."""

import json
from pathlib import Path

import pytest

from chronoscore import demo
from data_files import write_lines

ROWS = [
    {"kind": "header", "format": "chronoscore-judgements", "version": 1},
    {"kind": "topic", "id": "t"},
    {"kind": "topic", "id": "u"},
    *({"kind": "sentence", "id": t + s, "topic": t} for t in "tu" for s in "abc"),
    {"kind": "event", "id": "te", "topic": "t"},
    {"kind": "event", "id": "ue", "topic": "u"},
    {"kind": "link", "sentence": "ta", "event": "te"},
    {"kind": "link", "sentence": "ua", "event": "ue"},
]


def strictly(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def judged(tmp_path):
    """Two topics with an event each, and two rankings that never find it."""
    write_lines(tmp_path / "judged.jsonl", ROWS)
    for name, sentence in (("one", "b"), ("two", "c")):
        rows = [{"topic": t, "sentence": t + sentence, "score": 1} for t in "tu"]
        write_lines(tmp_path / f"{name}.jsonl", rows)
    return ("one.jsonl", "two.jsonl", "--judgements", "judged.jsonl")


@pytest.fixture
def texts(tmp_path):
    """Two systems that differ by the same amount on both topics."""
    for name, said in (("good", "the dam broke"), ("bad", "rain"), ("gold", "the dam broke")):
        for topic in ("t", "u"):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / f"{topic}.txt").write_text(said + "\n")
    return ("good", "bad", "--reference", "gold")


def test_undefined_figures_of_every_topic_and_average_are_null(run, judged):
    rows = strictly(run("score", *judged, "-m", "n", "--rows", "all", "-f", "json").out)
    undefined = [row for row in rows if row["value"] is None]
    assert {row["part"] for row in undefined} >= {"precision"}
    averages = [row for row in undefined if row["topic"] == ""]
    assert averages
    assert {(row["low"], row["high"], row["n"]) for row in averages} == {(None, None, 0)}


def test_a_comparison_of_undefined_figures_has_no_p(run, judged):
    words = ("compare", *judged, "-m", "n.precision")
    (row,) = strictly(run(*words, "-f", "json").out)
    for key in ("difference", "p", "adjusted", "low", "effect", "superiority"):
        assert row[key] is None
    assert not row["significant"]
    table = run(*words, "--per-topic").out
    assert "nan" not in table
    assert "–" in table


def test_a_constant_difference_has_no_effect_size(run, texts):
    (row,) = strictly(run("compare", *texts, "-m", "rouge1", "-f", "json").out)
    assert row["difference"] == 1
    assert row["effect"] is None
    lines = run("compare", *texts, "-m", "rouge1").out.splitlines()
    assert "–" in next(line for line in lines if "good – bad" in line).split("good – bad")[1]


def test_oracles_and_ceilings_without_documents_or_people_are_null(run, tmp_path):
    topic = {"id": "t", "documents": [], "references": [["the dam broke"]]}
    (tmp_path / "c.jsonl").write_text(json.dumps(topic) + "\n")
    words = ("oracle", "ceilings", "c.jsonl", "-m", "rouge1", "--budget", "5w", "-f", "json")
    (row,) = strictly(run(*words).out)
    assert row["human"] is None
    assert row["extractive"] is None


def test_agreement_that_cannot_be_computed_is_null(run, tmp_path):
    write_lines(tmp_path / "judged.jsonl", ROWS)
    rows = strictly(run("agree", "judged.jsonl", "-f", "json").out)
    assert any(row["value"] is None for row in rows)


def test_constant_scores_correlate_with_nothing(run, tmp_path):
    rows = [
        {"system": s, "topic": t, "measure": "m", "part": "ab" if n else "bb", "value": 0.5}
        for s in "abcdefgh"
        for t in "tu"
        for n in (0, 1)
    ]
    write_lines(tmp_path / "s.jsonl", rows)
    marks = "".join(f"{s},{t},r,{n}\n" for n, s in enumerate("abcdefgh") for t in "tu")
    (tmp_path / "r.csv").write_text("system,topic,rating,value\n" + marks)
    words = ("correlate", "s.jsonl", "--ratings", "r.csv", "-f", "json", "--resamples", "20")
    assert all(row["value"] is None for row in strictly(run(*words).out))
    tested = strictly(run(*words, "--test", "perm-systems", "--trials", "20").out)
    assert all(row["difference"] is None for row in tested)


def test_a_check_of_one_date_is_strict(run, tmp_path):
    (tmp_path / "g.txt").write_text("2031-03-02\nThe dam broke.\n----------------\n")
    words = ("check", "align", "dates", "--on", "g.txt", "-f", "json", "--shift", "1")
    assert strictly(run(*words).out)


def test_novelty_is_strict(run, tmp_path):
    root = Path(demo.__file__).parent
    runs = [str(path) for path in sorted(root.glob("runs/*/update"))]
    original = [str(path) for path in sorted(root.glob("corpus/*/summaries/original"))]
    update = [str(path) for path in sorted(root.glob("corpus/*/summaries/update"))]
    measure = "novelty(base=rouge(n=1),coefficients=none)"
    words = ("--original", *original, "--reference", *update, "-m", measure, "--humans")
    run("score", *runs, *words, "-f", "jsonl", "-o", "s.jsonl")
    told = strictly(run("novelty", "fit", "s.jsonl", str(root / "ratings.csv")).out)
    assert told["fits"]
    rows = run("novelty", "predict", "s.jsonl", "-c", "tac2008-r1", "-f", "json")
    assert strictly(rows.out)
