"""The on-line ranking: formulas by hand, and proof that it never looks ahead."""

from dataclasses import replace

import numpy as np
import pytest

from chronoscore import demo
from chronoscore.core import Ranking
from chronoscore.data import source_files
from chronoscore.systems import parse_system
from chronoscore.systems.material import prepare_material
from chronoscore.systems.streams import RunningScale, Seen, StreamScorer, UsefulNovel
from systems.small_topics import FLOOD

FORMS = [
    "useful-novel",
    "useful-novel(novelty=nearest)",
    "useful-novel(novelty=cosine)",
    "useful",
    "novel",
    "stream-random",
    "stream-position",
    "stream-length",
]


@pytest.mark.parametrize("name", FORMS)
def test_later_stories_never_change_earlier_scores(name: str) -> None:
    (whole,) = source_files.load_topics([demo.CORPUS / "dam"])
    everything = parse_system(name)(whole)
    assert isinstance(everything, Ranking)
    for count in (1, 2, 5, 9):
        start = replace(whole, documents=whole.documents[:count])
        early = parse_system(name)(start)
        assert isinstance(early, Ranking)
        assert everything.selections[: len(early)] == early.selections


@pytest.mark.parametrize("name", FORMS)
def test_fed_story_by_story_the_scores_are_those_of_the_whole(name: str) -> None:
    (whole,) = source_files.load_topics([demo.CORPUS / "theft"])
    system = parse_system(name)
    assert isinstance(system, UsefulNovel)
    expected = system(whole)
    assert isinstance(expected, Ranking)
    stream = StreamScorer(system, whole.id)
    found: list[float] = []
    for _, lines in prepare_material(whole).stories():
        found += stream.score(lines).tolist()
        stream.update(lines)
    assert found == [selection.score for selection in expected]


def small() -> tuple[Seen, list[list[str]], list[list[str]]]:
    seen = Seen(0.5)
    before, now = [["a", "b"], ["b", "c"]], [["a", "a", "d"], ["b"]]
    seen.take(before)
    return seen, before, now


def test_usefulness_is_the_mean_log_ratio_of_topic_and_general_model() -> None:
    seen, _, now = small()
    # All told: a 3, b 3, c 1, d 1 of 8; in general half more each, of 10.
    general = {"a": 0.35, "b": 0.35, "c": 0.15, "d": 0.15}
    told = {"a": 3 / 8, "b": 3 / 8, "c": 1 / 8, "d": 1 / 8}
    ratio = {w: np.log((0.5 * told[w] + 0.5 * general[w]) / general[w]) for w in general}
    expected = [(2 * ratio["a"] + ratio["d"]) / 3, ratio["b"]]
    assert seen.with_story(now).usefulness() == pytest.approx(expected)


def divergence(one: list[str], other: list[str]) -> float:
    """Between the smoothed models of two texts, word by word."""
    general = {"a": 0.35, "b": 0.35, "c": 0.15, "d": 0.15}
    total = 0.0
    for word, chance in general.items():
        p = 0.5 * one.count(word) / len(one) + 0.5 * chance
        q = 0.5 * other.count(word) / len(other) + 0.5 * chance
        total += p * np.log(p / q)
    return total


def test_novelty_is_the_divergence_from_all_that_was_said_or_from_the_nearest() -> None:
    seen, before, now = small()
    story = seen.with_story(now)
    everything = [*before[0], *before[1]]
    assert story.novelty("all") == pytest.approx(
        [divergence(now[0], everything), divergence(now[1], [*everything, *now[0]])]
    )
    assert story.novelty("nearest") == pytest.approx(
        [
            min(divergence(now[0], other) for other in before),
            min(divergence(now[1], other) for other in [*before, now[0]]),
        ]
    )


def test_novelty_by_cosine_uses_the_idf_known_so_far() -> None:
    seen, before, now = small()
    texts = [*before, *now]
    idf = {w: np.log(5 / (1 + sum(w in text for text in texts))) + 1 for w in "abcd"}

    def cosine(one: list[str], other: list[str]) -> float:
        a, b = (np.array([text.count(w) * idf[w] for w in "abcd"]) for text in (one, other))
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    expected = [
        1 - max(cosine(now[0], other) for other in before),
        1 - max(cosine(now[1], other) for other in [*before, now[0]]),
    ]
    assert seen.with_story(now).novelty("cosine") == pytest.approx(expected)


def test_the_first_sentence_of_all_is_as_new_as_can_be() -> None:
    found = parse_system("novel")(FLOOD)
    assert isinstance(found, Ranking)
    assert found.selections[0].score == 1.0
    assert all(selection.score < 1 for selection in found.selections[1:])


def test_a_repeated_sentence_is_not_new() -> None:
    for form in ("all", "nearest", "cosine"):
        seen = Seen(0.7)
        seen.take([["a", "b", "c"]])
        copy, other = seen.with_story([["a", "b", "c"], ["x", "y", "z"]]).novelty(form)  # type: ignore[arg-type]
        assert copy < other, form
        if form != "all":
            assert copy == pytest.approx(0, abs=1e-12)


def test_the_scale_goes_by_what_was_emitted_before() -> None:
    scale = RunningScale()
    assert scale.place(np.array([0.0])).tolist() == [0.5]
    scale.take(np.array([1.0, 3.0, np.inf]))
    # Mean 2, deviation 1.
    assert scale.place(np.array([2.0, 3.0])) == pytest.approx([0.5, 1 / (1 + np.exp(-1))])


def test_background_makes_common_words_less_useful() -> None:
    known = source_files.load_topics([demo.CORPUS])
    others = tuple(one for other in known[1:] for one in other.documents)
    plain, informed = (
        parse_system("useful")(known[0]),
        parse_system("useful")(known[0], background=others),
    )
    assert plain != informed


def test_words_of_several_articles_add_up() -> None:
    def general(*articles: dict[str, int]) -> float:
        seen = Seen(0.5)
        for words in articles:
            seen.learn(words)
        return float(seen.with_story([["dam", "town"]]).general[seen.numbers["dam"]])

    assert general({"dam": 2}, {"dam": 3}) == general({"dam": 5})
