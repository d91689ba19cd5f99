"""Porter's stemmer with NLTK's extensions, the one that the package rouge-score uses.

It differs from the stemmer of ROUGE-1.5.5 in a short list of irregular words, in words on
-ies, -ied and -y, and in step 4, of which one rule is applied here and three in a row there.
"""

from chronoscore.text.stems import _STEP_2, _STEP_3, _STEP_4, Stems, _by_tail, _measure, _shape

IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{word: word for word in ("news", "inning", "outing", "canning", "howe")},
    **{word: word for word in ("proceed", "exceed", "succeed")},
}
_REPLACED_2 = {**_STEP_2, "fulli": "ful"}
_ENDINGS_2, _ENDINGS_3 = _by_tail(_REPLACED_2), _by_tail(_STEP_3)
_ENDINGS_4 = _by_tail((*_STEP_4, "ment", "ent", "ion"))


def stem_nltk(word: str) -> str:
    """Strip English endings as NLTK's Porter stemmer does by default.

    >>> stem_nltk("professional"), stem_nltk("dying"), stem_nltk("display")
    ('profession', 'die', 'display')
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 3:
        return word
    word = _strip_past(_strip_plural(word))
    if word[-1] == "y" and len(word) > 2 and _shape(word[:-1]).endswith(b"c"):
        word = word[:-1] + "i"
    word = _replace_double(word)
    stem, ending = _split(word, _ENDINGS_3)
    if ending and _measure(stem) > 0:
        word = stem + _STEP_3[ending]
    stem, ending = _split(word, _ENDINGS_4)
    if ending and _measure(stem) > 1 and (ending != "ion" or stem[-1] in "st"):
        word = stem
    if word[-1] == "e":
        word = _strip_e(word)
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _split(word: str, by_tail: dict[str, tuple[str, ...]]) -> tuple[str, str]:
    """The stem and the longest ending, which is empty where there is none."""
    for ending in by_tail.get(word[-2:], ()):
        if word.endswith(ending):
            return word[: -len(ending)], ending
    return word, ""


def _is_short(stem: str, shape: bytes) -> bool:
    """Tell whether a stem ends in consonant, vowel and consonant other than w, x, y.

    A stem of one vowel and one consonant is short too.
    """
    return (shape.endswith(b"cvc") and stem[-1] not in "wxy") or shape == b"vc"


def _strip_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2:] != "ss" else word


def _strip_past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    ending = next((ending for ending in ("ed", "ing") if word.endswith(ending)), "")
    stem = word.removesuffix(ending)
    shape = _shape(stem)
    if not ending or b"v" not in shape:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and shape.endswith(b"c"):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if shape.count(b"vc") == 1 and _is_short(stem, shape) else stem


def _replace_double(word: str) -> str:
    """Replace an ending that two suffixes make, such as -ational; -alli may uncover another."""
    stem, ending = _split(word, _ENDINGS_2)
    # In -logi the l belongs to the stem.
    if not ending or _measure(stem + "l" if ending == "logi" else stem) == 0:
        return word
    shorter = stem + _REPLACED_2[ending]
    return _replace_double(shorter) if ending == "alli" else shorter


def _strip_e(word: str) -> str:
    stem = word[:-1]
    shape = _shape(stem)
    turns = shape.count(b"vc")
    return stem if turns > 1 or (turns == 1 and not _is_short(stem, shape)) else word


NLTK_STEMS = Stems(lambda word: stem_nltk(word) if len(word) > 3 else word)
"""Stems as rouge-score gives them: words of three characters or fewer stay."""
