"""Do the systems' topics fit those of the collection?"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from chronoscore.core import Collection, Run
from chronoscore.errors import DataError, did_you_mean, number_with_noun, warn

_MOST_TOPICS = 10
"""Topics that are all named where one is unknown."""


def group_runs(runs: Sequence[Run]) -> list[list[int]]:
    """The places of each system's runs; a run without a name of its own is a system by itself."""
    groups: dict[tuple[str, int], list[int]] = {}
    for place, run in enumerate(runs):
        groups.setdefault((run.system, -1 if run.name else place), []).append(place)
    return list(groups.values())


def runs_to_show(runs: Sequence[Run]) -> list[Run]:
    """One run of each system, where one output for a topic is shown: that of the first run."""
    shown: list[Run] = []
    for places in group_runs(runs):
        first = runs[places[0]]
        if len(places) > 1:
            later = [runs[place] for place in reversed(places)]
            first = replace(
                first,
                outputs={topic: out for run in later for topic, out in run.outputs.items()},
                unreadable={topic: why for run in later for topic, why in run.unreadable.items()},
                name="",
            )
        shown.append(first)
    return shown


def topics_of_systems(runs: Sequence[Run]) -> dict[str, set[str]]:
    """The topics for which any run of a system has an answer, readable or not."""
    topics: dict[str, set[str]] = {}
    for run in runs:
        topics.setdefault(run.system, set()).update(run.outputs, run.unreadable)
    return topics


def check_topics(runs: Sequence[Run], collection: Collection, *, skipped: bool = False) -> None:
    """Refuse unknown topics; warn once of missing ones, which are scored as empty or skipped."""
    skipped = skipped or any(run.skips for run in runs)
    becomes = "left out of its means" if skipped else "scored as empty"
    lacking: dict[str, list[str]] = {}
    written = topics_of_systems(runs)
    for run in runs:
        _refuse_unknown(run, collection)
        missing = [topic for topic in collection.topics if topic not in written[run.system]]
        if missing and not run.human:
            lacking[run.system] = missing
    if lacking:
        system, missing = next(iter(lacking.items()))
        more = f"; {len(lacking)} runs lack topics" if len(lacking) > 1 else ""
        warn(
            f"run '{system}': no output for {len(missing)} of {len(collection)} topics, "
            f"'{missing[0]}' first; {becomes}{more}",
            kind="missing-outputs",
        )
    _warn_of_fewer_runs(runs, collection, written)


def _warn_of_fewer_runs(
    runs: Sequence[Run], collection: Collection, written: dict[str, set[str]]
) -> None:
    """Warn once of topics that some runs of a system have and others lack."""
    fewer = [
        (run, [topic for topic in collection.topics if topic in written[run.system] - _own(run)])
        for run in runs
        if run.name and not run.human
    ]
    lacking = [(run, topics) for run, topics in fewer if topics]
    if lacking:
        run, topics = lacking[0]
        more = f"; {len(lacking)} runs lack topics" if len(lacking) > 1 else ""
        warn(
            f"run '{run.label}': no output for {number_with_noun(len(topics), 'topic')} that other "
            f"runs have, '{topics[0]}' first; a topic counts by the runs that it has{more}",
            kind="missing-runs",
        )


def _own(run: Run) -> set[str]:
    """The topics for which a run has an answer, readable or not."""
    return {*run.outputs, *run.unreadable}


def _refuse_unknown(run: Run, collection: Collection) -> None:
    """Refuse outputs for topics that the collection does not have."""
    unknown = [topic for topic in run.outputs if topic not in collection.topics]
    if not unknown:
        return
    more = f" ({len(unknown)} unknown in all)" if len(unknown) > 1 else ""
    foreign = _foreign_letters(unknown[0], collection.topics)
    raise DataError(
        f"run '{run.label}': no such topic '{unknown[0]}'{foreign}{more}: "
        f"{_describe_topics(unknown[0], collection)}; "
        "score against the collection it was made for"
        + (
            f", or give several systems' files as such: {run.label}/*"
            if len(collection) == 1
            else ""
        )
    )


def _describe_topics(unknown: str, collection: Collection) -> str:
    """The topics that the references have, the nearest to an unknown one or all of a few."""
    topics = [*collection.topics]
    if len(topics) == 1:
        return f"the reference is of one topic, '{topics[0]}'"
    near = did_you_mean(unknown, topics, "they are")
    # A long list helps nobody.
    shown = near if len(topics) <= _MOST_TOPICS or near.endswith("?") else f"'{topics[0]}' first"
    return f"the reference has {len(topics)} topics; {shown}"


def _foreign_letters(name: str, topics: Iterable[str]) -> str:
    """The first letter of each alphabet that no topic is written in: it may look like another."""
    known = set(map(_alphabet, "".join(topics)))
    found = {_alphabet(letter): letter for letter in reversed(name) if letter.isalpha()}
    told = [
        f"'{one}' is {alphabet.title()}" for alphabet, one in found.items() if alphabet not in known
    ]
    return f" (its {', '.join(told)})" if told else ""


def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
