"""Words that tell of something happening: verbs, nominalisations and nouns such as "war".

These are the anchors that content units hang on. Parts of speech come from HanTa where it
is installed (the extra ``events``), else from word lists (`verbs`).
"""

import re
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple, TypeAlias

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.extras import install_command
from chronoscore.text import listings
from chronoscore.text.sentences import sentences_in
from chronoscore.text.verbs import NO_VERBS, are_verbs, verb_lemma

Tagger: TypeAlias = Literal["auto", "hanta", "rules"]
TAGGERS = ("auto", "hanta", "rules")

_WORD = re.compile(r"n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|[^\W_]+(?:[-.][^\W_]+)*|\S")
_ACTION = re.compile(r".{3,}(?:[ts]ion|ment|[ae]nce|ing)")
_CLASSES = {
    "REPORTING": "say report announce tell explain state claim declare cite argue warn add deny",
    "PERCEPTION": "see hear watch feel notice witness observe",
    "ASPECTUAL": "begin start commence continue resume stop end finish cease complete",
    "I_STATE": "believe think want hope fear expect intend know need like love hate wish doubt",
    "I_ACTION": "try attempt promise agree offer order ask demand request propose refuse decide "
    "threaten plan prevent force avoid postpone seek",
}
_CLASS_OF = {lemma: kind for kind, lemmas in _CLASSES.items() for lemma in lemmas.split()}
_NAMED = frozenset(
    ("war", "battle", "revolution", "siege", "treaty", "rebellion", "massacre", "uprising")
)
"""Event nouns that stay events when they are part of a name."""


class EventMention(NamedTuple):
    """A word that tells of an event: its characters, its lemma, and verb or noun."""

    start: int
    end: int
    lemma: str
    pos: Literal["verb", "noun"]

    @property
    def kind(self) -> str:
        """The TimeML class, by the verb: REPORTING, ASPECTUAL …, else OCCURRENCE."""
        return _CLASS_OF.get(self.lemma, "OCCURRENCE") if self.pos == "verb" else "OCCURRENCE"


def tag_events(text: str, *, tagger: Tagger = "auto") -> list[EventMention]:
    """Find the events of an English text, in order.

    >>> [event.lemma for event in tag_events("The dam broke after the war.", tagger="rules")]
    ['break', 'war']
    """
    if tagger not in TAGGERS:
        raise UsageError(f"unknown tagger '{tagger}'; {did_you_mean(tagger, TAGGERS)}")
    with_hanta = tagger == "hanta" or (tagger == "auto" and find_spec("HanTa") is not None)
    tagged = tag_words_by_hanta if with_hanta else tag_words_by_rules
    found: list[EventMention] = []
    for sentence in sentences_in(text):
        places = list(_WORD.finditer(text, *sentence))
        words = [place[0] for place in places]
        for place, (kind, lemma) in zip(places, tagged(words), strict=True):
            if kind:
                found.append(EventMention(place.start(), place.end(), lemma, kind))
    return found


Kinds: TypeAlias = list[tuple[Literal["verb", "noun", ""], str]]


def tag_words_by_rules(words: list[str]) -> Kinds:
    """Verbs by lists and neighbours, nouns by lists and endings."""
    kinds: Kinds = []
    for word, verb in zip(words, are_verbs(words), strict=True):
        small = word.casefold()
        if verb:
            kinds.append(("verb", verb_lemma(small)))
        elif small in NO_VERBS or word == "March":
            kinds.append(("", small))
        else:
            kinds.append(_noun(_singular_of(small), name=word[:1].isupper()))
    return kinds


def tag_words_by_hanta(words: list[str]) -> Kinds:
    """Verbs and nouns by HanTa's tags (of the BNC), event nouns by lists and endings."""
    kinds: Kinds = []
    for place, (word, lemma, tag) in enumerate(_hanta().tag_sent(words)):
        if tag.startswith("VV") and word.casefold() not in NO_VERBS:
            kinds.append(("verb", lemma))
        elif tag.startswith("NN"):
            kinds.append(_noun(lemma.casefold(), name=place > 0 and word[:1].isupper()))
        elif tag == "NP0":
            kinds.append(_noun(_singular_of(word.casefold()), name=True))
        else:
            kinds.append(("", lemma))
    return kinds


def _noun(lemma: str, *, name: bool) -> tuple[Literal["noun", ""], str]:
    if name:
        return ("noun" if lemma in _NAMED else ""), lemma
    return ("noun" if is_event_noun(lemma) else ""), lemma


def is_event_noun(lemma: str) -> bool:
    """Whether a noun names something that happens, by list or by its ending."""
    events, others = _nouns()
    if lemma in events:
        return True
    return lemma not in others and lemma.isalpha() and bool(_ACTION.fullmatch(lemma))


def _singular_of(word: str) -> str:
    """A noun without its plural ending."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


@cache
def _nouns() -> tuple[frozenset[str], frozenset[str]]:
    text = listings.read("event_nouns.txt").split("[events]")[1]
    events, others = text.split("[others]")
    return frozenset(events.split()), frozenset(others.split())


@cache
def _hanta() -> Any:
    try:
        from HanTa import HanoverTagger
    except ImportError:
        raise UsageError(
            f"HanTa is not installed; {install_command('events')}, or use the tagger 'rules'"
        ) from None
    return HanoverTagger.HanoverTagger("morphmodel_en.pgz")
