"""`judge certify` as a user types it, and where its certificate is cited."""

import json
import random

import pytest

from data_files import write_lines
from judging.chat_server import Said, data_of, serving
from machine_files import assign, nugget

pytestmark = pytest.mark.slow
TOPICS = [f"t{n}" for n in range(7)]
WORDS = ["Corvane", "Pellin", "Ostwick", "Marrow", "Tessel", "Varn"]


@pytest.fixture
def files(tmp_path):
    """Outputs that tell half of the nuggets of their topics, and what four people say of them."""
    rows, labels, draw = [], [], random.Random(2)
    for place, topic in enumerate(TOPICS):
        told = []
        for number, word in enumerate(WORDS):
            text = f"{10 * place + number + 11} people fled {word}."
            rows.append({**nugget(topic, f"n{number}"), "text": text})
            if number % 2 == 0:
                told.append(text)
            for person in ("ann", "bob", "cat", "dan"):
                right = draw.random() < 0.9
                label = "support" if (number % 2 == 0) == right else "none"
                labels.append(assign(topic, "mine", f"n{number}", label, person))
        folder = tmp_path / "mine"
        folder.mkdir(exist_ok=True)
        (folder / f"{topic}.txt").write_text(f"2031-03-01\n{' '.join(told)}\n{'-' * 32}\n")
    write_lines(tmp_path / "nuggets.jsonl", rows)
    write_lines(tmp_path / "people.jsonl", [*rows, *labels])
    return tmp_path


def sound(_number, body):
    """Supports what the text has word for word, and is 90 % sure of what it is right about."""
    data = data_of(body)
    text = json.dumps(data["text"])
    rows = []
    for item in data["items"]:
        claim = item["text"].partition(" (The right")[0]
        label = "support" if claim in text else "none"
        rows.append({"id": item["id"], "label": label, "confidence": 90})
    return Said(json.dumps({"answers": rows}))


def lenient(_number, body):
    """Supports everything, and is sure of it."""
    rows = [
        {"id": item["id"], "label": "support", "confidence": 99} for item in data_of(body)["items"]
    ]
    return Said(json.dumps({"answers": rows}))


def certify(run, behavior, *more):
    with serving(behavior) as server:
        common = ("mine", "--nuggets", "nuggets.jsonl", "--endpoint", server.url, "--model", "m")
        said = run("judge", "certify", "nuggets", *common, "-o", "certificate.json", *more)
        run("judge", "nuggets", *common, "-o", "judged.jsonl", *more[:1], "-q")
    return said


def test_a_certificate_has_a_calibration_curve_and_the_test_against_people(run, files):
    said = certify(run, sound, "--confidence", "--people", "people.jsonl")
    assert "written to certificate.json" in said.err
    found = json.loads((files / "certificate.json").read_text())
    assert found["findings"] == {}
    people = [json.loads(line) for line in (files / "people.jsonl").read_text().splitlines()]
    same = [
        row["label"] == ("support" if int(row["nugget"][1:]) % 2 == 0 else "none")
        for row in people
        if row["kind"] == "assignment"
    ]
    assert found["people"]["labels"] == len(same) == 7 * 6 * 4
    assert found["people"]["agreement"] == pytest.approx(sum(same) / len(same), abs=1e-4)
    assert found["people"]["passed"] is True
    assert found["people"]["tested"] == dict.fromkeys(("ann", "bob", "cat", "dan"), 42)
    curve = found["calibration"]
    assert (curve["against"], curve["items"], curve["confidence"]) == ("people", 42, 0.9)
    assert curve["agreement"] == found["people"]["agreement"]
    assert [one["from"] for one in curve["curve"]] == [90]
    assert "may replace a person" in said.out
    assert "Calibration" in said.out


def test_a_judge_that_is_surer_than_right_is_found_and_may_replace_nobody(run, files):
    said = certify(run, lenient, "--confidence", "--people", "people.jsonl")
    found = json.loads((files / "certificate.json").read_text())
    assert {"overconfidence", "leniency", "label collapse", "people"} <= set(found["findings"])
    assert found["people"]["passed"] is False
    assert "overconfidence: 99% sure on average" in said.out


def test_without_people_confidence_is_held_against_its_own_answers(run, files):
    certify(run, sound, "--confidence")
    curve = json.loads((files / "certificate.json").read_text())["calibration"]
    assert (curve["against"], curve["agreement"]) == ("its own other answers", 1.0)


def test_scores_and_reports_cite_the_certificate_of_the_judge_and_of_no_other(run, files):
    certify(run, lenient)
    score = ("score", "judged.jsonl", "--judgements", "judged.jsonl", "-m", "nuggets")
    shown = run(*score).out
    line = next(one for one in shown.splitlines() if one.startswith("signature:"))
    assert "judge:m|task:nuggets|certificate:" in line
    assert "leniency" in shown.replace("\n", " ")
    run("report", *score[1:], "-o", "page.html")
    page = (files / "page.html").read_text()
    assert "Machine judges" in page
    assert line.rpartition("certificate:")[2] in page
    held = json.loads((files / "certificate.json").read_text())
    held["judge"]["model"] = "another"
    (files / "certificate.json").write_text(json.dumps(held))
    other = run(*score).out
    assert "certificate" not in other
    assert line.partition(" judge:")[0] in other


def test_labels_by_people_of_other_items_are_refused(run, files):
    rows = [nugget("x", "n0"), assign("x", "mine", "n0", "none", "ann")]
    write_lines(files / "others.jsonl", rows)
    with serving(sound) as server:
        said = run("judge", "certify", "nuggets", "mine", "--nuggets", "nuggets.jsonl", "--model",
                   "m", "--endpoint", server.url, "--people", "others.jsonl", code=3)  # fmt: skip
    assert "people judged none of the items" in said.err
    assert not (files / "certificate.json").exists()
