"""CAT, the XML of the Content Annotation Tool: numbered tokens, and marks that point to them.

MEANTIME and SemEval-2015 task 4 are written so. Sentences are rebuilt from their tokens with
a space between, so their text is readable but not the original byte for byte.
"""

from dataclasses import dataclass
from pathlib import Path

from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.formats.corpora import timeml
from chronoscore.formats.io import xml


@dataclass(frozen=True)
class CatArticle:
    """An annotated article: its sentences by number, and what its marks say."""

    id: str
    name: str
    sentences: dict[int, str]
    mentions: dict[str, tuple[int, str]]
    """Event mentions by their number in the file: the sentence, and the words."""
    instances: dict[str, tuple[str, str]]
    """Event instances by their number in the file: the id in the corpus, and a name."""
    refers: dict[str, str]
    """Which instance a mention refers to."""
    created: When | None

    def sentence_id(self, number: int) -> str:
        """A sentence's id in the corpus."""
        return f"{self.id}-{number}"


def load(path: Path) -> CatArticle:
    """Read one article."""
    root = xml.load(path)
    if root.tag != "Document":
        raise DataError("is not a CAT file; it needs <Document>", place=path)
    tokens: dict[str, tuple[int, str]] = {}
    sentences: dict[int, list[str]] = {}
    for node in root.all("token"):
        number = xml.whole_number(path, node, "sentence")
        tokens[xml.required_attribute(path, node, "t_id")] = (number, node.text)
        sentences.setdefault(number, []).append(node.text)
    if not tokens:
        raise DataError("has no tokens; give an annotated article", place=path)
    marks = root.first("Markables") or xml.Node("Markables", {}, 1)
    mentions = {
        xml.required_attribute(path, node, "m_id"): _read_mention(path, node, tokens)
        for node in marks.all("EVENT_MENTION")
    }
    instances = {
        xml.required_attribute(path, node, "m_id"): (
            node.attributes.get("instance_id", ""),
            node.attributes.get("TAG_DESCRIPTOR", ""),
        )
        for node in marks.all("EVENT")
    }
    return CatArticle(
        id=root.attributes.get("doc_id") or path.name.partition("_")[0],
        name=root.attributes.get("doc_name", path.stem),
        sentences={number: " ".join(words) for number, words in sorted(sentences.items())},
        mentions=mentions,
        instances=instances,
        refers=_read_references(path, root, mentions, instances),
        created=timeml.creation_date(marks),
    )


def _read_mention(
    path: Path, node: xml.Node, tokens: dict[str, tuple[int, str]]
) -> tuple[int, str]:
    """The sentence and the words of a mention."""
    found = []
    for anchor in node.all("token_anchor"):
        token = xml.required_attribute(path, anchor, "t_id")
        if token not in tokens:
            raise DataError(f"no token '{token}'; fix the anchor", place=f"{path}:{anchor.line}")
        found.append(tokens[token])
    if not found:
        raise DataError(
            "the event mention has no token; anchor or drop it", place=f"{path}:{node.line}"
        )
    return found[0][0], " ".join(word for _, word in found)


def _read_references(
    path: Path,
    root: xml.Node,
    mentions: dict[str, tuple[int, str]],
    instances: dict[str, tuple[str, str]],
) -> dict[str, str]:
    """Which instance each event mention refers to."""
    relations = root.first("Relations")
    found: dict[str, str] = {}
    for node in relations.all("REFERS_TO") if relations else ():
        target = node.first("target")
        if (
            target is None
            or (instance := xml.required_attribute(path, target, "m_id")) not in instances
        ):
            continue
        for source in node.all("source"):
            name = xml.required_attribute(path, source, "m_id")
            if name in mentions:
                found[name] = instance
    return found
