"""The words of English sentences with their places, for rules that read them one by one."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from chronoscore.lazy import pattern
from chronoscore.text import stopwords
from chronoscore.text.sentences import sentences_in
from chronoscore.text.stems import stem
from chronoscore.text.verbs import are_verbs

_CLITIC = r"['’](?:s|re|ve|ll|d|m)\b"
_TOKEN = pattern(
    rf"[^\W\d_]+?(?=n['’]t\b)|n['’]t\b|{_CLITIC}|\d+(?:[.,]\d+)*"
    rf"|[^\W\d_]+(?:['’](?!(?:s|re|ve|ll|d|m)\b)[^\W\d_]+)*|\S"
)
_ABBREVIATED = pattern(r"\d\s?(?:Mio|Mrd|Mill|mln|mld|bln)\.$")


def word_set(many: str) -> frozenset[str]:
    """The words of a list that is written with blanks between them."""
    return frozenset(many.split())


class WordToken(NamedTuple):
    """A word, a number or a sign, and where it stands."""

    text: str
    start: int
    end: int
    small: str
    """In folded case, with a straight apostrophe."""


@dataclass(frozen=True, eq=False)
class TokenSentence:
    """The tokens of a sentence."""

    tokens: tuple[WordToken, ...]

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def verbs(self) -> list[bool]:
        """By token: whether it is a full verb; auxiliaries are none."""
        return are_verbs([token.text for token in self.tokens])

    @cached_property
    def stems(self) -> list[str]:
        """By token: the stem of a content word, or nothing for all else."""
        return [content_stem(token.small) for token in self.tokens]

    def small(self, place: int) -> str:
        """A token in folded case; nothing beyond the sentence."""
        return self.tokens[place].small if 0 <= place < len(self.tokens) else ""

    def joined(self, place: int) -> bool:
        """Whether a token follows the one before it without a blank."""
        return 0 < place < len(self.tokens) and (
            self.tokens[place].start == self.tokens[place - 1].end
        )

    def stems_around(self, start: int, stop: int, reach: int) -> Iterator[str]:
        """The stems of the content words before and after some tokens."""
        yield from filter(None, self.stems[max(0, start - reach) : start])
        yield from filter(None, self.stems[stop : stop + reach])


@lru_cache(maxsize=200_000)
def content_stem(word: str) -> str:
    """The stem of a content word; nothing for stop words, figures and signs.

    >>> content_stem("families"), content_stem("the"), content_stem("12")
    ('famili', '', '')
    """
    if not word.isalpha() or word in stopwords.SMART:
        return ""
    return stem(word)


@lru_cache(maxsize=20_000)
def sentences_of_tokens(text: str) -> tuple[TokenSentence, ...]:
    """Split a text into sentences and these into tokens, whose places are those in the text.

    >>> [token.text for token in sentences_of_tokens("It didn't hold 5,300 men.")[0].tokens]
    ['It', 'did', "n't", 'hold', '5,300', 'men', '.']
    """
    return tuple(
        TokenSentence(
            tuple(
                WordToken(m[0], m.start(), m.end(), m[0].casefold().replace("’", "'"))
                for m in _TOKEN.finditer(text, start, end)
            )
        )
        for start, end in _whole_sentences(text)
    )


def _whole_sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text; "5,2 Mio." ends none."""
    begin = None
    for start, end in sentences_in(text):
        begin = start if begin is None else begin
        if not _ABBREVIATED.search(text, max(begin, end - 8), end):
            yield begin, end
            begin = None
    if begin is not None:
        yield begin, len(text.rstrip())
