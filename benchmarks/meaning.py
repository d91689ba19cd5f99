"""Which similarity finds what people found: the judged nuggets of TREC-TS 2014.

Every sampled update of a topic is compared with every nugget of the topic, and the similarities
are held against the judges' matches: average precision and the area under the ROC curve, mean over
topics. So that thresholds can be chosen with open eyes, the one with the best F is given too.
"""

import os
import resource
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from chronoscore.core import Timeline, Topic
from chronoscore.formats.corpora import meantime, trects
from chronoscore.measures.similarity.material import Material
from chronoscore.measures.similarity.similarities import (
    Embed,
    Mixed,
    TextSimilarity,
    TfIdf,
    Words,
    shared_words,
)
from chronoscore.measures.similarity.soft import Soft
from chronoscore.measures.timelines.texts import TextReading, Texts
from chronoscore.text.preparation import Preparation

SENTENCES = 15_000
THRESHOLDS = np.arange(0.05, 1.0, 0.05)


def main() -> str:
    """Measure, and give Markdown."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# meaning\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    topics = list(trects.load(Path(data) / "trec-ts-2014"))
    lines = ["# meaning", ""]
    for stem in (True, False):
        lines += similarity_table(topics, stem=stem)
    lines += weights_table(topics)
    lines += event_table(list(meantime.load(Path(data) / "meantime")))
    return "\n".join([*lines, *speed(topics), ""])


def similarity_table(topics: list[Topic], *, stem: bool) -> list[str]:
    """How well each similarity finds the judges' matches."""
    reading = TextReading(Preparation(name="perl155", stem=stem, stop=True))
    compared = [compare_topic(topic, reading) for topic in topics]
    pairs = sum(labels.size for labels, _ in compared)
    matches = sum(int(labels.sum()) for labels, _ in compared)
    how = "stemmed words, as the measures take them" if stem else "words as they are"
    lines = [
        f"{len(topics)} topics, {pairs:,} pairs of an update and a nugget, {matches:,} of them "
        f"matched by the judges; {how}, without stop words. Means over topics.",
        "",
        "| similarity | average precision | AUC | best F | at threshold |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in compared[0][1]:
        figures = [(average_precision(v[name], la), auc(v[name], la)) for la, v in compared]
        precision, area = np.mean(figures, axis=0)
        curve = np.mean([f_curve(v[name], la) for la, v in compared], axis=0)
        best = int(np.argmax(curve))
        limit = THRESHOLDS[best]
        lines.append(f"| {name} | {precision:.3f} | {area:.3f} | {curve[best]:.3f} | {limit:.2f} |")
    return [*lines, ""]


def compare_topic(
    topic: Topic, reading: TextReading
) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
    """Which update holds which nugget, and what each similarity says of all of them."""
    material, rows, columns, labels, known = judged_pairs(topic, reading)

    def values(similarity: TextSimilarity) -> np.ndarray:
        return similarity.compare(material, rows, columns, known)

    recall = shared_words(material, rows, columns) / np.maximum(material.lengths[columns], 1)
    tfidf, vectors = values(TfIdf()), values(Embed())
    return labels, {
        "words: ROUGE-1 F": values(Words()),
        "word recall": recall,
        "tfidf": tfidf,
        "embed (WordLlama)": vectors,
        "mixed: word recall + embed": values(Mixed()),
        "soft": values(Soft()),
        "tfidf + embed": (tfidf + vectors) / 2,
    }


def judged_pairs(
    topic: Topic, reading: TextReading
) -> tuple[Material, np.ndarray, np.ndarray, np.ndarray, Topic]:
    """The texts of updates and nuggets, which of them match, and the background of tf-idf."""
    judged = topic.judgements
    assert judged is not None
    texts = Texts()
    updates = [name for name in judged.sentences if judged.texts.get(name, "").strip()]
    rows = np.array([texts.number((judged.texts[name],)) for name in updates])
    columns = np.array([texts.number((event.text,)) for event in judged.events])
    places = {name: row for row, name in enumerate(updates)}
    nuggets = {event.id: column for column, event in enumerate(judged.events)}
    labels = np.zeros((len(rows), len(columns)), dtype=bool)
    for link in judged.links:
        if link.sentence in places and link.event in nuggets:
            labels[places[link.sentence], nuggets[link.event]] = True
    # Nuggets stand for references, updates for documents.
    known = Topic(
        id=topic.id, timelines=(Timeline.of({"2014-01-01": background(judged, updates)}),)
    )
    return Material(texts, reading), rows, columns, labels, known


def weights_table(topics: list[Topic]) -> list[str]:
    """The weights of `soft` as each half of the topics would choose them, tried on the other."""
    reading = TextReading(Preparation(name="perl155", stem=True, stop=True))
    parts = [soft_components(topic, reading) for topic in topics]
    grid = list(product((0.0, 0.25, 0.5, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0)))
    figures = np.array(
        [
            [average_precision(words + a * cosine + b * spelled, la) for a, b in grid]
            for la, (words, cosine, spelled) in parts
        ]
    )
    lines = [
        "Weights of the cosine and of the spelling in `soft`, chosen for the best average "
        "precision on one half of the topics and tried on the other:",
        "",
        "| chosen on | cosine | spelling | there | on the other half |",
        "|---|---:|---:|---:|---:|",
    ]
    halves = np.arange(len(topics)) % 2 == 0
    others = []
    for name, half in (("odd topics", halves), ("even topics", ~halves)):
        best = int(figures[half].mean(axis=0).argmax())
        others.append(figures[~half][:, best])
        there, other = figures[half][:, best].mean(), others[-1].mean()
        lines.append(f"| {name} | {grid[best][0]} | {grid[best][1]} | {there:.3f} | {other:.3f} |")
    every = np.concatenate(others).mean()
    return [*lines, "", f"Mean over all topics, none with weights chosen on it: {every:.3f}.", ""]


def soft_components(
    topic: Topic, reading: TextReading
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Which update holds which nugget, and what `soft` is made of."""
    material, rows, columns, labels, known = judged_pairs(topic, reading)
    return labels, Soft().components(material, rows, columns, known)


def event_table(topics: list[Topic]) -> list[str]:
    """Sentences of different articles that tell a common event, in MEANTIME."""
    reading = TextReading(Preparation(name="perl155", stem=True, stop=True))
    compared = [compare_sentences(topic, reading) for topic in topics]
    matches = sum(int(labels.sum()) for labels, _ in compared)
    lines = [
        f"MEANTIME, {len(topics)} topics: sentences of different articles, {matches:,} pairs of "
        "them about a common event.",
        "",
        "| similarity | average precision | AUC |",
        "|---|---:|---:|",
    ]
    for name in compared[0][1]:
        figures = [(average_precision(v[name], la), auc(v[name], la)) for la, v in compared]
        precision, area = np.mean(figures, axis=0)
        lines.append(f"| {name} | {precision:.3f} | {area:.3f} |")
    return [*lines, ""]


def compare_sentences(
    topic: Topic, reading: TextReading
) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
    """Which sentences share events, and how alike they are; pairs within an article left out."""
    judged = topic.judgements
    assert judged is not None
    names = [name for name in judged.sentences if judged.texts.get(name, "").strip()]
    places = {name: place for place, name in enumerate(names)}
    events = {event.id: place for place, event in enumerate(judged.events)}
    told = np.zeros((len(names), len(events)), dtype=np.int64)
    for link in judged.links:
        if link.sentence in places and link.event in events:
            told[places[link.sentence], events[link.event]] = 1
    texts = Texts()
    rows = np.array([texts.number((judged.texts[name],)) for name in names])
    known = Topic(id=topic.id, timelines=(Timeline.of({"2014-01-01": background(judged, names)}),))
    material = Material(texts, reading)
    article = np.array([name.rpartition("-")[0] for name in names])
    apart = article[:, None] != article
    labels = (told @ told.T > 0)[apart]
    kinds = (Words(), TfIdf(), Embed(), Mixed(), Soft())
    return labels, {k.name: k.compare(material, rows, rows, known)[apart] for k in kinds}


def background(judged: Any, updates: list[str]) -> list[str]:
    """All sentences of a topic."""
    return [*(judged.texts[name] for name in updates), *(event.text for event in judged.events)]


def average_precision(values: np.ndarray, labels: np.ndarray) -> float:
    """Mean precision at each match, equal values counting as one step."""
    precision, recall, _ = steps(values, labels)
    return float((precision * np.diff(recall, prepend=0.0)).sum())


def auc(values: np.ndarray, labels: np.ndarray) -> float:
    """The chance that a matched pair has a higher value than another; equal ones count half."""
    _, recall, false = steps(values, labels)
    return float(np.trapezoid(np.r_[0.0, recall], np.r_[0.0, false]))


def steps(values: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precision, recall and false-positive rate after each distinct value, highest first."""
    order = np.argsort(-values, axis=None, kind="stable")
    ranked, hit = values.ravel()[order], labels.ravel()[order]
    last = np.r_[ranked[1:] != ranked[:-1], True]
    true, seen = np.cumsum(hit)[last], np.arange(1, len(hit) + 1)[last]
    return true / seen, true / hit.sum(), (seen - true) / (~hit).sum()


def f_curve(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """F of "at least this similar" at each threshold."""
    found = [(values >= limit, limit) for limit in THRESHOLDS]
    return np.array([2 * (f & labels).sum() / (f.sum() + labels.sum()) for f, _ in found])


def speed(topics: list[Topic]) -> list[str]:
    """CPU seconds of embedding many sentences, and of `pairs` on real timelines."""
    from chronoscore.measures.similarity.models import find_model
    from chronoscore.measures.similarity.vector_cache import use_cache

    sentences = [text for t in topics if t.judgements for text in t.judgements.texts.values()]
    sentences = (sentences * (SENTENCES // len(sentences) + 1))[:SENTENCES]
    model = find_model("wordllama")
    cost = cpu(lambda: model.embed(sentences))
    with TemporaryDirectory() as folder, use_cache(Path(folder) / "vectors.sqlite"):
        return timings(cost)


def timings(cost: float) -> list[str]:
    """What `pairs` costs, with and without cached vectors."""
    import chronoscore
    from benchmarks.timelines import real_pairs
    from chronoscore import Collection, Run

    written, what = real_pairs()
    topics = {
        str(n): Topic(id=str(n), timelines=tuple(map(Timeline.of, one["references"])))
        for n, one in enumerate(written)
    }
    outputs = {str(n): Timeline.of(one["system"]) for n, one in enumerate(written)}
    given = Run("system", outputs), Collection(topics), "pairs(similarity=embed)"
    first = cpu(lambda: chronoscore.score(*given))
    again = cpu(lambda: chronoscore.score(*given))
    return [
        "| work | CPU seconds | asked |",
        "|---|---:|---:|",
        f"| inside: embed {SENTENCES:,} sentences, loading the model | {cost:.1f} | 20 |",
        f"| `score(…, 'pairs(similarity=embed)')`, no vector cached: {what} | {first:.1f} | |",
        f"| the same with cached vectors | {again:.1f} | 3 |",
    ]


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of all threads."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
