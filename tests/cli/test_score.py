"""`score` and `compare` as a user types them."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chronoscore.cli.streams import escape_json
from chronoscore.cli.talk import Warnings
from chronoscore.errors import ChronoscoreWarning


@pytest.fixture
def texts(tmp_path):
    """Two systems and two references, as files and as directories."""
    (tmp_path / "mine.txt").write_text("The dam broke at night.\nNobody was hurt.\n")
    (tmp_path / "yours.txt").write_text("A river rose.\n")
    (tmp_path / "gold1.txt").write_text("The old dam broke.\n")
    (tmp_path / "gold2.txt").write_text("At night the dam broke.\nMany fled.\n")
    for system in ("alpha", "beta"):
        (tmp_path / system).mkdir()
        for topic in ("bp", "iraq", "haiti"):
            (tmp_path / system / f"{topic}.txt").write_text(f"{system} saw {topic} on fire\n")
        (tmp_path / system / "iraq.txt").write_text(f"{system} saw iraq and left\n")
    for topic in ("bp", "iraq", "haiti"):
        folder = tmp_path / "gold" / topic
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(f"alpha saw {topic} burn\n")
        (folder / "b.txt").write_text(f"people saw {topic} on fire\n")
    return tmp_path


def test_single_files_are_one_topic_with_several_references(run, texts):
    found = run("score mine.txt yours.txt --reference gold1.txt gold2.txt -m rouge1 -f jsonl").rows
    assert {row["system"] for row in found} == {"mine", "yours"}
    assert {row["topic"] for row in found} == {"gold1"}
    recall = next(r["value"] for r in found if r["system"] == "mine" and r["part"] == "r")
    assert recall == pytest.approx((3 + 5) / (4 + 7))


def test_the_reference_option_may_be_repeated_or_come_first(run, texts):
    spread = run("score mine.txt --reference gold1.txt gold2.txt -m rouge1 -f jsonl")
    repeated = run("score mine.txt -r gold1.txt -r gold2.txt -m rouge1 -f jsonl")
    first = run("score -r gold1.txt -r gold2.txt mine.txt -m rouge1 -f jsonl")
    assert spread == repeated == first


def test_directories_are_systems_and_their_files_topics(run, texts):
    found = run("score alpha beta --reference gold -m rouge1 -f jsonl").rows
    assert len(found) == 2 * 3 * 3
    assert {row["topic"] for row in found} == {"bp", "iraq", "haiti"}


def test_a_system_file_meets_the_topic_of_its_name(run, texts):
    found = run("score alpha/bp.txt -r gold -m rouge1.f -f jsonl").rows
    assert [row["system"] for row in found] == ["alpha"] * len(found)


def test_records_hold_systems_and_references_together(run, tmp_path):
    lines = [
        {"id": "x", "system": "a b c", "references": ["a b", "c d"]},
        {"id": 7, "system": ["a b", "c"], "references": [["a", "b"], "c"]},
    ]
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = run("score data.jsonl -m rouge1.r -f jsonl").rows
    assert [(r["system"], r["topic"], r["value"]) for r in found] == [
        ("data", "x", 0.75),
        ("data", "7", 1.0),
    ]
    (tmp_path / "data.json").write_text(json.dumps(lines))
    assert run("score data.json -m rouge1.r -f jsonl").rows == found


def test_every_format_is_what_it_says(run, texts):
    call = "score alpha beta -r gold -m rouge1"
    as_csv = list(csv.DictReader(io.StringIO(run(f"{call} -f csv").out)))
    as_lines = run(f"{call} -f jsonl").rows
    assert run(f"{call} -f json").rows == as_lines
    assert [row["value"] for row in as_csv] == [str(row["value"]) for row in as_lines]
    assert run(f"{call} -f md").out.startswith("| system |")
    assert r"\begin{tabular}" in run(f"{call} -f latex").out
    assert run(f"{call} -f html").out.startswith("<!doctype html>")
    table = run(call).out
    assert "rouge(n=1).f" in table
    assert "95% interval over topics" in table
    assert "signature: rouge|" in table


def test_averages_can_be_had_as_rows(run, texts):
    (row,) = run("score alpha -r gold -m rouge1.f -f jsonl --rows averages").rows
    assert row["topic"] == ""
    assert row["low"] <= row["value"] <= row["high"]


def test_topics_that_are_all_alike_have_no_interval_and_the_table_says_so(run, texts):
    for topic in ("bp", "iraq", "haiti"):
        (texts / "alpha" / f"{topic}.txt").write_text(f"alpha saw {topic}\n")
    (row,) = run("score alpha -r gold -m rouge1.f -f jsonl --rows averages").rows
    assert (row["low"], row["high"], row["n"]) == (None, None, 3)
    table = run("score alpha -r gold -m rouge1.f").out
    assert "no interval where all topics have the same figure" in table
    assert "[low, high]" not in table


def test_the_output_file_is_written_whole(run, texts):
    (texts / "out").mkdir()
    assert run("score alpha -r gold -f csv -o out/scores.csv").out == ""
    assert (texts / "out" / "scores.csv").read_text().startswith("system,topic,measure,part,value")
    assert [p.name for p in (texts / "out").iterdir()] == ["scores.csv"]


def test_fail_under_sets_the_exit_code(run, texts):
    call = "score alpha -r gold -m rouge1.f"
    run(f"{call} --fail-under 0.1")
    (row,) = run(f"{call} -f jsonl --rows averages").rows
    short = run(f"{call} --fail-under 0.99", code=1)
    value = f"{row['value']:.4f}"
    assert short.err.strip() == f"chronoscore: alpha: rouge(n=1).f is {value}, under 0.99"


@pytest.mark.parametrize("order", ["-m rouge1.f -m rouge1", "-m rouge1 -m rouge1.f"])
def test_a_part_of_a_measure_that_is_named_whole_is_given_once(run, texts, order):
    rows = run(f"score alpha -r gold {order} -m rouge2.f -f jsonl --rows averages").rows
    found = [(row["measure"], row["part"]) for row in rows]
    assert found == [*(("rouge(n=1)", part) for part in "prf"), ("rouge(n=2)", "f")]


def test_a_threshold_names_its_measure_and_a_build_server_reads_the_outcome(run, texts):
    call = "score alpha beta -r gold -m rouge1 -m rouge2"
    done = run(f"{call} --fail-under rouge1.r=0 --fail-under rouge2.f=2 --junit t.xml", code=1)
    assert [line.split(" is ")[0] for line in done.err.splitlines()] == [
        "chronoscore: alpha: rouge(n=2).f",
        "chronoscore: beta: rouge(n=2).f",
    ]
    suite = ElementTree.parse(texts / "t.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["rouge(n=2).f"] * 2
    wrong = run(f"{call} --fail-under rouge3.f=0.1", code=2)
    assert "no figure 'rouge3.f' was scored" in wrong.err
    run(f"{call} --fail-under rouge1.f=high", code=2)


def test_humans_are_scored_against_the_other_humans(run, texts):
    found = run("score alpha -r gold -m rouge1.f --jackknife --humans -f jsonl").rows
    assert len({row["system"] for row in found}) == 3


def test_a_part_that_is_shown_with_its_measure_is_said_not_to_be_tested(run, texts):
    said = run("compare alpha beta -r gold -m rouge1 -m rouge1.p -m rouge2").err
    assert "'rouge(n=1).p' is given once, with 'rouge(n=1)', of which comparisons test f" in said
    assert "rouge(n=2)" not in said


def test_people_and_systems_that_meet_different_references_are_warned_of(run, texts):
    warned = "compares people with one reference fewer than systems; with --jackknife both"
    assert warned in run("score alpha -r gold -m rouge1.f --humans").err
    assert warned not in run("score alpha -r gold -m rouge1.f --humans --jackknife").err


def test_more_processes_change_nothing(run, texts):
    call = "score alpha beta -r gold -f jsonl"
    assert run(call).out == run(f"{call} --jobs 2").out


def test_compare_gives_tests_intervals_and_marks(run, texts):
    call = "compare alpha beta -r gold -m rouge1"
    (row,) = run(f"{call} -f json").rows
    assert (row["system"], row["other"], row["topics"]) == ("alpha", "beta", 3)
    assert row["exact"] is True
    assert row["p"] == row["adjusted"] == 0.25
    table = run(f"{call} --per-topic").out
    assert "a alpha" in table
    assert "alpha – beta" in table
    assert "by topic" in table


BAD = {
    "empty.txt": (b"\n", "empty.txt: is empty"),
    "binary.txt": (b"abc\x00def", "binary.txt:1: holds a NUL byte and looks binary"),
    "latin.txt": (b"plain\ncaf\xe9\n", "latin.txt:2: byte 0xe9 at offset 9 is not UTF-8"),
    "broken.txt.gz": (gzip.compress(b"text " * 99)[:-20], "broken.txt.gz: broken archive"),
    "broken.jsonl": (b'{"id": 1, "system": "a", "references": ["a"]}\n{oops\n', "jsonl:2: "),
    "nan.jsonl": (b'{"id": 1, "system": NaN, "references": ["a"]}\n', "nan.jsonl:1: "),
    "twice.jsonl": (
        b'{"id": 1, "system": "a", "references": ["a"]}\n' * 2,
        "twice.jsonl:2: id '1' is a duplicate of",
    ),
    "norefs.jsonl": (
        b'{"id": 1, "system": "a", "references": []}\n',
        "norefs.jsonl:1: the set of references is empty",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_one_sentence_and_exit_code_3(run, texts, name):
    content, sentence = BAD[name]
    (texts / name).write_bytes(content)
    line = {".jsonl": "score {}", ".gz": "score {} -r gold1.txt"}.get(
        Path(name).suffix, "score mine.txt -r {}"
    )
    done = run(line.format(name), "-o", "out.csv", code=3)
    assert done.err.count("\n") == 1
    assert sentence in done.err
    assert done.out == ""
    assert not (texts / "out.csv").exists()


@pytest.mark.parametrize(
    ("line", "code", "sentence"),
    [
        ("score alpha -r alpha/bp.txt", 3, "no such topic"),
        ("score mine.txt", 3, "there is no reference"),
        ("score empty -r gold", 3, "empty: the folder is empty"),
        ("scoer mine.txt", 2, "unknown command 'scoer'; did you mean 'score'?"),
        ("compare alpha -r gold", 2, "give at least two"),
    ],
)
def test_systems_and_references_that_do_not_fit_are_refused(run, texts, line, code, sentence):
    (texts / "empty").mkdir()
    assert sentence in run(line, code=code).err


@pytest.mark.slow
def test_the_demo_fits_one_screen_and_writes_a_report(run, tmp_path):
    done = run("demo -o out")
    lines = done.out.splitlines()
    path = tmp_path / "out" / "report.html"
    assert f"report  {path}" in lines
    assert len(lines) <= 40
    assert max(len(line) for line in lines if str(path) not in line) <= 100
    assert "careful is ahead of extract by 0.095 align+.f" in done.out
    assert "too few" not in done.out
    assert "no difference can be significant" not in done.out
    assert "Leaderboard" in path.read_text()


@pytest.mark.slow
def test_the_whole_demo_has_every_part_of_the_toolkit(run, tmp_path):
    done = run("demo -o out --all")
    for heading in (
        "Summaries:",
        "Streams:",
        "Updates:",
        "as shares of the ceilings",
        "Baselines:",
        "Agreement",
    ):
        assert heading in done.out
    assert "<svg" in (tmp_path / "out" / "everything.html").read_text()


def test_list_and_cite_speak(run):
    assert "rouge-su" in run("list").out
    assert "n=1" in run("list rouge").out
    assert "Nouveau-ROUGE" in run("cite").out


def test_a_dash_is_standard_input_and_output(run, texts, monkeypatch):
    def piped(content, line, code=0):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return run(line, code=code)

    given = (texts / "mine.txt").read_bytes()
    call = "-r gold1.txt -m rouge1 -f csv"
    expected = run(f"score mine.txt {call}").out.replace("mine", "stdin")
    assert piped(given, f"score - {call} -o -").out == expected
    record = b'{"id": "a", "system": "the dam broke", "references": ["the old dam broke"]}\n'
    for content in (record, record + record.replace(b'"a"', b'"b"')):
        piped(content, "score - -m rouge1")
    assert "standard input is empty" in piped(b" ", f"score - {call}", code=3).err
    assert "read once" in piped(given, "score - -r -", code=2).err


def test_asked_twice_to_be_quiet_it_hides_warnings_about_data(run, texts):
    call = "compare alpha beta -r gold -m rouge1"
    assert "smallest possible adjusted p" in run(f"{call} -q").err
    assert run(f"{call} -qq").err == ""


def test_shells_complete_the_names_of_measures():
    environment = {
        **os.environ,
        "COMP_WORDS": "chronoscore score -m align",
        "COMP_CWORD": "3",
        "_CHRONOSCORE_COMPLETE": "bash_complete",
    }
    command = [sys.executable, "-m", "chronoscore"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert {"plain,align+", "plain,align+m1", "plain,aligned"} <= set(done.stdout.split())


@pytest.mark.parametrize(("order", "day"), [("day", "2010-06-03"), ("month", "2010-03-06")])
def test_dates_in_figures_of_blocks_are_read_in_the_order_that_is_given(run, tmp_path, order, day):
    rule = "-" * 32
    (tmp_path / "mine.txt").write_text(f"03/06/2010\nThe dam broke.\n{rule}\n")
    (tmp_path / "gold.txt").write_text(f"{day}\nThe dam broke.\n{rule}\n")
    words = "score mine.txt -r gold.txt -m dates -f jsonl"
    refused = run(f"{words} --on-error stop", code=3).err
    assert "mine.txt:1: date '03/06/2010' does not tell day from month" in refused
    assert "--date-order" in refused
    found = run(f"{words} --date-order {order}").rows
    assert [row["value"] for row in found if row["part"] == "f"] == [1.0]


def test_the_file_itself_may_show_the_order_of_dates_in_figures(run, tmp_path):
    rule = "-" * 32
    text = f"25/06/2010\nRain.\n{rule}\n03/07/2010\nThe dam broke.\n05/07/2010\nAll fled.\n"
    (tmp_path / "mine.txt").write_text(text)
    days = ["2010-06-25", "2010-07-03", "2010-07-05"]
    (tmp_path / "gold.txt").write_text("".join(f"{day}\nRain.\n{rule}\n" for day in days))
    said = run("score mine.txt -r gold.txt -m dates -f jsonl")
    assert [row["value"] for row in said.rows if row["part"] == "f"] == [1.0]
    assert "no separator before 05/07/2010" in said.err


def test_blocks_with_dates_that_cannot_be_read_are_no_plain_texts(run, tmp_path):
    rule = "-" * 32
    for name in ("mine.txt", "gold.txt"):
        (tmp_path / name).write_text(f"03/06/2010\nThe dam broke.\n{rule}\n")
    refused = run("score mine.txt -r gold.txt", code=3).err
    assert "gold.txt:1: date '03/06/2010' does not tell day from month" in refused
    for name in ("mine.txt", "gold.txt"):
        (tmp_path / name).write_text(f"The dam broke on day 2.\n{rule}\nAll fled.\n")
    assert "rouge" in run("score mine.txt -r gold.txt").out


@pytest.fixture
def updates(tmp_path):
    """A corpus whose topics keep original and update references, and one system."""
    for part, text in (("original", "The dam held.\n"), ("update", "The dam broke at night.\n")):
        folder = tmp_path / "gold" / "dam" / "summaries" / part
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(text)
    (tmp_path / "mine" / "update").mkdir(parents=True)
    (tmp_path / "mine" / "update" / "dam.txt").write_text("The dam broke.\n")
    return tmp_path


def test_updates_without_a_measure_are_scored_as_texts(run, updates):
    usual = run("score mine --original gold -r gold -f jsonl").rows
    named = run("score mine --original gold -r gold -f jsonl -m rouge1 -m rouge2 -m rouge-l").rows
    values = [[(row["part"], row["value"]) for row in rows] for rows in (usual, named)]
    assert values[0] == values[1]
    (recall,) = [r["value"] for r in usual if r["measure"] == "rouge(n=1)" and r["part"] == "r"]
    assert recall == pytest.approx(3 / 5)


def test_timelines_without_a_measure_are_no_updates(run, updates):
    (updates / "gold/dam/summaries/update/a.txt").write_text(f"2010-06-03\nRain.\n{'-' * 32}\n")
    refused = run("score mine --original gold -r gold", code=2).err
    assert "--original is for update summaries; 'align+' does not score these" in refused


@pytest.mark.parametrize("more", ["--column system=system", "-o out.jsonl --resume"])
def test_broken_records_of_several_files_are_refused_for_what_they_are(run, tmp_path, more):
    row = json.dumps({"id": "1", "system": "a dam", "references": ["the dam"]})
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(f"{row}\n")
    refused = run(f"score a.jsonl b.jsonl --on-error skip {more}", code=2).err
    assert "--on-error skip with --column or --resume is for one file of records" in refused
    assert run(f"score a.jsonl --on-error skip {more}")
    assert run(f"score a.jsonl b.jsonl {more.replace('out', 'both')}")


@pytest.mark.parametrize(("verbose", "lines"), [(False, 2), (True, 3)])
def test_every_warning_of_a_kind_is_listed_if_asked_for(capsys, verbose, lines):
    kept = Warnings()
    kept.verbose = verbose
    for text, kind in (("a.txt: empty", "empty"), ("b.txt: empty", "empty"), ("c", "odd")):
        kept.show(ChronoscoreWarning(text, kind=kind), ChronoscoreWarning, "x.py", 1)
    kept.flush()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == lines
    assert ("(2 such warnings; -v lists them)" in said[0]) != verbose


@pytest.mark.parametrize(("encoding", "same"), [("utf-8", True), ("cp1252", False)])
def test_json_on_a_narrow_stream_is_escaped_and_means_the_same(monkeypatch, encoding, same):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    text = json.dumps({"text": "Überschwemmung in 東京 😀"}, ensure_ascii=False)
    written = escape_json(text)
    assert (written == text) == same
    written.encode(encoding)
    assert json.loads(written) == json.loads(text)


@pytest.mark.parametrize("form", ["table", "md", "latex", "html"])
def test_rows_cannot_be_chosen_for_tables(run, texts, form):
    call = f"score {texts / 'alpha'} --reference {texts / 'gold'} -m rouge1"
    said = run(f"{call} -f {form} --rows all", code=2).err
    assert "is for -f json, jsonl or csv" in said
