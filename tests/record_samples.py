"""Invented records of texts for the tests that read files of them."""

import random
from pathlib import Path
from typing import Any

import chronoscore as cs
from chronoscore.data.stages import RecordData

WORDS = ["the", "a", "dam", "river", "flood", "broke", "rose", "fell", "Dammbruch's", "naïve"]


MEASURES = ["rouge1", "rouge2(stem)", "rougeL", "rouge-su", "rouge-w", "rouge1(limit=5w)"]


SOME = cs.Resampling()


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(0, 9))) + rng.choice([".", "", "\\", "'", '"'])


def text(rng: random.Random) -> str:
    return "\n".join(sentence(rng) for _ in range(rng.randint(1, 4)))


def records(count: int = 40, seed: int = 1) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [
        {
            "id": f"t{number}",
            "system": text(rng),
            "references": [text(rng) for _ in range(rng.randint(1, 3))],
        }
        for number in range(count)
    ]


def in_blocks(path: Path | str, measures: Any = None, **options: Any) -> cs.ScoreResult:
    result = cs.score(path, None, measures, resampling=SOME, **options)
    assert isinstance(result.data, RecordData)
    return result
