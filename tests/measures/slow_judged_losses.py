"""Accounts of judged data a second time: sentence by sentence, nugget by nugget, slow and plain."""

import math
from collections import defaultdict

from chronoscore.core import Ranking, Topic

HALF_LIFE = 6 * 3600.0


def retrieved(topic: Topic, output: Ranking) -> list[str]:
    """Sentences best first, each once."""
    assert topic.judgements is not None
    ordered = sorted(output.selections, key=lambda one: -one.score)
    return list(dict.fromkeys(one.sentence for one in ordered))


def first_mentions(topic: Topic, chosen: list[str]) -> dict[str, int]:
    """The place at which each event is told, all sentences of a group together."""
    assert topic.judgements is not None
    found: dict[str, int] = {}
    for place in range(len(chosen)):
        known = set(chosen[: place + 1])
        expressions = defaultdict(set)
        for number, link in enumerate(topic.judgements.kept):
            expressions[link.event, link.group or str(number)].add(link.sentence)
        for (event, _), sentences in expressions.items():
            if sentences <= known:
                found.setdefault(event, place)
    return found


def count_events(topic: Topic, output: Ranking, cutoff: int | None) -> dict[str, float]:
    """Every count of the accounts of nu, u and n, all events being equal."""
    judged = topic.judgements
    assert judged is not None
    chosen = retrieved(topic, output)
    first = first_mentions(topic, chosen)
    size = min(len(chosen), cutoff or len(chosen))
    about = defaultdict(set)
    for link in judged.kept:
        about[link.sentence].add(link.event)
    touched = {event for sentence in chosen for event in about[sentence]}
    counts: dict[str, float] = defaultdict(float)
    for event in judged.events:
        if event.id in first:
            counts["found" if first[event.id] < size else "late"] += 1
        elif event.id in touched:
            counts["missed_events.in_part"] += 1
        elif not any(event.id in events for events in about.values()):
            counts["missed_events.unlinked"] += 1
        else:
            counts["missed_events.untold"] += 1
    for place, sentence in enumerate(chosen[:size]):
        new = [event for event in about[sentence] if first.get(event) == place]
        if new:
            counts["p.kept"] += 1
            counts["p.several"] += len(new) - 1
        elif not about[sentence]:
            counts["p.off_event"] += 1
        elif all(first.get(event, size + 9) < place for event in about[sentence]):
            counts["p.repeated"] += 1
        else:
            counts["p.incomplete"] += 1
    for sentence in judged.sentences:
        if about[sentence] and sentence not in chosen[:size]:
            late, told = sentence in chosen, about[sentence] & touched
            cause = "of_told_events" if told else "of_missed_events"
            counts["u.late" if late else f"missed_sentences.{cause}"] += 1
    return counts


def count_stream(topic: Topic, output: Ranking) -> dict[str, float]:
    """Every count of the account of stream, with latency and normalized."""
    judged = topic.judgements
    assert judged is not None
    nuggets = {event.id: event for event in judged.events if event.importance > 0}
    worth = {name: math.exp(nugget.importance - 3) for name, nugget in nuggets.items()}
    mean = sum(nugget.text.count(" ") + 1 for nugget in nuggets.values()) / len(nuggets)
    told: set[str] = set()
    counts: dict[str, float] = defaultdict(float)
    gain = 0.0
    telling = 0
    costs: dict[str, float] = defaultdict(float)
    updates = sorted(output.selections, key=lambda one: one.time or 0.0)
    for update in updates:
        linked = [k.event for k in judged.kept if k.sentence == update.sentence]
        linked = [name for name in dict.fromkeys(linked) if name in nuggets]
        new = [name for name in linked if name not in told]
        told |= set(new)
        # Matches without a span cover all words.
        idle = 0 if new else judged.texts[update.sentence].count(" ") + 1
        kind = "telling" if new else "p.repeated" if linked else "p.off_event"
        costs[kind] += 1 + idle / mean
        telling += bool(new)
        for name in new:
            assert update.time is not None
            known = nuggets[name].time
            assert known is not None
            left = 1 - 2 / math.pi * math.atan((update.time - known) / HALF_LIFE)
            gain += worth[name] * min(left, 1)
            counts["late"] += worth[name] * max(1 - left, 0)
            counts["early"] += worth[name] * max(left - 1, 0)
    counts["found"] = gain
    sizes = {3.0: "heavy", 2.0: "middle", 1.0: "light"}
    for name, nugget in nuggets.items():
        if name not in told:
            counts[f"missed_nuggets.{sizes[nugget.importance]}"] += worth[name]
    best = sorted(worth.values(), reverse=True)[: max(len(updates), 1)]
    ideal = sum(best) / len(best)
    room = telling * ideal
    counts["p.kept"] = min(gain, room)
    counts["p.several"] = max(gain - room, 0)
    counts["p.late"] = min(counts["late"], max(room - gain, 0))
    counts["p.light"] = max(room - gain, 0) - counts["p.late"]
    counts["p.early"] = counts["early"]
    counts["p.off_event"] = costs["p.off_event"] * ideal
    counts["p.repeated"] = costs["p.repeated"] * ideal
    return counts
