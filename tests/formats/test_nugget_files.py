"""Nuggets and assignments as JSON Lines, and the scores that they give."""

from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.judgements import nugget_files
from chronoscore.formats.judgements.nugget_files import (
    AssignmentRow,
    NuggetAbstentionRow,
    NuggetRow,
)

NUGGETS = [
    NuggetRow("dam", "n1", "the dam broke"),
    NuggetRow("dam", "n2", "people fled", "okay"),
]
ASSIGNED = [
    AssignmentRow("dam", "mine", "n1", "partial", "anna"),
    AssignmentRow("dam", "mine", "n1", "support", "model x"),
    AssignmentRow("dam", "mine", "n2", "none", "anna"),
    AssignmentRow("dam", "yours", "n1", "support"),
    AssignmentRow("dam", "yours", "n2", "support"),
]


def test_nuggets_and_assignments_are_scored_from_one_file_or_two(tmp_path: Path) -> None:
    whole, nuggets, assigned = (tmp_path / f"{name}.jsonl" for name in ("all", "n", "a"))
    nugget_files.save([*NUGGETS, *ASSIGNED], whole)
    nugget_files.save(NUGGETS, nuggets)
    nugget_files.save(ASSIGNED, assigned)
    for systems, judged in ((whole, whole), (assigned, nuggets)):
        result = cs.score(systems, None, "nuggets", judgements=judged)
        assert result["mine", "nuggets.vital_strict"].value == pytest.approx(0.5)
        assert result["mine", "nuggets.all_lenient"].value == pytest.approx(0.75 / 2)
        assert result["yours", "nuggets.all_strict"].value == pytest.approx(1.0)


def test_a_file_without_a_header_is_known_by_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text('{"kind": "nugget", "topic": "dam", "id": "n1", "importance": "okay"}\n')
    assert nugget_files.is_nuggets(path)
    (topic,) = nugget_files.load(path).topics
    assert topic.judgements is not None
    assert topic.judgements.events[0].importance == 1.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"kind": "nugget", "topic": "dam", "id": "n1"}', "2: repeats line 1"),
        ('{"kind": "nugget", "topic": "dam", "id": "n3", "importance": "high"}', "2: invalid enum"),
        (
            '{"kind":"assignment","topic":"dam","system":"m","nugget":"n9","label":"none"}',
            "2: topic 'dam' has no nugget 'n9'",
        ),
        ('{"kind": "header", "format": "other"}', "2: is other of version 1"),
        ("{", "2: input data was truncated"),
    ],
)
def test_each_refusal_names_its_line(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text(f'{{"kind": "nugget", "topic": "dam", "id": "n1"}}\n{line}\n')
    with pytest.raises(DataError, match=message):
        nugget_files.load(path)


def test_a_nugget_on_which_all_judges_abstain_is_left_out_and_not_a_zero(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    own = [
        AssignmentRow("dam", "mine", "n1", "support", "model"),
        NuggetAbstentionRow("dam", "mine", "n2", "model", "not JSON"),
        NuggetAbstentionRow("dam", "yours", "n1", "model"),
        AssignmentRow("dam", "yours", "n1", "none", "anna"),
        AssignmentRow("dam", "yours", "n2", "support", "anna"),
    ]
    nugget_files.save([*NUGGETS, *own], path)
    with pytest.warns(ChronoscoreWarning, match="2 abstentions"):
        result = cs.score(path, None, "nuggets", judgements=path)
    assert result["mine", "nuggets.all_strict"].value == 1.0
    assert result["yours", "nuggets.all_strict"].value == 0.5


def test_a_statement_of_one_system_counts_for_no_other(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    nugget_files.save(
        [
            NuggetRow("dam", "mine/1", "the dam broke", system="mine"),
            NuggetRow("dam", "mine/2", "it was blue", system="mine"),
            NuggetRow("dam", "yours/1", "people fled", system="yours"),
            AssignmentRow("dam", "mine", "mine/1", "support", "model", ("a1-s1",)),
            AssignmentRow("dam", "mine", "mine/2", "none", "model"),
            AssignmentRow("dam", "yours", "yours/1", "support", "model"),
        ],
        path,
        {"judge": {"task": "facts"}},
    )
    result = cs.score(path, None, "nuggets", judgements=path)
    assert result["mine", "nuggets.all_strict"].value == 0.5
    assert result["yours", "nuggets.all_strict"].value == 1.0


def test_nuggets_are_explained_by_what_judges_say(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    third = NuggetRow("dam", "n3", "it was blue", system="yours")
    nugget_files.save([NUGGETS[1], NUGGETS[0], third, *ASSIGNED[:3]], path)
    (table,) = cs.explain(path, None, "nuggets", judgements=path).tables()
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["n1", "the dam broke", "vital", "1 partial, 1 support"],
        ["n2", "people fled", "okay", "none"],
    ]
    assert table.notes[1] == "1 nuggets left out: not judged, or belonging to another output"
