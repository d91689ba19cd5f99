"""What summarizers share: which documents, how many words; and the simplest of them."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias

from chronoscore.core import Document, Summary, Topic, When
from chronoscore.errors import DataError
from chronoscore.systems.material import SourceLine, prepare_material, publication_order_key
from chronoscore.systems.system import System, check_system_parameters, system_random_generator
from chronoscore.text.unicode import count_words

Part: TypeAlias = Literal["all", "original", "update"]
SETS = {"all": "A", "original": "A", "update": "B"}


@dataclass(frozen=True, kw_only=True)
class Summarizer(System):
    """A system that writes summaries of at most `words` words.

    `part` says of which documents: all, the original half, or the update. The update
    begins on the day `at`, or with the second half of the articles in order of time.
    """

    makes = Summary
    words: int = 100
    part: Part = "all"
    at: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, words=1)
        if self.at:
            When.parse(self.at)

    def run(self, topic: Topic, background: Sequence[Document]) -> Summary:
        """Choose sentences and write them in order of time."""
        original, update = split_source_documents(topic, self.at)
        whole = {"all": topic.documents, "original": original, "update": update}[self.part]
        lines = prepare_material(replace(topic, documents=whole)).usable
        chosen = self.choose(topic, lines, background)
        texts = tuple(line.text for line in sorted(chosen, key=lambda n: (n.article, n.place)))
        return Summary(texts, self.name, SETS[self.part])

    @abstractmethod
    def choose(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> Sequence[SourceLine]:
        """The lines of the summary, in any order."""


def split_source_documents(
    topic: Topic, at: str = ""
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """The original documents and those of the update."""
    ordered = sorted(topic.documents, key=publication_order_key)
    if not at:
        middle = (len(ordered) + 1) // 2
        return tuple(ordered[:middle]), tuple(ordered[middle:])
    day = When.parse(at).first
    if any(document.when is None for document in ordered):
        raise DataError(
            "some articles have no date to split at; give them a 'time', or split in halves",
            place=f"topic '{topic.id}'",
        )
    early = tuple(one for one in ordered if one.when and one.when.first < day)
    return early, tuple(ordered[len(early) :])


def _select_fitting_lines(lines: Sequence[SourceLine], words: int) -> list[SourceLine]:
    """Lines in order as long as they fit; one that does not is passed over."""
    chosen: list[SourceLine] = []
    for line in lines:
        if (size := count_words(line.text)) <= words:
            chosen.append(line)
            words -= size
    return chosen


@dataclass(frozen=True, kw_only=True)
class LeadSummary(Summarizer):
    """First sentences of the articles, then second ones, and so on."""

    name: ClassVar[str] = "lead-summary"
    line: ClassVar[str] = "first sentences of articles, earliest article first"

    def choose(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> list[SourceLine]:
        """By place, then by time."""
        return _select_fitting_lines(sorted(lines, key=lambda n: (n.place, n.article)), self.words)


@dataclass(frozen=True, kw_only=True)
class RandomSummary(Summarizer):
    """Sentences at random."""

    name: ClassVar[str] = "random-summary"
    line: ClassVar[str] = "sentences at random"
    seed: int = 1

    def choose(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> list[SourceLine]:
        """Shuffled."""
        order = system_random_generator(self.seed, topic.id).permutation(len(lines))
        return _select_fitting_lines([lines[number] for number in order.tolist()], self.words)
