"""Texts within a length budget, cut as ROUGE-1.5.5 cuts them."""

from collections.abc import Iterable, Sequence

from chronoscore.text.preparation import Limit


def cut(sentences: Sequence[str], limit: Limit) -> tuple[list[bytes], list[bytes]]:
    """A text within a limit: as a whole, and as the reader of sentences sees it.

    The two are one and the same unless bytes are limited: ROUGE-1.5.5 then forgets, in its
    sentence reader, what the sentences before have used up.
    """
    lines = [exact_bytes(sentence) for sentence in sentences]
    if limit.unit == "words":
        whole = cut_words(lines, limit.size)
        return whole, whole
    return cut_bytes(lines, limit.size), cut_bytes(lines, limit.size, forgetful=True)


def cut_words(lines: Iterable[bytes], size: float) -> list[bytes]:
    """Keep the first `size` words; a blank at the start of a line counts as a word.

    ROUGE-1.5.5 takes fractions too, and then never cuts to less than one word.
    """
    kept: list[bytes] = []
    for line in lines:
        words = line.split()
        if words and line[:1].isspace():
            words.insert(0, b"")
        if len(words) >= size:
            kept.append(b" ".join(words[: int(size - 1) + 1]))
            break
        size -= len(words)
        kept.append(line)
    return kept


def cut_bytes(lines: Iterable[bytes], size: float, *, forgetful: bool = False) -> list[bytes]:
    """Keep the first `size` bytes, words and characters split if need be.

    A forgetful cut gives every line the whole size again and stops at the first line that
    reaches it: ROUGE-1.5.5 does this where it reads sentences one by one.
    """
    kept: list[bytes] = []
    for line in lines:
        if len(line) >= size:
            kept.append(line[: int(size)])
            break
        if not forgetful:
            size -= len(line)
        kept.append(line)
    return kept


def exact_bytes(sentence: str) -> bytes:
    """The bytes that a sentence was read from; half a surrogate pair has its own three."""
    try:
        return sentence.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return sentence.encode("utf-8", "surrogatepass")
