"""Subject and object of an English verb exchanged, where the sentence stays a sentence."""

from dataclasses import replace

from chronoscore.checks.verb_edits import is_plural
from chronoscore.dates.days import MONTHS, WEEKDAYS
from chronoscore.lazy import pattern
from chronoscore.measures.contradictions.roles import MUTUAL
from chronoscore.text.clauses import Clause, NounPhrase, clauses_in
from chronoscore.text.tokens import word_set
from chronoscore.text.verbs import AUXILIARIES, DETERMINERS, ING, MODALS, PAST, verb_forms

_WORDS = pattern(r"[^\W\d_]+")
_OPENERS = word_set("but after as when while that where because before")
_CLOSERS = word_set(
    "in on at after during when while as because before by over near since until but amid despite"
)
"""What may follow an object without being a part of it, as "of" is."""
_COMPLEMENTED = word_set(
    "becom remain call name elect appoint say think believ claim hope fear expect know mean show"
)
"""Stems of verbs behind which no object stands, or not alone."""
_ARTICLES = word_set("the this that these those a an")
_TIMES = word_set(
    "today yesterday tomorrow morning noon afternoon evening night day week weekend month year "
    "time hour minute"
) | {name.casefold() for name in (*MONTHS, *WEEKDAYS)}
_INITIAL = pattern(r"\b[A-Z][a-z]{0,3}\.\s*$")
_ENDED = pattern(r"(?:^|[.!?]['\"”]?)\s*$")
_ATTACHED = "-#@&$€£'’`\"“("


_OF = pattern(
    r" of (?:(?:the|a|an) )?(?:[A-Z][\w-]*(?: [A-Z][\w-]*)*|[a-z]{3,}(?:-[a-z]+)?)(?=[ .,;]|$)"
)


def exchange(text: str) -> str:
    """Exchange subject and object of the first verb that has both right beside it.

    >>> exchange("The army attacked Rome in May.")
    'Rome attacked the army in May.'
    >>> exchange("Rome declared war."), exchange("Rome left the army of Carthage.")
    ('Rome declared war.', 'The army of Carthage left Rome.')
    """
    for clause in clauses_in(text):
        one, two = sorted((clause.agent, clause.patient), key=lambda phrase: phrase.start)
        if of := _OF.match(text, two.end):
            two = replace(two, end=of.end())
        if clause.copular or not (one.head and two.head) or one.stems & two.stems:
            continue
        if not _stand_apart(text, one, two) or not _may_exchange(text, clause, one, two):
            continue
        first, second = text[one.start : one.end], text[two.start : two.end]
        if first[:1].isupper() and first.split()[0].casefold() in DETERMINERS:
            first = first[0].lower() + first[1:]
        if _ENDED.search(text, max(0, one.start - 5), one.start):
            second = second[0].upper() + second[1:]
        return f"{text[: one.start]}{second}{text[one.end : two.start]}{first}{text[two.end :]}"
    return text


def _stand_apart(text: str, one: NounPhrase, two: NounPhrase) -> bool:
    """Whether two phrases are whole, with nothing but a verb between them."""
    before, between, after = text[: one.start], text[one.end : two.start], text[two.end :]
    last, following = _WORDS.findall(before)[-1:], _WORDS.match(after.lstrip())
    counted = before.rstrip()[-1:].isdigit()
    opened = not last or last[0] in _OPENERS or not before.rstrip()[-1].isalnum()
    closed = following is None or following[0] in _CLOSERS
    closed = closed and not after.lstrip()[:1].isdigit()
    attached = f"{before[-1:]}{between[:1]}{between[-1:]}{after.lstrip()[:1]}"
    return (
        opened
        and not counted
        and closed
        and all(map(_may_join, between.split()))
        and not set(attached) & set(_ATTACHED)
        and not _INITIAL.search(before)
    )


def _may_join(word: str) -> bool:
    """Whether a word may stand between subject and object: a finite verb, its auxiliary, "by"."""
    finite = set(verb_forms().get(word, ())) - {ING}
    return word == "by" or bool(finite) or word in AUXILIARIES - {"to"}


def _may_exchange(text: str, clause: Clause, one: NounPhrase, two: NounPhrase) -> bool:
    """Whether each phrase can stand in the place of the other, and the verb with both."""
    phrases = text[one.start : one.end], text[two.start : two.end]
    if clause.predicate in _COMPLEMENTED | MUTUAL or not all(map(_is_noun_phrase, phrases)):
        return False
    verb = text[one.end : two.start].split()[0]
    agrees = verb in MODALS | {"had", "did"} or PAST in verb_forms().get(verb, {})
    heads = [_OF.split(phrase)[0].split()[-1].casefold() for phrase in phrases]
    plurals = [is_plural(head) for head in heads]
    return agrees or (plurals[0] == plurals[1])


def _is_noun_phrase(phrase: str) -> bool:
    """Whether words are surely a noun with all that belongs to it, and name no time.

    "Its" and the like point to another phrase; "control" without an article belongs to its verb.
    """
    bare = _OF.split(phrase)[0]
    words = [word.casefold() for word in bare.split()]
    if (
        any(word.isdigit() for word in words)
        or words[-1] in _TIMES
        or ING in verb_forms().get(words[0], {})
    ):
        return False
    if words[0] in DETERMINERS:
        return words[0] in _ARTICLES
    named = bare.split()[-1][0].isupper()
    return bare[0].isupper() if named else is_plural(words[-1])
