"""How files lie: which part of their names is the topic, and which the system or the author."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from statistics import mean

from chronoscore.formats.corpora.run_folders import are_numbered_runs
from chronoscore.projects.names import speaks_for
from chronoscore.projects.survey import SurveyedFile

SEPARATORS = (".", "__", "_", "-")
FEW = 60
"""Values of a part of names from which on none of them is looked at as a side's."""
ALIKE = 0.1
"""From which share of common words on files may be of one topic."""
CLEAR = 1.5
"""By how much the best guess must be ahead."""


@dataclass(frozen=True)
class SideLayout:
    """One side: its files taken apart, and the part that names the topic."""

    files: tuple[SurveyedFile, ...]
    pieces: tuple[tuple[str, ...], ...]
    """The parts of each file's name."""
    separator: str
    """What the last part was split at, if it was."""
    split: int
    """Into how many."""
    topic: int | None
    """The part that names the topic; none where files name topics themselves, or there is one."""
    left_out: tuple[SurveyedFile, ...] = ()

    @cached_property
    def varying(self) -> list[int]:
        """The parts that differ from file to file, the topic's aside."""
        return [
            place
            for place, values in enumerate(zip(*self.pieces, strict=True))
            if len({*values}) > 1 and place != self.topic and place not in self.bound
        ]

    @cached_property
    def bound(self) -> frozenset[int]:
        """The parts that come with the topic and say no more than it, such as its number."""
        if self.topic is None:
            return frozenset()
        own = [one[self.topic] for one in self.pieces]
        known = len({*own})
        return frozenset(
            place
            for place, values in enumerate(zip(*self.pieces, strict=True))
            if place != self.topic
            and len({*values}) == known == len({*zip(values, own, strict=True)}) > 2
        )

    @cached_property
    def topics(self) -> frozenset[str]:
        """The names of topics."""
        if self.topic is not None:
            return frozenset(one[self.topic].casefold() for one in self.pieces)
        return frozenset(topic.casefold() for file in self.files for topic in file.topics)

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """Of each file whose it is: its system or author, and perhaps its run."""
        varying = self.varying
        return [tuple(one[place] for place in varying) for one in self.pieces]

    @cached_property
    def has_runs(self) -> bool:
        """Whether the last part that is left numbers runs of a system."""
        last = {one[-1] for one in self.names if one}
        return self.topic is not None and bool(last) and are_numbered_runs(last)

    @cached_property
    def is_sound(self) -> bool:
        """Whether each topic has one file of everybody."""
        keys = [
            (name, None if self.topic is None else one[self.topic])
            for name, one in zip(self.names, self.pieces, strict=True)
        ]
        return len({*keys}) == len(keys)


@dataclass(frozen=True)
class SideGuess:
    """Which files are systems and which references, and how much speaks for it."""

    systems: SideLayout
    references: SideLayout
    weight: float

    @property
    def key(self) -> frozenset[str]:
        """What tells one guess from another."""
        return frozenset(str(one.path) for one in self.references.files)


def layouts_of(files: Sequence[SurveyedFile]) -> Iterator[SideLayout]:
    """All ways in which the names of some files may be read."""
    lengths = [len(one.parts) for one in files]
    usual = max({*lengths}, key=lengths.count)
    kept = tuple(one for one in files if len(one.parts) == usual)
    rest = tuple(one for one in files if len(one.parts) != usual)
    own = all(one.topics for one in kept)
    for separator, split in (("", 1), *product(SEPARATORS, (2, 3, 4))):
        pieces = _take_apart(kept, separator, split)
        if not pieces:
            continue
        count = len(pieces[0])
        places: list[int | None] = [
            place for place in range(count) if len({one[place] for one in pieces}) > 1
        ]
        if not separator and len(kept) == 1 and not own:
            places.append(count - 1)
        for topic in [None] if own else [*places, None]:
            found = SideLayout(kept, tuple(pieces), separator, split, topic, rest)
            if found.is_sound:
                yield found


def _take_apart(files: Sequence[SurveyedFile], separator: str, split: int) -> list[tuple[str, ...]]:
    """The folders of each file and the pieces of its name; none if a name has fewer or more.

    Two pieces part at the first separator, whatever follows.
    """
    pieces = []
    for one in files:
        *folders, stem = one.parts
        most = 1 if split == 2 else -1
        names = stem.split(separator, most) if separator else [stem]
        if len(names) != split or not all(names):
            return []
        pieces.append((*folders, *names))
    return pieces


def rank_guesses(files: Sequence[SurveyedFile]) -> list[SideGuess]:
    """What may be the references, the best guess first; each set of files once."""
    best: dict[frozenset[str], SideGuess] = {}
    for value, chosen in _candidates(files):
        theirs_paths = {one.path for one in chosen}
        others = [one for one in files if one.path not in theirs_paths]
        for mine, theirs in product([*layouts_of(others)], [*layouts_of(chosen)]):
            guess = SideGuess(mine, theirs, _weigh(mine, theirs, value))
            if guess.weight > 0 and (
                guess.key not in best or guess.weight > best[guess.key].weight
            ):
                best[guess.key] = guess
    return sorted(best.values(), key=lambda one: -one.weight)


def _candidates(
    files: Sequence[SurveyedFile],
) -> Iterator[tuple[str, list[SurveyedFile]]]:
    """Sets of files that have a part of their names in common."""
    marks: dict[tuple[int, str], list[SurveyedFile]] = {}
    for one in files:
        for place, part in enumerate(one.parts):
            position = place if place < len(one.parts) - 1 else -1
            words = {part, re.sub(r"[\W\d_]+$", "", part)}
            if position == -1:
                for sign in SEPARATORS:
                    first, _, second = part.partition(sign)
                    words |= {first, second, re.sub(r"[\W\d_]+$", "", second)}
            for word in words - {""}:
                marks.setdefault((position, word), []).append(one)
    for position in {place for place, _ in marks}:
        values = [value for place, value in marks if place == position]
        for value in values:
            chosen = marks[position, value]
            if len(chosen) < len(files) and (len(values) <= FEW or speaks_for(value) > 0):
                yield value, chosen


def _weigh(mine: SideLayout, theirs: SideLayout, mark: str) -> float:
    """How much speaks for two sides: topics that both have, how files lie, and names last."""
    ours, known = mine.topics, theirs.topics
    if bool(ours) != bool(known):
        return 0.0
    if ours:
        shared = len(ours & known) / len(ours | known)
    else:
        if len(_varying_parts(mine) & _varying_parts(theirs)) > 1:
            return 0.0  # Names that both sides have are topics.
        # One topic: nothing but what the files say shows that it is the same.
        alike = _compare_words(mine, theirs) >= ALIKE or speaks_for(mark) > 0
        own = _are_alike(mine.files) and _are_alike(theirs.files)
        shared = 0.7 if alike and own else 0.0
    if shared < 0.3:
        return 0.0
    weight = 10 * shared + 3 * speaks_for(mark)
    weight -= 10 * len(mine.left_out + theirs.left_out) / (len(mine.files) + len(theirs.files))
    weight -= 0.3 * (mine.split + theirs.split - 2)
    weight += _weigh_names(mine) - _weigh_names(theirs)
    if theirs.topic is not None:
        counts = Counter(one[theirs.topic].casefold() for one in theirs.pieces)
        weight += 1.5 * (len({*counts.values()}) > 1)
    if theirs.varying and all(name[-1].isdigit() for name in theirs.names):
        weight += 1.0
    weight -= 0.5 * max(0, len(theirs.varying) - 1)
    weight += 6 * _compare_words(mine, theirs)
    return weight - 0.5 * max(0, len(mine.varying) - 1 - mine.has_runs)


def _varying_parts(side: SideLayout) -> set[str]:
    """The parts of names that not all files of a side have."""
    columns = (set(values) for values in zip(*side.pieces, strict=True))
    return {part for values in columns if len(values) > 1 for part in values}


def _compare_words(mine: SideLayout, theirs: SideLayout) -> float:
    """How much more files share that are of one topic than files of different topics.

    Where there is only one topic, how much they share.
    """
    same: list[float] = []
    other: list[float] = []
    step = max(1, len(mine.files) // 12)
    known = [*zip(theirs.files, theirs.pieces, strict=True)]
    known = known[:: max(1, len(known) // 40)]
    for file, pieces in [*zip(mine.files, mine.pieces, strict=True)][::step]:
        for reference, names in known:
            if not file.words or not reference.words:
                continue
            shared = len(file.words & reference.words) / len(file.words | reference.words)
            if mine.topic is None or theirs.topic is None:
                same.append(shared)
            else:
                is_same = pieces[mine.topic].casefold() == names[theirs.topic].casefold()
                (same if is_same else other).append(shared)
    if not same or not (other or mine.topic is None):
        return 0.0
    return float(max(-0.5, min(0.5, mean(same) - (mean(other) if other else 0))))


def _are_alike(files: Sequence[SurveyedFile]) -> bool:
    """Whether files seem to be of one topic."""
    known = [one.words for one in files if one.words][:12]
    shared = [len(a & b) / len(a | b) for a, b in combinations(known, 2)]
    return not shared or mean(shared) >= ALIKE


def _weigh_names(side: SideLayout) -> float:
    """2 if the names of a side are those of systems, -2 if any is one of references."""
    parts = {part for one in side.pieces for place, part in enumerate(one) if place != side.topic}
    spoken = {speaks_for(part) for part in parts}
    return -2.0 if 1 in spoken else 2.0 if -1 in spoken else 0.0
