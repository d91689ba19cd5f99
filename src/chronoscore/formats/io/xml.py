"""XML without surprises: no entities of its own, nothing fetched from elsewhere.

A document type with element declarations is accepted, as DUCView writes one; whatever could
blow a small file up or read another file is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_bytes

DEEPEST = 200
"""Elements within elements."""


@dataclass
class Node:
    """An element: its name, its attributes, what is in it, and the line it starts in."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["Node | str"] = field(default_factory=list)

    def __iter__(self) -> Iterator["Node"]:
        """The elements directly inside."""
        return (child for child in self.children if isinstance(child, Node))

    def all(self, tag: str) -> Iterator["Node"]:
        """The elements directly inside that have this name."""
        return (child for child in self if child.tag == tag)

    def first(self, tag: str) -> "Node | None":
        """The first element directly inside that has this name."""
        return next(self.all(tag), None)

    def walk(self) -> Iterator["Node"]:
        """The element itself and all below it, in order."""
        yield self
        for child in self:
            yield from child.walk()

    @property
    def text(self) -> str:
        """All text inside, whatever the elements around it."""
        return "".join(c if isinstance(c, str) else c.text for c in self.children)


class TreeBuilder:
    """Builds nodes from what the parser reports."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        self.stack: list[Node] = []
        self.root: Node | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.entity
        self.parser.ExternalEntityRefHandler = self.external

    def fail(self, what: str) -> NoReturn:
        """Refuse the file at the line where the parser is."""
        raise DataError(what, place=f"{self.path}:{self.parser.CurrentLineNumber}")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        if len(self.stack) >= DEEPEST:
            self.fail(f"elements are nested more than {DEEPEST} deep; give a plainer file")
        node = Node(tag, attributes, self.parser.CurrentLineNumber)
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node
        self.stack.append(node)

    def end(self, _tag: str) -> None:
        """Close an element."""
        self.stack.pop()

    def data(self, text: str) -> None:
        """Add text to the element that is open."""
        self.stack[-1].children.append(text)

    def doctype(self, _name: str, system: str | None, public: str | None, _internal: bool) -> None:
        """Refuse a document type that lies elsewhere."""
        if system or public:
            self.fail("the document type is in another file; remove the DOCTYPE")

    def entity(self, name: str, *_rest: object) -> None:
        """Refuse entities: they can grow without end, or read other files."""
        self.fail(f"declares the entity '{name}'; write its text out and remove it")

    def external(self, *_rest: object) -> int:
        """Refuse to read other files."""
        self.fail("refers to another file; put the text into this one")


def load(path: Path) -> Node:
    """Read an XML file into nodes."""
    return parse(read_bytes(path), path)


def parse(raw: bytes, path: Path | str) -> Node:
    """Nodes of XML that came from anywhere; `path` names it in errors."""
    tree = TreeBuilder(path)
    try:
        tree.parser.Parse(raw, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or "broken"
        raise DataError(
            f"not well-formed XML ({reason}); fix the file", place=f"{path}:{error.lineno}"
        ) from None
    except (LookupError, ValueError, UnicodeDecodeError) as error:
        raise DataError(f"not well-formed XML ({error}); fix the file", place=path) from None
    assert tree.root is not None
    return tree.root


def required_attribute(path: Path, node: Node, name: str) -> str:
    """An attribute that an element must have."""
    try:
        return node.attributes[name]
    except KeyError:
        raise DataError(
            f"<{node.tag}> has no {name}; add it", place=f"{path}:{node.line}"
        ) from None


def whole_number(path: Path, node: Node, name: str) -> int:
    """An attribute that must be a whole number, 0 or more."""
    text = required_attribute(path, node, name)
    if not text.strip().isdecimal():
        raise DataError(
            f"{name}='{text}' is not a whole number; write one", place=f"{path}:{node.line}"
        )
    return int(text)


def escape(text: str) -> str:
    """Text as the content of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quote(text: str) -> str:
    """Text as the value of an attribute, with its quotes.

    The function of the standard library does the same, but loads urllib and ssl.

    >>> print(quote("5 < 6"), quote('"a"'))
    "5 &lt; 6" '"a"'
    """
    plain = escape(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' in plain and "'" not in plain:
        return f"'{plain}'"
    return f'"{plain.replace(chr(34), "&quot;")}"'
