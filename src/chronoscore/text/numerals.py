"""Numbers as texts write them: in figures, in words, with scales such as million and Mrd."""

from typing import NamedTuple

from chronoscore.text.tokens import TokenSentence


def _read_table(rows: dict[float, str]) -> dict[str, float]:
    return {word: number for number, words in rows.items() for word in words.split()}


def _count(words: str, *, by: float = 1.0, start: int = 0) -> dict[str, float]:
    return {word: by * number for number, word in enumerate(words.split(), start)}


SMALL = _count(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
) | _count("twenty thirty forty fifty sixty seventy eighty ninety", by=10.0, start=2)
SCALES = _read_table(
    {
        1e2: "hundred hundreds",
        12.0: "dozen dozens",
        1e3: "thousand thousands k tausend mille mil",
        1e6: "million millions m mn mln mio millionen millón millones milione milioni",
        1e9: "billion billions bn bln mrd milliarde milliarden milliard milliards miliardi",
        1e12: "trillion trillions tn trn",
    }
)
_AFTER_A = ("hundred", "dozen", "thousand", "million", "billion", "trillion")
_HYPHENS = ("-", "‑")
_HUNDRED = 100
_SIGNS = ("$", "€", "£", "¥")


class Numeral(NamedTuple):
    """A number in a sentence: its value, and the token behind it."""

    value: float
    stop: int


def read_numeral(sentence: TokenSentence, place: int) -> Numeral | None:
    """The number that begins at a token, in figures or in English words."""
    word = sentence.small(place)
    if word[:1].isdigit():
        return _scale(sentence, Numeral(read_figures(word), place + 1))
    if word in SMALL:
        return _scale(sentence, _read_words(sentence, place))
    if word == "a" and sentence.small(place + 1) in _AFTER_A:
        return _scale(sentence, Numeral(1.0, place + 1))
    if word == "half" and sentence.small(place + 1) in ("a", *_AFTER_A):
        stop = place + 1 + (sentence.small(place + 1) == "a")
        return _scale(sentence, Numeral(0.5, stop)) if sentence.small(stop) in _AFTER_A else None
    return None


def _read_words(sentence: TokenSentence, place: int) -> Numeral:
    """A number below a hundred in words: "forty", "forty-two"."""
    value = SMALL[sentence.small(place)]
    hyphen = sentence.small(place + 1) in _HYPHENS
    unit = SMALL.get(sentence.small(place + 1 + hyphen), 0.0)
    if value >= 20 and 0 < unit < 10:
        return Numeral(value + unit, place + 2 + hyphen)
    return Numeral(value, place + 1)


def _scale(sentence: TokenSentence, numeral: Numeral) -> Numeral:
    """Take in "hundred thousand", "bn" or "Mio."; a single letter only where it is attached."""
    value, place = numeral
    while scale := SCALES.get(sentence.small(place)):
        letter = sentence.tokens[place].text
        if len(letter) == 1 and not (sentence.joined(place) and _is_scale(sentence, place)):
            break
        value, place = value * scale, place + 1
    in_words = sentence.small(place - 1) in SCALES and value >= _HUNDRED
    if in_words and sentence.small(place) == "and" and sentence.small(place + 1) in SMALL:
        rest = _read_words(sentence, place + 1)
        return _scale(sentence, Numeral(value + rest.value, rest.stop))
    return Numeral(value, place)


def _is_scale(sentence: TokenSentence, place: int) -> bool:
    """Whether a letter behind figures is a scale: 5m, $3M, but not the company 3M."""
    return sentence.tokens[place].text.islower() or sentence.small(place - 2) in _SIGNS


def read_figures(text: str) -> float:
    """The value of figures with separators, as English or most other languages write them.

    >>> [read_figures(text) for text in ("5,300", "5.2", "5,2", "1.250.000", "1,250,000.5")]
    [5300.0, 5.2, 5.2, 1250000.0, 1250000.5]
    """
    marks = [mark for mark in text if mark in ",."]
    if not marks:
        return float(text)
    groups = text.replace(",", ".").split(".")
    thousands = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    if thousands and len(set(marks)) == 1 and (marks[-1] == "," or len(marks) > 1):
        return float("".join(groups))
    if len(marks) > 1 and len(set(marks[:-1])) == 1 and marks[-1] != marks[0]:
        return float("".join(groups[:-1]) + "." + groups[-1])
    return float(groups[0] + "." + "".join(groups[1:]))


def rounds_to(value: float, rounded: float) -> bool:
    """Whether one number is the other, written with fewer digits; below a hundred none is.

    >>> rounds_to(5280, 5300), rounds_to(5280, 5200), rounds_to(5280, 5000), rounds_to(41, 40)
    (True, False, True, False)
    """
    if rounded < _HUNDRED:
        return value == rounded
    step = 1.0
    while rounded % (step * 10) == 0:
        step *= 10
    return step > 1 and abs(value - rounded) <= step / 2
