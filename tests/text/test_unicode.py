"""Words of any script, against words set apart by hand and against properties."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.errors import UsageError
from chronoscore.text import plain, unicode
from chronoscore.text.batch import prepare_texts
from chronoscore.text.preparation import Limit, Preparation
from chronoscore.text.unicode import split_into_words, tokenize

UNICODE = Preparation(name="unicode")
SPLIT_BY_HAND = {
    "The U.S. economy, state-of-the-art": "the u s economy state of the art",
    "L'été à Saint-Tropez": "l été à saint tropez",
    "don’t 3.14 snake_case": "don t 3 14 snake case",
    "Η Ελλάδα και ο ΣΊΣΥΦΟΣ": "η ελλάδα και ο σίσυφοσ",
    "Москва — столица России.": "москва столица россии",
    "हिन्दी भाषा में।": "हिन्दी भाषा में",
    "தமிழ் மொழி": "தமிழ் மொழி",
    "한국어 문장": "한국어 문장",
    "北京2008年奥运会": "北 京 2008 年 奥 运 会",
    "東京タワー": "東 京 タ ワ ー",
    "กิน ๑๒ abc": "กิ น ๑๒ abc",
    "ខ្មែរ": "ខ្ មែ រ",
    "မြန်မာ": "မြ န် မာ",
    "𠮷野家": "𠮷 野 家",
    "東京\u200bTokyo": "東 京 tokyo",
    "dam\u200bbreak sea\u2060level": "dam break sealevel",
}
ALIKE = {
    "full width": ("ＦＩＮＥ", "fine"),
    "ligature": ("ﬁne", "fine"),
    "sharp s": ("STRASSE", "straße"),
    "accent apart": ("cafe\u0301", "café"),
    "final sigma": ("ΛΌΓΟΣ", "λόγος"),
    "Arabic vowel signs": ("مُحَمَّد", "محمد"),
    "Arabic stretching": ("كتـــاب", "كتاب"),
    "Arabic shapes": ("\ufe95", "\u062a"),
    "Hebrew points": ("שָׁלוֹם", "שלום"),
    "Persian half blank": ("می\u200cخواهم", "میخواهم"),
    "soft hyphen": ("co\u00adoperate", "cooperate"),
    "shape selector": ("葛\U000e0100", "葛"),
}


@pytest.mark.parametrize("sentence", SPLIT_BY_HAND)
def test_a_sentence_is_split_as_by_hand(sentence: str) -> None:
    assert tokenize(sentence, UNICODE) == SPLIT_BY_HAND[sentence].split()


@pytest.mark.parametrize("name", ALIKE)
def test_two_ways_of_writing_are_one_word(name: str) -> None:
    one, other = ALIKE[name]
    assert tokenize(one, UNICODE) == tokenize(other, UNICODE) != []


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_has_the_words_that_perl_has(sentence: str) -> None:
    assert tokenize(sentence, UNICODE) == list(plain.prepare_text([sentence], Preparation()).tokens)


@given(st.text())
def test_any_text_has_words_that_are_words_again(sentence: str) -> None:
    words = tokenize(sentence, UNICODE)
    assert all(words)
    assert tokenize(" ".join(words), UNICODE) == words


@given(st.text())
def test_composed_and_decomposed_text_have_the_same_words(sentence: str) -> None:
    forms = [unicodedata.normalize(form, sentence) for form in ("NFC", "NFD", "NFKC")]
    assert [tokenize(form, UNICODE) for form in forms] == [tokenize(sentence, UNICODE)] * 3


def test_every_mark_stays_with_its_letter() -> None:
    dropped = {"", "a"}
    for code in range(0x300, 0x20000):
        mark = chr(code)
        if unicodedata.category(mark)[0] == "M":
            (word,) = tokenize(f"a{mark}", UNICODE)
            assert word in dropped or unicodedata.normalize("NFKC", f"a{mark}".casefold()) == word


@pytest.mark.parametrize(
    ("language", "sentence", "stems"),
    [
        ("english", "The floods were rising", "the flood were rise"),
        ("french", "les maisons étaient chantées", "le maison étaient chant"),
        ("german", "Häuser und Straßen", "haus und strass"),
        ("russian", "городов", "город"),
        ("turkish", "IŞIK İzmir", "ışık izmir"),
    ],
)
def test_words_are_stemmed_by_language(language: str, sentence: str, stems: str) -> None:
    preparation = Preparation(name="unicode", stem=True, language=language)
    assert tokenize(sentence, preparation) == stems.split()


def test_english_stop_words_are_dropped_before_stemming() -> None:
    preparation = Preparation(name="unicode", stop=True, stem=True)
    assert tokenize("The floods of Türkiye", preparation) == ["flood", "türkiy"]


def test_an_unknown_language_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown language 'frnch'"):
        Preparation(name="unicode", language="frnch")


def test_language_auto_has_to_be_chosen_before_texts_are_prepared() -> None:
    with pytest.raises(UsageError, match="name the texts' language"):
        prepare_texts(["été"], Preparation(name="unicode", language="auto"))


def test_a_language_without_stemmer_is_fine_where_nothing_is_stemmed() -> None:
    assert tokenize("東京", Preparation(name="unicode", language="japanese")) == ["東", "京"]


@pytest.mark.parametrize(
    ("language", "sentence", "left"),
    [
        ("french", "L'eau de la ville", "eau ville"),
        ("chinese", "大坝的水", "大 坝 水"),
        ("arabic", "السد في المدينة", "السد المدينة"),
        ("swedish", "vattnet i staden", "vattnet i staden"),
    ],
)
def test_stop_words_are_those_of_the_language(language: str, sentence: str, left: str) -> None:
    preparation = Preparation(name="unicode", stop=True, language=language)
    assert tokenize(sentence, preparation) == left.split()


@pytest.mark.parametrize(
    "preparation",
    [
        UNICODE,
        Preparation(name="unicode", stem=True, stop=True),
        Preparation(name="unicode", limit=Limit(5, "bytes")),
        Preparation(name="unicode", limit=Limit(2, "words")),
    ],
    ids=str,
)
def test_a_batch_holds_the_same_words(preparation: Preparation) -> None:
    texts = [["北京2008", "The floods of été"], [], ["", "हिन्दी में"]]
    batch = prepare_texts(texts, preparation)
    assert batch.whole is batch.lines
    spelled = [batch.vocabulary[word] for word in batch.whole.words]
    singles = [plain.prepare_text(text, preparation) for text in texts]
    assert spelled == [word for text in singles for word in text.tokens]
    assert np.diff(batch.whole.bounds).tolist() == [len(text.tokens) for text in singles]
    lengths = [len(sentence) for text in singles for sentence in text.sentences]
    assert np.diff(batch.whole.sentences).tolist() == lengths


def test_every_character_that_is_left_out_is_left_out_within_a_word() -> None:
    """No search beforehand may pass over one of them, nor see one in an ordinary letter."""
    for code in unicode._left_out():
        assert len(split_into_words(f"да{chr(code)}мба")) == 1 + (code == unicode._ZERO_WIDTH_BLANK)
        assert unicode._may_be_left_out().search(chr(code))
    assert not unicode._may_be_left_out().search("дамба größe 大坝 हिन्दी 2010")
