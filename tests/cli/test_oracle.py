import json
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.core import Summary
from chronoscore.formats.corpora import collections

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


@pytest.mark.parametrize("method", ["greedy", "exact", "exact-chop"])
def test_a_row_has_the_agreed_keys(run, method, topics):
    found = run("oracle -m rouge1 --budget 11w -f json", topics, "--method", method).rows
    assert [row["topic"] for row in found] == ["dam", "dam2"]
    for row in found:
        assert list(row) == ["topic", "method", "value", "bound", "gap", "sentences"]
        assert row["method"] == method
        assert 0 < row["value"] <= row["bound"] <= 1
        assert all(document in ("a", "b") for document, _ in row["sentences"])


def test_the_exact_choice_is_the_one_found_by_hand(run, topics):
    row = run("oracle -m rouge1 --budget 11w --method exact -f json", topics).rows[0]
    # Nine words and three; old is missing, and the dam broke is hit twice.
    assert row["sentences"] == [["a", 0], ["a", 1]]
    assert row["value"] == pytest.approx(11 / 12)
    assert row["gap"] == 0


def test_two_processes_give_the_same_rows_as_one(run, topics):
    told = ("oracle --budget 40b --method exact --method greedy -f json", topics)
    assert run(*told, "--jobs", "2").rows == run(*told).rows


def test_the_written_run_scores_what_the_row_says(run, topics, tmp_path):
    told = ("--budget", "11w", "--method", "exact-chop", "--write-run", tmp_path / "best")
    value = run("oracle", topics, "-m", "rouge(n=2)", *told, "-f", "json").rows[0]["value"]
    measure = "rouge(n=2,limit=11w).r"
    scoring = ("--reference", topics, "-m", measure, "-f", "json", "-q")
    assert run("score", tmp_path / "best", *scoring).rows[0]["value"] == value


def test_timelines_are_chosen_and_written(run, tmp_path):
    told = ("-m", "align+", "--per-date", "1", "--write-run", tmp_path / "best")
    found = run("oracle", demo.CORPUS / "theft", *told, "-f", "json").rows
    assert [row["reference"] for row in found] == ["jonty", "mirel"]
    for row in found:
        assert row["value"] <= row["bound"]
        assert len(row["dates"]) == len(row["sentences"]) == len(set(row["dates"]))
        assert (tmp_path / "best" / row["reference"] / "theft.txt").exists()


def test_a_hard_instance_has_the_optimum_of_its_graph(run):
    (row,) = run("oracle", "hard", "--vertices", "20", "--n", "2", "-f", "json").rows
    assert row["dominated"] == row["dominating"]
    assert row["value"] == pytest.approx(row["dominating"] / 20)
    assert row["budget"] == f"{9 * row['dominators']}w"


def test_a_written_hard_instance_can_be_solved_again(run, tmp_path):
    file = tmp_path / "hard.jsonl"
    (made,) = run("oracle", "hard", "--vertices", "16", "--write", file, "-f", "json").rows
    told = ("--budget", made["budget"], "--whole-references")
    assert run("oracle", file, *told, "-f", "json").rows[0]["value"] == made["value"]


def test_ceilings_stand_together_and_are_drawn(run, topics, tmp_path):
    plot = tmp_path / "ceilings.png"
    found = run("oracle", "ceilings", topics, "--budget", "11w", "--plot", plot, "-f", "json").rows
    assert len(found) == 4
    for row in found:
        assert row["human"] <= row["extractive"] <= row["any_text"] <= row["any_text_bound"]
    assert plot.stat().st_size > 5000


def test_frequencies_count_partial_matches(run, topics, tmp_path):
    plot = tmp_path / "words.svg"
    found = run("oracle frequencies --topic dam2 -f json", topics, "--plot", plot).rows
    assert (found[0]["matches"], found[0]["partial_matches"]) == (9, 6)
    assert "dam2" in plot.read_text() or plot.stat().st_size > 5000


def test_a_table_is_for_people(run, topics):
    assert "mean" in run("oracle", topics, "--budget", "11w").out


def test_shares_of_the_ceiling_are_added_to_scores(run, topics, mine):
    told = ("--reference", topics, "-m", "rouge(n=1,limit=11w).r", "--ceiling")
    found = run("score", mine, *told, "-f", "json", "--rows", "all").rows
    values = {row["part"]: row["value"] for row in found if row["topic"] == "dam"}
    assert set(values) == {"r", "r of extractive", "r of any text"}
    best = run("oracle --budget 11w --method exact-chop -f json", topics).rows[0]
    assert values["r of extractive"] == pytest.approx(values["r"] / best["value"])
    assert values["r of any text"] <= 1
    assert "share of extractive" in run("score", mine, *told).out


@pytest.mark.slow
def test_updates_have_the_ceiling_of_their_topics_documents(run):
    measure = "rouge(n=1,limit=30w).r"
    told = ("--reference", demo.CORPUS, "--original", demo.CORPUS, "-m", measure, "--ceiling")
    updates = demo.RUNS / "careful" / "update"
    found = run("score", updates, *told, "-f", "json", "--rows", "all").rows
    values = {row["part"]: row["value"] for row in found if row["topic"] == "dam"}
    update = collections.load(demo.CORPUS, Summary).topics["dam-update"]
    (best,) = cs.oracle(update, "rouge(n=1)", budget="30w", methods="exact-chop").rows()
    assert values["r of extractive"] == pytest.approx(values["r"] / float(best["value"]))


def test_two_sets_of_references_are_not_taken_for_one(run):
    told = ("--reference", demo.CORPUS, "-m", "rouge1")
    said = run("score", demo.RUNS / "lead" / "update", *told, code=3).err
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
        (["--budget", "9w", "--time-limit", "0"], 2, "--time-limit 0: write"),
        (["--budget", "9w", "--dates", "3"], 2, "only for timelines"),
        (["-m", "align"], 3, "holds no reference timelines"),
    ],
)
def test_a_wrong_call_is_answered_with_one_sentence(run, arguments, code, said, topics):
    told = run("oracle", topics, *arguments, code=code)
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
def test_a_topic_that_cannot_be_used_is_refused(run, change, said, tmp_path):
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps({**TOPIC, **change}))
    assert said in run("oracle", file, "--budget", "9w", code=3).err


def test_a_ceiling_may_have_the_systems_own_length(run, topics, mine):
    told = ("--reference", topics, "-m", "rouge(n=1).r", "-f", "json")
    found = run("score", mine, *told, "--ceiling", "own").rows
    values = {row["part"]: row["value"] for row in found if row["topic"] == "dam"}
    asked = ("--budget", "5w", "--whole-references", "--method", "exact-chop")
    best = run("oracle", topics, *asked, "-f", "json").rows[0]["value"]
    assert values["r of extractive"] == pytest.approx(values["r"] / best)


def test_a_ceiling_without_a_limit_is_as_long_as_the_longest_reference(run, topics, mine):
    # A file after --ceiling is a system, not a length.
    found = run("score", "--ceiling", mine, "-r", topics, "-m", "rouge(n=1).r", "-f", "json").rows
    values = {row["part"]: row["value"] for row in found if row["topic"] == "dam"}
    asked = ("--budget", "9w", "--whole-references", "--method", "exact-chop")
    best = run("oracle", topics, *asked, "-f", "json").rows[0]["value"]
    assert values["r of extractive"] == pytest.approx(values["r"] / best)


@pytest.mark.parametrize("rule", ["mean", "micro"])
def test_a_share_is_the_shown_score_over_the_shown_ceiling(run, rule, topics, mine):
    (mine / "dam2.txt").write_text("help arrived\n")
    told = ("--reference", topics, "-m", "rouge(n=1,limit=11w).r", "--ceiling")
    told = ("score", mine, *told, "--average", rule)
    lines = run(*told, "-f", "csv", "--rows", "all").out.splitlines()
    (line,) = (x for x in run(*told, "-f", "md").out.splitlines() if x.startswith("| mine"))
    score, extractive, *_ = (cell.strip() for cell in line.split("|")[2:-1])
    shown_score = float(score.split()[0])
    share, ceiling = extractive.split("% of ")
    assert float(share) / 100 == pytest.approx(shown_score / float(ceiling), abs=6e-4)
    assert any("r of extractive" in line for line in lines)


def test_timelines_with_several_references_have_a_ceiling(run, tmp_path):
    plot = tmp_path / "systems.png"
    lead = demo.RUNS / "lead" / "timelines"
    told = ("--reference", demo.CORPUS, "-m", "align", "--ceiling", "own", "--plot", plot)
    found = run("score", lead, *told, "-f", "json").rows
    shares = [row["value"] for row in found if row["part"] == "f of extractive"]
    # The system takes sentences of the articles, on their days.
    assert len(shares) == 12
    assert all(0 < share <= 1 for share in shares)
    assert plot.stat().st_size > 5000


@pytest.mark.parametrize("name", ["oracle", "score"])
def test_oracles_and_systems_are_drawn(run, name, topics, mine, tmp_path):
    plot = tmp_path / "plot.png"
    if name == "oracle":
        run("oracle", topics, "--budget", "11w", "--plot", plot)
    else:
        run("score", mine, "--reference", topics, "--ceiling", "--plot", plot)
    assert plot.stat().st_size > 5000


@pytest.mark.parametrize("command", ["", "ceilings", "frequencies"])
def test_a_collection_without_topics_is_refused(run, command, tmp_path):
    file = tmp_path / "none.json"
    file.write_text("[]")
    assert "holds no topic" in run(f"oracle {command} --budget 9w", file, code=3).err


def test_a_measure_without_a_ceiling_is_refused(run, topics, mine):
    said = run("score -m rouge-l --ceiling", mine, "--reference", topics, code=2)
    assert "none of the measures has one" in said.err
