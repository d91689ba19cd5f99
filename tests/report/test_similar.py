"""Explanations of similarity: the rows add up to the figures that they explain."""

import re
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.cli import main
from chronoscore.core import Timeline, Topic
from chronoscore.explanations import explain
from chronoscore.measures import parse_measure_text
from chronoscore.reports.explanation import tables
from chronoscore.reports.rails import page_data
from chronoscore.reports.tables import Table

GOLD = Timeline.of(
    {"2010-01-01": ["The dam broke.", "Rain fell."], "2010-01-04": "A vote was held."}
)
OTHER = Timeline.of({"2010-01-02": "The dam burst."}, author="ann")
MINE = Timeline.of({"2010-01-02": "The dam broke.", "2010-02-01": "The <king> abdicated."})
TOPIC = Topic(id="dam", timelines=(GOLD,))


def column(table: Table, name: str) -> list[str]:
    place = table.columns.index(name)
    return [row[place].text for row in table.rows]


def test_pairs_are_listed_with_what_nothing_is_matched_with() -> None:
    (table,) = tables(explain(parse_measure_text("pairs"), TOPIC, MINE))
    assert column(table, "reference") == ["2010-01-01", "2010-01-01", "2010-01-04", "–"]
    assert column(table, "system") == ["2010-01-02", "–", "–", "2010-02-01"]
    assert column(table, "days") == ["1", "", "", ""]
    assert column(table, "similarity") == ["1.000", "", "", ""]
    assert column(table, "reference says")[1] == "Rain fell."
    assert (
        "1 pairs are at least 0.25 alike; units: 3 of the reference, 2 of the system" in table.notes
    )
    assert "p 0.5000, r 0.3333, f 0.4000" in table.notes[1]


def test_pairs_are_listed_for_each_reference() -> None:
    topic = Topic(id="dam", timelines=(GOLD, OTHER))
    drawn = tables(explain(parse_measure_text("pairs"), topic, MINE))
    assert [table.title for table in drawn] == ["dam, reference 1: pairs", "dam, ann: pairs"]


@pytest.mark.parametrize(("part", "place"), [("p", 0), ("r", 1)])
@pytest.mark.parametrize("references", [(GOLD,), (GOLD, OTHER)])
def test_what_days_are_worth_adds_up_to_the_figure(
    part: str, place: int, references: tuple[Timeline, ...]
) -> None:
    measure = parse_measure_text(f"align+(similarity=mixed,credit=similarity).{part}")
    topic = Topic(id="dam", timelines=references)
    (table,) = tables(explain(measure, topic, MINE))
    name = {"p": "precision", "r": "recall"}[part]
    value = measure.values(measure.tally([(topic, MINE)]))[0, place]
    assert sum(map(float, column(table, name))) == pytest.approx(value, abs=2e-4)
    assert f": {value:.4f}, the sum of the column" in table.notes[0]


def test_days_that_count_their_words_show_how_alike_they_are() -> None:
    (table,) = tables(explain(parse_measure_text("align+(similarity=embed)"), TOPIC, MINE))
    assert [bool(text) for text in column(table, "similarity")] == [True, True]
    (plain,) = tables(explain(parse_measure_text("align+"), TOPIC, MINE))
    assert "similarity" not in plain.columns


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_a_page_shows_both_texts_and_escapes_them(tmp_path: Path) -> None:
    for measure in ("pairs", "align+(credit=similarity)"):
        page = cs.explain({"mine": {"dam": MINE}}, {"dam": GOLD}, measure).render("html")
        assert "The &lt;king&gt; abdicated." in page
        assert "<king>" not in page
    path = cs.report({"mine": {"dam": MINE}}, {"dam": GOLD}, "pairs", path=tmp_path / "r.html")
    assert "pairs.f" in path.read_text()


def test_a_report_has_the_whole_texts_of_pairs_and_the_similarity_of_days() -> None:
    long = " ".join(["A very long sentence about the dam"] * 9)
    topic, output = Topic(id="dam", timelines=(GOLD,)), Timeline.of({"2010-01-01": long})
    for measure in ("pairs", "align+(credit=similarity)"):
        page = page_data(explain(parse_measure_text(measure), topic, output))["html"]
        assert page.replace("<mark>", "").replace("</mark>", "").count(long) == 1
    for measure, fields in (("align+", 5), ("align+(similarity=tfidf)", 6)):
        links = page_data(explain(parse_measure_text(measure), topic, output))["sides"]["recall"][
            "links"
        ]
        assert {len(link) for link in links} == {fields}


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    printed = capsys.readouterr()
    assert ended.value.code == 0, printed.err
    return printed.out


RUNS = [demo.RUNS / "lead", demo.RUNS / "headlines"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
@pytest.mark.parametrize("measure", ["pairs(similarity=embed)", "align+(similarity=mixed)"])
def test_every_command_takes_a_similarity(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, measure: str
) -> None:
    cache = tmp_path / "vectors.sqlite"
    asked = ("--reference", demo.CORPUS, "-m", measure, "--cache", cache)
    scored = said(capsys, "score", *RUNS, *asked, "-f", "csv", "--rows", "averages")
    assert cache.stat().st_size > 10_000
    by_python = cs.score(RUNS, demo.CORPUS, measure)
    assert scored == by_python.render("csv", "averages")
    assert measure in said(capsys, "compare", *RUNS, *asked)
    assert "similarity" in said(capsys, "explain", RUNS[0], *asked, "-t", "dam")
    page = tmp_path / "page.html"
    said(capsys, "report", *RUNS, *asked, "-o", page)
    assert measure in page.read_text()


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
@pytest.mark.parametrize("measure", ["pairs({},threshold=0.4)", "align+m1({},credit=similarity)"])
def test_a_table_of_similarities_scores_as_the_model_does(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, measure: str
) -> None:
    table = tmp_path / "values.jsonl"
    by_model, by_file = (
        measure.format(f"similarity={name}") for name in ("mixed", f"file(path={table})")
    )
    asked = (*RUNS, "--reference", demo.CORPUS, "-m", by_model)
    said(capsys, "similarities", *asked, "-f", "jsonl", "-o", table)
    assert table.read_text() == cs.similarities(RUNS, demo.CORPUS, by_model).render("jsonl")
    figures = [
        [(row["system"], row["topic"], row["part"], row["value"]) for row in result.rows()]
        for result in (cs.score(RUNS, demo.CORPUS, name) for name in (by_model, by_file))
    ]
    assert figures[0] == figures[1]
    assert "pairs; the formats" in said(capsys, "similarities", *asked)


def test_only_a_measure_with_a_similarity_has_a_table_of_them() -> None:
    with pytest.raises(cs.UsageError, match="has no similarity; name pairs"):
        cs.similarities({"mine": {"dam": MINE}}, {"dam": GOLD}, "dates")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_several_processes_give_the_same_figures(tmp_path: Path) -> None:
    measures = ["pairs(similarity=mixed)", "align+(similarity=embed)"]
    results = []
    for jobs in (1, 2):
        with cs.use_cache(tmp_path / f"{jobs}.sqlite"):
            results.append(cs.score(RUNS, demo.CORPUS, measures, jobs=jobs).render("json", "all"))
    assert results[0] == results[1]
    assert (tmp_path / "2.sqlite").stat().st_size > 10_000


def test_the_list_marks_what_needs_an_extra(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["list"], ["list", "pairs"], ["list", "align+"]):
        out = said(capsys, *words)
        assert "words, tfidf, embed*, mixed*, file, soft*, module:function" in out
        assert re.search(r"\* needs pip install wordllama \(installed\)", out)
    assert "embed*" not in said(capsys, "list", "rouge")


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_tfidf_reads_documents_and_signs_them(tmp_path: Path) -> None:
    beside = cs.score(RUNS, demo.CORPUS, "pairs(similarity=tfidf)")
    assert "|documents:154 " in beside.signature
    lead = {topic: cs.load_runs(RUNS[:1])[0].outputs[topic] for topic in beside.topics}
    collection = cs.load(demo.CORPUS)
    bare = cs.score(
        {"lead": lead}, {t.id: list(t.timelines) for t in collection}, "pairs(similarity=tfidf)"
    )
    assert "|documents:none" in bare.signature
    assert bare["lead", "pairs(similarity=tfidf).f"].value != pytest.approx(
        beside["lead", "pairs(similarity=tfidf).f"].value
    )
    assert "documents" not in cs.score(RUNS, demo.CORPUS, "pairs").signature
