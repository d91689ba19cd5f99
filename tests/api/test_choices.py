"""What is chosen where the user does not say, and what is refused instead of ignored."""

from contextlib import nullcontext
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.core import Summary, Timeline
from chronoscore.errors import UsageError

TILSE = "2031-03-12\nThe dam broke.\n----\n2031-03-14\nThe city was flooded.\n----\n"
LIST = "- **2031-03-12**: The dam broke.\n- **2031-03-14**: The city was flooded.\n"
TEXT = "The dam broke on 12 March 2031.\nOn 14 March 2031 the city was flooded.\nAll left.\n"
CSV = "date,text\n2031-03-12,The dam broke.\n"
JSON = '[{"date": "2031-03-12", "text": "The dam broke."}]'
RECORDS = '{"id": "a", "system": "The dam.", "references": ["The dam broke."]}\n'


@pytest.mark.parametrize(
    ("name", "content", "first"),
    [
        ("gold.txt", TILSE, "align+"),
        ("gold.md", LIST, "align+"),
        ("gold.txt", LIST, "align+"),
        ("gold.csv", CSV, "align+"),
        ("gold.json", JSON, "align+"),
        ("gold.txt", TEXT, "rouge(n=1)"),
        ("gold.md", TEXT, "rouge(n=1)"),
    ],
)
def test_without_a_measure_the_references_decide(
    tmp_path: Path, name: str, content: str, first: str
) -> None:
    (tmp_path / name).write_text(content)
    answer = tmp_path / "answer.md"
    answer.write_text(LIST)
    warned = pytest.warns(match="is a timeline, and is scored as a text with its dates")
    with warned if content is TEXT else nullcontext():
        assert cs.score(answer, tmp_path / name).measures[0] == first


def test_records_of_texts_are_scored_by_rouge(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(RECORDS)
    assert cs.score(tmp_path / "mine.jsonl").measures[0] == "rouge(n=1)"


def count_entries(output: object, references: object) -> float:
    return len(output.entries)  # type: ignore[attr-defined]


def count_lines(output: Summary, references: object) -> float:
    return len(output.sentences)


def test_a_function_gets_what_its_annotation_names_else_what_the_files_hold(
    tmp_path: Path,
) -> None:
    paths = tmp_path / "mine.txt", tmp_path / "gold.txt"
    for path in paths:
        path.write_text(TILSE)
    assert cs.score(*paths, count_entries).averages[0].value == 2
    with pytest.warns(match="count_lines' is for texts; concat is ROUGE of a whole timeline"):
        assert cs.score(*paths, count_lines).averages[0].value == 6
    assert cs.measure_of(count_lines).needs is Summary
    assert cs.measure_of(count_lines, needs=Timeline).needs is Timeline


def fail(output: object, references: object) -> float:
    raise KeyError("weights")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (fail, r"measure 'fail', topic 'dam': the function raised KeyError"),
        (lambda _o, _r: None, r"topic 'dam': the function returned None; let it return a number"),
        (lambda _o, _r: "0.5", r"topic 'dam': the function returned a str"),
        (lambda _o, _r: [1, 2], r"topic 'dam': the function returned a list"),
    ],
)
def test_a_function_that_fails_is_one_sentence_with_the_topic(
    function: object, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        cs.score({"mine": {"dam": "a"}}, {"dam": "a"}, function)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("rouge(n=1,n=2)", "measure 'rouge' has 'n' twice; write it once"),
        ("align+(stem,stem)", "has 'stem' twice"),
        ("rouge1(limit=-5w)", "is not a length limit"),
        ("rouge1(limit=0b)", "is not a length limit"),
    ],
)
def test_wrong_parameters_are_refused(measure: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cs.parse_measure(measure)


def test_options_that_would_be_ignored_are_refused(tmp_path: Path) -> None:
    texts: tuple[object, object] = ({"mine": {"dam": "a"}}, {"dam": "a"})
    with pytest.raises(UsageError, match="`documents` is for `ceiling`"):
        cs.score(*texts, "rouge1", documents=tmp_path)
    with pytest.raises(UsageError, match="`originals` is for update summaries"):
        cs.score(tmp_path, tmp_path, "align+", originals=tmp_path)
