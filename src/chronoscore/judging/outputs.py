"""Judging what systems wrote against nuggets and content units, and making nuggets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.core import Event, Output, Row, Run, Summary, Timeline, Topic
from chronoscore.errors import DataError, StoppedError, did_you_mean
from chronoscore.formats.judgements import nugget_files, rankings
from chronoscore.formats.judgements.nugget_files import (
    IMPORTANCE,
    AssignmentRow,
    Importance,
    Label,
    NuggetAbstentionRow,
    NuggetRow,
)
from chronoscore.formats.judgements.rankings import SelectionRow
from chronoscore.judging.answers import UnusableAnswerError, plain_word, read_list
from chronoscore.judging.jobs import (
    Abstained,
    Job,
    JudgedFile,
    Outcome,
    Settings,
    batches,
)
from chronoscore.judging.prompts import Prompt, Reading, answer_schema, enclose
from chronoscore.judging.questions import Item, ItemQuestion
from chronoscore.judging.rubrics import Rubric, Verdict
from chronoscore.judging.sources import unit_text

NUGGETS = Rubric(
    "nuggets",
    """
The data have a text that a system wrote about a topic and, as items, nuggets: facts that a good
text about the topic tells. Say for each nugget whether the text supports it: "support" if the text
says all of it, in whatever words, "partial" if it says some of it, "none" if it says nothing of it.
What you know beyond the text does not count.
""",
    labels=("support", "partial", "none"),
    dates="Dates count: a text that tells a nugget under another date than the nugget's own "
    "supports it only in part. A nugget without a date may be told under any.",
)
NUGGETS_WITHOUT_DATES = "Dates do not count: a wrong or missing date takes nothing from support."
EXPRESSED = Rubric(
    "units",
    """
The data have a text that a system wrote about a topic and, as items, content units. Say for each
unit whether the text expresses it: "yes" if the text says what the unit says, in whatever words,
otherwise "no". What you know beyond the text does not count.
""",
    labels=("yes", "no"),
)
MAKE = Rubric(
    "make-nuggets",
    """
The data have reference texts about a topic, written by people. List the nuggets: the single facts
that a good text about the topic tells, each a short statement that can be understood alone, with
its date where one is given. Leave out what says the same as another. A nugget is "vital" if a text
without it would be a bad one, as most references tell it, and otherwise "okay".
""",
    form='Answer as JSON:\n{"nuggets": [{"text": "…", "importance": "vital | okay"}]}',
)


@dataclass(frozen=True)
class JudgedNuggets(JudgedFile):
    """Nuggets with what a machine says about them."""

    written: tuple[NuggetRow | AssignmentRow | NuggetAbstentionRow, ...]

    def rows(self) -> Sequence[Row]:
        """A record for each nugget, assignment and abstention."""
        return [_flat_row(row) for row in self.written]

    def save(self, path: Path, settings: Settings) -> None:
        """Write a file of nuggets."""
        nugget_files.save(self.written, path, settings)


def _flat_row(row: msgspec.Struct) -> Row:
    """A row of a file as a flat record."""
    fields = msgspec.to_builtins(row)
    return {name: " ".join(v) if isinstance(v, list) else v for name, v in fields.items()}


@dataclass(frozen=True)
class JudgedUnits(JudgedFile):
    """The content units that each output expresses."""

    written: tuple[SelectionRow, ...]

    def rows(self) -> Sequence[Row]:
        """A record for each unit that an output expresses, and for each abstention."""
        return [_flat_row(row) for row in self.written]

    def save(self, path: Path, settings: Settings) -> None:
        """Write rankings, which `score` reads as `units`."""
        rankings.save_rows(self.written, path, settings)


def _shown_output(output: Output) -> Any:
    """A text as a list of sentences, a timeline as a list of dated texts."""
    if isinstance(output, Timeline):
        return [{"date": str(one.when), "text": " ".join(one.sentences)} for one in output]
    assert isinstance(output, Summary)
    return " ".join(output.sentences)


def outputs_to_judge(
    runs: Sequence[Run], topics: Mapping[str, Topic]
) -> Iterator[tuple[Run, Topic, Output]]:
    """Each output with its topic, which must be known; empty outputs too."""
    if not any(run.outputs for run in runs):
        raise DataError("there is no output to judge; give at least one")
    for run in runs:
        for name, output in run.outputs.items():
            if name not in topics:
                raise DataError(
                    f"run '{run.system}': no such topic '{name}' in what it is judged by; "
                    f"{did_you_mean(name, topics)}"
                )
            yield run, topics[name], output


def nugget_job(runs: Sequence[Run], topics: Mapping[str, Topic], *, batch: int, author: str) -> Job:
    """Ask how far each output supports each nugget of its topic."""
    parts: list[tuple[Run, Topic, ItemQuestion]] = []
    empty: list[tuple[Run, Topic]] = []
    for run, topic, output in outputs_to_judge(runs, topics):
        if not _has_text(output):
            empty.append((run, topic))
            continue
        items = [Item(event.id, {"text": event.text}) for event in _nuggets_of(topic)]
        context = {"topic": topic.title or topic.id, "text": _shown_output(output)}
        parts += (
            (run, topic, ItemQuestion(NUGGETS, some, context)) for some in batches(items, batch)
        )
    used = dict.fromkeys([*(topic.id for _, topic, _ in parts), *(topic.id for _, topic in empty)])

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedNuggets:
        written: list[NuggetRow | AssignmentRow | NuggetAbstentionRow] = [
            row for name in used for row in _nugget_rows(topics[name])
        ]
        for (run, topic, _), own in zip(parts, outcomes, strict=True):
            written += (
                row_of_model_answer(topic.id, run.system, nugget, outcome, author)
                for nugget, outcome in own.items()
            )
        for run, topic in empty:
            written += (
                row_of_model_answer(topic.id, run.system, event.id, Verdict("none"), author)
                for event in _nuggets_of(topic)
            )
        return JudgedNuggets(tuple(written))

    questions = tuple(question for *_, question in parts)
    rule = "outputs without text, which makes all their nuggets 'none'"
    return Job(NUGGETS, questions, finish, len(empty), rule)


def _has_text(output: Output) -> bool:
    """Whether an output says anything."""
    assert isinstance(output, Summary | Timeline)
    return any(sentence.strip() for sentence in output.sentences)


def _nuggets_of(topic: Topic) -> tuple[Event, ...]:
    """A topic's nuggets, each with a text."""
    events = topic.judgements.events if topic.judgements else ()
    if not events:
        raise DataError(f"topic '{topic.id}' has no nuggets; give `nuggets`")
    for event in events:
        if not event.text.strip():
            raise DataError(f"nugget '{event.id}' has no text; add it", place=f"topic '{topic.id}'")
    return events


def _nugget_rows(topic: Topic) -> Iterator[NuggetRow]:
    """A topic's nuggets as rows."""
    for event in _nuggets_of(topic):
        vital: Importance = "vital" if event.importance >= IMPORTANCE["vital"] else "okay"
        yield NuggetRow(topic.id, event.id, event.text, vital)


def row_of_model_answer(
    topic: str, system: str, nugget: str, outcome: Outcome, author: str
) -> AssignmentRow | NuggetAbstentionRow:
    """The row that an outcome becomes."""
    if isinstance(outcome, Abstained):
        return NuggetAbstentionRow(topic, system, nugget, author, outcome.reason)
    label: Label = msgspec.convert(outcome.label, Label)
    return AssignmentRow(topic, system, nugget, label, author, outcome.chosen, outcome.confidence)


def expressed_job(
    runs: Sequence[Run], topics: Mapping[str, Topic], *, batch: int, author: str
) -> Job:
    """Ask which content units each output expresses."""
    parts: list[tuple[Run, Topic, ItemQuestion]] = []
    for run, topic, output in outputs_to_judge(runs, topics):
        if not _has_text(output):
            continue
        if topic.pyramid is None or not topic.pyramid.units:
            raise DataError(f"topic '{topic.id}' has no content units; give `units`")
        items = [Item(unit.id, {"text": unit_text(unit)}) for unit in topic.pyramid.units]
        context = {"topic": topic.title or topic.id, "text": _shown_output(output)}
        questions = (ItemQuestion(EXPRESSED, some, context) for some in batches(items, batch))
        parts += ((run, topic, question) for question in questions)

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedUnits:
        written = []
        for (run, topic, _), own in zip(parts, outcomes, strict=True):
            for unit, outcome in own.items():
                row = SelectionRow(topic.id, system=run.system, event=unit, author=author)
                if isinstance(outcome, Abstained):
                    row.kind, row.reason = rankings.ABSTENTION, outcome.reason
                elif outcome.label != "yes":
                    continue
                written.append(row)
        return JudgedUnits(tuple(written))

    every = tuple(question for *_, question in parts)
    return Job(EXPRESSED, every, finish, keeps_confidence=False)


@dataclass(frozen=True)
class MakeQuestion:
    """A request for the nuggets of one topic's references."""

    topic: Topic
    rubric: Rubric = MAKE

    @property
    def asked(self) -> Sequence[str]:
        """The topic."""
        return [self.topic.id]

    @cached_property
    def prompt(self) -> Prompt:
        """All references of the topic."""
        references: list[Output] = [*self.topic.timelines, *self.topic.summaries]
        data = {
            "topic": self.topic.title or self.topic.id,
            "references": [_shown_output(one) for one in references],
        }
        schema = answer_schema(
            "nuggets",
            {"text": {"type": "string"}, "importance": {"type": "string", "enum": [*IMPORTANCE]}},
        )
        shown = enclose(data)
        # Nuggets are shorter than the references that they are drawn from.
        return Prompt(self.rubric.system, shown, schema, len(shown) // 8)

    def read(self, answer: str) -> Reading:
        """The nuggets in order; one without text or importance spoils the answer."""
        (name,) = self.asked
        try:
            found = msgspec.convert(_proposed_rows(answer), list[ProposedNugget])
        except UnusableAnswerError as error:
            return Reading({}, {name: str(error)})
        except msgspec.MsgspecError:
            return Reading({}, {name: "not every nugget has a text and an importance"})
        texts = {" ".join(one.text.split()): one.importance for one in found}
        texts.pop("", None)
        if not texts:
            return Reading({}, {name: "the answer has no nugget"})
        return Reading({name: Verdict("", tuple(f"{texts[text]}:{text}" for text in texts))})


def _proposed_rows(answer: str) -> list[Any]:
    """The nuggets of an answer; their importance may be written in capitals."""
    rows = read_list(answer, "nuggets")
    return [
        {**row, "importance": plain_word(str(row.get("importance")))}
        if isinstance(row, dict)
        else row
        for row in rows
    ]


class ProposedNugget(msgspec.Struct):
    """A nugget as a model proposes it."""

    text: str
    importance: Importance


def nugget_making_job(topics: Sequence[Topic]) -> Job:
    """Ask for the nuggets of each topic's references."""
    for topic in topics:
        if not topic.timelines and not topic.summaries:
            raise DataError(f"topic '{topic.id}' has no references; give some to make nuggets of")

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedNuggets:
        written: list[NuggetRow] = []
        for own in outcomes:
            for topic, outcome in own.items():
                proposed = () if isinstance(outcome, Abstained) else outcome.chosen
                for number, one in enumerate(proposed, 1):
                    importance, _, text = one.partition(":")
                    vital: Importance = "vital" if importance == "vital" else "okay"
                    written.append(NuggetRow(topic, f"n{number}", text, vital))
        if not written:
            raise StoppedError("the model proposed no nugget that could be read; ask another model")
        return JudgedNuggets(tuple(written))

    questions = tuple(MakeQuestion(topic) for topic in topics)
    return Job(MAKE, questions, finish, keeps_confidence=False)
