"""The systems' figures on the timelines of timeline17 whose articles are at hand.

They are given the length of the reference and tilse's key words. `chieu-lee`, which fills few
dates, is also set against random sentences of its own length; SDF-TLS is scored by its public
outputs for all timelines.
"""

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from chronoscore.core import Collection, Run, Timeline, Topic
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import inputs
from chronoscore.measures import parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.measure import Array
from chronoscore.scoring import score
from chronoscore.systems import parse_system

KEYWORDS = {
    "bpoil_bbc": ("bp", "oil", "spill"),
    "haiti_bbc": ("haiti", "quake", "earthquake"),
    "H1N1_guardian": ("h1n1", "swine", "flu"),
}
SYSTEMS = (
    "martschat-markert",
    "datewise",
    "wilson",
    "pubcount",
    "lead",
    "clust",
    "random",
    "chieu-lee",
)
AT_HAND = ("bpoil-bbc", "haiti-bbc", "h1n1-swine_flu_guardian")
"""The timelines whose articles are at hand, as `public_outputs` names them."""
MEASURES = tuple(
    compatible_measure(parse_measure_text(name), "tilse")
    for name in ("align+m1", "align+m1(n=2)", "dates")
)
SEEDS = range(1, 31)


def main() -> str:
    """Run and score, and give Markdown."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# figures\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    home = Path(data) / "timeline17"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        plain = list(inputs.load_reference_files([home / "articles"], Timeline, documents=True))
        narrowed = [replace(topic, keywords=KEYWORDS[topic.id]) for topic in plain]
        tables = [*system_table(narrowed), *public_table(home), *length_table(plain, narrowed)]
    return "\n".join(["# figures", "", *tables, ""])


def averages(topics: Sequence[Topic], outputs: Sequence[Mapping[str, Timeline]]) -> Array:
    """P, R and F of AR1, AR2 and dates for each run: F is that of the mean P and R."""
    runs = [
        Run(f"run {number}", {topic.id: one[topic.id] for topic in topics})
        for number, one in enumerate(outputs)
    ]
    found = score(Collection({topic.id: topic for topic in topics}), runs, list(MEASURES))
    sides = np.array([found.values(measure)[..., :2].mean(axis=1) for measure in MEASURES])
    p, r = np.moveaxis(sides, -1, 0)
    f = 2 * p * r / np.where(p + r, p + r, 1)
    return np.stack([p, r, f], axis=-1).swapaxes(0, 1)


def run(name: str, topics: Sequence[Topic]) -> dict[str, Timeline]:
    """What a system makes of topics."""
    made = {topic.id: parse_system(name)(topic) for topic in topics}
    return {topic: output for topic, output in made.items() if isinstance(output, Timeline)}


def system_table(topics: Sequence[Topic]) -> list[str]:
    """Each system with key words."""
    found = averages(topics, [run(name, topics) for name in SYSTEMS])[..., 2]
    return [
        f"With key words, {len(topics)} timelines: F of AR1, AR2 and dates.",
        "",
        "| system | AR1 / AR2 / date F1 |",
        "|---|---|",
        *(f"| `{name}` | {slashed(row)} |" for name, row in zip(SYSTEMS, found, strict=True)),
        "",
    ]


def slashed(row: Array) -> str:
    """Figures side by side."""
    return " / ".join(f"{value:.3f}" for value in row)


def public_outputs(home: Path) -> tuple[list[Topic], dict[str, Timeline]]:
    """All references, and what SDF-TLS made for each."""
    topics, outputs = [], {}
    for topic in inputs.load_reference_files([home / "gold"], Timeline, repeated="last"):
        for timeline in topic.timelines:
            subject = topic.id.removeprefix("tl17-")
            author = (timeline.author or "").removesuffix(".co.uk")
            path = home / "systems" / "sdf-summaries" / f"TL17_bestsumm_{subject}_{author}.txt"
            (read,) = inputs.load_reference_files([path], Timeline, repeated="last")
            topics.append(Topic(id=f"{subject}-{author}", timelines=(timeline,)))
            outputs[topics[-1].id] = read.timelines[0]
    return topics, outputs


def public_table(home: Path) -> list[str]:
    """SDF-TLS on all timelines, on those with articles, and on the others."""
    topics, outputs = public_outputs(home)
    groups = {
        "all": topics,
        "with articles at hand": [topic for topic in topics if topic.id in AT_HAND],
        "the others": [topic for topic in topics if topic.id not in AT_HAND],
    }
    return [
        "SDF-TLS, its public outputs.",
        "",
        "| timelines | AR1 / AR2 / date F1 |",
        "|---|---|",
        *(
            f"| {len(chosen)}, {name} | {slashed(averages(chosen, [outputs])[0, :, 2])} |"
            for name, chosen in groups.items()
        ),
        "",
    ]


def length_table(plain: Sequence[Topic], narrowed: Sequence[Topic]) -> list[str]:
    """chieu-lee beside random sentences, as many as the reference has and as many as its own."""
    columns = [length_figures(topics) for topics in (plain, narrowed)]
    return [
        f"AR1: P, R and F of chieu-lee, and means over {len(SEEDS)} seeds of random.",
        "",
        "| | without key words | with key words |",
        "|---|---|---|",
        *(f"| {name} | {columns[0][name]} | {columns[1][name]} |" for name in columns[0]),
    ]


def length_figures(topics: Sequence[Topic]) -> dict[str, str]:
    """AR1 of each."""
    own = run("chieu-lee", topics)
    full = [run(f"random(seed={seed})", topics) for seed in SEEDS]
    short = []
    for seed in SEEDS:
        made: dict[str, Timeline] = {}
        for topic in topics:
            name = f"random(seed={seed},dates={len(own[topic.id])},sentences=1)"
            made |= run(name, [topic])
        short.append(made)
    runs = {
        "`random`, as long as the reference": full,
        "`random`, as many dates as `chieu-lee`, one sentence each": short,
        "`chieu-lee`": [own],
        "`chieu-lee(window=1)`": [run("chieu-lee(window=1)", topics)],
    }
    return {
        name: slashed(averages(topics, outputs)[:, 0].mean(axis=0))
        for name, outputs in runs.items()
    }
