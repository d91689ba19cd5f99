"""Runs in a fresh process: timelines in, our scores, CPU time and memory out.

The same input and output as `tilse_job`, with `measures` in place of `back`.
"""

import json
import resource
import sys
import time

from chronoscore.core import Timeline, Topic
from chronoscore.measures import parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure

job = json.load(sys.stdin)
pairs = [
    (Topic(id=str(n), timelines=tuple(map(Timeline.of, p["references"]))), Timeline.of(p["system"]))
    for n, p in enumerate(job["pairs"])
]
asked = [
    compatible_measure(parse_measure_text(text), job["compat"])
    if job["compat"]
    else parse_measure_text(text)
    for text in job["measures"]
]
family = [measure for measure in asked if isinstance(measure, TimelineMeasure)]
start = time.process_time()
tallies = TimelineMeasure.tally_family(family, pairs)
seconds = time.process_time() - start
scores = [measure.values(found).tolist() for measure, found in zip(family, tallies, strict=True)]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
answer = {"seconds": seconds, "process": time.process_time(), "megabytes": peak, "scores": scores}
json.dump(answer, sys.stdout)
