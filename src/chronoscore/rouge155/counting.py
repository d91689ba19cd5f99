"""What ROUGE-1.5.5.pl does from its settings to its counts: read, prepare, count, pool."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from chronoscore.engine.elements import count_elements, elements, parse_elements
from chronoscore.engine.kinds import Elements, Kind, WeightedSubsequence
from chronoscore.engine.plain import Counts, count
from chronoscore.engine.pooling import add_references
from chronoscore.engine.weighted import weighted_length
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.rouge155.rates import best
from chronoscore.rouge155.settings import Evaluation, Named, sentences
from chronoscore.text.plain import prepare
from chronoscore.text.preparation import Preparation

Text = Sequence[str]
Pair = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What to compute and how to print it: the options of ROUGE-1.5.5.pl, read and checked."""

    measures: Mapping[str, Kind | Elements]
    preparation: Preparation
    best: bool = False
    alpha: float = 0.5
    unit: Literal["evaluation", "token", "count"] = "evaluation"
    detailed: bool = False
    resamples: int = 1000
    confidence: str = "95"


@dataclass(frozen=True, slots=True)
class Instance:
    """One system in one evaluation: the counts of each measure, over all references."""

    evaluation: str
    system: str
    counts: tuple[Counts, ...]

    @property
    def name(self) -> str:
        """How ROUGE-1.5.5 calls it."""
        return f"{self.evaluation}.{self.system}"


MANY = 500
"""From so many pairs on, loading the batch pays."""


def count_pairs(
    kinds: Sequence[Kind], texts: Sequence[Text], preparation: Preparation, pairs: Sequence[Pair]
) -> list[list[Counts]]:
    """Count pairs of texts given by number, the system's first: a list for each kind."""
    if len(pairs) >= MANY:
        return _count_many(kinds, texts, preparation, pairs)
    prepared = [prepare(text, preparation) for text in texts]
    return [
        [count(kind, prepared[ours], prepared[theirs]) for ours, theirs in pairs] for kind in kinds
    ]


def _count_many(
    kinds: Sequence[Kind], texts: Sequence[Text], preparation: Preparation, pairs: Sequence[Pair]
) -> list[list[Counts]]:
    # The batch is slow to import; only many pairs pay for it.
    import numpy as np

    from chronoscore.engine import batch
    from chronoscore.text.batch import prepare as prepare_batch

    ours, theirs = np.array(pairs).T
    found = batch.count(kinds, prepare_batch(texts, preparation), ours, theirs)
    return [
        [
            Counts(*row) if isinstance(kind, WeightedSubsequence) else Counts(*map(int, row))
            for row in rows.tolist()
        ]
        for kind, rows in zip(kinds, found, strict=True)
    ]


def tally(
    evaluations: Sequence[Evaluation], systems: Sequence[str], order: Order
) -> list[Instance]:
    """Read every file once, and count every system in every evaluation that has it."""
    wanted = [(each, name) for each in evaluations for name in systems if name in each.systems]
    _check_formats([each for each, _ in wanted], order)
    texts = _Texts.of(wanted)
    columns = _columns(texts, order)
    instances = []
    start = 0
    for each, name in wanted:
        rows = slice(start, start + len(each.references))
        start = rows.stop
        counts = tuple(
            best(kind, column[rows], once[rows]) if order.best else add_references(column[rows])
            for kind, (column, once) in zip(order.measures.values(), columns, strict=True)
        )
        instances.append(Instance(each.id, name, counts))
    return instances


def _check_formats(evaluations: Sequence[Evaluation], order: Order) -> None:
    parsed = {isinstance(kind, Elements) for kind in order.measures.values()}
    for each in evaluations:
        if each.format == "SIMPLE" and False in parsed:
            raise DataError(
                f"evaluation '{each.id}': SIMPLE files hold basic elements; use -3 alone"
            )
        if each.format != "SIMPLE" and True in parsed:
            raise DataError(
                f"evaluation '{each.id}': {each.format} files hold text; -3 needs SIMPLE files"
            )


@dataclass(frozen=True, slots=True)
class _Texts:
    """The files of all evaluations, each read once, and which are compared with which."""

    files: Sequence[Named]
    contents: Sequence[Text]
    pairs: Sequence[Pair]

    @classmethod
    def of(cls, wanted: Sequence[tuple[Evaluation, str]]) -> "_Texts":
        numbers: dict[tuple[str, str], int] = {}
        files: list[tuple[Named, str]] = []

        def number(file: Named, form: str) -> int:
            key = str(file.path), form
            if key not in numbers:
                numbers[key] = len(files)
                files.append((file, form))
            return numbers[key]

        pairs = []
        for each, name in wanted:
            ours = number(each.systems[name], each.format)
            pairs += [(ours, number(reference, each.format)) for reference in each.references]
        _check_files([file for file, _ in files])
        contents = [sentences(file, form) for file, form in files]
        return cls([file for file, _ in files], contents, pairs)


def _check_files(files: Sequence[Named]) -> None:
    missing = [file for file in files if not _exists(file.path)]
    if missing:
        others = f" ({len(missing)} missing in all)" if len(missing) > 1 else ""
        raise DataError(
            f"{missing[0].where}: no such file '{missing[0].path}'{others}; "
            "check the directories and where you run this"
        )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _columns(texts: _Texts, order: Order) -> list[tuple[list[Counts], list[float]]]:
    """Give each measure's counts by pair, and the lengths by which ROUGE-W picks the best."""
    kinds = [kind for kind in order.measures.values() if not isinstance(kind, Elements)]
    counted = iter(count_pairs(kinds, texts.contents, order.preparation, texts.pairs))
    columns: list[tuple[list[Counts], list[float]]] = []
    for kind in order.measures.values():
        once: list[float] = []
        if isinstance(kind, Elements):
            column = _count_elements(kind, texts, stem=order.preparation.stem)
        else:
            column = next(counted)
            if isinstance(kind, WeightedSubsequence):
                _warn_of_empty(texts, column)
                once = _once_weighted(kind, texts, order) if order.best else []
        columns.append((column, once))
    return columns


def _count_elements(kind: Elements, texts: _Texts, *, stem: bool) -> list[Counts]:
    bags = [
        elements(parse_elements(lines, str(file.path)), kind.mode, stem=stem)
        for file, lines in zip(texts.files, texts.contents, strict=True)
    ]
    return [count_elements(bags[ours], bags[theirs]) for ours, theirs in texts.pairs]


def _once_weighted(kind: WeightedSubsequence, texts: _Texts, order: Order) -> list[float]:
    lengths = {
        number: weighted_length(
            prepare(texts.contents[number], order.preparation).sentences, kind.weight
        )
        for number in {theirs for _, theirs in texts.pairs}
    }
    return [lengths[theirs] for _, theirs in texts.pairs]


def _warn_of_empty(texts: _Texts, column: Sequence[Counts]) -> None:
    empty = {
        theirs
        for (_, theirs), counts in zip(texts.pairs, column, strict=True)
        if not counts.reference
    }
    if empty:
        first = texts.files[min(empty)].path
        others = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        warnings.warn(
            f"reference '{first}'{others} without tokens: ROUGE-W finds nothing there, where "
            "ROUGE-1.5.5.pl would stop",
            ChronoscoreWarning,
            stacklevel=2,
        )
