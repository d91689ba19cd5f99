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
_DOZEN = 12.0
_TENS = frozenset(word for word, value in SMALL.items() if value >= 20)
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
_ORDINALS = frozenset(
    _IRREGULAR.get(word, word[:-1] + "ieth" if word in _TENS else f"{word}th")
    for word in (*SMALL, *_AFTER_A)
)
_BY_ORDINAL = {
    _IRREGULAR.get(word, word[:-1] + "ieth" if word in _TENS else f"{word}th"): value
    for word, value in SMALL.items()
    if value
}
_SUFFIXES = frozenset(("st", "nd", "rd", "th"))
_FRACTIONS = frozenset(f"{word}s" for word in _ORDINALS - {"first", "second"}) | {
    *("half", "halves", "quarter", "quarters", "third", "fifth"),
}
_SIGNS = ("$", "€", "£", "¥")


class Numeral(NamedTuple):
    """A number in a sentence: its value, and the token behind it."""

    value: float
    stop: int


def read_numeral(sentence: TokenSentence, place: int) -> Numeral | None:
    """The number that begins at a token, in figures or in English words."""
    word = sentence.small(place)
    if word[:1].isdigit():
        return _scale_figures(sentence, Numeral(read_figures(word), place + 1))
    if word in SMALL or (word == "a" and sentence.small(place + 1) in _AFTER_A):
        return _read_words(sentence, place)
    if word == "half" and sentence.small(place + 1) in ("a", *_AFTER_A):
        stop = place + 1 + (sentence.small(place + 1) == "a")
        if sentence.small(stop) in _AFTER_A:
            return _scale_figures(sentence, Numeral(0.5, stop))
    return None


def ordinal_behind(sentence: TokenSentence, stop: int) -> int:
    """The token behind an ordinal or a fraction that a number goes on as, or 0 if it does not.

    "Twenty-first", "one hundred fifth" and "two-thirds" count nothing.
    """
    hyphen = sentence.small(stop) in _HYPHENS and sentence.joined(stop)
    word = sentence.small(stop + hyphen)
    after_tens = sentence.small(stop - 1) in _TENS
    if word == "second" and not after_tens:
        return 0
    # "One hundred fifth", but not "a $7.5 billion third-quarter loss".
    scaled = sentence.small(stop - 1) in _AFTER_A and not sentence.small(stop - 2)[:1].isdigit()
    ordinal = word in _ORDINALS and (hyphen or scaled)
    fraction = word in _FRACTIONS and sentence.small(stop - 1) in SMALL
    return stop + hyphen + 1 if ordinal or fraction else 0


def read_ordinal(sentence: TokenSentence, place: int) -> Numeral | None:
    """The ordinal that begins at a token, in figures ("87th") or words ("twenty-first").

    "First" and "second" by themselves say too much else, and "a third of them" is a share.
    """
    word, before = sentence.small(place), sentence.small(place - 1)
    if word.isdigit() and sentence.small(place + 1) in _SUFFIXES and sentence.joined(place + 1):
        return Numeral(float(word), place + 2)
    behind = place + 1 + _hyphens(sentence, place + 1)
    if word in _TENS and sentence.small(behind) in _BY_ORDINAL:
        return Numeral(SMALL[word] + _BY_ORDINAL[sentence.small(behind)], behind + 1)
    counts = behind < len(sentence) and sentence.stems[behind]
    if (
        not counts
        or before in SMALL
        or before in _HYPHENS
        or word in ("first", "second")
        or word not in _BY_ORDINAL
    ):
        return None
    return Numeral(_BY_ORDINAL[word], place + 1)


def _read_words(sentence: TokenSentence, place: int) -> Numeral:
    """A number in words: "forty-two", "one hundred fifty-five", "two million and ten thousand".

    Each group below a thousand is followed by a smaller scale than the one before, with or
    without "and", commas and hyphens between them.
    """
    total, limit = 0.0, float("inf")
    stop = place
    begin: int | None = place
    while begin is not None:
        group, end = _read_group(sentence, begin)
        scale, behind = _scale_behind(sentence, end)
        smallest = scale or 1.0
        if begin > place and not (smallest < limit and group < limit):
            break
        if begin > place and sentence.small(begin - 1) == "," and group < _HUNDRED:
            # "Two thousand, three of them women".
            break
        total, stop = total + group * smallest, behind
        if not scale or scale == _DOZEN:
            break
        limit = scale
        begin = _next_word(sentence, stop, comma=True)
    return Numeral(total, stop)


def _read_group(sentence: TokenSentence, place: int) -> Numeral:
    """A number below a thousand, or one as "fifteen hundred"."""
    value, stop = _read_tens(sentence, place)
    hundred = stop + _hyphens(sentence, stop)
    if sentence.small(hundred) not in ("hundred", "hundreds"):
        return Numeral(value, stop)
    value, stop = value * _HUNDRED, hundred + 1
    begin = _next_word(sentence, stop)
    if begin is None or sentence.small(begin) == "a":
        return Numeral(value, stop)
    rest = _read_tens(sentence, begin)
    behind = rest.stop + _hyphens(sentence, rest.stop)
    if sentence.small(behind) in ("hundred", "hundreds"):
        return Numeral(value, stop)
    return Numeral(value + rest.value, rest.stop)


def _read_tens(sentence: TokenSentence, place: int) -> Numeral:
    """A number below a hundred: "a", "forty", "forty-two"."""
    value = SMALL.get(sentence.small(place), 1.0)
    behind = place + 1 + _hyphens(sentence, place + 1)
    unit = SMALL.get(sentence.small(behind), 0.0)
    if value >= 20 and 0 < unit < 10:
        return Numeral(value + unit, behind + 1)
    return Numeral(value, place + 1)


def _hyphens(sentence: TokenSentence, place: int) -> int:
    """1 where a hyphen stands between the parts of a number."""
    return int(sentence.small(place) in _HYPHENS and sentence.joined(place))


def _next_word(sentence: TokenSentence, place: int, *, comma: bool = False) -> int | None:
    """Where a number goes on behind a scale: at once, after "and", a hyphen, or a comma."""
    place += _hyphens(sentence, place) or (comma and sentence.small(place) == ",")
    if sentence.small(place) == "and":
        place += 1 + _hyphens(sentence, place + 1)
    return place if sentence.small(place) in SMALL else None


def _scale_behind(sentence: TokenSentence, place: int) -> tuple[float, int]:
    """What the words behind a number in words multiply it by, and the token behind them."""
    behind = place + _hyphens(sentence, place)
    word = sentence.small(behind)
    scale = SCALES.get(word, 0.0) if len(word) > 1 else 0.0
    if not scale:
        return 0.0, place
    more, stop = _scale_behind(sentence, behind + 1)
    # "Ten thousand million" is one number, "two million thousand" none.
    return (scale * more, stop) if more > scale else (scale, behind + 1)


def _scale_figures(sentence: TokenSentence, numeral: Numeral) -> Numeral:
    """Take in "hundred thousand", "bn" or "Mio."; a single letter only where it is attached."""
    value, place = numeral
    while scale := SCALES.get(sentence.small(place + _hyphens(sentence, place))):
        place += _hyphens(sentence, place)
        letter = sentence.tokens[place].text
        if len(letter) == 1 and not (sentence.joined(place) and _is_scale(sentence, place)):
            break
        value, place = value * scale, place + 1
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
