"""Timeline systems against hand computation and slower ways."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from chronoscore.core import Timeline, When
from chronoscore.errors import ChronoscoreWarning
from chronoscore.systems import SYSTEMS, parse_system
from chronoscore.systems.chieu_lee import sentence_interests
from chronoscore.systems.clust import markov_clusters
from chronoscore.systems.datewise import weigh_days
from chronoscore.systems.material import prepare_material
from chronoscore.systems.picking import (
    bm25_rank,
    find_knee_of_curve,
    nearest_to_centroid,
    select_without_repeats,
)
from chronoscore.systems.timelines import TimelineShape, TimelineSystem, wanted_timeline_shape
from chronoscore.systems.vectors import (
    dense,
    kmeans_clusters,
    normalize_vectors,
    reduce_dimensions,
    tfidf,
    word_count_vectors,
)
from chronoscore.systems.wilson import Edge, count_day_references, pagerank, rank_days
from systems.small_topics import FLOOD, document, line, topic

GOLD = Timeline.of({"2010-05-01": ["a", "b", "c"], "2010-05-02": ["d", "e"]})


def dates(found: object) -> list[str]:
    assert isinstance(found, Timeline)
    return [str(when) for when in found.dates]


def test_length_and_span_are_those_of_the_reference() -> None:
    shape = wanted_timeline_shape(topic(like=GOLD), None, None)
    first, last = (When.parse(day).first for day in ("2010-05-01", "2010-05-02"))
    assert shape == TimelineShape(2, 2, first, last, 5)
    # tilse rounds 2.5 sentences down, news-tls 2.75 up.
    longer = Timeline.of({"2010-05-01": [*"abcdef"], "2010-05-02": [*"ghijk"]})
    assert wanted_timeline_shape(topic(like=longer), None, None).sentences == 5
    longer = Timeline.of({f"2010-05-0{n}": [*"abc"][: 2 + (n > 1)] for n in range(1, 5)})
    assert wanted_timeline_shape(topic(like=longer), None, None).sentences == 2
    assert wanted_timeline_shape(topic(like=longer), None, None, nearest=True).sentences == 3
    assert wanted_timeline_shape(topic(like=GOLD), 7, None).dates == 7
    assert wanted_timeline_shape(topic(), None, None) == TimelineShape(20, 1)


def test_no_day_outside_the_references_span_is_chosen() -> None:
    like = topic(*FLOOD.documents, like=GOLD)
    for name in ("datewise", "clust", "martschat-markert", "wilson", "pubcount", "lead", "random"):
        assert set(dates(parse_system(name)(like))) <= {"2010-05-01", "2010-05-02"}, name


def test_pubcount_takes_the_days_with_most_articles() -> None:
    assert dates(parse_system("pubcount")(FLOOD, dates=1)) == ["2010-05-02"]
    # Of days with one article each the earlier goes first.
    assert dates(parse_system("pubcount")(FLOOD, dates=2)) == ["2010-05-01", "2010-05-02"]


def test_datewise_adds_scaled_counts_of_articles_and_mentions() -> None:
    found = weigh_days(prepare_material(FLOOD), TimelineShape(3, 1), "both")
    days = {str(When(day, day, "day")): count for day, count in found.items()}
    # Articles 1, 2, 1 have length √6; "1 May" and "today" are named once each, length √2.
    assert days == pytest.approx(
        {
            "2010-05-01": 1 / 6**0.5 + 1 / 2**0.5,
            "2010-05-02": 2 / 6**0.5 + 1 / 2**0.5,
            "2010-05-09": 1 / 6**0.5,
        }
    )


def test_datewise_writes_the_sentence_that_both_sides_agree_on() -> None:
    found = parse_system("datewise")(FLOOD, dates=1)
    assert dates(found) == ["2010-05-02"]
    # Day 2 is named by one sentence; of the others those near it in words are kept.
    assert isinstance(found, Timeline)
    assert "flooded" in found.sentences[0]
    assert "Pellin" in found.sentences[0]


def test_lead_spreads_days_evenly_and_takes_first_sentences() -> None:
    found = parse_system("lead")(FLOOD, dates=2, sentences=2)
    assert isinstance(found, Timeline)
    assert dates(found) == ["2010-05-01", "2010-05-09"]
    assert found.sentences[0].startswith("The river broke")
    middle = parse_system("lead")(FLOOD, dates=3, sentences=2)
    assert isinstance(middle, Timeline)
    assert [text.split()[0] for text in middle.entries[1].sentences] == ["Rescue", "Boats"]


def test_chieu_lee_forbids_days_within_the_extent_of_a_chosen_one() -> None:
    found = dates(parse_system("chieu-lee")(FLOOD, dates=3))
    days = [When.parse(day).first for day in found]
    gaps = [later - earlier for earlier, later in pairwise(days)]
    assert all(gap > 1 for gap in gaps)
    assert "2010-05-09" in found or len(found) == 1


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 6), st.lists(st.sampled_from("abcd"), min_size=1))))
def test_interest_is_the_sum_of_cosines_within_the_window(
    told: list[tuple[int, list[str]]],
) -> None:
    if not told:
        return
    days = np.array([day for day, _ in told])
    rows = normalize_vectors(word_count_vectors([words for _, words in told])[0])
    cosines = dense(rows @ rows.T)
    gaps = np.abs(days[:, None] - days[None, :])
    expected = np.stack([(cosines * (gaps <= window)).sum(axis=1) for window in (1, 2, 3)], 1)
    assert sentence_interests(rows, days, 3) == pytest.approx(expected)


def test_martschat_markert_covers_most_named_days_first() -> None:
    found = parse_system("martschat-markert(coverage=0,time=0,named=1)")(
        FLOOD, dates=1, sentences=1
    )
    # 1 May is the only day that another day's article names.
    assert dates(found) == ["2010-05-01"]


def test_martschat_markert_spreads_over_days_by_square_roots() -> None:
    spread = parse_system("martschat-markert(coverage=0,time=1,named=0)")(
        FLOOD, dates=3, sentences=1
    )
    assert dates(spread) == ["2010-05-01", "2010-05-02", "2010-05-09"]


def test_the_tls_constraint_bounds_dates_and_sentences_apart() -> None:
    found = parse_system("martschat-markert(constraint=tls,content=1)")(FLOOD, dates=2, sentences=2)
    assert isinstance(found, Timeline)
    assert len(found) == 2
    assert all(len(entry.sentences) <= 2 for entry in found)


def test_markov_clustering_parts_two_triangles_that_one_weak_edge_joins() -> None:
    graph = np.zeros((6, 6))
    for a, b, weight in [
        (0, 1, 1),
        (1, 2, 1),
        (0, 2, 1),
        (3, 4, 1),
        (4, 5, 1),
        (3, 5, 1),
        (2, 3, 0.1),
    ]:
        graph[a, b] = graph[b, a] = weight
    assert markov_clusters(csr_array(graph)) == [[0, 1, 2], [3, 4, 5]]


def test_clust_puts_like_articles_of_neighbouring_days_together() -> None:
    found = parse_system("clust(rank=size)")(FLOOD, dates=1)
    assert isinstance(found, Timeline)
    assert dates(found)[0] in ("2010-05-01", "2010-05-02")


def test_pagerank_is_the_solution_of_its_equations() -> None:
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 4, (5, 5)).astype(float)
    weights[:, 3] = 0
    restart = np.array([0.1, 0.2, 0.3, 0.2, 0.2])
    moves = np.divide(weights, weights.sum(0), out=np.zeros((5, 5)), where=weights.sum(0) > 0)
    moves[:, 3] = restart
    expected = np.linalg.solve(np.eye(5) - 0.85 * moves, 0.15 * restart)
    assert pagerank(csr_array(weights), restart) == pytest.approx(expected)


def test_wilson_ranks_the_day_that_is_named_above_the_others() -> None:
    named = count_day_references(prepare_material(FLOOD), TimelineShape(3, 1))
    assert sum(named.values()) == 1
    ranks = rank_days(named, [day.when.first for day in FLOOD.documents if day.when], "both", 1.0)
    assert max(ranks, key=lambda day: ranks[day]) == When.parse("2010-05-01").first
    # Two nodes send nothing, one sends all it has: 1 May gets it.
    assert sum(ranks.values()) == pytest.approx(1)
    assert rank_days(Counter(), [], "both", 1.0) == {}


@pytest.mark.parametrize(
    ("edge", "weights"), [("count", (3, 1)), ("gap", (1, 4)), ("both", (3, 4))]
)
@pytest.mark.parametrize("recency", [1.0, 0.8])
def test_days_that_are_cited_rank_by_the_edges_and_by_how_late_they_are(
    edge: Edge, weights: tuple[int, int], recency: float
) -> None:
    # Day 14 names day 13 three times and day 10 once; the others send nothing and restart.
    named = Counter({(14, 13): 3, (14, 10): 1})
    restart = np.array([recency ** (14 - day) for day in (10, 13, 14)])
    restart /= restart.sum()
    near, far = np.array(weights) / sum(weights)
    moves = np.stack([restart, restart, [far, near, 0.0]], axis=1)
    expected = np.linalg.solve(np.eye(3) - 0.85 * moves, 0.15 * restart)
    ranks = rank_days(named, [10, 13, 14], edge, recency)
    assert [ranks[day] for day in (10, 13, 14)] == pytest.approx(expected)


def test_only_days_of_the_timelines_span_name_and_are_named() -> None:
    first, second, last = (When.parse(f"2010-05-0{n}").first for n in (1, 2, 9))
    material = prepare_material(FLOOD)

    def named(shape: TimelineShape) -> list[tuple[int, int]]:
        return list(count_day_references(material, shape))

    assert named(TimelineShape(3, 1, first, last)) == [(second, first)]
    assert named(TimelineShape(3, 1, second, last)) == []
    assert named(TimelineShape(3, 1, first, first)) == []


def test_wilson_repeats_nothing_of_any_earlier_day_and_takes_no_day_without_sentences() -> None:
    same = "Divers searched the lake of Pellin for the lost boat"
    stories = topic(
        document("a1", "2010-05-01", [f"{same}."]),
        document("a2", "2010-05-02", ["A court in the capital heard the first witness."]),
        document("a3", "2010-05-03", [f"{same} again.", "Sunk 20 April 2010."]),
    )
    found = parse_system("wilson")(stories, dates=4)
    assert isinstance(found, Timeline)
    assert dict(zip(dates(found), found.sentences, strict=True)) == {
        "2010-05-01": f"{same}.",
        "2010-05-02": "A court in the capital heard the first witness.",
    }


def dense_bm25_rank(texts: list[list[str]]) -> NDArray[np.float64]:
    """The same by the matrix of all pairs and a linear solution."""
    size = len(texts)
    vocabulary = sorted({word for text in texts for word in text})
    held = {word: sum(word in text for text in texts) for word in vocabulary}
    usual = sum(map(len, texts)) / size
    edges = np.zeros((size, size))
    for i, query in enumerate(texts):
        for j, text in enumerate(texts):
            for word in query if i != j else ():
                count = text.count(word)
                idf = np.log(1 + (size - held[word] + 0.5) / (held[word] + 0.5))
                norm = 1.5 * (1 - 0.75 + 0.75 * len(text) / usual)
                edges[i, j] += idf * count * 2.5 / (count + norm)
    sums = edges.sum(axis=1, keepdims=True)
    moves = np.where(sums > 0, edges / np.where(sums > 0, sums, 1), 1 / size)
    return np.linalg.solve(np.eye(size) - 0.85 * moves.T, np.full(size, 0.15 / size))


def test_textrank_without_the_matrix_is_textrank_with_it() -> None:
    texts = [list(text) for text in ("abca", "abd", "cde", "eeaf", "xyz", "bd")]
    assert bm25_rank(texts) == pytest.approx(dense_bm25_rank(texts))


def test_sentences_near_the_centroid_are_added_one_by_one() -> None:
    rows = csr_array(np.array([[1.0, 0], [0, 1], [1, 0], [0.6, 0.8]]))
    # The sum (2.6, 1.8) points nearest to the last row; then the first brings the sum
    # (1.6, .8) nearer than the second does; a copy of the first is passed over.
    assert nearest_to_centroid(rows, 4) == [3, 0, 1]


def test_the_knee_of_a_straight_line_is_its_end() -> None:
    assert find_knee_of_curve(np.array([2.0, 2.0, 2.0])) == 2.0
    assert find_knee_of_curve(np.array([3.0, 1.0])) == 1.0
    assert find_knee_of_curve(np.array([10.0, 1.0, 0.0])) == 1.0


def test_what_is_too_like_a_chosen_sentence_is_passed_over() -> None:
    rows = csr_array(np.array([[1.0, 0], [0.8, 0.6], [0, 1]]))
    assert select_without_repeats(rows, np.array([0, 1, 2]), 2, most=0.7) == [0, 2]
    assert select_without_repeats(rows, np.array([1, 2]), 2, most=0.7, earlier=[0]) == [2]


def test_clusters_are_found_where_they_are_plain() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(0, 0.01, (20, 3)), rng.normal(5, 0.01, (20, 3))])
    labels = kmeans_clusters(points, 2, seed=4)
    assert len(set(labels[:20])) == len(set(labels[20:])) == 1 or len(set(labels)) == 2
    assert np.array_equal(labels, kmeans_clusters(points, 2, seed=4))


def test_reduced_vectors_keep_the_cosines_of_the_best_approximation() -> None:
    rng = np.random.default_rng(2)
    full = rng.random((30, 8)) @ rng.random((8, 40))
    left, values, _ = np.linalg.svd(full, full_matrices=False)
    exact = left[:, :5] * values[:5]
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    found = reduce_dimensions(csr_array(full), 5, seed=1)
    assert found @ found.T == pytest.approx(exact @ exact.T, abs=1e-6)


def test_tfidf_weighs_by_the_formula() -> None:
    rows = dense(tfidf([["a", "a", "b"], ["b"]]))
    a, b = 2 * (np.log(3 / 2) + 1), 1.0
    assert rows[0] == pytest.approx(np.array([a, b]) / np.hypot(a, b))
    assert rows[1] == pytest.approx([0, 1])


def test_lines_of_one_day_only_are_no_matter_to_chieu_lee() -> None:
    one = topic(document("a", "2010-05-01", [s.text for s in FLOOD.documents[1].sentences]))
    assert dates(parse_system("chieu-lee")(one, dates=2)) == ["2010-05-01"]
    assert line("a b").words == ("a", "b")


TIMELINES = [name for name, kind in SYSTEMS.load_all().items() if issubclass(kind, TimelineSystem)]


@pytest.mark.parametrize("name", TIMELINES)
def test_only_sentences_with_a_key_word_are_chosen(name: str) -> None:
    about = replace(FLOOD, keywords=("PELLIN", "inquir"))
    found = parse_system(name)(about, sentences=2)
    assert isinstance(found, Timeline)
    assert found.sentences
    assert all("Pellin" in text or "inquiry" in text for text in found.sentences)


@pytest.mark.parametrize("name", TIMELINES)
def test_key_words_that_no_sentence_has_are_reported_and_not_used(name: str) -> None:
    about = replace(FLOOD, keywords=("bpoil",))
    with pytest.warns(ChronoscoreWarning, match=r"topic 'flood': no sentence has .*bpoil"):
        found = parse_system(name)(about)
    assert found == parse_system(name)(FLOOD)


def test_key_words_change_what_is_written_and_not_how_near_the_centroid_it_is() -> None:
    texts = ["Water rose in the old town of Pellin.", "Water rose in the old town of Marl.",
             "A minister spoke of the old dam."]  # fmt: skip
    one = topic(document("a", "2010-05-01", texts))
    rows = tfidf([line.words for line in prepare_material(one).usable])
    nearest = np.argsort(-(rows @ dense(rows).sum(axis=0)), kind="stable")
    with_word = [texts[n] for n in nearest if "town" in texts[n]]
    found = parse_system("pubcount")(replace(one, keywords=("town",)), dates=1, sentences=1)
    assert isinstance(found, Timeline)
    assert found.sentences == (with_word[0],)


@pytest.mark.parametrize("name", TIMELINES)
def test_no_sentence_stands_on_two_dates(name: str) -> None:
    again = ["The river broke the old dam above the town.", "Boats reached the town of Pellin."]
    days = [
        document(f"a{n}", f"2010-05-0{n}", [*again, f"Report {n} came from the town of Marl{n}."])
        for n in range(1, 8)
    ]
    found = parse_system(name)(topic(*days), dates=7, sentences=3)
    assert isinstance(found, Timeline)
    assert len(set(found.sentences)) == len(found.sentences)


def test_the_systems_of_news_tls_read_only_articles_within_the_references_span() -> None:
    # Three articles after the reference's end name 1 May; without them 2 May is named most.
    late = [
        document(f"z{n}", f"2010-06-0{n}", [f"Report {n}: the dam of Pellin broke on 1 May 2010."])
        for n in range(1, 4)
    ]
    like = Timeline.of({"2010-05-01": "a", "2010-05-09": "b"})
    wide = topic(*FLOOD.documents, *late, like=like)
    narrow = topic(*FLOOD.documents, like=like)
    for name in ("datewise(rank=mentions)", "pubcount", "clust"):
        assert parse_system(name)(wide) == parse_system(name)(narrow), name


def test_chieu_lee_fills_as_many_dates_as_the_reference_has_sentences() -> None:
    # Twelve days, each with words of its own and far from the next, so that none is excluded.
    texts = [f"Word{n} thing{n} place{n} person{n} event{n}." for n in range(12)]
    days = [
        document(f"a{n}", f"2010-{n + 1:02}-15", [text, text.replace(".", " again.")])
        for n, text in enumerate(texts)
    ]
    like = Timeline.of({"2010-01-01": ["a", "b", "c"], "2010-12-31": ["d", "e"]})
    assert len(dates(parse_system("chieu-lee")(topic(*days, like=like)))) == 5
    assert len(dates(parse_system("chieu-lee")(topic(*days, like=like), dates=3))) == 3


def test_a_month_at_the_end_of_a_reference_may_be_filled_to_its_last_day() -> None:
    like = Timeline.of({"2010-05-03": ["a"], "2010-06": ["b"]})
    shape = wanted_timeline_shape(topic(like=like), None, None)
    ends = [When.parse(day).first for day in ("2010-05-03", "2010-06-30")]
    assert [shape.first, shape.last] == ends


@pytest.mark.parametrize(("later", "found"), [(1, {}), (2, {"2010-05-03"})])
def test_datewise_reads_articles_up_to_some_days_later(later: int, found: set[str]) -> None:
    # The sentence that names the day is too short to be chosen.
    stories = topic(
        document("a1", "2010-05-05", ["Rescue boats reached the flooded town of Pellin."]),
        document("a2", "2010-05-20", ["Closed 3 May 2010.", "A minister promised money to all."]),
    )
    made = parse_system(f"datewise(rank=mentions,later={later})")(stories)
    assert set(dates(made)) == set(found)


@pytest.mark.parametrize(("gap", "entries"), [(0, 2), (1, 1)])
def test_clusters_join_articles_that_are_as_many_days_apart_as_allowed(
    gap: int, entries: int
) -> None:
    text = "Rescue boats reached the flooded town of Pellin"
    stories = topic(
        document("a1", "2010-05-01", [f"{text} early."]),
        document("a2", "2010-05-02", [f"{text} again."]),
    )
    assert len(dates(parse_system(f"clust(gap={gap})")(stories))) == entries


def test_a_cluster_has_the_date_that_it_names_most() -> None:
    texts = [
        "The dam of Pellin broke on 3 May 2010 at night.",
        "Since 3 May 2010 the town of Pellin is empty.",
        "On 1 May 2010 the first water was seen.",
    ]
    assert dates(parse_system("clust")(topic(document("a1", "2010-05-09", texts)))) == [
        "2010-05-03"
    ]
