"""What every system is: a value with a name and parameters that makes an output of a topic."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from chronoscore.core import Document, Output, Topic
from chronoscore.errors import UsageError
from chronoscore.measures.language import check_parameters
from chronoscore.measures.measure import default_of_parameter, spell_parameter


@dataclass(frozen=True, kw_only=True)
class System(ABC):
    """A way to make an output; hashable, prints itself, and parses back.

    Call it with a topic that has documents. Parameters may be changed in the call. The same
    system, topic and seed give the same output, always.
    """

    name: ClassVar[str]
    makes: ClassVar[type[Output]]
    line: ClassVar[str]
    """What it does, in a line."""
    paper: ClassVar[str] = ""
    oracle: ClassVar[bool] = False
    """Whether it looks at the references, so that nothing real can be expected to match it."""

    def __post_init__(self) -> None:
        if hasattr(self, "seed"):
            check_system_parameters(self, seed=0)

    def __call__(
        self, topic: Topic, *, background: Sequence[Document] = (), **changes: Any
    ) -> Output:
        """Make the output; `background` are documents of other topics, which some can use."""
        return self.with_parameters(**changes).run(topic, background)

    @abstractmethod
    def run(self, topic: Topic, background: Sequence[Document]) -> Output:
        """Make the output with the parameters as they are."""

    def with_parameters(self, **changes: Any) -> "System":
        """The system with other parameters."""
        check_parameters("system", self.name, changes, [f.name for f in fields(self)])
        return replace(self, **changes) if changes else self

    def __str__(self) -> str:
        parameters = [
            spell_parameter(f.name, getattr(self, f.name))
            for f in fields(self)
            if f.repr and getattr(self, f.name) != default_of_parameter(f)
        ]
        return f"{self.name}({','.join(parameters)})" if parameters else self.name


def system_random_generator(seed: int, topic: str) -> np.random.Generator:
    """Random numbers of a topic's own, so that topics do not depend on their order."""
    return np.random.default_rng([seed, crc32(topic.encode("utf-8", "replace"))])


def check_system_parameters(system: System, **least: float) -> None:
    """Refuse parameters that are too small to mean anything."""
    for name, bound in least.items():
        value = getattr(system, name)
        if value is not None and value < bound:
            raise UsageError(f"{system.name}({name}={value}): write {bound:g} or more")
