"""A difference between two systems in one sentence."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

from chronoscore.explanations.differences import Cause, SystemDifference
from chronoscore.explanations.loss_shares import DATED, DATES
from chronoscore.explanations.reasons import merge_distances
from chronoscore.measures.losses.wording import words_for

MOST_NAMED = 4
"""Causes that a sentence names."""
LEAST = 0.2
"""A cause with less than this share of the largest is not named, and causes that together explain
less than this share of the difference do not explain it."""
AGAINST = 1.0
"""A cause in favor of the system that is behind is named from this share of the difference on."""
HARDLY = 0.1
"""Of what one system loses by a cause, the other loses hardly anything below this share."""


def describe_difference(found: SystemDifference) -> str:
    """Who is behind by how much, and because of what.

    Only causes whose corrected interval leaves out 0 are named. On a single topic, where nothing
    can be tested, the account of that topic is given as it is, and the sentence says so.
    """
    figure, one = found.measure.heading(found.part), len(found.topics) == 1
    if abs(found.difference) < 5e-4:
        start = f"{found.a} and {found.b} score the same by {figure} ({number(found.value_a)})"
        return start + _wrong_years(found) + "."
    side = "behind" if found.difference > 0 else "ahead of"
    size = number(abs(found.difference))
    start = f"{found.b} is {side} {found.a} by {size} {figure}{_interval(found)}"
    if one:
        start += f" on {found.topics[0].topic}, the only topic, so this may be chance"
    elif not found.significant:
        start += ", which may be chance"
    return start + _reasons(found, one) + _wrong_years(found) + "."


def named_causes(found: SystemDifference) -> list[Cause]:
    """The causes that a sentence names, those that explain most first.

    A difference that may be chance needs no cause, and none is named.
    A group is named where it is sure and none of its causes is, and all that is lost by dates
    where neither days that are near nor other days are. Days that are off are one reason, by their
    largest distance.
    """
    one = len(found.topics) == 1
    if not (one or found.significant):
        return []
    sure = [c for c in found.causes if c.named or (one and c.seen and abs(c.net) >= 0.005)]
    for group in found.groups:
        parts = DATED if group.name == DATES else (group.name,)
        if group.named and not any(cause.group in parts for cause in sure):
            sure.append(group)
    nets = merge_distances({cause.name: cause.net for cause in sure})
    sure = [replace(cause, net=nets[cause.name]) for cause in sure if cause.name in nets]
    sure = [c for c in sure if number(abs(c.net)) != ".00"]
    sign = 1 if found.difference > 0 else -1
    sure.sort(key=lambda cause: (-sign * cause.net, cause.name))
    explained = sum(cause.net for cause in sure if cause.net * sign > 0)
    if abs(explained) < LEAST * abs(found.difference):
        sure = [cause for cause in sure if cause.net * sign < 0]
    most = max((abs(cause.net) for cause in sure), default=0.0)
    least = {1: LEAST * most, -1: max(LEAST * most, AGAINST * abs(found.difference))}
    return [c for c in sure if abs(c.net) >= least[1 if c.net * sign > 0 else -1]][:MOST_NAMED]


def _reasons(found: SystemDifference, one: bool) -> str:
    """Why, as far as it is sure: first what explains the difference, then what speaks against."""
    sign = 1 if found.difference > 0 else -1
    named = named_causes(found)
    behind = [cause for cause in named if cause.net * sign > 0]
    against = [cause for cause in named if cause.net * sign < 0]
    more = sum(abs(cause.net) for cause in behind) - abs(found.difference)
    exceeds = more > LEAST * abs(found.difference)
    parts = []
    for place, cause in enumerate(behind):
        first = place == 0 and not exceeds
        subject, of = (found.b, " of it") if first else ("it", "")
        parts.append(f"{number(abs(cause.net))}{of} because {subject} {_does(cause)}")
    text = "; " + ", ".join(parts) if parts else ""
    if exceeds and parts:
        loses, makes_up = ("loses", "makes up for") if sign > 0 else ("gains", "loses")
        text = f"; it {loses} {', '.join(parts)}"
        if not against:
            text += f", and {makes_up} {number(more)} elsewhere"
    if not parts and not one and found.significant:
        text = "; no single cause is sure"
    if against:
        subject = "it" if behind else found.b
        what = " and ".join(
            f"{subject} {_does(cause)} ({number(abs(cause.net))})" for cause in against
        )
        text += f"; and this although {what}" if behind else f", although {what}"
    return text


def _does(cause: Cause) -> str:
    """What B does: it loses more by the cause where the share is above 0."""
    words = words_for(cause.name)
    if cause.net < 0:
        return words.less
    lost_by_a, lost_by_b = (
        sum(share for share in sides if not isnan(share))
        for sides in zip(cause.recall, cause.precision, strict=True)
    )
    if words.alone and lost_by_a < HARDLY * lost_by_b:
        return words.alone
    return words.more


def _interval(found: SystemDifference) -> str:
    """The interval of the difference as the sentence counts it, above 0."""
    if isnan(found.low):
        return ""
    ends = (found.low, found.high) if found.difference > 0 else (-found.high, -found.low)
    return f" [{number(ends[0])}, {number(ends[1])}]"


def _wrong_years(found: SystemDifference) -> str:
    """Which topics are in the wrong year, if that is not the case of all."""
    text = ""
    for system in (found.b, found.a):
        topics = found.wrong_year.get(system, ())
        if not topics or any(cause.name == "near.year" for cause in named_causes(found)):
            continue
        whose = "" if system == found.b else f" of {system}"
        text += f"; {_count(len(topics))}{whose} ({_list(topics)}) "
        text += "is in the wrong year" if len(topics) == 1 else "are in the wrong year"
    return text


def _count(count: int) -> str:
    names = ("no", "one", "two", "three", "four", "five")
    return f"{names[count] if count < len(names) else count} topic{'' if count == 1 else 's'}"


def _list(topics: Sequence[str]) -> str:
    """The first few names."""
    return ", ".join(topics[:3]) + (", …" if len(topics) > 3 else "")


def number(value: float) -> str:
    """A figure in a sentence: .13, or .004 where two digits say nothing.

    >>> number(0.131), number(-0.0042), number(1.0)
    ('.13', '−.004', '1.00')
    """
    digits = 2 if abs(value) >= 0.00995 or value == 0 else 3
    text = f"{abs(value):.{digits}f}"
    text = text[1:] if text.startswith("0.") else text
    return ("−" if value < 0 and float(text) else "") + text
