import json
from pathlib import Path
from typing import Any

import pytest

from chronoscore import demo
from chronoscore.cli import main

TOPIC = {
    "id": "dam",
    "documents": [
        {"id": "a", "sentences": ["the dam broke at night", "nobody was hurt in the flood"]},
        {"id": "b", "sentences": ["the old dam above the town broke", "help arrived"]},
    ],
    "references": [["the old dam broke at night", "nobody was hurt"], ["the dam broke"]],
}


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    file = tmp_path / "topics.jsonl"
    file.write_text(json.dumps(TOPIC) + "\n" + json.dumps({**TOPIC, "id": "dam2"}) + "\n")
    return file


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("dam", "dam2"):
        (folder / f"{name}.txt").write_text("the dam broke at night\n")
    return folder


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def rows(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    assert run("oracle", *arguments, "-f", "json") == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("method", ["greedy", "exact", "exact-chop"])
def test_a_row_has_the_agreed_keys(
    method: str, topics: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = rows(capsys, topics, "-m", "rouge(n=1)", "--budget", "11w", "--method", method)
    assert [row["topic"] for row in found] == ["dam", "dam2"]
    for row in found:
        assert list(row) == ["topic", "method", "value", "bound", "gap", "sentences"]
        assert row["method"] == method
        assert 0 < row["value"] <= row["bound"] <= 1
        assert all(document in ("a", "b") for document, _ in row["sentences"])


def test_the_exact_choice_is_the_one_found_by_hand(
    topics: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = rows(capsys, topics, "-m", "rouge(n=1)", "--budget", "11w", "--method", "exact")[0]
    # Nine words and three; old is missing, and the dam broke is hit twice.
    assert row["sentences"] == [["a", 0], ["a", 1]]
    assert row["value"] == pytest.approx(11 / 12)
    assert row["gap"] == 0


def test_two_processes_give_the_same_rows_as_one(
    topics: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = (topics, "--budget", "40b", "--method", "exact", "--method", "greedy")
    assert rows(capsys, *told, "--jobs", "2") == rows(capsys, *told)


def test_the_written_run_scores_what_the_row_says(
    topics: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ("--budget", "11w", "--method", "exact-chop", "--write-run", tmp_path / "best")
    value = rows(capsys, topics, "-m", "rouge(n=2)", *told)[0]["value"]
    measure = "rouge(n=2,limit=11w).r"
    scoring = ("--reference", topics, "-m", measure, "-f", "json", "-q")
    assert run("score", tmp_path / "best", *scoring) == 0
    assert json.loads(capsys.readouterr().out)[0]["value"] == value


def test_timelines_are_chosen_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ("-m", "align+", "--per-date", "1", "--write-run", tmp_path / "best")
    found = rows(capsys, demo.CORPUS / "theft", *told)
    assert [row["reference"] for row in found] == ["jonty", "mirel"]
    for row in found:
        assert row["value"] <= row["bound"]
        assert len(row["dates"]) == len(row["sentences"]) == len(set(row["dates"]))
        assert (tmp_path / "best" / row["reference"] / "theft.txt").exists()


def test_a_hard_instance_has_the_optimum_of_its_graph(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, "hard", "--vertices", "20", "--n", "2")
    assert row["dominated"] == row["dominating"]
    assert row["value"] == pytest.approx(row["dominating"] / 20)
    assert row["budget"] == f"{9 * row['dominators']}w"


def test_a_written_hard_instance_can_be_solved_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hard.jsonl"
    (made,) = rows(capsys, "hard", "--vertices", "16", "--write", file)
    told = ("--budget", made["budget"], "--whole-references")
    assert rows(capsys, file, *told)[0]["value"] == made["value"]


def test_ceilings_stand_together_and_are_drawn(
    topics: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "ceilings.png"
    found = rows(capsys, "ceilings", topics, "--budget", "11w", "--plot", plot)
    assert len(found) == 4
    for row in found:
        assert row["human"] <= row["extractive"] <= row["any_text"] <= row["any_text_bound"]
    assert plot.stat().st_size > 5000


def test_frequencies_count_partial_matches(
    topics: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "words.svg"
    found = rows(capsys, "frequencies", topics, "--plot", plot, "--topic", "dam2")
    assert (found[0]["matches"], found[0]["partial_matches"]) == (9, 6)
    assert "dam2" in plot.read_text() or plot.stat().st_size > 5000


def test_a_table_is_for_people(topics: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("oracle", topics, "--budget", "11w") == 0
    assert "mean" in capsys.readouterr().out


def test_shares_of_the_ceiling_are_added_to_scores(
    topics: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ("--reference", topics, "-m", "rouge(n=1,limit=11w).r", "--ceiling")
    assert run("score", mine, *told, "-f", "json", "--rows", "all") == 0
    found = json.loads(capsys.readouterr().out)
    values = {row["part"]: row["value"] for row in found if row["topic"] == "dam"}
    assert set(values) == {"r", "r of extractive", "r of any text"}
    best = rows(capsys, topics, "--budget", "11w", "--method", "exact-chop")[0]["value"]
    assert values["r of extractive"] == pytest.approx(values["r"] / best)
    assert values["r of any text"] <= 1
    assert run("score", mine, *told) == 0
    assert "share of extractive" in capsys.readouterr().out


@pytest.mark.slow
def test_updates_have_the_ceiling_of_their_topics_documents(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measure = "rouge(n=1,limit=100w).r"
    told = ("--reference", demo.CORPUS, "--original", demo.CORPUS, "-m", measure, "--ceiling")
    updates = demo.RUNS / "careful" / "update"
    assert run("score", updates, *told, "-f", "json", "--rows", "all") == 0
    found = json.loads(capsys.readouterr().out)
    values = {row["part"]: row["value"] for row in found if row["topic"] == "dam"}
    asked = ("--budget", "100w", "--method", "exact-chop", "-m", "rouge(n=1)")
    best = {row["topic"]: row["value"] for row in rows(capsys, demo.CORPUS, *asked)}
    assert values["r of extractive"] == pytest.approx(values["r"] / best["dam-update"])


def test_two_sets_of_references_are_not_taken_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("score", demo.RUNS / "lead" / "update", "--reference", demo.CORPUS) == 3
    said = capsys.readouterr().err
    assert "summaries: holds folders (original, update), not references" in said
    assert "--original" in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--budget", "100"], 2, "'100' is not a length limit; write a number and its unit"),
        ([], 2, "there is no budget"),
        (["--budget", "1w"], 3, "no sentence fits into 1 words, the shortest has 2"),
        (["--budget", "9w", "-m", "rouge-l"], 2, "has no oracle of summaries"),
        (["--budget", "9w", "-m", "rouge(n=1)", "-m", "align"], 2, "give measures of summaries"),
        (["--budget", "9w", "--time-limit", "0"], 2, "time limit 0"),
        (["--budget", "9w", "--dates", "3"], 2, "only for timelines"),
        (["-m", "align"], 3, "holds no reference timelines"),
    ],
)
def test_a_wrong_call_is_answered_with_one_sentence(
    arguments: list[str],
    code: int,
    said: str,
    topics: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("oracle", topics, *arguments) == code
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"references": []}, "there is no reference"),
        ({"references": [["fire"]]}, "no sentence matches the references"),
        ({"documents": []}, "there is no sentence"),
    ],
)
def test_a_topic_that_cannot_be_used_is_refused(
    change: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps({**TOPIC, **change}))
    assert run("oracle", file, "--budget", "9w") == 3
    assert said in capsys.readouterr().err


def test_a_ceiling_without_a_limit_is_refused(
    topics: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("score", mine, "--reference", topics, "--ceiling") == 2
    assert "write a limit" in capsys.readouterr().err
