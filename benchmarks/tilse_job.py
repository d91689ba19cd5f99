"""Runs inside the peer's own environment: timelines in, its scores and its CPU time out.

Reads a JSON object from standard input: `back` ("original" or "reimpl") and `pairs`, each a
system timeline and its references as date → sentences. Knows nothing of chronoscore.
"""

import datetime
import json
import os
import sys

from tilse.data.timelines import GroundTruth, Timeline
from tilse.evaluation.rouge import TimelineRougeEvaluator


def timeline(days: dict[str, list[str]]) -> Timeline:
    return Timeline({datetime.date.fromisoformat(day): text for day, text in days.items()})


def cpu() -> float:
    """Seconds of this process and of the Perl processes that it has waited for."""
    return sum(os.times()[:4])


job = json.load(sys.stdin)
pairs = [
    (timeline(pair["system"]), GroundTruth([timeline(days) for days in pair["references"]]))
    for pair in job["pairs"]
]
evaluator = TimelineRougeEvaluator(measures=["rouge_1", "rouge_2"], rouge_computation=job["back"])
start = cpu()
scores = []
for number, (system, references) in enumerate(pairs, 1):
    scores.append(evaluator.evaluate_all(system, references))
    print(f"{job['back']}: {number} of {len(pairs)}", file=sys.stderr, flush=True)
json.dump({"seconds": cpu() - start, "scores": scores}, sys.stdout)
