"""The account of aligned days a second time: word by word, with Counters, one pair at a time."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from chronoscore.align import Dates, align_by_date
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, Topic, When
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.frame import Counting, align_timelines

Grams = Counter[tuple[str, ...]]
BINS = (("same", 0, 0), ("day", 1, 1), ("days", 2, 3), ("week", 4, 7), ("far", 8, 10**9))


def bin_of(ours: When, theirs: When) -> str:
    apart = ours.distance(theirs)
    ends = max(abs(ours.first - theirs.first), abs(ours.last - theirs.last))
    if apart and ends >= 358:
        return "year"
    return next(name for name, low, high in BINS if low <= apart <= high)


def count_losses(measure: AlignmentMeasure, topic: Topic, output: Timeline) -> dict[str, float]:
    """The finest causes of both sides as counts; the alignment is the measure's own."""

    def grams(text: Sequence[str]) -> Grams:
        words = measure.reading.prepare(text).tokens
        return Counter(zip(*(words[k:] for k in range(measure.n)), strict=False))

    counting = Counting([(topic, output)], measure.reading)
    aligned = align_timelines([measure.frame], counting)[measure.frame]
    pair = counting.pairs[0]
    ours = [(when, grams(day.texts[0])) for when, day in
            zip(pair.system.whens, pair.system.days(counting.texts), strict=True)]  # fmt: skip
    dates = list(pair.reference.whens)
    by_reference = []
    for timeline in topic.timelines:
        days: dict[int, Grams] = {}
        for entry in Timeline.of([(e.when, e.sentences) for e in timeline]):
            days[dates.index(entry.when)] = grams(entry.sentences)
        by_reference.append(days)
    weigh = {"same": lambda d: float(d == 0), "days": lambda d: 1 / (d + 1)}[
        measure.frame.weight.name
    ]
    found: dict[str, float] = defaultdict(float)
    back = aligned.reference.tolist()
    for days in by_reference:
        supply = sum((bag for _, bag in ours), Counter())
        owed = [(dates[j], bag, 1.0, back[j]) for j, bag in days.items()]
        lone = left_out(dates, [when for when, _ in ours], back)
        settle(owed, ours, supply, lone, weigh, found, "", ("found", "not_said.missing_days",
               "not_said.on_the_day"))  # fmt: skip
    forward = aligned.system.tolist()
    for number, days in enumerate(by_reference or [{}]):
        supply = sum(days.values(), Counter())
        owed = []
        for i, (when, bag) in enumerate(ours):
            has = sum(forward[i] in one for one in by_reference)
            share = float(bool(by_reference))
            if measure.precision != "peer":
                share = float(forward[i] in days)
                if measure.precision == "floor" and not has:
                    share = 1 / max(len(by_reference), 1)
            owed.append((when, bag, share, forward[i] if forward[i] in days else FREE))
        theirs = [(when, days.get(j, Counter())) for j, when in enumerate(dates)]
        lone = left_out([when for when, _ in ours], dates, forward)
        settle(owed, theirs, supply, lone, weigh, found, "p.", ("p.kept", "p.extra.days",
               "p.extra.words"))  # fmt: skip
        del number
    return found


def left_out(dates: Sequence[When], others: Sequence[When], aligned: Sequence[int]) -> set[When]:
    """Dates without a partner within a week when both sides are paired one to one by date."""

    def is_years_off(date: When, place: int) -> bool:
        if place == FREE or bin_of(date, others[place]) != "year":
            return False
        apart = date.distance(others[place])
        return abs(apart - 365 * round(apart / 365)) <= 7

    pairs = align_by_date(Dates.of(dates), Dates.of(others)).system.tolist()
    return {
        date
        for date, place, own in zip(dates, pairs, aligned, strict=True)
        if (place == FREE or date.distance(others[place]) > 7) and not is_years_off(date, own)
    }


def settle(owed, others, supply, lone, weigh, found, prefix, names):
    good, far, close = names
    for gram in {gram for _, bag, _, _ in owed for gram in bag}:
        wanted = aligned = 0.0
        most: dict[int, float] = defaultdict(float)
        deficits = []
        for when, bag, share, partner in owed:
            amount = share * bag[gram]
            shared = 0.0
            if partner != FREE:
                shared = float(min(amount, others[partner][1][gram]))
                most[partner] = max(most[partner], shared)
                weight = weigh(when.distance(others[partner][0]))
                found[good] += shared * weight
                found[f"{prefix}near.{bin_of(when, others[partner][0])}"] += shared * (1 - weight)
            wanted += amount
            aligned += shared
            deficits.append((when, amount - shared))
        left = max(supply[gram] - sum(most.values()), 0.0)
        elsewhere = min(wanted - aligned, left)
        for when, lacking in deficits:
            if lacking > 0:
                said = elsewhere * lacking / (wanted - aligned)
                found[f"{prefix}another_day"] += said
                found[far if when in lone else close] += lacking - said
