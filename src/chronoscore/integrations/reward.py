"""Rewards for trainers such as TRL, which call them with completions by the hundred."""

import math
from typing import Any, cast

import numpy as np

from chronoscore.api.scorer import Scorer
from chronoscore.data.arguments import TopicReferences
from chronoscore.errors import UsageError
from chronoscore.integrations.completions import as_answer, is_blank
from chronoscore.measures import Measure


class Reward:
    """A reward function: completions in, a list of figures out, more being better.

    Figures are those of `score`; where less is better their sign is turned. Completions are texts
    or lists of chat messages. One that is empty or cannot be read gets `floor`, by default the
    worst that the measure can be, and so does one whose figure is undefined. With several topics
    the column `topic` of the data set says which each completion belongs to.

    >>> reward = Reward({"2031-03-12": "The dam broke, and 300 people fled."}, "align+.f")
    >>> [round(one, 3) for one in reward(["- 12 March 2031: The dam broke.", "I cannot say."])]
    [0.571, 0.0]
    """

    def __init__(
        self,
        references: TopicReferences,
        measure: str | Measure = "align+",
        *,
        topic: str = "topic",
        floor: float | None = None,
    ) -> None:
        self.scorer = Scorer(references, measure, on_error="empty")
        if len(self.scorer.columns) > 1:
            raise UsageError("a reward is one figure; name one measure")
        self.topic = topic
        chosen, part = self.scorer.measures[0]
        self._sign = chosen.direction(part)
        worst = self._sign * chosen.bounds(part)[0 if self._sign > 0 else 1]
        self.floor = worst if floor is None else float(floor)
        self.__name__ = self.scorer.columns[0]
        if not math.isfinite(self.floor):
            raise UsageError(
                f"{self.__name__} has no worst value; say with `floor` what an empty answer gets"
            )

    def __repr__(self) -> str:
        return f"<Reward: {self.__name__}, floor {self.floor:g}>"

    def __call__(self, completions: Any, topics: Any = None, **columns: Any) -> list[float]:
        """The reward of each completion; trainers pass the columns of their data set by name."""
        answers = [as_answer(one, f"completion {n}") for n, one in enumerate(completions, 1)]
        outputs = self.scorer.read(answers)
        named = columns.get(self.topic) if topics is None else topics
        if not outputs:
            return []
        found = self._sign * self.scorer(cast(Any, outputs), named)[:, 0]
        lost = [is_blank(output) for output in outputs]
        rewards: list[float] = np.where(np.isnan(found) | lost, self.floor, found).tolist()
        return rewards
