"""How fast dates are found in running text: the articles of timeline17 that are at hand."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from chronoscore.core import When
from chronoscore.dates.finder import dates_in

Article = tuple[str, When]


def read_articles(path: Path) -> list[Article]:
    """The texts of a file of articles, and the days on which they appeared."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [(record["text"], When.parse(record["time"][:10])) for record in records]


def seconds(articles: Sequence[Article]) -> float:
    """Processor time to find all dates."""
    start = time.process_time()
    for text, on in articles:
        dates_in(text, on=on)
    return time.process_time() - start


def main() -> str:
    """Time each topic when its texts are new, and once more."""
    root = os.environ.get("CHRONOSCORE_DATA")
    if not root:
        raise SystemExit("CHRONOSCORE_DATA is unset; it names a folder of public research data")
    rows = ["| topic | MB of text | MB/s | MB/s, the same texts again |", "|---|---:|---:|---:|"]
    dates_in("Patterns are made on 3 May 2010.")
    for path in sorted((Path(root) / "timeline17" / "articles").glob("*/articles.jsonl")):
        articles = read_articles(path)
        size = sum(len(text.encode()) for text, _ in articles) / 1e6
        speeds = [size / seconds(articles) for _ in range(2)]
        rows.append(f"| {path.parent.name} | {size:.1f} | {speeds[0]:.1f} | {speeds[1]:.1f} |")
    return "## dates: how fast dates are found in articles\n\n" + "\n".join(rows) + "\n"
