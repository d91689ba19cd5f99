"""Alterations that make an English timeline false: numbers, names, roles, negation, inventions."""

import random
from collections.abc import Callable
from functools import cache, partial

from chronoscore.checks.cases import Case, rewrite_sentences
from chronoscore.checks.names import names_of, swap_names
from chronoscore.checks.rearrangements import add_entries
from chronoscore.checks.role_edits import exchange
from chronoscore.checks.spelling import FIGURES, LARGEST, decimals_of, spell, write_like
from chronoscore.checks.verb_edits import Edit, negate
from chronoscore.core import Timeline, When
from chronoscore.lazy import pattern
from chronoscore.text import listings
from chronoscore.text.numerals import read_figures
from chronoscore.text.quantities import Quantity, quantities_in

_PART, _PART_BEHIND = pattern(r"\d[-/]$"), pattern(r"[-/]\d")
"""What makes a number a part of another one, as in the number of a telephone."""
_NAMING = pattern(r"(?:(?<=[\w,;] )\w*[A-Z]\w* |[\w#$€£]-|[#$€£] ?)$")
"""What makes a number a part of a name, as in "iPhone 4", or of a sum."""
_FACTORS = (0.8, 0.9, 1.1, 1.2)


def change_numbers_a_little(case: Case) -> Timeline | None:
    """Make numbers up to a fifth larger or smaller."""
    return rewrite_sentences(case, partial(_change_numbers, scale=_scale_a_little))


def multiply_numbers(case: Case) -> Timeline | None:
    """Make numbers ten times as large."""
    return rewrite_sentences(case, partial(_change_numbers, scale=lambda value, *_: 10 * value))


def _scale_a_little(value: float, step: float, rng: random.Random) -> float:
    """A number near another one, by at least a step and never 1."""
    scaled = round(value * rng.choice(_FACTORS) / step) * step
    return value + step if scaled == value or scaled <= 1 < value else scaled


def _change_numbers(
    text: str, rng: random.Random, scale: Callable[[float, float, random.Random], float]
) -> str:
    """Change all quantities of a text except 1, after which a noun is a singular."""
    for quantity in reversed(quantities_in(text)):
        span = text[quantity.start : quantity.end]
        if _PART.search(text, 0, quantity.start) or _PART_BEHIND.match(text, quantity.end):
            continue
        if FIGURES.search(span):
            new = _rescale_all(span, rng.random(), scale)
        elif _is_in_words(quantity):
            value = round(scale(quantity.low, 1.0, rng))
            new = spell(value) if value <= LARGEST else f"{value:,}"
        else:
            continue
        text = Edit(quantity.start, quantity.end, _like(span, new)).apply(text)
    return text


def _rescale_all(
    span: str, draw: float, scale: Callable[[float, float, random.Random], float]
) -> str:
    """All figures of a span changed alike: a range must not run backward."""
    return FIGURES.sub(lambda found: _rescale(found[0], random.Random(draw), scale), span)


def _rescale(
    figures: str, rng: random.Random, scale: Callable[[float, float, random.Random], float]
) -> str:
    value = read_figures(figures)
    if value in (0.0, 1.0):
        return figures
    return write_like(figures, scale(value, 10.0 ** -decimals_of(figures), rng))


def _is_in_words(quantity: Quantity) -> bool:
    """Whether a quantity without figures is a single whole number that can be spelled anew."""
    whole = quantity.low == quantity.high == int(quantity.low)
    return whole and quantity.low > 1 and not quantity.unit


def spell_numbers(case: Case) -> Timeline | None:
    """Write numbers in words instead of figures."""
    return rewrite_sentences(case, lambda text, _rng: _spell_numbers(text))


def _spell_numbers(text: str) -> str:
    """Whole numbers in words, where nothing is attached to them: no "$40", "40m" or "10-15"."""
    for quantity in reversed(quantities_in(text)):
        figures = FIGURES.match(text, quantity.start)
        if figures is None or decimals_of(figures[0]) or quantity.low != quantity.high:
            continue
        value = int(read_figures(figures[0]))
        apart = not text[figures.end() : figures.end() + 1].strip(" ,.;:)")
        apart = apart and not _NAMING.search(text, 0, figures.start())
        # "The 76" is a road.
        apart = apart and bool(quantity.counted or not text[: figures.start()].endswith("the "))
        if apart and value <= LARGEST:
            new = spell(value)
            new = new[0].upper() + new[1:] if quantity.start == 0 else new
            text = Edit(*figures.span(), new).apply(text)
    return text


def _like(old: str, new: str) -> str:
    """A text that begins with a capital letter where another does."""
    return new[0].upper() + new[1:] if old[:1].isupper() else new


def negate_sentences(case: Case) -> Timeline | None:
    """Deny what a sentence says, or say what it denies."""

    def rewrite(text: str, _rng: random.Random) -> str:
        edit = negate(text)
        return edit.apply(text) if edit else text

    return rewrite_sentences(case, rewrite)


def exchange_names(case: Case) -> Timeline | None:
    """Put other names of the topic in the place of those in a sentence."""
    names = names_of(case.same_topic or (case.timeline,))
    return rewrite_sentences(case, lambda text, rng: swap_names(text, names, rng))


def exchange_roles(case: Case) -> Timeline | None:
    """Let the one who did something be the one to whom it was done."""
    return rewrite_sentences(case, lambda text, _rng: exchange(text))


def invent_entries(case: Case) -> Timeline | None:
    """Add entries about what never happened, with names of the topic."""
    names = sorted(names_of(case.same_topic or (case.timeline,)))

    def write(_when: When, rng: random.Random) -> tuple[str, ...]:
        return (rng.choice(_inventions()).format(name=rng.choice(names or ["the minister"])),)

    return add_entries(case, write)


@cache
def _inventions() -> tuple[str, ...]:
    """Sentences about what never happened, with a place for a name."""
    lines = listings.read("inventions.txt").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
