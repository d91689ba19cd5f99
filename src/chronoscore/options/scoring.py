"""What `score`, `compare`, `report` and `explain` take beside systems, references and measures.

Where the type says `Any`, the kinds of data are those of the typed keywords in
`chronoscore.api.scoring`, and their stage checks them.
"""

from dataclasses import dataclass
from typing import Any

from chronoscore.options import Compat, Corpus
from chronoscore.options.declare import Options, option


@dataclass(frozen=True, kw_only=True)
class SourceOptions(Options):
    """What is read beside systems and references, and how all of it is read."""

    originals: Any = option(
        None,
        "References for the earlier summary, which an update must not repeat.",
        name="original",
    )
    documents: Any = option(
        None, "A collection with the documents, for `ceiling`, tf-idf and contradictions."
    )
    reading: Any = option(None, "How files are read, as `ReadingRules(…)`.")


@dataclass(frozen=True, kw_only=True)
class JudgedOptions(Options):
    """Where judgements and content units are, and what a task's directory leaves open.

    Files say by their content whether they hold judgements or units; `units` is an older name
    that also chooses the measure.
    """

    judgements: Any = option(
        None,
        "Judged events: .jsonl, a task's directory, or a folder of topics.",
        group="common",
    )
    units: Any = option(
        None,
        "Content units, in the same form or from DUCView (.pyr, .pan).",
        group="judging",
    )
    pool: Any = option(
        None,
        "Further runs that lend their times to nuggets but are not scored.",
        group="judging",
    )
    matches: Any = option(
        None, "Which table of matches to take from a task's directory.", group="judging"
    )
    duplicates: Any = option(
        None, "Pairs of ids of equal updates, for a task's directory.", group="judging"
    )


@dataclass(frozen=True, kw_only=True)
class MeasureOptions(Options):
    """What changes every measure."""

    compat: Compat | None = option(
        None,
        "Measures as another tool computes them: timelines as tilse, its paper's Table 2 or "
        "CHRONOS, ROUGE as rouge-score, streams as TREC's scorer of a year, classic pyramids as "
        "DUCView or SacreROUGE, runs of CrisisFACTS as its organizers in a year.",
        group="measures",
    )
    jackknife: bool = option(False, "Leave one reference out at a time.", group="measures")


@dataclass(frozen=True, kw_only=True)
class RecordOptions(Options):
    """How files of records are read, and where the counts of finished blocks are kept."""

    columns: Any = option(
        None,
        "Which columns of a file of records, or keys of timelines, hold what: "
        '`{"system": "NAME", "references": "NAME"}`.',
    )
    shards: Any = option(None, "A folder that keeps the counts of finished blocks of records.")
    resume: bool = option(True, "Continue with the blocks in that folder.", group="output")

    @property
    def asked(self) -> bool:
        """Whether the user expects files of records."""
        return self.columns is not None or (self.shards is not None and self.resume)


@dataclass(frozen=True, kw_only=True)
class ResultOptions(Options):
    """What is scored beside the systems, and what is computed from the scores."""

    machine: Any = option(
        None,
        "The author of judgements that is a machine, or files that it wrote: see `result.ppi()`.",
        group="judging",
    )
    sampled: bool = option(
        False,
        "People judged a random sample of each topic's sentences or nuggets.",
        group="judging",
    )
    drawn: Any = option(
        None,
        "People judged what `judge next` drew: the list that it wrote.",
        group="judging",
    )
    humans: bool = option(False, "Score each reference's author too.", group="measures")
    ceiling: Any = option(
        False,
        "Add each score's share of what could be reached by texts as long as the references "
        '(True), or as the system\'s own ("own").',
        group="measures",
    )
    published: Corpus | None = option(
        None,
        "Add published figures of timeline systems on this corpus, quoted and not scored again, "
        "where measure and settings are the published ones.",
        group="measures",
    )
    resampling: Any = option(
        None, "How topics are averaged and intervals drawn, as `Resampling(…)`."
    )
    progress: Any = option(None, "Called with the number of finished shards and of all.")
