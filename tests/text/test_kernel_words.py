"""Words and stems of the kernel, against Perl's stems and the rules in Python."""

import gzip
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chronoscore import kernel
from chronoscore.kernel import compiled
from chronoscore.text.batch import prepare_texts
from chronoscore.text.nltk_stems import NLTK_STEMS
from chronoscore.text.plain import kernel_rules, stems_for, stop_words_for
from chronoscore.text.plain import prepare_text as prepare_one
from chronoscore.text.preparation import Preparation
from chronoscore.text.stems import Lexicon, stem

pytestmark = pytest.mark.skipif(
    kernel.compiled is None, reason="the compiled kernel was not built: no C compiler"
)
GOLDEN = Path(__file__).parents[1] / "golden"
ENDINGS = """
s ss sses ies ied ed eed ing y at bl iz ational tional enci anci izer bli alli entli eli ousli
fulli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize
iciti ical ful ness al ance ence er ic able ible ant ement ou ism ate iti ous ive ize ment ent sion
tion ion e ll
"""
WORDS = st.builds(
    lambda start, endings: start + "".join(endings),
    st.text("aeiouybdlnstwxz1", min_size=1, max_size=6),
    st.lists(st.sampled_from(ENDINGS.split()), max_size=4),
)
PERL, GOOGLE = Preparation(stem=True), Preparation(name="google", stem=True)


@pytest.mark.slow
def test_every_stem_is_the_one_that_perl_printed() -> None:
    with gzip.open(GOLDEN / "stems.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    form = kernel_rules(PERL).form
    assert len(rows) == 137_435
    assert [(word, form(word)) for word, wanted in rows if form(word) != wanted] == []
    form = kernel_rules(GOOGLE).form
    assert [word for word, _ in rows if form(word) != NLTK_STEMS[word]] == []


@given(WORDS)
def test_every_word_has_the_stem_that_python_gives_it(word: str) -> None:
    assert kernel_rules(PERL).form(word) == stem(word)
    assert kernel_rules(GOOGLE).form(word) == NLTK_STEMS[word]


def test_irregular_words_and_stop_words_of_a_user_are_used() -> None:
    irregular = {"went": "gö" * 20, "floods": "", "rivers": "\udcff", "men": "man", "été": "été"}
    lexicon = Lexicon(irregular, frozenset({"dams", "übel", "an" * 40}))
    preparation = Preparation(stem=True, stop=True, lexicon=lexicon)
    text = ["He went over floods", "rivers men dams dam", "an" * 40 + " went"]
    batch = prepare_texts([text], preparation)
    words = [batch.vocabulary[word] for word in batch.whole.words]
    assert words == list(prepare_one(text, preparation).tokens)
    assert words == ["he", "gö" * 20, "over", "flood", "\udcff", "men", "dam", "gö" * 20]


@given(st.lists(st.binary(max_size=200) | st.text("aB3 ,é", max_size=150).map(str.encode)))
@example([b"x" * 63 + b"y", b" " * 63 + b"ab" + b" " * 63 + b"c" * 64 + b" d", b""])
@example([b"a" * 16, b"a" * 17, b"a" * 8, b"a" * 9, b"A" * 17 + b"!" + b"a" * 16])
def test_words_are_runs_of_letters_and_digits_wherever_they_stand(sentences: list[bytes]) -> None:
    found = [re.findall(rb"[a-z0-9]+", sentence.lower()) for sentence in sentences]
    lexicon = compiled.Lexicon(kernel_rules(Preparation()))
    joined = b"".join(sentences)
    bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    for words, ends in (lexicon.read(sentences), lexicon.scan(joined, bounds)):
        spelled = lexicon.spelled()
        limits = np.frombuffer(ends, dtype=np.int64).tolist()
        ours = [spelled[word].encode() for word in np.frombuffer(words, dtype=np.int32).tolist()]
        assert [ours[a:b] for a, b in pairwise(limits)] == found


@pytest.mark.parametrize("preparation", [PERL, GOOGLE, Preparation(stop=True)])
def test_a_lexicon_that_grows_keeps_its_numbers(preparation: Preparation) -> None:
    lexicon = compiled.Lexicon(kernel_rules(preparation))
    words = [f"word{number}s" for number in range(5000)] + ["the", "flooding", "x" * 30]
    lexicon.read(words[:10])
    first, ends = lexicon.read(words)
    again, _ = lexicon.read([word.upper() for word in words])
    assert (again, len(lexicon)) == (first, len(words))
    stems, stop = stems_for(preparation), stop_words_for(preparation)
    forms = [None if preparation.stop and word in stop else word for word in words]
    wanted = [stems[word] if preparation.stem else word for word in forms if word]
    spelled = lexicon.spelled()
    assert [spelled[word] for word in np.frombuffer(first, dtype=np.int32)] == wanted
    assert len(ends) == 8 * (len(words) + 1)


def test_wrong_arguments_are_refused() -> None:
    rules = kernel_rules(Preparation())
    lexicon = compiled.Lexicon(rules)
    for wrong in (
        lambda: compiled.Rules(3, {}, []),
        lambda: compiled.Rules(0, {"a": 1}, []),  # type: ignore[dict-item]
        lambda: compiled.Rules(0, {}, [1]),  # type: ignore[list-item]
        lambda: compiled.Lexicon(1),  # type: ignore[arg-type]
        lambda: rules.form(b"a"),  # type: ignore[arg-type]
        lambda: lexicon.read(("a",)),  # type: ignore[arg-type]
        lambda: lexicon.read([1]),  # type: ignore[list-item]
        lambda: lexicon.scan(b"a", np.array([0, 2])),
    ):
        with pytest.raises((TypeError, ValueError)):
            wrong()
