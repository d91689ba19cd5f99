"""Raw sentences to prepared text, one text at a time: the fast path of single calls."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from chronoscore.text import limits
from chronoscore.text.preparation import Preparation
from chronoscore.text.stems import STEMS, Stems, irregular_stems

if TYPE_CHECKING:
    from chronoscore._kernel import Rules

_PLAIN = bytes(
    ord(chr(byte).lower()) if byte < 128 and chr(byte).isalnum() else ord(" ")
    for byte in range(256)
)
"""What ROUGE-1.5.5 makes of each byte: a lower-case letter, a digit, or a blank."""

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class Prepared:
    """A text as the counting engine sees it.

    `sentences` are its tokens by sentence, for measures that match sentence with sentence;
    `tokens` are those of the whole text. They are the same words unless a byte limit cuts:
    ROUGE-1.5.5 then forgets, in its sentence reader, what the sentences before have used up.
    """

    sentences: tuple[Sentence, ...]
    tokens: Sentence

    @cached_property
    def bag(self) -> Counter[str]:
        """How often each token occurs; most kinds of count start from this."""
        return Counter(self.tokens)


def prepare_text(sentences: Sequence[str], preparation: Preparation) -> Prepared:
    """Cut, split into tokens, drop stop words and stem, as the preparation says.

    >>> prepare_text(["The U.S. floods"], Preparation(stem=True)).tokens
    ('the', 'u', 's', 'flood')
    """
    preparation.require_language()
    return PREPARE[preparation.name](arrange_sentences(sentences, preparation), preparation)


def _prepare_perl155(sentences: Sequence[str], preparation: Preparation) -> Prepared:
    tokenize = _tokenizer(preparation)
    if preparation.limit is None:
        return _unite(map(tokenize, map(_ascii_bytes, sentences)))
    whole, lines = limits.cut(sentences, preparation.limit)
    united = _unite(map(tokenize, whole))
    return united if lines is whole else Prepared(tuple(map(tokenize, lines)), united.tokens)


def _ascii_bytes(sentence: str) -> bytes:
    """A sentence with one byte for each character."""
    # No other character can be part of a token, so any stand-in will do.
    return sentence.encode("ascii", "replace")


def kernel_rules(preparation: Preparation) -> "Rules":
    """What words count as, for the kernel: themselves, their stems, or nothing."""
    # A limit or another way to find sentences does not change the rules.
    return _kernel_rules(replace(preparation, limit=None, sentences="lines"))


@lru_cache(maxsize=16)
def _kernel_rules(preparation: Preparation) -> "Rules":
    from chronoscore.kernel import compiled

    stop = list(stop_words_for(preparation)) if preparation.stop else []
    if not preparation.stem:
        return compiled.Rules(0, {}, stop)
    if preparation.name == "google":
        from chronoscore.text.nltk_stems import IRREGULAR

        return compiled.Rules(2, IRREGULAR, stop)
    lexicon = preparation.lexicon
    return compiled.Rules(1, dict(lexicon.irregular) if lexicon else irregular_stems(), stop)


def _tokenizer(preparation: Preparation) -> Callable[[bytes], Sentence]:
    stemmed = stems_for(preparation).__getitem__ if preparation.stem else None
    if preparation.stop:
        stop_words = stop_words_for(preparation)

        def keep(line: bytes) -> Sentence:
            words = [word for word in _words(line) if word not in stop_words]
            return tuple(map(stemmed, words) if stemmed else words)

        return keep
    if stemmed:
        return lambda line: tuple(map(stemmed, _words(line)))
    return lambda line: tuple(_words(line))


def arrange_sentences(sentences: Sequence[str], preparation: Preparation) -> Sequence[str]:
    """The sentences of a text: as they are, as one, or split again."""
    if preparation.sentences == "lines":
        return sentences
    text = " ".join(sentences)
    if preparation.sentences == "text":
        return [text]
    from chronoscore.text.sentences import split_into_sentences

    return split_into_sentences(text)


def stems_for(preparation: Preparation) -> Stems:
    """The stems of words in a preparation that splits text into ASCII words."""
    if preparation.name == "google":
        from chronoscore.text.nltk_stems import NLTK_STEMS

        return NLTK_STEMS
    return preparation.lexicon.stems if preparation.lexicon else STEMS


def stop_words_for(preparation: Preparation) -> frozenset[str]:
    """The words that the preparation drops if it drops stop words."""
    if preparation.lexicon:
        return preparation.lexicon.stop_words
    from chronoscore.text.stopwords import SMART

    return SMART


def _words(line: bytes) -> list[str]:
    return line.translate(_PLAIN).decode("ascii").split()


def _unite(sentences: Iterable[Sentence]) -> Prepared:
    kept = tuple(sentences)
    return Prepared(kept, tuple(chain.from_iterable(kept)))


def lower_to_ascii(sentence: str) -> str:
    """Replace the two characters outside ASCII whose lower case has an ASCII letter."""
    if sentence.isascii():
        return sentence
    return sentence.replace("\N{KELVIN SIGN}", "k").replace(
        "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "i\N{COMBINING DOT ABOVE}"
    )


def _prepare_google(sentences: Sequence[str], preparation: Preparation) -> Prepared:
    return _prepare_perl155([lower_to_ascii(sentence) for sentence in sentences], preparation)


def _prepare_unicode(sentences: Sequence[str], preparation: Preparation) -> Prepared:
    from chronoscore.text.unicode import tokenize

    if preparation.limit is not None:
        lines, _ = limits.cut(sentences, preparation.limit)
        # Half a character at the cut is not a character.
        sentences = [line.decode("utf-8", "ignore") for line in lines]
    return _unite(tuple(tokenize(sentence, preparation)) for sentence in sentences)


PREPARE: Mapping[str, Callable[[Sequence[str], Preparation], Prepared]] = {
    "perl155": _prepare_perl155,
    "unicode": _prepare_unicode,
    "google": _prepare_google,
}
"""How each preparation of `preparation.PREPARATIONS` reads a text."""
