"""ROUGE measures against Perl's figures, and against each other's paths."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chronoscore.api.single import rouge
from chronoscore.api.texts import compute
from chronoscore.core import Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import parse_measure_text
from chronoscore.measures.rouge.measures import RougeMeasure

GOLDEN = Path(__file__).parents[1] / "golden" / "rouge155.json.gz"
NAMES = {
    "ROUGE-1": "rouge1",
    "ROUGE-2": "rouge2",
    "ROUGE-3": "rouge3",
    "ROUGE-4": "rouge4",
    "ROUGE-L": "rougeL",
    "ROUGE-W-1.2": "rouge-w",
    "ROUGE-S4": "rougeS4",
    "ROUGE-SU4": "rougeSU4",
}
SETS = ["full_raw_A", "full_m_B", "full_ms_A", "l10_s_B", "l100_m_A", "b75_ms_A", "b665_raw_B"]


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    return json.loads(gzip.decompress(GOLDEN.read_bytes()))  # type: ignore[no-any-return]


def options(name: str) -> dict[str, Any]:
    limit, how, several = name.split("_")
    found: dict[str, Any] = {
        "stem": "m" in how,
        "stop": "s" in how,
        "several": "pool" if several == "A" else "best",
    }
    if limit != "full":
        found["limit"] = limit[1:] + {"l": "w", "b": "b"}[limit[0]]
    return found


@pytest.mark.parametrize("name", SETS)
def test_single_calls_give_perls_recall_and_precision(golden: dict[str, Any], name: str) -> None:
    wrong = []
    for case in golden["cases"]:
        scores = rouge(case["system"], case["references"], list(NAMES.values()), **options(name))
        for label, ours in NAMES.items():
            printed = case["scores"][name][label]
            if printed is not None:
                ours_printed = [f"{scores[ours].r:.5f}", f"{scores[ours].p:.5f}"]
                if ours_printed != printed[:2]:
                    wrong.append((case["id"], label, ours_printed, printed))
                assert scores[ours].f == pytest.approx(float(printed[2]), abs=2e-5)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("jackknife", [False, True])
def test_the_batch_and_the_single_call_agree(
    golden: dict[str, Any], name: str, jackknife: bool
) -> None:
    cases = golden["cases"]
    family: list[Any] = [
        parse_measure_text(text + "(" + ",".join(spelled(options(name), jackknife)) + ")")
        for text in NAMES.values()
    ]
    pairs = [
        (
            Topic(id=case["id"], summaries=tuple(Summary.of(r) for r in case["references"])),
            Summary.of(case["system"]),
        )
        for case in cases
    ]
    tallies = RougeMeasure.tally_family(family, pairs)
    for text, measure, counts in zip(NAMES.values(), family, tallies, strict=True):
        alone = [
            rouge(c["system"], c["references"], [text], jackknife=jackknife, **options(name))[text]
            for c in cases
        ]
        assert np.allclose(measure.values(counts), alone, rtol=0, atol=1e-12)


def spelled(chosen: dict[str, Any], jackknife: bool) -> list[str]:
    said = [k if v is True else f"{k}={v}" for k, v in chosen.items() if v is not False]
    return [*said, "jackknife"] if jackknife else said


def test_the_jackknife_is_the_mean_over_the_sets_with_one_reference_left_out() -> None:
    system = "the cat sat on the mat"
    references = ["the cat lay", "a dog sat on the mat", "nothing in common here"]
    by_hand = [
        rouge(system, references[:k] + references[k + 1 :], ["rouge1"])["rouge1"] for k in range(3)
    ]
    ours = rouge(system, references, ["rouge1"], jackknife=True)["rouge1"]
    assert ours == pytest.approx(tuple(np.mean(by_hand, axis=0)))


def test_a_person_is_compared_with_the_other_people_only() -> None:
    people = tuple(Summary.of(t) for t in ("the cat sat", "the cat lay", "a dog ran"))
    topic = Topic(id="t", summaries=people)
    measure = parse_measure_text("rouge1(jackknife)")
    ours = measure.values(measure.tally([(topic.without(people[0]), people[0])]))[0]
    expected = rouge("the cat sat", ["the cat lay", "a dog ran"], ["rouge1"])["rouge1"]
    assert tuple(ours) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        "长江发生洪水，数千人撤离。",
        "فيضان كبير أجبر الآلاف على الرحيل",
        "बाढ़ के कारण हजारों लोग बेघर हो गए",
        "Наводнение вынудило тысячи людей уехать",
    ],
)
def test_any_script_scores_one_against_itself_under_unicode(text: str) -> None:
    scores = rouge(text, text, prepare="unicode")
    assert all(score == (1, 1, 1) for score in scores.values())
    assert rouge(text, "nothing of the kind", prepare="unicode")["rouge1"].f == 0


def test_russian_words_in_other_cases_meet_when_stemmed() -> None:
    told = {"prepare": "unicode", "language": "russian"}
    plain = rouge("сильное наводнение", "сильного наводнения", ["rouge1"], **told)
    stemmed = rouge("сильное наводнение", "сильного наводнения", ["rouge1"], stem=True, **told)
    assert (plain["rouge1"].f, stemmed["rouge1"].f) == (0, 1)


def test_an_empty_system_scores_nothing_and_an_empty_reference_too() -> None:
    assert rouge("", "the cat")["rougeL"] == (0, 0, 0)
    assert rouge("the cat", "")["rougeL"] == (0, 0, 0)


def test_no_reference_is_refused() -> None:
    with pytest.raises(DataError, match="there is no reference"):
        rouge("the cat", [])
    topic = Topic(id="t", summaries=(Summary.of("a"),))
    with pytest.raises(DataError, match="no reference summary of set B"):
        parse_measure_text("rouge1").tally([(topic, Summary.of("a", set="B"))])


def test_an_unknown_option_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'stem'"):
        rouge("a", "a", stemm=True)


def test_compute_gives_what_evaluate_users_expect() -> None:
    found = compute(predictions=["the cat", "a dog"], references=["the cat", ["a bird", "a dog"]])
    assert set(found) == {"rouge1", "rouge2", "rougeL", "rougeLsum"}
    assert found["rouge1"] == 1
    each = compute(predictions=["the cat"], references=["the cat sat"], use_aggregator=False)
    assert each["rouge1"] == pytest.approx([0.8])
    with pytest.raises(DataError, match="1 predictions and 2 references"):
        compute(predictions=["a"], references=["a", "b"])
