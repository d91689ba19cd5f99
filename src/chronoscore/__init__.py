"""Evaluate summaries that live in time: timelines, update summaries, event streams.

>>> import chronoscore
>>> chronoscore.rouge("the dam broke", "the old dam broke")["rouge1"].recall
0.75
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chronoscore.version import __version__

if TYPE_CHECKING:
    from chronoscore.core import Collection, Run, Summary, Timeline, Topic, When
    from chronoscore.errors import ChronoscoreError, DataError, UsageError
    from chronoscore.measures import Measure, measure_of, parse
    from chronoscore.measures.rouge.quick import compute, rouge
    from chronoscore.scoring import Scores, score

_HOMES = {
    "chronoscore.core": ("Collection", "Run", "Summary", "Timeline", "Topic", "When"),
    "chronoscore.errors": ("ChronoscoreError", "DataError", "UsageError"),
    "chronoscore.measures": ("Measure", "measure_of", "parse"),
    "chronoscore.measures.rouge.quick": ("compute", "rouge"),
    "chronoscore.scoring": ("Scores", "score"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ChronoscoreError",
    "Collection",
    "DataError",
    "Measure",
    "Run",
    "Scores",
    "Summary",
    "Timeline",
    "Topic",
    "UsageError",
    "When",
    "__version__",
    "compute",
    "measure_of",
    "parse",
    "rouge",
    "score",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the package is cheap."""
    if name not in _HOME:
        raise AttributeError(f"module 'chronoscore' has no attribute '{name}'")
    found = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
