"""The lists of words that come with the package.

They are read beside this file: `importlib.resources` takes longer to load than a list to read.
"""

from pathlib import Path


def read(name: str) -> str:
    """The text of a list, as it lies in the package."""
    return (Path(__file__).with_name("data") / name).read_text(encoding="utf-8")
