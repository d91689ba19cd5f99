"""Make a shared task: a frozen collection, its card, baselines."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from chronoscore.api.bench_check import sign
from chronoscore.api.summarize import summarize
from chronoscore.core import Collection, Output, Summary, Timeline, Topic
from chronoscore.data.choice import as_measures
from chronoscore.data.kinds import KINDS, kind_of_inputs
from chronoscore.data.references import as_collection
from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.formats.bench import tasks
from chronoscore.formats.bench.tasks import BASELINES, COLLECTION, TASK, CorpusCard, SharedTask
from chronoscore.formats.corpora.known_corpora import find_corpora
from chronoscore.formats.io.files import check_folder, write_bytes, write_text
from chronoscore.formats.timelines.conversion import safe_name
from chronoscore.measures.languages import choose_languages
from chronoscore.progress import announce, track
from chronoscore.text.languages import detect_language

USUAL: Mapping[type[Output], tuple[str, ...]] = {
    Timeline: ("align+", "dates"),
    Summary: ("rouge1", "rouge2"),
}
"""Measures of a task that names none."""
BY_DEFAULT: Mapping[type[Output], tuple[str, ...]] = {
    Timeline: ("datewise", "lead", "random"),
    Summary: ("lead-summary", "random-summary"),
}
"""Baselines of a task that names none, where there are documents."""
TEST = "test"


def make_task(
    folder: Path,
    collection: Path,
    measures: Sequence[str] = (),
    *,
    card: Path | None = None,
    baselines: Sequence[str] | None = None,
    splits: Mapping[str, Sequence[str]] | None = None,
) -> SharedTask:
    """Freeze a collection as a shared task in a new folder, with baselines that were run."""
    if folder.exists():
        raise UsageError("already exists; choose another folder", place=folder)
    if folder.resolve().is_relative_to(collection.resolve()):
        raise UsageError("lies inside the collection; choose a folder beside it", place=folder)
    if not collection.is_dir():
        raise DataError("is no folder; name the folder of the collection", place=collection)
    check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        task = _make_in(fresh, folder.name, collection, measures, card, splits)
        _run_baselines(fresh, task, baselines)
        fresh.chmod(0o755)
        fresh.rename(folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return task


def _make_in(
    fresh: Path,
    name: str,
    collection: Path,
    measures: Sequence[str],
    card: Path | None,
    splits: Mapping[str, Sequence[str]] | None,
) -> SharedTask:
    """Copy the collection, and describe and freeze it."""
    told = tasks.decode(card, CorpusCard) if card else _card_of_known(collection)
    announce("copying the collection")
    shutil.copytree(collection, fresh / COLLECTION, symlinks=False)
    decided = {m.needs for m in as_measures(measures)} if measures else set()
    if len(decided) > 1:
        raise UsageError("measures of one task score one kind: timelines or texts")
    needs = next(iter(decided), None) or kind_of_inputs((), fresh / COLLECTION)
    if needs not in USUAL:
        raise UsageError("a shared task is of timelines or of texts; choose other measures")
    known = with_references(as_collection(fresh / COLLECTION, needs, documents=True), collection)
    chosen = choose_languages(known, (), as_measures(measures or USUAL[needs]))
    task = SharedTask(
        name=name,
        kind=next(kind for kind, one in KINDS.items() if one is needs),
        measures=tuple(str(one) for one in chosen),
        signatures={str(one): one.signature for one in chosen},
        splits=_check_splits(known, splits or {}),
        files=tasks.checksums_below(fresh / COLLECTION),
        card=_fill_card(told, known),
    )
    write_bytes(fresh / TASK, tasks.encode(task))
    write_text(fresh / "CARD.md", tasks.describe_card(task))
    return task


def _card_of_known(collection: Path) -> CorpusCard:
    """The card of a public corpus whose files are there as distributed; otherwise an empty one."""
    match = next((one for one in find_corpora(collection) if one.found), None)
    if match is None:
        return CorpusCard()
    corpus = match.corpus
    lacking = len(corpus.sums) - match.found
    return CorpusCard(
        title=corpus.title,
        source=f"{corpus.what}; from {corpus.source}",
        license=corpus.license,
        known_faults=(f"{lacking} of its {corpus.noun}s are not here",) if lacking else (),
    )


def with_references(known: Collection, place: Path) -> Collection:
    """The topics that have references; a topic is also the name of a file."""
    found = {name: topic for name, topic in known.topics.items() if _references(topic)}
    if not found:
        raise DataError("holds no references; name the folder of the collection", place=place)
    for name in found:
        if safe_name(name) != name:
            raise DataError(f"topic '{name}' can be no file's name; rename it", place=place)
    return Collection(found)


def _check_splits(
    known: Collection, given: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """The topics of each split; those that no split names are the test's."""
    seen: set[str] = set()
    for name, topics in given.items():
        for topic in topics:
            if topic not in known.topics:
                raise UsageError(
                    f"split {name}: no topic '{topic}'; {did_you_mean(topic, known.topics)}"
                )
            if topic in seen:
                raise UsageError(f"topic '{topic}' is in two splits; name it once")
            seen.add(topic)
    found = {name: tuple(topics) for name, topics in given.items()}
    rest = tuple(sorted(topic for topic in known.topics if topic not in seen))
    if rest:
        found[TEST] = (*found.get(TEST, ()), *rest)
    return found


def _fill_card(told: CorpusCard, known: Collection) -> CorpusCard:
    """The card with what can be counted."""
    texts = [one for topic in known for one in _references(topic)]
    days = sorted(
        str(entry.when) for topic in known for one in topic.timelines for entry in one.entries
    )
    languages = {
        detect_language([s for one in _references(topic) for s in one.sentences]) for topic in known
    }
    told.sizes = {
        "topics": len(known.topics),
        "references": len(texts),
        "words": sum(len(s.split()) for one in texts for s in one.sentences),
        "documents": sum(len(topic.documents) for topic in known),
    }
    told.dates = (days[0], days[-1]) if days else ()
    told.languages = told.languages or tuple(sorted(languages))
    return told


def _references(topic: Topic) -> tuple[Timeline | Summary, ...]:
    """The references of a topic; timelines, where it has both."""
    return topic.timelines or topic.summaries


def _run_baselines(folder: Path, task: SharedTask, given: Sequence[str] | None) -> None:
    """Run our own systems on the documents, and sign what they make."""
    needs = KINDS[task.kind]
    known = as_collection(folder / COLLECTION, needs, documents=True)
    if given is None:
        given = BY_DEFAULT[needs] if all(topic.documents for topic in known) else ()
    wanted = [(split, name) for split in task.splits for name in given]
    for split, name in track("running baselines", wanted, len(wanted)):
        topics = Collection({topic: known.topics[topic] for topic in task.splits[split]})
        if needs is Timeline:
            result = summarize(list(topics), name, like=topics)
        else:
            result = summarize(list(topics), name, words=_mean_length(topics))
        home = (
            folder
            / BASELINES
            / split
            / "".join(c if c.isalnum() or c in "-." else "_" for c in name)
        )
        result.write_run(home)
        sign(home, folder, split=split, name=name, by="baseline")


def _mean_length(known: Collection) -> int:
    """How many words a reference has on average."""
    counts = [
        sum(len(s.split()) for s in one.sentences) for topic in known for one in _references(topic)
    ]
    return max(1, round(sum(counts) / len(counts)))
