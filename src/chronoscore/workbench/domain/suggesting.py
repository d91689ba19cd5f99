"""Which candidates may mean the same event: suggestions for those who merge.

Two candidates of different judges are alike by the words they share (rare ones count more),
by the sentence they were noted from, and by the day of its story. Groups are joined best
first, and a group has one candidate of each judge, since judges note an event once. The same
candidates always give the same groups.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from math import log

from chronoscore.text.languages import detect_language
from chronoscore.text.preparation import Preparation
from chronoscore.text.unicode import split_into_words, tokenize
from chronoscore.workbench.domain.queries.stream import CandidateEvent
from chronoscore.workbench.store.source import TopicSource

WORDS, SENTENCE, DAY = 0.55, 0.3, 0.15
"""How much shared words, the source sentence and its day count."""
ENOUGH = 0.35
"""How alike the candidates of a group are on average, at least."""
MOST_SHOWN = 4


@dataclass(frozen=True)
class Suggestion:
    """Candidates that may mean the same event, the one noted first in front, and why."""

    candidates: tuple[CandidateEvent, ...]
    why: str


@dataclass(frozen=True)
class _Features:
    """What candidates are compared by.

    `words` are the stems of their words, each with a word as it was written; `context` has the
    stems of the sentence too.
    """

    words: dict[str, str]
    context: frozenset[str]
    sentence: str
    day: date | None


def suggest_groups(
    candidates: Sequence[CandidateEvent], source: TopicSource
) -> tuple[Suggestion, ...]:
    """Groups of candidates in the order of the stream; what is like nothing else is alone."""
    everyone = sorted(
        candidates,
        # Ids are drawn by chance, and decide only where nothing else does.
        key=lambda one: (source.by_id[one.sentence].place, one.name, one.text, one.id),
    )
    language = detect_language([one.text for one in everyone])
    features = [_describe(one, source, language) for one in everyone]
    weights = _weigh(features)
    alike = {
        (first, second): _compare(features[first], features[second], weights)
        for first, second in combinations(range(len(everyone)), 2)
        if everyone[first].person != everyone[second].person
    }
    groups = _join(everyone, {pair: score for pair, score in alike.items() if score >= ENOUGH / 2})
    return tuple(
        Suggestion(
            tuple(everyone[at] for at in group),
            _explain([features[at] for at in group], weights, source),
        )
        for group in sorted(groups)
    )


def _describe(one: CandidateEvent, source: TopicSource, language: str) -> _Features:
    preparation = Preparation(name="unicode", stem=True, stop=True, language=language)
    words: dict[str, str] = {}
    for word in split_into_words(one.text):
        for stem in tokenize(word, preparation):
            words.setdefault(stem, word)
    sentence = source.by_id[one.sentence]
    context = frozenset((*words, *tokenize(sentence.text, preparation)))
    return _Features(words, context, one.sentence, _day(source, sentence.story))


def _day(source: TopicSource, story: str) -> date | None:
    try:
        return date.fromisoformat(source.story[story].time[:10])
    except ValueError:
        return None


def _weigh(features: Iterable[_Features]) -> dict[str, float]:
    """A word that few candidates and sentences have says more than one that all have."""
    every = [one.context for one in features]
    counts = Counter(word for words in every for word in words)
    return {word: log(1 + len(every) / count) for word, count in counts.items()}


def _compare(one: _Features, other: _Features, weights: dict[str, float]) -> float:
    """How alike two candidates are, from 0 to 1."""
    words = _overlap(one.words, other.words, weights)
    same = one.sentence == other.sentence
    near = 1.0 if same else _overlap(one.context, other.context, weights)
    apart = _days_apart(one, other)
    together = 0.0 if apart is None else max(0.0, 1 - apart / 3)
    return WORDS * words + SENTENCE * near + DAY * together


def _overlap(one: Iterable[str], other: Iterable[str], weights: dict[str, float]) -> float:
    """The weight of shared words among all words of two texts (Dice's coefficient)."""
    first, second = set(one), set(other)
    total = sum(weights[word] for word in sorted(first)) + sum(
        weights[word] for word in sorted(second)
    )
    return 2 * sum(weights[word] for word in sorted(first & second)) / total if total else 0.0


def _days_apart(one: _Features, other: _Features) -> int | None:
    if one.day is None or other.day is None:
        return None
    return abs((one.day - other.day).days)


def _join(
    everyone: Sequence[CandidateEvent], alike: dict[tuple[int, int], float]
) -> list[tuple[int, ...]]:
    """Join groups best first while they are alike on average and share no judge."""
    group: dict[int, tuple[int, ...]] = {at: (at,) for at in range(len(everyone))}
    for (first, second), score in sorted(alike.items(), key=lambda pair: (-pair[1], pair[0])):
        one, other = group[first], group[second]
        if score < ENOUGH or one == other:
            continue
        if {everyone[at].person for at in one} & {everyone[at].person for at in other}:
            continue
        pairs = [tuple(sorted((left, right))) for left in one for right in other]
        if sum(alike.get((pair[0], pair[1]), 0.0) for pair in pairs) < ENOUGH * len(pairs):
            continue
        joined = tuple(sorted(one + other))
        group.update(dict.fromkeys(joined, joined))
    return list(dict.fromkeys(group.values()))


def _explain(group: list[_Features], weights: dict[str, float], source: TopicSource) -> str:
    """What the candidates of a group share, in words."""
    if len(group) == 1:
        return "alone: nothing similar"
    shared = [_shared_words(group, weights), _distance(group), _shared_sentence(group, source)]
    return " · ".join(filter(None, shared)) or "told in similar sentences"


def _shared_words(group: list[_Features], weights: dict[str, float]) -> str:
    """The rarest words that several of the candidates have, as the first of them writes them."""
    counts = Counter(stem for one in group for stem in one.words)
    shared = [stem for stem, count in counts.items() if count > 1]
    heaviest = sorted(shared, key=lambda stem: -weights[stem])[:MOST_SHOWN]
    written = {stem: one.words[stem] for one in reversed(group) for stem in one.words}
    return f"share “{', '.join(written[stem] for stem in heaviest)}”" if heaviest else ""


def _distance(group: list[_Features]) -> str:
    """How far apart the candidates' days are, where all have one."""
    days = [one.day for one in group if one.day is not None]
    if len(days) < len(group):
        return ""
    gap = (max(days) - min(days)).days
    return ("same day", "a day apart")[gap] if gap < 2 else f"{gap} days apart"


def _shared_sentence(group: list[_Features], source: TopicSource) -> str:
    """The sentence that several candidates were noted at."""
    sentence, times = Counter(one.sentence for one in group).most_common(1)[0]
    if times < 2:
        return ""
    every = "both" if len(group) == 2 else "all" if times == len(group) else str(times)
    return f"sentence {source.label(sentence)} in {every}"
