"""One file, several judges: what of a topic people judged, and what a machine did."""

from collections.abc import Iterable
from dataclasses import replace

from chronoscore.core import Judgements, Topic


def was_verified(judged: Judgements, machines: frozenset[str]) -> bool:
    """Whether a verifier left a trace: a link that was dropped, or one that no judge made."""
    named = any(not machines.issuperset(link.marked_by) for link in judged.links)
    return any(not link.kept or (named and not link.marked_by) for link in judged.links)


def _people_side(judged: Judgements, machines: frozenset[str]) -> Judgements | None:
    """A topic's judgements without machines; None where only machines judged it.

    A link that only a machine made stays if a verifier looked at the topic and kept it.
    """
    if not machines & {*sorted(judged.authors)}:
        return judged
    verified = was_verified(judged, machines)
    links = []
    for link in judged.links:
        people = tuple(name for name in link.marked_by if name not in machines)
        if people or not link.marked_by or (verified and link.kept):
            links.append(replace(link, marked_by=people))
    abstentions = tuple(one for one in judged.abstentions if one.author not in machines)
    if not links and not abstentions and not verified:
        return None
    return replace(judged, links=tuple(links), abstentions=abstentions)


def judgements_of_machine(judged: Judgements, machine: str) -> Judgements | None:
    """What one machine judged, or None where it did not judge the topic."""
    if machine not in sorted(judged.authors):
        return None
    links = tuple(
        replace(link, marked_by=(machine,), kept=True)
        for link in judged.links
        if machine in link.marked_by
    )
    abstentions = tuple(one for one in judged.abstentions if one.author == machine)
    return replace(judged, links=links, abstentions=abstentions)


def people_topics(topics: Iterable[Topic], machines: frozenset[str]) -> dict[str, Topic]:
    """Topics as people judged them; those that only machines judged are left out."""
    found = {}
    for topic in topics:
        if topic.judgements is None:
            found[topic.id] = topic
        elif (own := _people_side(topic.judgements, machines)) is not None:
            found[topic.id] = replace(topic, judgements=own)
    return found


def machine_topics(topics: Iterable[Topic], machine: str) -> dict[str, Topic]:
    """The topics that a machine judged, as it judged them."""
    return {
        topic.id: replace(topic, judgements=own)
        for topic in topics
        if topic.judgements is not None
        and (own := judgements_of_machine(topic.judgements, machine)) is not None
    }
