"""Tasks on a whole evaluation: systems × topics × references, with intervals."""

from pathlib import Path

from benchmarks.pairs import Prepared
from benchmarks.texts import Newsroom, load, save

MEASURES = ("rouge1", "rouge2", "rougeL", "rougeSU4")


def write(folder: Path, *, systems: int, topics: int, references: int, words: int) -> None:
    """Write every system's text on every topic, topic by topic, and the references."""
    import numpy as np

    room = Newsroom()
    save(room.write(np.arange(topics).repeat(systems), words), folder / "systems")
    save(room.write(np.arange(topics).repeat(references), words), folder / "references")


def score(folder: Path, share: float, *, topics: int) -> Prepared:
    """Score everything by `chronoscore.score`, which gives averages with intervals."""
    import chronoscore

    outputs = ["\n".join(text) for text in load(folder / "systems")]
    golds = ["\n".join(text) for text in load(folder / "references")]
    systems, several = len(outputs) // topics, len(golds) // topics
    references = {str(t): golds[t * several : (t + 1) * several] for t in range(topics)}
    answers = {
        str(s): {str(t): outputs[t * systems + s] for t in range(topics)} for s in range(systems)
    }
    measures = [f"{name}(stem=yes)" for name in MEASURES]

    def task() -> int:
        result = chronoscore.score(answers, references, measures)
        return several * len(result.systems) * len(result.topics)

    return task, len(outputs) * several
