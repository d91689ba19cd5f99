"""What machine judges and people judged alike, for `agree`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from chronoscore.core import Judgements, Pyramid, Topic
from chronoscore.data.machines import (
    NUGGET_LABELS,
    Gathered,
    MachineSources,
    check_version,
    gather_machines,
    topics_by_machine,
)
from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.stats.decisions import (
    LINK_LABELS,
    UNIT_LABELS,
    Decisions,
    join_blocks,
    link_block,
    nugget_blocks,
    unit_block,
)


def pair_decisions(
    people: Gathered, matchers: Mapping[str, Sequence[tuple[str, Pyramid]]], machine: MachineSources
) -> list[Decisions]:
    """Pair what machines judged with what people did: links, nuggets and units, each if there."""
    theirs = gather_machines(machine, people.nugget_topics)
    _check_names(machine, people)
    own_files = topics_by_machine(theirs)
    links = [
        link_block(
            topic.id,
            topic.judgements,
            dict(_machine_links(own_files, topic, place)),
            machine.names,
        )
        for place, topic in people.topics
        if topic.judgements is not None and topic.judgements.sentences and topic.judgements.events
    ]
    units = [
        unit_block(topic, dict(own), machines)
        for topic, own in matchers.items()
        if (machines := dict(_unit_topics(theirs, topic)))
    ]
    labeled = [*people.nuggets, *theirs.nuggets]
    found = [
        join_blocks(blocks, labels)
        for blocks, labels in (
            (links, LINK_LABELS),
            (nugget_blocks(labeled, theirs.nugget_topics), NUGGET_LABELS),
            (units, UNIT_LABELS),
        )
        if blocks
    ]
    found = [one for one in found if one.machines]
    if not any(_overlaps(one) for one in found):
        raise DataError(
            "no item is judged both by people and by the machine; "
            "give judgements of the same topics"
        )
    return found


def _overlaps(decisions: Decisions) -> bool:
    """Whether any machine judged what people did."""
    references = [*decisions.people.values()]
    if decisions.verified is not None:
        references.append(decisions.verified)
    return any(
        bool(((own >= 0) & (other >= 0)).any())
        for own in decisions.machines.values()
        for other in references
    )


def _check_names(machine: MachineSources, people: Gathered) -> None:
    """Refuse the name of an author who judged nothing."""
    for name in sorted(machine.names):
        if name not in people.authors:
            known = did_you_mean(name, people.authors) if people.authors else "no link names any"
            raise UsageError(f"'{name}' is neither a file nor an author of judgements; {known}")


def _machine_links(
    given: Mapping[str, Mapping[str, tuple[str, Topic]]], topic: Topic, place: str
) -> Iterator[tuple[str, Judgements]]:
    """What each machine linked in a topic that people judged, in a file of its own."""
    assert topic.judgements is not None
    events = {event.id for event in topic.judgements.events}
    for name, own in given.items():
        if topic.id not in own:
            continue
        file, other = own[topic.id]
        assert other.judgements is not None
        check_version(file, topic.id, other.judgements, place, topic.judgements)
        for link in other.judgements.links:
            if link.event not in events:
                raise DataError(
                    f"topic '{topic.id}' has an event '{link.event}' that {place} lacks; "
                    "let the machine judge the people's events",
                    place=file,
                )
        marked = tuple(replace(link, marked_by=(name,)) for link in other.judgements.kept)
        yield name, replace(other.judgements, links=marked)


def _unit_topics(theirs: Gathered, topic: str) -> Iterator[tuple[str, Pyramid]]:
    """What each machine anchored in a topic; a file is a matcher."""
    for file, other in theirs.topics:
        if other.id == topic and other.pyramid is not None:
            yield file, other.pyramid
