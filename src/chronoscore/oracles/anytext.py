"""What any text at all of the budget could reach, extractive or not, sense or nonsense.

Words by themselves: the worthiest copies that there is room for. Runs of words need more
care, as not every set of runs is a text: a bound, and a text that shows how near one can come.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from chronoscore.oracles.problem import Problem, Tokens, grams, lift_length_limit
from chronoscore.oracles.program import ConstraintRows
from chronoscore.oracles.solvers import Effort, Program, solve_program
from chronoscore.oracles.summaries import Task
from chronoscore.oracles.trails import trail_ceiling
from chronoscore.text.limits import exact_bytes
from chronoscore.text.plain import prepare_text

DECIMALS = 1e-9


@dataclass(frozen=True)
class AnyText:
    """The best recall of a text that we can write, and what no text can exceed."""

    value: float
    bound: float
    text: tuple[str, ...]

    @property
    def certain(self) -> bool:
        """Whether the text reaches the bound."""
        return self.bound - self.value <= DECIMALS


def any_text_ceiling(task: Task, *, seconds: float | None = 60.0) -> AnyText:
    """The ceiling for a topic; where only the best reference counts, the best of them all."""
    found = [_ceiling_for_references(task, setting, seconds) for setting in task.instances]
    best = max(found, key=lambda one: one.value)
    return AnyText(best.value, max(best.value, *(one.bound for one in found)), best.text)


def _ceiling_for_references(task: Task, setting: Problem, seconds: float | None) -> AnyText:
    """The ceiling for one set of references."""
    words = task.budget.unit == "words"
    if setting.n == 1:
        bound, text = _word_ceiling(task, setting) if words else _byte_ceiling(task, setting)
    elif setting.n == 2 and words:
        bound, text = _pair_ceiling(task, setting, seconds)
    else:
        bound, text = _run_bound(task, setting), ()
    value = task.recall(text) if text else 0.0
    return AnyText(value, max(value, bound * setting.wanted.scale), text)


def _word_ceiling(task: Task, setting: Problem) -> tuple[float, tuple[str, ...]]:
    """Words within a budget of words: the worthiest copies, each taking one.

    What the documents and references write as one word may be several to ROUGE, as
    'well-known' is; such words are weighed against the rest by a program.
    """
    forms = _shortest_forms(task, setting)
    joined = _joined_words(task, setting)
    if joined:
        return _joined_word_ceiling(setting, forms, joined, task.budget.size)
    units = sorted(_gram_copies(setting), key=lambda unit: -unit[0])[: task.budget.size]
    return sum(worth for worth, _ in units), tuple(forms[gram] for _, gram in units)


def _joined_words(task: Task, setting: Problem) -> dict[str, dict[int, int]]:
    """Words of the texts that have several wanted tokens, with what they match."""
    uncut = lift_length_limit(setting.preparation)
    found: dict[str, dict[int, int]] = {}
    for word in {word for text in _texts_of_task(task) for word in text.split()}:
        if not _plain_word(word):
            matches = setting.wanted.matches(prepare_text([word], uncut).tokens)
            if sum(matches.values()) > 1:
                found[word] = matches
    return found


def _joined_word_ceiling(
    setting: Problem, forms: dict[int, str], joined: dict[str, dict[int, int]], size: int
) -> tuple[float, tuple[str, ...]]:
    """Choose how often to write each word, those of several tokens among them."""
    from scipy.sparse import csr_array

    written = [*((form, {number: 1}) for number, form in forms.items()), *joined.items()]
    rows, gains, upper = ConstraintRows(), [0.0] * len(written), [float(size)] * len(written)
    rows.add([(c, 1.0) for c in range(len(written))], size)
    having: dict[int, list[tuple[int, float]]] = {}
    for column, (_, matches) in enumerate(written):
        for gram, count in matches.items():
            having.setdefault(gram, []).append((column, -float(count)))
    for gram, entries in having.items():
        steps = []
        for worth, many in setting.wanted.steps(gram):
            steps.append((len(gains), 1.0))
            gains.append(worth)
            upper.append(float(many))
        rows.add([*steps, *entries])
    shape = (len(rows.most), len(gains))
    program = Program(
        np.array(gains),
        csr_array((rows.value, (rows.row, rows.column)), shape=shape),
        np.array(rows.most),
        np.array(upper),
        np.arange(len(gains)) < len(written),
    )
    found = solve_program(program, Effort(30.0))
    if found.values is None:
        return found.bound, ()
    times = np.round(found.values[: len(written)]).astype(int)
    text = [word for (word, _), many in zip(written, times, strict=True) for _ in range(many)]
    return found.bound, (" ".join(text),)


def _byte_ceiling(task: Task, setting: Problem) -> tuple[float, tuple[str, ...]]:
    """Words within a budget of bytes: a knapsack of copies.

    ROUGE does not count line ends, so that a text of one word a line has no blanks to pay.
    """
    forms = _shortest_forms(task, setting)
    units = [
        (worth, len(exact_bytes(forms[gram])), forms[gram]) for worth, gram in _gram_copies(setting)
    ]
    bound, taken = solve_knapsack([(w, c) for w, c, _ in units], task.budget.size)
    return bound, tuple(units[number][2] for number in taken)


def solve_knapsack(units: Sequence[tuple[float, int]], size: int) -> tuple[float, list[int]]:
    """The most that units with a worth and a cost can be worth within a size, and which.

    >>> solve_knapsack([(3.0, 2), (4.0, 3), (4.0, 3)], 5)
    (7.0, [0, 1])
    """
    best = np.zeros(size + 1)
    taken = np.zeros((len(units), size + 1), dtype=bool)
    for number, (worth, cost) in enumerate(units):
        if cost <= size:
            with_it = best[: size + 1 - cost] + worth
            better = with_it > best[cost:] + 1e-12
            taken[number, cost:] = better
            best[cost:][better] = with_it[better]
    room, chosen = size, []
    for number in reversed(range(len(units))):
        if taken[number, room]:
            chosen.append(number)
            room -= units[number][1]
    return float(best[size]), chosen[::-1]


def _pair_ceiling(
    task: Task, setting: Problem, seconds: float | None
) -> tuple[float, tuple[str, ...]]:
    """Pairs of words within a budget of words: trails through the graph of pairs."""
    bound, words = trail_ceiling(setting.wanted, setting.budget.size, seconds)
    if _inner_pairs(task, setting):
        bound = _run_bound(task, setting)
    forms = _shortest_tokens(task, setting, set(words))
    return bound, (" ".join(forms[word] for word in words),) if words else ()


def _run_bound(task: Task, setting: Problem) -> float:
    """A bound for longer runs, or for bytes, without a text that reaches it.

    A text has n − 1 fewer runs than words. Where the texts write several words as one, as
    'well-known', a run may end within such a word at no cost, and any other ends with a
    word's first token. In bytes, every word is in n runs at most, so that a run costs at
    least one n-th of its words.
    """
    n, size = setting.n, task.budget.size
    if task.budget.unit == "words":
        inner = _inner_pairs(task, setting)
        free = {number for gram, number in setting.wanted.numbers.items() if gram[-2:] in inner}
        paid = sorted(
            (worth for worth, gram in _gram_copies(setting) if gram not in free), reverse=True
        )
        most = size - 1 if inner else size - n + 1
        return sum(paid[: max(0, most)]) + sum(
            w for w, gram in _gram_copies(setting) if gram in free
        )
    shortest = _shortest_tokens(task, setting, {t for gram in setting.wanted.numbers for t in gram})
    cost = {
        number: sum(len(exact_bytes(shortest[token])) for token in gram)
        for gram, number in setting.wanted.numbers.items()
    }
    return solve_knapsack([(worth, cost[gram]) for worth, gram in _gram_copies(setting)], n * size)[
        0
    ]


def _inner_pairs(task: Task, setting: Problem) -> set[Tokens]:
    """The pairs of tokens that stand side by side in a single word of the texts."""
    uncut = lift_length_limit(setting.preparation)
    words = {
        word for text in _texts_of_task(task) for word in text.split() if not _plain_word(word)
    }
    return {pair for word in words for pair in grams(prepare_text([word], uncut).tokens, 2)}


def _plain_word(word: str) -> bool:
    """Whether a word is certainly one token; Chinese writes many without a blank."""
    return word.isascii() and word.isalnum()


def _gram_copies(setting: Problem) -> Iterable[tuple[float, int]]:
    """Every copy of every gram: its worth and the gram's number."""
    for gram, worths in enumerate(setting.wanted.worths):
        for worth in worths:
            if worth > 0:
                yield worth, gram


def _texts_of_task(task: Task) -> Iterable[str]:
    """All sentences of the references and documents."""
    for reference in task.references:
        yield from reference.sentences
    for document in task.topic.documents:
        for sentence in document.sentences:
            yield sentence.text


def _shortest_forms(task: Task, setting: Problem) -> dict[int, str]:
    """The shortest way to write each wanted word, by its number."""
    shortest = _shortest_tokens(task, setting, {gram[0] for gram in setting.wanted.numbers})
    return {number: shortest[gram[0]] for gram, number in setting.wanted.numbers.items()}


def _shortest_tokens(task: Task, setting: Problem, tokens: set[str]) -> dict[str, str]:
    """The shortest form of each token that occurs; the token itself if that is one."""
    uncut = lift_length_limit(setting.preparation)

    def read(form: str) -> Tokens:
        return prepare_text([form], uncut).tokens

    found: dict[str, str] = {}
    known = {form for text in _texts_of_task(task) for form in _separate_forms(text)} | tokens
    for form in sorted(known, key=lambda one: (len(exact_bytes(one)), one)):
        read_as = read(form)
        if len(read_as) == 1 and read_as[0] in tokens:
            found.setdefault(read_as[0], form)
    return {token: found.get(token, token) for token in tokens}


def _separate_forms(text: str) -> Iterable[str]:
    """The runs of letters and digits of a text."""
    plain = "".join(c if c.isalnum() else " " for c in text)
    return plain.split()
