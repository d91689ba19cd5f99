"""A cache of answers without texts: labels, ids and confidences stay, reasons and prose go.

What is left is read exactly as the whole answers were, so that a replay writes the same bytes.
Nuggets that a model proposed are themselves the output; they stay, and are counted.
"""

import json
import re
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chronoscore.errors import DataError, UsageError, number_with_noun, warn
from chronoscore.judging.answers import UnusableAnswerError, listed_ids, read_list
from chronoscore.judging.cache import VERSION, AnswerCache, Reply
from chronoscore.judging.endpoint import REFUSAL
from chronoscore.judging.questions import LONGEST_SHOWN
from chronoscore.judging.requests import NOTES
from chronoscore.judging.session import UNUSABLE

CHOICES = frozenset({"events", "units", "evidence"})
_id = re.compile(r"[a-z]\d+")


@dataclass(frozen=True)
class Redacted:
    """How many answers there are, and how many are nuggets, whose texts stay."""

    answers: int
    nuggets: int

    def describe(self) -> str:
        """Both in words."""
        kept = f"; {self.nuggets:,} propose nuggets, whose texts stay" if self.nuggets else ""
        return f"{number_with_noun(self.answers, 'answer')} without reasons and prose{kept}"


def redact(path: Path, target: Path) -> Redacted:
    """Write a cache again without texts and reasons; the original stays as it is."""
    if target.exists():
        raise UsageError(f"{target} is there already; name a new file for the redacted cache")
    with AnswerCache(path, read_only=True) as source:
        rows = [(key, Reply(*row)) for key, *row in _all_rows(source)]
        version = source.connection.execute("pragma user_version").fetchone()[0]
    if version < VERSION:
        warn(
            f"{path}: recorded by an earlier version; run its command once more without `offline` "
            "if answers were asked for twice, or those are not found in the redacted cache",
            kind="earlier-cache",
        )
    redacted = [(key, *_redact_reply(reply, path)) for key, reply in rows]
    with AnswerCache(target) as copy:
        for key, bare, _ in redacted:
            copy.put(key, bare)
    answers = sum(reply.finish not in NOTES for _, reply in rows)
    return Redacted(answers, sum(proposes for *_, proposes in redacted))


def _all_rows(cache: AnswerCache) -> list[tuple[Any, ...]]:
    """Every answer with its key, in an order of its own."""
    query = (
        "select request, text, finish, prompt_tokens, answer_tokens from answers order by request"
    )
    with closing(cache.connection.execute(query)) as rows:
        return rows.fetchall()


def _redact_reply(reply: Reply, path: Path) -> tuple[Reply, bool]:
    """An answer without texts, and whether it proposes nuggets."""
    if reply.finish in NOTES or reply.finish in UNUSABLE:
        return replace(reply, text=""), False
    try:
        rows = read_list(reply.text, "answers")
    except UnusableAnswerError as error:
        if error.refused:
            return replace(reply, text="", finish=REFUSAL), False
        return replace(reply, text="{}" if error.other else ""), False
    objects = [row for row in rows if isinstance(row, dict)]
    if any("sentences" in row for row in objects):
        raise DataError("holds timelines that a model wrote; redact caches of judges", place=path)
    if not any("id" in row for row in objects) and any("text" in row for row in objects):
        kept = [_pick(row, ("text", "importance")) for row in objects]
        return replace(reply, text=_written({"nuggets": kept})), True
    return replace(reply, text=_written({"answers": [_bare_row(row) for row in rows]})), False


def _pick(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Some fields of an object."""
    return {name: row[name] for name in names if name in row}


def _bare_row(row: Any) -> Any:
    """An item's answer: its id, its label and what was chosen, as far as messages show them."""
    if not isinstance(row, dict):
        return None
    bare = {name: _cut(one) for name, one in _pick(row, ("id", "label", "confidence")).items()}
    for name, value in row.items():
        listed = isinstance(value, list)
        if name in CHOICES:
            ids = listed_ids(row, name)
            bare[name] = None if ids is None else [_cut(one) for one in ids]
        elif listed and all(isinstance(one, str) and _id.fullmatch(one.lower()) for one in value):
            bare[name] = value
    return bare


def _cut(value: Any) -> Any:
    """A value as far as a message shows it."""
    return value[:LONGEST_SHOWN] if isinstance(value, str) else value


def _written(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
