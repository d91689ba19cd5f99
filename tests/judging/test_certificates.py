"""Judges of known bias, each of which a certificate must find."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronoscore.api.certify import certify
from chronoscore.errors import ChronoscoreWarning, StoppedError, UsageError
from chronoscore.judging.certificates import _in_other_places
from chronoscore.judging.questions import Item
from chronoscore.options.judging import RequestOptions
from judging import small_corpus
from judging.chat_server import Body, Said, data_of, serving, words

NAMES = ["Corvane", "Pellin", "Ostwick", "Marrow", "Tessel", "Varn", "Quill", "Hask"]
TEXTS = [f"{n * 7 + 3} people of {name} fled the valley." for n, name in enumerate(NAMES)]
OUTPUT = {f"2031-03-{day:02}": TEXTS[day] for day in range(1, 8)}
Label = Callable[[dict[str, Any], int, str], str]


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def sound(item: dict[str, Any], _place: int, text: str) -> str:
    """Right about numbers, denials and names, and deaf to suggestions."""
    claim = item["text"].partition(" (The right")[0]
    for one in json.loads(text):
        same = numbers(one["text"]) == numbers(claim) and words(one["text"]) >= words(claim)
        if same and (" not " in one["text"]) == (" not " in claim):
            return "support"
    return "none"


def position(item: dict[str, Any], place: int, text: str) -> str:
    return "support" if place < 3 else sound(item, place, text)


def lost_in_the_middle(item: dict[str, Any], place: int, text: str) -> str:
    return "none" if 3 <= place < 6 else sound(item, place, text)


def position_of_weak_texts(item: dict[str, Any], place: int, text: str) -> str:
    """Takes what comes first for true where the text says nothing of it."""
    return "support" if place < 3 and item["text"] not in TEXTS else sound(item, place, text)


def lenient(item: dict[str, Any], place: int, text: str) -> str:
    return "support" if len(item["text"]) > 50 else "partial"


def parrot(item: dict[str, Any], place: int, text: str) -> str:
    return "support" if len(words(item["text"]) & words(text)) >= 2 else "none"


def suggestible(item: dict[str, Any], place: int, text: str) -> str:
    return "support" if "right label" in item["text"] else sound(item, place, text)


def collapsed(item: dict[str, Any], place: int, text: str) -> str:
    return "partial"


def random_judge() -> Label:
    chance = Random(3)
    return lambda *_: chance.choice(["support", "partial", "none"])


def run_trials(label: Label, tmp_path: Path, **options: Any) -> dict[str, Any]:
    def behavior(_number: int, body: Body) -> Said:
        data = data_of(body)
        text = json.dumps(data["text"])
        rows = [
            {"id": item["id"], "label": label(item, place, text)}
            for place, item in enumerate(data["items"])
        ]
        return Said(json.dumps({"answers": rows}))

    nuggets = tmp_path / "nuggets.jsonl"
    told = [*TEXTS[1:], "The 9 harbours of Hask burned.", "A bridge in Varn fell on 40 cars."]
    rows = [
        {"kind": "nugget", "topic": "dam", "id": f"n{n}", "text": text}
        for n, text in enumerate(told)
    ]
    nuggets.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with serving(behavior) as server:
        result = certify(
            "nuggets",
            {"mine": {"dam": OUTPUT}},
            nuggets=nuggets,
            model="m",
            output=tmp_path / "certificate.json",
            options=RequestOptions(endpoint=server.url, concurrency=1, **options),
        )
    assert result.render()
    found: dict[str, Any] = json.loads((tmp_path / "certificate.json").read_text())
    assert found["cost"]["requests"] == len(server.bodies)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "findings"),
    [
        (sound, set()),
        (position, {"position"}),
        (lost_in_the_middle, {"position"}),
        (position_of_weak_texts, {"position"}),
        (lenient, {"leniency"}),
        (parrot, {"parroting"}),
        (suggestible, {"parroting"}),
        (collapsed, {"label collapse"}),
    ],
)
def test_a_certificate_finds_each_bias_and_none_in_a_sound_judge(
    label: Label, findings: set[str], tmp_path: Path
) -> None:
    found = run_trials(label, tmp_path)
    assert findings <= set(found["findings"])
    if label not in (lenient, position, position_of_weak_texts):
        assert set(found["findings"]) == findings
    assert found["items"] == 9


@pytest.mark.slow
def test_a_certificate_finds_randomness(tmp_path: Path) -> None:
    found = run_trials(random_judge(), tmp_path)
    assert "randomness" in found["findings"]
    assert not {"position", "batch size", "parroting"} & {*found["findings"]}
    assert found["flips"]["repeat"]["share"] > 0.3


@pytest.mark.slow
def test_the_figures_of_a_sound_judge_are_those_of_its_rules(tmp_path: Path) -> None:
    found = run_trials(sound, tmp_path, price="1,2")
    assert {name: one["share"] for name, one in found["flips"].items()} == {
        "order": 0.0,
        "batch": 0.0,
        "repeat": 0.0,
        "order of invented": 0.0,
    }
    assert found["planted"]["tenfold"] == {"items": 7, "count": 0, "share": 0.0}
    assert found["planted"]["invented"] == {"items": 9, "count": 0, "share": 0.0}
    assert found["labels"] == {"support": 0.7778, "partial": 0.0, "none": 0.2222}
    assert found["suggested"] == {"items": 2, "count": 0, "share": 0.0, "unled": 0.0}
    cost = found["cost"]
    assert cost["money"] == pytest.approx((cost["read"] + 2 * cost["written"]) / 1e6, abs=1e-4)
    assert found["judge"]["model"] == "m"


@pytest.mark.slow
def test_a_judge_of_pairs_that_looks_at_the_first_text_is_found(tmp_path: Path) -> None:
    """It says "same" if the first text is longer, which an exchange turns around."""

    def behavior(_number: int, body: Body) -> Said:
        rows = [
            {
                "id": item["id"],
                "label": "same"
                if len(item["first"]["text"]) > len(item["second"]["text"])
                else "different",
            }
            for item in data_of(body)["items"]
        ]
        return Said(json.dumps({"answers": rows}))

    with serving(behavior) as server:
        result = certify(
            "pairs",
            {"mine": {"dam": OUTPUT}},
            references={"dam": [small_corpus.REFERENCE]},
            model="m",
            options=RequestOptions(endpoint=server.url),
        )
    assert result.figures["flips"]["swap"]["share"] == 1.0
    assert "exchange of the texts" in result.findings["position"]


@pytest.mark.slow
def test_unusable_labels_are_a_finding_and_without_any_there_is_no_certificate(
    tmp_path: Path,
) -> None:
    def hesitant(item: dict[str, Any], place: int, text: str) -> str:
        return "unsure" if item["text"] in TEXTS[1:4] else sound(item, place, text)

    assert "33% of the items" in run_trials(hesitant, tmp_path)["findings"]["abstention"]
    (tmp_path / "certificate.json").unlink()
    (tmp_path / "certificate.answers.sqlite").unlink()
    with pytest.raises(StoppedError, match="none of 9 items was judged"):
        run_trials(lambda *_: "unsure", tmp_path)
    assert not (tmp_path / "certificate.json").exists()


def test_in_another_order_no_item_stays_in_its_third_or_at_an_odd_place() -> None:
    for count in range(12, 61, 2):
        items = tuple(Item(str(n), {}) for n in range(count))
        moved = [(int(one.key), place) for place, one in enumerate(_in_other_places(items))]
        assert sorted(old for old, _ in moved) == list(range(count))
        assert all(3 * old // count != 3 * new // count for old, new in moved)
        assert all(old % 2 != new % 2 for old, new in moved)


def test_tasks_without_labels_cannot_be_certified(tmp_path: Path) -> None:
    stream = small_corpus.write_stream(tmp_path / "stream.jsonl")
    with (
        pytest.warns(ChronoscoreWarning, match="footer"),
        pytest.raises(UsageError, match="'link' has no items with"),
    ):
        certify("link", stream, model="m", options=RequestOptions(endpoint="http://x/v1"))
