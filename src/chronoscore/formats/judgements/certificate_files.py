"""Certificates of machine judges, and which of them belongs to a file of judgements."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.formats.io.files import BOM, read_numbered_lines, write_bytes
from chronoscore.formats.summaries.records import UNREADABLE

FORMAT, VERSION = "chronoscore-certificate", 1
NAME = "certificate.json"
SAME = ("task", "model", "prompt")
"""What a certificate and judgements must have in common to be of one judge."""


@dataclass(frozen=True)
class Certificate:
    """What trials of a judge showed, with the beginning of the file's hash."""

    figures: Mapping[str, Any]
    digest: str

    @property
    def judge(self) -> Mapping[str, Any]:
        """Task, model and instructions, as the header of judgements has them."""
        judge: Mapping[str, Any] = self.figures["judge"]
        return judge

    @cached_property
    def citation(self) -> str:
        """What a signature says of it."""
        return f"judge:{self.judge['model']}|task:{self.judge['task']}|certificate:{self.digest}"

    def describe(self) -> str:
        """Who judged and what its trials showed, in one line."""
        findings = self.figures.get("findings") or {}
        found = "; ".join(f"{name}: {why}" for name, why in findings.items())
        return (
            f"judged by {self.judge['model']} ({self.judge['task']}); its certificate "
            f"{self.digest}, of {self.figures.get('items', 0):,} items, found "
            f"{found or 'nothing wrong'}"
        )


def save(path: Path, figures: Mapping[str, Any]) -> None:
    """Write a certificate."""
    header = {"format": FORMAT, "version": VERSION}
    written = msgspec.json.encode({**header, **figures})
    write_bytes(path, msgspec.json.format(written, indent=1) + b"\n")


def find_certificate(judged: Path) -> Certificate | None:
    """The certificate beside a file of judgements that is of the same judge."""
    beside = (judged.with_suffix(f".{NAME}"), judged.with_name(NAME))
    for path in beside:
        certificate = _load(path)
        if certificate is not None and _same_judge(certificate.judge, judged):
            return certificate
    return None


def _load(path: Path) -> Certificate | None:
    """A certificate; nothing if a file of that name is none of ours."""
    if not path.is_file():
        return None
    raw = path.read_bytes()
    try:
        figures = msgspec.json.decode(raw)
    except UNREADABLE:
        return None
    ours = isinstance(figures, dict) and figures.get("format") == FORMAT
    if not ours or not isinstance(figures.get("judge"), dict):
        return None
    if any(name not in figures["judge"] for name in SAME):
        return None
    return Certificate(figures, sha256(raw).hexdigest()[:12])


def _same_judge(judge: Mapping[str, Any], judged: Path) -> bool:
    """Whether the header of judgements names the judge of a certificate."""
    first = next((line for _, line in read_numbered_lines(judged) if line.strip()), b"")
    try:
        header = msgspec.json.decode(first.removeprefix(BOM))
    except UNREADABLE:
        return False
    settings = header.get("settings") if isinstance(header, dict) else None
    made = settings.get("judge") if isinstance(settings, dict) else None
    return isinstance(made, dict) and all(made.get(name) == judge[name] for name in SAME)
