"""Judging entries of timelines: are they supported by documents, do two tell the same event?"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chronoscore.core import Entry, Row, Run, Timeline, Topic
from chronoscore.errors import DataError
from chronoscore.formats.io.files import write_text
from chronoscore.formats.judgements.nugget_files import (
    NO_EVIDENCE,
    AssignmentRow,
    NuggetAbstentionRow,
    NuggetRow,
)
from chronoscore.judging.claims import claims_of
from chronoscore.judging.evidence import DocumentSentences
from chronoscore.judging.jobs import (
    Abstained,
    Job,
    JudgedFile,
    Outcome,
    Settings,
    batches,
)
from chronoscore.judging.outputs import JudgedNuggets, outputs_to_judge, row_of_model_answer
from chronoscore.judging.questions import Item, ItemQuestion
from chronoscore.judging.rubrics import Rubric, Verdict
from chronoscore.options.judging import PairUnit

FACTS = Rubric(
    "facts",
    """
The data have, as items, dated entries of a timeline that a system wrote, each with sentences of
news documents from the days around it as evidence. Say for each item whether its evidence supports
it: "support" if the evidence says all that the entry says, "partial" if it says some of it and
contradicts nothing, "none" if it says nothing of it or contradicts it. List the ids of the evidence
on which your label rests, none for "none". What you know beyond the evidence does not count.
""",
    labels=("support", "partial", "none"),
    choice="evidence",
    dates="Dates count: an entry under a date that its evidence contradicts is contradicted.",
)
CLAIMS = """
Each item is one claim of an entry, which stands beside it as "entry" to show what words refer to.
Judge the claim alone.
"""
FACTS_WITHOUT_DATES = (
    "Dates do not count: an entry under a wrong date is judged by its words alone."
)
PAIRS = Rubric(
    "pairs",
    """
The data have, as items, pairs of dated timeline entries about one topic. Say for each pair whether
both entries tell the same event: "same" if there is an event that both tell, in whatever words,
otherwise "different". A slightly different date or different details do not make it another event;
the same people or places alone do not make it the same.
""",
    labels=("same", "different"),
    symmetric=True,
)


def facts_job(
    runs: Sequence[Run],
    topics: Mapping[str, Topic],
    *,
    batch: int,
    author: str,
    within: int,
    evidence: int,
    claims: bool = False,
) -> Job:
    """Ask whether the topic's documents support each entry, or each claim of it."""
    rubric = replace(FACTS, instruction=FACTS.instruction + CLAIMS) if claims else FACTS
    entries: list[tuple[str, str, str, Entry]] = []
    asked: list[tuple[tuple[str, str], list[Item]]] = []
    searched: dict[str, DocumentSentences] = {}
    for run, topic, output in outputs_to_judge(runs, topics):
        if not topic.documents:
            raise DataError(f"topic '{topic.id}' has no documents; give `documents`")
        if topic.id not in searched:
            searched[topic.id] = DocumentSentences(topic.documents)
        items: list[Item] = []
        for name, entry, whole in _named_entries(run.system, output, claims):
            entries.append((topic.id, run.system, name, entry))
            near = searched[topic.id].near(entry, within=within, most=evidence)
            choices = {
                sentence.id: {"date": str(when) if when else "unknown", "text": sentence.text}
                for sentence, when in near
            }
            shown = {"date": str(entry.when), "text": " ".join(entry.sentences)}
            shown |= {"entry": " ".join(whole.sentences)} if claims else {}
            if choices:
                items.append(Item(name, shown, choices))
        asked.append(((topic.id, run.system), items))
    parts = [
        (key, ItemQuestion(rubric, some, {"topic": topics[key[0]].title or key[0]}))
        for key, items in asked
        for some in batches(items, batch)
    ]

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedNuggets:
        by_entry = {
            (*key, name): outcome
            for (key, _), own in zip(parts, outcomes, strict=True)
            for name, outcome in own.items()
        }
        written: list[NuggetRow | AssignmentRow | NuggetAbstentionRow] = []
        for topic, system, name, entry in entries:
            text = f"{entry.when}: {' '.join(entry.sentences)}"
            written.append(NuggetRow(topic, name, text, system=system))
        for topic, system, name, _ in entries:
            outcome = by_entry.get((topic, system, name), Verdict(NO_EVIDENCE))
            written.append(row_of_model_answer(topic, system, name, outcome, author))
        return JudgedNuggets(tuple(written))

    items_asked = sum(len(items) for _, items in asked)
    what = "claims" if claims else "entries"
    rule = f"{what} without a sentence within {within} days, labeled '{NO_EVIDENCE}'"
    questions = tuple(question for _, question in parts)
    return Job(rubric, questions, finish, len(entries) - items_asked, rule)


def _named_entries(system: str, output: object, claims: bool) -> Iterator[tuple[str, Entry, Entry]]:
    """The entries of a timeline that say something, or their claims, each with its whole entry.

    They are named by system and date, claims also by their number.
    """
    if not isinstance(output, Timeline):
        raise DataError(f"run '{system}': entries have dates; give timelines")
    for entry in output:
        if not any(sentence.strip() for sentence in entry.sentences):
            continue
        name = f"{system}/{entry.when}"
        if not claims:
            yield name, entry, entry
            continue
        for number, claim in enumerate(claims_of(entry.sentences), 1):
            yield f"{name}#{number}", Entry(entry.when, (claim,)), entry


@dataclass(frozen=True)
class JudgedPairs(JudgedFile):
    """Pairs of texts with what a machine says about them, as a table of similarities."""

    written: tuple[Row, ...]
    author: str

    def rows(self) -> Sequence[Row]:
        """A record for each pair."""
        return self.written

    def save(self, path: Path, settings: Settings) -> None:
        """Write the table that `similarity=file(path=…)` reads."""
        header = {"kind": "header", "format": "chronoscore-pairs", "version": 1}
        lines = [{**header, "settings": settings}, *self.written]
        write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in lines))


def pair_job(
    runs: Sequence[Run],
    topics: Mapping[str, Topic],
    *,
    batch: int,
    author: str,
    within: int | None,
    unit: PairUnit,
) -> Job:
    """Ask of every entry of an output and of a reference whether they tell the same event.

    Pairs that are more than `within` days apart are different without asking.
    """
    texts: dict[str, tuple[str, str, str]] = {}
    apart: set[str] = set()
    items: dict[str, list[Item]] = {}
    for _, topic, output in outputs_to_judge(runs, topics):
        references = [one for timeline in topic.timelines for one in _dated_texts(timeline, unit)]
        if not references:
            raise DataError(f"topic '{topic.id}' has no reference timeline; give `references`")
        for entry, ours in _dated_texts(output, unit):
            for reference, theirs in references:
                key = f"{ours}\n{theirs}"
                if key in texts and key not in apart:
                    continue
                far = within is not None and entry.when.distance(reference.when) > within
                texts[key] = (topic.id, ours, theirs)
                if far:
                    apart.add(key)
                    continue
                apart.discard(key)
                shown = {
                    "first": {"date": str(entry.when), "text": ours},
                    "second": {"date": str(reference.when), "text": theirs},
                }
                items.setdefault(topic.id, []).append(Item(key, shown))
    questions = tuple(
        ItemQuestion(PAIRS, some, {"topic": topics[name].title or name})
        for name, own in items.items()
        for some in batches(own, batch)
    )

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedPairs:
        judged = {key: outcome for own in outcomes for key, outcome in own.items()}
        rows: list[Row] = []
        for key, (topic, ours, theirs) in texts.items():
            outcome = judged.get(key, Verdict("different"))
            pair = {"topic": topic, "system": ours, "reference": theirs, "author": author}
            if isinstance(outcome, Abstained):
                rows.append({"kind": "abstention", **pair, "reason": outcome.reason})
            else:
                sure = {} if outcome.confidence is None else {"confidence": outcome.confidence}
                rows.append({**pair, "value": float(outcome.label == "same"), **sure})
        return JudgedPairs(tuple(rows), author)

    rule = f"pairs more than {within} days apart, which makes them different"
    return Job(PAIRS, questions, finish, len(apart), rule)


def _dated_texts(output: object, unit: PairUnit) -> Iterator[tuple[Entry, str]]:
    """The texts of a timeline that are compared: whole entries or single sentences."""
    if not isinstance(output, Timeline):
        raise DataError("pairs are of dated entries; give timelines")
    for entry in output:
        for text in entry.sentences if unit == "sentence" else (" ".join(entry.sentences),):
            joined = " ".join(text.split())
            if joined:
                yield entry, joined
