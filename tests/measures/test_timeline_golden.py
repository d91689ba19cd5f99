"""The figures of the peer, tilse 0.2.1, with its bundled ROUGE-1.5.5."""

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chronoscore.core import Timeline, Topic, When
from chronoscore.errors import ChronoscoreWarning
from chronoscore.explanations import DayExplanation
from chronoscore.explanations.days import Side
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import CONTENT
from chronoscore.measures.timelines.frame import Counting
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure

SIDES: tuple[Side, ...] = ("precision", "recall")
GOLDEN = Path(__file__).parent.parent / "golden"
NAMES = ("concat", "agreement", "align", "align+", "align+m1")
MEASURES = [
    compatible_measure(parse_measure_text(f"{name}(n={n})"), "tilse")
    for name in NAMES
    for n in (1, 2)
]
FIVE = [measure for measure in MEASURES if isinstance(measure, TimelineMeasure)]

INVENTED: list[dict[str, Any]] = json.loads((GOLDEN / "timelines.json").read_text())["pairs"]
REAL: list[dict[str, Any]] = json.loads((GOLDEN / "timelines-real.json").read_text())["pairs"]


def invented(pair: dict[str, Any]) -> tuple[Topic, Timeline]:
    references = tuple(Timeline.of(reference) for reference in pair["references"])
    return Topic(id=pair["id"], timelines=references), Timeline.of(pair["system"])


@pytest.fixture(scope="session")
def loaded(data: Path) -> dict[str, Timeline]:
    found: dict[str, Timeline] = {}
    for pair in REAL:
        for name in (pair["system"], *pair["references"]):
            if name not in found:
                found[name] = peer_reading(data / name)
    return found


def peer_reading(path: Path) -> Timeline:
    with warnings.catch_warnings():
        # What the files lack or repeat is the loader's business, not this test's.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return timeline_files.load(path, repeated="last")


def scores(pairs: list[tuple[Topic, Timeline]]) -> Iterator[tuple[TimelineMeasure, Any]]:
    for measure, tallies in zip(FIVE, TimelineMeasure.tally_family(FIVE, pairs), strict=True):
        yield measure, measure.values(tallies)


def check_scores(golden: dict[str, Any], topic: Topic, output: Timeline) -> None:
    for measure, values in scores([(topic, output)]):
        sensitive = golden["tie_sensitive"].get(measure.name, False)
        if sensitive and measure.name != "align+m1":
            continue
        told = golden["scores"][measure.name][f"rouge_{measure.n}"]
        expected = [told["p"], told["r"], told["f"]]
        assert values[0] == pytest.approx(expected, abs=1e-9), str(measure)


def day_costs(measure: AlignmentMeasure, topic: Topic, output: Timeline) -> dict[Any, float]:
    """By two dates: what it costs to align them."""
    counting = Counting([(topic, output)], measure.reading)
    system, reference = counting.pairs[0].system, counting.pairs[0].reference
    distances = system.dates.distances(reference.dates)
    costs = distances / (distances + 1.0)
    if measure.frame.cost == CONTENT:
        for _, alike in counting.similarities(measure.frame.content):
            words = alike.offered[:, None] + alike.wanted
            shared = 2.0 * alike.overlap.toarray()
            costs *= 1.0 - np.divide(shared, words, out=np.zeros_like(costs), where=words > 0)
    return {
        (ours, theirs): costs[row, column]
        for row, ours in enumerate(system.whens)
        for column, theirs in enumerate(reference.whens)
    }


def check_alignments(golden: dict[str, Any], topic: Topic, output: Timeline) -> None:
    """No dearer than the peer's and, where that one is unique, the same."""
    for measure in FIVE:
        if not isinstance(measure, AlignmentMeasure) or measure.n == 2:
            continue
        if measure.name not in golden["alignments"]:
            continue
        told = golden["alignments"][measure.name]
        found, table = DayExplanation(measure, topic, output), day_costs(measure, topic, output)
        for side in SIDES:
            mine = [
                (one.system.when, one.reference.when)
                for one in found.pairings(side)
                if one.system and one.reference
            ]
            costs = [cost for _, _, cost in told[side]]
            assert sum(table[pair] for pair in mine) == pytest.approx(sum(costs), abs=1e-9)
            if not golden["tie_sensitive"][measure.name] or measure.name == "align+m1":
                continue
            gaps = [When.parse(a).distance(When.parse(b)) for a, b, _ in told[side]]
            assert sum(ours.distance(theirs) for ours, theirs in mine) <= sum(gaps)


def check_dates(golden: dict[str, Any], topic: Topic, output: Timeline) -> None:
    measure: Measure = parse_measure_text("dates")
    expected = [golden["dates"][part] for part in "prf"]
    assert measure.values(measure.tally([(topic, output)]))[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("golden", INVENTED, ids=lambda pair: str(pair["id"]))
def test_invented_timelines_score_as_in_the_peer(golden: dict[str, Any], engine: str) -> None:
    check_scores(golden, *invented(golden))


@pytest.mark.parametrize("golden", INVENTED, ids=lambda pair: str(pair["id"]))
def test_alignments_of_invented_timelines_are_as_cheap_and_as_near(
    golden: dict[str, Any], engine: str
) -> None:
    check_alignments(golden, *invented(golden))


@pytest.mark.parametrize("golden", INVENTED, ids=lambda pair: str(pair["id"]))
def test_dates_of_invented_timelines_score_as_in_the_peer(golden: dict[str, Any]) -> None:
    check_dates(golden, *invented(golden))


@pytest.mark.parametrize(
    "golden",
    [pair for pair in INVENTED if pair.get("alternative_optimum", {}).get("align+")],
    ids=lambda pair: str(pair["id"]),
)
def test_a_tie_of_align_plus_goes_to_the_nearer_dates(golden: dict[str, Any], engine: str) -> None:
    # Same day without a shared word, or same words on another day: both cost nothing.
    topic, output = invented(golden)
    for measure, values in scores([(topic, output)]):
        if measure.name == "align+":
            other = golden["alternative_optimum"]["align+"][f"rouge_{measure.n}"]
            expected = [other["precision"], other["recall"], other["f_score"]]
            assert values[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("golden", REAL, ids=lambda pair: str(pair["id"]))
def test_real_timelines_score_as_in_the_peer(
    golden: dict[str, Any], loaded: dict[str, Timeline]
) -> None:
    references = tuple(loaded[name] for name in golden["references"])
    topic, output = Topic(id=golden["id"], timelines=references), loaded[golden["system"]]
    check_scores(golden, topic, output)
    check_alignments(golden, topic, output)
    check_dates(golden, topic, output)


def test_many_pairs_at_once_score_as_one_by_one() -> None:
    pairs = [invented(golden) for golden in INVENTED]
    together = dict(scores(pairs))
    for number, pair in enumerate(pairs):
        for measure, values in scores([pair]):
            np.testing.assert_array_equal(together[measure][number], values[0])


@pytest.mark.parametrize(
    ("reading", "expected"), [("peer", 0.033), ("literal", 0.829), ("floor", 0.132)]
)
def test_the_three_readings_of_precision_are_far_apart_on_a_real_topic(
    reading: str, expected: float, data: Path
) -> None:
    root = data / "timeline17"
    references = [peer_reading(file) for file in sorted((root / "gold" / "tl17-syria").iterdir())]
    system = peer_reading(root / "systems" / "sdf-summaries" / "TL17_bestsumm_syria_tl1.txt")
    measure = compatible_measure(parse_measure_text("agreement"), "tilse")
    assert isinstance(measure, AlignmentMeasure)
    chosen = replace(measure, precision=reading)  # type: ignore[arg-type]
    topic = Topic(id="syria", timelines=tuple(references))
    assert chosen.values(chosen.tally([(topic, system)]))[0, 0] == pytest.approx(expected, abs=5e-4)
