"""Accounts of streams, units and nuggets add up to the measure and say what went wrong."""

from dataclasses import replace
from math import atan, exp, pi

import numpy as np
import pytest

from chronoscore.core import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Link,
    Output,
    Pyramid,
    Ranking,
    Selection,
    Topic,
)
from chronoscore.errors import UsageError
from chronoscore.measures import average_over_topics, parse_measure_text
from chronoscore.measures.losses.account import ACCOUNTED, Losses, account_of
from chronoscore.measures.measure import Array
from measures.judged_worlds import random_judged_pairs
from measures.slow_judged_losses import count_events, count_stream

pytestmark = pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
BY_WORDS = "match=rouge-1,threshold=0.3"
EVENTS = (
    *("nu", "nu(strict)", "nu@2", "nu(weight=links)", "nu(weight=importance)", f"nu({BY_WORDS})"),
    *(f"nu({BY_WORDS},to=sentences)", "u", "u@2", "u(weight=importance)", f"u({BY_WORDS})"),
    *(f"u({BY_WORDS},to=sentences)@2", "n", "n@3", "n(weight=links)", f"n({BY_WORDS})"),
)
OTHERS = (
    *("crisis", f"crisis({BY_WORDS})@2", "crisis(assessed)", "assessed"),
    *("auto-stream", f"auto-stream({BY_WORDS},credit=best)", "auto-stream(timed=no)"),
    *("pyramid", "pyramid(n=2)", "pyramid@2", "classic-pyramid"),
    *("classic-pyramid(weight=contributors)", "classic-pyramid.comprehensive"),
    *("nuggets", "nuggets.all_lenient", "nuggets.all_strict", "nuggets.vital_lenient"),
)
STREAMS = {
    "stream": ("LC", "nE[LG]"),
    "stream(binary)": ("LC", "nE[LG]"),
    "stream(discount=power,unsampled=ignore)": ("LC", "nE[LG]"),
    "stream(times=all,empty=skip)": ("LC", "nE[LG]"),
    "stream(normalized=no)": ("LC", "nE[LG]"),
    "stream.C": ("C", "nE[G]"),
    "stream.nE[G]": ("C", "nE[G]"),
    "stream.E[G]": ("C", "E[G]"),
    "stream.E[LG]": ("LC", "E[LG]"),
}


def part(account: Losses, values: Array, name: str) -> Array:
    return values[..., account.parts.index(name)]


def rates(account: Losses, text: str) -> tuple[str, ...]:
    """The parts of the measure that the sides account for."""
    if text in STREAMS:
        return STREAMS[text]
    return tuple(side.rate or account.sums_up for side in account.sides)


@pytest.mark.parametrize("text", [*EVENTS, *OTHERS, *STREAMS])
def test_found_and_causes_are_1_and_make_the_rates_by_every_rule(text: str) -> None:
    measure = parse_measure_text(text)
    account = account_of(measure, measure.part)
    for seed in (1, 2):
        pairs = random_judged_pairs(seed)
        counts, own = account.tally(pairs), measure.whole.tally(pairs)
        for rule in (None, "mean", "micro"):
            values, figures = account.values(counts), measure.whole.values(own)
            if rule:
                values = average_over_topics(account, counts, rule)  # type: ignore[arg-type]
                figures = average_over_topics(measure.whole, own, rule)  # type: ignore[arg-type]
            check_sums(account, values, figures, rates(account, text))
            whole = figures[..., measure.parts.index(account.sums_up)]
            np.testing.assert_allclose(part(account, values, "lost"), 1 - whole, atol=1e-12)


def check_sums(account: Losses, values: Array, figures: Array, names: tuple[str, ...]) -> None:
    assert np.nanmin(values[..., :-1]) >= -1e-12
    for side, name in zip(account.sides, names, strict=True):
        rate = figures[..., account.of.parts.index(name)]
        parts = [side.good, *side.groups, *([side.empty] if side.empty else [])]
        total = sum(part(account, values, one) for one in parts)
        np.testing.assert_allclose(total[~np.isnan(rate)], 1.0, atol=1e-12)
        earned = [part(account, values, one) for one in (side.good, *side.gains)]
        np.testing.assert_allclose(sum(earned), rate, atol=1e-12)
        finest = [c if c in account.parts else c.rpartition(".")[0] for c in side.causes]
        lost = sum(part(account, values, cause) for cause in finest)
        groups = sum(part(account, values, group) for group in side.groups)
        np.testing.assert_allclose(lost, groups, atol=1e-12)


@pytest.mark.parametrize("cutoff", ["", "@2", "@4"])
@pytest.mark.parametrize("name", ["nu", "u", "n"])
def test_causes_are_those_of_counting_sentence_by_sentence(name: str, cutoff: str) -> None:
    measure = parse_measure_text(name + cutoff)
    account = account_of(measure)
    for topic, output in random_judged_pairs(len(name) + len(cutoff), 12):
        assert isinstance(output, Ranking)
        slow = count_events(topic, output, measure.cutoff)
        counts = dict(
            zip(account.columns, account.tally([(topic, output)])[0].tolist(), strict=True)
        )
        if name == "u":
            on_event = sum(slow[k] for k in ("p.kept", "p.repeated", "p.incomplete"))
            slow |= {"found": on_event, "p.kept": on_event, "late": slow["u.late"]}
        assert counts == pytest.approx({column: slow[column] for column in counts}, abs=1e-9)


def test_causes_of_streams_are_those_of_counting_nugget_by_nugget() -> None:
    account = account_of(parse_measure_text("stream"))
    for topic, output in random_judged_pairs(5, 12):
        assert isinstance(output, Ranking)
        slow = count_stream(topic, output)
        (recall, early), (precision, gains) = account.amounts(account.tally([(topic, output)])[0])
        found = [*recall[:, 0], *early, *precision[:, 0], *gains]
        named = [n for side in account.sides for n in (*side.counted, *side.gains)]
        expected = {name: slow[name] for name in named}
        assert dict(zip(named, found, strict=True)) == pytest.approx(expected, abs=1e-9)


def score_once(text: str, topic: Topic, output: Output) -> dict[str, float]:
    """The parts of an account of one output."""
    measure = parse_measure_text(text)
    account = account_of(measure, measure.part)
    values = account.values(account.tally([(topic, output)]))[0]
    return dict(zip(account.parts, values.tolist(), strict=True))


def ranked(*sentences: str) -> Ranking:
    size = len(sentences)
    return Ranking(tuple(Selection(s, float(size - n)) for n, s in enumerate(sentences)))


FLOOD = Topic(
    id="flood",
    judgements=Judgements(
        sentences=tuple("abcdefg"),
        events=tuple(Event(f"e{n}", "the dam broke", 0.0, 3.0) for n in range(1, 6)),
        links=(
            Link(sentence="a", event="e1"),
            Link(sentence="a", event="e2"),
            Link(sentence="b", event="e1"),
            Link(sentence="c", event="e3", group="g"),
            Link(sentence="d", event="e3", group="g"),
            Link(sentence="e", event="e4"),
        ),
    ),
)
"""e1 and e2 in one sentence, e3 in two together, e4 in one, e5 in none."""


def test_nu_by_hand() -> None:
    # a tells two events, b one of them again, c half of one, g is about none, e comes fifth.
    found = score_once("nu@4", FLOOD, ranked("a", "b", "c", "g", "e"))
    shares = {"found": 0.4, "late": 0.2, "missed_events": 0.4, "missed_events.untold": 0.0,
              "missed_events.in_part": 0.2, "missed_events.unlinked": 0.2, "p.kept": 0.25,
              "p.off_event": 0.25, "p.repeated": 0.25, "p.incomplete": 0.25, "p.unjudged": 0.0,
              "p.light": 0.0, "p.several": 0.25}  # fmt: skip
    # Precision is 2 / 4, recall 2 / 5, so that F is 4 / 9.
    assert found == pytest.approx({**shares, "lost": 5 / 9})


def test_u_and_n_by_hand() -> None:
    useful = score_once("u", FLOOD, ranked("a", "c", "g"))
    # Of five on-event sentences b is about a told event, d about one told in part, e about none.
    assert useful["found"] == pytest.approx(2 / 5)
    assert useful["missed_sentences.of_told_events"] == pytest.approx(2 / 5)
    assert useful["missed_sentences.of_missed_events"] == pytest.approx(1 / 5)
    assert useful["p.kept"] == pytest.approx(2 / 3)
    assert useful["p.off_event"] == pytest.approx(1 / 3)
    novel = score_once("n", FLOOD, ranked("a", "b", "c", "g"))
    kept = {cause: novel[cause] for cause in ("p.kept", "p.repeated", "p.incomplete", "p.several")}
    assert kept == pytest.approx(dict.fromkeys(kept, 1 / 3))


def test_sentences_of_a_pool_that_nobody_judged_are_not_off_event() -> None:
    assert FLOOD.judgements is not None
    pooled = replace(FLOOD, judgements=replace(FLOOD.judgements, pooled=True))
    for text in ("nu", "u"):
        found = score_once(text, pooled, ranked("a", "g", "new", "other"))
        assert (found["p.off_event"], found["p.unjudged"]) == (0.25, 0.5)


HOUR = 3600.0
STREAM = Topic(
    id="stream",
    judgements=Judgements(
        sentences=tuple("abc"),
        events=(
            Event("e1", "one two", 0.0, 3.0),
            Event("e2", "one two", 6 * HOUR, 3.0),
            Event("e3", "one two", 0.0, 1.0),
        ),
        links=(
            Link(sentence="a", event="e1"),
            Link(sentence="a", event="e2"),
            Link(sentence="b", event="e1"),
        ),
        texts={"a": "x y", "b": "x y", "c": "x y z v"},
        pooled=True,
    ),
)


def test_stream_by_hand() -> None:
    # Six hours late, half of e1 is left; e2 is told on time; b repeats, c and d tell nothing.
    times = {"a": 6 * HOUR, "b": 7 * HOUR, "c": 8 * HOUR, "d": 9 * HOUR}
    output = Ranking(tuple(Selection(s, 1.0, time) for s, time in times.items()))
    found = score_once("stream", STREAM, output)
    worth = 2 + exp(-2)
    assert found["found"] == pytest.approx(1.5 / worth)
    assert found["late"] == pytest.approx(0.5 / worth)
    assert found["missed_nuggets.light"] == found["missed_nuggets"]
    assert found["missed_nuggets"] == pytest.approx(exp(-2) / worth)
    # Nuggets have two words. Costs: a 1, b 1 + 2/2, c 1 + 4/2, d, not judged, 1 + 1/2.
    cost, ideal = 7.5, worth / 3
    assert found["p.kept"] == pytest.approx(1 / cost)
    assert found["p.repeated"] == pytest.approx(2 / cost)
    assert found["p.off_event"] == pytest.approx(3 / cost)
    assert found["p.unjudged"] == pytest.approx(1.5 / cost)
    assert found["p.several"] == pytest.approx((1.5 - ideal) / (cost * ideal))
    assert found["p.late"] == found["p.light"] == found["p.words"] == found["early"] == 0
    untimed = score_once("stream.C", STREAM, output)
    assert untimed["found"] == pytest.approx(2 / worth)
    assert untimed["missed_nuggets"] == pytest.approx(exp(-2) / worth)
    assert untimed["lost"] == pytest.approx(exp(-2) / worth)


def test_a_nugget_told_before_its_time_is_a_gain() -> None:
    found = score_once("stream", STREAM, Ranking((Selection("b", 1.0, -3 * HOUR),)))
    assert found["early"] == pytest.approx(2 / pi * atan(0.5) / (2 + exp(-2)))
    assert found["late"] == 0


def test_auto_stream_by_hand() -> None:
    events = (
        Event("e1", "dam village", 0.0, 3.0),
        Event("e2", "army school", 0.0, 2.0),
        Event("e3", "minister road", 0.0, 1.0),
    )
    topic = Topic(
        id="t", judgements=Judgements(sentences=("a",), events=events, links=(), pooled=True)
    )
    said = ("dam village", "dam village", "football season", "army school")
    output = Ranking(
        tuple(Selection(f"o{n}", 1.0, 6 * HOUR * (n > 2), text=t) for n, t in enumerate(said))
    )
    found = score_once("auto-stream(match=rouge-1)", topic, output)
    # The last is told six hours late, and half of it is left.
    assert found["found"] == pytest.approx(1.5 / 3)
    assert found["late"] == pytest.approx(0.5 / 3)
    assert found["missed_nuggets.light"] == pytest.approx(1 / 3)
    assert found["p.kept"] == pytest.approx(1.5 / 4)
    for cause, count in (("p.late", 0.5), ("p.repeated", 1), ("p.off_event", 1)):
        assert found[cause] == pytest.approx(count / 4)


def test_facts_of_crises_by_hand() -> None:
    facts = (("e1", 1.0), ("e2", 0.5), ("e3", 0.0), ("e4", 1.0), ("e5", 0.5))
    names = ("dam village", "army school", "minister road", "flood rescue", "water north")
    events = tuple(
        Event(name, text, 0.0, score) for (name, score), text in zip(facts, names, strict=True)
    )
    sentences = ("s1", "s2", "s3", "s4")
    links = tuple(Link(sentence=f"s{n}", event=f"e{n}") for n in (1, 2, 3))
    judged = Judgements(sentences=sentences, events=events, links=links, pooled=True)
    topic = Topic(id="t", judgements=judged)
    said = (*names[:3], names[0], "football season")
    output = Ranking(tuple(Selection(f"s{n}", float(9 - n), text=t) for n, t in enumerate(said, 1)))
    plain = score_once("crisis(match=rouge-1)", topic, output)
    assert plain["found"] == pytest.approx(3 / 5)
    assert plain["missed_facts.untold"] == plain["lost"] == pytest.approx(2 / 5)
    assert (plain["p.kept"], plain["p.repeated"], plain["p.no_fact"]) == (0.6, 0.2, 0.2)
    for text in ("crisis(assessed,match=rouge-1)", "assessed"):
        found = score_once(text, topic, output)
        # Of three facts told one is poor and one half as good; of four good ones two are missed.
        kinds = {"p.kept": 1.5, "p.poor": 1.0, "p.partly": 0.5}
        assert {kind: 3 * found[kind] for kind in kinds} == pytest.approx(kinds)
        if text != "assessed":
            assert found["found"] == found["missed_facts"] == 0.5
            assert found["missed_facts.whole"] == found["missed_facts.partly"] == 0.25


def weighing(*weights: int) -> Topic:
    units = tuple(
        ContentUnit(
            id=f"u{n}",
            writers=frozenset(f"w{k}" for k in range(weight)),
            group=Group(members=((Anchor(id=f"u{n}", source="d", start=n, end=n + 1),
                                  0.5 if n == 1 else 1.0),)),
        )
        for n, weight in enumerate(weights)
    )  # fmt: skip
    return Topic(id="t", pyramid=Pyramid(units, tuple(f"w{k}" for k in range(6))))


def choose(*units: str) -> Ranking:
    return Ranking(tuple(Selection("", 1.0, event=unit) for unit in units))


def test_pyramids_by_hand() -> None:
    topic = weighing(6, 5, 4, 2, 1)
    found = score_once("pyramid(n=4)", topic, choose("u1", "u2", "u4"))
    # Of 17: half of u1 and all of u2; u0 is heavy, u3 light; u4 is beside the four heaviest.
    amounts = {"found": 6.5, "in_part": 2.5, "missed_units": 8.0, "missed_units.heavy": 6.0,
               "missed_units.middle": 0.0, "missed_units.light": 2.0, "others": 1.0}  # fmt: skip
    assert {name: 17 * found[name] for name in amounts} == pytest.approx(amounts)
    assert found["lost"] == pytest.approx(1 - 7.5 / 17)


def test_the_classic_pyramid_by_hand() -> None:
    topic = weighing(6, 5, 4, 2, 1)
    # 18 contributions of six writers are three units: 15. Five places could earn 18.
    found = score_once("classic-pyramid", topic, choose("u1", "u3", "u3", "none", "none"))
    amounts = {"found": 5, "missed_units.heavy": 6, "missed_units.middle": 4, "others": 2}
    assert {name: 15 * found[name] for name in amounts} == pytest.approx(amounts)
    # Two units could weigh 11 and weigh 7; three more places could earn 7, one by a repetition.
    places = {"p.kept": 7, "p.lighter": 4, "p.repeated": 7 / 3, "p.no_unit": 14 / 3}
    assert {name: 18 * found[name] for name in places} == pytest.approx(places)


def test_nuggets_by_hand() -> None:
    scores = {"v1": 1.0, "v2": 0.5, "v3": 0.0, "o1": 1.0, "o2": 0.0}
    events = tuple(Event(name, name, 0.0, 2.0 if name[0] == "v" else 1.0) for name in scores)
    topic = Topic(id="t", judgements=Judgements(sentences=(), events=events, links=()))
    output = Ranking(tuple(Selection("", s, event=name) for name, s in scores.items()))
    lenient = score_once("nuggets.all_lenient", topic, output)
    amounts = {"found": 2.5, "in_part": 0.5, "missed_nuggets.vital": 1, "missed_nuggets.okay": 1}
    assert {name: 5 * lenient[name] for name in amounts} == pytest.approx(amounts)
    strict = score_once("nuggets", topic, output)
    assert (strict["found"], strict["in_part"]) == pytest.approx((1 / 3, 1 / 3))
    assert strict["missed_nuggets.okay"] == 0


@pytest.mark.parametrize("name", ACCOUNTED.replace(" or ", ", ").split(", "))
def test_every_measure_that_the_refusal_names_has_an_account(name: str) -> None:
    account = parse_measure_text(f"losses({name})")
    assert isinstance(account, Losses)
    assert parse_measure_text(str(account)) == account


@pytest.mark.parametrize(
    "name",
    ["rouge-l", "rouge-w", "rouge-s", "rouge-su", "rouge-be", "concat", "pairs", "novelty", "size",
     "losses(nu)"],
)  # fmt: skip
def test_other_measures_are_refused_in_a_sentence_that_names_those_with_an_account(
    name: str,
) -> None:
    with pytest.raises(UsageError, match=r"write losses of agreement, align.* or nuggets$"):
        parse_measure_text(f"losses({name})")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("losses(stream.verbosity)", "with one of H, LC"),
        ("losses(stream(confidence=raw).cH)", "with one of H, LC"),
        ("losses(classic-pyramid(jackknife))", "leave out jackknife"),
        ("losses(nu)@5", "drop @5"),
    ],
)
def test_what_cannot_be_split_is_refused(text: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        parse_measure_text(text)
