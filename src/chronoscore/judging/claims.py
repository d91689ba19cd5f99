"""An entry split into claims, so that each gets a verdict of its own: rules for English.

A sentence is cut at semicolons and before "and", "but", "while" and the like where a verb stands
on both sides. A verb that shares the subject of the one before it gets it repeated. Nothing else is
left out or added. The rules do not resolve pronouns, do not repeat who said something, and leave
participles ("killing 12") and relative clauses with what they belong to. In other languages the
claims are the sentences.
"""

import re
from collections.abc import Sequence

from chronoscore.text.clauses import Clause, clauses_in

_border = re.compile(r"\s*;\s+|,?\s+(?:and|but|while|whereas|yet)(?:\s+then)?\s+")
_mark = re.compile(r"[,;:]|\b(?:but|while|whereas|that|which|who|when|where|because)\b")
_listing = re.compile(r"\b(?:and|or)\b")
_adverb = re.compile(r"(?:\w+ly|also|later|then|soon)?\s*")


def claims_in(sentence: str) -> list[str]:
    """The claims of a sentence, in order.

    >>> claims_in("The dam broke on Monday and flooded two villages, but nobody died.")
    ['The dam broke on Monday', 'The dam flooded two villages', 'nobody died.']
    >>> claims_in("Troops and police moved men and women to a school.")
    ['Troops and police moved men and women to a school.']
    """
    clauses = clauses_in(sentence)
    claims: list[str] = []
    start, subject = 0, ""
    for border in _border.finditer(sentence):
        following = next((one for one in clauses if one.start >= border.end()), None)
        if following is None or not any(start <= one.start < border.start() for one in clauses):
            continue
        between = sentence[border.end() : following.start]
        shared = _adverb.fullmatch(between) is not None
        listed = "and" in border.group().split() and _listing.search(between)
        subject = subject or _subject_of(sentence, clauses)
        if _mark.search(between) or listed or (shared and not subject):
            continue
        claims.append(_joined(claims, sentence[start : border.start()], subject))
        start = border.end()
        subject = subject if shared else _own_subject(between)
        if shared:
            claims.append("")
    claims.append(_joined(claims, sentence[start:], subject))
    return [claim for claim in claims if claim.strip()]


def _joined(claims: list[str], piece: str, subject: str) -> str:
    """A piece with its subject before it, where the piece before it left that open."""
    if claims and not claims[-1]:
        claims.pop()
        return f"{subject} {piece.strip()}"
    return piece.strip()


def _subject_of(sentence: str, clauses: Sequence[Clause]) -> str:
    """What stands before the first verb, unless there is more than a subject."""
    return _own_subject(sentence[: clauses[0].start])


def _own_subject(before: str) -> str:
    """The words before a verb, if no comma or conjunction makes them more than a subject."""
    words = before.strip()
    return "" if re.search(r"[,;:]|\b(?:that|which|who|when|because)\b", words) else words


def claims_of(sentences: Sequence[str]) -> list[str]:
    """The claims of all sentences of an entry."""
    return [claim for sentence in sentences for claim in claims_in(" ".join(sentence.split()))]
