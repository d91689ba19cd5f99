"""How figures were made, in one line: measures, topics, references, a digest, the version."""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from chronoscore.core import Collection, Run, Topic
from chronoscore.data.stages import NO_NOTES, Notes
from chronoscore.kernel import engine_name
from chronoscore.measures.languages import count_languages
from chronoscore.measures.measure import Measure


def sign(
    collection: Collection,
    measures: Sequence[Measure],
    runs: Sequence[Run] = (),
    notes: Notes = NO_NOTES,
) -> str:
    """How the figures were made: parameters, references, a digest of the references, version."""
    counts = [len(topic.summaries) or len(topic.timelines) for topic in collection]
    pool = _pool_size(collection)
    return compose(
        measures,
        topics=_part_of_corpus(collection),
        references=(min(counts), max(counts)),
        digest=digest_references(collection),
        languages=count_languages(collection, measures),
        notes=_describe_documents(collection, measures)
        + _describe_runs(runs)
        + _describe_unreadable(runs)
        + (f"|pool:{pool}" if pool else "")
        + notes.facts
        + notes.lost,
        coarse=notes.coarse,
    )


def compose(
    measures: Sequence[Measure],
    *,
    topics: str,
    references: tuple[int, int],
    digest: str,
    languages: str = "",
    notes: str = "",
    coarse: str = "keep",
) -> str:
    """The same from what is known of the data: topics, fewest and most references, a digest."""
    from chronoscore.version import __version__

    fewest, most = references
    number = "judged" if most == 0 else f"{fewest}-{most}" if fewest < most else str(most)
    return " ".join(
        [
            *_shortened([measure.signature for measure in measures]),
            *filter(None, [languages]),
            f"missing:empty|topics:{topics}|references:{number}{notes}",
            f"data:{digest}|version:{__version__}|engine:{engine_name()}",
            *([f"coarse:{coarse}"] if coarse != "keep" else []),
        ]
    )


def _describe_documents(collection: Collection, measures: Sequence[Measure]) -> str:
    """How many documents there are, and a digest of them, where a measure reads them."""
    if not any(measure.reads_documents for measure in measures):
        return ""
    summed, count = hashlib.sha256(), 0
    for topic in sorted(collection, key=lambda topic: topic.id):
        count += len(topic.documents)
        summed.update(repr((topic.id, topic.documents)).encode("utf-8", "replace"))
    return f"|documents:{count} {summed.hexdigest()[:12]}" if count else "|documents:none"


def _pool_size(collection: Collection) -> int:
    """How many systems said when they first chose a sentence; 0 where nobody was asked."""
    judged = [topic.judgements for topic in collection if topic.judgements]
    return max((one.pool for one in judged), default=0)


def _part_of_corpus(collection: Collection) -> str:
    """The number of topics, and of how many where they are a part of a corpus."""
    whole = f"/{collection.part_of}" if collection.part_of else ""
    return f"{len(collection)}{whole}"


def _describe_runs(runs: Sequence[Run]) -> str:
    """How many runs there are for a system's topic, the fewest and the most, if several."""
    counts: dict[tuple[str, str], int] = {}
    for run in runs:
        for topic in {*run.outputs, *run.unreadable}:
            counts[run.system, topic] = counts.get((run.system, topic), 0) + 1
    fewest, most = min(counts.values(), default=0), max(counts.values(), default=0)
    if most < 2:
        return ""
    return f"|runs:{most}" if fewest == most else f"|runs:{fewest}-{most}"


def _describe_unreadable(runs: Sequence[Run]) -> str:
    """How many answers could not be read, and what became of them."""
    empty = sum(topic in run.outputs for run in runs for topic in run.unreadable)
    skipped = sum(len(run.unreadable) for run in runs) - empty
    return (f"|unreadable:{empty} empty" if empty else "") + (
        f"|unreadable:{skipped} skipped" if skipped else ""
    )


def _shortened(signatures: Sequence[str]) -> list[str]:
    """Say what all measures share once, after what is each one's own.

    >>> _shortened(["rouge|stem:no|n:1", "rouge|stem:no|n:2"])
    ['rouge|n:1', 'rouge|n:2', 'all|stem:no']
    """
    taken = [signature.split("|") for signature in signatures]
    shared = [item for item in taken[0][1:] if all(item in other[1:] for other in taken)]
    if len(taken) == 1 or not shared:
        return list(signatures)
    own = ["|".join([name, *(i for i in items if i not in shared)]) for name, *items in taken]
    return [*own, "|".join(["all", *shared])]


def digest_references(collection: Collection) -> str:
    """A short hash of the topics and their references."""
    return join_digests(map(_digest_topic, collection))


def _digest_topic(topic: Topic) -> bytes:
    """The digest of one topic and its references."""
    known = repr((topic.id, topic.summaries, topic.timelines)).encode("utf-8", "replace")
    # Sets print in another order in every process; a fingerprint does not.
    judged = [one.fingerprint.encode() for one in (topic.judgements, topic.pyramid) if one]
    return hashlib.sha256(b"".join([known, *judged])).digest()


def digest_lines(described: bytes) -> bytes:
    """The digests of topics that are described line by line, one after the other."""
    return b"".join(hashlib.sha256(line).digest() for line in described.splitlines())


def join_digests(digests: Iterable[bytes]) -> str:
    """A short hash of topics from their digests, in whatever order they were read."""
    size = hashlib.sha256().digest_size
    each = np.frombuffer(b"".join(digests), dtype=f"S{size}")
    return hashlib.sha256(np.sort(each).tobytes()).hexdigest()[:12]
