"""Values in memory have the same shapes as files."""

from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import chronoscore as cs

RECORDS = [
    {"date": "2010-06-03", "text": "The dam broke."},
    {"date": "2010-06-05", "text": "The town was rebuilt."},
]
ANSWER = "Sure!\n\n- **June 3, 2010**: The dam broke.\n- **June 5, 2010**: The town was rebuilt.\n"
ONE_TIMELINE: dict[str, Any] = {
    "records": RECORDS,
    "records of other names": [{"zap": r["date"], "qux": r["text"]} for r in RECORDS],
    "records with dates": [
        {"zap": date.fromisoformat(r["date"]), "qux": r["text"]} for r in RECORDS
    ],
    "a frame": pd.DataFrame(RECORDS),
    "a frame with times": pd.DataFrame(
        {"at": pd.to_datetime([r["date"] for r in RECORDS]), "w": [r["text"] for r in RECORDS]}
    ),
    "an answer": ANSWER,
}


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
@pytest.mark.parametrize("value", ONE_TIMELINE.values(), ids=ONE_TIMELINE)
def test_a_timeline_by_itself_or_under_its_topic(value: Any) -> None:
    gold = {"dam": {row["date"]: row["text"] for row in RECORDS}}
    calls = [
        cs.score({"mine": {"dam": value}}, gold, "align+"),
        cs.score({"mine": value}, gold, "align+"),
        cs.score({"mine": {"dam": RECORDS}}, {"dam": value}, "align+"),
        cs.score({"mine": RECORDS}, value, "align+"),
        cs.score(value, value),
    ]
    assert [one.averages[2].value for one in calls] == [1.0] * 5


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_periods_are_months_quarters_and_weeks() -> None:
    periods = [pd.Period("2010-06", "M"), pd.Period("2011Q2", "Q"), pd.Period("2012-06-05", "W")]
    frame = pd.DataFrame({"when": periods, "what": ["One thing.", "Two things.", "A third one."]})
    gold = {"2010-06": "One thing.", "2011": "Two things.", "2012-06-04": "A third one."}
    assert cs.score({"m": {"a": frame}}, {"a": gold}, "dates").averages[2].value == 1.0
    by_date = dict.fromkeys(periods[:1], "One thing.")
    assert cs.score({"m": {"a": by_date}}, {"a": {"2010-06": "x"}}, "dates").averages[2].value == 1


def test_texts_of_several_lines_are_no_paths() -> None:
    found = cs.score("The dam broke.\nIt fell.", "The dam broke.\nIt fell.", "rouge1")
    assert found.averages[2].value == 1.0


ORIGINALS: list[Any] = [
    {"dam": "The dam broke."},
    pd.DataFrame({"topic": ["dam"], "text": ["The dam broke."]}),
]


@pytest.mark.parametrize("originals", ORIGINALS)
def test_originals_from_memory_are_those_of_files(originals: Any, tmp_path: Any) -> None:
    texts = {"A": "The dam broke.", "B": "The dam broke twice.", "mine": "The dam broke again."}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "dam.txt").write_text(text)
    from_files = cs.score(tmp_path / "mine", tmp_path / "B", "novelty", originals=tmp_path / "A")
    found = cs.score(
        {"mine": {"dam": texts["mine"]}}, {"dam": texts["B"]}, "novelty", originals=originals
    )
    values = [[one.value for one in result.averages] for result in (from_files, found)]
    assert values[0] == values[1]


def test_a_topic_without_its_original_is_named() -> None:
    with pytest.raises(cs.DataError, match="topic 'dam' has no original; add it to `originals`"):
        cs.score({"m": {"dam": "A."}}, {"dam": "B."}, "novelty", originals={"ferry": "C."})


@pytest.mark.parametrize("mark", ["- {}: {}", "* {} – {}", "**{}**: {}"])
def test_a_single_entry_is_a_text_and_no_path(mark: str) -> None:
    text = mark.format("3 May 2010", "The dam broke.")
    result = cs.score(text, text, measures=["dates", "align+"])
    assert [row["value"] for row in result.rows() if row["part"] == "f"] == [1.0, 1.0]


def test_a_file_whose_name_is_like_an_entry_stays_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "- 3 May 2010: dam"
    Path(name).write_text("- 4 May 2010: The dam broke.\n")
    result = cs.score(name, "- 4 May 2010: The dam broke.", measures=["dates"])
    assert [row["value"] for row in result.rows() if row["part"] == "f"] == [1.0]


def test_a_named_index_of_a_frame_tells_systems_and_topics_apart() -> None:
    columns = ["system", "topic", "date", "text"]
    told = [("a", "dam", "2031-03-03", "It broke."), ("b", "dam", "2031-03-09", "Help came.")]
    frame = pd.DataFrame(told, columns=columns)
    gold = {"dam": {"2031-03-03": "It broke."}}

    def figures(systems: object) -> dict[str, float]:
        return {one.system: one.value for one in cs.score(systems, gold, "align+.p").averages}

    for index in (["system", "topic"], "system", "topic", ["topic", "date"]):
        assert figures(frame.set_index(index)) == {"a": 1.0, "b": 0.0}
    with pytest.raises(cs.DataError, match="column 'topic' is missing"):
        figures(frame.drop(columns="topic"))
    with pytest.warns(match="system 'a', topic 'dam': has 2 repeated rows; drop what"):
        assert figures(pd.concat([frame[:1]] * 3)) == {"a": pytest.approx(1 / 3)}
