"""Topics and collections on one side, what systems made of them on the other."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self, TypeVar

from chronoscore.core.texts import Document, Output, Summary, Timeline
from chronoscore.errors import WrongTypeError, describe_type

if TYPE_CHECKING:
    from chronoscore.core.judging import Judgements, Pyramid

Authored = TypeVar("Authored", Summary, Timeline)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What is known about one topic; the unit of resampling."""

    id: str
    summaries: tuple[Summary, ...] = ()
    timelines: tuple[Timeline, ...] = ()
    documents: tuple[Document, ...] = ()
    judgements: "Judgements | None" = None
    pyramid: "Pyramid | None" = None
    title: str = ""
    keywords: tuple[str, ...] = ()
    """Words of which a sentence must have one to be chosen for a timeline."""
    left_out: bool = False
    """Whether an author's references were taken out, because the author is being scored."""

    def without(self, output: Output) -> Self:
        """The topic as the author of one of its references meets it."""

        def others(references: Iterable[Authored]) -> tuple[Authored, ...]:
            return tuple(
                reference
                for reference in references
                if reference is not output and not (reference.author and reference.author == author)
            )

        author = getattr(output, "author", "")
        return replace(
            self,
            summaries=others(self.summaries),
            timelines=others(self.timelines),
            pyramid=self.pyramid.without(author) if self.pyramid and author else self.pyramid,
            left_out=True,
        )


@dataclass(frozen=True, slots=True)
class Collection:
    """Topics by id, in the order in which they were given."""

    topics: Mapping[str, Topic]
    name: str = ""
    part_of: int = 0
    """The number of topics in the whole corpus, where these are only a part of it."""

    def __post_init__(self) -> None:
        _check_mapping("the topics of a collection", self.topics, "{id: topic}")

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics.values())

    def __len__(self) -> int:
        return len(self.topics)


@dataclass(frozen=True, slots=True)
class Run:
    """One system's outputs by topic.

    A topic without output is scored as empty. Not so where the run is a `human`'s, whose
    outputs are references too: they meet only what other people wrote, on the topics for
    which they wrote. `unreadable` says why by topic; without an output, such a topic does not
    count for this system. A run that `skips` is not scored on topics without output at all.
    A system may have several runs, each with a `name` of its own.
    """

    system: str
    outputs: Mapping[str, Output] = field(default_factory=dict)
    human: bool = False
    unreadable: Mapping[str, str] = field(default_factory=dict)
    skips: bool = False
    name: str = ""

    @property
    def label(self) -> str:
        """What the run is called: its system, and its own name if it has one."""
        return f"{self.system}/{self.name}" if self.name else self.system

    def __post_init__(self) -> None:
        _check_mapping(f"the outputs of run '{self.system}'", self.outputs, "{topic: output}")


def _check_mapping(what: str, value: object, shape: str) -> None:
    """Refuse a list and the like, which would fail much later."""
    if not isinstance(value, Mapping):
        raise WrongTypeError(f"{what} are {describe_type(value)}; give {shape}")
