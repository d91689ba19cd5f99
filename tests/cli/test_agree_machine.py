"""`agree --machine`, and the files of machines that any command refuses."""

import numpy as np
import pytest

import chronoscore as cs
from data_files import write_judgements, write_lines
from machine_files import (
    POWERED,
    SYSTEMS,
    assign,
    link,
    nugget,
    nugget_rows,
    rows_of,
    topic_rows,
)


def figures(said):
    return {(r["table"], r["item"], r["figure"]): r["value"] for r in rows_of(said)}


def test_a_machine_in_a_file_of_its_own_agrees_as_far_as_counted_by_hand(run, tmp_path):
    people = [
        *topic_rows("t", 4, 1),
        link("t", 0, 0, "ann", "bob", verdict="kept"),
        link("t", 1, 0, "ann", verdict="dropped"),
        link("t", 2, 0, verdict="added"),
    ]
    machine = [*topic_rows("t", 4, 1), link("t", 0, 0, "bot"), link("t", 2, 0, "bot")]
    write_judgements(tmp_path / "people.jsonl", people)
    write_judgements(tmp_path / "machine.jsonl", machine)
    found = figures(run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl"))
    assert found["machine", "bot | verified links", "accuracy"] == 1
    assert found["machine", "bot | ann", "accuracy"] == 0.5
    assert found["machine", "bot | ann", "precision"] == 0.5
    assert found["machine", "bot | bob", "accuracy"] == 0.75
    assert found["machine", "bot | bob", "recall"] == 1
    assert found["people", "ann | bob", "accuracy"] == 0.75
    assert found["confusion", "bot | verified links", "linked | linked"] == 2
    # What people alone agree on is not touched.
    alone = figures(run("agree", "people.jsonl", "-f", "jsonl"))
    assert alone.items() <= found.items()


def test_a_machine_among_the_authors_is_compared_like_one_in_a_file_of_its_own(run, corpus_files):
    apart = figures(run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl"))
    together = figures(run("agree", "together.jsonl", "--machine", "model", "-f", "jsonl"))
    chosen = {key for key in apart if key[0] in ("machine", "people", "alternative annotator")}
    assert len(chosen) > 30
    assert {key: apart[key] for key in chosen} == {key: together[key] for key in chosen}


def test_the_test_of_the_alternative_annotator_is_printed_for_all_kinds_of_people(
    run, corpus_files
):
    said = run("agree", "people.jsonl", "--machine", "machine.jsonl")
    assert "May model replace a person?" in said.out
    for who, epsilon in (("experts", "0.2"), ("skilled", "0.15"), ("crowd", "0.1")):
        assert f"{who} (ε = {epsilon}): ω = " in said.out
    assert "average advantage probability ρ = " in said.out
    found = figures(run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl"))
    assert found["alternative annotator", "model | experts", "passed"] == 1
    assert found["alternative annotator", "model | crowd | ann", "items"] > 100


def test_two_people_are_said_to_be_too_few_for_the_test(run, tmp_path):
    links = [link("t", 0, 0, "ann"), link("t", 1, 0, "bob")]
    write_judgements(tmp_path / "people.jsonl", [*topic_rows("t", 4, 1), *links])
    write_judgements(tmp_path / "m.jsonl", [*topic_rows("t", 4, 1), link("t", 0, 0, "bot")])
    said = run("agree", "people.jsonl", "--machine", "m.jsonl")
    assert "no alternative-annotator test: it needs at least 3 people" in said.out


def test_systems_are_ranked_by_the_machine_and_by_people(run, corpus_files):
    said = run(
        "agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl", "-m", "u.precision",
        "--systems", *SYSTEMS,
    )  # fmt: skip
    both = [row for row in rows_of(said) if row["table"] == "systems"]
    result = cs.score(
        [corpus_files / name for name in SYSTEMS],
        judgements=corpus_files / "people.jsonl",
        machine=corpus_files / "machine.jsonl",
        measures="u.precision",
    )
    y = np.array([result[f"s{n}", "u.precision"].value for n in range(4)])
    judged = np.isin(result.machine.topics, result.topics)
    values = result.machine.scores.values(result.machine.scores.measures[0])
    f = np.nanmean(values[:, judged, 1], axis=1)
    pearson = next(row for row in both if row["figure"] == "pearson")
    assert pearson["value"] == pytest.approx(np.corrcoef(y, f)[0, 1])
    assert pearson["low"] <= pearson["value"] <= pearson["high"]


def test_three_systems_are_said_to_be_too_few_to_rank(run, corpus_files):
    said = run("agree", "people.jsonl", "--machine", "machine.jsonl", "--systems", *SYSTEMS[:3])
    assert "a correlation needs at least 4 systems" in said.err


def test_nuggets_are_compared_and_their_systems_ranked_without_being_named(run, tmp_path):
    rows = nugget_rows([f"t{n}" for n in range(6)], authors=("ann", "bob", "cat", "model"))
    write_lines(tmp_path / "all.jsonl", rows)
    found = figures(run("agree", "all.jsonl", "--machine", "model", "-f", "jsonl"))
    assert found["machine", "model | ann", "items"] == 6 * 4 * 5
    labels = {(r["topic"], r["system"], r["nugget"], r["author"]): r["label"]
              for r in rows if r["kind"] == "assignment"}  # fmt: skip
    same = [
        labels[(*key[:3], "ann")] == label for key, label in labels.items() if key[3] == "model"
    ]
    assert found["machine", "model | ann", "accuracy"] == pytest.approx(np.mean(same))
    met = sum(
        labels[(*key[:3], name)] == "partial" and label == "support"
        for key, label in labels.items() if key[3] == "model" for name in ("ann", "bob", "cat")
    )  # fmt: skip
    assert found["confusion", "model | people", "partial | support"] == met
    assert found["systems", "model | nuggets.all_lenient", "kendall"] > 0
    # In files of their own, the machine's labels give the same figures.
    people = [row for row in rows if row.get("author") != "model"]
    write_lines(tmp_path / "people.jsonl", people)
    machine = [row for row in rows if row.get("author") == "model"]
    write_lines(tmp_path / "machine.jsonl", machine)
    assert found == figures(
        run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl")
    )


UNIT_TOPIC = [
    {"kind": "topic", "id": "t"},
    {"kind": "story", "id": "d", "topic": "t"},
    *(
        {
            "kind": "sentence",
            "id": f"s{n}",
            "story": "d",
            "start": 20 * n,
            "end": 20 * n + 19,
            "text": "the dam broke in May"[:19],
        }
        for n in range(4)
    ),
    {"kind": "writer", "id": "w1"},
    *({"kind": "hcu", "id": f"u{n}", "topic": "t", "writers": ["w1"]} for n in range(3)),
]


def anchor_units(*chosen, whole=False):
    """Units anchored in some words of sentences, as people do, or in whole sentences."""
    rows = list(UNIT_TOPIC)
    for place, (_, sentence) in enumerate(chosen):
        span = (f"s{sentence}", 0, 19) if whole else ("d", 20 * sentence + 4, 20 * sentence + 7)
        anchor = dict(zip(("source", "start", "end"), span, strict=True))
        rows.append({"kind": "anchor", "id": f"a{place}", **anchor})
    for unit in {unit: None for unit, _ in chosen}:
        members = [{"ref": f"a{n}", "v": 1} for n, (own, _) in enumerate(chosen) if own == unit]
        rows.append({"kind": "group", "hcu": f"u{unit}", "id": f"g{unit}", "members": members})
    return rows


def test_units_that_a_machine_anchored_in_sentences_meet_the_words_that_people_marked(
    run, tmp_path
):
    write_judgements(tmp_path / "people.jsonl", anchor_units((0, 0), (0, 1), (1, 2), (2, 3)))
    machine = anchor_units((0, 0), (0, 3), (1, 2), whole=True)
    write_judgements(tmp_path / "machine.jsonl", machine)
    found = figures(run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl"))
    # Listed by either: u0 in s0, s1 and s3, u1 in s2, and u2 in s3, which the machine missed.
    judges = "machine.jsonl | people.jsonl"
    assert found["machine", judges, "items"] == 5
    assert found["machine", judges, "precision"] == pytest.approx(2 / 3)
    assert found["machine", judges, "recall"] == 0.5


def test_a_sentence_is_chosen_if_any_of_its_words_are(run, tmp_path):
    rows = anchor_units((0, 0), (0, 1))
    rows.insert(-1, {"kind": "anchor", "id": "b", "source": "d", "start": 0, "end": 3})
    group = {**rows[-1], "members": [*rows[-1]["members"], {"ref": "b", "v": 0}]}
    write_judgements(tmp_path / "people.jsonl", [*rows[:-1], group])
    write_judgements(tmp_path / "machine.jsonl", anchor_units((0, 0), (0, 1), whole=True))
    found = figures(run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl"))
    assert found["machine", "machine.jsonl | people.jsonl", "accuracy"] == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "t-9"}, "another version of its stories (sentence 't-3' is only in people.jsonl)"),
        ({"text": "other words"}, "another version of its stories ('t-3' has another text"),
    ],
)
def test_judgements_of_another_version_of_the_stories_are_refused(run, tmp_path, change, words):
    rows = topic_rows("t", 4, 1)
    write_judgements(tmp_path / "people.jsonl", [*rows, link("t", 0, 0, "ann")])
    other = [{**row, **(change if row.get("id") == "t-3" else {})} for row in rows]
    write_judgements(tmp_path / "machine.jsonl", [*other, link("t", 0, 0, "bot")])
    write_lines(tmp_path / "s.jsonl", [{"topic": "t", "sentence": "t-0"}])
    for command in (
        ("agree", "people.jsonl", "--machine", "machine.jsonl"),
        ("score", "s.jsonl", "--judgements", "people.jsonl", "--machine", "machine.jsonl", "--ppi"),
    ):
        said = run(*command, code=3)
        assert "machine.jsonl: topic 't' was judged on " in said.err
        assert words.replace("people.jsonl)", "") in said.err


@pytest.mark.parametrize(
    ("machine", "code", "words"),
    [
        ("modle", 2, "'modle' is neither a file nor an author of judgements; did you mean 'model'"),
        ("nobody.jsonl", 3, "nobody.jsonl: no such file"),
        ("else.jsonl", 3, "no item is judged both by people and by the machine"),
        ("broken.jsonl", 3, "broken.jsonl:1"),
        ("binary.jsonl", 3, "binary.jsonl"),
        ("empty.jsonl", 3, "empty.jsonl"),
        ("", 2, "give the name of an author"),
    ],
)
def test_a_machine_that_cannot_be_read_is_one_sentence(run, corpus_files, machine, code, words):
    write_judgements(corpus_files / "else.jsonl", [*topic_rows("x", 3, 1), link("x", 0, 0, "bot")])
    (corpus_files / "broken.jsonl").write_text('{"kind": "link", "sent')
    (corpus_files / "binary.jsonl").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    (corpus_files / "empty.jsonl").write_text("")
    said = run("agree", "together.jsonl", "--machine", machine, code=code)
    assert words in said.err
    assert "Traceback" not in said.err


def test_nuggets_with_other_texts_are_refused(run, tmp_path):
    rows = nugget_rows([f"t{n}" for n in range(7)], authors=("ann",))
    write_lines(tmp_path / "people.jsonl", rows)
    other = [{**r, "text": "else"} if r["kind"] == "nugget" else {**r, "author": "m"} for r in rows]
    write_lines(tmp_path / "machine.jsonl", other)
    powered = ("--judgements", "people.jsonl", "--machine", "machine.jsonl", "--ppi")
    for command in (
        ("agree", "people.jsonl", "--machine", "machine.jsonl"),
        ("score", "people.jsonl", *powered, "-m", "nuggets"),
    ):
        said = run(*command, code=3)
        assert "machine.jsonl: nugget 'n0' of topic 't0' has another text" in said.err


@pytest.mark.parametrize("kind", ["links", "nuggets"])
def test_what_a_machine_says_twice_is_refused(run, tmp_path, kind):
    if kind == "links":
        rows = [*topic_rows("t", 3, 1), link("t", 0, 0, "ann")]
        write_judgements(tmp_path / "people.jsonl", rows)
        for name in ("one", "two"):
            write_judgements(tmp_path / f"{name}.jsonl", [*rows[:-1], link("t", 0, 0, "bot")])
    else:
        rows = [nugget("t", "n1"), assign("t", "mine", "n1", "support", "ann")]
        write_lines(tmp_path / "people.jsonl", rows)
        for name in ("one", "two"):
            write_lines(tmp_path / f"{name}.jsonl", [assign("t", "mine", "n1", "none", "bot")])
    said = run("agree", "people.jsonl", "--machine", "one.jsonl", "two.jsonl", code=3)
    assert "two.jsonl: 'bot' " in said.err
    assert "already; give it once" in said.err


def test_two_machines_in_one_file_are_not_mixed(run, corpus_files, corpus):
    both = [
        {**row, "marked_by": ["bot"]} if n % 2 and row["kind"] == "link" else row
        for n, row in enumerate(corpus.machine)
    ]
    write_judgements(corpus_files / "machine.jsonl", both)
    said = run("score", "s0.jsonl", *POWERED, code=2)
    assert "the machine's files have several authors (bot, model)" in said.err
    found = figures(run("agree", "people.jsonl", "--machine", "machine.jsonl", "-f", "jsonl"))
    assert ("machine", "bot | ann", "f") in found
    assert ("machine", "model | ann", "f") in found


def test_a_machine_that_judged_other_events_is_refused(run, tmp_path):
    write_judgements(tmp_path / "p.jsonl", [*topic_rows("t", 3, 1), link("t", 0, 0, "ann")])
    write_judgements(tmp_path / "m.jsonl", [*topic_rows("t", 3, 2), link("t", 0, 1, "bot")])
    said = run("agree", "p.jsonl", "--machine", "m.jsonl", code=3)
    assert "has an event 't-e1' that p.jsonl lacks" in said.err


@pytest.mark.parametrize(("topics", "few"), [(2, True), (4, False)])
def test_few_items_are_said_to_be_few(run, tmp_path, topics, few):
    rows = nugget_rows([f"t{n}" for n in range(topics)], authors=("ann", "bob", "cat", "bot"))
    write_lines(tmp_path / "nuggets.jsonl", rows)
    out = run("agree", "nuggets.jsonl", "--machine", "bot").out
    assert ("items are few; 50 to 100 are recommended" in out) == few
