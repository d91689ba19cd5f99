"""The report's first sentences: who is ahead, by how much, and how sure that is."""

import math
from statistics import median

from chronoscore.errors import number_with_noun
from chronoscore.reports.score_page.contents import Contents, Share
from chronoscore.reports.tables import format_level
from chronoscore.stats.boards import Board
from chronoscore.stats.compare import SystemPair, smallest_adjusted_p
from chronoscore.stats.power import POWER


def conclusions(contents: Contents) -> list[str]:
    """What the first measure shows, in sentences; the last may be a caution."""
    board = contents.boards[0]
    figures = [one for one in board.figures if not math.isnan(one.value)]
    if not figures:
        return [f"No system has a defined {board.name}."]
    if len(figures) == 1:
        one = figures[0]
        level = format_level(contents.resampling.level)
        bounds = f" ({level} interval {one.low:.3f}–{one.high:.3f})"
        interval = "" if math.isnan(one.low) else bounds
        return [
            f"{one.system} reaches {one.value:.3f} {board.name}{interval}.",
            *_share_sentence(contents.share_of(board), one.system),
        ]
    first, second = figures[0], figures[1]
    return [
        _leader_sentence(board, first.system, second.system, abs(first.value - second.value)),
        *_share_sentence(contents.share_of(board), first.system),
        *_other_leaders(contents, first.system),
    ]


def _leader_sentence(board: Board, first: str, second: str, margin: float) -> str:
    """Who is ahead of whom, and on how many topics."""
    won, topics = board.wins(first, second)
    if margin == 0:
        return f"{first} and {second} are tied for first by {board.name}."
    where = f"and wins on {won} of {topics} topics"
    if topics == 1:
        where = "on the only topic"
    elif won < board.wins(second, first)[0]:
        where = f"but wins on only {won} of {topics} topics"
    by = f"{margin:.3f}" if margin >= 0.0005 else "less than 0.001"
    return f"{first} is ahead of {second} by {by} {board.name} {where}."


def _share_sentence(reached: Share | None, system: str) -> list[str]:
    """How near the best system is to its ceiling, where that is known."""
    share = reached.shares.get(system, math.nan) if reached else math.nan
    if reached is None or math.isnan(share):
        return []
    if reached.kind != "extractive":
        return [f"It reaches {share:.0%} of what {reached.kind} could score."]
    best = "the best extract of the documents, as long as the references,"
    if share > 1:
        return [
            f"It scores {share:.2f} times what {best} could score; a system that rewrites, or "
            "writes more, is not bound by that."
        ]
    return [f"It reaches {share:.0%} of what {best} could score."]


def _other_leaders(contents: Contents, leader: str) -> list[str]:
    """The measures by which another system leads."""
    others: dict[str, list[str]] = {}
    for board in contents.boards[1:]:
        if board.figures and not math.isnan(board.figures[0].value):
            best = board.figures[0].value
            top = [one.system for one in board.figures if one.value == best]
            if leader not in top:
                others.setdefault(top[0], []).append(board.name)
    return [f"By {' and '.join(names)}, {system} is ahead." for system, names in others.items()]


def describe_power(contents: Contents) -> str:
    """The smallest difference that the topics can detect; empty where nothing can be told."""
    board = contents.boards[0]
    known = sorted(one.detectable for one in board.pairs if math.isfinite(one.detectable))
    if not known or not board.can_differ(contents.resampling.level):
        return ""
    least, most = f"{known[0]:.3f}", f"{known[-1]:.3f}"
    spread = f"{least}–{most} over pairs of systems; " if least != most else ""
    topics = number_with_noun(max(pair.topics for pair in board.pairs), "topic")
    return (
        f"The smallest difference that {topics} can detect is {median(known):.3f} {board.name} "
        f"({spread}power {POWER:g}, p ≤ {1 - contents.resampling.level:.2g} before correction)."
    )


def _share_topics(contents: Contents) -> bool:
    """Whether any two systems have an output for the same topic, as far as that is known."""
    machines = [run for run in contents.shown_runs if not run.human]
    topics = [topic for run in machines for topic in run.outputs]
    return len(machines) < 2 or len(set(topics)) < len(topics)


def _test_of_lead(contents: Contents) -> SystemPair | None:
    """The test of the first system against the second."""
    board = contents.boards[0]
    if len(board.figures) < 2:
        return None
    return board.pair(board.figures[0].system, board.figures[1].system)


def is_lead_significant(contents: Contents) -> bool:
    """Whether the lead was tested and is more than chance; what is said of it is no caution."""
    test = _test_of_lead(contents)
    return _share_topics(contents) and test is not None and test.significant


def caution(contents: Contents) -> str:
    """Whether the lead could have been chance, in one sentence; empty if nothing was tested."""
    board = contents.boards[0]
    if not _share_topics(contents):
        return (
            "No topic has outputs of two systems, so the figures are of different topics and do "
            "not compare the systems. Give outputs for the same topics."
        )
    least = smallest_adjusted_p(board.pairs)
    if len(board.figures) < 2 or math.isnan(least):
        return ""
    if not board.can_differ(contents.resampling.level):
        topics = number_with_noun(max(pair.topics for pair in board.pairs), "topic")
        pairs = len(board.pairs)
        tests = f" and {pairs} pairs of systems" if pairs > 1 else ""
        return (
            f"With {topics}{tests}, the smallest possible adjusted p is {least:.2g}, so no "
            "difference can be significant. Add topics to test it."
        )
    test = _test_of_lead(contents)
    if test is None or math.isnan(test.adjusted):
        return ""
    word = "is significant" if test.significant else "may be chance"
    if test.differs_otherwise(contents.resampling.level):
        return (
            "The lead may be chance: 0 lies in the interval of the difference. The two systems "
            f"differ in other ways (p = {test.adjusted:.2g} after Holm's correction)."
        )
    return (
        f"The lead {word} (p = {test.adjusted:.2g} after Holm's correction, {test.topics} topics)."
    )
