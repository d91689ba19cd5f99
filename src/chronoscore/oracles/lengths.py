"""How long a sentence is, and where a budget may cut it."""

from collections.abc import Iterator, Sequence

from chronoscore.text import limits
from chronoscore.text.limits import exact_bytes
from chronoscore.text.preparation import Limit, Preparation


def _words_of(sentence: str) -> list[bytes]:
    """The words that ROUGE's limit counts; a blank at the start of a line is one of them."""
    line = exact_bytes(sentence)
    words = line.split()
    return [b"", *words] if words and line[:1].isspace() else words


def length_in_budget(sentence: str, budget: Limit) -> int:
    """How much of the budget a sentence takes: raw words, or bytes without the line's end.

    >>> length_in_budget("Two-word sentence", Limit(100, "words"))
    2
    """
    return len(_words_of(sentence)) if budget.unit == "words" else len(exact_bytes(sentence))


def budget_cuts(
    sentence: str, budget: Limit, preparation: Preparation
) -> Iterator[tuple[int, str, bool]]:
    """Every true beginning of a sentence: its size, its text, and whether it ends with a word.

    Whatever follows can only add to a text that ends with a whole word, but it changes a
    word that is cut in two.
    """
    most = budget.size
    if budget.unit == "words":
        words = _words_of(sentence)
        for size in range(1, min(len(words), most + 1)):
            yield size, _decode_line(b" ".join(words[:size]), preparation), True
        return
    line = exact_bytes(sentence)
    inside = (
        [byte < 128 and chr(byte).isalnum() for byte in line]
        if preparation.script.ascii_only
        else [not chr(byte).isspace() for byte in line]
    )
    for size in range(1, min(len(line), most + 1)):
        stable = not (inside[size - 1] and inside[size])
        yield size, _decode_line(line[:size], preparation), stable


def cut_to_budget(sentences: Sequence[str], budget: Limit) -> tuple[str, ...]:
    """A text within the budget: what is too long is cut, as ROUGE would cut it."""
    lines = [exact_bytes(sentence) for sentence in sentences]
    kept, _ = limits.cut(sentences, budget)
    if not kept or kept[-1] == lines[len(kept) - 1]:
        return tuple(sentences[: len(kept)])
    last = kept[-1].decode("utf-8", "surrogateescape").rstrip(UNDECODABLE)
    if last.split() == sentences[len(kept) - 1].split():
        last = sentences[len(kept) - 1]
    return (*sentences[: len(kept) - 1], last)


UNDECODABLE = "".join(map(chr, range(0xDC80, 0xDD00)))
"""What bytes that are no character are decoded to."""


def _decode_line(line: bytes, preparation: Preparation) -> str:
    """Bytes as text again; what is no character is a blank to Perl and nothing to us."""
    return line.decode("utf-8", preparation.script.undecodable)
