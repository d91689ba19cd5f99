"""Judgements as JSON Lines: events linked to sentences, content units anchored in sources.

The format by which judged corpora travel: one row a line, `kind` first, a header at the top
and a footer with the hash of all that stands before it. The file is read line by line. It is
refused, with the line at fault, where a row points to something that is not there.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.core import Judgements, Topic
from chronoscore.errors import DataError, number_with_noun, warn
from chronoscore.formats.io.files import BOM, read_numbered_lines, write_text
from chronoscore.formats.judgements import rows as rows
from chronoscore.formats.judgements.link_rows import LinkReader
from chronoscore.formats.judgements.row_checks import RowChecks
from chronoscore.formats.judgements.unit_rows import UnitReader
from chronoscore.formats.judgements.writing import JudgementsWriter, Order
from chronoscore.formats.summaries.records import UNREADABLE


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A judged corpus: topics with judgements or a pyramid, and how they were made.

    `notes` are the rows on omissions, agreement and second matchings, as they stand in the file.
    """

    topics: Mapping[str, Topic]
    workflow: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Mapping[str, Any], ...] = ()


def load(path: Path, *, texts: bool = True) -> Corpus:
    """Read a judgements file; without `texts` only ids are kept, for very long streams."""
    reader = JudgementsReader(path, texts)
    for number, line in read_numbered_lines(path):
        reader.take(number, line)
    return reader.finish()


def save(
    corpus: Corpus, path: Path, *, texts: bool = True, anonymous: bool = True,
    order: Order | None = None,
) -> None:  # fmt: skip
    """Write a judged corpus with a checksum at its end.

    Without `texts` only ids, offsets and hashes are written, for corpora whose licence
    keeps the text; `anonymous` numbers judges and writers instead of naming them, by name or
    in another `order`, from which nobody can tell their names.
    """
    writing = JudgementsWriter.of(
        corpus.topics.values(), texts=texts, anonymous=anonymous, order=order
    )
    header = rows.HeaderRow(
        format=rows.FORMAT,
        version=rows.VERSION,
        workflow=corpus.workflow,
        settings=dict(corpus.settings),
        z=writing.estimate,
    )
    encode = msgspec.json.encode
    written = [encode(header)]
    written += [encode(rows.WriterRow(id=name)) for name in writing.writers.values()]
    for topic in corpus.topics.values():
        written += map(encode, writing.topic(topic))
    written += map(encode, corpus.notes)
    body = b"".join(line + b"\n" for line in written)
    footer = rows.FooterRow(lines=len(written), sha256=hashlib.sha256(body).hexdigest())
    write_text(path, (body + encode(footer) + b"\n").decode())


class JudgementsReader:
    """Takes the lines of a file one after another."""

    def __init__(self, path: Path, texts: bool) -> None:
        self.checks = RowChecks(path)
        self.stream = LinkReader(self.checks, texts)
        self.units = UnitReader(self.checks, self.stream)
        self.digest = hashlib.sha256()
        # Without what editors and mail add: a byte-order mark, line ends of Windows.
        self.plain_digest = hashlib.sha256()
        self.decode = rows.judgement_row_decoder().decode
        self.header: rows.HeaderRow | None = None
        self.footer = 0
        self.notes: list[Mapping[str, Any]] = []
        self.takers: dict[type, Callable[[int, Any], None]] = {
            rows.HeaderRow: self.take_header,
            rows.TopicRow: self.checks.take_topic,
            rows.StoryRow: self.stream.take_story,
            rows.SentenceRow: self.stream.take_sentence,
            rows.EventRow: self.stream.take_event,
            rows.LinkRow: self.stream.take_link,
            rows.AbstentionRow: self.stream.take_abstention,
            rows.WriterRow: self.units.take_writer,
            rows.LineRow: self.units.take_line,
            rows.UnitRow: self.units.take_unit,
            rows.AnchorRow: self.units.take_anchor,
            rows.GroupRow: self.units.take_group,
            rows.FooterRow: self.take_footer,
        }

    def take(self, number: int, line: bytes) -> None:
        """Read one line."""
        if self.footer:
            raise self.checks.fail(number, "a line after the footer; the footer must be the last")
        written = line.removeprefix(BOM) if number == 1 else line
        if not written.isspace():
            row = self.decode_row(number, written)
            taker = self.takers.get(type(row))
            if taker:
                taker(number, row)
            else:
                self.notes.append(msgspec.json.decode(written))
        self._count(line, written)

    def _count(self, line: bytes, written: bytes) -> None:
        """Add a line to the checksums of the file as it lies there and as we write it."""
        self.digest.update(line)
        self.plain_digest.update(written[:-2] + b"\n" if written.endswith(b"\r\n") else written)

    def decode_row(self, number: int, written: bytes) -> rows.AnyRow:
        """Read a row, strictly and fast or, where that fails, with some patience."""
        try:
            return self.decode(written)
        except UNREADABLE as error:
            first = error
        try:
            return rows.decode_judgement_row_loosely(written)
        except UNREADABLE:
            raise self.checks.fail(
                number, rows.describe_judgement_row_error(written, first)
            ) from None

    def take_header(self, number: int, row: rows.HeaderRow) -> None:
        """Check that we can read this at all."""
        if number != 1:
            raise self.checks.fail(number, "a header in the middle; put it first, once")
        if row.format in ("", rows.FORMAT) and row.version != rows.VERSION:
            raise self.checks.fail(
                number,
                f"version {row.version} is not ours; only version {rows.VERSION} is read",
            )
        if row.format not in ("", rows.FORMAT):
            warn(
                f"{self.checks.where(number)}: format '{row.format}' is read as {rows.FORMAT}",
                kind="old-format",
            )
        self.header = row

    def take_footer(self, number: int, row: rows.FooterRow) -> None:
        """Check that nothing was lost or changed."""
        sums = [one.hexdigest() for one in (self.digest, self.plain_digest)]
        if row.sha256.lower() in sums:
            self.footer = number
            return
        if row.lines is not None and row.lines != number - 1:
            raise self.checks.fail(
                number,
                f"the footer counts {number_with_noun(row.lines, 'line')} and {number - 1} stand "
                "before it; fetch the file again",
            )
        raise self.checks.fail(
            number,
            "the checksum does not match the lines before it; "
            "the file was changed, fetch or write it again",
        )

    def finish(self) -> Corpus:
        """Give the corpus; a file without a checksum is read with a warning."""
        if not self.footer or self.header is None:
            missing = "footer" if self.header else "header" if self.footer else "header or footer"
            warn(
                f"{self.checks.path}: has no {missing}, so it may be incomplete; "
                "write it with chronoscore to add a checksum",
                kind="unverified-file",
            )
        header = self.header or rows.HeaderRow(format=rows.FORMAT, version=rows.VERSION)
        judged = _with_hours(self.stream.judgements(), header.settings or {})
        pyramids = self.units.pyramids(header.z)
        if not self.checks.topics:
            raise DataError("holds no topic; give a file of judgements", place=self.checks.path)
        return Corpus(
            topics={
                name: Topic(
                    id=name,
                    title=row.title,
                    judgements=judged.get(name),
                    pyramid=pyramids.get(name),
                )
                for name, row in self.checks.topics.items()
            },
            workflow=header.workflow,
            settings=header.settings or {},
            notes=tuple(self.notes),
        )


def _with_hours(
    judged: Mapping[str, Judgements], settings: Mapping[str, Any]
) -> dict[str, Judgements]:
    """Judgements with the hours of work that the header gives for their topics."""
    hours = settings.get("hours")
    known = hours if isinstance(hours, dict) else {}
    return {
        name: replace(one, hours=float(known[name]))
        if isinstance(known.get(name), int | float)
        else one
        for name, one in judged.items()
    }
