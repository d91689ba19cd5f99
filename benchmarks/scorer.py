"""Tasks of the warm scorer and of first calls: rewards and reranking of timelines."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from benchmarks.pairs import Prepared, use_engine
from benchmarks.texts import Newsroom

Days = dict[str, str]


def write(folder: Path, *, candidates: int, references: int, dates: int) -> None:
    """Write timelines of so many dates on the events of one topic."""
    import numpy as np

    rng, room = np.random.default_rng(0), Newsroom()
    start = date(2011, 1, 1)

    def timeline() -> Days:
        days = np.sort(rng.choice(4 * dates, dates, replace=False))
        texts = room.write(days // 7, 25)
        named = [str(start + timedelta(int(day))) for day in days]
        return {day: "\n".join(text) for day, text in zip(named, texts, strict=True)}

    made = {
        "references": [timeline() for _ in range(references)],
        "candidates": [timeline() for _ in range(candidates)],
    }
    (folder / "timelines.json").write_text(json.dumps(made), encoding="utf-8")


def read(folder: Path) -> tuple[list[Days], list[Days]]:
    """The references and the candidates."""
    made: Any = json.loads((folder / "timelines.json").read_text(encoding="utf-8"))
    return made["references"], made["candidates"]


def score(folder: Path, share: float, *, together: bool, engine: str = "") -> Prepared:
    """Score candidates by a warm scorer, all in one call or one by one."""
    use_engine(engine)
    import chronoscore

    references, candidates = read(folder)
    timelines = [chronoscore.Timeline.of(one) for one in candidates]
    scorer = chronoscore.Scorer(references, "align+")
    scorer(timelines[:2])
    chosen = timelines[: int(len(timelines) * share)]

    def task() -> int:
        for one in [chosen] if together else chosen:
            scorer(one)
        return len(chosen)

    return task, len(timelines)


def whole_score(folder: Path, share: float) -> Prepared:
    """The same through `score`, each candidate as a system."""
    import chronoscore

    references, candidates = read(folder)
    how = chronoscore.Resampling()
    chronoscore.score({"one": {"t": candidates[0]}}, {"t": references}, "align+", resampling=how)

    def task() -> int:
        systems = {str(n): {"t": one} for n, one in enumerate(candidates)}
        chronoscore.score(systems, {"t": references}, "align+", resampling=how)
        return len(candidates)

    return task, len(candidates)


def first_call(folder: Path, share: float, *, text: str, engine: str = "") -> Prepared:
    """The first call of `rouge` after the import."""
    use_engine(engine)
    import warnings

    import chronoscore

    # Of a script that the measure cannot read it warns, as it should.
    warnings.simplefilter("ignore")

    def task() -> int:
        chronoscore.rouge(text, "the old dam broke", stem=True)
        return 1

    return task, 1
