"""The raw files of the demo corpus, read without any of our own loaders."""

import json
from pathlib import Path
from typing import Any

import chronoscore

DEMO = Path(chronoscore.__file__).parent / "demo"
JUDGED = ["dam", "ferry", "theft"]
"""The topics with summaries, judgements, content units and ratings."""
TOPICS = sorted(
    [*JUDGED, "bank", "bridge", "chess", "drum", "mine", "recount", "satellite", "wildfire", "zoo"]
)
SYSTEMS = ["careful", "extract", "headlines", "late", "lead", "random"]
RUNS = [(system, topic) for system in SYSTEMS for topic in TOPICS]
JUDGED_RUNS = [(system, topic) for system in SYSTEMS for topic in JUDGED]
DASHES = "-" * 32

Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def of_kind(path: Path, kind: str) -> list[Row]:
    return [row for row in rows(path) if row["kind"] == kind]


def articles(topic: str) -> list[Row]:
    return rows(DEMO / "corpus" / topic / "articles.jsonl")


def sentences(topic: str) -> dict[str, str]:
    return {
        f"{article['id']}-s{number:02}": text
        for article in articles(topic)
        for number, text in enumerate(article["sentences"], start=1)
    }


def judgements(topic: str) -> Path:
    return DEMO / "corpus" / topic / "judgements.jsonl"


def units(topic: str) -> Path:
    return DEMO / "corpus" / topic / "units.jsonl"
