"""The demo's ceilings: how much of what could be reached the demo's systems reach."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html import escape

from chronoscore import demo
from chronoscore.core import Timeline, Topic
from chronoscore.formats.corpora import collections
from chronoscore.measures import parse
from chronoscore.oracles.ceilings import Ceilings, ceilings
from chronoscore.oracles.timelines import timeline_oracles
from chronoscore.report.chart import Scale, bar, row_chart
from chronoscore.report.tables import Cell, Table
from chronoscore.scoring import score
from chronoscore.text.preparation import Limit

Section = tuple[str, "Table | str"]

BUDGET = Limit(100, "words")
MEASURE = parse("rouge(n=2,stem)")
SECONDS = 10.0


def oracle_sections() -> list[Section]:
    """Shares of the ceilings of summaries, drawn and as a table, and oracles of timelines."""
    found = summary_ceilings()
    return [
        ("Ceilings: what people, extractive systems and any text reach", chart(found)),
        ("Summaries as shares of the ceilings", shares(found)),
        ("The best timelines that the articles' sentences can make", timelines()),
    ]


def summary_topics() -> list[Topic]:
    """The demo's topics, each set of summaries with the half of the articles that it tells."""
    halves = {}
    for topic in collections.load(demo.CORPUS):
        half = len(topic.documents) // 2
        first = topic.id.endswith("-original")
        documents = topic.documents[:half] if first else topic.documents[half:]
        halves[topic.id] = replace(topic, documents=documents)
    return list(halves.values())


def summary_ceilings() -> list[Ceilings]:
    """The three ceilings of every topic."""
    return [
        ceilings(topic, MEASURE, budget=BUDGET, method="exact-chop", seconds=SECONDS)
        for topic in summary_topics()
    ]


def shares(found: list[Ceilings]) -> Table:
    """Every system's mean recall within the budget, over each of the mean ceilings."""
    collection, runs = demo.all_summaries()
    measure = replace(MEASURE, limit=BUDGET, part="r")  # type: ignore[call-arg]
    values = score(collection, runs, [measure]).values(measure)[..., 1].mean(axis=1)
    kinds = {
        "people": [one.human for one in found],
        "extractive": [one.extractive_bound for one in found],
        "any text": [one.any_text_bound for one in found],
    }
    means = {kind: sum(several) / len(several) for kind, several in kinds.items()}
    rows = [
        (
            Cell(run.system),
            Cell(f"{value:.4f}"),
            *(Cell(f"{value / mean:.0%}") for mean in means.values()),
        )
        for run, value in zip(runs, values.tolist(), strict=True)
    ]
    rows.append((Cell("ceiling"), Cell(""), *(Cell(f"{mean:.4f}") for mean in means.values())))
    return Table(
        title="",
        columns=("system", str(measure), *(f"of {kind}" for kind in means)),
        rows=tuple(rows),
        notes=(
            f"recall of the first {BUDGET.size} words; mean over {len(found)} topics, "
            "each as a share of the mean ceiling",
            "extractive: the best choice of the articles' sentences, the last one cut",
        ),
    )


def timelines() -> Table:
    """Value and bound of the oracle of each reference timeline."""
    rows = []
    for topic in collections.load(demo.CORPUS, Timeline):
        agreed, aligned = (
            list(timeline_oracles(topic, parse(text))) for text in ("agreement", "align+")
        )
        for one, other in zip(agreed, aligned, strict=True):
            rows.append(
                (
                    Cell(f"{topic.id}, {one.reference}"),
                    Cell(f"{one.value:.4f}"),
                    Cell(f"{one.bound:.4f}"),
                    Cell(f"{other.value:.4f}"),
                    Cell(f"{other.bound:.4f}"),
                )
            )
    return Table(
        title="",
        columns=("reference", "agreement.f", "bound", "align+.f", "bound"),
        rows=tuple(rows),
        notes=("as many dates, and sentences a date, as the reference has",),
    )


def chart(found: list[Ceilings]) -> str:
    """Three marks for each topic on one axis from 0."""

    def marks(one: Ceilings, x: Scale, y: float) -> Iterator[str]:
        yield bar(x(one.human), x(one.any_text), y)
        kinds = (("people", one.human), ("extractive", one.extractive), ("any text", one.any_text))
        for place, (kind, value) in enumerate(kinds):
            yield mark(place, x(value), y, f"{kind} {value:.4f}")

    label = f"{MEASURE} recall: people (circle), extractive (square), any text (diamond)"
    rows = [(one.topic, partial(marks, one)) for one in found]
    top = max(one.any_text_bound for one in found)
    return f'{row_chart(label, rows, top)}<p class="note">{escape(label)}</p>'


def mark(place: int, x: float, y: float, said: str) -> str:
    """A circle, a square or a diamond that says its value when pointed at."""
    title = f"<title>{escape(said)}</title>"
    if place == 0:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="4.5">{title}</circle>'
    turned = f' transform="rotate(45 {x:.1f} {y})"' if place == 2 else ""
    corner = f'x="{x - 4:.1f}" y="{y - 4:.1f}"'
    return f'<rect class="dot" {corner} width="8" height="8"{turned}>{title}</rect>'
