"""Free text matched to judged texts by a stated similarity."""

import numpy as np
import pytest

from chronoscore.core import Event, Judgements, Link, Ranking, Selection, Topic
from chronoscore.engine.kinds import Grams
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.measures.streams.matching import (
    LatentSpace,
    Matcher,
    Similarity,
    overlap_with_events,
    words_to_match_events,
)

DAM = "The dam above the town broke in the night"
FLED = "Thousands of people fled to the hills"
STRIKE = "Ferry crews voted for a strike over pay"
TEXTS = (DAM, FLED, STRIKE)


def plain_cosines(texts: tuple[str, ...], outputs: list[str]) -> Array:
    """Tf-idf cosines without any latent space, computed apart."""
    vocabulary = sorted({word for text in texts for word in words_to_match_events(text)})
    counts = np.array(
        [[words_to_match_events(t).count(w) for w in vocabulary] for t in texts], dtype=float
    )
    idf = np.log((1 + len(texts)) / (1 + (counts > 0).sum(axis=0))) + 1
    mine = np.array(
        [[words_to_match_events(t).count(w) for w in vocabulary] for t in outputs], dtype=float
    )
    a, b = mine * idf, counts * idf
    lengths = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)[None, :]
    cosines: Array = a @ b.T / np.where(lengths, lengths, 1)
    return cosines


def test_where_nothing_is_cut_cosines_are_those_of_plain_vectors() -> None:
    outputs = [*TEXTS, "The town fled", "the dam"]
    found = LatentSpace(TEXTS, 100).similarities(outputs, list(TEXTS))
    assert found == pytest.approx(plain_cosines(TEXTS, outputs), abs=1e-9)


def test_unknown_words_count_against_an_output() -> None:
    space = LatentSpace(TEXTS, 100)
    known, padded = space.similarities([DAM, DAM + " xyzzy plugh frotz"], [DAM])[:, 0]
    assert known == pytest.approx(1.0)
    assert padded < 0.9


def test_a_cut_space_forgets_what_sets_single_texts_apart() -> None:
    rng = np.random.default_rng(2)
    words = [f"word{n}x" for n in range(30)]
    texts = tuple(" ".join(rng.choice(words, 10)) for _ in range(25))
    full = LatentSpace(texts, 100).similarities(list(texts), list(texts))
    cut = LatentSpace(texts, 2).similarities(list(texts), list(texts))
    assert np.diag(cut) == pytest.approx(np.ones(25))
    assert cut.mean() > full.mean()


def test_fewer_dimensions_bring_texts_together() -> None:
    texts = (DAM, DAM + " again", FLED, FLED + " again", STRIKE)
    full = LatentSpace(texts, 100).similarities([DAM], [DAM + " again"])
    cut = LatentSpace(texts, 3).similarities([DAM], [DAM + " again"])
    assert cut[0, 0] >= full[0, 0]


def test_a_text_of_unknown_words_is_like_nothing() -> None:
    assert LatentSpace(TEXTS, 100).similarities(["xyzzy plugh"], list(TEXTS)).tolist() == [
        [0, 0, 0]
    ]


def test_the_sparse_decomposition_agrees_with_the_exact_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    words = [f"word{n}x" for n in range(60)]
    texts = tuple(" ".join(rng.choice(words, 12)) for _ in range(40))
    # Texts that share no word with any other are outside every cut space.
    texts += tuple(f"lonely{n}q apart{n}q" for n in range(5))
    exact = LatentSpace(texts, 5).similarities(list(texts), list(texts))
    monkeypatch.setattr("chronoscore.measures.streams.matching.SMALL", 0)
    assert LatentSpace(texts, 5).similarities(list(texts), list(texts)) == pytest.approx(
        exact, abs=1e-6
    )


def test_overlap_is_f_of_stemmed_words() -> None:
    found = overlap_with_events(Grams(1), ["The dams broke"], ["A dam broke down", STRIKE])
    shared = len(
        set(words_to_match_events("The dams broke"))
        & set(words_to_match_events("A dam broke down"))
    )
    sizes = len(words_to_match_events("The dams broke")) + len(
        words_to_match_events("A dam broke down")
    )
    assert found[0].tolist() == pytest.approx([2 * shared / sizes, 0.0])


@pytest.mark.parametrize("match", ["cosine", "rouge-1", "rouge-2", "rouge-l"])
def test_a_text_matches_itself_and_nothing_else(match: str) -> None:
    rows, columns, values = Matcher(match=match).matches(  # type: ignore[arg-type]
        list(TEXTS), list(TEXTS), list(TEXTS)
    )
    assert rows.tolist() == columns.tolist() == [0, 1, 2]
    assert values == pytest.approx([1.0, 1.0, 1.0])


def test_blocks_do_not_change_the_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Matcher(match="cosine").matches(list(TEXTS), list(TEXTS), list(TEXTS))
    monkeypatch.setattr("chronoscore.measures.streams.matching.AT_ONCE", 1)
    parts = Matcher(match="cosine").matches(list(TEXTS), list(TEXTS), list(TEXTS))
    assert [part.tolist() for part in parts[:2]] == [part.tolist() for part in whole[:2]]


def topic() -> Topic:
    return Topic(
        id="t",
        judgements=Judgements(
            sentences=("a", "b", "c"),
            events=(Event("e1", DAM, 0.0), Event("e2", FLED, 0.0)),
            links=(Link(sentence="a", event="e1"), Link(sentence="b", event="e2")),
            texts={"a": DAM, "b": FLED, "c": STRIKE},
        ),
    )


def said(*texts: str, time: float = 0.0) -> Ranking:
    return Ranking(tuple(Selection("", -n, time, text=text) for n, text in enumerate(texts)))


def parts(measure: str, output: Ranking) -> list[float]:
    found = parse_measure_text(measure)
    return [float(value) for value in found.values(found.tally([(topic(), output)]))[0]]


@pytest.mark.parametrize("to", ["events", "sentences"])
@pytest.mark.parametrize("match", ["cosine", "rouge-1"])
def test_own_words_count_like_the_sentences_that_they_repeat(match: str, to: str) -> None:
    measure = f"nu(match={match},to={to})"
    assert parts(measure, said(DAM, STRIKE))[:2] == [0.5, 0.5]
    assert parts(measure, said(DAM, DAM, FLED))[:2] == pytest.approx([1.0, 2 / 3])


def test_usefulness_of_own_words_counts_each_text() -> None:
    assert parts("u(match=cosine,to=sentences)", said(DAM, STRIKE))[1] == 0.5


def test_the_threshold_decides() -> None:
    near = said("The dam broke")
    assert parts("nu(match=rouge-1,threshold=0.5)", near)[0] == 0.5
    assert parts("nu(match=rouge-1,threshold=0.99)", near)[0] == 0.0


def test_similarity_and_threshold_are_in_the_signature() -> None:
    signature = parse_measure_text("nu(match=cosine,threshold=0.7)").signature
    assert "match:cosine" in signature
    assert "threshold:0.7" in signature


def test_a_sentence_id_stands_for_its_text() -> None:
    assert parts("nu(match=rouge-1)", Ranking((Selection("b"),)))[0] == 0.5


def test_no_text_at_all_is_an_error() -> None:
    with pytest.raises(DataError, match="has no text to match"):
        parts("nu(match=rouge-1)", Ranking((Selection("zz"),)))


def test_judgements_without_texts_cannot_be_matched() -> None:
    bare = Topic(id="t", judgements=Judgements(sentences=("a",), events=(Event("e"),), links=()))
    with pytest.raises(DataError, match="have no texts of events"):
        parse_measure_text("nu(match=cosine)").tally([(bare, said(DAM))])


SIX = 6 * 3600.0


def test_the_automatic_stream_credits_each_nugget_once_at_what_is_left_of_it() -> None:
    # Both nuggets are told six hours late: half is left of each.
    gain, cover, f = parts("auto-stream", said(DAM, FLED, STRIKE, time=SIX))
    assert gain == pytest.approx(1.0 / 3)
    assert cover == pytest.approx(1.0 / 2)
    assert f == pytest.approx(2 * gain * cover / (gain + cover))
    assert parts("auto-stream(timed=no)", said(DAM, FLED, STRIKE))[1] == 1.0


def test_the_automatic_stream_credits_the_first_or_the_best_update() -> None:
    updates = Ranking(
        (
            Selection("", 1.0, 0.0, text="The dam above the town broke"),
            Selection("", 0.0, SIX, text=DAM),
        )
    )
    measure = "auto-stream(credit={},match=rouge-1)"
    assert parts(measure.format("first"), updates)[1] == pytest.approx(0.5)
    assert parts(measure.format("best"), updates)[1] == pytest.approx(0.25)


def test_crisis_counts_facts_told_of_all_and_of_those_offered() -> None:
    assert parts("crisis", said(DAM, DAM, STRIKE)) == pytest.approx([1 / 3, 0.5])
    assert parts("crisis@1", said(DAM, DAM, STRIKE)) == [1.0, 0.5]


def test_assessed_facts_count_by_their_scores() -> None:
    judged = Judgements(
        sentences=("f1", "f2", "f3"),
        events=(
            Event("c1", DAM, None, 1.0),
            Event("c2", FLED, None, 0.5),
            Event("c3", STRIKE, None, 0.0),
        ),
        links=tuple(Link(sentence=f"f{n}", event=f"c{n}") for n in (1, 2, 3)),
    )
    measure = parse_measure_text("crisis(assessed,match=id)")
    output = Ranking((Selection("f1"), Selection("f3")))
    values = measure.values(measure.tally([(Topic(id="t", judgements=judged), output)]))[0]
    assert values.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("text", ["auto-stream(match=id)", "nu(match=cosine,dimensions=0)"])
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_measure_text(text)


@pytest.mark.parametrize("match", ["cosine", "rouge-1", "rouge-l"])
def test_the_same_text_matches_at_the_highest_threshold(match: Similarity) -> None:
    rows, columns, _ = Matcher(match=match, threshold=1.0).matches(TEXTS, TEXTS, TEXTS)
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 2], [0, 1, 2])
