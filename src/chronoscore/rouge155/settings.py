"""The files of ROUGE-1.5.5: its settings in XML, its lists of files, and four kinds of text.

Texts are bytes to ROUGE-1.5.5, so nothing in them can be wrong: what is not UTF-8 is kept as
it is. Settings are refused, with the line, where the Perl script would stop, and where it
would go on with a file that is not there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from chronoscore.errors import DataError, did_you_mean, warn
from chronoscore.formats.io import xml
from chronoscore.formats.io.files import LONGEST_LINE
from chronoscore.formats.io.opened import open_file
from chronoscore.formats.io.xml import Node, required_attribute

SEE_LINE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
FILES = {"PEERS": "P", "MODELS": "M"}
"""Which elements name files, by the element directly around them."""
ROOTS = {"P": "PEER-ROOT", "M": "MODEL-ROOT"}
ISI_LINE = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that settings name, and the line on which they do."""

    path: Path
    where: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One `EVAL`: systems' texts by system, and the references they are compared with."""

    id: str
    format: str
    systems: Mapping[str, NamedFile]
    references: tuple[NamedFile, ...]


def load(path: Path) -> list[Evaluation]:
    """Read the settings file of ROUGE-1.5.5."""
    drafts: dict[str, _Draft] = {}
    for node in xml.load(path).walk():
        if node.tag.upper() != "EVAL":
            continue
        name = required_attribute(path, node, "ID")
        if name in drafts:
            warn(
                f"{path}:{node.line}: evaluation '{name}' comes again; its files are put together",
                kind="repeated-evaluation",
            )
        drafts.setdefault(name, _Draft()).add(path, node)
    if not drafts:
        raise DataError("holds no EVAL; give the settings file of ROUGE-1.5.5", place=path)
    if not any(draft.systems for draft in drafts.values()):
        raise DataError("names no system; put a P into PEERS", place=path)
    return [draft.finish(name) for name, draft in drafts.items()]


def load_perl_evaluation_list(path: Path, form: str, system: str) -> list[Evaluation]:
    """Read a list of files, a line for each evaluation: the system's text, then references."""
    found: list[Evaluation] = []
    for number, line in enumerate(_bytes(path).split(b"\n"), 1):
        where = f"{path}:{number}"
        if len(line) > LONGEST_LINE:
            raise DataError(
                f"line of {len(line):,} bytes; put an evaluation on a line", place=where
            )
        names = [name.decode("utf-8", "surrogateescape") for name in line.split()]
        if not names or line.startswith(b"#"):
            continue
        if len(names) < 2:
            raise DataError("names one file; name a system's and a reference's", place=where)
        ours, *theirs = (NamedFile(Path(name), where) for name in names)
        found.append(Evaluation(str(len(found) + 1), form, {system: ours}, tuple(theirs)))
    if not found:
        raise DataError("is empty; put a system's and a reference's file on each line", place=path)
    return found


def read_rouge155_sentences(named: NamedFile, form: str) -> list[str]:
    """Read a text's sentences; bytes that are not UTF-8 survive as escapes."""
    return [
        sentence.decode("utf-8", "surrogateescape")
        for sentence in READERS[form](_bytes(named.path, named.where))
    ]


def _lines(raw: bytes) -> list[bytes]:
    lines = raw.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _split(raw: bytes) -> Iterator[bytes]:
    return filter(None, _lines(raw))


def _see(raw: bytes) -> Iterator[bytes]:
    # A sentence whose tag is not closed keeps its line end, which a byte limit counts.
    lines = re.findall(rb"[^\n]*\n|[^\n]+", raw)
    return (found[1] for line in lines if (found := SEE_LINE.match(line)))


def _isi(raw: bytes) -> Iterator[bytes]:
    return (found[1] for line in _lines(raw) if (found := ISI_LINE.match(line)))


def _simple(raw: bytes) -> Iterator[bytes]:
    return iter(_lines(raw))


READERS: Mapping[str, Callable[[bytes], Iterator[bytes]]] = {
    "SEE": _see,
    "SPL": _split,
    "ISI": _isi,
    "SIMPLE": _simple,
}


def _bytes(path: Path, where: str | None = None) -> bytes:
    label = f"{where}: {path}" if where else f"{path}"
    try:
        with open_file(path) as file:
            return file.read()
    except FileNotFoundError:
        raise DataError(f"{label}: no such file; check the path") from None
    except IsADirectoryError:
        raise DataError(f"{label}: is a directory; name a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{label}: cannot be read ({reason}); check the file") from None


class _Draft:
    """An evaluation while it is being read; ROUGE-1.5.5 lets one come in several pieces."""

    def __init__(self) -> None:
        self.format = ""
        self.systems: dict[str, NamedFile] = {}
        self.reference_ids: list[str] = []
        self.references: dict[str, NamedFile] = {}

    def add(self, path: Path, node: Node) -> None:
        """Take the files that an EVAL names."""
        nodes = list(_walk_eval(node))
        self.format = _format(path, node, nodes)
        roots = {each.tag.upper(): each.text.strip() for each in nodes}
        for group in nodes:
            for each in group:
                self._add_file(path, group, each, roots)

    def _add_file(self, path: Path, group: Node, node: Node, roots: Mapping[str, str]) -> None:
        """Take a P inside PEERS or an M inside MODELS; elsewhere they count for nothing."""
        tag = node.tag.upper()
        if FILES.get(group.tag.upper()) != tag:
            return
        where, root = f"{path}:{node.line}", ROOTS[tag]
        name, file = required_attribute(path, node, "ID"), node.text.strip()
        if not file:
            raise DataError(f"<{tag}> '{name}' names no file; fill it", place=where)
        if not roots.get(root):
            raise DataError(f"<{tag}> '{name}' has no {root}; add it to the EVAL", place=where)
        found = NamedFile(Path(f"{roots[root]}/{file}"), where)
        if tag == "P":
            self.systems[name] = found
        else:
            self.reference_ids.append(name)
            self.references[name] = found

    def finish(self, name: str) -> Evaluation:
        # An ID that comes twice counts twice, with the file named last.
        references = tuple(self.references[each] for each in self.reference_ids)
        return Evaluation(name, self.format, self.systems, references)


def _walk_eval(node: Node) -> Iterator[Node]:
    """All elements of an EVAL but those of an EVAL inside it, which is one of its own."""
    for each in node:
        if each.tag.upper() != "EVAL":
            yield each
            yield from _walk_eval(each)


def _format(path: Path, node: Node, nodes: Iterable[Node]) -> str:
    """The input format of an EVAL, the last one where it names several."""
    name = ""
    for each in nodes:
        if each.tag.upper() != "INPUT-FORMAT":
            continue
        name = required_attribute(path, each, "TYPE").upper()
        if name not in READERS:
            known = did_you_mean(name, READERS)
            raise DataError(f"unknown input format '{name}'; {known}", place=f"{path}:{each.line}")
    if not name:
        raise DataError(
            "<EVAL> has no INPUT-FORMAT; say what its files hold", place=f"{path}:{node.line}"
        )
    return name
