"""Many raw texts to one batch of numbered tokens: the fast path of bulk work.

All sentences lie in one byte buffer, a piece of some megabytes at a time; tokens are
found by arithmetic on the bytes, and stemming and stop words are settled once for
each distinct word, not for each token.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, AnyStr, Protocol

import numpy as np
from numpy.typing import NDArray

from chronoscore.kernel import compiled, is_compiled
from chronoscore.text.batch_stems import stem_words
from chronoscore.text.memory import keep_freed_memory
from chronoscore.text.packed_words import LONGEST, PackedWords
from chronoscore.text.plain import (
    arrange_sentences,
    ascii_bytes,
    cut_to_byte_limit,
    cut_to_word_limit,
    exact_bytes,
    kernel_rules,
    lower_to_ascii,
    stems_for,
    stop_words_for,
)
from chronoscore.text.plain import prepare_text as prepare_one
from chronoscore.text.preparation import Preparation
from chronoscore.text.scan import Tokens, scan_ascii_words
from chronoscore.text.vocabulary import Vocabulary

Numbers = NDArray[np.int64]

# Bytes read at a time: the arrays of one piece should stay in the processor's cache.
_PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Layout:
    """Texts as one run of word numbers with the bounds of sentences and of texts.

    Sentence s is `words[sentences[s] : sentences[s + 1]]`, and text t has the sentences
    from `texts[t]` to `texts[t + 1]`.
    """

    words: NDArray[np.int32]
    sentences: Numbers
    texts: Numbers

    @property
    def bounds(self) -> Numbers:
        """Where each text begins in `words`, and where the last one ends."""
        return self.sentences[self.texts]


@dataclass(frozen=True, slots=True)
class Batch:
    """Prepared texts, numbered from 0 in the order given.

    `whole` is for measures that see a text as one run of tokens, `lines` for those that
    match sentence with sentence. They are one and the same unless a byte limit cuts:
    ROUGE-1.5.5 then forgets, in its sentence reader, what the sentences before have used up.
    """

    whole: Layout
    lines: Layout
    vocabulary: Sequence[str]

    def __len__(self) -> int:
        return len(self.whole.texts) - 1


def prepare_texts(texts: Sequence[Sequence[str]], preparation: Preparation) -> Batch:
    """Cut, split into tokens, drop stop words, stem and number, as the preparation says.

    >>> batch = prepare_texts([["The floods"], ["a flood"]], Preparation(stem=True))
    >>> [batch.vocabulary[word] for word in batch.whole.words]
    ['the', 'flood', 'a', 'flood']
    """
    preparation.require_language()
    reader = reader_for(preparation)
    whole, lines = read_layouts(texts, preparation, reader)
    return Batch(whole, lines, tuple(reader.forms()))


class Reader(Protocol):
    """Reads texts into layouts that share one vocabulary of word forms."""

    def read(self, texts: Sequence[Sequence[AnyStr]]) -> Layout:
        """Lay the texts out."""

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""

    def __len__(self) -> int:
        """How many different words were met."""


def reader_for(preparation: Preparation) -> Reader:
    """A reader that has met no word yet."""
    if not preparation.script.ascii_only:
        return _PlainReader(preparation)
    return _KernelReader(preparation) if is_compiled() else _Reader(preparation)


def read_layouts(
    texts: Sequence[Sequence[str]], preparation: Preparation, reader: Reader
) -> tuple[Layout, Layout]:
    """Texts as measures of the whole text see them, and as those of sentences do."""
    if preparation.sentences != "lines":
        texts = [arrange_sentences(text, preparation) for text in texts]
    if not preparation.script.ascii_only:
        whole = reader.read(texts)
        return whole, whole
    if preparation.name == "google" and not all(map(str.isascii, chain.from_iterable(texts))):
        texts = [[lower_to_ascii(sentence) for sentence in text] for text in texts]
    keep_freed_memory()
    limit = preparation.limit
    if limit is None:
        whole = lines = reader.read(texts)
    elif limit.unit == "words":
        cut = [cut_to_word_limit(map(ascii_bytes, text), limit.size) for text in texts]
        whole = lines = reader.read(cut)
    else:
        exact = [[exact_bytes(sentence) for sentence in text] for text in texts]
        whole = reader.read([cut_to_byte_limit(text, limit.size) for text in exact])
        lines = reader.read([cut_to_byte_limit(text, limit.size, forgetful=True) for text in exact])
    return whole, lines


class _Reader:
    """Reads texts into layouts that share one vocabulary of word forms.

    A form is what a word counts as: itself, or its stem. A stop word has none.
    """

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._words = Vocabulary()
        self._forms = Vocabulary()
        self._form_numbers = np.empty(0, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._form_numbers)

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""
        return self._forms.spell()

    def read(self, texts: Sequence[Sequence[AnyStr]]) -> Layout:
        """Lay the texts out, piece by piece."""
        sentences = list(chain.from_iterable(texts))
        sizes = _lengths(sentences)
        # A token takes at least a byte and the blank after it. Room that is not used costs
        # nothing: the system gives memory when it is first written to.
        words = np.empty(int(((sizes + 1) // 2).sum()), dtype=np.int32)
        counts = np.zeros(len(sizes), dtype=np.int64)
        pieces = list(_pieces(sizes))
        filled = 0
        for start, end in pieces:
            tokens = scan_ascii_words(_join(sentences[start:end]), sizes[start:end])
            counts[start:end] = tokens.per_sentence
            words[filled : filled + len(tokens.starts)] = self._number(tokens)
            filled += len(tokens.starts)
        self._settle_forms()
        read = filled = 0
        for start, end in pieces:
            size = int(counts[start:end].sum())
            forms = self._form_numbers[words[read : read + size]]
            read += size
            if self._preparation.stop:
                forms, counts[start:end] = _without_stop_words(forms, counts[start:end])
            words[filled : filled + len(forms)] = forms
            filled += len(forms)
        words.resize(filled, refcheck=False)
        return Layout(words, _bounds(counts), _bounds(_lengths(texts)))

    def _number(self, tokens: Tokens) -> Numbers:
        """Number the tokens' words."""
        numbers = self._words.number(PackedWords.of_tokens(tokens))
        long = np.flatnonzero(numbers < 0)
        numbers[long] = self._words.number_others(tokens.words(long))
        return numbers

    def _settle_forms(self) -> None:
        """Settle what each new word counts as; -1 says that it does not."""
        known = len(self._form_numbers)
        fresh = self._words.since(known)
        preparation = self._preparation
        numbers = self._forms.number(stem_words(fresh, preparation) if preparation.stem else fresh)
        others = {word: number for word, number in self._words.others.items() if number >= known}
        stem = stems_for(preparation).__getitem__ if preparation.stem else str
        forms = [stem(word) for word in others]
        numbers[[number - known for number in others.values()]] = self._forms.number_spelled(forms)
        if preparation.stop:
            words = stop_words_for(preparation)
            stop = PackedWords.of_words([word for word in words if len(word) <= LONGEST]).keys
            places = np.flatnonzero(np.isin(fresh.keys, stop))
            # A longer word may have a stop word's key by chance.
            found = zip(places.tolist(), fresh.only(places).spell(), strict=True)
            stopped = [place for place, word in found if word in words]
            stopped += [n - known for word, n in others.items() if word in words]
            numbers[stopped] = -1
        self._form_numbers = np.append(self._form_numbers, numbers.astype(np.int32))


class _KernelReader:
    """Reads texts as `_Reader` does, by the compiled kernel."""

    def __init__(self, preparation: Preparation) -> None:
        self._lexicon = compiled.Lexicon(kernel_rules(preparation))

    def __len__(self) -> int:
        return len(self._lexicon)

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""
        return self._lexicon.spelled()

    def read(self, texts: Sequence[Sequence[AnyStr]]) -> Layout:
        """Lay the texts out."""
        words, ends = self._lexicon.read(list(chain.from_iterable(texts)))
        return Layout(*_numbers(words, ends), _bounds(_lengths(texts)))

    def scan(self, text: bytes, bounds: Numbers) -> tuple[NDArray[np.int32], Numbers]:
        """The numbers of all words; where the sentences between the bounds begin, and the end."""
        return _numbers(*self._lexicon.scan(text, bounds))

    @property
    def known_words(self) -> int:
        """How many different words have been read."""
        return len(self._lexicon)


def _numbers(words: bytearray, ends: bytearray) -> tuple[NDArray[np.int32], Numbers]:
    return np.frombuffer(words, dtype=np.int32), np.frombuffer(ends, dtype=np.int64)


def _pieces(sizes: Numbers) -> Iterator[tuple[int, int]]:
    """Divide sentences of these sizes into runs of about equal length."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        goal = (ends[start - 1] if start else 0) + _PIECE
        end = max(start + 1, int(np.searchsorted(ends, goal, side="right")))
        yield start, end
        start = end


def _join(sentences: Sequence[AnyStr]) -> bytes:
    """Join sentences by a blank; one byte stands for each character that is not ASCII."""
    blank = sentences[0][:0]
    joined = (" " if isinstance(blank, str) else b" ").join(sentences)
    return ascii_bytes(joined) if isinstance(joined, str) else joined


def _without_stop_words(
    forms: NDArray[np.int32], per_sentence: Numbers
) -> tuple[NDArray[np.int32], Numbers]:
    """Drop the tokens that have no form, and count what is left of each sentence."""
    kept = forms >= 0
    before = _bounds(kept)
    ends = np.cumsum(per_sentence)
    return forms[kept], before[ends] - before[ends - per_sentence]


def _lengths(items: Sequence[Sequence[object]]) -> Numbers:
    return np.fromiter(map(len, items), dtype=np.int64, count=len(items))


def _bounds(lengths: Sequence[int] | NDArray[np.integer | np.bool_]) -> Numbers:
    """Turn lengths into where each begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


class _PlainReader:
    """Prepares text by text; only the numbering is shared."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = replace(preparation, sentences="lines")
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""
        return tuple(self._numbers)

    def read(self, texts: Sequence[Sequence[Any]]) -> Layout:
        """Lay the texts out."""
        numbers = self._numbers
        words: list[int] = []
        sentence_lengths: list[int] = []
        text_lengths: list[int] = []
        for text in texts:
            prepared = prepare_one(text, self._preparation)
            for sentence in prepared.sentences:
                words += [numbers.setdefault(word, len(numbers)) for word in sentence]
                sentence_lengths.append(len(sentence))
            text_lengths.append(len(prepared.sentences))
        return Layout(
            np.array(words, dtype=np.int32), _bounds(sentence_lengths), _bounds(text_lengths)
        )
