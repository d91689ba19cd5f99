"""Files of judgements and of JSON Lines, written for tests."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_lines(path: Path, rows: Iterable[Any]) -> Path:
    """JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_judgements(path: Path, rows: list[dict[str, Any]], **header: Any) -> Path:
    """A file of judgements with its header and footer."""
    first = {"kind": "header", "format": "chronoscore-judgements", "version": 1, **header}
    body = "".join(json.dumps(row) + "\n" for row in [first, *rows])
    digest = hashlib.sha256(body.encode()).hexdigest()
    footer = {"kind": "footer", "lines": len(rows) + 1, "sha256": digest}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body + json.dumps(footer) + "\n", encoding="utf-8")
    return path
