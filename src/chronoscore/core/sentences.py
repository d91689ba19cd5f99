"""Sentences of running text, with their places; light, offline and without a model.

English abbreviations, initials, decimals, quotations and headlines are known; the full
stops of other scripts end sentences too. A boundary that cannot be told (an abbreviation
before a capital) goes by the word behind it. Chinese and Japanese need no space after a
sentence, and a quotation inside one is not taken apart.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from chronoscore import lazy


class Span(NamedTuple):
    """The characters of a text from `start` up to `end`."""

    start: int
    end: int


_WIDE = "。！？｡"
"""Full stops of scripts that put no space after a sentence."""
_OTHER = "।॥؟۔։።፧။។᙮\u037e"
"""The rest; the last is the Greek question mark, which looks like a semicolon."""
_CLOSERS = r"""["'”’»)\]」』）］〕】›]"""
_CJK = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Letters of Chinese and Japanese."""
_QUOTES = (("「", "」"), ("『", "』"), ("“", "”"), ("（", "）"))
_QUOTED = 500
"""Characters over which a quotation is followed."""
_STOP = lazy.pattern(
    # Only the first of a row of dots is tried, so that long rows cost no more than others.
    rf"[{_WIDE}]+{_CLOSERS}*|(?<=[{_CJK}])[.!?]++{_CLOSERS}*+(?=[{_CJK}])"
    rf"|(?:[{_OTHER}]|(?<![.!?…])[.!?…]++){_CLOSERS}*+(?=\s|$)"
)
_BLANK = lazy.pattern(r"\n[^\S\n]*\n\s*")
_BULLET = lazy.pattern(r"[-*•–—▪·]\s|\(?\d{1,2}[.)]\s")
_WORD_BEFORE = lazy.pattern(r"[^\s\"“”'‘’(\[「『（]*\Z")
_GOES_ON = lazy.pattern(r"[とっをの、，,]")
_WRAPPED = lazy.pattern(rf"(?<=[{_CJK}，、；：])[^\S\n]*\n\s*(?=[{_CJK}])")
_NEXT = lazy.pattern(r"""\s*["'“‘«(\[„]*\s*(\S[^\s.,;:!?"”)\]]*)""")
_QUOTE_APART = lazy.pattern(r"""\s("|'')(?=\s|$)""")
_DOTTED = lazy.pattern(r"(?:[^\W\d_]\.)+[^\W\d_]?")
_NUMBERING = lazy.pattern(r"\(?(?:\d{1,2}|[ivx]{1,4}|[a-z])", re.IGNORECASE)


def _words(many: str) -> frozenset[str]:
    return frozenset(many.split())


_BEFORE_A_NAME = _words(
    "mr mrs ms mx dr prof gen col lt sgt capt rev hon st ste gov sen rep reps pres adm maj cmdr "
    "brig cpl pvt fr msgr sr messrs mme mlle supt insp det pte sec amb atty mt ft"
)
_BEFORE_A_NUMBER = _words(
    "no nos p pp vol ch fig figs sec art par ca c approx al jan feb mar apr jun jul aug sep sept "
    "oct nov dec est b d r"
)
_INSIDE = _words(
    "vs v cf eg ie viz esp incl etc inc corp ltd co cos bros dept univ assn ave blvd rd jr sq "
    "min max tel ext ed eds trans rev orig mon tue tues wed thu thurs fri sat sun am pm "
    "calif conn fla ill mass mich minn mo okla ont ore penn pa tenn tex va wash wis ariz colo "
    "ga ky md miss neb nev"
)
_OPENERS = _words(
    "the a an this that these those he she it they we i you his her its their our my in on at by "
    "for from with after before when while as if but and or so yet however meanwhile there here "
    "then now also although though since until during both many most some all no not one two "
    "what why how who where last next earlier later according despite under over among"
)
"""Words whose capital says that a sentence begins, as a name's capital does not."""


def sentences_in(text: str) -> list[Span]:
    """Find the sentences, in order and without the spaces around them.

    >>> text = "Mr. Quist weighed it at 9 a.m. It was too light."
    >>> [text[start:end] for start, end in sentences_in(text)]
    ['Mr. Quist weighed it at 9 a.m.', 'It was too light.']
    """
    return [span for block in _blocks(text) for span in _sentences(text, block)]


def split_into_sentences(text: str) -> list[str]:
    """The sentences themselves, each on one line."""
    return [
        " ".join(_WRAPPED.sub("", text[start:end]).split()) for start, end in sentences_in(text)
    ]


def _blocks(text: str) -> Iterator[Span]:
    """Cut at blank lines, and at line ends that end a headline or open an item of a list."""
    start = 0
    for blank in _BLANK.finditer(text):
        yield from _lines(text, Span(start, blank.start()))
        start = blank.end()
    yield from _lines(text, Span(start, len(text)))


def _lines(text: str, block: Span) -> Iterator[Span]:
    lines = text[block.start : block.end].split("\n")
    widest = max(map(len, lines))
    start = place = block.start
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        place += len(line) + 1
        if following and _ends_a_block(line, following, widest):
            yield Span(start, place - 1)
            start = place
    yield Span(start, block.end)


def _ends_a_block(line: str, following: str, widest: int) -> bool:
    """A short line before a capital is a headline; a full one was only wrapped."""
    line, following = line.rstrip(), following.lstrip()
    if not line or not following or _BULLET.match(following):
        return True
    if line[-1] in ",;:-–—" or following[0].islower():
        return False
    return len(line) < 0.7 * widest or widest > 200


def _sentences(text: str, block: Span) -> Iterator[Span]:
    start = block.start
    for stop in _STOP.finditer(text, block.start, block.end):
        if _ends_a_sentence(text, stop, start, block.end):
            end = _with_closing_quote(text, start, stop.end(), block.end)
            yield from _trim(text, start, end)
            start = end
    yield from _trim(text, start, block.end)


def _with_closing_quote(text: str, start: int, end: int, last: int) -> int:
    """Take in a closing quote that tokenised text sets apart: the one that makes them even."""
    apart = _QUOTE_APART.match(text, end, last)
    if apart and text.count(apart[1], start, end) % 2:
        return apart.end()
    return end


def _trim(text: str, start: int, end: int) -> Iterator[Span]:
    said = text[start:end]
    if said.strip():
        yield Span(start + len(said) - len(said.lstrip()), start + len(said.rstrip()))


def _ends_a_sentence(text: str, stop: re.Match[str], start: int, end: int) -> bool:
    if stop[0][0] in _OTHER:
        return True
    if stop[0][0] in _WIDE or text[stop.end() : min(end, stop.end() + 1)].strip():
        return not (_inside_a_quotation(text, stop, start, end) or _quotation_goes_on(text, stop))
    following = _NEXT.match(text, stop.end(), end)
    if following is None:
        return True
    word = following[1]
    if word[0].islower() and word.islower():
        return False
    if stop[0][0] != "." or stop[0].startswith(".."):
        return True
    before = _WORD_BEFORE.search(text, max(start, stop.start() - 40), stop.start())
    return not before or _full_stop(before[0], word, alone=before.start() == start)


def _inside_a_quotation(text: str, stop: re.Match[str], start: int, end: int) -> bool:
    """Whether a quotation that began in this sentence ends only behind the stop."""
    said = text[max(start, stop.start() - _QUOTED) : stop.end()]
    return any(
        said.count(opener) > said.count(closer)
        and text.find(closer, stop.end(), min(end, stop.end() + _QUOTED)) >= 0
        for opener, closer in _QUOTES
    )


def _quotation_goes_on(text: str, stop: re.Match[str]) -> bool:
    """Whether a quotation is only part of a sentence: 「…。」と, “…。”，"""
    return stop[0][-1] in "」』”）" and _GOES_ON.match(text, stop.end()) is not None


def _full_stop(before: str, word: str, *, alone: bool) -> bool:
    """Whether a dot behind one word and before another ends a sentence."""
    bare = before.casefold().rstrip(".")
    opens = word.casefold() in _OPENERS
    if alone and _NUMBERING.fullmatch(before):
        return False
    if bare in _BEFORE_A_NAME and before[:1].isupper():
        return False
    if bare in _BEFORE_A_NUMBER and word[0].isdigit():
        return False
    if len(before) == 1 and before.isalpha() and before.isupper():
        # An initial; but "vitamin C." may end a sentence.
        return opens and before != "I" and word.casefold() not in ("a", "i")
    if _DOTTED.fullmatch(f"{before}.") and "." in before:
        return opens
    return bare not in _INSIDE or opens
