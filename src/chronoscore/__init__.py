"""Evaluate summaries that live in time: timelines, update summaries, event streams.

>>> import chronoscore as cs
>>> cs.rouge("the dam broke", "the old dam broke")["rouge1"].recall
0.75
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chronoscore.version import __version__

if TYPE_CHECKING:
    from chronoscore.api.aggregates import compute
    from chronoscore.api.agree import agree
    from chronoscore.api.check import check
    from chronoscore.api.comparison import ComparisonResult, compare
    from chronoscore.api.convert import convert
    from chronoscore.api.correlate import correlate
    from chronoscore.api.explanation import ExplanationResult, explain
    from chronoscore.api.inputs import parse_measure
    from chronoscore.api.judge import JudgeResult, judge
    from chronoscore.api.loading import load, load_runs, load_scores
    from chronoscore.api.novelty import fit_novelty, novelty, study_novelty
    from chronoscore.api.oracle import ceilings, oracle
    from chronoscore.api.page import report
    from chronoscore.api.ppi import PoweredComparison, PoweredResult
    from chronoscore.api.results import Result
    from chronoscore.api.scorer import Scorer
    from chronoscore.api.scores import ScoreResult
    from chronoscore.api.scoring import score
    from chronoscore.api.similarities import SimilarityResult, similarities
    from chronoscore.api.single import rouge
    from chronoscore.api.summarize import summarize
    from chronoscore.api.texts import rouge_many
    from chronoscore.core import (
        Collection,
        Document,
        Entry,
        Ranking,
        Run,
        Sentence,
        Summary,
        Timeline,
        Topic,
        When,
    )
    from chronoscore.errors import (
        ChronoscoreError,
        ChronoscoreWarning,
        DataError,
        StoppedError,
        UsageError,
        WrongTypeError,
    )
    from chronoscore.formats.corpora.unreadable import ReadingRules
    from chronoscore.judging.options import RequestOptions
    from chronoscore.measures import Measure, measure_of
    from chronoscore.measures.similarity.value_table import text_id
    from chronoscore.measures.similarity.vector_cache import use_cache
    from chronoscore.stats.corpus import Resampling
    from chronoscore.stats.correlation_intervals import Bootstrap
    from chronoscore.stats.robust import Fitting

_HOMES = {
    "chronoscore.api.aggregates": ("compute",),
    "chronoscore.api.agree": ("agree",),
    "chronoscore.api.check": ("check",),
    "chronoscore.api.comparison": ("ComparisonResult", "compare"),
    "chronoscore.api.convert": ("convert",),
    "chronoscore.api.correlate": ("correlate",),
    "chronoscore.api.explanation": ("ExplanationResult", "explain"),
    "chronoscore.api.inputs": ("parse_measure",),
    "chronoscore.api.judge": ("JudgeResult", "judge"),
    "chronoscore.api.loading": ("load", "load_runs", "load_scores"),
    "chronoscore.api.novelty": ("fit_novelty", "novelty", "study_novelty"),
    "chronoscore.api.oracle": ("ceilings", "oracle"),
    "chronoscore.api.page": ("report",),
    "chronoscore.api.ppi": ("PoweredComparison", "PoweredResult"),
    "chronoscore.api.results": ("Result",),
    "chronoscore.api.scorer": ("Scorer",),
    "chronoscore.api.scores": ("ScoreResult",),
    "chronoscore.api.scoring": ("score",),
    "chronoscore.api.similarities": ("SimilarityResult", "similarities"),
    "chronoscore.api.single": ("rouge",),
    "chronoscore.api.summarize": ("summarize",),
    "chronoscore.api.texts": ("rouge_many",),
    "chronoscore.core": (
        "Collection",
        "Document",
        "Entry",
        "Ranking",
        "Run",
        "Sentence",
        "Summary",
        "Timeline",
        "Topic",
        "When",
    ),
    "chronoscore.errors": (
        "ChronoscoreError",
        "ChronoscoreWarning",
        "DataError",
        "StoppedError",
        "UsageError",
        "WrongTypeError",
    ),
    "chronoscore.formats.corpora.unreadable": ("ReadingRules",),
    "chronoscore.judging.options": ("RequestOptions",),
    "chronoscore.measures": ("Measure", "measure_of"),
    "chronoscore.measures.similarity.value_table": ("text_id",),
    "chronoscore.measures.similarity.vector_cache": ("use_cache",),
    "chronoscore.stats.corpus": ("Resampling",),
    "chronoscore.stats.correlation_intervals": ("Bootstrap",),
    "chronoscore.stats.robust": ("Fitting",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Bootstrap",
    "ChronoscoreError",
    "ChronoscoreWarning",
    "Collection",
    "ComparisonResult",
    "DataError",
    "Document",
    "Entry",
    "ExplanationResult",
    "Fitting",
    "JudgeResult",
    "Measure",
    "PoweredComparison",
    "PoweredResult",
    "Ranking",
    "ReadingRules",
    "RequestOptions",
    "Resampling",
    "Result",
    "Run",
    "ScoreResult",
    "Scorer",
    "Sentence",
    "SimilarityResult",
    "StoppedError",
    "Summary",
    "Timeline",
    "Topic",
    "UsageError",
    "When",
    "WrongTypeError",
    "__version__",
    "agree",
    "ceilings",
    "check",
    "compare",
    "compute",
    "convert",
    "correlate",
    "explain",
    "fit_novelty",
    "judge",
    "load",
    "load_runs",
    "load_scores",
    "measure_of",
    "novelty",
    "oracle",
    "parse_measure",
    "report",
    "rouge",
    "rouge_many",
    "score",
    "similarities",
    "study_novelty",
    "summarize",
    "text_id",
    "use_cache",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the package is cheap."""
    if name not in _HOME:
        raise AttributeError(f"module 'chronoscore' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
