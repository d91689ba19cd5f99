"""What newcomers type by mistake: a sentence that names what was found and what to type."""

import os
from pathlib import Path

import pytest

from chronoscore.demo import copy_demo_corpus

GOLD = "corpus/dam/timelines/ines.txt"
MINE = "runs/careful/timelines"
R = "--reference corpus"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, copied once."""
    folder = tmp_path_factory.mktemp("slips") / "demo"
    copy_demo_corpus(folder)
    return folder


@pytest.fixture
def demo(copied: Path, tmp_path: Path, run):
    """Commands run in a folder with the demo."""
    for name in ("corpus", "runs", "ratings.csv"):
        (tmp_path / name).symlink_to(copied / name)
    return run


@pytest.mark.parametrize(
    ("line", "code", "advice"),
    [
        ("score runs --reference corpus", 3, "score each as one: runs/*"),
        (f"score {MINE} corpus", 3, "if this is one, give it as --reference"),
        (f"score corpus --reference {MINE}", 3, "if corpus holds references, give it as"),
        (f"score {MINE}/dam.txt --judgements corpus/dam/judgements.jsonl", 3, "is no ranking"),
        (f"score {MINE} --judgements corpus", 3, "are scored against --reference"),
        (f"score {MINE} {R}/dam", 3, "the reference is of one topic, 'dam'"),
        (f"score {MINE} {R} -m rouge1,align+", 2, "--measure rouge1 --measure align+"),
        (f"score {MINE} {R} -m 'align+; dates'", 2, "names 2 measures"),
        (f"score {MINE} {R} -m rouge2 -m align+", 2, "'concat(n=2)' --measure align+"),
        (f"score {MINE} {R} -m rouge-l -m dates", 2, "'concat(over=l)'"),
        (f"score {MINE} {R} -m rouge-w -m dates", 2, "ROUGE of a whole timeline is concat"),
        (f"score {MINE} -reference corpus", 2, "'-reference' has one dash; write --reference"),
        (f"score {MINE} {R} -m align+ dates", 3, "write -m dates"),
        (f"score {MINE},runs/lead/timelines --reference corpus", 3, f"blanks: {MINE} runs/lead"),
        ("score 'runs\\careful\\timelines' --reference corpus", 3, f"write {MINE}"),
        ("score runs/carefull --reference corpus", 3, "did you mean 'runs/careful'?"),
        (f"explain {MINE} runs/lead/timelines {R}", 2, "name one of them"),
        (f"score {MINE} {R} -o s.png", 2, "write --plot s.png"),
        (f"score {MINE} {R} -o s.xlsx", 2, "end the name in .csv"),
        (f"report {MINE} {R} -o r.pdf", 2, "end its name in .html"),
        (f"score {MINE} {R} -f csv -o s.tex", 2, "change the ending"),
        ("correlate ratings.csv --ratings ratings.csv", 3, "the file has human, rating"),
    ],
)  # fmt: skip
def test_a_slip_is_answered_by_what_to_type(demo, line: str, code: int, advice: str) -> None:
    assert advice in demo(line, code=code).err


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        (f"score {GOLD} --reference {GOLD}", "is both a system and a reference"),
        (f"score {MINE}/dam.txt --reference ratings.csv", "the references are read as plain texts"),
        (f"score {MINE}/dam.txt --reference {GOLD} -m rouge1", "is for texts; concat is ROUGE"),
    ],
)  # fmt: skip
def test_a_doubtful_comparison_is_scored_with_a_warning(demo, line: str, warning: str) -> None:
    assert warning in demo(line).err


def test_a_threshold_out_of_reach_is_said_to_be_one(demo) -> None:
    said = demo(f"score {MINE} {R} -m dates.f --fail-under 30", code=1).err
    assert said.endswith("under 30, which it cannot reach: the most is 1\n")


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        (f"score {MINE} {R} -f markdown", "chronoscore: invalid value", "did you mean 'md'?\n"),
        (f"score {MINE} {R} -f TEX", "chronoscore: invalid value", "did you mean 'latex'?\n"),
        (f"score {MINE} {R} -f jsno", "chronoscore: invalid value", "did you mean 'json'?\n"),
        (
            f"score {MINE} {R} -f pdf",
            "chronoscore: invalid value",
            "see chronoscore score --help\n",
        ),
        ("list systems", "chronoscore: 'systems' is", "type chronoscore summarize --list\n"),
    ],
)
def test_a_word_that_is_no_choice_is_answered_by_what_was_meant(demo, line, start, end) -> None:
    said = demo(line, code=2).err
    assert said.startswith(start)
    assert said.endswith(end)


@pytest.mark.parametrize("ending", ["csv", "html", "tex", "md", "json", "jsonl"])
def test_the_ending_of_o_names_the_format_in_every_command(demo, tmp_path: Path, ending: str):
    systems = f"{MINE} runs/lead/timelines"
    lines = [f"score {systems} --reference corpus", f"compare {systems} --reference corpus"]
    lines += ["agree corpus/dam/judgements.jsonl", "check concat --on corpus/dam"]
    starts = {
        "csv": "",
        "html": "<!doctype html>",
        "tex": "% ",
        "md": "",
        "json": "[",
        "jsonl": "{",
    }
    for line in [f"{line} -m dates" if "--ref" in line else line for line in lines]:
        demo(f"{line} -o out.{ending}")
        text = (tmp_path / f"out.{ending}").read_text()
        assert text.lstrip().lower().startswith(starts[ending]), line
        assert ("|---" in text) == (ending == "md"), line


def test_wide_ratings_and_several_annotators_give_what_long_ones_give(run, tmp_path: Path) -> None:
    scores, long = ["system,topic,measure,value"], ["system,topic,rating,value"]
    wide = ["system,topic,annotator,good,short,comment"]
    for number, system in enumerate("abcde"):
        for topic in ("dam", "theft"):
            value = number + len(topic)
            scores.append(f"{system},{topic},m,{(number * 3) % 5 + len(topic)}")
            long += [f"{system},{topic},good,{value}", f"{system},{topic},short,{-number}"]
            wide.append(f"{system},{topic},1,{value - 1},{-number},fine")
            wide.append(f"{system},{topic},2,{value + 1},{-number},fine")
    for name, lines in {"s": scores, "long": long, "wide": wide}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    first = run("correlate s.csv --ratings long.csv -f json")
    second = run("correlate s.csv --ratings wide.csv -f json")
    assert first.rows == second.rows
    assert "the mean of 2 ratings is taken in 20 such cases" in second.err
    (tmp_path / "wide.csv").write_text("\n".join([*wide, "a,dam,1,much,2,fine"]))
    assert "'much' is not a number" in run("correlate s.csv --ratings wide.csv", code=3).err


def test_two_systems_are_too_few_at_every_level_and_the_sentence_says_why(run, tmp_path: Path):
    rows = [f"{s},t{n},q,{(n * 7 + len(s)) % 5}" for s in ("a", "bb") for n in range(6)]
    (tmp_path / "r.csv").write_text("\n".join(["system,topic,rating,value", *rows]))
    (tmp_path / "s.csv").write_text("\n".join(["system,topic,measure,value", *rows]))
    said = run("correlate s.csv --ratings r.csv --by global", code=3).err
    assert "at every level, as a system's summaries are not independent" in said


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (f"score '' {R}", "SYSTEM"),
        (f"score {MINE} --reference ''", "--reference"),
        (f"score {MINE} {R} -o ''", "--output"),
        ("convert '' --to json", "INPUT"),
        ("workbench verify --database ''", "--database"),
        ("workbench backup ''", "PATH|URL"),
    ],
)
def test_an_empty_path_does_not_mean_the_working_folder(demo, line: str, what: str) -> None:
    said = demo(line, code=2)
    assert f"{what} is empty" in said.err.replace("SYSTEM...", "SYSTEM").replace(
        "INPUT...", "INPUT"
    )


def test_judgements_given_as_references_are_said_to_be_such(demo) -> None:
    said = demo(f"score {MINE}/dam.txt --reference corpus/ferry/judgements.jsonl", code=3)
    assert "holds judgements; give it as --judgements" in said.err
    assert "plain texts" not in said.err


@pytest.mark.parametrize("content", ["\n", " ", "\r\n\t\n"])
def test_a_blank_reference_is_empty_and_nothing_else(demo, tmp_path: Path, content: str) -> None:
    (tmp_path / "blank.txt").write_text(content)
    said = demo(f"score {MINE}/dam.txt --reference blank.txt", code=3)
    assert "blank.txt: is empty" in said.err
    assert "plain texts" not in said.err


def test_what_stands_in_place_of_a_folder_is_named(run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "file").touch()
    words = {"pipe": "is a pipe", "link": "is a link that leads nowhere", "file": "is a file",
             "/dev/null": "is a device"}  # fmt: skip
    for name, what in words.items():
        assert what in run(f"demo --copy {name}", code=3).err
