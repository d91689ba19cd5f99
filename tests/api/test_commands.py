"""The functions behind the commands: the same figures, from paths, values and frames."""

import warnings
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.api.oracle import hard_instance, reference_frequencies
from chronoscore.api.summarize import list_systems, unit_baselines
from chronoscore.cli import main
from chronoscore.core import Rating
from chronoscore.errors import ChronoscoreWarning
from data_files import write_lines

TOPIC = {
    "id": "dam",
    "documents": [{"id": "d", "sentences": ["the dam broke", "rain fell", "people left town"]}],
    "references": [["the dam broke", "people left"]],
}


@pytest.fixture
def said(capsys):
    """What a command prints."""

    def call(*words):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ChronoscoreWarning)
            with pytest.raises(SystemExit):
                main([str(word) for word in words])
        return capsys.readouterr().out

    return call


def scores(offset=0.0):
    """Six systems on two topics whose scores follow their ratings but for one pair."""
    return [
        {"system": f"s{n}", "topic": t, "measure": "m", "part": "f", "value": value + offset}
        for n, value in enumerate((0.1, 0.2, 0.3, 0.4, 0.6, 0.5))
        for t in ("a", "b")
    ]


def ratings():
    """The systems' ratings: 0 to 5."""
    return [
        {"system": f"s{n}", "topic": t, "rating": "overall", "value": n}
        for n in range(6)
        for t in ("a", "b")
    ]


def test_an_oracle_of_records_chooses_the_sentences_that_match():
    best = cs.oracle([TOPIC], "rouge1", budget="5w")
    (row,) = best.rows()
    # Of the five words of the reference, 'the dam broke' has three; 'rain fell' adds none,
    # and 'people left town' does not fit.
    assert row["value"] == pytest.approx(3 / 5)
    assert row["sentences"] == [["d", 0]]
    assert cs.oracle(TOPIC, "rouge1", budget="6w").rows()[0]["value"] == 1.0


def test_an_oracle_prints_what_its_command_prints(said):
    printed = said("oracle", demo.CORPUS, "-m", "align+(n=1)", "--dates", 3, "--per-date", 1)
    best = cs.oracle(demo.CORPUS, "align+(n=1)", dates=3, per_date=1)
    assert best.render() == printed
    assert str(best) == printed.strip("\n")
    assert "<table" in best._repr_html_()


def test_a_limit_in_the_measure_is_a_budget():
    by_limit = cs.oracle(str(demo.CORPUS), "rouge1(limit=20w)", methods="greedy")
    by_budget = cs.oracle(demo.CORPUS, "rouge1", methods=["greedy"], budget="20w")
    assert by_limit.rows() == by_budget.rows()


def test_selected_texts_of_several_measures_do_not_overwrite_each_other(tmp_path):
    best = cs.oracle(demo.CORPUS / "dam", ["align", "align+"], dates=2, per_date=1)
    best.write_run(tmp_path)
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.txt"))
    assert len(written) == len(best.rows()) == len({*written})


@pytest.mark.slow
def test_ceilings_and_frequencies_print_what_their_commands_print(said):
    assert cs.ceilings(demo.CORPUS, "rouge1", budget="20w").render("json") == said(
        "oracle", "ceilings", demo.CORPUS, "-m", "rouge1", "--budget", "20w", "-f", "json"
    )
    assert reference_frequencies(demo.CORPUS, budget="20w").render() == said(
        "oracle", "frequencies", demo.CORPUS, "--budget", "20w"
    )


def test_a_hard_instance_is_solved_as_the_graph_says():
    hard = hard_instance(20).data
    assert hard.dominated == hard.dominating
    assert not hard.contradicted


def test_measures_are_checked_on_timelines_from_anywhere(said, tmp_path):
    gold = {"dam": {"2010-05-06": "The dam broke.", "2010-05-09": "People left the town."}}
    result = cs.check("align+", gold)
    removed = {row["part"]: row["change"] for row in result.rows() if row["test"] == "remove"}
    # One of two dates is gone: what is left is right.
    assert removed["p"] == pytest.approx(0.0)
    assert removed["r"] < 0
    assert result.faults() == []
    pattern = f"{demo.CORPUS}/*/timelines"
    folders = sorted(demo.CORPUS.glob("*/timelines"))
    words = [word for folder in folders for word in ("--on", folder)]
    assert cs.check(["align+", "concat"], pattern).render() == said(
        "check", "align+", "concat", *words
    )


def test_the_faults_that_a_measure_states_are_known():
    result = cs.check("concat", demo.CORPUS)
    assert result.faults() == []
    assert result.faults(known=True)


def test_a_correlation_is_that_of_the_system_means():
    result = cs.correlate(scores(), ratings(), by="system", coefficients="kendall-b")
    (row,) = result.rows()
    # Of 15 pairs of systems, one is the wrong way around.
    assert row["value"] == pytest.approx((14 - 1) / 15)
    assert row["n"] == 6


def test_frames_records_files_and_results_correlate_alike(said, tmp_path):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    table, judged = tmp_path / "scores.jsonl", tmp_path / "ratings.csv"
    write_lines(table, scores())
    pandas.DataFrame(ratings()).to_csv(judged, index=False)
    printed = said("correlate", table, "--ratings", judged, "-f", "jsonl")
    objects = [
        Rating(system=r["system"], topic=r["topic"], rating=r["rating"], value=float(r["value"]))
        for r in ratings()
    ]
    for left, right in (
        (table, str(judged)),
        ([table], [judged]),
        (scores(), ratings()),
        (scores(), objects),
        (pandas.DataFrame(scores()), pandas.DataFrame(ratings())),
        (polars.DataFrame(scores()), polars.DataFrame(ratings())),
        (cs.load_scores(table), ratings()),
    ):
        assert cs.correlate(left, right).render("jsonl") == printed


def test_a_missing_topic_in_a_frame_is_a_rating_of_the_whole_system():
    pandas = pytest.importorskip("pandas")
    whole = pandas.DataFrame([{**row, "topic": None} for row in ratings()[::2]])
    result = cs.correlate(pandas.DataFrame(scores()), whole)
    assert {row["level"] for row in result.rows()} == {"system"}


def test_measures_are_tested_against_each_other():
    both = scores() + [{**row, "measure": "other"} for row in scores(0.1)]
    result = cs.correlate(both, ratings(), by="system", test="williams")
    assert result.data.differences is not None
    (row,) = result.rows()
    assert row["difference"] == pytest.approx(0.0)


def test_agreement_of_paths_and_of_topics_is_the_same(said):
    path = demo.CORPUS / "dam" / "units.jsonl"
    printed = said("agree", path, "-f", "jsonl")
    assert cs.agree(path).render("jsonl") == printed
    assert cs.agree(cs.load(path, "rankings")).render("jsonl") == printed


@pytest.mark.slow
def test_a_system_gives_timelines_by_topic(said, tmp_path):
    made = cs.summarize(demo.CORPUS, "datewise", dates=3, sentences=1)
    assert sorted(made) == demo.demo_topics()
    assert all(len(timeline) == 3 for timeline in made.values())
    said("summarize", "datewise", demo.CORPUS, "-o", tmp_path / "command", "--dates", 3,
         "--sentences", 1)  # fmt: skip
    made.write_run(tmp_path / "python")
    for name in demo.demo_topics():
        file = f"{name}.txt"
        assert (tmp_path / "python" / file).read_text() == (tmp_path / "command" / file).read_text()
    frame = [{**row} for row in made.rows()]
    assert {row["topic"] for row in frame} == set(demo.demo_topics())
    assert {"system", "topic", "date", "text"} == set(frame[0])


def test_what_a_system_made_is_scored_as_it_is():
    made = cs.summarize(demo.CORPUS, "datewise", like=demo.CORPUS)
    result = cs.score({"mine": made}, str(demo.CORPUS), "align+")
    assert 0 < result["mine", "align+.f"].value < 1


def test_systems_run_on_topics_and_records():
    (topic,) = [topic for topic in cs.load(demo.CORPUS, documents=True) if topic.id == "dam"]
    from_topic = cs.summarize(topic, "lead-summary", words=20)
    from_path = cs.summarize(demo.CORPUS / "dam", "lead-summary", words=20)
    assert from_topic["dam"] == from_path["dam"]
    (summary,) = cs.summarize(TOPIC, "lead-summary", words=3).values()
    assert summary.sentences[0] == "the dam broke"


def test_unit_baselines_and_the_list_of_systems_print_what_the_command_prints(said):
    with pytest.warns(ChronoscoreWarning, match="9 of 12 topics have no content units"):
        baselines = unit_baselines(demo.CORPUS, demo.CORPUS, runs=3)
    assert baselines.render() == said(
        "summarize", "unit-baselines", demo.CORPUS, "--units", demo.CORPUS, "--runs", 3
    )
    assert list_systems().render() == said("summarize", "--list")
    assert "datewise" in {row["system"] for row in list_systems().rows()}


def test_a_conversion_is_text_or_files(said, tmp_path):
    source = demo.CORPUS / "dam" / "timelines"
    assert cs.convert(source).text("csv") == said("convert", source, "--to", "csv")
    cs.convert(source).save(tmp_path / "gold.jsonl")
    again = cs.convert(tmp_path / "gold.jsonl")
    assert [one.timeline for one in again.timelines] == [
        one.timeline for one in cs.convert(source).timelines
    ]
    note = cs.convert(b"- 2010-05-06: The dam broke.\n")
    assert str(note.timelines[0].timeline.entries[0].when) == "2010-05-06"


def test_a_fit_is_saved_and_predicts(tmp_path):
    rows = [
        {"system": f"s{n}", "topic": "a", "measure": "x", "part": part, "value": value}
        for n in range(8)
        for part, value in (("ab", n % 3 / 10), ("bb", n / 10))
    ]
    people = [
        {"system": f"s{n}", "topic": "a", "rating": "overall", "value": 1 - n % 3 / 10 + n / 5}
        for n in range(8)
    ]
    fitted = cs.fit_novelty(rows, people)
    (row,) = fitted.rows()
    assert (row["constant"], row["earlier"], row["update"]) == pytest.approx((1, -1, 2))
    fitted.save(tmp_path / "mine.json")
    predicted = cs.novelty(rows, str(tmp_path / "mine.json"), target="overall")
    values = {row["system"]: row["value"] for row in predicted.rows()}
    assert values["s5"] == pytest.approx(1 - 0.2 + 1.0)


PLANTED = "novelty(base=planted:f,coefficients=none)"


def test_reading_scores_imports_no_code(said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("planted.py").write_text(
        "open('touched', 'w').close()\ndef f(output, references): return 1\n"
    )
    rows = [
        {"system": f"s{n}", "topic": "a", "measure": PLANTED, "part": part, "value": n / 10 + more}
        for n in range(8)
        for part, more in (("ab", n % 3 / 10), ("bb", 0.0))
    ]
    people = [
        {"system": f"s{n}", "topic": "a", "rating": "overall", "value": n % 5} for n in range(8)
    ]
    write_lines(Path("scores.jsonl"), rows)
    write_lines(Path("ratings.jsonl"), people)
    said("novelty", "predict", "scores.jsonl", "-c", "tac2008-r2")
    said("novelty", "fit", "scores.jsonl", "ratings.jsonl", "-o", "mine.json")
    said("novelty", "study", "scores.jsonl", "ratings.jsonl", "--draws", "5")
    said("novelty", "predict", "scores.jsonl", "-c", "mine.json", "--target", "overall")
    said("correlate", "scores.jsonl", "--ratings", "ratings.jsonl", "--resamples", "5")
    cs.load_scores("scores.jsonl")
    cs.novelty(rows, "tac2008-r2")
    assert not Path("touched").exists()
    # What the user names is imported, and the file would have told.
    cs.parse_measure("planted:f")
    assert Path("touched").exists()
