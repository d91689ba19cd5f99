"""Two rows of the timeline paper's Table 2 that hang on what the paper does not tell.

*Remove* is one random date, so its figures are one draw of many. *Add* takes the first sentence of
the first article of the first date that is not in the timeline, and how each of these is meant is
open. Both are computed in every reading that the data at hand allow. `check --compat paper` gives
the other rows as printed.
"""

import json
import os
import random
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from chronoscore.checks import damage
from chronoscore.core import Document, Entry, Timeline, Topic, When
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import inputs
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.measure import Array

DRAWS = 400_000
PAPER_REMOVE = (-0.051, -0.045)
"""Change of recall: concat, align+ m:1."""
PAPER_ADD = (-0.032, -0.030)
"""Change of precision: agreement, align+ m:1."""
WORDS = (10, 20, 25, 28, 30, 40)

Rule: TypeAlias = Callable[[Timeline, set[When]], When | None]
"""Which day is added, of a timeline and the days that have an article."""


def main() -> str:
    """Compute, and give Markdown."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# table2\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    home = Path(data) / "timeline17"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        gold = inputs.load_reference_files([home / "gold"], Timeline, repeated="last")
        topics = inputs.load_reference_files([home / "articles"], Timeline, documents=True)
    alone = [
        Topic(id=topic.id, timelines=(timeline,)) for topic in gold for timeline in topic.timelines
    ]
    known = list(topics)
    tables = [*remove_tables(alone), *length_table(alone), *add_table(known)]
    return "\n".join(["# table2", "", *tables, splitting(known, home / "articles"), ""])


def paper_measure(name: str, compat: str = "paper") -> Measure:
    """A measure as the paper's table has it, or tilse."""
    return compatible_measure(parse_measure_text(name), compat)


def part_changes(measure: Measure, topic: Topic, copies: Sequence[Timeline], part: int) -> Array:
    """How far precision (0) or recall (1) of each copy is from 1."""
    found: Array = measure.values(measure.tally([(topic, copy) for copy in copies]))[:, part] - 1
    return found


def remove_tables(alone: Sequence[Topic]) -> list[str]:
    """What one random date does on average, and how often one draw prints the paper's cells."""
    measures = [paper_measure("concat"), paper_measure("align+m1")]
    changes = [
        np.array(
            [part_changes(m, one, damage.damage_by_removal(one.timelines[0]), 1) for m in measures]
        )
        for one in alone
    ]
    expected = np.mean([one.mean(axis=1) for one in changes], axis=0)
    rng = np.random.default_rng(1)
    drawn = np.mean([one[:, rng.integers(0, one.shape[1], DRAWS)] for one in changes], axis=0)
    printed = np.round(drawn, 3)
    alike = printed[0] == PAPER_REMOVE[0]
    share = float(np.mean(printed[1, alike] == PAPER_REMOVE[1]))
    low, high = np.percentile(drawn[1], [2.5, 97.5])
    random.seed(23)
    seeded = np.mean([one[:, random.choice(range(one.shape[1]))] for one in changes], axis=0)
    return [
        "Remove, change of recall over 19 timelines.",
        "",
        "| | concat | align+ m:1 |",
        "|---|---:|---:|",
        f"| the paper, one draw | {PAPER_REMOVE[0]:.3f} | {PAPER_REMOVE[1]:.3f} |",
        f"| mean over all dates, as `check` has it | {expected[0]:.4f} | {expected[1]:.4f} |",
        f"| one draw with tilse's seed, files in order | {seeded[0]:.4f} | {seeded[1]:.4f} |",
        "",
        f"Of {DRAWS:,} draws 95 % have an align+ m:1 of {low:.3f} to {high:.3f}; of those with a "
        f"concat of {PAPER_REMOVE[0]:.3f}, {share:.0%} have the paper's {PAPER_REMOVE[1]:.3f}.",
        "",
    ]


def length_table(alone: Sequence[Topic]) -> list[str]:
    """What an added sentence of so many words costs, whatever it says, in all but align+ m:1."""
    measure = paper_measure("agreement")
    rows = []
    for words in WORDS:
        costs: dict[str, list[float]] = {}
        for one in alone:
            (copy,) = damage.damage_by_addition(one.timelines[0])
            new = next(e for e in copy if e.sentences == (damage.NONSENSE,))
            longer = Entry(new.when, (" ".join(["asdf"] * words),))
            with_it = Timeline(tuple(longer if e is new else e for e in copy))
            costs.setdefault(one.id, []).append(float(part_changes(measure, one, [with_it], 0)[0]))
        by_timeline = np.mean([cost for many in costs.values() for cost in many])
        by_topic = np.mean([np.mean(many) for many in costs.values()])
        rows.append(f"| {words} | {by_timeline:.4f} | {by_topic:.4f} |")
    return [
        "Add, change of precision over 19 timelines by the length of the added sentence.",
        "",
        "| words | mean over timelines | mean over topics |",
        "|---:|---:|---:|",
        *rows,
        "",
    ]


def first_with_article(timeline: Timeline, days: set[When]) -> When | None:
    """The first day that has an article and is not in the timeline."""
    return min(days - set(timeline.dates), default=None)


def first_within(timeline: Timeline, days: set[When]) -> When | None:
    """The same, of the days after the timeline's first."""
    later = {day for day in days if day > timeline.dates[0]}
    return min(later - set(timeline.dates), default=None)


def after_an_entry(timeline: Timeline, days: set[When]) -> When | None:
    """The first day that follows a date of the timeline, is not in it, and has an article."""
    return min({d.shift(1) for d in timeline.dates} & days - set(timeline.dates), default=None)


RULES: dict[str, Rule] = {
    "first with an article (`check`)": first_with_article,
    "first with an article, after the first entry": first_within,
    "first with an article that follows an entry": after_an_entry,
}


def articles_of_day(topic: Topic, rule: Rule) -> list[Document]:
    """The articles of the day that a rule finds, in the file's order."""
    told = [article for article in topic.documents if article.when and article.sentences]
    day = rule(topic.timelines[0], {article.when for article in told if article.when})
    return [article for article in told if article.when == day]


def add_changes(topic: Topic, rule: Rule, compat: str) -> Array:
    """Changes of precision in agreement and align+ m:1 for every article of the day."""
    timeline = topic.timelines[0]
    copies = [
        Timeline.of([*((e.when, e.sentences) for e in timeline), (a.when, a.sentences[0].text)])
        for a in articles_of_day(topic, rule)
        if a.when
    ]
    alone = Topic(id=topic.id, timelines=(timeline,))
    measures = [paper_measure(name, compat) for name in ("agreement", "align+m1")]
    return np.array([part_changes(measure, alone, copies, 0) for measure in measures])


def add_table(topics: Sequence[Topic]) -> list[str]:
    """Every reading on the timelines whose articles are at hand."""
    rows = []
    for name, rule in RULES.items():
        for compat, prepared in (("paper", "none"), ("tilse", "stems, no stop words")):
            found = [add_changes(topic, rule, compat) for topic in topics]
            first = np.mean([one[:, 0] for one in found], axis=0)
            least, most = (np.mean([f(one[0]) for one in found]) for f in (np.max, np.min))
            rows.append(
                f"| {name} | {prepared} | {first[0]:.3f} | {first[1]:.3f} "
                f"| {least:.3f} to {most:.3f} |"
            )
    return [
        f"Add, change of precision over the {len(topics)} timelines whose articles are at hand "
        f"(the paper, 19 timelines: {PAPER_ADD[0]:.3f}, align+ m:1 {PAPER_ADD[1]:.3f}).",
        "",
        "| day | preparation | first article | align+ m:1 | any article of the day |",
        "|---|---|---:|---:|---|",
        *rows,
        "",
    ]


def splitting(topics: Sequence[Topic], home: Path) -> str:
    """How often the lines of the files end the first sentence elsewhere than our splitter."""
    pairs = []
    for topic in topics:
        lines = (home / topic.id / "articles.jsonl").read_text(encoding="utf-8").splitlines()
        told = {article["id"]: article["text"] for article in map(json.loads, lines)}
        pairs += [
            (told[article.id].split("\n")[0].split(), article.sentences[0].text.split())
            for article in topic.documents
            if article.sentences
        ]
    other = sum(line != sentence for line, sentence in pairs)
    return (
        f"Sentences are those of our splitter; the lines of the files, which may be the authors' "
        f"sentences, end the first one elsewhere in {other} of {len(pairs)} articles."
    )
