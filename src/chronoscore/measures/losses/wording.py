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


def _missed(label: str, what: str) -> LossPhrases:
    """Things that are missed, in the plural."""
    return LossPhrases(f"{label} missed", f"misses more {what}", f"misses fewer {what}")


def _gain(label: str, does: str) -> LossPhrases:
    """Something that earns more than there is to lose; who loses by it does it less often."""
    return LossPhrases(f"gain: {label}", f"{does} less often", f"{does} more often")


JUDGED: dict[str, LossPhrases] = {
    "late": LossPhrases("told late", "tells more too late", "tells less too late"),
    "missed_events": _missed("events", "events"),
    "missed_events.untold": _missed("events", "events"),
    "missed_events.in_part": LossPhrases(
        "events told in part",
        "tells more events only in part",
        "tells fewer events only in part",
    ),
    "missed_events.unlinked": _missed("events without a sentence", "events without a sentence"),
    "missed_facts": _missed("facts", "facts"),
    "missed_facts.untold": _missed("facts", "facts"),
    "missed_facts.in_part": LossPhrases(
        "facts told in part", "tells more facts only in part", "tells fewer facts only in part"
    ),
    "missed_facts.unlinked": _missed("facts without an update", "facts without an update"),
    "missed_facts.whole": _missed("useful facts", "useful facts"),
    "missed_facts.partly": _missed("facts of less use", "facts of less use"),
    "missed_sentences": _missed("on-event sentences", "on-event sentences"),
    "missed_sentences.of_missed_events": _missed("events", "events"),
    "missed_sentences.of_told_events": LossPhrases(
        "more about events that are told",
        "retrieves less about the events that it tells",
        "retrieves more about the events that it tells",
    ),
    "missed_nuggets": _missed("nuggets", "nuggets"),
    "missed_nuggets.heavy": _missed("important nuggets", "nuggets of high importance"),
    "missed_nuggets.middle": _missed("middling nuggets", "nuggets of middle importance"),
    "missed_nuggets.light": _missed("minor nuggets", "nuggets of low importance"),
    "missed_nuggets.vital": _missed("vital nuggets", "vital nuggets"),
    "missed_nuggets.okay": _missed("okay nuggets", "okay nuggets"),
    "missed_units": _missed("units", "units"),
    "missed_units.heavy": _missed("heavy units", "heavy units"),
    "missed_units.middle": _missed("middling units", "units of middle weight"),
    "missed_units.light": _missed("light units", "light units"),
    "in_part": LossPhrases(
        "told in part", "tells more things only in part", "tells fewer things only in part"
    ),
    "off_event": LossPhrases(
        "about no event", "says more that is about no event", "says less that is about no event"
    ),
    "no_fact": LossPhrases(
        "tells no fact", "has more updates that tell no fact", "has fewer updates that tell no fact"
    ),
    "no_unit": LossPhrases(
        "in no reference", "says more that no reference has", "says less that no reference has"
    ),
    "repeated": LossPhrases("told before", "repeats itself more", "repeats itself less"),
    "incomplete": LossPhrases(
        "a part of an event",
        "has more sentences that tell only a part of an event",
        "has fewer sentences that tell only a part of an event",
    ),
    "light": LossPhrases(
        "of little importance",
        "tells more that is of little importance",
        "tells less that is of little importance",
    ),
    "lighter": LossPhrases("lighter units", "chooses lighter units", "chooses heavier units"),
    "words": LossPhrases(
        "words that tell nothing",
        "has more words that tell nothing",
        "has fewer words that tell nothing",
    ),
    "unjudged": LossPhrases(
        "not judged", "says more that nobody judged", "says less that nobody judged"
    ),
    "poor": LossPhrases("poor facts", "tells more poor facts", "tells fewer poor facts"),
    "partly": LossPhrases(
        "facts of less use", "tells more facts of less use", "tells fewer facts of less use"
    ),
    "several": _gain("several at once", "tells several things at once"),
    "early": _gain("told early", "tells things before their time"),
    "again": _gain("one sentence in several texts", "says what one sentence says in several texts"),
    "heavy": _gain("worth more than 1", "tells things that are worth more than 1"),
    "others": _gain("other units", "chooses units beside the heaviest"),
}
"""The causes of judged streams, units and nuggets."""

CAUSES: dict[str, LossPhrases] = {
    **JUDGED,
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
