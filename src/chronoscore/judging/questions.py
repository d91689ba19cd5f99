"""Items that are put to a model together, and how its answer about them is read.

Items and what may be chosen for them have ids that count from 1 in each request: the only ones
that an answer can name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any
from zlib import crc32

from chronoscore.judging.answers import (
    UnusableAnswerError,
    item_name,
    listed_ids,
    plain_word,
    read_list,
)
from chronoscore.judging.prompts import Prompt, Question, Reading, answer_schema, enclose
from chronoscore.judging.rubrics import Rubric, Verdict

INVENTED = "is invented"
LONGEST_SHOWN = 40
"""Characters of a value that a message shows."""


def arrange(question: Question, seed: int, vote: int) -> Question:
    """A question as one vote is asked it."""
    return question.arranged(seed, vote) if isinstance(question, ItemQuestion) else question


@dataclass(frozen=True)
class Item:
    """One thing to judge: its own key, what is shown of it, and choices of its own."""

    key: str
    shown: Mapping[str, Any]
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What may be chosen for this item alone, by id, with what is shown of each."""

    @property
    def checksum(self) -> int:
        """A number that follows from what is shown."""
        return crc32(repr(self.shown).encode("utf-8", "replace"))

    @property
    def parity(self) -> int:
        """Whether the two texts are exchanged in even votes or in odd ones."""
        return self.checksum >> 7 & 1

    def swapped(self) -> "Item":
        """The item with its two texts exchanged."""
        exchanged = {"first": self.shown["second"], "second": self.shown["first"]}
        return replace(self, shown={**self.shown, **exchanged})


@dataclass(frozen=True)
class ItemQuestion:
    """Several items that are judged in one request, with what they have in common."""

    rubric: Rubric
    items: tuple[Item, ...]
    context: Mapping[str, Any]
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What may be chosen for every item, by id."""

    @property
    def asked(self) -> Sequence[str]:
        """The keys of the items."""
        return [item.key for item in self.items]

    def arranged(self, seed: int, vote: int) -> "ItemQuestion":
        """The question of one vote: its items in an order of chance, half of the pairs exchanged.

        Every pair is exchanged in every other vote. Chance depends on what is shown and not on
        whose it is, so that equal questions stay equal.
        """
        if self.rubric.ordered:
            return self
        items = list(self.items)
        if self.rubric.symmetric:
            items = [item.swapped() if item.parity ^ vote & 1 else item for item in items]
        if len(items) > 1:
            Random(f"{seed} {vote} {self.items[0].checksum}").shuffle(items)
        return self if items == list(self.items) else replace(self, items=tuple(items))

    @cached_property
    def item_ids(self) -> dict[str, Item]:
        """The items by the ids that the request gives them."""
        return {f"i{number}": item for number, item in enumerate(self.items, 1)}

    @cached_property
    def choice_ids(self) -> dict[str, dict[str, str]]:
        """By item, which id of the request stands for what may be chosen."""
        shared = {f"c{number}": key for number, key in enumerate(self.choices, 1)}
        own: dict[str, dict[str, str]] = {}
        count = len(shared)
        for item in self.items:
            more = {f"c{count + n}": key for n, key in enumerate(item.choices, 1)}
            own[item.key] = {**shared, **more} if more else shared
            count += len(more)
        return own

    @property
    def prompt(self) -> Prompt:
        """The rules, the data, and the schema."""
        data: dict[str, Any] = dict(self.context)
        if self.choices:
            shown = zip(self.choices.values(), range(1, len(self.choices) + 1), strict=True)
            data[self.rubric.choice] = [{"id": f"c{number}", **one} for one, number in shown]
        data["items"] = [self.show(number, item) for number, item in self.item_ids.items()]
        return Prompt(self.rubric.system, enclose(data), self.schema, self.expected)

    @property
    def expected(self) -> int:
        """About how many tokens an answer has: reasons, the longest labels and two choices each."""
        letters = 30 + max(map(len, self.rubric.labels), default=0) + 25 * bool(self.rubric.choice)
        letters += 90 * bool(self.rubric.labels) + 20 * self.rubric.confidence
        return 10 + len(self.items) * letters // 3

    def show(self, number: str, item: Item) -> dict[str, Any]:
        """An item with its id, and what may be chosen for it alone."""
        shown: dict[str, Any] = {"id": number, **item.shown}
        if item.choices:
            names = {key: name for name, key in self.choice_ids[item.key].items()}
            shown[self.rubric.choice] = [{"id": names[k], **one} for k, one in item.choices.items()]
        return shown

    @property
    def schema(self) -> dict[str, Any]:
        """The form of the answer: an object for each item, with nothing but known ids."""
        fields: dict[str, Any] = {"id": {"type": "string", "enum": list(self.item_ids)}}
        if self.rubric.labels:
            fields["reason"] = {"type": "string"}
            fields["label"] = {"type": "string", "enum": list(self.rubric.labels)}
        if self.rubric.confidence:
            fields["confidence"] = {"type": "integer"}
        if self.rubric.choice:
            count = len(self.choices) + sum(len(item.choices) for item in self.items)
            known = [f"c{number}" for number in range(1, count + 1)]
            one = {"type": "string", **({"enum": known} if known else {})}
            fields[self.rubric.choice] = {"type": "array", "items": one}
        return answer_schema("answers", fields)

    def read(self, answer: str) -> Reading:
        """The verdict on each item; what is missing, repeated or unknown is a problem."""
        try:
            given = read_list(answer, "answers")
        except UnusableAnswerError as error:
            return Reading({}, dict.fromkeys(self.asked, str(error)))
        values: dict[str, Verdict] = {}
        problems: dict[str, str] = {}
        invented = 0
        for one in given:
            name = one.get("id") if isinstance(one, dict) else None
            item = self.item_ids.get(item_name(name))
            if item is None:
                invented += 1
                problems.setdefault("", f"no item has the id {_show_value(name)}")
            elif item.key in values or item.key in problems:
                values.pop(item.key, None)
                problems[item.key] = "the item is answered twice"
            else:
                verdict = self.verdict(item, one)
                if isinstance(verdict, str):
                    invented += verdict.endswith(INVENTED)
                    problems[item.key] = verdict
                else:
                    values[item.key] = verdict
        for key in self.asked:
            if key not in values:
                problems.setdefault(key, "the item is not answered")
        return Reading(values, problems, invented)

    def verdict(self, item: Item, answer: Mapping[str, Any]) -> Verdict | str:
        """One item's verdict, or what is wrong with it."""
        given = answer.get("label", "")
        label = self.rubric.find_label(given) if self.rubric.labels else ""
        if label is None:
            return f"the label {_show_value(given)} is not one of {', '.join(self.rubric.labels)}"
        confidence = _read_confidence(answer.get("confidence")) if self.rubric.confidence else None
        if not self.rubric.choice:
            return Verdict(label, (), confidence)
        known = self.choice_ids[item.key]
        names = listed_ids(answer, self.rubric.choice)
        if names is None:
            return f"the item has no list '{self.rubric.choice}'"
        chosen = set()
        for name in names:
            if not isinstance(name, str) or plain_word(name) not in known:
                return f"the id {_show_value(name)} {INVENTED}"
            chosen.add(plain_word(name))
        names_in_order = sorted(chosen, key=_place_of)
        return Verdict(label, tuple(known[name] for name in names_in_order), confidence)


def _read_confidence(given: Any) -> float | None:
    """A number from 0 to 100; anything else is no confidence and spoils no label.

    A share of 1 (0.9, 1.0) is read as percent.

    >>> [_read_confidence(one) for one in (80, "80 %", 0.8, 1.0, 1, "high", 300)]
    [80.0, 80.0, 80.0, 100.0, 1.0, None, None]
    """
    try:
        value = float(given.strip(" %") if isinstance(given, str) else given)
    except (TypeError, ValueError):
        return None
    if isinstance(given, float) and value <= 1:
        value *= 100
    return value if 0 <= value <= 100 else None


def _place_of(name: str) -> int:
    """The number in an id of a request."""
    return int(name[1:])


def _show_value(value: Any) -> str:
    """A value of an answer, short enough for a message."""
    return repr(value)[:LONGEST_SHOWN]
