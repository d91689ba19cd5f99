"""The stemmer of ROUGE-1.5.5: WordNet's irregular forms first, then its own Porter rules.

The rules differ from Porter's 1980 paper and from every Porter stemmer in NLTK:
three suffix classes of step 4 are tried one after the other on the same word,
so that `professional` loses both -al and -ion.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from chronoscore.text import listings

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_STEP_3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def _by_tail(endings: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Endings by their last two letters, the longest first."""
    found: dict[str, tuple[str, ...]] = {}
    for ending in sorted(endings, key=len, reverse=True):
        found[ending[-2:]] = (*found.get(ending[-2:], ()), ending)
    return found


_ENDINGS_2, _ENDINGS_3, _ENDINGS_4 = map(_by_tail, (_STEP_2, _STEP_3, _STEP_4))
_TAILS_4 = {*_ENDINGS_4, "nt", "on"}
_TAILS = {*_ENDINGS_2, *_ENDINGS_3, *_TAILS_4, "ed", "ng", "ll"}
"""A word that ends in none of these, nor in e, s or y, is left as it is by every rule."""

_SHAPES = bytes(
    ord("y" if byte == ord("y") else "v" if chr(byte) in "aeiou" else "c") for byte in range(256)
)


def _shape(word: str) -> bytes:
    """Spell a word in c and v; a y counts as a vowel after a consonant only."""
    letters = word.encode() if word.isascii() else word.encode("ascii", "replace")
    shape = letters.translate(_SHAPES)
    while b"y" in shape:
        shape = (b"v" + shape).replace(b"cy", b"cv").replace(b"vy", b"vc")[1:]
    return shape


def _measure(stem: str) -> int:
    """Count the vowel-consonant turns of a stem: Porter's m."""
    return _shape(stem).count(b"vc")


def _short(stem: str, shape: bytes) -> bool:
    """Tell whether a stem is one consonant cluster, a vowel and a consonant other than w, x, y."""
    once = shape.count(b"v") == 1 and len(shape) > 2
    return once and shape.endswith(b"vc") and stem[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word[-2] != "s" else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    stem = word.removesuffix("ed" if word.endswith("ed") else "ing")
    shape = _shape(stem)
    if b"v" not in shape:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and stem[-1] not in "aeiouylsz":
        return stem[:-1]
    return stem + "e" if _short(stem, shape) else stem


def _split(word: str, by_tail: dict[str, tuple[str, ...]]) -> tuple[str, str]:
    """The stem and the longest ending, which is empty where there is none."""
    for ending in by_tail.get(word[-2:], ()):
        if word.endswith(ending) and word != ending:
            return word[: -len(ending)], ending
    return word, ""


def _replace(word: str, by_tail: dict[str, tuple[str, ...]], replacements: dict[str, str]) -> str:
    stem, ending = _split(word, by_tail)
    return stem + replacements[ending] if ending and _measure(stem) > 0 else word


def _strip(word: str) -> str:
    stem, ending = _split(word, _ENDINGS_4)
    if ending and _measure(stem) > 1:
        word = stem
    if word.endswith("ment") and _measure(word[:-4]) > 1:
        word = word[:-4]
    if word.endswith("ent"):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    if word.endswith(("sion", "tion")) and _measure(word[:-3]) > 1:
        return word[:-3]
    return word


def _silent(word: str) -> str:
    """Drop a last e that is not needed to tell the stem apart."""
    stem = word[:-1]
    shape = _shape(stem)
    turns = shape.count(b"vc")
    return stem if turns > 1 or (turns == 1 and not _short(stem, shape)) else word


def porter(word: str) -> str:
    """Strip English endings by rule, as ROUGE-1.5.5 does.

    >>> porter("professional"), porter("argument"), porter("display")
    ('profess', 'argum', 'displai')
    """
    if len(word) < 3 or (word[-2:] not in _TAILS and word[-1] not in "esy"):
        return word
    if word[-1] == "s":
        word = _plural(word)
    if word.endswith(("ed", "ing")):
        word = _past(word)
    if word[-1] == "y" and b"v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDINGS_2:
        word = _replace(word, _ENDINGS_2, _STEP_2)
    if word[-2:] in _ENDINGS_3:
        word = _replace(word, _ENDINGS_3, _STEP_3)
    if word[-2:] in _TAILS_4:
        word = _strip(word)
    if word[-1] == "e":
        word = _silent(word)
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


@cache
def irregular_stems() -> dict[str, str]:
    """The bundled irregular words and their base forms."""
    rows = listings.read("wordnet-exceptions.tsv").splitlines()
    return dict(row.split("\t") for row in rows)


def base_form(word: str) -> str:
    """Give the base form of a word of any length: irregular forms by list, others by rule.

    >>> base_form("men"), base_form("went"), base_form("floods")
    ('man', 'go', 'flood')
    """
    return irregular_stems().get(word) or porter(word)


class Stems(dict[str, str]):
    """Stems by word, each worked out once."""

    def __init__(self, rule: Callable[[str], str]) -> None:
        super().__init__()
        self._rule = rule

    def __missing__(self, word: str) -> str:
        if len(self) >= 1_000_000:
            self.clear()
        stem = self[word] = self._rule(word)
        return stem


STEMS = Stems(lambda word: base_form(word) if len(word) > 3 else word)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Word lists to use instead of the bundled ones: those of an installation of ROUGE-1.5.5."""

    irregular: Mapping[str, str]
    stop_words: frozenset[str]

    def base(self, word: str) -> str:
        """Give the base form of a word of any length."""
        return self.irregular.get(word) or porter(word)

    @cached_property
    def stems(self) -> Stems:
        """Stems of tokens; those of three characters or fewer stay."""
        return Stems(lambda word: self.base(word) if len(word) > 3 else word)


def stem(word: str) -> str:
    """Stem one token as ROUGE-1.5.5 does with -m; tokens of three characters or fewer stay.

    >>> stem("floods"), stem("men")
    ('flood', 'men')
    """
    return STEMS[word]
