"""What causes are called: in tables, and in sentences about two systems."""

from typing import NamedTuple


class LossPhrases(NamedTuple):
    """A cause in words."""

    label: str
    """In a table."""
    more: str
    """What a system does that loses more by it: "because it …"."""
    less: str
    """What a system does that loses less by it: "because it …"."""
    alone: str = ""
    """What a system does that loses by it where the other hardly does."""


def _off(label: str, distance: str) -> LossPhrases:
    """Days that are off by a distance."""
    return LossPhrases(label, f"is {distance} off more often", f"is {distance} off less often",
                 f"is {distance} off")  # fmt: skip


CAUSES: dict[str, LossPhrases] = {
    "found": LossPhrases("said on the right day", "", ""),
    "kept": LossPhrases("on the right day", "", ""),
    "near": _off("near the day", "some days"),
    "off": _off("off by some days", "some days"),
    "off.same": LossPhrases(
        "another stretch of time",
        "names days as months or months as days more often",
        "names days as months or months as days less often",
    ),
    "off.day": _off("a day off", "a day"),
    "off.days": _off("2–3 days off", "two or three days"),
    "off.week": _off("4–7 days off", "four to seven days"),
    "off.far": _off("more than a week off", "more than a week"),
    "off.year": _off("a year or more off", "a year or more"),
    "missed": LossPhrases(
        "missed", "misses more of the references", "misses less of the references"
    ),
    "near.same": LossPhrases(
        "the same day, less credit",
        "gets less credit on the same days",
        "gets more credit on the same days",
    ),
    "near.day": _off("a day off", "a day"),
    "near.days": _off("2–3 days off", "two or three days"),
    "near.week": _off("4–7 days off", "four to seven days"),
    "near.far": _off("more than a week off", "more than a week"),
    "near.year": _off("a year or more off", "a year or more"),
    "another_day": LossPhrases(
        "said on another day", "says more on the wrong day", "says less on the wrong day"
    ),
    "dates": LossPhrases("on wrong days", "puts more on wrong days", "puts less on wrong days"),
    "not_said": LossPhrases("not said", "says less of what the references say", "says more of it"),
    "not_said.missing_days": LossPhrases(
        "missing days", "leaves out more days", "leaves out fewer days"
    ),
    "not_said.on_the_day": LossPhrases(
        "less said on the day", "says less on shared days", "says more on shared days"
    ),
    "extra": LossPhrases(
        "in no reference", "says more that no reference has", "says less that no reference has"
    ),
    "extra.days": LossPhrases(
        "days that no reference has",
        "has more days that no reference has",
        "has fewer days that no reference has",
        "has days that no reference has",
    ),
    "extra.words": LossPhrases(
        "extra words on shared days",
        "has more words on shared days that no reference has",
        "has fewer words on shared days that no reference has",
    ),
    "nothing": LossPhrases(
        "no output",
        "says nothing on more topics",
        "says nothing on fewer topics",
        "says nothing on some topics",
    ),
}
"""By cause, whichever side it is of."""


def words_for(cause: str) -> LossPhrases:
    """A cause in words, whichever side it is of."""
    return CAUSES[cause.removeprefix("p.")]
