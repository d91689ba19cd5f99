"""A machine judge whose answers are all in the cache: how many requests a second?"""

import json
import tempfile
import time
from pathlib import Path

from chronoscore.core import Event, Judgements, Topic
from chronoscore.judging.cache import AnswerCache, Reply, request_key
from chronoscore.judging.session import Session
from chronoscore.judging.sources import link_job
from chronoscore.options.judging import RequestOptions

WANTED = 5_000
"""Answers a second, at least."""
REQUESTS = 20_000


def topic(sentences: int) -> Topic:
    """Invented sentences of twenty words, and ten events."""
    texts = {f"s{n}": " ".join(f"word{n * k}" for k in range(1, 21)) for n in range(sentences)}
    events = tuple(Event(f"e{n}", f"the thing number {n} happened") for n in range(10))
    return Topic(
        id="t",
        judgements=Judgements(sentences=tuple(texts), events=events, links=(), texts=texts),
    )


def measure(items: int) -> tuple[float, float]:
    """Requests a CPU second, and items a CPU second, with so many items in a request."""
    requests = REQUESTS // items
    job = link_job([topic(requests * items)], batch=items, author="model")
    answer = {"answers": [{"id": f"i{n}", "events": []} for n in range(1, items + 1)]}
    reply = Reply(json.dumps(answer))
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "answers.sqlite"
        session = Session("m", None, RequestOptions(cache=cache, offline=True), announce=print)
        with AnswerCache(cache) as known, known.connection:
            for question in job.questions:
                body = session.body(session.arrange(question, 0).prompt, 0)
                known.connection.execute(
                    "insert into answers values (?, ?, 'stop', 0, 0)",
                    (request_key(body), reply.text),
                )
        job = link_job([topic(requests * items)], batch=items, author="model")
        start = time.process_time()
        outcomes = job.settle(session.ask_all(job.questions))
        job.finish(outcomes)
        seconds = time.process_time() - start
    return requests / seconds, requests * items / seconds


def main() -> str:
    """Measure with one item in a request, and with twenty."""
    lines = [
        "# judge",
        "",
        "Inside: all answers are in the cache; building the requests and reading the answers "
        "included, the command around them not.",
        "",
        "| items in a request | requests a CPU second | items a CPU second |",
        "|---:|---:|---:|",
    ]
    for items in (1, 20):
        requests, judged = measure(items)
        lines.append(f"| {items} | {requests:,.0f} | {judged:,.0f} |")
    lines += ["", f"Wanted: {WANTED:,} cache hits a second with one item in a request."]
    return "\n".join(lines) + "\n"
