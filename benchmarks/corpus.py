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


def ours(folder: Path, share: float, *, topics: int) -> Prepared:
    """Score everything and resample, through the public functions."""
    from chronoscore.core import Collection, Run, Summary, Topic
    from chronoscore.measures import parse_measure_text
    from chronoscore.options import Resampling
    from chronoscore.scoring import score
    from chronoscore.stats.corpus import averages

    outputs, references = load(folder / "systems"), load(folder / "references")
    systems, several = len(outputs) // topics, len(references) // topics

    def task() -> int:
        collection = Collection(
            {
                str(t): Topic(
                    id=str(t),
                    summaries=tuple(
                        Summary.of(text) for text in references[t * several : (t + 1) * several]
                    ),
                )
                for t in range(topics)
            }
        )
        runs = [
            Run(str(s), {str(t): Summary.of(outputs[t * systems + s]) for t in range(topics)})
            for s in range(systems)
        ]
        measures = [parse_measure_text(f"{name}(stem=yes)") for name in MEASURES]
        averages(score(collection, runs, measures), Resampling(interval="bootstrap"))
        return len(outputs) * several

    return task, len(outputs) * several
