"""Evaluate summaries that live in time: timelines, update summaries, event streams.

>>> import chronoscore as cs
>>> cs.rouge("the dam broke", "the old dam broke")["rouge1"].recall
0.75
"""

from importlib import import_module

from chronoscore.version import __version__ as __version__

# The one list of public names; `python docs/generate.py` writes the types to __init__.pyi.
_HOMES = {
    "chronoscore.api.agree": ("agree",),
    "chronoscore.api.check": ("check",),
    "chronoscore.api.comparison": ("ComparisonResult", "compare"),
    "chronoscore.api.convert": ("convert",),
    "chronoscore.api.correlate": ("correlate",),
    "chronoscore.api.explanation": ("ExplanationResult", "explain"),
    "chronoscore.data.choice": ("parse_measure",),
    "chronoscore.api.judge": ("JudgeResult", "judge"),
    "chronoscore.api.loading": ("load", "load_runs", "load_scores"),
    "chronoscore.api.novelty": ("fit_novelty", "novelty", "study_novelty"),
    "chronoscore.api.oracle": ("ceilings", "oracle"),
    "chronoscore.api.page": ("report",),
    "chronoscore.api.ppi": ("PoweredComparison", "PoweredResult"),
    "chronoscore.api.project": ("project",),
    "chronoscore.api.results": ("Result",),
    "chronoscore.api.scorer": ("Scorer",),
    "chronoscore.api.scores": ("ScoreResult",),
    "chronoscore.api.scoring": ("score",),
    "chronoscore.api.similarities": ("SimilarityResult", "similarities"),
    "chronoscore.api.single": ("rouge",),
    "chronoscore.api.summarize": ("summarize",),
    "chronoscore.api.texts": ("compute", "rouge_many"),
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
    "chronoscore.options": ("ReadingRules", "Resampling"),
    "chronoscore.options.judging": ("RequestOptions",),
    "chronoscore.measures": ("Measure", "measure_of"),
    "chronoscore.measures.similarity.value_table": ("text_id",),
    "chronoscore.measures.similarity.vector_cache": ("use_cache",),
    "chronoscore.options.correlation": ("Bootstrap", "Fitting"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for, so that importing the package is cheap."""
    if name not in _HOME:
        raise AttributeError(f"module 'chronoscore' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
