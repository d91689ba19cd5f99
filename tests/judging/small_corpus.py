"""A small judged topic, its references, documents and an output, all invented."""

import json
from pathlib import Path

STORY = [
    "The Corvane dam broke early on Monday.",
    "Police moved the people of Pellin to a school.",
    "The weather stayed fine in the south.",
    "An engineer had warned about the leaking spillway.",
]
EVENTS = ["the Corvane dam broke", "police moved people of Pellin", "engineer warned of spillway"]
REFERENCE = {"2031-03-03": "The Corvane dam broke.", "2031-03-04": "Police moved people."}
OUTPUT = {"2031-03-03": "The dam at Corvane broke.", "2031-03-09": "A minister resigned."}


def write_stream(path: Path, story: list[str] | None = None, *, title: str = "The dam") -> Path:
    """A judgements file with one story, without links, a footer or people."""
    rows: list[dict[str, object]] = [
        {"kind": "header", "format": "chronoscore-judgements", "version": 1},
        {"kind": "topic", "id": "dam", "title": title},
        {"kind": "story", "id": "d1", "topic": "dam", "time": "2031-03-03T10:00:00"},
    ]
    for n, text in enumerate(story or STORY, 1):
        rows.append({"kind": "sentence", "id": f"d1-s{n}", "story": "d1", "n": n, "text": text})
    for n, text in enumerate(EVENTS, 1):
        rows.append({"kind": "event", "id": f"e{n}", "topic": "dam", "text": text})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_nuggets(path: Path) -> Path:
    """Three nuggets, one of which is okay."""
    rows = [
        {"kind": "nugget", "topic": "dam", "id": f"n{n}", "text": text, "importance": importance}
        for n, (text, importance) in enumerate(
            [
                ("the dam at Corvane broke", "vital"),
                ("people of Pellin were moved", "vital"),
                ("a minister resigned", "okay"),
            ],
            1,
        )
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_articles(folder: Path) -> Path:
    """Documents of the topic: the story, and one of another week."""
    home = folder / "dam"
    home.mkdir(parents=True)
    articles = [
        {"id": "d1", "time": "2031-03-03", "sentences": STORY},
        {"id": "d2", "time": "2031-03-20", "sentences": ["The minister of Corvane resigned."]},
    ]
    text = "".join(json.dumps(article) + "\n" for article in articles)
    (home / "articles.jsonl").write_text(text)
    return folder
