"""The content-unit baselines: every order by hand, and the table of the paper."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wilcoxon

from chronoscore import demo
from chronoscore.core import Pyramid, Selection, Topic
from chronoscore.data import source_files, sources
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import timeml
from chronoscore.measures.units.pyramid import PyramidMeasure
from chronoscore.reports.systems import baseline_pair_table, baseline_table
from chronoscore.systems import parse_system
from chronoscore.systems.unit_scores import BaselineScores, baseline_scores, pairwise_p
from chronoscore.systems.units import (
    BASELINES,
    SectionedArticle,
    TaggedSentence,
    UnitBaseline,
    article_of,
)
from systems.small_topics import FLOOD


def told(events: str, *, dated: bool = False) -> TaggedSentence:
    return TaggedSentence(tuple(Selection(one) for one in events.split()), dated)


# Two sections: a with three sentences, b with one; c holds nothing but a sentence.
ARTICLE = SectionedArticle(
    "x",
    (
        (told("a1 a2"), told("a3", dated=True), told("a4 a5", dated=True)),
        (told("b1 b2 b3"),),
        (told(""), told("c1", dated=True)),
    ),
)


def chosen(name: str, n: int, **changes: object) -> list[str]:
    system = parse_system(f"units-{name}").with_parameters(n=n, **changes)
    assert isinstance(system, UnitBaseline)
    return [selection.sentence for selection in system.select(ARTICLE)]


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("1", 5, "a1 b1 c1 a2 b2"),
        ("1", 7, "a1 b1 c1 a2 b2 a3 b3"),
        ("1b", 3, "a3 c1 a4"),
        ("2", 5, "a5 b3 c1 a4 b2"),
        ("5", 4, "a1 a2 a3 a4"),
        ("6", 4, "c1 b3 b2 b1"),
        ("7", 5, "a1 a2 b1 b2 b3"),
        ("7", 6, "a1 a2 b1 b2 b3 c1"),
        ("8", 3, "a4 a5 b1 b2 b3"),
    ],
)
def test_events_are_taken_in_the_order_of_the_baseline(name: str, n: int, expected: str) -> None:
    assert chosen(name, n) == expected.split()


def test_the_last_sentence_may_be_cut_where_the_budget_ends() -> None:
    assert chosen("8", 3, truncated=True) == ["a4", "a5", "b1"]


@pytest.mark.parametrize("name", ["3", "4", "9", "10"])
def test_random_baselines_choose_from_all_over(name: str) -> None:
    found = {tuple(chosen(name, 5 if name == "9" else 3, seed=seed)) for seed in range(60)}
    assert len(found) > 2
    assert {one for run in found for one in run} == {
        event.sentence for section in ARTICLE.sections for one in section for event in one.events
    }
    if name == "3":
        # One event of each section.
        assert all({one[0] for one in run} == set("abc") for run in found)


def test_too_few_events_with_dates_are_refused() -> None:
    with pytest.raises(DataError, match="has 4 events in sentences with a date and 5 are asked"):
        chosen("1b", 5)


def test_articles_with_too_few_are_left_out_of_many_and_reported() -> None:
    system = parse_system("units-1b").with_parameters(n=4)
    assert isinstance(system, UnitBaseline)
    bare = SectionedArticle("y", (ARTICLE.sections[1],))
    with pytest.warns(ChronoscoreWarning, match="1 of 2 articles have too few .* 'y' first"):
        assert list(system.select_all([ARTICLE, bare])) == ["x"]
    with pytest.raises(DataError, match="no article has enough"):
        system.select_all([bare])


def test_an_earlier_choice_ranks_higher() -> None:
    found = parse_system("units-1").with_parameters(n=4)
    assert isinstance(found, UnitBaseline)
    scores = [selection.score for selection in found.select(ARTICLE)]
    assert scores == sorted(scores, reverse=True)


def test_a_topics_documents_are_sections_and_its_events_have_places() -> None:
    found = parse_system("units-1")(FLOOD, n=2)
    (first, second) = list(found)  # type: ignore[call-overload]
    text = {one.id: one.text for article in FLOOD.documents for one in article.sentences}
    assert text[first.sentence][first.start : first.end] == "broke"
    assert second.sentence.startswith("a2-s0")


def test_sections_of_timeml_stand_between_headings_without_the_introduction(tmp_path: Path) -> None:
    file = tmp_path / "x.tml"
    file.write_text(
        '<TimeML><DOCID>x</DOCID><TEXT>It <EVENT eid="e1" class="OCCURRENCE">began</EVENT>.\n\n'
        'History.\n\nIt <EVENT eid="e2" class="OCCURRENCE">grew</EVENT> in '
        '<TIMEX3 tid="t1" type="DATE" value="1900">1900</TIMEX3>.\n\n'
        "Of the years in between nothing at all is known.\n\n"
        'It <EVENT eid="e3" class="OCCURRENCE">fell</EVENT>.\n\nLegacy.\n\n'
        'It <EVENT eid="e4" class="OCCURRENCE">left</EVENT> traces.\n</TEXT></TimeML>'
    )
    article = article_of(timeml.load(file))
    found = [[e.event for one in section for e in one.events] for section in article.sections]
    assert found == [["x-e2", "x-e3"], ["x-e4"]]
    assert [one.dated for one in article.sections[0] if one.events] == [True, False]


def demo_topics() -> list[Topic]:
    folders = [demo.CORPUS / name for name in demo.summarized_topics()]
    return sources.with_unit_files(source_files.load_topics(folders), [demo.CORPUS])


def test_random_scores_are_means_of_their_runs() -> None:
    topics = demo_topics()
    found = baseline_scores(topics, n=8, runs=5, seed=3)
    row = found.baselines.index("4")
    measure = PyramidMeasure(n=8)
    pairs = [
        (topics[0], parse_system("units-4")(topics[0], n=8, seed=3 + turn)) for turn in range(5)
    ]
    expected = measure.values(measure.tally(pairs)).mean()
    assert found.values[row, 0] == pytest.approx(expected)


def test_what_cannot_be_computed_for_an_article_is_left_out_and_starred() -> None:
    topics = demo_topics()
    articles = [article_of(topic) for topic in topics]
    articles[0] = SectionedArticle(
        articles[0].id,
        tuple(
            tuple(TaggedSentence(n.events, False) for n in part) for part in articles[0].sections
        ),
    )
    with pytest.warns(ChronoscoreWarning, match="1 of 3 articles have too few events with dates"):
        found = baseline_scores(topics, n=8, runs=2, articles=articles)
    assert np.isnan(found.values[1]).tolist() == [True, False, False]
    said = baseline_table(found).markdown()
    assert "| 1b | like 1, events with dates only |" in said
    assert "*" in next(row for row in said.splitlines() if row.startswith("| 1b"))


def test_the_table_is_laid_out_as_the_papers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        found = baseline_scores(demo_topics(), runs=2)
    table = baseline_table(found)
    assert table.columns == ("ID", "Method", "Scores")
    assert [row[0].text for row in table.rows] == list(BASELINES)
    # In news the first sentences of articles tell what matters.
    means = dict(zip(found.baselines, found.means.tolist(), strict=True))
    assert means["1"] > means["3"] > means["2"]
    assert len(baseline_pair_table(found).rows) == 11


def test_pairs_are_pairwise_p_as_scipy_tests_them() -> None:
    values = np.random.default_rng(5).random((3, 11))
    p = pairwise_p(values)
    expected = wilcoxon(values[0], values[1], method="exact").pvalue
    assert p[0, 1] == p[1, 0] == pytest.approx(expected)
    values[0, 4] = np.nan
    assert pairwise_p(values)[0, 2] == pytest.approx(
        wilcoxon(np.delete(values[0], 4), np.delete(values[2], 4), method="exact").pvalue
    )


def test_topics_without_units_are_refused() -> None:
    with pytest.raises(DataError, match="has no content units"):
        baseline_scores([FLOOD])
    assert Pyramid(()).units == ()


def test_p_below_five_percent_is_marked() -> None:
    p = np.full((2, 2), np.nan)
    for value, marks in ((0.05, ""), (0.049, "*")):
        p[0, 1] = p[1, 0] = value
        scores = BaselineScores(("1", "2"), ("x",), np.ones((2, 1)), p)
        cells = [[(cell.text, cell.marks) for cell in row[1:]] for row in
                 baseline_pair_table(scores).rows]  # fmt: skip
        assert cells == [[("", ""), ("", "")], [(f"{value:.4f}", marks), ("", "")]]
