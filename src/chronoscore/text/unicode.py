"""Words of any script: the `unicode` preparation.

A word is a run of letters, digits and the signs that combine with them (Hindi vowels, accents);
everything else separates words, as in `perl155`: `l'eau` is l and eau, `3.14` is 3 and 14.
Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without blanks between words: there
each letter with its signs is a token, so that a unigram is a character and a bigram nearly a word.

Text is compared after compatibility normalisation (NFKC) and full case folding, so that
`ﬁne`, `FINE` and `ｆｉｎｅ` are one word. Arabic and Hebrew vowel points and the Arabic stretching
line are left out, as most writers do, and so are invisible characters within words.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from unicodedata import category, normalize

from chronoscore.errors import UsageError
from chronoscore.text.function_words import function_words
from chronoscore.text.languages import STEMMED
from chronoscore.text.preparation import Preparation
from chronoscore.text.stems import Stems

_ASCII = bytes(byte if chr(byte).isalnum() else ord(" ") for byte in range(128)).decode("ascii")

# Scripts that put no blanks between words. In the first group digits and marks stand among the
# letters; the second is Han and needs no closer look.
_MIXED_BLOCKS = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),  # Thai to Burmese
    *((0x1780, 0x17FF), (0x2E80, 0x30FF), (0x31F0, 0x31FF), (0x1AFF0, 0x1B16F)),  # Khmer, kana
)
_HAN_BLOCKS = (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)
# Where the combining marks and the invisible characters are.
_MARK_BLOCKS = (
    *((0x0300, 0x33FF), (0xA66F, 0xABFF), (0xFB1E, 0xFE2F), (0x10000, 0x11FFF), (0x16A00, 0x1EFFF)),
)
_SELECTOR_BLOCKS = (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)  # which shape a letter takes
_UNSEEN_BLOCKS = (0x0000, 0x08FF), (0x180E, 0x180E), (0x2000, 0x206F), (0xFEFF, 0xFFFB)
_POINT_BLOCKS = (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x06D6, 0x06ED)
_STRETCH, _SUPERSCRIPT_ALEF, _ZERO_WIDTH_BLANK = 0x0640, 0x0670, 0x200B
_TURKISH_CASE = str.maketrans({"I": "ı", "İ": "i"})


def tokenize(sentence: str, preparation: Preparation) -> list[str]:
    """Split a sentence of any language into words, without stop words and stemmed if so prepared.

    >>> tokenize("L'Été à Saint-Tropez, 2010", Preparation(name="unicode"))
    ['l', 'été', 'à', 'saint', 'tropez', '2010']
    >>> tokenize("हिन्दी में 漢字", Preparation(name="unicode"))
    ['हिन्दी', 'में', '漢', '字']
    """
    words = split_into_words(sentence, turkish=preparation.language == "turkish")
    if preparation.stop:
        stop = _stop_words(preparation.language)
        words = [word for word in words if word not in stop]
    if preparation.stem:
        words = [*map(_stems(preparation.language).__getitem__, words)]
    return words


def split_into_words(sentence: str, *, turkish: bool = False) -> list[str]:
    """Split a sentence into words in folded case.

    Turkish has two letters i, with a dot and without, in either case.
    """
    if sentence.isascii() and not turkish:
        return sentence.lower().translate(_ASCII).split()
    if turkish:
        sentence = sentence.translate(_TURKISH_CASE)
    text = normalize("NFKC", normalize("NFKC", sentence).casefold())
    if _may_be_left_out().search(text):
        text = text.translate(_left_out())
    words, letters = _patterns()
    return words.findall(letters.sub(r" \g<0> ", text))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Make the patterns of a word, and of a letter that is a token of its own."""
    marks = _ranges(map(ord, _characters(_MARK_BLOCKS, "M")))
    letters = _ranges(map(ord, _characters(_MIXED_BLOCKS, "L")))
    letters += "".join(f"{chr(first)}-{chr(last)}" for first, last in _HAN_BLOCKS)
    return re.compile(rf"[^\W_](?:[^\W_]+|[{marks}]+)*"), re.compile(f"[{letters}][{marks}]*")


def _ranges(codes: Iterable[int]) -> str:
    """Write characters as ranges, which a regular expression goes through faster."""
    numbered = groupby(enumerate(codes), key=lambda place: place[1] - place[0])
    runs = [[code for _, code in run] for _, run in numbered]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


@cache
def _left_out() -> dict[int, str | None]:
    """Say which characters are dropped, and which invisible one is a blank."""
    points = _characters((*_POINT_BLOCKS, *_SELECTOR_BLOCKS), "M")
    unseen = _characters(_UNSEEN_BLOCKS, "Cf")
    dropped: dict[int, str | None] = dict.fromkeys(map(ord, points + unseen))
    dropped |= dict.fromkeys((_STRETCH, _SUPERSCRIPT_ALEF))
    return dropped | {_ZERO_WIDTH_BLANK: " "}


@cache
def _may_be_left_out() -> re.Pattern[str]:
    """Make the pattern of what is dropped; it has all of the higher planes, so that it is fast."""
    codes = sorted(code for code in _left_out() if code <= 0xFFFF)
    return re.compile(f"[{_ranges(codes)}\U00010000-\U0010ffff]")


def _characters(blocks: Iterable[tuple[int, int]], kind: str) -> list[str]:
    """List the characters of a kind: letters, marks …"""
    found = (chr(code) for first, last in blocks for code in range(first, last + 1))
    return [character for character in found if category(character).startswith(kind)]


@cache
def _stems(language: str) -> Stems:
    if language not in STEMMED:
        return Stems(str)
    # Only text that is stemmed pays for loading the stemmers.
    import snowballstemmer

    if language not in snowballstemmer.algorithms():
        raise UsageError(
            f"the installed Snowball has no stemmer for '{language}'; update snowballstemmer"
        )
    return Stems(snowballstemmer.stemmer(language).stemWord)


def _stop_words(language: str) -> frozenset[str]:
    if language != "english":
        return function_words(language)
    from chronoscore.text.stopwords import SMART

    return SMART


def count_words(text: str) -> int:
    """How long a text is: what stands between blanks, or words by their letters where none do.

    >>> count_words("The dam broke."), count_words("大坝决堤") > 1
    (3, True)
    """
    bare = text.split()
    return len(bare) if len(bare) > 1 or text.isascii() else max(1, len(split_into_words(text)))
