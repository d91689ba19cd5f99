"""What people should judge next: the items that machines judged, and how much they doubt them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from chronoscore.data.machines import MachineSources, gather_machines, split_nuggets
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.judgements import nugget_files
from chronoscore.formats.judgements.draw_files import DrawRow, FrameRow, ItemKind
from chronoscore.stats.drawing import FLOOR, draw_systematically, inclusion_chances


@dataclass(frozen=True)
class ProposedItem:
    """Something that a machine judged, and how far it may be off; nan where nothing tells."""

    topic: str
    system: str
    item: str
    text: str
    doubt: float


@dataclass(frozen=True)
class DrawnItems:
    """The items that people should judge, what they were drawn from, and how."""

    kind: ItemKind
    frame: tuple[FrameRow, ...]
    drawn: tuple[DrawRow, ...]
    settings: dict[str, Any]
    doubted: int
    """Of how many items the machine says how sure it is."""

    @property
    def size(self) -> int:
        """How many items could be drawn."""
        return sum(row.items for row in self.frame)


def propose(paths: Sequence[Path], budget: int, seed: int) -> DrawnItems:
    """Draw as many items as the budget says from all that machines judged."""
    files, others = split_nuggets(paths)
    if files and others:
        raise UsageError(
            f"{others[0]} has no assigned nuggets and {files[0]} has; draw from one kind at a time"
        )
    items = _assigned_nuggets(files) if files else _linked_sentences(others)
    if not items:
        raise DataError("holds nothing that a machine judged", place=paths[0])
    # Chance decides about the order within a system and topic, so that no order of files does.
    Random(seed).shuffle(items)
    items.sort(key=lambda one: (one.topic, one.system))
    known = [one.doubt for one in items if not np.isnan(one.doubt)]
    usual = float(np.mean(known)) if known else 1.0
    topics = Counter(one.topic for one in items)
    doubts = np.array([usual if np.isnan(one.doubt) else one.doubt for one in items])
    parts = np.split(doubts, np.cumsum([*topics.values()])[:-1])
    chances = np.concatenate(inclusion_chances(parts, budget))
    frame = Counter((one.topic, one.system) for one in items)
    drawn = [
        DrawRow(one.topic, one.item, float(chances[place]), one.system, one.text)
        for place in draw_systematically(chances, seed).tolist()
        for one in [items[place]]
    ]
    return DrawnItems(
        "nuggets" if files else "sentences",
        tuple(FrameRow(topic, count, system) for (topic, system), count in frame.items()),
        tuple(drawn),
        {"draw": {"budget": budget, "seed": seed, "floor": FLOOR}},
        len(known),
    )


def _assigned_nuggets(files: Iterable[Path]) -> list[ProposedItem]:
    """The nuggets of each output, as far as machines labeled them."""
    texts: dict[tuple[str, str], str] = {}
    labels: dict[tuple[str, str, str], list[nugget_files.AssignmentRow]] = {}
    for file in files:
        for _, row in nugget_files.read_rows(file):
            if isinstance(row, nugget_files.NuggetRow):
                texts[row.topic, row.id] = row.text
            elif isinstance(row, nugget_files.AssignmentRow):
                labels.setdefault((row.topic, row.system, row.nugget), []).append(row)
    return [
        ProposedItem(topic, system, nugget, texts.get((topic, nugget), ""), _doubt_of_labels(rows))
        for (topic, system, nugget), rows in labels.items()
    ]


def _doubt_of_labels(rows: Sequence[nugget_files.AssignmentRow]) -> float:
    """The expected error of labels: by the confidence that they have, and how they differ.

    A label with a confidence of 80 is taken to be wrong in one case of five.
    """
    return _doubt(
        [nugget_files.SCORES[row.label] for row in rows],
        [row.confidence for row in rows if row.confidence is not None],
    )


def _doubt(scores: Sequence[float], confidences: Sequence[float]) -> float:
    """The expected error of several scores of an item, each with a confidence or without."""
    if not confidences and len(scores) < 2:
        return nan
    unsure = [1 - one / 100 for one in confidences]
    return float(np.sqrt(np.var(scores) + (np.mean(unsure) if unsure else 0.0)))


def _linked_sentences(paths: Sequence[Path]) -> list[ProposedItem]:
    """The sentences of judged topics, as far as machines judged them."""
    found: dict[tuple[str, str], tuple[str, list[int], list[float]]] = {}
    for _, topic in gather_machines(MachineSources(paths=tuple(paths))).topics:
        judged = topic.judgements
        if judged is None:
            continue
        authors = max(1, len(judged.authors))
        linked: dict[str, set[str]] = {}
        for link in judged.links:
            linked.setdefault(link.sentence, set()).update(link.marked_by)
        for sentence in judged.sentences:
            if sentence not in judged.unjudged:
                marks = len(linked.get(sentence, ()))
                text = judged.texts.get(sentence, "")
                own = found.setdefault((topic.id, sentence), (text, [], []))
                own[1].extend([1] * marks + [0] * (authors - marks))
                own[2].extend(judged.confidences.get(sentence, {}).values())
    return [
        ProposedItem(topic, "", name, text, _doubt(marks, confidences))
        for (topic, name), (text, marks, confidences) in found.items()
    ]
