"""A scorer with warm references gives the figures of `score`, whoever asks and how often."""

import json
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chronoscore as cs
from chronoscore.text import warm
from chronoscore.text.preparation import Preparation

GOLDEN = Path(__file__).parents[1] / "golden"
PAIRS: list[dict[str, Any]] = json.loads((GOLDEN / "timelines.json").read_text())["pairs"]
TIMELINES = {pair["id"]: [dict(one) for one in pair["references"]] for pair in PAIRS}
ANSWERS = [dict(pair["system"]) for pair in PAIRS]
MEASURES = ["align+", "align+(n=2).p", "align.r", "align+m1", "agreement", "concat", "dates"]
TEXTS = ["The old dam broke.\nNobody was hurt.", "A dam burst at night."]
CANDIDATES = ["the dam broke", "", "A dam burst at night.", "nobody was hurt by the old dam"]


def scores(candidates: list[Any], references: Any, measures: list[str]) -> list[list[float]]:
    """The same figures by `score`, each candidate as a system."""
    systems = {str(number): {"one": text} for number, text in enumerate(candidates)}
    result = cs.score(systems, {"one": references}, measures)
    parts = [m if "." in m else f"{m}.f" for m in measures]
    names = [str(cs.parse_measure(part)) for part in parts]
    return [[result[system, name].value for name in names] for system in systems]


def test_timelines_score_as_by_score(engine: str) -> None:
    for references in list(TIMELINES.values())[:12]:
        found = cs.Scorer(references, MEASURES)(ANSWERS[:9])
        assert found.tolist() == scores(ANSWERS[:9], references, MEASURES)


def test_texts_score_as_by_score(engine: str) -> None:
    measures = ["rouge1", "rouge2.r", "rouge-l", "rouge-w", "rouge-su4", "rouge1(stem,stop)"]
    measures += ["rouge1(prepare=unicode)", "rouge1(limit=9b)", "rouge2(several=best)"]
    measures += ["rouge1(jackknife)"]
    found = cs.Scorer(TEXTS, measures)(CANDIDATES)
    assert found.tolist() == scores(CANDIDATES, TEXTS, measures)


def test_other_scripts_are_read_as_by_score() -> None:
    russian = ["Плотину прорвало ночью.", "Никто не пострадал, когда прорвало плотину."]
    with pytest.warns(cs.ChronoscoreWarning, match="unicode"):
        scorer = cs.Scorer(russian, "rouge1")
    with pytest.warns(cs.ChronoscoreWarning, match="unicode"):
        expected = scores(["плотину прорвало"], russian, ["rouge1"])
    assert scorer(["плотину прорвало"]).tolist() == expected
    assert expected[0][0] > 0


def test_measures_of_texts_read_timelines_in_order_of_time() -> None:
    references, answers = TIMELINES[PAIRS[0]["id"]], ANSWERS[:5]
    found = cs.Scorer(references, ["align+", "rouge2"])(answers)
    flat = [list(cs.Timeline.of(one).sentences) for one in answers]
    gold = [list(cs.Timeline.of(one).sentences) for one in references]
    assert found[:, 0].tolist() == cs.Scorer(references, "align+")(answers)[:, 0].tolist()
    assert found[:, 1].tolist() == [row[0] for row in scores(flat, gold, ["rouge2"])]


def test_each_candidate_can_have_its_own_topic() -> None:
    scorer = cs.Scorer(TIMELINES, ["align+", "dates.p"])
    names = [pair["id"] for pair in PAIRS]
    together = scorer(ANSWERS, names)
    alone = [
        cs.Scorer(TIMELINES[n], scorer.columns)([a]) for n, a in zip(names, ANSWERS, strict=True)
    ]
    assert together.tolist() == np.concatenate(alone).tolist()
    assert scorer(ANSWERS[:3], names[0]).tolist() == scorer(ANSWERS[:3], [names[0]] * 3).tolist()


def test_calls_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    scorer = cs.Scorer(TEXTS, ["rouge1(stem)", "rouge-l"])
    fresh = scorer(CANDIDATES)
    monkeypatch.setattr(warm, "MOST_WORDS", 3)  # the reader starts anew in every call
    for _ in range(3):
        scorer(["other words than those before", "and more of them"])
        assert scorer(CANDIDATES).tolist() == fresh.tolist()


def test_a_reader_that_met_too_many_words_starts_anew(
    monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setattr(warm, "MOST_WORDS", 3)
    texts = warm.WarmTexts([["a b"]], Preparation())
    assert len(texts.join([["c d e f"]]).vocabulary) == 6
    again = texts.join([["g a"]])
    assert [again.vocabulary[word] for word in again.whole.words] == ["a", "b", "g", "a"]
    assert len(again.vocabulary) == 3


@pytest.mark.slow
def test_threads_share_a_scorer() -> None:
    references = TIMELINES[PAIRS[0]["id"]]
    scorer = cs.Scorer(references, ["align+", "rouge2"])
    expected = cs.Scorer(references, ["align+", "rouge2"])(ANSWERS).tolist()
    found: list[Any] = [None] * 8

    def work(place: int) -> None:
        # Each thread brings other words at another time.
        found[place] = np.concatenate([scorer(ANSWERS[n]) for n in range(len(ANSWERS))]).tolist()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(scores == expected for scores in found)


def test_the_best_candidates_come_first_and_ties_in_their_order() -> None:
    scorer = cs.Scorer(TEXTS, ["rouge1.r", "rouge2"])
    assert scorer.rank(["x", "a dam burst", "y", "a dam burst"]) == [1, 3, 0, 2]
    candidates = ["broke dam old the hurt was nobody", "the old dam"]
    assert scorer.rank(candidates) == [0, 1]
    assert scorer.rank(candidates, by="rouge2") == [1, 0]
    assert scorer.columns == ("rouge(n=1).r", "rouge(n=2).f")


def test_a_function_of_ones_own_is_a_measure_too() -> None:
    def share(output: Any, references: Any) -> float:
        return len(output.sentences) / len(references)

    assert cs.Scorer(TEXTS, share)(["one\ntwo", "one"]).tolist() == [[1.0], [0.5]]
    dated = {"2031-03-12": "The dam broke."}
    assert cs.Scorer([dated, dated], ["align+", share])(dated).tolist() == [[1.0, 0.5]]


def test_answers_in_words_are_read_without_a_warning() -> None:
    gold = {"2031-03-12": "The old dam broke at last."}
    answers = ["Here it is:\n- **2031-03-12**: The dam broke.\n- sometime: x", "I cannot say."]
    scorer = cs.Scorer(gold, "align+", on_error="empty")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, second = scorer(answers)[:, 0]
    assert 0 < first < 1
    assert second == 0
    with pytest.raises(cs.DataError, match="candidate 1"):
        cs.Scorer(gold, "align+")(answers[1:])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Scorer(TEXTS, []), "no measure"),
        (lambda: cs.Scorer([], "rouge1"), "no reference"),
        (lambda: cs.Scorer(TEXTS, "nu"), "judgements"),
        (lambda: cs.Scorer(TEXTS, "rouge1", on_error="skip"), "on_error"),
        (lambda: cs.Scorer(5, "rouge1"), "is not a text"),
        (lambda: cs.Scorer(TEXTS, "rouge1")([5]), "candidate 1"),
        (lambda: cs.Scorer(TEXTS, "rouge1")(["a"], ["b"]), "no topic 'b'"),
        (lambda: cs.Scorer({"a": "x", "b": "y"}, "rouge1")(["a"]), "2 topics"),
        (lambda: cs.Scorer({"a": "x", "b": "y"}, "rouge1")(["a"], ["a", "b"]), "one for each"),
        (lambda: cs.Scorer(TEXTS, "rouge1").rank(["a"], by="rouge2"), "no column"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_a_sentence(make: Any, message: str) -> None:
    with pytest.raises(cs.ChronoscoreError, match=message):
        make()


def test_no_candidates_give_no_rows() -> None:
    assert cs.Scorer(TEXTS, ["rouge1", "rouge-l"])([]).shape == (0, 2)
    assert cs.Scorer({"2031-03-12": "a"}, "align+")([]).shape == (0, 1)


def test_a_scorer_goes_to_another_process_and_gives_the_same_figures():
    import pickle

    scorer = cs.Scorer({"dam": {"2031-03-03": "the dam broke"}}, ["align+", "dates"])
    given = [{"2031-03-04": "the dam burst"}, {"2031-03-03": "the dam broke"}]
    again = pickle.loads(pickle.dumps(scorer))
    assert (again(given) == scorer(given)).all()
    assert again.columns == scorer.columns


def test_results_are_equal_if_their_figures_are():
    import copy

    def scored(text):
        return cs.score({"mine": {"dam": text}}, {"dam": ["the dam broke"]}, measures=["rouge1"])

    one = scored("a dam")
    assert one == copy.copy(one) == copy.deepcopy(one) == scored("a dam")
    assert hash(one) == hash(scored("a dam"))
    assert one != scored("the dam")
    assert one != 1
