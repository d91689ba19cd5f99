"""Numbers in English words and in figures, as they are written back into a text."""

from chronoscore.lazy import pattern
from chronoscore.text.numerals import SMALL, read_figures

FIGURES = pattern(r"\d+(?:[.,]\d+)*")
_BY_VALUE = {int(value): word for word, value in SMALL.items()}
_SCALES = ((1_000_000, "million"), (1000, "thousand"), (100, "hundred"))
LARGEST = 999_999_999
"""The largest number that is spelled out."""


def spell(number: int) -> str:
    """A number in words.

    >>> spell(42), spell(1200), spell(310_005)
    ('forty-two', 'one thousand two hundred', 'three hundred ten thousand five')
    """
    if number < 20:
        return _BY_VALUE[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return _BY_VALUE[10 * tens] + (f"-{_BY_VALUE[rest]}" if rest else "")
    size, word = next((size, word) for size, word in _SCALES if number >= size)
    count, rest = divmod(number, size)
    return f"{spell(count)} {word}" + (f" {spell(rest)}" if rest else "")


def decimals_of(figures: str) -> int:
    """How many decimals figures have.

    >>> decimals_of("5.25"), decimals_of("5,300"), decimals_of("40")
    (2, 0, 0)
    """
    value = read_figures(figures)
    return 0 if value == int(value) and "." not in figures else len(figures.rpartition(".")[2])


def write_like(figures: str, value: float) -> str:
    """A number in figures, with the decimals of others and a comma where these would have one.

    >>> write_like("5,300", 53000), write_like("2.5", 25.0), write_like("40", 400)
    ('53,000', '25.0', '400')
    """
    separator = "," if "," in figures or value >= 10_000 else ""
    return f"{value:{separator}.{decimals_of(figures)}f}"
