import json
from pathlib import Path
from typing import Any

import pytest

from chronoscore import demo
from chronoscore.core import Timeline
from chronoscore.errors import DataError
from chronoscore.formats.corpora import collections

RECORD: dict[str, Any] = {
    "id": "dam",
    "documents": [{"id": "a", "sentences": ["It rained.", "", "  The dam broke. "]}],
    "references": [["The dam broke."], ["A dam failed."]],
}


def written(folder: Path, *records: Any) -> Path:
    file = folder / "topics.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def test_sentences_keep_their_text_and_number(tmp_path: Path) -> None:
    (topic,) = collections.load(written(tmp_path, RECORD))
    assert [s.text for s in topic.documents[0].sentences] == RECORD["documents"][0]["sentences"]
    assert [summary.sentences for summary in topic.summaries] == [
        ("The dam broke.",),
        ("A dam failed.",),
    ]


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    found = collections.load(written(tmp_path, RECORD))
    collections.save(found, tmp_path / "again.jsonl")
    assert collections.load(tmp_path / "again.jsonl").topics == found.topics


def test_the_demo_has_a_topic_for_each_set_of_summaries() -> None:
    found = collections.load(demo.CORPUS)
    assert [topic.id for topic in found][:2] == ["dam-original", "dam-update"]
    assert all(topic.documents and len(topic.summaries) == 4 for topic in found)


def test_the_demo_has_timelines_with_articles() -> None:
    found = collections.load(demo.CORPUS, Timeline)
    assert len(found) == 12
    assert {t.id for t in found if len(t.timelines) == 3} == {"dam", "ferry"}
    assert all(len(t.timelines) == 2 for t in found if t.id not in ("dam", "ferry"))
    assert all(topic.documents for topic in found)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"references": []}, "there is no reference"),
        ({"documents": "none"}, "expected 'array'"),
        ({"documents": [{"id": "a"}]}, "has no 'text' or 'sentences'"),
        ({"documents": RECORD["documents"] * 2}, "duplicate document 'a'"),
        (
            {"documents": [{"id": "a", "time": "soon", "sentences": []}]},
            "document 'a'",
        ),
    ],
)
def test_a_record_that_is_no_topic_is_refused_with_its_line(
    change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    file = written(tmp_path, RECORD, {**RECORD, "id": "b", **change})
    with pytest.raises(DataError, match=said) as refused:
        collections.load(file)
    assert "topics.jsonl:2" in str(refused.value)


def test_a_topic_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="id 'dam' is a duplicate of"):
        collections.load(written(tmp_path, RECORD, RECORD))


def test_a_folder_without_articles_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dam" / "summaries").mkdir(parents=True)
    (tmp_path / "dam" / "summaries" / "a.txt").write_text("The dam broke.\n")
    with pytest.raises(DataError, match=r"there is no articles\.jsonl"):
        collections.load(tmp_path)


def test_a_folder_without_references_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dam").mkdir()
    with pytest.raises(DataError, match="no topic has a folder 'summaries'"):
        collections.load(tmp_path)


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file or directory"):
        collections.load(tmp_path / "none.jsonl")
