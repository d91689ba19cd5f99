"""Alterations that leave an English timeline true: other words and other forms of words."""

import random
from collections.abc import Iterator
from functools import cache

from chronoscore.checks.cases import Case, rewrite_sentences
from chronoscore.checks.verb_edits import Edit, change_tense, form_of
from chronoscore.core import Timeline
from chronoscore.text import listings
from chronoscore.text.tokens import TokenSentence, sentences_of_tokens
from chronoscore.text.verbs import BASE, verb_forms

_VOWELS = "aeiou"


def use_synonyms(case: Case) -> Timeline | None:
    """Put synonyms in the place of common words."""
    return rewrite_sentences(case, lambda text, _rng: _use_synonyms(text))


def inflect(case: Case) -> Timeline | None:
    """Tell the past in the present tense and the present in the past."""

    def rewrite(text: str, _rng: random.Random) -> str:
        return change_tense(text)

    return rewrite_sentences(case, rewrite)


def _use_synonyms(text: str) -> str:
    """All words that have a synonym replaced by it, in the same form.

    >>> _use_synonyms("An explosion injured several workers.")
    'A blast wounded several employees.'
    """
    edits = [edit for one in sentences_of_tokens(text) for edit in _edits(one)]
    for edit in reversed(edits):
        text = edit.apply(text)
    return text


def _edits(sentence: TokenSentence) -> Iterator[Edit]:
    """The words of a sentence that are replaced, with the article before them."""
    for place, token in enumerate(sentence.tokens):
        new = _synonym(token.small, verb=sentence.verbs[place])
        within_name = place > 0 and token.text[0].isupper()
        hyphen = "-" in (sentence.small(place - 1), sentence.small(place + 1))
        if not new or within_name or hyphen:
            continue
        article = sentence.tokens[place - 1] if place else token
        if article.small in ("a", "an"):
            right = "an" if new[0] in _VOWELS else "a"
            right = right.capitalize() if article.text[0].isupper() else right
            yield Edit(article.start, article.end, right)
        capital = token.text[0].isupper()
        yield Edit(token.start, token.end, new.capitalize() if capital else new)


def _synonym(word: str, *, verb: bool) -> str:
    """What may stand for a word, in its form; nothing for most words."""
    verbs, nouns, others = _listed()
    if verb:
        for kind, lemma in verb_forms().get(word, {}).items():
            if lemma in verbs:
                return verbs[lemma] if kind == BASE else form_of(verbs[lemma], kind)
        return ""
    if word in nouns:
        return nouns[word]
    return others.get(word, "")


@cache
def _listed() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Synonyms of verbs (by lemma), of nouns (also in the plural), and of other words."""
    listing = listings.read("synonyms.txt").split("[verbs]")[1]
    verb_part, rest = listing.split("[nouns]")
    verbs, nouns, others = (
        dict(pair.split() for pair in part.split(";") if pair.strip())
        for part in (verb_part, *rest.split("[words]"))
    )
    plurals = {_plural(one): _plural(other) for one, other in nouns.items()}
    return verbs, nouns | plurals, others


def _plural(noun: str) -> str:
    """The regular plural of a noun.

    >>> _plural("inquiry"), _plural("blast"), _plural("clash")
    ('inquiries', 'blasts', 'clashes')
    """
    if noun.endswith("y") and noun[-2] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"
