"""Many texts at once, against the same texts prepared one by one."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.text import plain
from chronoscore.text.batch import Batch, Layout, prepare_texts
from chronoscore.text.preparation import Limit, Preparation

pytestmark = pytest.mark.usefixtures("engine")

PREPARATIONS = [
    Preparation(),
    Preparation(stem=True),
    Preparation(stop=True),
    Preparation(stem=True, stop=True, limit=Limit(7, "words")),
    Preparation(limit=Limit(20, "bytes")),
    Preparation(stem=True, stop=True, limit=Limit(33, "bytes")),
]

WORDS = """
a The floods running WORD eightlet ninelette U.S. café 3.14 - -- $5 naïve don't 漢字 ½ K Ελλάδα
responsibilities internationalization supercalifragilisticexpialidocious
"""
words = st.sampled_from(WORDS.split())
sentences = st.lists(words, max_size=9).map(" ".join) | st.text(max_size=30)
texts = st.lists(st.lists(sentences, max_size=4), max_size=6)


def spell(layout: Layout, batch: Batch) -> list[list[list[str]]]:
    """Spell a layout out again."""
    found = []
    for first, last in pairwise(layout.texts.tolist()):
        bounds = layout.sentences[first : last + 1].tolist()
        spans = [layout.words[start:end] for start, end in pairwise(bounds)]
        found.append([[batch.vocabulary[word] for word in span] for span in spans])
    return found


def assert_same(given: Sequence[Sequence[str]], preparation: Preparation) -> None:
    batch = prepare_texts(given, preparation)
    one_by_one = [plain.prepare_text(text, preparation) for text in given]
    lines = [[list(sentence) for sentence in text.sentences] for text in one_by_one]
    assert spell(batch.lines, batch) == lines
    whole = [[w for line in text for w in line] for text in spell(batch.whole, batch)]
    assert whole == [list(text.tokens) for text in one_by_one]


@pytest.mark.parametrize("preparation", PREPARATIONS, ids=str)
@given(given=texts)
def test_a_batch_holds_the_tokens_of_each_text(
    given: list[list[str]], preparation: Preparation
) -> None:
    assert_same(given, preparation)


def test_no_texts_and_empty_texts_make_a_batch() -> None:
    assert len(prepare_texts([], Preparation())) == 0
    assert len(prepare_texts([[], [""], ["-"]], Preparation())) == 3


def test_the_two_readers_share_one_layout_unless_bytes_are_limited() -> None:
    text = [["one two three", "four"]]
    free = prepare_texts(text, Preparation(limit=Limit(2, "words")))
    assert free.whole is free.lines
    cut = prepare_texts(text, Preparation(limit=Limit(14, "bytes")))
    assert [cut.vocabulary[word] for word in cut.whole.words] == ["one", "two", "three", "f"]
    assert spell(cut.lines, cut) == [[["one", "two", "three"], ["four"]]]


def test_half_a_surrogate_pair_is_no_word_and_no_crash() -> None:
    given = [["flood \ud83d water", "half\udc80word"]]
    for preparation in PREPARATIONS:
        assert_same(given, preparation)
