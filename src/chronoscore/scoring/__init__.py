"""Score data: collection × runs × measures → Scores, and records block by block."""

from chronoscore.scoring.counting import evaluate, pair_topics_with_runs, score
from chronoscore.scoring.scores import Progress, Scores

__all__ = ["Progress", "Scores", "evaluate", "pair_topics_with_runs", "score"]
