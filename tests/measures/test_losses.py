"""Accounts of losses add up to the measure, whatever the frame, divisor and averaging rule."""

import random
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from chronoscore.core import Summary, Timeline, Topic
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import average_over_topics, parse_measure_text
from chronoscore.measures.losses.account import Losses, account_of
from chronoscore.measures.losses.days import DayLosses
from chronoscore.measures.measure import Array, Pair
from measures.slow_losses import count_losses

FRAMES = ("agreement", "align", "align+", "align+m1", "aligned(cost=content,weight=same)",
          "aligned(cost=days,weight=days,many)")  # fmt: skip
DIVISORS = ("peer", "literal", "floor")
WORDS = (
    *("dam", "flood", "two", "people", "40", "village", "Smith"),
    *("minister", "road", "water", "rescue", "army", "north", "school"),
)


def random_timeline(rng: random.Random, most: int = 6) -> Timeline:
    entries = []
    for _ in range(rng.randint(0, most)):
        day = date(2010, 4, 20) + timedelta(days=rng.choice([0, 1, 2, 3, 5, 9, 14, 30, 365, 366]))
        when = f"{day:%Y-%m}" if rng.random() < 0.1 else str(day)
        entries.append((when, [" ".join(rng.choices(WORDS, k=rng.randint(1, 7)))]))
    return Timeline.of(entries)


def random_pairs(seed: int, count: int = 8) -> list[Pair]:
    rng = random.Random(seed)
    pairs: list[Pair] = []
    for number in range(count):
        references = tuple(random_timeline(rng) for _ in range(rng.randint(1, 3)))
        topic = Topic(id=f"t{number}", timelines=references)
        pairs += [(topic, random_timeline(rng)), (topic, random_timeline(rng))]
    return pairs


@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
@pytest.mark.parametrize(
    "text", ["dates", "dates(within=3)", "dates(within=3,many)", "dates(soft)"]
)
def test_dates_that_count_and_causes_are_1(text: str) -> None:
    measure = parse_measure_text(text)
    account = account_of(measure)
    pairs = random_pairs(11, 20)
    tallies, own = account.tally(pairs), measure.tally(pairs)
    check_sums(account, tallies, measure.values(own))
    for rule in ("mean", "of-means", "micro"):
        check_sums(account, tallies, average_over_topics(measure, own, rule), rule)


def test_dates_are_off_by_the_distance_of_their_partners() -> None:
    days = ("2010-04-20", "2010-04-25", "2010-05-08", "2010-09-01")
    topic = Topic(id="dam", timelines=(Timeline.of([(day, ["a"]) for day in days]),))
    given = ("2010-04-20", "2010-04-26", "2010-05-06", "2011-09-01")
    account = account_of(parse_measure_text("dates"))
    values = account.values(account.tally([(topic, Timeline.of([(d, ["a"]) for d in given]))]))[0]
    for name in ("found", "off.day", "off.days", "off.year", "p.off.day"):
        assert part(account, values, name) == 0.25
    assert part(account, values, "missed") == part(account, values, "p.extra") == 0


@pytest.mark.parametrize("text", ["rouge1", "rouge2", "rouge(n=1,stem,stop,alpha=0.3)"])
def test_what_rouge_finds_and_misses_is_1(text: str, engine: str) -> None:
    rng = random.Random(4)
    pairs: list[Pair] = []
    for number in range(12):
        made = [Summary((" ".join(rng.choices(WORDS, k=rng.randint(0, 9))),)) for _ in range(3)]
        pairs.append((Topic(id=str(number), summaries=tuple(made[1:])), made[0]))
    measure = parse_measure_text(text)
    account = account_of(measure)
    check_sums(account, account.tally(pairs), measure.values(measure.tally(pairs)))


def part(measure: Losses, values: Array, name: str) -> Array:
    return values[..., measure.parts.index(name)]


def check_sums(account: Losses, tallies: Array, figures: Array, rule: str | None = None) -> None:
    """The rates are the measure's own, and the rest of each side are its causes."""
    values = account.values(tallies)
    if rule:
        values = average_over_topics(account, tallies, rule)  # type: ignore[arg-type]
    assert values.min() >= -1e-12
    for side in account.sides:
        rate = figures[..., account.of.parts.index(side.rate)]
        np.testing.assert_allclose(part(account, values, side.good), rate, atol=1e-12)
        groups = [part(account, values, group) for group in (*side.groups, side.empty)]
        np.testing.assert_allclose(rate + sum(groups), 1.0, atol=1e-12)
        finest = [c if c in account.parts else c.split(".")[0] for c in side.causes]
        lost = sum(part(account, values, cause) for cause in finest)
        np.testing.assert_allclose(lost, sum(groups[:-1]), atol=1e-12)
    if rule != "mean":
        np.testing.assert_allclose(part(account, values, "lost"), 1 - figures[..., 2], atol=1e-12)


@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
@pytest.mark.parametrize("precision", DIVISORS)
@pytest.mark.parametrize("frame", FRAMES)
def test_found_and_causes_are_1_in_every_frame(frame: str, precision: str, engine: str) -> None:
    for n in (1, 2):
        extra = f"n={n},precision={precision}"
        text = frame[:-1] + f",{extra})" if "(" in frame else f"{frame}({extra})"
        measure = parse_measure_text(text)
        account = account_of(measure)
        pairs = random_pairs(hash((n, len(frame))) % 97)
        tallies, own = account.tally(pairs), measure.tally(pairs)
        check_sums(account, tallies, measure.values(own))
        for rule in ("mean", "of-means", "micro"):
            check_sums(account, tallies, average_over_topics(measure, own, rule), rule)


@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
@pytest.mark.parametrize("precision", DIVISORS)
@pytest.mark.parametrize("frame", FRAMES)
def test_causes_are_those_of_counting_word_by_word(frame: str, precision: str) -> None:
    text = (
        frame[:-1] + f",precision={precision})"
        if "(" in frame
        else f"{frame}(precision={precision})"
    )
    account = account_of(parse_measure_text(text))
    assert isinstance(account, DayLosses)
    for topic, output in random_pairs(len(text) + len(precision), 6):
        assert isinstance(output, Timeline)
        tally = account.tally([(topic, output)])[0].reshape(-1, 3).sum(axis=1)
        counted = [name for side in account.sides for name in side.counted]
        expected = count_losses(account.of, topic, output)
        assert dict(zip(counted, tally.tolist(), strict=True)) == pytest.approx(
            {name: expected[name] for name in counted}, abs=1e-9
        )


@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_in_one_to_one_frames_another_day_is_what_is_shared_if_dates_are_ignored() -> None:
    for topic, output in random_pairs(5):
        account, whole = account_of(parse_measure_text("align")), parse_measure_text("concat")
        values = account.values(account.tally([(topic, output)]))[0]
        said = sum(part(account, values, p) for p in ("found", "near", "another_day"))
        assert said == pytest.approx(whole.values(whole.tally([(topic, output)]))[0, 1])


def one_day(when: str, text: str) -> Timeline:
    return Timeline.of([(when, [text])])


@pytest.mark.parametrize(
    ("when", "cause", "kept"),
    [
        ("2010-04-20", "found", 1.0),
        ("2010-04-21", "near.day", 1 / 2),
        ("2010-04-23", "near.days", 1 / 4),
        ("2010-04-13", "near.week", 1 / 8),
        ("2010-05-20", "near.far", 1 / 31),
        ("2011-04-20", "near.year", 1 / 366),
        ("2009-04", "near.year", 1 / 356),
        ("2010-04", "found", 1.0),
    ],
)
def test_what_a_distance_costs_is_near_by_distance(when: str, cause: str, kept: float) -> None:
    account = account_of(parse_measure_text("align+"))
    topic = Topic(id="dam", timelines=(one_day("2010-04-20", "the dam broke"),))
    values = account.values(account.tally([(topic, one_day(when, "the dam broke"))]))[0]
    assert part(account, values, "found") == pytest.approx(kept)
    if cause != "found":
        assert part(account, values, cause) == pytest.approx(1 - kept)
        assert part(account, values, f"p.{cause}") == pytest.approx(1 - kept)


def test_an_empty_output_offers_nothing_and_misses_all_days() -> None:
    account = account_of(parse_measure_text("align+"))
    topic = Topic(id="dam", timelines=(one_day("2010-04-20", "the dam broke"),))
    values = account.values(account.tally([(topic, Timeline.empty())]))[0]
    for name in ("not_said.missing_days", "p.nothing_offered", "lost"):
        assert part(account, values, name) == 1
    assert part(account, values, "p.extra") == 0


def test_an_empty_reference_wants_nothing() -> None:
    account = account_of(parse_measure_text("align+"))
    topic = Topic(id="dam", timelines=(Timeline.empty(),))
    with pytest.warns(ChronoscoreWarning, match="empty"):
        tally = account.tally([(topic, one_day("2010-04-20", "the dam broke"))])
    values = account.values(tally)[0]
    for name in ("nothing_wanted", "p.extra", "p.extra.days", "lost"):
        assert part(account, values, name) == 1


def test_numbers_and_names_are_parts_of_every_cause() -> None:
    reference = one_day(
        "2010-04-20", "Yesterday 40 people met Anna Smith; two villages were flooded"
    )
    account = account_of(parse_measure_text("align+(stem=no)"))
    topic = Topic(id="dam", timelines=(reference,))
    values = account.values(account.tally([(topic, one_day("2010-04-20", "villages"))]))[0]
    # yesterday 40 people met anna smith [two] villages flooded, without stop words
    words = int(account.tally([(topic, Timeline.empty())])[0][:30].sum())
    assert part(account, values, "not_said.numbers") * words == pytest.approx(
        1 if words == 8 else 2
    )
    assert part(account, values, "not_said.names") * words == pytest.approx(2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("losses(align+(over=l))", "only runs of words"),
        ("losses(align+(over=su))", "only runs of words"),
        ("losses(align+(credit=similarity))", "only runs of words"),
        ("losses(align+(jackknife))", "leaves no reference out"),
        ("losses(concat)", "cannot be split into causes"),
        ("losses(rouge(several=best))", "only pooled references"),
        ("losses(losses(align+))", "cannot be split into causes"),
        ("rouge(align+)", "takes no other measure"),
    ],
)
def test_what_cannot_be_accounted_for_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        parse_measure_text(text)
    assert "\n" not in str(caught.value)


def test_weights_outside_0_to_1_are_refused() -> None:
    from chronoscore.measures.timelines.align_measures import Aligned

    account = account_of(Aligned(cost="days", weight=lambda ours, theirs: 1.5))
    topic = Topic(id="dam", timelines=(one_day("2010-04-20", "the dam broke"),))
    with pytest.raises(UsageError, match=r"a weight is 1\.5"):
        account.tally([(topic, one_day("2010-04-20", "the dam broke"))])


@pytest.mark.parametrize("text", ["losses(align+)", "losses(agreement).found",
    "losses(align+m1(n=2,ties=first)).near.year", "losses(of=align+)"])  # fmt: skip
def test_an_account_prints_itself_and_parses_back(text: str) -> None:
    measure = parse_measure_text(text)
    assert parse_measure_text(str(measure)) == measure
    assert str(measure) == text.replace("of=", "")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
@pytest.mark.parametrize(
    "text", ["align+", "align+m1(n=2)", "agreement(precision=literal)", "dates"]
)
def test_accounts_of_real_timelines_add_up(data: Path, text: str) -> None:
    """Each person's timeline of a topic of timeline17 against the others'."""
    pairs: list[Pair] = []
    for folder in sorted((data / "timeline17" / "gold").iterdir()):
        people = [timeline_files.load(path) for path in sorted(folder.glob("*.txt"))[:4]]
        for place, one in enumerate(people):
            others = (*people[:place], *people[place + 1 :])
            if others:
                pairs.append((Topic(id=f"{folder.name} {place}", timelines=others), one))
    assert len(pairs) > 10
    measure = parse_measure_text(text)
    account = account_of(measure)
    own = measure.tally(pairs)
    check_sums(account, account.tally(pairs), measure.values(own))
    for rule in ("mean", "of-means", "micro"):
        check_sums(account, account.tally(pairs), average_over_topics(measure, own, rule), rule)
