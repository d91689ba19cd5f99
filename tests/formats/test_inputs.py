"""From paths to a collection and runs: the same layout rules for summaries and timelines."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chronoscore.core import Collection, Ranking, Run, Summary, Timeline
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.corpora import inputs

Make = Callable[[str, str], Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def call(name: str, content: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return call


def day(text: str, number: int = 3) -> str:
    return f"2010-06-{number:02}\n{text}\n---\n"


def texts(collection: Collection) -> dict[str, list[tuple[str, str]]]:
    return {
        topic.id: [(one.author, " ".join(one.sentences)) for one in topic.timelines]
        for topic in collection
    }


def outputs(runs: list[Run]) -> dict[str, dict[str, str]]:
    return {
        run.system: {
            topic: " ".join(one.sentences)
            for topic, one in run.outputs.items()
            if isinstance(one, Timeline | Summary)
        }
        for run in runs
    }


def test_one_run_file_meets_several_reference_files(make: Make) -> None:
    mine, yours = make("mine.md", "- 2010-06-03: A."), make("yours.txt", day("B."))
    gold = [make("gold1.txt", day("C.")), make("gold2.csv", "date,text\n2010,D.")]
    collection, runs = inputs.load([mine, yours], gold, Timeline)
    assert texts(collection) == {"gold1": [("gold1", "C."), ("gold2", "D.")]}
    assert outputs(runs) == {"mine": {"gold1": "A."}, "yours": {"gold1": "B."}}


def test_files_of_a_topics_store_are_references_of_that_topic(make: Make) -> None:
    gold = [make(f"corpus/dam/timelines/{name}.txt", day("C.")) for name in ("ines", "ruth")]
    collection, runs = inputs.load([make("mine.md", "- 2010-06-03: A.")], gold, Timeline)
    assert texts(collection) == {"dam": [("ines", "C."), ("ruth", "C.")]}
    assert outputs(runs) == {"mine": {"dam": "A."}}


def test_single_files_may_be_json(make: Make) -> None:
    mine = make("mine.json", '[{"date": "2010", "text": "A."}]')
    gold = make("gold.json", '{"2010": "B."}')
    collection, runs = inputs.load([mine], [gold], Timeline)
    assert texts(collection) == {"gold": [("gold", "B.")]}
    assert outputs(runs) == {"mine": {"gold": "A."}}


def test_folders_of_topics_meet_folders_of_references(make: Make, tmp_path: Path) -> None:
    make("mine/spill.txt", day("A."))
    make("mine/dam.md", "- 2010-06-03: B.")
    make("gold/spill/ana.txt", day("C."))
    make("gold/spill/bbc.co.uk.txt", day("D."))
    make("gold/dam/ana.txt", day("E."))
    collection, runs = inputs.load([tmp_path / "mine"], [tmp_path / "gold"], Timeline)
    assert texts(collection) == {
        "dam": [("ana", "E.")],
        "spill": [("ana", "C."), ("bbc.co.uk", "D.")],
    }
    assert outputs(runs) == {"mine": {"dam": "B.", "spill": "A."}}


def test_a_flat_folder_has_a_file_for_each_topic(make: Make, tmp_path: Path) -> None:
    make("gold/spill.txt", day("A."))
    make("gold/dam.json", '{"2010": "B."}')
    assert texts(inputs.load_reference_files([tmp_path / "gold"], Timeline)) == {
        "dam": [("dam", "B.")],
        "spill": [("spill", "A.")],
    }


def test_names_before_the_last_dot_gather_references(make: Make, tmp_path: Path) -> None:
    make("mine/spill.txt", day("A."))
    for name in ("spill.ana", "spill.bo"):
        make(f"gold/{name}.txt", day(name))
    collection, _ = inputs.load([tmp_path / "mine"], [tmp_path / "gold"], Timeline)
    assert texts(collection) == {"spill": [("spill.ana", "spill.ana"), ("spill.bo", "spill.bo")]}


def test_a_system_file_meets_the_topic_of_its_name(make: Make, tmp_path: Path) -> None:
    make("gold/spill/ana.txt", day("A."))
    mine = make("mine/spill.txt", day("B."))
    _, runs = inputs.load([mine], [tmp_path / "gold"], Timeline)
    assert outputs(runs) == {"mine": {"spill": "B."}}


def test_news_tls_folders_are_a_collection_with_documents(make: Make, tmp_path: Path) -> None:
    make("t17/spill/timelines.jsonl", '[["2010-06-03", ["A."]]]\n[["2010-06-04", ["B."]]]\n')
    make("t17/spill/articles.jsonl", '{"id": "a", "time": "2010-06-03", "text": "C."}')
    make("t17/spill/keywords.json", '["spill"]')
    folder = tmp_path / "t17"
    assert texts(inputs.load_reference_files([folder], Timeline)) == {
        "spill": [("1", "A."), ("2", "B.")]
    }
    assert [len(topic.documents) for topic in inputs.load_reference_files([folder], Timeline)] == [
        0
    ]
    found = inputs.load_reference_files([folder], Timeline, documents=True)
    assert [one.id for one in found.topics["spill"].documents] == ["a"]
    alone = inputs.load_reference_files([folder / "spill"], Timeline, documents=True)
    assert [len(topic.documents) for topic in alone] == [1]
    file = folder / "spill" / "timelines.jsonl"
    assert list(texts(inputs.load_reference_files([file], Timeline))) == ["spill"]


def test_timelines_may_lie_in_folders_of_that_name(make: Make, tmp_path: Path) -> None:
    make("corpus/dam/timelines/ines.txt", day("A."))
    make("corpus/dam/articles.jsonl", '{"id": "a", "text": "x"}')
    make("corpus/dam/topic.json", "{}")
    make("runs/lead/timelines/dam.txt", day("B."))
    make("runs/lead/rankings.jsonl", "{}")
    for run in (tmp_path / "runs/lead", tmp_path / "runs/lead/timelines"):
        collection, runs = inputs.load([run], [tmp_path / "corpus"], Timeline)
        assert texts(collection) == {"dam": [("ines", "A.")]}
        assert outputs(runs) == {"lead": {"dam": "B."}}


def test_one_jsonl_is_a_collection(make: Make) -> None:
    by_record = make(
        "a.jsonl", '{"topic": "spill", "references": [{"2010": "A."}, [["2011", ["B."]]]]}'
    )
    rows = [
        {"topic": "spill", "author": "ana", "timeline": {"2010": "A."}},
        {"topic": "spill", "author": "bo", "timeline": [{"date": "2011", "text": "B."}]},
    ]
    by_author = make("b.jsonl", "\n".join(map(json.dumps, rows)))
    assert texts(inputs.load_reference_files([by_record], Timeline)) == {
        "spill": [("1", "A."), ("2", "B.")]
    }
    assert texts(inputs.load_reference_files([by_author], Timeline)) == {
        "spill": [("ana", "A."), ("bo", "B.")]
    }


def test_one_jsonl_is_a_run_or_several(make: Make, tmp_path: Path) -> None:
    make("gold/spill.txt", day("A."))
    make("gold/dam.txt", day("B."))
    one = make("mine.jsonl", '{"topic": "spill", "timeline": "- 2010-06-03: C."}')
    several = make(
        "all.jsonl",
        '{"topic": "spill", "system": "s1", "timeline": {"2010": "D."}}\n'
        '{"topic": "spill", "system": "s2", "timeline": {"2010": "E."}}',
    )
    _, runs = inputs.load([one, several], [tmp_path / "gold"], Timeline)
    assert outputs(runs) == {"mine": {"spill": "C."}, "s1": {"spill": "D."}, "s2": {"spill": "E."}}


def test_records_hold_systems_and_references_together(make: Make) -> None:
    path = make("data.jsonl", '{"id": 7, "system": {"2010": "A."}, "references": [{"2010": "B."}]}')
    collection, runs = inputs.load([path], [], Timeline)
    assert texts(collection) == {"7": [("1", "B.")]}
    assert outputs(runs) == {"data": {"7": "A."}}


def test_summaries_keep_their_rules(make: Make, tmp_path: Path) -> None:
    make("mine/spill.txt", "A.\nB.\n")
    make("gold/spill/ana.txt", "C.\n")
    collection, runs = inputs.load([tmp_path / "mine"], [tmp_path / "gold"])
    assert collection.topics["spill"].summaries == (Summary(("C.",)),)
    assert outputs(runs) == {"mine": {"spill": "A. B."}}


def test_notes_become_warnings_with_file_and_line(make: Make) -> None:
    gold = make("gold.txt", day("A.") + day("B."))
    with pytest.warns(
        ChronoscoreWarning, match=r"gold\.txt:4: date 2010-06-03 is a duplicate of line 1"
    ):
        collection = inputs.load_reference_files([gold], Timeline)
    assert texts(collection) == {"gold": [("gold", "A. B.")]}
    with pytest.warns(ChronoscoreWarning, match="only the last one counts"):
        collection = inputs.load_reference_files([gold], Timeline, repeated="last")
    assert texts(collection) == {"gold": [("gold", "B.")]}


def test_many_files_with_notes_do_not_flood_the_log(make: Make, tmp_path: Path) -> None:
    for number in range(20):
        make(f"gold/t{number:02}.txt", day("A.") + day("B."))
    with pytest.warns(ChronoscoreWarning) as caught:
        inputs.load_reference_files([tmp_path / "gold"], Timeline)
    assert len(caught) == 1
    assert "(20 merged in 20 files)" in str(caught[-1].message)


def test_empty_references_and_outputs_are_empty_timelines(make: Make) -> None:
    mine, gold = make("mine.txt", ""), make("gold.txt", day("A."))
    with pytest.warns(ChronoscoreWarning, match=r"mine\.txt: is empty"):
        _, runs = inputs.load([mine], [gold], Timeline)
    assert runs[0].outputs["gold"] == Timeline((), "mine")


def wrong(make: Make, case: str) -> tuple[list[Path], list[Path]]:
    """Systems and references of a case that must be refused."""
    gold = make("gold/spill.txt", day("A.")).parent
    if case == "missing":
        return [gold / "none"], [gold]
    if case == "no reference":
        return [], []
    if case == "two systems of one name":
        return [make("a/mine/spill.txt", day("A.")).parent, make("b/mine/spill.txt", "").parent], [
            gold
        ]
    if case == "two outputs for one topic":
        make("mine/spill.md", "- 2010: B.")
        return [make("mine/spill.txt", day("A.")).parent], [gold]
    if case == "names that differ in case":
        make("mine/Spill.txt", day("A."))
        return [make("mine/spill.txt", day("A.")).parent], [gold]
    if case == "two files for one topic":
        make("gold/spill.md", "- 2010: B.")
        return [], [gold]
    if case == "an empty folder":
        (gold / "none").mkdir()
        return [], [gold]
    if case == "a folder in a run":
        return [make("mine/x/spill.txt", day("A.")).parent.parent], [gold]
    if case == "a folder of systems":
        make("runs/lead/timelines/dam.txt", day("A."))
        return [make("runs/lead/timelines/spill.txt", day("A.")).parents[2]], [gold]
    if case == "several without topics":
        return [make("mine.jsonl", '[["2010", []]]\n[["2011", []]]')], [gold]
    if case == "no references for a topic":
        return [make("mine.jsonl", '{"topic": "dam", "timeline": {"2010": "B."}}')], [gold]
    if case == "no system":
        return [make("mine.jsonl", '{"topic": "spill", "references": [{"2010": "B."}]}')], [gold]
    if case == "references that are none":
        return [], [make("gold.jsonl", '{"topic": "spill", "system": {"2010": "B."}}')]
    line = '{"topic": "spill", "timeline": {"2010": "B."}}\n'
    return [make("mine.jsonl", line + line)], [gold]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("missing", r"none: no such file or directory; check the path"),
        ("no reference", r"there is no reference"),
        ("two systems of one name", r"already, from .*/a/mine/spill.txt; rename one of the two"),
        (
            "two outputs for one topic",
            r"spill.txt: .* for topic 'spill' already, from spill.md; keep",
        ),
        (
            "names that differ in case",
            r"for topic 'spill' already, from Spill.txt; keep one of the two",
        ),
        ("two files for one topic", r"spill\.txt: topic 'spill' is there already, as spill\.md"),
        ("an empty folder", r"none: the folder is empty; put files in it or leave it out"),
        ("a folder in a run", r"holds folders"),
        ("a folder of systems", r"score each as one: .*runs/\*"),
        ("several without topics", r"mine\.jsonl: holds 2 outputs and does not say for which"),
        ("no references for a topic", r"mine\.jsonl: topic 'dam' has no references; add them or"),
        ("no system", r"mine\.jsonl: topic 'spill' has no 'system'; add its text"),
        ("references that are none", r"gold\.jsonl: topic 'spill' has no references; add them"),
        ("a topic twice", r"mine\.jsonl: system 'mine' has an output for topic 'spill' already"),
    ],
)
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_wrong_inputs_get_one_sentence(make: Make, case: str, message: str) -> None:
    systems, references = wrong(make, case)
    with pytest.raises(DataError, match=message):
        inputs.load(systems, references, Timeline)


def test_kinds_that_are_not_read_here_are_refused(make: Make) -> None:
    with pytest.raises(UsageError, match="no files of kind 'ranking' are read here"):
        inputs.load([], [make("gold.txt", "A.")], Ranking)


def test_backups_of_editors_are_neither_references_nor_outputs(make: Make, tmp_path: Path) -> None:
    for ending in ("", "~", ".bak"):
        make(f"gold/dam/ana.txt{ending}", day(f"C{ending}."))
        make(f"mine/dam.txt{ending}", day(f"A{ending}."))
    with pytest.warns(ChronoscoreWarning, match="is a backup that an editor left") as warned:
        collection, runs = inputs.load([tmp_path / "mine"], [tmp_path / "gold"], Timeline)
    assert texts(collection) == {"dam": [("ana", "C.")]}
    assert outputs(runs) == {"mine": {"dam": "A."}}
    named = {str(one.message).partition(":")[0].rpartition("/")[2] for one in warned}
    assert named == {"ana.txt~", "ana.txt.bak", "dam.txt~", "dam.txt.bak"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("ben.json", '{"summary": "B."}', "record 1: the record has neither 'system' nor"),
        ("ben.json", '[{"date": "2010-06-03", "text": "B."}]', "only 'date', 'text'; add one"),
        ("ben.jsonl", '{"id": 1, "text": "B."}\n', "jsonl:1: the record has neither 'system'"),
        ("ben.json", "[]", "ben.json: holds no reference; fill it or leave it out"),
    ],
)
def test_a_reference_that_is_no_record_is_never_passed_over(
    make: Make, tmp_path: Path, name: str, content: str, message: str
) -> None:
    make("gold/dam/ana.txt", "A.\n")
    make(f"gold/dam/{name}", content)
    with pytest.raises(DataError, match=message):
        inputs.load([make("dam.txt", "A.\n")], [tmp_path / "gold"])
