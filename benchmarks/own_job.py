"""Runs in a fresh process: timelines in, our scores, CPU time and memory out.

The same input and output as `tilse_job`, with `measures` and `compat` in place of `back`.
What is timed is one call of `chronoscore.score`, its averages and intervals included.
"""

import json
import resource
import sys
import time

import chronoscore
from chronoscore import Collection, Run, Timeline, Topic

job = json.load(sys.stdin)
topics, outputs = {}, {}
for number, pair in enumerate(job["pairs"]):
    name = f"{number:04}"
    topics[name] = Topic(id=name, timelines=tuple(map(Timeline.of, pair["references"])))
    outputs[name] = Timeline.of(pair["system"])
start = time.process_time()
result = chronoscore.score(
    Run("system", outputs), Collection(topics), job["measures"], compat=job["compat"]
)
seconds = time.process_time() - start
# F of each timeline, measure by measure, in the order asked for.
figures = [row["value"] for row in result.rows() if row["part"] == "f"]
scores = [figures[place : place + len(topics)] for place in range(0, len(figures), len(topics))]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
answer = {"seconds": seconds, "process": time.process_time(), "megabytes": peak, "scores": scores}
json.dump(answer, sys.stdout)
