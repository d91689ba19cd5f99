"""From evaluations to counts, as ROUGE-1.5.5.pl does: read, prepare, count, pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore.engine import elements, plain, weighted
from chronoscore.engine.kinds import Elements, Kind, WeightedSubsequence
from chronoscore.engine.plain import Counts
from chronoscore.errors import DataError, warn
from chronoscore.kernel import warn_of_slow_counting
from chronoscore.rouge155.options import RougeOptions
from chronoscore.rouge155.rates import add_perl_counts, best_perl_counts
from chronoscore.rouge155.settings import Evaluation, NamedFile, read_rouge155_sentences
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Preparation
from chronoscore.text.stems import base_form as bundled_base

Text = Sequence[str]
TextPair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EvaluationCounts:
    """One system in one evaluation: the counts of each measure, over all references."""

    evaluation: str
    system: str
    counts: tuple[Counts, ...]

    @property
    def name(self) -> str:
        """The name that ROUGE-1.5.5 prints."""
        return f"{self.evaluation}.{self.system}"


MANY = 500
"""From this many pairs on, loading the batch engine pays."""
LIGHT = 4
"""Up to this weight the batch engine's floating point holds what Perl adds as integers."""


def _count_pairs(
    kinds: Sequence[Kind],
    texts: Sequence[Text],
    preparation: Preparation,
    pairs: Sequence[TextPair],
) -> list[list[Counts]]:
    """Count pairs of texts given by number, the system's first: a list for each kind."""
    warn_of_slow_counting([len(pairs)])
    heavy = any(isinstance(kind, WeightedSubsequence) and kind.weight > LIGHT for kind in kinds)
    if len(pairs) < MANY or heavy:
        prepared = [prepare_text(text, preparation) for text in texts]
        return [
            [plain.count(kind, prepared[ours], prepared[theirs]) for ours, theirs in pairs]
            for kind in kinds
        ]
    # The batch is slow to import; only many pairs pay for it.
    import numpy as np

    from chronoscore.engine import batch
    from chronoscore.text.batch import prepare_texts as prepare_batch

    ours, theirs = np.array(pairs).T
    counts = batch.count(kinds, prepare_batch(texts, preparation), ours, theirs)
    return [
        [
            Counts(*row) if isinstance(kind, WeightedSubsequence) else Counts(*map(int, row))
            for row in rows.tolist()
        ]
        for kind, rows in zip(kinds, counts, strict=True)
    ]


def count_perl_evaluations(
    evaluations: Sequence[Evaluation], systems: Sequence[str], options: RougeOptions
) -> list[EvaluationCounts]:
    """Read every file once, and count every system in every evaluation that has it."""
    requested = [(each, name) for each in evaluations for name in systems if name in each.systems]
    _check_formats([each for each, _ in requested], options)
    texts = _EvaluatedFiles.of(requested)
    columns = _columns(texts, options)
    instances = []
    start = 0
    for each, name in requested:
        rows = slice(start, start + len(each.references))
        start = rows.stop
        counts = tuple(
            best_perl_counts(kind, column[rows], once[rows])
            if options.best
            else add_perl_counts(column[rows])
            for kind, (column, once) in zip(options.measures.values(), columns, strict=True)
        )
        instances.append(EvaluationCounts(each.id, name, counts))
    return instances


def _check_formats(evaluations: Sequence[Evaluation], options: RougeOptions) -> None:
    parsed = {isinstance(kind, Elements) for kind in options.measures.values()}
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
class _EvaluatedFiles:
    """The files of all evaluations, each read once, and which are compared with which."""

    files: Sequence[NamedFile]
    contents: Sequence[Text]
    pairs: Sequence[TextPair]

    @classmethod
    def of(cls, wanted: Sequence[tuple[Evaluation, str]]) -> "_EvaluatedFiles":
        numbers: dict[tuple[str, str], int] = {}
        files: list[tuple[NamedFile, str]] = []

        def number(file: NamedFile, form: str) -> int:
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
        contents = [read_rouge155_sentences(file, form) for file, form in files]
        return cls([file for file, _ in files], contents, pairs)


def _check_files(files: Sequence[NamedFile]) -> None:
    missing = [file for file in files if not _exists(file.path)]
    if missing:
        others = f" ({len(missing)} missing in all)" if len(missing) > 1 else ""
        raise DataError(
            f"no such file '{missing[0].path}'{others}; "
            "check the directories and where you run this",
            place=missing[0].where,
        )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _columns(
    texts: _EvaluatedFiles, options: RougeOptions
) -> list[tuple[list[Counts], list[float]]]:
    """Give each measure's counts by pair, and the lengths by which ROUGE-W picks the best."""
    kinds = [kind for kind in options.measures.values() if not isinstance(kind, Elements)]
    counts = iter(_count_pairs(kinds, texts.contents, options.preparation, texts.pairs))
    columns: list[tuple[list[Counts], list[float]]] = []
    for kind in options.measures.values():
        once: list[float] = []
        if isinstance(kind, Elements):
            column = _count_elements(kind, texts, options.preparation)
        else:
            column = next(counts)
            if isinstance(kind, WeightedSubsequence):
                _warn_of_empty(texts, column)
                once = _once_weighted(kind, texts, options) if options.best else []
        columns.append((column, once))
    return columns


def _count_elements(
    kind: Elements, texts: _EvaluatedFiles, preparation: Preparation
) -> list[Counts]:
    lexicon = preparation.lexicon
    base = (lexicon.base if lexicon else bundled_base) if preparation.stem else None
    bags = [
        elements.count(elements.parse(lines, str(file.path)), kind.mode, base=base)
        for file, lines in zip(texts.files, texts.contents, strict=True)
    ]
    return [elements.count_shared(bags[ours], bags[theirs]) for ours, theirs in texts.pairs]


def _once_weighted(
    kind: WeightedSubsequence, texts: _EvaluatedFiles, options: RougeOptions
) -> list[float]:
    lengths = {
        number: weighted.length(
            prepare_text(texts.contents[number], options.preparation).sentences, kind.weight
        )
        for number in {theirs for _, theirs in texts.pairs}
    }
    return [lengths[theirs] for _, theirs in texts.pairs]


def _warn_of_empty(texts: _EvaluatedFiles, column: Sequence[Counts]) -> None:
    empty = {
        theirs
        for (_, theirs), counts in zip(texts.pairs, column, strict=True)
        if not counts.reference
    }
    if empty:
        first = texts.files[min(empty)].path
        others = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        warn(
            f"reference '{first}'{others} without tokens: ROUGE-W finds nothing there, where "
            "ROUGE-1.5.5.pl would stop",
            kind="empty-references",
        )
