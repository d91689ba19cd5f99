"""The best summary that can be made of a topic's sentences, scored by the measure itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import permutations
from typing import TypeAlias, assert_never

from chronoscore.core import Summary, Topic
from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.measures import Measure
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.options.oracles import METHODS, Method, Pool
from chronoscore.oracles.lengths import cut_to_budget
from chronoscore.oracles.problem import (
    Excerpt,
    Problem,
    Weigh,
    best_weights,
    count_grams,
    hit_weights,
    make_problem,
)
from chronoscore.oracles.selection import exact_extract, greedy_bound, greedy_extract
from chronoscore.text.plain import Prepared, prepare_text
from chronoscore.text.preparation import Limit

ROUNDING = 1e-9
"""A difference between value and bound that is rounding."""
Place: TypeAlias = tuple[str, int]
"""A document's id and the number of a sentence in it, from 0."""


@dataclass(frozen=True)
class Oracle:
    """The best text that was found for a topic.

    `value` is the measure's own recall of that text, and `bound` what no text made of the
    topic's sentences within the budget can exceed.
    """

    topic: str
    method: str
    value: float
    bound: float
    sentences: tuple[Place, ...]
    summary: Summary

    @property
    def gap(self) -> float:
        """How far the bound is above the value, as a share of the value; nan where that is 0."""
        over = self.bound - self.value
        return over / self.value if self.value > 0 else (0.0 if over <= 0 else float("nan"))


@dataclass(frozen=True)
class Task:
    """A topic with the measure whose recall is to be as high as can be, and the budget."""

    topic: Topic
    measure: Rouge
    budget: Limit
    pool: Pool = "micro"

    @cached_property
    def references(self) -> tuple[Summary, ...]:
        """The references, all of one set."""
        if not self.topic.summaries:
            raise DataError("there is no reference; add one", place=f"topic '{self.topic.id}'")
        return self.topic.summaries

    @cached_property
    def places(self) -> tuple[tuple[Place, str], ...]:
        """Every sentence of the documents, with its place."""
        return tuple(
            ((document.id, number), sentence.text)
            for document in self.topic.documents
            for number, sentence in enumerate(document.sentences)
        )

    @cached_property
    def instances(self) -> tuple[Problem, ...]:
        """The problem; where only the best reference counts, one for each that may be it.

        Where one reference is left out at a time, the best one is not there once and the second
        best counts: any two references may be these.
        """
        measure, many = self.measure, len(self.references)
        groups: list[list[Sequence[str]]] = [[one.sentences for one in self.references]]
        weigh: Weigh = partial(hit_weights, pool=self.pool, jackknife=measure.jackknife)
        if measure.several != "pool":
            long_enough = [text for text in groups[0] if self.has_grams(text)]
            groups = [[text] for text in long_enough] or groups
            if measure.jackknife and many > 1:
                weigh = partial(best_weights, many=many) if long_enough else weigh
                groups = [list(two) for two in permutations(long_enough, 2)] or groups
        return tuple(
            make_problem(
                self.topic.id,
                [text for _, text in self.places],
                group,
                measure.n,
                measure.preparation,
                self.budget,
                weigh,
            )
            for group in groups
        )

    def has_grams(self, sentences: Sequence[str]) -> bool:
        """Whether a text has any run of the measure's n words."""
        return count_grams(prepare_text(sentences, self.measure.preparation), self.measure.n) > 0

    def recall(self, sentences: Sequence[str]) -> float:
        """What the measure itself says of a text within the budget."""
        preparation = self.measure.preparation
        text = prepare_text(cut_to_budget(sentences, self.budget), preparation)
        references = [prepare_text(r.sentences, preparation) for r in self.references]
        return self.pooled_recall(text, references)

    def pooled_recall(self, text: Prepared, references: Sequence[Prepared]) -> float:
        """The recall of a text, with its references pooled or averaged over."""
        match self.pool:
            case "micro":
                return self.measure.score(text, references).r
            case "macro":
                alone = [self.measure.score(text, [reference]).r for reference in references]
                return sum(alone) / len(alone)
            case _:
                assert_never(self.pool)

    def text(self, pieces: Sequence[Excerpt]) -> tuple[str, ...]:
        """The sentences of a choice, the last one cut where the budget ends."""
        return cut_to_budget([self.places[piece.sentence][1] for piece in pieces], self.budget)


def oracle(
    topic: Topic,
    measure: Measure,
    *,
    budget: Limit | None = None,
    method: Method = "exact",
    pool: Pool = "micro",
    seconds: float | None = None,
    whole_references: bool = False,
) -> Oracle:
    """Choose sentences of a topic's documents so that the measure's recall is highest.

    The budget is the measure's own length limit, if it is not given, and cuts references
    as well, as ROUGE's options -l and -b do, unless they are to stay whole. Sentences are
    given in the text's order.
    """
    if method not in METHODS:
        raise UsageError(f"unknown method '{method}'; {did_you_mean(method, METHODS)}")
    task = oracle_task(topic, measure, budget, pool, whole_references=whole_references)
    check_oracle_task(task, chop=method.endswith("-chop"))
    found = find_oracle(task, method, seconds)
    if not found.sentences:
        raise DataError(
            f"{method} finds no text that matches the references; raise the "
            "budget, or choose the method exact-chop, which looks at all of them",
            place=f"topic '{topic.id}'",
        )
    return found


def find_oracle(task: Task, method: Method, seconds: float | None) -> Oracle:
    """The best text for a task."""
    chop = method.endswith("-chop")
    choose = partial(_exact_choice, seconds=seconds) if "exact" in method else _greedy_choice
    choices = [choose(setting, chop) for setting in task.instances]
    texts = [pieces for choice in choices for pieces in choice.texts]
    scored = [(task.recall(task.text(pieces)), pieces) for pieces in texts]
    value, pieces = max(scored, key=lambda pair: pair[0])
    bound = max(choice.bound for choice in choices)
    if task.measure.several == "best-f" and bound - value >= ROUNDING:
        # The reference that counts has the best F, not the best recall: below its bound the text
        # may not be the best one.
        method = "greedy-chop" if chop else "greedy"
    return Oracle(
        task.topic.id,
        method,
        value,
        value if bound - value < ROUNDING else bound,
        tuple(task.places[piece.sentence][0] for piece in pieces),
        Summary(task.text(pieces), method, task.references[0].set),
    )


@dataclass(frozen=True)
class ChosenPieces:
    """Texts for a problem, and what no choice of sentences can exceed in recall."""

    texts: tuple[Sequence[Excerpt], ...]
    bound: float


def _greedy_choice(setting: Problem, chop: bool) -> ChosenPieces:
    """The greedy choice, with a bound on all choices."""
    quick = greedy_extract(setting, chop=chop)
    return ChosenPieces((quick,), greedy_bound(setting, quick, chop=chop) * setting.wanted.scale)


def _exact_choice(setting: Problem, chop: bool, seconds: float | None) -> ChosenPieces:
    """The best choice and the greedy one, with a bound on all choices."""
    start = greedy_extract(setting)
    best = exact_extract(setting, start, chop=chop, seconds=seconds)
    quick = greedy_extract(setting, chop=True) if chop else start
    return ChosenPieces((best.pieces, quick), best.bound * setting.wanted.scale)


def oracle_task(
    topic: Topic,
    measure: Measure,
    budget: Limit | None,
    pool: Pool = "micro",
    *,
    whole_references: bool = False,
) -> Task:
    """A topic's task; only runs of words have an oracle, and only recall."""
    if not isinstance(measure, Rouge):
        raise UsageError(
            f"measure '{measure}' has no oracle of summaries; use rouge(n=1) or another n"
        )
    if measure.part not in (None, "r"):
        raise UsageError(f"measure '{measure}': an oracle of summaries maximizes recall; write .r")
    if pool == "macro" and (measure.several == "best" or measure.jackknife):
        raise UsageError(f"measure '{measure}' combines references by itself; leave macro out")
    if budget and measure.limit and budget != measure.limit:
        raise UsageError(
            f"the budget {budget} and the limit of '{measure}' differ; give one of them"
        )
    room = budget or measure.limit
    if room is None:
        raise UsageError(
            'there is no budget; give one with its unit, such as `budget="100w"` or 665b'
        )
    return Task(topic, replace(measure, limit=None if whole_references else room), room, pool)


def check_oracle_task(task: Task, *, chop: bool) -> None:
    """Refuse a topic whose sentences cannot make a text that matches at all."""
    name, budget = task.topic.id, task.budget
    if not task.places:
        raise DataError("there is no sentence; add documents", place=f"topic '{name}'")
    pieces = task.instances[0].pieces
    shortest = min((piece.length for piece in pieces if piece.tokens), default=0)
    if not chop and shortest > budget.size:
        raise DataError(
            f"no sentence fits into {budget.size} {budget.unit}, the shortest has "
            f"{shortest}; raise the budget, or choose a method that chops",
            place=f"topic '{name}'",
        )
    if any(_can_match(one, chop=chop) for one in task.instances):
        return
    if any(piece.matches for one in task.instances for piece in one.pieces):
        raise DataError(
            f"no sentence that matches the references fits into {budget.size} "
            f"{budget.unit}; raise the budget{'' if chop else ', or choose a method that chops'}",
            place=f"topic '{name}'",
        )
    raise DataError(
        "no sentence matches the references; check that they are about the same documents",
        place=f"topic '{name}'",
    )


def _can_match(setting: Problem, *, chop: bool) -> bool:
    """Whether a sentence, the beginning of one, or several that meet can match at all."""
    fits = [piece for piece in setting.pieces if piece.length <= setting.budget.size]
    if any(piece.matches for piece in fits):
        return True
    cut = setting.endings if chop else ()
    return any(end.matches for end in cut) or bool(setting.crossings(fits, cut))
