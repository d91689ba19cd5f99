# written by docs/generate.py; change the code, then run it

from chronoscore.api.agree import agree as agree
from chronoscore.api.check import check as check
from chronoscore.api.comparison import ComparisonResult as ComparisonResult
from chronoscore.api.comparison import compare as compare
from chronoscore.api.convert import convert as convert
from chronoscore.api.correlate import correlate as correlate
from chronoscore.api.explanation import ExplanationResult as ExplanationResult
from chronoscore.api.explanation import explain as explain
from chronoscore.api.judge import JudgeResult as JudgeResult
from chronoscore.api.judge import judge as judge
from chronoscore.api.loading import load as load
from chronoscore.api.loading import load_runs as load_runs
from chronoscore.api.loading import load_scores as load_scores
from chronoscore.api.novelty import fit_novelty as fit_novelty
from chronoscore.api.novelty import novelty as novelty
from chronoscore.api.novelty import study_novelty as study_novelty
from chronoscore.api.oracle import ceilings as ceilings
from chronoscore.api.oracle import oracle as oracle
from chronoscore.api.page import report as report
from chronoscore.api.ppi import PoweredComparison as PoweredComparison
from chronoscore.api.ppi import PoweredResult as PoweredResult
from chronoscore.api.project import project as project
from chronoscore.api.results import Result as Result
from chronoscore.api.scorer import Scorer as Scorer
from chronoscore.api.scores import ScoreResult as ScoreResult
from chronoscore.api.scoring import score as score
from chronoscore.api.similarities import SimilarityResult as SimilarityResult
from chronoscore.api.similarities import similarities as similarities
from chronoscore.api.single import rouge as rouge
from chronoscore.api.summarize import summarize as summarize
from chronoscore.api.texts import compute as compute
from chronoscore.api.texts import rouge_many as rouge_many
from chronoscore.core import Collection as Collection
from chronoscore.core import Document as Document
from chronoscore.core import Entry as Entry
from chronoscore.core import Ranking as Ranking
from chronoscore.core import Run as Run
from chronoscore.core import Sentence as Sentence
from chronoscore.core import Summary as Summary
from chronoscore.core import Timeline as Timeline
from chronoscore.core import Topic as Topic
from chronoscore.core import When as When
from chronoscore.data.choice import parse_measure as parse_measure
from chronoscore.errors import ChronoscoreError as ChronoscoreError
from chronoscore.errors import ChronoscoreWarning as ChronoscoreWarning
from chronoscore.errors import DataError as DataError
from chronoscore.errors import StoppedError as StoppedError
from chronoscore.errors import UsageError as UsageError
from chronoscore.errors import WrongTypeError as WrongTypeError
from chronoscore.measures import Measure as Measure
from chronoscore.measures import measure_of as measure_of
from chronoscore.measures.similarity.value_table import text_id as text_id
from chronoscore.measures.similarity.vector_cache import use_cache as use_cache
from chronoscore.options import ReadingRules as ReadingRules
from chronoscore.options import Resampling as Resampling
from chronoscore.options.correlation import Bootstrap as Bootstrap
from chronoscore.options.correlation import Fitting as Fitting
from chronoscore.options.judging import RequestOptions as RequestOptions
from chronoscore.version import __version__ as __version__

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
    "project",
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
