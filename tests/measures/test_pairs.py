"""The measure pairs: brute force, properties, dates, paraphrase, several references."""

import tracemalloc
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from chronoscore.align.crowded import Alike
from chronoscore.align.dates import Dates
from chronoscore.align.matching import match_pieces, match_similar
from chronoscore.core import Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.align_measures import AlignPlus
from chronoscore.measures.timelines.pairs import PairsMeasure
from measures.paraphrases import ORIGINAL, PARAPHRASE

WORDS = ["dam", "flood", "river", "rain", "bridge", "fire", "train", "storm", "mine", "vote"]
START = date(2010, 1, 1)


def dates(days: list[int]) -> Dates:
    numbers = np.array(days, dtype=np.int64)
    return Dates(numbers, numbers)


def matchings(rows: int, columns: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every one-to-one matching, the empty one too: row by row a column or none."""
    free = [-1] * rows
    for choice in set(permutations([*range(columns), *free], rows)):
        yield tuple((row, column) for row, column in enumerate(choice) if column >= 0)


def best_matching(
    values: Array, threshold: float, ours: list[int], theirs: list[int]
) -> tuple[tuple[int, int], ...]:
    """Largest total, then nearest dates, then most pairs, then the earliest by order."""

    def merit(pairs: tuple[tuple[int, int], ...]) -> tuple[float, int, int, tuple[float, ...]]:
        partners = dict(pairs)
        return (
            -round(sum(values[pair] for pair in pairs), 9),
            sum(abs(ours[row] - theirs[column]) for row, column in pairs),
            -len(pairs),
            tuple(partners.get(row, np.inf) for row in range(len(ours))),
        )

    allowed = [
        pairs
        for pairs in matchings(*values.shape)
        if all(values[pair] >= threshold for pair in pairs)
    ]
    return min(allowed, key=merit)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Array, float, list[int], list[int]]:
    """Small tables whose coarse values make ties frequent."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    row = st.lists(cells, min_size=columns, max_size=columns)
    values = draw(st.lists(row, min_size=rows, max_size=rows))
    days = st.integers(0, 3)
    ours = sorted(draw(st.lists(days, min_size=rows, max_size=rows)))
    theirs = sorted(draw(st.lists(days, min_size=columns, max_size=columns)))
    return np.array(values), draw(st.sampled_from([0.25, 0.5, 0.6])), ours, theirs


@given(tables())
def test_the_matching_is_the_best_of_all(case: tuple[Array, float, list[int], list[int]]) -> None:
    values, threshold, ours, theirs = case
    alike = Alike.of(values, threshold)
    taken = match_similar(alike, dates(ours), dates(theirs))
    found = tuple(zip(alike.rows[taken].tolist(), alike.columns[taken].tolist(), strict=True))
    assert found == best_matching(values, threshold, ours, theirs)


@given(tables(), st.sampled_from([0, 2]), st.integers(0, 16))
def test_crowded_pairs_are_matched_the_same(
    case: tuple[Array, float, list[int], list[int]], most: int, cut: int
) -> None:
    values, threshold, ours, theirs = case
    alike = Alike.of(values, threshold)
    places = np.arange(len(alike.rows))
    pieces = [alike.chosen(places[cut:]), alike.chosen(places[:cut])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("chronoscore.align.matching.MOST", most)
        patch.setattr("chronoscore.align.matching.DENSITY", 1000)
        taken = match_pieces(pieces, dates(ours), dates(theirs))
    best = best_matching(values, threshold, ours, theirs)
    assert tuple(zip(taken.rows.tolist(), taken.columns.tolist(), strict=True)) == best
    assert taken.values.tolist() == [values[pair] for pair in best]


def timeline(entries: list[tuple[int, list[str]]]) -> Timeline:
    return Timeline.of([(str(START + timedelta(day)), texts) for day, texts in entries])


sentence = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
entries = st.dictionaries(
    st.integers(0, 9), st.lists(sentence, min_size=1, max_size=3), min_size=1, max_size=4
).map(lambda by_day: sorted(by_day.items()))


def parts(measure: Measure, system: Timeline, *references: Timeline) -> dict[str, float]:
    tallies = measure.tally([(Topic(id="t", timelines=references), system)])
    return dict(zip(measure.parts, measure.values(tallies)[0].tolist(), strict=True))


@given(entries, st.sampled_from(["words", "tfidf", "embed", "mixed", "soft"]))
def test_a_timeline_against_itself_has_1_in_every_part(
    written: list[tuple[int, list[str]]], similarity: str
) -> None:
    one = timeline(written)
    scores = parts(PairsMeasure(similarity=similarity), one, one)
    assert scores == pytest.approx(dict.fromkeys(PairsMeasure.parts, 1.0))


@given(entries, entries, st.sampled_from(["words", "embed"]))
def test_exchanging_the_sides_exchanges_precision_and_recall(
    ours: list[tuple[int, list[str]]], theirs: list[tuple[int, list[str]]], similarity: str
) -> None:
    measure = PairsMeasure(similarity=similarity, threshold=0.4)
    there = parts(measure, timeline(ours), timeline(theirs))
    back = parts(measure, timeline(theirs), timeline(ours))
    for kind in ("", "soft."):
        assert there[f"{kind}p"] == pytest.approx(back[f"{kind}r"])
        assert there[f"{kind}f"] == pytest.approx(back[f"{kind}f"])


@given(entries, entries, st.integers(1, 400))
def test_shifting_all_dates_changes_the_date_parts_alone(
    ours: list[tuple[int, list[str]]], theirs: list[tuple[int, list[str]]], days: int
) -> None:
    measure, reference = PairsMeasure(threshold=0.4), timeline(theirs)
    before = parts(measure, timeline(ours), reference)
    after = parts(measure, timeline([(day + days, texts) for day, texts in ours]), reference)
    for part in ("p", "r", "f", "soft.p", "soft.r", "soft.f"):
        assert after[part] == pytest.approx(before[part]), part


def test_a_shift_shows_in_the_date_parts() -> None:
    reference = timeline([(0, ["the dam broke"]), (10, ["the bridge burned"])])
    system = timeline([(1, ["the dam broke"]), (13, ["the bridge burned"])])
    for within, expected in ((0, 0.0), (1, 0.5), (3, 1.0)):
        scores = parts(PairsMeasure(within=within), system, reference)
        assert scores["f"] == scores["rouge.f"] == 1.0
        assert scores["date.p"] == scores["date.r"] == scores["date.f"] == expected


def test_a_case_computed_by_hand() -> None:
    # Words without stop words: {dam, broke, village} and {dam, broke, valley} share 2 of 6.
    system = timeline([(0, ["the dam broke in the village", "rain"]), (3, ["vote"]), (4, ["fire"])])
    reference = timeline([(0, ["fire"]), (2, ["the dam broke in the valley"])])
    scores = parts(PairsMeasure(threshold=0.6, within=1), system, reference)
    assert scores["p"] == 2 / 4
    assert scores["r"] == 2 / 2
    assert scores["f"] == pytest.approx(2 / 3)
    assert scores["soft.p"] == pytest.approx((1 + 2 / 3) / 4)
    assert scores["soft.r"] == pytest.approx((1 + 2 / 3) / 2)
    assert scores["date.p"] == scores["date.r"] == 0.0
    assert scores["rouge.f"] == pytest.approx((1 + 2 / 3) / 2)
    assert parts(PairsMeasure(threshold=0.7), system, reference)["p"] == 1 / 4
    entry = parts(PairsMeasure(unit="entry", threshold=0.5), system, reference)
    assert (entry["p"], entry["r"]) == (2 / 3, 1.0)


def test_dates_do_not_keep_texts_apart_that_say_the_same() -> None:
    reference = timeline([(0, ["the dam broke"])])
    far = timeline([(0, ["the vote"]), (400, ["the dam broke"])])
    assert parts(PairsMeasure(), far, reference)["r"] == 1.0


@given(entries, entries, entries)
def test_several_references_give_the_mean_or_the_best(
    ours: list[tuple[int, list[str]]],
    first: list[tuple[int, list[str]]],
    second: list[tuple[int, list[str]]],
) -> None:
    system, references = timeline(ours), [timeline(first), timeline(second)]
    alone = [parts(PairsMeasure(), system, one) for one in references]
    mean = parts(PairsMeasure(), system, *references)
    best = parts(PairsMeasure(several="best"), system, *references)
    assert mean == pytest.approx({part: (alone[0][part] + alone[1][part]) / 2 for part in mean})
    assert best == pytest.approx(max(alone, key=lambda scores: scores["f"]))


@pytest.mark.parametrize("similarity", ["words", "tfidf", "embed", "mixed", "soft"])
def test_paraphrase_costs_less_than_under_align_plus(similarity: str) -> None:
    original, paraphrase = (timeline(list(text)) for text in (ORIGINAL, PARAPHRASE))
    lost = {
        name: 1 - parts(parse_measure_text(name), paraphrase, original)["f"]
        for name in (f"pairs(similarity={similarity})", "align+", "align+(n=2)")
    }
    assert min(lost["align+"], lost["align+(n=2)"]) > 0
    assert lost[f"pairs(similarity={similarity})"] < lost["align+"]


def test_a_threshold_that_is_not_given_is_the_usual_one_of_the_similarity() -> None:
    for similarity, usual in (
        ("words", 0.25),
        ("tfidf", 0.2),
        ("embed", 0.45),
        ("mixed", 0.5),
        ("soft", 0.4),
    ):
        assert f"|threshold:{usual:g}|" in PairsMeasure(similarity=similarity).signature
    assert "|threshold:0.3|" in PairsMeasure(threshold=0.3).signature


def test_many_outputs_are_compared_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    topic = Topic(id="t", timelines=(timeline(list(ORIGINAL)),))
    outputs = [timeline(list(text)) for text in (ORIGINAL, PARAPHRASE, ORIGINAL[:3], ())]
    pairs = [(topic, output) for output in outputs]
    together = PairsMeasure().tally(pairs)
    for limit in ("CELLS", "BLOCK", "PIECE"):
        monkeypatch.setattr(f"chronoscore.measures.timelines.pairs.{limit}", 1)
        np.testing.assert_array_equal(PairsMeasure().tally(pairs), together)


@pytest.mark.parametrize("similarity", ["words", "tfidf", "embed", "mixed", "soft"])
def test_tables_that_are_kept_whole_hold_the_same(
    similarity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    references = [timeline(list(text)) for text in (PARAPHRASE, ORIGINAL[:3], ORIGINAL)]
    pairs = [(Topic(id="t", timelines=tuple(references)), timeline(list(ORIGINAL)))]
    measure = PairsMeasure(similarity=similarity, threshold=0.01)
    counts = {}
    for share in (0.0, 1.0):
        monkeypatch.setattr("chronoscore.measures.timelines.pairs.FULL", share)
        counts[share] = measure.tally(pairs)
    np.testing.assert_array_equal(counts[0.0], counts[1.0])


@pytest.mark.slow
def test_thousands_of_pairs_of_random_words_take_little_memory() -> None:
    generator = np.random.default_rng(1)
    texts = generator.choice(WORDS, (2, 1500, 6))
    one, other = (timeline([(n, [" ".join(own)]) for n, own in enumerate(side)]) for side in texts)
    tracemalloc.start()
    scores = parts(PairsMeasure(threshold=0.01), one, other)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert scores["r"] == 1.0
    # One table of all pairs takes 18 MB; each pair by itself would take 220 bytes.
    assert peak < 6 * 8 * 1500**2


def test_a_matching_of_many_units_has_the_total_of_a_dense_solver() -> None:
    generator = np.random.default_rng(5)
    values = np.round(generator.random((60, 45)) ** 3, 2)
    days = dates(list(range(60))), dates(list(range(45)))
    alike = Alike.of(values, 0.3)
    taken = match_similar(alike, *days)
    rows, columns = linear_sum_assignment(np.where(values >= 0.3, values, 0.0), maximize=True)
    best = np.where(values >= 0.3, values, 0.0)[rows, columns].sum()
    assert alike.values[taken].sum() == pytest.approx(best)
    assert len(set(alike.rows[taken].tolist())) == len(taken)
    assert len(set(alike.columns[taken].tolist())) == len(taken)


def test_the_main_part_is_f_unless_another_is_asked_for() -> None:
    assert PairsMeasure().main_part == "f"
    assert parse_measure_text("pairs.date.f").main_part == "date.f"
    assert str(parse_measure_text("pairs(within=2).soft.r")) == "pairs(within=2).soft.r"
    assert AlignPlus().main_part == "f"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pairs(threshold=0)", "above 0, up to 1"),
        ("pairs(threshold=1.5)", "above 0, up to 1"),
        ("pairs(threshold=nan)", "above 0, up to 1"),
        ("pairs(within=-1)", "0 or more"),
        ("pairs(unit=word)", "unknown value 'word'"),
        ("pairs(similarity=embedd)", "did you mean 'embed'"),
        ("pairs(several=worst)", "unknown value 'worst'"),
        ("pairs.date", "no part 'date'"),
        ("pairs@5", "no cutoff"),
    ],
)
def test_a_wrong_parameter_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        parse_measure_text(text)


def test_entries_without_text_are_no_units() -> None:
    reference = Timeline.of({"2010-01-01": "the dam broke", "2010-01-02": ""})
    assert (
        parts(PairsMeasure(), Timeline.of({"2010-01-01": "the dam broke"}), reference)["r"] == 1.0
    )
