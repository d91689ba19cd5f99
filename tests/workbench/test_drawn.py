"""From a machine's doubts to a figure: judge, draw, annotate in the workbench, export, score."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t as student

from data_files import write_lines
from judging.chat_server import Body, Said, data_of, serving
from workbench.office import Office, Visitor, open_link

TOPICS = [f"t{number}" for number in range(6)]
SENTENCES, BUDGET = 9, 20
SCORE = "score lead.jsonl --judgements people.jsonl --machine machine.jsonl --ppi"
FIGURE = "-m u.precision -f jsonl"


def sentence(topic: str, number: int) -> str:
    return f"{topic}-a-s{number:02}"


def is_true(topic: str, number: int) -> bool:
    """What people will say: whether a sentence tells of the event."""
    return random.Random(f"{topic} {number}").random() < 0.5


def story(topic: str) -> bytes:
    texts = [
        f"Sentence {number} of {topic} says {'yes' if is_true(topic, number) else 'no'}."
        for number in range(1, SENTENCES + 1)
    ]
    row = {"id": f"{topic}-a", "time": "2031-03-01T08:00:00", "title": topic, "sentences": texts}
    return json.dumps(row).encode() + b"\n"


def unsure(_number: int, body: Body) -> Said:
    """Right where it is 99 % sure, and wrong half of the time where it is 60 % sure."""
    rows = []
    for item in data_of(body)["items"]:
        chance = random.Random(item["text"])
        sure = chance.choice([60, 99])
        linked = ("yes" in item["text"]) != (sure == 60 and chance.random() < 0.5)
        rows.append({"id": item["id"], "events": ["c1"] if linked else [], "confidence": sure})
    return Said(json.dumps({"answers": rows}))


def by_hand(people: dict[str, dict[str, float]], folder: Path) -> tuple[float, float, float]:
    """The figure and its interval by the formulas of docs/meaning.md, written down once more."""
    linked = {
        row["sentence"]
        for row in map(json.loads, (folder / "machine.jsonl").read_text().splitlines())
        if row["kind"] == "link"
    }
    chosen = {
        topic: {row["sentence"] for row in rows}
        for topic, rows in group(folder / "lead.jsonl", "topic").items()
    }
    drawn = group(folder / "next.jsonl", "kind")["draw"]
    chances = {row["item"]: row["probability"] for row in drawn}
    means = []
    for topic in TOPICS:
        others = [
            (people[one][name], float(name in linked), 1 / chances[name] / len(chosen[one]))
            for one in TOPICS if one != topic for name in sorted(chosen[one]) if name in chances
        ]  # fmt: skip
        y, f, w = map(np.array, zip(*others, strict=True))
        mean_y, mean_f = np.average(y, weights=w), np.average(f, weights=w)
        spread = np.average((f - mean_f) ** 2, weights=w)
        slope = np.average((y - mean_y) * (f - mean_f), weights=w) / spread if spread else 0.0
        slope = min(1.0, max(0.0, slope))
        constant = mean_y - slope * mean_f
        figure = np.mean([constant + slope * (name in linked) for name in sorted(chosen[topic])])
        for name in sorted(chosen[topic] & {*chances}):
            rest = people[topic][name] - constant - slope * (name in linked)
            figure += rest / chances[name] / len(chosen[topic])
        means.append(figure)
    value, error = np.mean(means), np.std(means, ddof=1) / len(means) ** 0.5
    half = student.ppf(0.975, len(means) - 1) * error / (value * (1 - value))
    return value, expit(logit(value) - half), expit(logit(value) + half)


def group(path: Path, key: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of a file by one of their fields."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        found.setdefault(row[key], []).append(row)
    return found


@pytest.mark.slow
def test_what_a_machine_doubts_is_judged_by_people_and_becomes_a_figure(
    office: Office, run: Any, tmp_path: Path
) -> None:
    mara, ann = office.person("Mara", founder=True), office.person("Ann")
    project = office.project(mara, "stream", ann)
    numbers = {name: make_topic(office, mara, ann, project, name) for name in TOPICS}

    def export(name: str) -> None:
        (tmp_path / name).write_text(mara.get(f"/p/{project}/export.jsonl"))

    # A machine judges what is there, and people get what it doubts.
    export("stories.jsonl")
    with serving(unsure) as server:
        asked = ("--confidence", "--endpoint", server.url, "--model", "m", "-o", "machine.jsonl")
        run("judge link stories.jsonl", *asked)
    run(f"judge next machine.jsonl --budget {BUDGET} -o next.jsonl")
    drawn = group(tmp_path / "next.jsonl", "kind")["draw"]
    assert len(drawn) == BUDGET
    by_topic = {name: [row["item"] for row in drawn if row["topic"] == name] for name in TOPICS}
    raw = (tmp_path / "next.jsonl").read_bytes()
    for name, number in numbers.items():
        if by_topic[name]:
            mara.post(f"/t/{number}/queue", files={"files": ("next.jsonl", raw, "text/plain")})
    write_lines(
        tmp_path / "lead.jsonl",
        [
            {"topic": name, "sentence": sentence(name, place), "score": 1 - place / 100}
            for name in TOPICS
            for place in range(1, SENTENCES)
        ],
    )

    # Ann decides all but one, which blocks both handing in and the figure.
    queues = {
        name: json.loads(ann.get(f"/t/{number}/link.json"))["mine"]["queue"]
        for name, number in numbers.items()
    }
    assert {name: sorted(one) for name, one in queues.items()} == {
        name: sorted(one) for name, one in by_topic.items()
    }
    people = {
        name: {item: float(is_true(name, int(item[-2:]))) for item in items}
        for name, items in queues.items()
    }
    skipped = drawn[-1]["item"]
    for name, number in numbers.items():
        for item, told in people[name].items():
            if item != skipped:
                ann.mark(number, item, *(["E1"] if told else []), off=not told)
    last = numbers[drawn[-1]["topic"]]
    assert "1 sentence is undecided" in ann.post(f"/t/{last}/submit", 409, step="link").text
    export("people.jsonl")
    drawn_list = "--drawn next.jsonl"
    said = run(f"{SCORE} {drawn_list} {FIGURE}", code=3)
    assert f"1 of {BUDGET} drawn sentences are not judged by people, '{skipped}'" in said.err

    told = people[drawn[-1]["topic"]][skipped]
    ann.mark(last, skipped, *(["E1"] if told else []), off=not told)
    for name, number in numbers.items():
        if queues[name]:
            ann.post(f"/t/{number}/submit", step="link")
    export("people.jsonl")
    (row,) = run(f"{SCORE} {drawn_list} {FIGURE}").rows
    expected = by_hand(people, tmp_path)
    assert (row["value"], row["low"], row["high"]) == pytest.approx(expected)
    assert (row["n"], row["further"]) == (len(TOPICS), 0)


def make_topic(office: Office, mara: Visitor, ann: Visitor, project: int, name: str) -> int:
    """A topic with one story and one event, which Ann links."""
    upload = (f"{name}.jsonl", story(name), "application/jsonl")
    topic = office.topic(mara, project, name, upload=upload)
    office.assign(mara, topic, judge=ann)
    mara.post(f"/t/{topic}/open")
    open_link(office, project, topic)
    return topic
