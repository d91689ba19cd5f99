"""`score --ppi` and `compare --ppi` as a user types them."""

import json
import re

import numpy as np
import pytest

import chronoscore as cs
from chronoscore.errors import UsageError, WrongTypeError
from chronoscore.stats.ppi import powered_mean
from chronoscore.stats.ppi_samples import SampledTopic, correct_topics
from data_files import write_judgements, write_lines
from machine_files import (
    POWERED,
    SYSTEMS,
    Corpus,
    assign,
    link,
    nugget_rows,
    rows_of,
    topic_rows,
)


def test_units_that_people_and_a_machine_found_in_outputs_are_combined(run, tmp_path):
    rng = np.random.default_rng(5)
    topics = [f"t{n}" for n in range(12)]
    rows = [{"kind": "writer", "id": "w1"}, {"kind": "writer", "id": "w2"}]
    for topic in topics:
        rows.insert(0, {"kind": "topic", "id": topic})
        rows += (
            {"kind": "hcu", "id": f"{topic}-u{n}", "topic": topic, "writers": ["w1", "w2"][: 1 + n]}
            for n in range(2)
        )
    write_judgements(tmp_path / "units.jsonl", rows)

    def outputs(name, known):
        selected = [
            {"topic": t, "system": "mine", "sentence": f"{t}-{n}", "event": f"{t}-u{n}"}
            for t in known for n in range(2) if n == 0 or rng.random() < 0.6
        ]  # fmt: skip
        write_lines(tmp_path / name, selected)

    outputs("people.jsonl", topics[:6])
    outputs("machine.jsonl", topics)
    said = run(
        "score", "people.jsonl", "--units", "units.jsonl", "--machine", "machine.jsonl", "--ppi",
        "-m", "classic-pyramid", "-f", "jsonl",
    )  # fmt: skip
    row = rows_of(said)[0]
    assert (row["system"], row["n"], row["further"]) == ("mine", 6, 6)
    plain = run("score", "people.jsonl", "--units", "units.jsonl", "-m", "classic-pyramid",
                "-f", "jsonl", "--topics", "shared")  # fmt: skip
    alone = [r["value"] for r in rows_of(plain) if r["part"] == row["part"]]
    assert row["people"] == pytest.approx(np.mean(alone[:6]))


def test_assignments_of_topics_without_nuggets_are_refused(run, tmp_path):
    rows = nugget_rows([f"t{n}" for n in range(7)], authors=("ann",))
    write_lines(tmp_path / "people.jsonl", rows)
    write_lines(tmp_path / "machine.jsonl", [assign("x", "a", "n1", "none", "bot")])
    said = run(
        "score", "people.jsonl", "--judgements", "people.jsonl", "--machine", "machine.jsonl",
        "--ppi", "-m", "nuggets", code=3,
    )  # fmt: skip
    assert "the machine judged topic 'x', which has no nuggets" in said.err


def per_topic(corpus_files, judgements, part, system="s1"):
    """Scores by topic, from a call that knows nothing of machines."""
    runs = [
        json.loads(line) for line in (corpus_files / f"{system}.jsonl").read_text().splitlines()
    ]
    topics = {
        row["id"]
        for row in map(json.loads, (corpus_files / judgements).read_text().splitlines())
        if row["kind"] == "topic"
    }
    own = write_lines(
        corpus_files / "only" / f"{system}.jsonl", [r for r in runs if r["topic"] in topics]
    )
    result = cs.score(own, judgements=corpus_files / judgements, measures="nu")
    return {row["topic"]: row["value"] for row in result.rows() if row["part"] == part}


@pytest.mark.parametrize("part", ["recall", "precision", "f"])
def test_powered_scores_are_those_computed_from_two_plain_calls_of_score(run, corpus_files, part):
    said = run("score", *SYSTEMS, *POWERED, "-m", "nu", "-f", "jsonl")
    row = next(r for r in rows_of(said) if (r["system"], r["part"]) == ("s1", part))
    y = per_topic(corpus_files, "people.jsonl", part)
    f = per_topic(corpus_files, "machine.jsonl", part)
    both = [topic for topic in y if topic in f]
    further = [f[topic] for topic in f if topic not in y]
    expected = powered_mean(
        np.array([y[t] for t in both]),
        np.array([f[t] for t in both]),
        np.array(further),
        bounds=(0, 1 if part == "recall" else np.inf),
    )
    assert (row["n"], row["further"]) == (8, 12)
    for name, value in (
        ("value", expected.value),
        ("low", expected.low),
        ("high", expected.high),
        ("lambda", expected.weight),
        ("worth", expected.worth),
        ("people", expected.people),
    ):
        assert row[name] == pytest.approx(value), name


def test_a_topic_without_a_score_by_one_side_is_left_out_and_counted(run, corpus_files, corpus):
    # Without any event no score is defined: t0 by people, t5 and t9 by the machine, t3 by both.
    def without(rows, *topics):
        names = tuple(f"{topic}-e" for topic in topics)
        return [
            row for row in rows
            if not (row["kind"] == "event" and row["id"].startswith(names))
            and not (row["kind"] == "link" and row["event"].startswith(names))
        ]  # fmt: skip

    write_judgements(corpus_files / "people.jsonl", without(corpus.people, "t0", "t3"))
    write_judgements(corpus_files / "machine.jsonl", without(corpus.machine, "t3", "t5", "t9"))
    said = run("score", "s2.jsonl", *POWERED, "-m", "nu.f", "-f", "jsonl")
    row = rows_of(said)[0]
    assert (row["n"], row["further"], row["left_out"]) == (5, 11, 4)
    assert "4 topics without a score" in run("score", "s2.jsonl", *POWERED, "-m", "nu.f").out


def test_what_the_machine_abstained_on_is_not_in_a_sample(run, corpus_files, corpus):
    kept = [row for row in corpus.people if not (row.get("id") or "").endswith("-19")]
    kept = [row for row in kept if not row.get("sentence", "").endswith("-19")]
    write_judgements(corpus_files / "people.jsonl", kept)
    powered = (*POWERED, "--sampled", "-m", "u.precision", "-f", "jsonl")
    plain = rows_of(run("score", "s3.jsonl", *powered))[0]
    chosen = next(row["sentence"] for row in corpus.runs["s3"] if row["topic"] == "t0")
    abstained = {"kind": "abstention", "sentence": chosen, "author": "model"}
    told = [row for row in corpus.machine if row.get("sentence") != chosen]
    write_judgements(corpus_files / "machine.jsonl", [*told, abstained])
    left = rows_of(run("score", "s3.jsonl", *powered))[0]
    assert left["people"] != plain["people"]
    own = [r["sentence"] for r in corpus.runs["s3"] if r["topic"] == "t0"]
    judged = {r["sentence"] for r in kept if r["kind"] == "link" and r["verdict"] == "kept"}
    both = [name in judged for name in own if not name.endswith("-19")]
    without = [name in judged for name in own if not name.endswith("-19") and name != chosen]
    shift = (np.mean(without) - np.mean(both)) / 8
    assert left["people"] - plain["people"] == pytest.approx(shift)


def test_a_machine_among_the_authors_gives_the_same_powered_scores(run, corpus_files):
    apart = run("score", *SYSTEMS, *POWERED, "-m", "u", "-f", "csv")
    together = run(
        "score", *SYSTEMS, "--judgements", "together.jsonl", "--machine", "model", "--ppi",
        "-m", "u", "-f", "csv",
    )  # fmt: skip
    assert apart.out == together.out


def test_folders_of_people_and_machines_are_read_whatever_their_files_are_called(run, corpus_files):
    alone = run("score", *SYSTEMS, *POWERED, "-m", "nu.f", "-f", "csv")
    for side in ("people", "machine"):
        (corpus_files / side / "more").mkdir(parents=True)
        (corpus_files / f"{side}.jsonl").rename(corpus_files / side / "more" / "links.jsonl")
        (corpus_files / side / "notes.txt").write_text("nothing to see here")
    folders = ("--judgements", "people", "--machine", "machine", "--ppi")
    assert run("score", *SYSTEMS, *folders, "-m", "nu.f", "-f", "csv").out == alone.out
    assert "May model replace" in run("agree", "people", "--machine", "machine").out
    (corpus_files / "machine" / "more" / "links.jsonl").unlink()
    said = run("score", *SYSTEMS, *folders, "-m", "nu.f", code=3)
    assert "machine: holds no judgements" in said.err


def test_powered_scores_print_value_interval_weight_and_worth(run, corpus_files):
    said = run("score", *SYSTEMS, "--ppi", *POWERED[:-1], "-m", "nu.f")
    assert "λ" in said.out
    assert "human topics" in said.out
    assert "people alone" in said.out
    assert "Student's with n − 2 degrees of freedom" in said.out
    drawn = run("score", *SYSTEMS, *POWERED, "bootstrap", "-m", "nu.f", "--plot", "p.svg")
    assert "bootstrap interval over topics, people's and further ones drawn separately" in drawn.out
    assert (corpus_files / "p.svg").read_text().startswith("<?xml")


def test_few_topics_that_are_mostly_zero_are_pointed_out(tmp_path):
    rng = np.random.default_rng(2)
    values = {f"t{n}": float(n in (1, 4, 9)) * (n + 1) / 12 for n in range(12)}
    for name, known in (("people", 6), ("machine", 12)):
        rows = [
            {"system": "mine", "topic": topic, "measure": "rouge1", "part": "f", "value": value}
            for topic, value in [*values.items()][:known]
        ]
        for row in rows if name == "machine" else ():
            row["value"] += 0.05 * rng.random()
        write_lines(tmp_path / f"{name}.jsonl", rows)
    people, machine = (cs.load_scores(tmp_path / f"{n}.jsonl") for n in ("people", "machine"))
    with pytest.warns(cs.ChronoscoreWarning, match="4 of 6 topics are scored 0 by people"):
        people.ppi(machine)


def test_differences_are_means_of_differences_and_not_differences_of_means(run, corpus_files):
    said = run("compare", *SYSTEMS, *POWERED, "-m", "nu.f", "--baseline", "s0", "-f", "jsonl")
    rows = rows_of(said)
    assert [(row["system"], row["other"]) for row in rows] == [(f"s{n}", "s0") for n in (1, 2, 3)]
    y, f = (
        {
            topic: value - per_topic(corpus_files, name, "f", "s0")[topic]
            for topic, value in per_topic(corpus_files, name, "f", "s3").items()
        }
        for name in ("people.jsonl", "machine.jsonl")
    )
    both = [topic for topic in y if topic in f]
    expected = powered_mean(
        np.array([y[t] for t in both]),
        np.array([f[t] for t in both]),
        np.array([f[t] for t in f if t not in y]),
    )
    assert rows[2]["value"] == pytest.approx(expected.value)
    assert rows[2]["p"] == pytest.approx(expected.p)
    assert rows[2]["lambda"] == pytest.approx(expected.weight)
    ordered = sorted(rows, key=lambda row: row["p"])
    assert ordered[0]["adjusted"] == pytest.approx(min(1, 3 * ordered[0]["p"]))
    assert ordered[1]["adjusted"] == pytest.approx(
        max(ordered[0]["adjusted"], min(1, 2 * ordered[1]["p"]))
    )
    heading, _, first = run("compare", *SYSTEMS, *POWERED, "-m", "nu.f").out.splitlines()[1:4]
    assert "p (Holm)" in heading
    assert heading.split()[-4:] == ["n", "N", "people", "alone"]
    assert re.search(r"human topics +\d+ +\d+ ", first)


@pytest.mark.parametrize(
    ("judged", "further", "words"),
    [
        (4, 6, "4 topics are judged both by people and by the machine"),
        (6, 0, "no further topic is judged by the machine alone"),
    ],
)
def test_too_few_topics_are_refused_with_a_sentence(run, tmp_path, judged, further, words):
    Corpus(judged, further).write(tmp_path)
    said = run("score", "s0.jsonl", *POWERED, code=3)
    assert words in said.err


def test_no_topic_with_both_is_refused_with_a_sentence(run, corpus_files):
    rows = [*topic_rows("x", 3, 1), link("x", 0, 0, "ann")]
    write_judgements(corpus_files / "people.jsonl", rows)
    ranking = (corpus_files / "s0.jsonl").read_text() + '{"topic": "x", "sentence": "x-0"}\n'
    (corpus_files / "s0.jsonl").write_text(ranking)
    said = run("score", "s0.jsonl", *POWERED, code=3)
    assert "no topic is judged both by people and by the machine" in said.err


def test_a_system_with_a_topic_that_nobody_judged_is_refused(run, corpus_files):
    ranking = (corpus_files / "s0.jsonl").read_text() + '{"topic": "x", "sentence": "x-0"}\n'
    (corpus_files / "s0.jsonl").write_text(ranking)
    assert "no such topic 'x'" in run("score", "s0.jsonl", *POWERED, code=3).err


def test_a_machine_that_links_nothing_tells_nothing_and_says_so(run, corpus_files, corpus):
    bare = [row for row in corpus.machine if row["kind"] != "link"]
    write_judgements(corpus_files / "machine.jsonl", bare)
    said = run("score", "s0.jsonl", *POWERED, "-m", "u.precision", "-f", "jsonl")
    assert "the machine gives all topics that people judged the same score" in said.err
    row = rows_of(said)[0]
    assert row["lambda"] == 0
    assert (row["value"], row["low"]) == (row["people"], row["people_low"])


def test_timelines_have_no_judge(run, tmp_path):
    (tmp_path / "mine.txt").write_text("2031-03-12\nThe dam broke.\n--------\n")
    said = run(
        "score", "mine.txt", "-r", "mine.txt", "-m", "align+", "--machine", "mine.txt", "--ppi",
        code=2,
    )  # fmt: skip
    assert "--machine is for rankings of judged topics" in said.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*POWERED[2:], "--average", "micro"), "are means over topics"),
        (("--machine", "a", "--machine", "b", "--ppi"), "name one machine"),
        (("--machine", "ann", "--machine", "machine.jsonl", "--ppi"), "name one machine"),
        (("--machine", "bob2", "--ppi"), "did you mean 'bob'"),
    ],
)
def test_options_that_do_not_fit_are_refused(run, corpus_files, words, message):
    said = run("score", "s0.jsonl", "--judgements", "people.jsonl", *words, code=2)
    assert message in said.err


def test_people_may_judge_a_random_sample_of_the_sentences_of_topics(run, corpus_files, corpus):
    rng = np.random.default_rng(3)
    rows, kept = [], set()
    for row in corpus.people:
        if row["kind"] == "sentence" and rng.random() < 0.5:
            continue
        if row["kind"] == "sentence":
            kept.add(row["id"])
        if row["kind"] == "link" and row["sentence"] not in kept:
            continue
        rows.append(row)
    write_judgements(corpus_files / "people.jsonl", rows)
    # Not said to be a sample, it looks like another version of the stories.
    assert "another version" in run("score", *SYSTEMS, *POWERED, "-m", "u", code=3).err
    powered = (*POWERED, "--sampled")
    said = run("score", *SYSTEMS, *powered, "-m", "u", "-f", "jsonl")
    found = rows_of(said)
    assert {row["part"] for row in found} == {"precision"}
    judged = {r["sentence"] for r in rows if r["kind"] == "link" and r["verdict"] == "kept"}
    told = {r["sentence"] for r in corpus.machine if r["kind"] == "link"}
    chosen = {f"t{n}": [] for n in range(20)}
    for row in corpus.runs["s2"]:
        chosen[row["topic"]].append(row["sentence"])
    means = np.array([np.mean([name in told for name in own]) for own in chosen.values()])
    samples = [
        SampledTopic(
            np.array([float(name in judged) for name in own if name in kept]),
            np.array([float(name in told) for name in own if name in kept]),
            np.array([float(name in told) for name in own]),
        )
        for own in [*chosen.values()][:8]
    ]
    corrected, within = correct_topics(samples)
    alone = np.array([sample.people.mean() for sample in samples])
    expected = powered_mean(corrected, means[:8], means[8:], alone=alone, bounds=(0, 1))
    row = next(row for row in found if row["system"] == "s2")
    assert row["people"] == pytest.approx(alone.mean())
    assert row["lambda_within"] == pytest.approx(within)
    assert (row["value"], row["low"]) == pytest.approx((expected.value, expected.low))
    assert (
        "not a mean over sentences, so left out: u.recall, u.f"
        in run("score", *SYSTEMS, *powered, "-m", "u").out
    )
    said = run("score", *SYSTEMS, *powered, "-m", "nu", code=2)
    assert "people judged a sample of its sentences, and 'nu' is not a mean" in said.err


def test_assigned_nuggets_are_powered_by_the_machines_assignments(run, tmp_path):
    topics = [f"t{n}" for n in range(14)]
    rows = nugget_rows(topics, authors=("ann", "model"))
    first = set(topics[:6])
    write_lines(tmp_path / "nuggets.jsonl", [r for r in rows if r["kind"] == "nugget"])
    people = [r for r in rows if r.get("author") == "ann" and r["topic"] in first]
    write_lines(tmp_path / "people.jsonl", people)
    write_lines(tmp_path / "machine.jsonl", [r for r in rows if r.get("author") == "model"])
    said = run(
        "score", "people.jsonl", "--judgements", "nuggets.jsonl", "--machine", "machine.jsonl",
        "--ppi", "-m", "nuggets", "-f", "jsonl",
    )  # fmt: skip
    row = next(r for r in rows_of(said) if (r["system"], r["part"]) == ("c", "vital_strict"))
    supported = {
        author: [
            np.mean([
                r["label"] == "support" for r in rows
                if r.get("author") == author and r["topic"] == t and r["system"] == "c"
                and r["nugget"] in ("n1", "n3")
            ])
            for t in topics
        ]
        for author in ("ann", "model")
    }  # fmt: skip
    y, f = np.array(supported["ann"][:6]), np.array(supported["model"])
    expected = powered_mean(y, f[:6], f[6:])
    assert row["value"] == pytest.approx(expected.value)
    assert row["lambda"] == pytest.approx(expected.weight)
    # Where the machine abstained, its other labels count.
    abstained = {**rows[-1], "kind": "abstention"} | {"topic": "t13", "system": "c"}
    del abstained["label"]
    machine = [r for r in rows if r.get("author") == "model"]
    left = [
        r for r in machine
        if (r["topic"], r["system"], r["nugget"]) != ("t13", "c", abstained["nugget"])
    ]  # fmt: skip
    write_lines(tmp_path / "machine.jsonl", [*left, abstained])
    # A sample of the nuggets will do, and the machine's other labels correct for it.
    write_lines(tmp_path / "people.jsonl", [r for r in people if r["nugget"] != "n4"])
    said = run(
        "score", "people.jsonl", "--judgements", "nuggets.jsonl", "--machine", "machine.jsonl",
        "--ppi", "--sampled", "-m", "nuggets",
    )  # fmt: skip
    assert "people judged a sample of the nuggets of 6 topics" in said.out
    # An abstention is neither in the sample nor a label "none".
    gone = {r["topic"]: r for r in people if r["system"] == "c" and r["nugget"] == "n0"}
    abstained = [
        {k: v for k, v in r.items() if k != "label"} | {"kind": "abstention"} for r in gone.values()
    ]
    kept = [r for r in people if r["nugget"] != "n4" and r not in gone.values()]
    write_lines(tmp_path / "people.jsonl", [*kept, *abstained])
    said = run(
        "score", "people.jsonl", "--judgements", "nuggets.jsonl", "--machine", "machine.jsonl",
        "--ppi", "--sampled", "-m", "nuggets.all_strict", "-f", "jsonl",
    )  # fmt: skip
    own = {t: [r["label"] == "support" for r in kept if (r["topic"], r["system"]) == (t, "c")]
           for t in gone}  # fmt: skip
    row = next(r for r in rows_of(said) if r["system"] == "c")
    assert row["people"] == pytest.approx(np.mean([np.mean(labels) for labels in own.values()]))


def test_two_results_are_combined_in_python_whatever_they_score():
    rng = np.random.default_rng(1)
    words = ["the", "old", "dam", "broke", "valley", "flood", "rescue", "night"]

    def text():
        return " ".join(rng.choice(words, 6))

    topics = [f"t{n}" for n in range(12)]
    gold = {topic: text() for topic in topics}
    runs = {name: {topic: text() for topic in topics} for name in ("mine", "lead")}
    known = {name: {t: own[t] for t in topics[:6]} for name, own in runs.items()}
    people = cs.score(known, {t: gold[t] for t in topics[:6]}, "rouge1")
    machine = cs.score(runs, {t: gold[t] + " valley" for t in topics}, "rouge1")
    powered = people.ppi(machine)
    figure = powered["mine", "rouge1.f"]
    assert figure.low < figure.value < figure.high
    assert powered.to_pandas()["further"].tolist() == [6] * 6
    assert powered.compare("lead").rows()[0]["other"] == "lead"
    assert "people alone" in powered._repr_html_()
    assert "PoweredResult" in repr(powered)
    with pytest.raises(UsageError, match="no scores by a machine"):
        people.ppi()
    with pytest.raises(WrongTypeError, match="not a result"):
        people.ppi("machine")
    with pytest.raises(UsageError, match="interval"):
        people.ppi(machine, interval="normall")
    with pytest.raises(cs.DataError, match="system 'lead' has scores by people and none"):
        people.ppi(cs.score({"mine": runs["mine"]}, gold, "rouge1"))


def test_measures_that_are_no_means_over_topics_are_refused():
    runs = {"mine": {f"t{n}": {"2031-03-12": "the dam broke"} for n in range(9)}}
    gold = {f"t{n}": {"2031-03-12": "the old dam broke"} for n in range(9)}
    result = cs.score(runs, gold, "align+")
    with pytest.raises(UsageError, match="means over topics"):
        result.ppi(result)


def test_what_a_machine_assigned_is_not_put_down_to_people(tmp_path):
    rows = nugget_rows([f"t{n}" for n in range(6)], authors=("ann", "bot"), error=0.5)
    together = write_lines(tmp_path / "together.jsonl", rows)
    sides = {
        name: write_lines(
            tmp_path / f"{name}.jsonl", [row for row in rows if row.get("author", name) == name]
        )
        for name in ("ann", "bot")
    }
    found = cs.score(together, None, "nuggets", judgements=together, machine="bot")
    for result, name in ((found, "ann"), (found.machine, "bot")):
        alone = cs.score(sides[name], None, "nuggets", judgements=sides[name])
        assert [one.value for one in result.averages] == [one.value for one in alone.averages]
