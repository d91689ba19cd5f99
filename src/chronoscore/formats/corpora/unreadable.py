"""Answers that cannot be read: why, and what becomes of them."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias

from chronoscore import lazy
from chronoscore.core import Run
from chronoscore.errors import DataError
from chronoscore.formats.io.decoding import wide_encoding
from chronoscore.formats.io.files import JUDGEMENTS, read_bytes, read_start

Reason: TypeAlias = Literal[
    "refused", "no date", "broken JSON", "empty", "binary", "encoding", "other"
]
REASONS: tuple[Reason, ...] = (
    "refused",
    "no date",
    "broken JSON",
    "empty",
    "binary",
    "encoding",
    "other",
)


# What models write instead of an answer, in the languages that answers are read in. Each is
# looked for near the beginning only, because answers may well quote an apology.
_REFUSAL = lazy.pattern(
    r"""
      \bi(?:['’]m|\ am)\ (?:really\ |very\ |so\ )?(?:sorry|afraid|unable|not\ able)\b
    | \b(?:i|we)\ (?:can(?:no|['’])t|can\ not|won['’]t|do\ not|don['’]t|couldn['’]t)
      \ (?:help|assist|provide|comply|fulfil|create|generate|answer|have|access|produce|write|find)
    | \bas\ an?\ (?:ai|large)\b | \bmy\ knowledge\ (?:cutoff|cut-off)\b
    | \bunable\ to\ (?:provide|help|assist)
    | \bes\ tut\ mir\ leid\b | \b(?:ich\ kann|kann\ ich)\b.{0,60}\b(?:nicht|keine)\b
    | \bleider\b.{0,60}\b(?:nicht|keine)\b
    | \bdésolée?s?\b | \bje\ ne\ (?:peux|suis)\ pas\b
    | \blo\ siento\b | \bno\ puedo\b | \bdesculpe\b | \bsinto\ muito\b | \bnão\ posso\b
    | \bmi\ dispiace\b | \bnon\ posso\b | \bsorry,
    | \bhet\ spijt\ me\b | \bik\ kan\b.{0,60}\b(?:niet|geen)\b
    | извините | к\ сожалению | не\ могу | простите
    | عذر[اًا]? | آسف | لا\ (?:أستطيع|يمكنني) | أعتذر
    | 抱歉 | 对不起 | 對不起 | 无法(?:提供|回答|协助) | 無法(?:提供|回答|協助)
    | 申し訳 | すみません | できません | 죄송 | 미안하지만 | 없습니다
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNABLE = lazy.pattern(
    r"""
      \bi\b.{0,40}\b(?:can(?:no|['’])t|can\ not|won['’]t|unable|not\ able|do\ not|don['’]t
      |couldn['’]t)
    | \b(?:ich|ik)\b.{0,60}\b(?:nicht|keine[nmrs]?|niet|geen)\b
    | \bne\ (?:peux|suis|dispose) | \bno\ (?:puedo|tengo)\b | \bnão\ (?:posso|consigo|tenho)\b
    | \bnon\ (?:posso|sono|ho)\b | не\ могу | لا\ (?:أستطيع|يمكنني)
    | 无法 | 無法 | 不能 | できません | できかねます | 수\ 없습니다
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How the writer says of itself that it cannot."""
_BEFORE = lazy.pattern(
    r"\W*(?:(?:unfortunately|(?:my )?apologies|lamentablemente|malheureusement|je suis)\W+)?",
    re.IGNORECASE,
)
LOOKED_AT = 4096
"""Bytes at the beginning of a file that tell what it is."""
_LONGEST_REFUSAL = 1000
_NEAR = 300
"""Characters of an answer in which a refusal is looked for."""


def classify_unreadable_answer(path: Path, error: DataError | None) -> Reason:
    """Why an answer cannot be read, by its content and by the reason that its reader gives."""
    try:
        raw = read_bytes(path)
    except DataError as problem:
        return "empty" if problem.reason == "empty" else "other"
    if b"\0" in raw and not wide_encoding(raw):
        return "binary"
    reason = error.reason if error else None
    if reason == "encoding":
        return "encoding"
    text = raw.decode(wide_encoding(raw) or "utf-8", "replace").lstrip("\ufeff").strip()
    if not text:
        return "empty"
    if is_refusal(text):
        return "refused"
    if reason == "json" or re.match(r"(?:```\w*\s*)?[\[{]", text):
        return "broken JSON" if error else "empty"
    if error is None:
        return "empty"
    return "no date" if reason in ("date", "no such date") else "other"


def is_judged(path: Path) -> bool:
    """Whether a file is one of judgements or content units, as we write them."""
    return path.is_file() and f'"{JUDGEMENTS}"'.encode() in read_start(path, LOOKED_AT)


def is_submission(path: Path) -> bool:
    """Whether a file is the signature of a submission to a shared task."""
    return b'"chronoscore_submission"' in read_start(path, LOOKED_AT)


def is_refusal(text: str) -> bool:
    """Whether a model says that it does not answer.

    >>> is_refusal("I'm sorry, but I can't help with that."), is_refusal("Es tut mir leid.")
    (True, True)
    """
    return _REFUSAL.search(" ".join(text[:_NEAR].split())) is not None


def refuses_to_answer(text: str) -> bool:
    """Whether a text of any content is a refusal and nothing else.

    A summary may quote an apology; a refusal is short, and says at once that it cannot answer.

    >>> refuses_to_answer("I'm sorry, but I cannot summarize this document.")
    True
    >>> refuses_to_answer("The minister said: \\"I'm sorry, I cannot undo it.\\" He resigned.")
    False
    """
    plain = " ".join(text.split())
    return (
        len(plain) <= _LONGEST_REFUSAL
        and _REFUSAL.match(_BEFORE.sub("", plain, count=1)) is not None
        and _UNABLE.search(plain[:_NEAR]) is not None
    )


def describe_unreadable(runs: Iterable[Run]) -> str:
    """How many answers of all systems cannot be read, and why; nothing if all can."""
    own = [run for run in runs if not run.human]
    reasons = Counter(reason for run in own for reason in run.unreadable.values())
    if not reasons:
        return ""
    total = sum(len(run.outputs.keys() | run.unreadable.keys()) for run in own)
    counts = ", ".join(f"{name} {reasons[name]}" for name in REASONS if reasons[name])
    return f"{reasons.total()} of {total} answers unreadable: {counts}"
