"""Why a score is what it is, computed; `reports` draws it.

`explain` gives the explanation of one output on one topic. To explain another kind of measure,
write a subclass of `Explanation` and list it in `KINDS`; what can be computed of every
explanation, or of two of them, goes to `explanation.py`.
"""

from chronoscore.core import Output, Topic
from chronoscore.errors import UsageError
from chronoscore.explanations.contradictions import ContradictionsExplanation
from chronoscore.explanations.dates import DateExplanation
from chronoscore.explanations.days import DayExplanation
from chronoscore.explanations.explanation import Explanation
from chronoscore.explanations.judged import EventExplanation, NuggetExplanation, UnitExplanation
from chronoscore.explanations.pairs import PairsExplanation
from chronoscore.explanations.texts import TextExplanation
from chronoscore.measures import Measure
from chronoscore.measures.languages import measure_for_topic

__all__ = [
    "ContradictionsExplanation",
    "DateExplanation",
    "DayExplanation",
    "EventExplanation",
    "Explanation",
    "NuggetExplanation",
    "PairsExplanation",
    "TextExplanation",
    "UnitExplanation",
    "explain",
]

KINDS: tuple[type[Explanation], ...] = (
    DayExplanation,
    PairsExplanation,
    TextExplanation,
    DateExplanation,
    ContradictionsExplanation,
    EventExplanation,
    UnitExplanation,
    NuggetExplanation,
)


def explain(measure: Measure, topic: Topic, output: Output) -> Explanation:
    """Where the score of one output on one topic comes from."""
    for kind in KINDS:
        if kind.explains(measure):
            assert isinstance(output, measure.needs)
            return kind(measure_for_topic(measure, topic), topic, output)
    raise UsageError(
        f"'{measure}' cannot be explained; explain agreement, align, align+, align+m1, concat, "
        "pairs, dates, contradictions, rouge, novelty, nu, u, n, nuggets or pyramid"
    )
