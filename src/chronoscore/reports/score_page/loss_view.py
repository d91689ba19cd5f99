"""Where the points went, and two systems side by side, as data for the page's scripts."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.differences import (
    Cause,
    DayDifference,
    EventDifference,
    SystemDay,
    SystemDifference,
    SystemEvent,
)
from chronoscore.explanations.loss_shares import DATES
from chronoscore.explanations.words import Reader
from chronoscore.measures.losses.account import LossSide, account_of
from chronoscore.measures.losses.wording import words_for
from chronoscore.reports.losses import bar_parts, day_cause, shown_gains
from chronoscore.reports.rails import split_marked
from chronoscore.reports.score_page.contents import Contents

TOPICS = 6
"""Topics that a comparison of two systems shows."""
NEEDS_SCRIPT = "<noscript>This part needs JavaScript.</noscript>"
POINTS = f'<div id="points-here">{NEEDS_SCRIPT}</div>'
COMPARISON = f'<div id="compare-here">{NEEDS_SCRIPT}</div>'
"""The places of the bars and of the comparison."""


def points_section(contents: Contents) -> str:
    """The place for the bars; empty where nothing accounts for losses."""
    return POINTS if contents.accounts else ""


def compare_section(contents: Contents) -> str:
    """The place for the comparison; empty without two systems."""
    return COMPARISON if contents.differences else ""


def page_data(contents: Contents) -> dict[str, Any]:
    """Accounts and comparisons by the id of the element that holds them."""
    found: dict[str, Any] = {}
    if contents.accounts:
        found["points-data"] = [
            account_data(one, contents.order(one.measure)) for one in contents.accounts
        ]
    if contents.differences:
        measures = dict.fromkeys(one.measure for one in contents.differences)
        found["compare-data"] = [
            pairs_data(
                [one for one in contents.differences if one.measure == measure],
                contents.order(measure),
            )
            for measure in measures
        ]
    return found


def pairs_data(pairs: Sequence[SystemDifference], systems: Sequence[str]) -> dict[str, Any]:
    """Comparisons of systems by one measure."""
    return {
        "measure": pairs[0].measure.title,
        "heading": pairs[0].measure.heading(pairs[0].part),
        "shares": _describe_shares(pairs[0]),
        "things": pairs[0].things,
        "systems": list(systems),
        "pairs": [_pair(one) for one in pairs],
    }


def account_data(found: LossAccount, order: Sequence[str]) -> dict[str, Any]:
    """An account of one measure, the systems in the order given."""
    sides = found.account.sides
    systems = [
        system
        for system in order
        if not any(math.isnan(found[system, side.good].value) for side in sides)
    ]
    parts = [bar_parts(found, side, systems) for side in sides]
    names = dict.fromkeys(
        part.removeprefix("p.")
        for side, own in zip(sides, parts, strict=True)
        for part in own
        if part in side.groups
    )
    repairs = [(name, f"no more “{words_for(name).label}”") for name in names]
    if {"near", "another_day"} <= set(names):
        repairs.append((DATES, "all dates right (at most)"))
    return {
        "measure": found.measure.title,
        "heading": found.measure.heading(found.part),
        "sides": [
            {
                "rate": side.title,
                "of": side.whole,
                "labels": [_label(part, side) for part in own],
            }
            for side, own in zip(sides, parts, strict=True)
        ],
        "repairs": repairs,
        "chance": _describe_chance(found, systems),
        "systems": [_system(found, system, parts) for system in systems],
    }


def _label(part: str, side: LossSide) -> str:
    """What the legend calls a part of a bar."""
    if part == side.empty:
        return words_for("nothing").label
    label = side.label if part == side.good else words_for(part).label
    return f"{label} (credit lost)" if part.removeprefix("p.") == "near" else label


def _system(found: LossAccount, system: str, parts: Sequence[Sequence[str]]) -> dict[str, Any]:
    """One system's bars, its figure, and what repairs would give."""
    repaired = {one.cause: round(one.value, 6) for one in found.what_if[system]}
    return {
        "name": system,
        "shares": [[round(found[system, part].value, 6) for part in own] for own in parts],
        "rates": [round(rate, 6) for rate in _rates(found, system)],
        "value": round(_figure(found, system), 6),
        "repaired": repaired,
        "notes": [_note(found, system, side) for side in found.account.sides],
    }


def _figure(found: LossAccount, system: str) -> float:
    """The figure of a system that repairs raise, from the account."""
    account = found.account
    if found.part == account.sums_up:
        return 1 - found[system, "lost"].value
    rates = [np.array(rate) for rate in _rates(found, system)]
    return float(account.reached(found.part, rates))


def _rates(found: LossAccount, system: str) -> list[float]:
    """The rates of the sides: what is good, and gains."""
    return [
        sum(found[system, part].value for part in (side.good, *side.gains))
        for side in found.account.sides
    ]


def _note(found: LossAccount, system: str, side: LossSide) -> str:
    """What the last cause of a side is made of and what it gains; empty where that is nothing."""
    gains = [
        f"{found[system, gain].value:.3f} ({words_for(gain).label.removeprefix('gain: ')})"
        for gain in shown_gains(found, side, [system])
    ]
    note = _describe_members(found, system, side)
    if not gains:
        return note
    return f"{note} Beyond this, {system} gains {', '.join(gains)}.".lstrip()


def _describe_members(found: LossAccount, system: str, side: LossSide) -> str:
    """What the last cause of a side is made of, in a sentence."""
    group = side.groups[-1]
    lost = found[system, group].value
    if not lost > 0:
        return ""
    members = [cause for cause in side.causes if cause.startswith(f"{group}.")]
    if found.account.words:
        days = "whole days that it leaves out" if side.rate == "r" else "whole days"
        named = {members[0]: days} if members else {}
        named |= {f"{group}.{kind}": kind for kind in found.account.words}
        start = "does not say" if side.rate == "r" else "says and no reference has"
    else:
        named = {cause: words_for(cause).label.removesuffix(" missed") for cause in members}
        start = "misses"
    shares = {what: found[system, part].value / lost for part, what in named.items()}
    pieces = [f"{share:.0%} are {what}" for what, share in shares.items() if share >= 0.005]
    return f"Of what {system} {start}, {', '.join(pieces)}." if pieces else ""


def _describe_shares(found: SystemDifference) -> str:
    """What the shares of causes are shares of."""
    first, *rest = [side.whole for side in account_of(found.measure, found.part).sides]
    return f"{first}, or where only precision knows the cause, {rest[0]}" if rest else first


def _describe_chance(found: LossAccount, systems: Sequence[str]) -> str:
    """How much is said on another day by chance alone, where that is known."""
    known = [found.chance[one][0] for one in systems if not math.isnan(found.chance[one][0])]
    if not known:
        return ""
    low, high = f"{min(known):.2f}", f"{max(known):.2f}"
    level = low if low == high else f"{low} to {high}"
    return (
        f"By chance alone, {level} of what references say is said on some day: that much outputs "
        "share with the references of other topics."
    )


def _pair(found: SystemDifference) -> dict[str, Any]:
    """Why one system is behind another."""
    readers = {one.measure: Reader.of(one.measure) for one in found.days}
    causes = [one for one in found.causes if max(map(_size, (one.recall, one.precision))) >= 5e-4]
    return {
        "a": found.a,
        "b": found.b,
        "sentence": found.sentence,
        "causes": [_cause(one) for one in sorted(causes, key=lambda one: -abs(one.share))],
        "topics": [
            [one.topic, round(one.difference, 4), words_for(one.cause).label if one.cause else "–"]
            for one in found.topics[:TOPICS]
        ],
        "days": [
            *(_day(one, readers[one.measure]) for one in found.days),
            *map(_event, found.events),
        ],
    }


def _size(pair: tuple[float, float]) -> float:
    """The larger of two shares; 0 where a side does not know the cause."""
    return max((abs(value) for value in pair if not math.isnan(value)), default=0.0)


def _cause(one: Cause) -> dict[str, Any]:
    """A cause with its shares: of recall, or of precision where only that knows it."""
    shares = one.precision if math.isnan(one.recall[0]) else one.recall
    return {
        "label": one.label,
        "shares": [_plain(value) for value in shares],
        "share": round(one.share, 4),
        "low": _plain(one.low),
        "high": _plain(one.high),
        "named": one.named,
    }


def _plain(value: float) -> float | None:
    """A number that JSON has."""
    return None if math.isnan(value) else round(value, 4)


def _day(one: DayDifference, reader: Reader) -> dict[str, Any]:
    """A day of the references beside what both systems say."""
    reference = " / ".join(" ".join(text) for text in one.reference)
    return {
        "topic": one.topic,
        "when": str(one.when),
        "text": [f" {reference}"],
        "a": _said(one, one.a, reader),
        "b": _said(one, one.b, reader),
    }


def _event(one: EventDifference) -> dict[str, Any]:
    """A judged event beside what both systems say of it."""
    return {
        "topic": one.topic,
        "when": one.event if one.text != one.event else "",
        "text": [f" {one.text}"],
        "a": _told(one.a),
        "b": _told(one.b),
    }


def _told(said: SystemEvent) -> dict[str, Any]:
    """What a system says of an event, and where."""
    kind = "good" if said.share >= 1 else "off" if said.share > 0 or said.where else ""
    return {"when": said.where, "cause": said.what, "kind": kind, "text": [f" {said.text}"]}


def _said(day: DayDifference, said: SystemDay, reader: Reader) -> dict[str, Any]:
    """What a system says about a day, the shared words marked."""
    cause = day_cause(day, said)
    if said.when is None:
        text = [f" {said.gap}"]
    else:
        shared = {
            word
            for reference in day.reference
            for gram in reader.shared(reference, said.text)
            for word in gram.split(" ")
        }
        text = split_marked(" ".join(said.text), shared, reader)
    kind = "good" if cause.startswith("right day") else "off" if said.when else ""
    when = str(said.when) if said.when else ""
    return {"when": when, "cause": cause, "kind": kind, "text": text}
