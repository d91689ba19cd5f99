"""What functions accept as data, for type checkers: paths, plain values, tables, our classes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from os import PathLike
from typing import Protocol, TypeAlias

from chronoscore.core import Collection, Run, Summary, Timeline, Topic
from chronoscore.dates.when import When
from chronoscore.measures import Measure

OnePath: TypeAlias = str | PathLike[str]
Paths: TypeAlias = OnePath | Sequence[OnePath]
"""A path, a glob, or several of these."""


class DataFrame(Protocol):
    """A table of pandas, polars or Arrow."""

    @property
    def columns(self) -> object:
        """The columns, or their names."""

    def __getitem__(self, key: str, /) -> object:
        """A column."""


class PandasColumn(Protocol):
    """A column of pandas or an array of NumPy."""

    def tolist(self) -> object:
        """Its values."""


class PolarsColumn(Protocol):
    """A column of polars."""

    def to_list(self) -> object:
        """Its values."""


class HasSystems(Protocol):
    """What `summarize` returns: outputs by system."""

    def by_system(self) -> object:
        """The outputs of each system."""


class StandsForSystems(Protocol):
    """What `project` returns: systems with all that belongs to them."""

    @property
    def given_systems(self) -> object:
        """The systems."""


Column: TypeAlias = PandasColumn | PolarsColumn
"""Values of a data frame or an array."""
Record: TypeAlias = Mapping[str, object]
"""A row of a table; a list of records is a table."""
ByName: TypeAlias = Mapping[str, object] | Mapping[int, object]
"""Values by the name or the number of a system or topic."""

# One type of sequences in each union, or mypy would take a list of strings and paths for a list
# of objects; lists that mix more than that are refused when they are read.
Systems: TypeAlias = (
    OnePath
    | Run
    | HasSystems
    | StandsForSystems
    | ByName
    | DataFrame
    | Sequence[OnePath | Run | Record]
)
"""What systems wrote: paths, runs, `{system: {topic: output}}` or a long table."""
References: TypeAlias = (
    OnePath | Collection | Topic | ByName | DataFrame | Sequence[OnePath | Topic | Record]
)
"""What people wrote: paths, topics, `{topic: references}` or a long table."""
OneMeasure: TypeAlias = str | Measure | Callable[..., float]
"""A measure by its text, as a value, or as a function of an output and its references."""
Measures: TypeAlias = OneMeasure | Sequence[OneMeasure]
"""One measure or several."""

Output: TypeAlias = (
    OnePath
    | Summary
    | Timeline
    | Mapping[str, object]
    | Mapping[date, object]
    | Mapping[When, object]
)
"""A text, a file (as a `Path`), or a timeline, also as `{date: text}`."""
Parts: TypeAlias = Sequence[str | tuple[object, object] | Record]
"""A text by its sentences, or a timeline as pairs of date and text or as records."""
Outputs: TypeAlias = Output | Column | Sequence[Output | tuple[object, object] | Parts]
"""Texts or timelines: one or several."""
TopicReferences: TypeAlias = (
    Output
    | Column
    | Collection
    | Topic
    | Mapping[int, object]
    | DataFrame
    | Sequence[Output | tuple[object, object] | Parts | Topic]
)
"""References of one topic, or of several by topic."""
TopicNames: TypeAlias = str | int | Sequence[str | int] | Column
"""The topic of all candidates, or of each."""
Texts: TypeAlias = Sequence[str | Sequence[str]] | Column
"""Texts, each a string or its sentences."""
ReferenceTexts: TypeAlias = Sequence[str | Iterable[str | Sequence[str]]] | Column
"""One reference or several of each text."""


class Tokenizer(Protocol):
    """An object that splits texts into words."""

    def tokenize(self, text: str) -> Sequence[str]:
        """The words of a text."""
