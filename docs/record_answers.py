"""Write the demo's recorded answers: `python docs/record_answers.py`.

No model is behind them. The answers are invented by the rules below, so that the pages on machine
judges can be run offline; they say nothing about what a real model would answer. They are stored
under the requests that the commands of docs/meaning.md make, so this has to be run again when a
prompt changes.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chronoscore import demo
from chronoscore.formats.judgements import judgement_files
from chronoscore.judging.cache import AnswerCache, Reply
from chronoscore.judging.evidence import evidence_words
from chronoscore.judging.jobs import Job
from chronoscore.judging.registry import JUDGES
from chronoscore.judging.session import Session
from chronoscore.options.judging import JudgeInputs, RequestOptions

CACHE = demo.HERE / "answers.sqlite"
MODEL = "recorded"
TIMELINES = [demo.RUNS / system / "timelines" for system in demo.SYSTEMS]
Rule = Callable[[dict[str, Any]], dict[str, Any]]


def record(cache: AnswerCache, job: Job, rule: Rule) -> None:
    """Store an invented answer for every question of a job, and for one repair where it is bad."""
    session = Session(MODEL, None, RequestOptions(), announce=print)
    for given in job.questions:
        question = session.arrange(given, 0)
        prompt = question.prompt
        text = json.dumps(rule(data_of(question)), ensure_ascii=False, separators=(",", ":"))
        reply = Reply(text, "stop", len(prompt.user) // 4, len(text) // 4)
        cache.put(session.key(prompt, 0), reply)
        if question.read(text).problems:
            again = session.repair(question, reply)
            cache.put(session.key(again, 0), reply)


def propose(data: dict[str, Any]) -> dict[str, Any]:
    """One nugget for each date of the references; vital if at least two of them have it."""
    days: dict[str, list[str]] = {}
    for reference in data["references"]:
        for entry in reference:
            days.setdefault(entry["date"], []).append(entry["text"])
    return {
        "nuggets": [
            {
                "text": f"{day}: {min(texts, key=len)}",
                "importance": "vital" if len(texts) > 1 else "okay",
            }
            for day, texts in sorted(days.items())
        ]
    }


def share(wanted: str, text: str) -> float:
    """The share of one text's words that another has."""
    words = evidence_words(wanted)
    return len(words & evidence_words(text)) / max(1, len(words))


def assign(data: dict[str, Any]) -> dict[str, Any]:
    """Support by the share of a nugget's words that one entry has; one answer is unusable."""
    answers = []
    for item in data["items"]:
        best = max((share(item["text"], entry["text"]) for entry in data["text"]), default=0.0)
        label = "support" if best >= 0.5 else "partial" if best >= 0.3 else "none"
        if data["topic"] == "theft" and best == 0:
            label = "unsure"
        answers.append({"id": item["id"], "label": label})
    return {"answers": answers}


def check(data: dict[str, Any]) -> dict[str, Any]:
    """Support by the share of an entry's words that its evidence has."""
    answers = []
    for item in data["items"]:
        shares = {one["id"]: share(item["text"], one["text"]) for one in item["evidence"]}
        best = max(shares.values())
        label = "support" if best >= 0.5 else "partial" if best >= 0.25 else "none"
        chosen = [name for name, one in shares.items() if one >= max(0.25, best - 0.1)]
        answers.append({"id": item["id"], "label": label, "evidence": chosen[:2]})
    return {"answers": answers}


def link_rule() -> Rule:
    """The verified links, with some left out and some added by chance."""
    chance = random.Random(1)
    told: dict[str, set[str]] = {}
    for topic in demo.summarized_topics():
        corpus = judgement_files.load(demo.CORPUS / topic / "judgements.jsonl")
        judged = corpus.topics[topic].judgements
        assert judged is not None
        texts = {event.id: event.text for event in judged.events}
        for link in judged.kept:
            told.setdefault(judged.texts[link.sentence], set()).add(texts[link.event])

    def rule(data: dict[str, Any]) -> dict[str, Any]:
        answers = []
        for item in data["items"]:
            true = next((told[text] for text in told if item["text"].startswith(text)), set())
            chosen = [
                event["id"]
                for event in data["events"]
                if chance.random() < (0.85 if event["text"] in true else 0.004)
            ]
            answers.append({"id": item["id"], "events": chosen})
        return {"answers": answers}

    return rule


def jobs() -> list[tuple[Job, Rule]]:
    """What the pages ask, in their order."""
    nuggets = Path("nuggets.jsonl").resolve()
    make = JUDGES.find("nuggets").job(demo.CORPUS, JudgeInputs(make=True), batch=20, author="model")
    readings = [[one.read(json.dumps(propose(data_of(one))))] for one in make.questions]
    make.finish(make.settle(readings)).save(nuggets, {})
    try:
        assigned = JUDGES.find("nuggets").job(
            TIMELINES, JudgeInputs(nuggets=nuggets), batch=20, author="model"
        )
    finally:
        nuggets.unlink()
    facts = JudgeInputs(documents=demo.CORPUS)
    return [
        (make, propose),
        (assigned, assign),
        (JUDGES.find("facts").job(TIMELINES[:2], facts, batch=20, author="model"), check),
        (
            JUDGES.find("link").job(demo.CORPUS, JudgeInputs(), batch=20, author="model"),
            link_rule(),
        ),
    ]


def data_of(question: Any) -> dict[str, Any]:
    """The document that a question shows."""
    text: str = question.prompt.user
    found: dict[str, Any] = json.loads(text.removeprefix("<data>").removesuffix("</data>"))
    return found


if __name__ == "__main__":
    CACHE.unlink(missing_ok=True)
    with AnswerCache(CACHE) as answers:
        for job, rule in jobs():
            record(answers, job, rule)
        answers.connection.execute("vacuum")
    print(f"{CACHE.name}: {CACHE.stat().st_size:,} bytes")
