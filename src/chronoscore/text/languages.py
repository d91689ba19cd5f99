"""Which language a text is written in, as far as preparing it needs to know.

The script decides for Chinese, Japanese, Korean, Russian, Arabic and a few others; languages in
Latin letters are told apart by their function words. `any` is a language that we have no stemmer
and no stop words for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from chronoscore.errors import warn
from chronoscore.text.function_words import LISTED, function_words

AUTO = "auto"
"""The language of a measure that looks at each topic's references."""

STEMMED = frozenset(
    (
        *("arabic", "armenian", "basque", "catalan", "czech", "danish", "dutch", "dutch_porter"),
        *("english", "esperanto", "estonian", "finnish", "french", "german", "greek", "hindi"),
        *("hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian"),
        *("persian", "polish", "porter", "portuguese", "romanian", "russian", "serbian"),
        *("sesotho", "spanish", "swedish", "tamil", "turkish", "yiddish"),
    )
)
"""Languages that Snowball has a stemmer for; an older release may lack some."""

LANGUAGES = STEMMED | LISTED | {"any"}

LATIN = ("english", "german", "french", "spanish", "portuguese", "italian", "dutch")
SAMPLE = 20_000
"""Characters of a text that are looked at."""
FEW = 0.08
"""With a smaller share of function words, a text is in none of the languages we know."""

_SCRIPTS = (
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "russian"),
    (0x0530, 0x058F, "armenian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0750, 0x077F, "arabic"),
    (0x0900, 0x097F, "hindi"),
    (0x0B80, 0x0BFF, "tamil"),
    (0x1100, 0x11FF, "korean"),
    (0x3040, 0x30FF, "japanese"),
    (0x3130, 0x318F, "korean"),
    (0x3400, 0x9FFF, "chinese"),
    (0xAC00, 0xD7AF, "korean"),
    (0xF900, 0xFAFF, "chinese"),
    (0x20000, 0x3FFFF, "chinese"),
)
_NEIGHBORS = {"russian": set("іїєґўјљњћђџқғәңөұүһ"), "arabic": set("پچژگٹڈڑںے")}
"""Letters of other languages in the same script."""


def is_in_unreadable_script(sentences: Iterable[str]) -> bool:
    """Whether most words of a text are in a script that `perl155` takes for blanks.

    >>> is_in_unreadable_script(["大坝决堤", "BP"]), is_in_unreadable_script(["Die Dämme brachen"])
    (True, False)
    """
    text = " ".join(sentences)
    if text.isascii():
        return False
    # Most texts are in Latin letters with a few other signs, which need no closer look.
    if 16 * (len(text.encode("utf-8", "replace")) - len(text)) < len(text):
        return False
    scripts = Counter(filter(None, map(_script_of, _words((text,)))))
    seen = scripts.pop("latin", 0)
    # In Chinese and Japanese a token is a character, and about two of them are a word.
    characters = scripts.pop("chinese", 0) + scripts.pop("japanese", 0)
    return scripts.total() + characters / 2 > seen


def warn_of_unreadable_script(sentences: Iterable[str], preparation: str) -> None:
    """Say that a preparation cannot see the texts; the figures are its own nonetheless."""
    if is_in_unreadable_script(sentences):
        warn(
            f"the texts are in a script that prepare='{preparation}' cannot see, so that hardly "
            "anything is compared; give prepare='unicode' or language='auto'",
            kind="unreadable-script",
        )


def detect_language(sentences: Iterable[str]) -> str:
    """The language of a text, `any` where we know only that it is none of ours.

    >>> detect_language(["Der Damm ist am Morgen gebrochen, und die Stadt wurde überflutet."])
    'german'
    >>> detect_language(["大坝决堤"]), detect_language(["ダムが決壊した"])
    ('chinese', 'japanese')
    """
    words = _words(tuple(sentences))
    scripts = Counter(filter(None, map(_script_of, words)))
    if not scripts:
        return "english"
    if scripts["japanese"] > 0.1 * scripts["chinese"]:
        scripts["japanese"] += scripts.pop("chinese", 0)
    script = scripts.most_common(1)[0][0]
    if script == "latin":
        return _detect_latin(words)
    letters = set("".join(words))
    return "any" if letters & _NEIGHBORS.get(script, set()) else script


def _script_of(word: str) -> str:
    """The language that a word's script stands for, `latin`, or nothing for a number."""
    if not word[0].isalpha():
        return ""
    code = ord(word[0])
    if code < 0x0250 or 0x1E00 <= code <= 0x1EFF:
        return "latin"
    return next((name for first, last, name in _SCRIPTS if first <= code <= last), "any")


def _detect_latin(words: list[str]) -> str:
    """The language with most function words in the text; English where none stands out."""
    counts = {name: sum(word in function_words(name) for word in words) for name in LATIN}
    best = max(LATIN, key=lambda name: counts[name])
    accented = sum(not word.isascii() for word in words)
    if counts[best] < FEW * len(words):
        return "any" if accented > len(words) / 50 else "english"
    return best


def _words(sentences: tuple[str, ...]) -> list[str]:
    from chronoscore.text.unicode import split_into_words

    return [word for sentence in _sample(sentences) for word in split_into_words(sentence)]


def _sample(sentences: tuple[str, ...]) -> Iterator[str]:
    left = SAMPLE
    for sentence in sentences:
        if left <= 0:
            return
        yield sentence[:left]
        left -= len(sentence)
