"""The files of ROUGE-1.5.5: its settings in XML, its lists of files, and four kinds of text.

Texts are bytes to ROUGE-1.5.5, so nothing in them can be wrong: what is not UTF-8 is kept as
it is. Settings are refused, with the line, where the Perl script would stop, and where it
would go on with a file that is not there.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from chronoscore.core.errors import ChronoscoreWarning, DataError, did_you_mean

SEE_LINE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
ROOTS = {"P": "PEER-ROOT", "M": "MODEL-ROOT"}
FILLED = {*ROOTS, *ROOTS.values()}
ISI_LINE = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


@dataclass(frozen=True, slots=True)
class Named:
    """A file that settings name, and the line on which they do."""

    path: Path
    where: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One `EVAL`: systems' texts by system, and the references they are compared with."""

    id: str
    format: str
    systems: Mapping[str, Named]
    references: tuple[Named, ...]


def load(path: Path) -> list[Evaluation]:
    """Read the settings file of ROUGE-1.5.5."""
    reader = _Settings(path)
    reader.parse(_bytes(path))
    evaluations = reader.evaluations()
    if not evaluations:
        raise DataError(f"{path}: holds no EVAL; give the settings file of ROUGE-1.5.5")
    if not any(evaluation.systems for evaluation in evaluations):
        raise DataError(f"{path}: names no system; put a P into PEERS")
    return evaluations


def load_list(path: Path, form: str, system: str) -> list[Evaluation]:
    """Read a list of files, a line for each evaluation: the system's text, then references."""
    found: list[Evaluation] = []
    for number, line in enumerate(_bytes(path).split(b"\n"), 1):
        names = [name.decode("utf-8", "surrogateescape") for name in line.split()]
        if not names:
            continue
        where = f"{path}:{number}"
        if len(names) < 2:
            raise DataError(f"{where}: names one file; name a system's and a reference's")
        ours, *theirs = (Named(Path(name), where) for name in names)
        found.append(Evaluation(str(len(found) + 1), form, {system: ours}, tuple(theirs)))
    if not found:
        raise DataError(f"{path}: is empty; put a system's and a reference's file on each line")
    return found


def sentences(named: Named, form: str) -> list[str]:
    """Read a text's sentences; bytes that are not UTF-8 survive as escapes."""
    return [
        sentence.decode("utf-8", "surrogateescape")
        for sentence in READERS[form](_bytes(named.path, named.where))
    ]


def _known_format(name: str, where: str) -> str:
    if name.upper() not in READERS:
        raise DataError(f"{where}: unknown input format '{name}'; {did_you_mean(name, READERS)}")
    return name.upper()


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
    said = f"{where}: {path}" if where else f"{path}"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{said}: no such file; check the path") from None
    except IsADirectoryError:
        raise DataError(f"{said}: is a directory; name a file") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{said}: cannot be read ({error}); check the file") from None


class _Draft:
    """An evaluation while it is being read; ROUGE-1.5.5 lets one come in several pieces."""

    def __init__(self) -> None:
        self.format = ""
        self.systems: dict[str, Named] = {}
        self.reference_ids: list[str] = []
        self.references: dict[str, Named] = {}

    def finished(self, name: str) -> Evaluation:
        # An ID that comes twice counts twice, with the file named last.
        references = tuple(self.references[each] for each in self.reference_ids)
        return Evaluation(name, self.format, self.systems, references)


class _Settings:
    """Follows the XML tag by tag; document types, and with them entities, are refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.drafts: dict[str, _Draft] = {}
        self.current: str | None = None
        self.roots: dict[str, str] = {}
        self.named: list[tuple[str, str, str, str]] = []
        self.form = ""
        self.text: list[str] | None = None
        self.attributes: dict[str, str] = {}
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.collect

    def parse(self, raw: bytes) -> None:
        try:
            self.parser.Parse(raw, True)
        except expat.ExpatError as error:
            said = expat.ErrorString(error.code)
            raise DataError(
                f"{self.path}:{error.lineno}: {said}; mend the XML, or say -z if this is a list"
            ) from None
        except (LookupError, ValueError) as error:
            raise DataError(f"{self.path}: {error}; save the settings as UTF-8") from None

    def evaluations(self) -> list[Evaluation]:
        return [draft.finished(name) for name, draft in self.drafts.items()]

    def here(self) -> str:
        return f"{self.path}:{self.parser.CurrentLineNumber}"

    def refuse(self, *_: object) -> None:
        raise DataError(
            f"{self.here()}: document types and entities are not read; take the DOCTYPE out"
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "EVAL":
            if self.current is not None:
                raise DataError(f"{self.here()}: an EVAL within an EVAL; close the first")
            self.current = self.attribute(tag, attributes, "ID")
            self.roots, self.named, self.form = {}, [], ""
        elif tag == "INPUT-FORMAT":
            self.form = _known_format(self.attribute(tag, attributes, "TYPE"), self.here())
        elif tag in FILLED:
            self.text, self.attributes = [], attributes

    def attribute(self, tag: str, attributes: dict[str, str], name: str) -> str:
        if name not in attributes:
            raise DataError(f'{self.here()}: {tag} has no {name}; write <{tag} {name}="...">')
        return attributes[name]

    def collect(self, text: str) -> None:
        if self.text is not None:
            self.text.append(text)

    def end(self, tag: str) -> None:
        if tag == "EVAL":
            self.close()
        elif tag in FILLED and self.text is not None:
            content = "".join(self.text).strip()
            self.text = None
            if tag in ROOTS.values():
                self.roots[tag] = content
                return
            name = self.attribute(tag, self.attributes, "ID")
            if not content:
                raise DataError(f"{self.here()}: {tag} '{name}' names no file; fill it")
            self.named.append((tag, name, content, self.here()))

    def close(self) -> None:
        name, self.current = self.current, None
        assert name is not None
        if not self.form:
            raise DataError(
                f"{self.here()}: evaluation '{name}' has no INPUT-FORMAT; say what its files hold"
            )
        if name in self.drafts:
            warnings.warn(
                f"{self.here()}: evaluation '{name}' comes again; its files are put together",
                ChronoscoreWarning,
                stacklevel=2,
            )
        draft = self.drafts.setdefault(name, _Draft())
        draft.format = self.form
        for tag, each, file, where in self.named:
            root = self.roots.get(ROOTS[tag])
            if not root:
                raise DataError(f"{where}: evaluation '{name}' has no {ROOTS[tag]}; add it")
            found = Named(Path(f"{root}/{file}"), where)
            if tag == "P":
                draft.systems[each] = found
            else:
                draft.reference_ids.append(each)
                draft.references[each] = found
