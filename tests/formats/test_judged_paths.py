"""Paths of a command: what they hold is told by looking, and files complete each other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chronoscore
from chronoscore.core import Run
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import judged_topics

DEMO = Path(chronoscore.__file__).parent / "demo"
DAM = DEMO / "corpus" / "dam"


def names(runs: list[Run]) -> list[str]:
    return [run.system for run in runs]


def test_judgements_and_units_of_a_topic_come_together() -> None:
    collection, _ = judged_topics.load([], [DAM / "judgements.jsonl", DAM / "units.jsonl"])
    topic = collection.topics["dam"]
    assert topic.judgements is not None
    assert topic.pyramid is not None
    assert topic.title == "The failure of the Corvane dam"


def test_a_folder_is_searched_for_both() -> None:
    collection, _ = judged_topics.load([], [DEMO / "corpus"])
    assert list(collection.topics) == ["dam", "ferry", "theft"]
    assert all(topic.judgements and topic.pyramid for topic in collection)


@pytest.mark.slow
def test_the_digest_of_judged_data_is_the_same_in_every_process() -> None:
    code = (
        "from pathlib import Path; from chronoscore.formats.corpora import judged_topics; "
        "from chronoscore.scoring.signature import digest_references; "
        f"print(digest_references(judged_topics.load([], [Path({str(DEMO / 'corpus')!r})])[0]))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_the_same_judgements_twice_are_refused() -> None:
    with pytest.raises(DataError, match="topic 'dam' has judgements already"):
        judged_topics.load([], [DAM / "judgements.jsonl", DAM / "judgements.jsonl"])


def test_a_run_is_named_by_its_file_or_where_that_says_nothing_by_its_folder(
    tmp_path: Path,
) -> None:
    source = DEMO / "runs" / "lead" / "rankings.jsonl"
    shutil.copy(source, tmp_path / "mine.jsonl")
    _, runs = judged_topics.load([source, tmp_path / "mine.jsonl", DEMO / "runs" / "late"], [DAM])
    assert names(runs) == ["lead", "mine", "late"]


def test_a_system_may_not_answer_twice() -> None:
    source = DEMO / "runs" / "lead" / "rankings.jsonl"
    with pytest.raises(DataError, match="'lead' has an output for topic 'dam' already"):
        judged_topics.load([source, source], [DAM])


@pytest.mark.parametrize("name", ["notes.txt", "nothing"])
def test_what_holds_no_judgements_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if path.suffix:
        path.write_text("hello\n", encoding="utf-8")
    else:
        path.mkdir()
    with pytest.raises(DataError, match="holds no judgements"):
        judged_topics.load([], [path])


def test_an_empty_folder_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no ranking"):
        judged_topics.load([tmp_path], [DAM])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
@pytest.mark.parametrize(
    ("folder", "topics"),
    [
        ("trec-ts-2014", 15),
        ("crisisfacts-2022", 55),
        ("meantime", 4),
        ("semeval2015-timelines", 39),
    ],
)
def test_the_directory_of_each_task_is_known(folder: str, topics: int, data: Path) -> None:
    collection, _ = judged_topics.load([], [data / folder])
    assert len(collection) == topics


def ranking(path: Path, *topics: str) -> Path:
    row = '{{"topic": "{0}", "sentence": "{0}-a01-s01", "score": 1, "time": "2031-03-01"}}\n'
    path.write_text("".join(row.format(topic) for topic in topics))
    return path


def test_topics_of_the_corpus_that_nobody_judged_are_left_out_with_a_note(tmp_path: Path) -> None:
    mine = ranking(tmp_path / "mine.jsonl", "bank", "dam", "zoo")
    with pytest.warns(ChronoscoreWarning, match="2 of 3 topics are not judged, 'bank' first"):
        _, (run,) = judged_topics.load([mine], [DEMO / "corpus"])
    assert list(run.outputs) == ["dam"]


def test_a_topic_that_is_not_in_the_corpus_is_kept_to_be_refused(tmp_path: Path) -> None:
    mine = ranking(tmp_path / "mine.jsonl", "dam", "damm")
    _, (run,) = judged_topics.load([mine], [DEMO / "corpus"])
    assert list(run.outputs) == ["dam", "damm"]


def test_a_run_on_unjudged_topics_only_is_refused(tmp_path: Path) -> None:
    mine = ranking(tmp_path / "mine.jsonl", "bank", "zoo")
    with pytest.raises(DataError, match=r"all its topics are not judged \('bank' first\)"):
        judged_topics.load([mine], [DEMO / "corpus"])
