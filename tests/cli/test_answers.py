"""Answers of models scored from the command line."""

import pytest

from chronoscore.demo import CORPUS, RUNS

ANSWER = "Here you are:\n\n- **2031-03-12**: The dam broke.\n- **2031-03-14**: All fled.\n"


@pytest.fixture
def answers(tmp_path):
    for folder in ("run", "gold"):
        (tmp_path / folder).mkdir()
        for topic in ("a", "b", "c"):
            (tmp_path / folder / f"{topic}.md").write_text(ANSWER.replace("Here you are:", "Hi!"))
    (tmp_path / "run" / "b.md").write_text("I'm sorry, but I can't help with that.")
    return tmp_path


def test_one_refusal_among_answers_is_counted_and_the_exit_code_is_0(run, answers):
    said = run("score", "run", "-r", "gold", "-f", "md")
    assert "1 of 3 answers unreadable: refused 1" in said.out
    assert "align+.f" in said.out
    assert "1 of 3 answers unreadable: refused 1; they count as empty; the first:" in said.err
    run("score", "run", "-r", "gold", "--on-error", "stop", code=3)
    assert "|unreadable:1 skipped" in run("score", "run", "-r", "gold", "--on-error", "skip").out


def test_warnings_of_one_kind_are_one_line_unless_all_are_asked_for(run, answers):
    short = run("score", "run", "-r", "gold", "-m", "dates").err
    assert short.count("'Hi!' is dropped") == 1
    assert "(5 dropped in 5 files)" in short
    assert run("score", "run", "-r", "gold", "-m", "dates", "-v").err.count("is dropped") == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "0.95"], "--level 0.95: is in percent; write 95"),
        (["--rows", "averages"], "--rows averages is for -f json, jsonl or csv"),
        (["--encoding", "utf-9"], "unknown encoding 'utf-9'"),
        (["-m", "align+(n=1,n=2)"], "measure 'align+' has 'n' twice; write it once"),
    ],
)
def test_what_would_be_ignored_or_mean_something_else_is_refused(run, answers, options, message):
    assert message in run("score", "run", "-r", "gold", *options, code=2).err


def test_a_function_gets_timelines_where_the_files_hold_them(run, answers):
    (answers / "own_measures.py").write_text(
        "def entries(output, references):\n    return len(output.entries)\n\n"
        "def broken(output, references):\n    return 1 / 0\n"
    )
    said = run("score", "gold", "-r", "gold", "-m", "own_measures:entries", "-f", "csv")
    assert "gold,a,own_measures:entries,value,2.0" in said.out
    failed = run("score", "gold", "-r", "gold", "-m", "own_measures:broken", code=2)
    assert "topic 'a': the function raised ZeroDivisionError" in failed.err


def test_rankings_are_explained_by_events_and_by_units(run):
    ranking, corpus = str(RUNS / "lead" / "rankings.jsonl"), str(CORPUS)
    events = run("explain", ranking, "--judgements", corpus, "-m", "nu@5", "-t", "dam").out
    assert "events mentioned" in events
    units = run("explain", ranking, "--units", corpus, "-m", "pyramid@5", "-t", "dam").out
    assert "heaviest units" in units
