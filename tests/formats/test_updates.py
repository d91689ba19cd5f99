"""Update summaries and both sets of references are found in every layout."""

from pathlib import Path

import pytest

from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.summaries.updates import load


@pytest.fixture
def corpus(tmp_path):
    """Two topics, two writers, two systems; originals and updates."""
    for topic in ("dam", "ferry"):
        for name in ("original", "update"):
            for author in "ab":
                write(tmp_path / f"corpus/{topic}/summaries/{name}/{author}.txt", f"{name} {topic}")
        for system in ("one", "two"):
            write(tmp_path / f"runs/{system}/update/{topic}.txt", system)
            write(tmp_path / f"runs/{system}/original/{topic}.txt", system)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")
    return path


def found(collection, runs):
    return (
        {t.id: [(s.author, s.set, s.sentences[0]) for s in t.summaries] for t in collection},
        {run.system: {t: (o.set, o.sentences[0]) for t, o in run.outputs.items()} for run in runs},
    )


WANTED = (
    {
        topic: [
            *(("a", "A", f"original {topic}"), ("b", "A", f"original {topic}")),
            *(("a", "B", f"update {topic}"), ("b", "B", f"update {topic}")),
        ]
        for topic in ("dam", "ferry")
    },
    {system: dict.fromkeys(("dam", "ferry"), ("B", system)) for system in ("one", "two")},
)


def test_folders_of_one_name_are_told_apart_by_their_paths(corpus):
    loaded = load(
        sorted(corpus.glob("runs/*/update")),
        sorted(corpus.glob("corpus/*/summaries/update")),
        sorted(corpus.glob("corpus/*/summaries/original")),
    )
    assert found(*loaded) == WANTED


def test_a_whole_corpus_and_whole_runs_may_be_given(corpus):
    loaded = load(sorted(corpus.glob("runs/*")), [corpus / "corpus"], [corpus / "corpus"])
    assert found(*loaded) == WANTED


def test_a_folder_for_each_set_may_hold_folders_of_topics(corpus):
    for topic in ("dam", "ferry"):
        for name in ("original", "update"):
            for author in "ab":
                write(corpus / f"gold/{name}/{topic}/{author}.txt", f"{name} {topic}")
    loaded = load(
        sorted(corpus.glob("runs/*/update")), [corpus / "gold/update"], [corpus / "gold/original"]
    )
    assert found(*loaded) == WANTED


def test_one_system_is_named_by_the_folder_around_its_updates(corpus):
    _, runs = load([corpus / "runs/one/update"], [corpus / "corpus"], [corpus / "corpus"])
    assert [run.system for run in runs] == ["one"]


def test_earlier_sets_come_in_the_order_in_which_they_were_named(tmp_path):
    for name in ("first", "second", "third"):
        write(tmp_path / f"{name}/dam/a.txt", name)
    write(tmp_path / "mine/dam.txt", "mine")
    collection, runs = load(
        [tmp_path / "mine"], [tmp_path / "third"], [tmp_path / "first", tmp_path / "second"]
    )
    sets = {s.sentences[0]: s.set for s in collection.topics["dam"].summaries}
    assert sets == {"first": "A", "second": "B", "third": "C"}
    assert runs[0].outputs["dam"].set == "C"


def test_single_texts_are_one_topic(tmp_path):
    names = ("mine", "gold", "old1", "old2")
    mine, gold, *old = (write(tmp_path / f"{name}.txt", name) for name in names)
    collection, runs = load([mine], [gold], old)
    assert [(s.author, s.set) for s in collection.topics["gold"].summaries] == [
        *(("old1", "A"), ("old2", "A"), ("gold", "B"))
    ]
    assert runs[0].system == "mine"
    assert list(runs[0].outputs) == ["gold"]


def test_records_hold_many_topics(tmp_path):
    mine = write(tmp_path / "mine.jsonl", '{"id": "dam", "system": "new"}')
    gold = write(tmp_path / "gold.jsonl", '{"id": "dam", "references": ["news", "more"]}')
    old = write(tmp_path / "old.jsonl", '{"id": "dam", "references": ["old"]}')
    collection, runs = load([mine], [gold], [old])
    assert [s.set for s in collection.topics["dam"].summaries] == ["A", "B", "B"]
    assert runs[0].system == "mine"


def test_a_missing_path_is_said(tmp_path):
    with pytest.raises(DataError, match="no such file or directory"):
        load([tmp_path / "x"], [tmp_path / "y"], [tmp_path / "z"])


def test_references_are_needed(tmp_path):
    with pytest.raises(DataError, match="there is no reference"):
        load([write(tmp_path / "x.txt", "x")], [], [])


def test_a_folder_inside_a_systems_is_refused(corpus):
    write(corpus / "runs/one/update/deep/dam.txt", "x")
    with pytest.raises(DataError, match="holds folders"):
        load([corpus / "runs/one/update"], [corpus / "corpus"], [corpus / "corpus"])


def test_records_without_outputs_are_refused(tmp_path):
    gold = write(tmp_path / "gold.jsonl", '{"id": "dam", "references": ["news"]}')
    with pytest.raises(DataError, match="has no 'system'"):
        load([gold], [gold], [gold])


def test_more_sets_than_letters_are_refused(tmp_path):
    mine = write(tmp_path / "mine/dam.txt", "x").parent
    sets = [write(tmp_path / f"s{n}/dam/a.txt", "x").parents[1] for n in range(26)]
    with pytest.raises(UsageError, match="give 25 or fewer"):
        load([mine], [Path(sets[0])], sets)


def test_a_topic_of_a_corpus_without_summaries_is_left_out_with_a_note(corpus):
    write(corpus / "corpus/bank/articles.jsonl", '{"id": "a"}')
    write(corpus / "corpus/bank/timelines/edda.txt", "2028-04-06")
    assert found(*load([corpus / "runs/one"], *[[corpus / "corpus"]] * 2))[0] == WANTED[0]
    write(corpus / "runs/one/update/bank.txt", "one")
    with pytest.warns(ChronoscoreWarning, match="1 of 3 topics have no reference of the update"):
        loaded = load([corpus / "runs/one"], *[[corpus / "corpus"]] * 2)
    assert found(*loaded) == (WANTED[0], {"one": WANTED[1]["one"]})


def test_a_run_on_nothing_but_such_topics_is_refused(corpus):
    write(corpus / "corpus/bank/articles.jsonl", '{"id": "a"}')
    write(corpus / "runs/three/update/bank.txt", "three")
    with pytest.raises(DataError, match=r"all its topics have no reference .*'bank' first"):
        load([corpus / "runs/three"], *[[corpus / "corpus"]] * 2)
