"""The notes below a table of scores say what its figures are."""

from collections.abc import Sequence

import chronoscore as cs

GOLD = {"dam": {"2031-03-01": "The dam broke."}, "zoo": {"2031-03-05": "The zoo opened."}}
MINE = {"mine": {"dam": {"2031-03-01": "The old dam broke."}, "zoo": {"2031-03-06": "It opened."}}}


def half(_output: cs.Timeline, _references: Sequence[cs.Timeline]) -> float:
    return 0.5


def averages_in_notes(*measures: object) -> list[str]:
    (table,) = cs.score(MINE, GOLD, list(measures)).tables()
    return [note for note in table.notes if note.startswith("average")]


def test_one_rule_is_told_once_and_of_several_whose_they_are() -> None:
    of_means = "F of the mean precision and the mean recall"
    assert averages_in_notes("dates", "align+") == [f"average over 2 topics: {of_means}"]
    assert averages_in_notes("dates", half, "align+") == [
        f"average of dates, align+ over 2 topics: {of_means}",
        "average of half over 2 topics: mean over topics of each part",
    ]


def test_a_system_whose_figures_are_of_fewer_topics_is_named() -> None:
    def none_for_zoo(output: cs.Timeline, _references: Sequence[cs.Timeline]) -> float:
        return float("nan") if "opened" in output.entries[0].sentences[0] else 1.0

    (table,) = cs.score(MINE, GOLD, none_for_zoo).tables()
    assert "topics where a figure is undefined do not count in it: of 2, mine has 1" in table.notes
