"""Public corpora by name, and which of them a folder holds: by checksums, or by its layout."""

import os
import re
import shlex
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path

from chronoscore.core import Timeline
from chronoscore.errors import DataError, number_with_noun
from chronoscore.formats.corpora import crisisfacts, meantime, semeval2015, trects
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.corpora.tables import find_table
from chronoscore.formats.io.files import PACKED, read_bytes, read_start
from chronoscore.formats.timelines import timeline_files

DIGITS = 12
"""Hexadecimal digits of a checksum that are kept."""
MOST = 5_000
"""Files of a folder that are looked at."""


@dataclass(frozen=True)
class KnownCorpus:
    """A public corpus: what it is, its license, where it is from, and what scores on it."""

    name: str
    title: str
    what: str
    license: str
    source: str
    command: str
    noun: str = "file"
    """What is counted, as in "19 timelines"."""
    files: tuple[str, ...] = ()
    """The names of the files whose checksums are known."""
    sums: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CorpusMatch:
    """What a folder holds of a corpus."""

    corpus: KnownCorpus
    place: Path
    found: int
    """How many of its pieces are there as distributed; none if only the layout is its."""
    command: str

    @property
    def sentence(self) -> str:
        """What was recognized, in one sentence."""
        title, whole = self.corpus.title, len(self.corpus.sums)
        if not self.found:
            return f"lies as {title} does; its files are not those whose checksums are known here"
        pieces = number_with_noun(whole, self.corpus.noun)
        if self.found == whole:
            return f"is {title}: all {pieces} are there, as distributed"
        are = "is" if self.found == 1 else "are"
        return f"is a part of {title}: {self.found} of {pieces} {are} there, as distributed"


@cache
def known_corpora() -> Mapping[str, KnownCorpus]:
    """The corpora by name."""
    text = Path(__file__).with_name("known_corpora.toml").read_text(encoding="utf-8")
    return {
        name: KnownCorpus(
            name=name,
            **{key: value for key, value in facts.items() if key not in ("files", "sums")},
            files=tuple(facts.get("files", ())),
            sums=frozenset(facts.get("sums", "").split()),
        )
        for name, facts in tomllib.loads(text).items()
    }


def find_corpora(path: Path) -> list[CorpusMatch]:
    """The corpora that a folder holds: those with known pieces, or else one that lies so."""
    if not path.is_dir():
        reason = "no such folder; check the path"
        if path.exists():
            reason = "is a file; name the folder of a corpus"
            if zipfile.is_zipfile(path) or tarfile.is_tarfile(path):
                reason = "is an archive; unpack it and name its folder"
        raise DataError(reason, place=path)
    files = [*islice(_walk(path), MOST)]
    found = [
        match
        for corpus in known_corpora().values()
        if corpus.sums and (match := _by_checksums(path, corpus, files))
    ]
    return found or [*islice(_by_layout(path, files), 1)]


def _walk(path: Path) -> Iterator[Path]:
    """The files below a folder, in order; links to folders are not followed."""
    for one in sorted(path.iterdir()):
        if one.name.startswith("."):
            continue
        if one.is_dir() and not one.is_symlink():
            yield from _walk(one)
        elif one.is_file():
            yield one


def _by_checksums(path: Path, corpus: KnownCorpus, files: list[Path]) -> CorpusMatch | None:
    named = [one for one in files if any(_is_called(one, name) for name in corpus.files)]
    found = [
        (file, digest)
        for file in named
        for digest in checksums(file, corpus.noun)
        if digest in corpus.sums
    ]
    if not found:
        return None
    if corpus.noun != "timeline":
        place = Path(os.path.commonpath([file.parent for file, _ in found]))
        return _match(corpus, place, {digest for _, digest in found})
    # The same timelines may lie there in two formats.
    homes: dict[Path, set[str]] = {}
    for file, digest in found:
        homes.setdefault(_home(path, file), set()).add(digest)
    return _match(corpus, *max(homes.items(), key=lambda one: len(one[1])))


def _is_called(file: Path, pattern: str) -> bool:
    """Whether a file has a name, packed or not."""
    return file.match(pattern) or (
        file.suffix in PACKED and file.with_suffix("").match(pattern.removesuffix("*"))
    )


def _match(corpus: KnownCorpus, place: Path, sums: set[str]) -> CorpusMatch:
    return CorpusMatch(corpus, place, len(sums), _fill(corpus, place))


def _home(path: Path, file: Path) -> Path:
    """The folder in which a timeline's folder of a topic lies, inside what was given."""
    topic = file.parent.parent if file.parent.name == STORE else file.parent
    return topic if topic == path or path not in topic.parents else topic.parent


def checksums(file: Path, noun: str) -> Iterator[str]:
    """The checksum of a file, or of each timeline in it, whatever its format."""
    try:
        if noun != "timeline":
            yield sha256(read_bytes(file)).hexdigest()[:DIGITS]
            return
        for labeled in timeline_files.read(file).timelines:
            yield _timeline_checksum(labeled.timeline)
    except (DataError, ValueError):
        return


def _timeline_checksum(timeline: Timeline) -> str:
    """A checksum of days and letters, which formats and tokenization do not change."""
    text = "|".join(
        f"{entry.when}:{re.sub(r'[^a-z]', '', ' '.join(entry.sentences).casefold())}"
        for entry in timeline
    )
    return sha256(text.encode()).hexdigest()[:DIGITS]


def _by_layout(path: Path, files: list[Path]) -> Iterator[CorpusMatch]:
    """The corpora whose files lie as those of a folder, or of one inside it."""
    folders = [path, *dict.fromkeys(one.parent for one in files if one.parent != path)]
    checks: dict[str, Callable[[Path], bool]] = {
        "trec-ts": trects.is_directory,
        "crisisfacts": lambda one: crisisfacts.facts_file(one) is not None,
        "semeval-2015": semeval2015.is_directory,
        "meantime": meantime.is_directory,
        "crisis": _holds_crises,
        "entities": _holds_entities,
    }
    for folder in folders:
        for name, check in checks.items():
            if check(folder):
                corpus = known_corpora()[name]
                yield CorpusMatch(corpus, folder, 0, _fill(corpus, folder))


def _topics(folder: Path) -> list[str]:
    """The folders of topics that hold timelines as news-tls or tilse keep them."""
    return [
        one.name
        for one in sorted(folder.iterdir())
        if one.is_dir() and ((one / "timelines").is_dir() or any(one.glob("timelines.jsonl*")))
    ]


CRISES = frozenset({"egypt", "libya", "syria", "yemen"})


def _holds_crises(folder: Path) -> bool:
    """Whether topics are the four crises."""
    topics = _topics(folder)
    words = {word for one in topics for word in re.findall(r"[a-z]+", one.casefold())}
    return len(topics) == len(CRISES) and words >= CRISES


def _holds_entities(folder: Path) -> bool:
    """Whether topics are as many as the entities, each with its key words."""
    topics = _topics(folder)
    return len(topics) == 47 and all((folder / one / "keywords.json").is_file() for one in topics)


def _fill(corpus: KnownCorpus, place: Path) -> str:
    """The command for a folder."""
    return corpus.command.format(path=shlex.quote(str(place)), year=_year(place))


def _year(place: Path) -> str:
    """The year of a track, as its topics are called; 2014 if they do not say it."""
    table = find_table(place, "nuggets.tsv") if place.is_dir() else None
    found = re.search(rb"TS(1[345])\.", read_start(table, 4096)) if table else None
    return f"20{found[1].decode()}" if found else "2014"
