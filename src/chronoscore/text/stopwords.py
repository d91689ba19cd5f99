"""The words that ROUGE-1.5.5 drops when it is told to drop stop words."""

from collections.abc import Iterator

from chronoscore.text import listings


def _words() -> Iterator[str]:
    return iter(listings.read("stopwords.txt").split())


def __getattr__(name: str) -> frozenset[str]:
    # The list is read when first asked for: most runs keep their stop words.
    if name != "SMART":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    words = frozenset(_words())
    globals()["SMART"] = words
    return words
