"""Folders of several runs of one system, told from folders of systems and of topics."""

import shutil

import pytest

from chronoscore import ChronoscoreWarning, DataError, ReadingRules, score
from chronoscore.formats.corpora.run_folders import are_numbered_runs

TOPICS = ("dam", "fire")


@pytest.mark.parametrize(
    "names",
    [
        ["run-1", "run-2"],
        ["run1", "run2", "run10"],
        ["seed-42", "seed-7"],
        ["gpt-4-sample-3", "gpt-4-sample-9"],
        ["1", "2", "3"],
        ["0", "1"],
        ["answers_01", "answers_02"],
        ["mine1", "mine2", "mine3"],
        ["Run 1", "Run 2"],
        ["run-1"],
    ],
)
def test_names_that_count_repetitions_are_runs(names):
    assert are_numbered_runs(names)


@pytest.mark.parametrize(
    "names",
    [
        ["gpt", "claude"],
        ["gpt-3", "gpt-4"],
        ["gpt-3.5", "gpt-4.5"],
        ["temp0.2", "temp0.7"],
        ["temp0.1", "temp0.2"],
        ["v1", "v2"],
        ["prompt-1", "prompt-2"],
        ["model1", "model2"],
        ["llama-7b", "llama-13b"],
        ["2019", "2020"],
        ["run-1", "baseline"],
        ["a1b1", "a2b2"],
        ["mine"],
        ["mine1"],
    ],
)
def test_names_that_may_be_systems_are_not_runs(names):
    assert not are_numbered_runs(names)


@pytest.fixture
def gold(tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    for topic in TOPICS:
        (folder / f"{topic}.txt").write_text("2031-03-12\nthe old dam broke at last\n----\n")
    return folder


def write(folder, words=3, topics=TOPICS):
    """A run that finds so many of the six words on its topics."""
    folder.mkdir(parents=True)
    text = " ".join(["the", "old", "dam", "broke", "at", "last"][-words:])
    for topic in topics:
        (folder / f"{topic}.txt").write_text(f"2031-03-12\n{text}\n----\n")


def recall(*systems, gold, **rules):
    """Recall by system, and the signature."""
    reading = ReadingRules(**rules) if rules else None
    return score(list(systems), gold, "agreement(stop=no).r", reading=reading)


def test_folders_of_runs_are_one_system_with_a_note(tmp_path, gold):
    for number, words in ((1, 3), (2, 6)):
        write(tmp_path / "mine" / f"run-{number}", words)
    with pytest.warns(ChronoscoreWarning, match="'run-1' and 'run-2' are taken as 2 runs of one"):
        result = recall(tmp_path / "mine", gold=gold)
    assert result.systems == ("mine",)
    assert result.averages[0].value == pytest.approx((3 / 6 + 6 / 6) / 2)
    assert "|runs:2" in result.signature


def test_other_names_are_refused_with_what_to_type(tmp_path, gold):
    for name in ("gpt", "claude"):
        write(tmp_path / "mine" / name)
    with pytest.raises(DataError, match=r"give .*mine/\*, or if they are runs .*folders=\"runs\""):
        recall(tmp_path / "mine", gold=gold)
    assert recall(tmp_path / "mine", gold=gold, folders="runs").systems == ("mine",)
    found = recall(tmp_path / "mine", gold=gold, folders="systems")
    assert found.systems == ("claude", "gpt")
    assert "runs:" not in found.signature


def test_parts_of_a_corpus_share_no_topic_and_are_no_runs(tmp_path, gold):
    write(tmp_path / "mine" / "1", topics=["dam"])
    write(tmp_path / "mine" / "2", topics=["fire"])
    with pytest.raises(DataError, match="holds folders"):
        recall(tmp_path / "mine", gold=gold)


@pytest.mark.filterwarnings("ignore:.*are taken as")
def test_a_topic_counts_by_the_runs_that_it_has(tmp_path, gold):
    write(tmp_path / "mine" / "run-1", 3)
    write(tmp_path / "mine" / "run-2", 6, topics=["dam"])
    with pytest.warns(ChronoscoreWarning, match="'mine/run-2': no output for 1 topic that other"):
        result = recall(tmp_path / "mine", gold=gold)
    by_topic = {row["topic"]: row["value"] for row in result.rows()}
    assert by_topic == pytest.approx({"dam": 0.75, "fire": 0.5})
    assert "|runs:1-2" in result.signature


@pytest.mark.filterwarnings("ignore:.*are taken as")
def test_a_topic_that_no_run_has_is_scored_as_empty(tmp_path, gold):
    for number in (1, 2):
        write(tmp_path / "mine" / f"run-{number}", 6, topics=["dam"])
    with pytest.warns(ChronoscoreWarning, match="'mine': no output for 1 of 2 topics, 'fire'"):
        result = recall(tmp_path / "mine", gold=gold)
    assert result.averages[0].value == pytest.approx(0.5)


def test_a_folder_for_each_topic_with_a_file_for_each_run_is_the_same(tmp_path, gold):
    for number, words in ((1, 3), (2, 6)):
        write(tmp_path / "mine" / f"run-{number}", words)
        for topic in TOPICS:
            target = tmp_path / "turned" / topic / f"{number}.txt"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tmp_path / "mine" / f"run-{number}" / f"{topic}.txt", target)
    with pytest.warns(ChronoscoreWarning, match="are taken as 2 runs"):
        mine = recall(tmp_path / "mine", gold=gold)
    with pytest.warns(ChronoscoreWarning, match="files '1' and '2' in its folders"):
        turned = recall(tmp_path / "turned", gold=gold)
    assert [row["value"] for row in turned.rows()] == [row["value"] for row in mine.rows()]


@pytest.mark.filterwarnings("ignore:.*are taken as")
def test_a_system_with_one_run_stands_beside_one_with_several(tmp_path, gold):
    write(tmp_path / "once", 6)
    for number in (1, 2, 3):
        write(tmp_path / "mine" / f"seed{number * 17}", number)
    result = recall(tmp_path / "once", tmp_path / "mine", gold=gold)
    assert [one.value for one in result.averages] == pytest.approx([1.0, 2 / 6])
    runs = [(row["system"], row["run"]) for row in result.rows("runs") if row["topic"] == "dam"]
    assert runs == [("once", ""), *(("mine", name) for name in ("seed17", "seed34", "seed51"))]


def test_files_beside_folders_of_runs_are_refused(tmp_path, gold):
    write(tmp_path / "mine" / "run-1")
    (tmp_path / "mine" / "dam.txt").write_text("2031-03-12\nx\n----\n")
    with pytest.raises(DataError, match=r"'dam\.txt'"):
        recall(tmp_path / "mine", gold=gold, folders="runs")


def test_runs_of_two_systems_given_one_by_one_are_asked_for_together(tmp_path, gold):
    for system in "ab":
        write(tmp_path / system / "run-1")
    with pytest.raises(DataError, match="if they are runs, give the folders around them"):
        recall(tmp_path / "a" / "run-1", tmp_path / "b" / "run-1", gold=gold)
