"""The stemmer of ROUGE-1.5.5: WordNet's irregular forms first, then its own Porter rules.

The rules differ from Porter's 1980 paper and from every Porter stemmer in NLTK:
three suffix classes of step 4 are tried one after the other on the same word,
so that `professional` loses both -al and -ion.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

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


def _ending(suffixes: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(suffixes, key=len, reverse=True)
    return re.compile(f"(?s)(.+?)({'|'.join(map(re.escape, longest_first))})")


_ENDING_2 = _ending(_STEP_2)
_ENDING_3 = _ending(_STEP_3)
_ENDING_4 = _ending(_STEP_4)


def _shape(word: str) -> str:
    """Spell a word in c and v; a y counts as a vowel after a consonant only."""
    shape = ""
    for position, letter in enumerate(word):
        vowel = letter in "aeiou" or (letter == "y" and position > 0 and shape[-1] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """Count the vowel-consonant turns of a stem: Porter's m."""
    return _shape(stem).count("vc")


def _short(stem: str) -> bool:
    """Tell whether a stem is one consonant cluster, a vowel and a consonant other than w, x, y."""
    return re.fullmatch("c+vc", _shape(stem)) is not None and stem[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and word[-2] != "s":
        return word[:-1]
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and "v" in _shape(stem):
            if stem.endswith(("at", "bl", "iz")):
                return stem + "e"
            if len(stem) > 1 and stem[-1] == stem[-2] and stem[-1] not in "aeiouylsz":
                return stem[:-1]
            return stem + "e" if _short(stem) else stem
    return word


def _replace(word: str, ending: re.Pattern[str], replacements: dict[str, str]) -> str:
    found = ending.fullmatch(word)
    if found and _measure(found[1]) > 0:
        return found[1] + replacements[found[2]]
    return word


def _strip(word: str) -> str:
    found = _ENDING_4.fullmatch(word)
    if found and _measure(found[1]) > 1:
        word = found[1]
    if word.endswith("ment") and _measure(word[:-4]) > 1:
        word = word[:-4]
    if word.endswith("ent"):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    if word.endswith(("sion", "tion")) and _measure(word[:-3]) > 1:
        return word[:-3]
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        turns = _measure(stem)
        if turns > 1 or (turns == 1 and not _short(stem)):
            word = stem
    if word.endswith("ll") and _measure(word) > 1:
        return word[:-1]
    return word


def porter(word: str) -> str:
    """Strip English endings by rule, as ROUGE-1.5.5 does.

    >>> porter("professional"), porter("argument"), porter("display")
    ('profess', 'argum', 'displai')
    """
    if len(word) < 3:
        return word
    word = _past(_plural(word))
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _ENDING_2, _STEP_2)
    word = _replace(word, _ENDING_3, _STEP_3)
    return _tidy(_strip(word))


@cache
def _irregular() -> dict[str, str]:
    table = files("chronoscore.text").joinpath("data", "wordnet-exceptions.tsv")
    rows = table.read_text(encoding="ascii").splitlines()
    return dict(row.split("\t") for row in rows)


def base(word: str) -> str:
    """Give the base form of a word of any length: irregular forms by list, others by rule.

    >>> base("men"), base("went"), base("floods")
    ('man', 'go', 'flood')
    """
    return _irregular().get(word) or porter(word)


class _Stems(dict[str, str]):
    """Stems by word, each worked out once."""

    def __missing__(self, word: str) -> str:
        if len(self) >= 1_000_000:
            self.clear()
        stem = self[word] = base(word) if len(word) > 3 else word
        return stem


STEMS = _Stems()


def stem(word: str) -> str:
    """Stem one token as ROUGE-1.5.5 does with -m; tokens of three characters or fewer stay.

    >>> stem("floods"), stem("men")
    ('flood', 'men')
    """
    return STEMS[word]
