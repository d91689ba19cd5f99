"""Nouveau-ROUGE: what people would say of an update summary, from two scores.

An update should be like the reference updates, and unlike the reference summaries of what
was known before. N = α0 + α1·R(AB) + α2·R(BB) takes both into account, and is on the scale
of the ratings that its coefficients were fitted to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from chronoscore.core import Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures.measure import ANY_NUMBER, Array, Bounds, Measure, Pair
from chronoscore.measures.novelty.coefficients import Coefficients, coefficients_for
from chronoscore.measures.rouge.measures import Rouge

USUAL: Measure = Rouge(n=2)


@dataclass(frozen=True, kw_only=True)
class Novelty(Measure):
    """Predict a rating of update summaries by their scores against both sets of references.

    `ab` is the base's score against the earlier references and `bb` against those of the
    update; `n` is the prediction. With `jackknife` people and systems have equally many
    references; a person is never compared with a summary of their own, update or earlier.

    >>> str(Novelty())
    'novelty(base=rouge(n=2))'
    """

    name: ClassVar[str] = "novelty"
    needs = Summary
    parts = ("ab", "bb", "n")
    columns = ("ab", "bb", "count")
    spoken: ClassVar[frozenset[str]] = frozenset({"base"})
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"ab"})
    """An update should not repeat what the earlier references say."""

    base: Measure = USUAL
    coefficients: str = "tac2008"
    target: str = "responsiveness"
    against: Literal["all", "last"] = "all"
    jackknife: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.base.needs is not Summary:
            raise UsageError(f"novelty(base={self.base}): the base must score summaries")
        if self.base.jackknife:
            raise UsageError(
                f"novelty(base={self.base}): let novelty leave references out, not its base; "
                "write novelty(base=...,jackknife)"
            )
        self.model  # noqa: B018  # What cannot predict is refused before anything is scored.

    @property
    def model(self) -> Coefficients | None:
        """The coefficients, or nothing where only `ab` and `bb` are wanted."""
        return coefficients_for(self.coefficients, self.base, self.target)

    @property
    def base_part(self) -> str:
        """The part of the base that is predicted from: the one named, recall, or the last."""
        return self.base.part or ("r" if "r" in self.base.parts else self.base.parts[-1])

    @property
    def width(self) -> int:
        """The two scores and a count, also where references are left out."""
        return len(self.columns)

    def bounds(self, part: str) -> Bounds:
        """The two scores are bounded as the base is; a prediction is not."""
        return ANY_NUMBER if part == "n" else self.base.bounds(self.base_part)

    @property
    def shown(self) -> tuple[str, ...]:
        """The part that was asked for, or all that can be said."""
        return super().shown if self.part or self.model else ("ab", "bb")

    @property
    def signature(self) -> str:
        """The parameters, the coefficients themselves, as a file may change, and the base's own."""
        base = f"{self.base.signature}|part:{self.base_part}".replace("|", ",")
        return f"{super().signature}|alpha:{self.model or 'none'}|of:({base})"

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Score each update against the earlier references and against its own."""
        met: list[Pair] = []
        owners: list[int] = []
        for number, (topic, output) in enumerate(pairs):
            assert isinstance(output, Summary)
            for side, references in enumerate(self.sides(topic, output)):
                for chosen in self.subsets(topic, output, references):
                    met.append((replace(topic, summaries=chosen), output))
                    owners.append(2 * number + side)
        if not met:
            return np.zeros((0, 3))
        place = self.base.parts.index(self.base_part)
        values = self.base.values(self.base.tally(met))[:, place]
        owner = np.array(owners)
        sums = np.bincount(owner, weights=values, minlength=2 * len(pairs))
        scores = (sums / np.bincount(owner, minlength=2 * len(pairs))).reshape(-1, 2)
        return np.column_stack([scores, np.ones(len(pairs))])

    def sides(self, topic: Topic, output: Summary) -> Iterator[tuple[Summary, ...]]:
        """The earlier references, then those of the update."""
        earlier = sorted({s.set for s in topic.summaries if s.set < output.set})
        if topic.left_out and not topic.summaries:
            raise DataError(
                f"'{output.author}' is the only author; give others' summaries too",
                place=f"topic '{topic.id}'",
            )
        if not earlier:
            raise DataError(
                f"no reference summary of a set before {output.set}; "
                "give the original summaries with `originals`",
                place=f"topic '{topic.id}'",
            )
        sets = earlier if self.against == "all" else earlier[-1:]
        yield tuple(s for s in topic.summaries if s.set in sets)
        yield tuple(s for s in topic.summaries if s.set == output.set)

    def subsets(
        self, topic: Topic, output: Summary, references: tuple[Summary, ...]
    ) -> Iterator[tuple[Summary, ...]]:
        """All references, or all but one at a time, as if they were of the output's own set."""
        others = tuple(replace(one, set=output.set) for one in references)
        if not others:
            raise DataError(
                f"no reference summary of set {output.set}; give at least one",
                place=f"topic '{topic.id}'",
            )
        authors = list(dict.fromkeys(one.author or str(n) for n, one in enumerate(others)))
        if not self.jackknife or topic.left_out or len(authors) < 2:
            yield others
            return
        for left_out in authors:
            yield tuple(one for n, one in enumerate(others) if (one.author or str(n)) != left_out)

    def values(self, tallies: Array) -> Array:
        """The prediction and the two scores that it is made from."""
        count = tallies[..., 2]
        with np.errstate(invalid="ignore", divide="ignore"):
            earlier, update = tallies[..., 0] / count, tallies[..., 1] / count
        model = self.model
        predicted = model.predict(earlier, update) if model else np.full_like(earlier, np.nan)
        return np.stack([earlier, update, predicted], axis=-1)
