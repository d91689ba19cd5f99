"""People and systems meet equally many reference timelines."""

import numpy as np
import pytest

from chronoscore.core import Timeline, Topic
from chronoscore.measures import parse_measure_text

REFERENCES = (
    Timeline.of({"2031-03-02": "The dam broke.", "2031-03-05": "Thousands fled."}),
    Timeline.of({"2031-03-02": "A dam burst at night."}),
    Timeline.of({"2031-03-03": "The dam broke.", "2031-03-09": "Rain fell on the valley."}),
)
MINE = Timeline.of({"2031-03-02": "The old dam broke.", "2031-03-06": "Thousands fled."})
NAMES = ["concat", "agreement", "align", "align+", "align+m1", "align+(n=2)"]


def values(name: str, references: tuple[Timeline, ...], output: Timeline) -> np.ndarray:
    measure = parse_measure_text(name)
    topic = Topic(id="dam", timelines=references)
    return measure.values(measure.tally([(topic, output)]))[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_jackknife_is_the_mean_over_the_sets_with_one_reference_left_out(name: str) -> None:
    by_hand = [values(name, REFERENCES[:k] + REFERENCES[k + 1 :], MINE) for k in range(3)]
    jackknifed = name.replace("(", "(jackknife,") if "(" in name else f"{name}(jackknife)"
    assert values(jackknifed, REFERENCES, MINE) == pytest.approx(np.mean(by_hand, axis=0))


@pytest.mark.parametrize("name", ["align+", "align+(jackknife)"])
def test_a_person_is_compared_with_the_other_people_only(name: str) -> None:
    topic = Topic(id="dam", timelines=REFERENCES).without(REFERENCES[0])
    measure = parse_measure_text(name)
    own = measure.values(measure.tally([(topic, REFERENCES[0])]))[0]
    assert own == pytest.approx(values("align+", REFERENCES[1:], REFERENCES[0]))
