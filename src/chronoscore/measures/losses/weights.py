"""What is missed, by how much it weighs."""

from collections.abc import Iterable, Sequence

SIZES = ("heavy", "middle", "light")
"""More than two thirds of the most, more than a third of it, and less."""


def place_weight(weight: float, most: float) -> int:
    """The place of a weight in `SIZES`.

    >>> [SIZES[place_weight(weight, 3)] for weight in (3, 2, 1)]
    ['heavy', 'middle', 'light']
    """
    # Whole numbers are compared, so that no rounding decides.
    return 0 if 3 * weight > 2 * most else 1 if 3 * weight > most else 2


def add_by_size(amounts: Iterable[tuple[float, float]], most: float) -> list[float]:
    """Sums of amounts by size, from pairs of a weight and an amount."""
    sums = [0.0] * len(SIZES)
    for weight, amount in amounts:
        sums[place_weight(weight, most)] += amount
    return sums


def name_sizes(group: str) -> Sequence[str]:
    """The causes of a group by weight."""
    return [f"{group}.{size}" for size in SIZES]
