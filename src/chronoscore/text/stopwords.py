"""The words that ROUGE-1.5.5 drops when it is told to drop stop words."""

from collections.abc import Iterator
from importlib.resources import files


def _words() -> Iterator[str]:
    listing = files("chronoscore.text").joinpath("data", "stopwords.txt")
    return iter(listing.read_text(encoding="ascii").split())


def __getattr__(name: str) -> frozenset[str]:
    # The list is read when first asked for: most runs keep their stop words.
    if name != "SMART":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    words = frozenset(_words())
    globals()["SMART"] = words
    return words
