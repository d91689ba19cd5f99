"""Whether the sentence around a date speaks of what will be or of what was."""

from chronoscore.dates.context import EDGE, Context
from chronoscore.dates.languages import read_table
from chronoscore.dates.tokens import Phrase, Token

_SAYING = frozenset(("said", "says", "told", "announced", "reported", "added", "stated"))
_REPORTING = _SAYING | {"was", "were", "had", "did"}
_NEAR = 3
"""How near to a date a verb of saying must be to be dated by it."""
_PAST, _ABOUT, _ARRANGED = (
    frozenset(read_table("english")["verbs"][kind].split())
    for kind in ("past", "announcing", "arranged")
)
_ENDS = (".", "?", "!")
_POSSIBLE = frozenset(("can", "could", "may", "hope", "hopes", "aims", "intends", "wants"))
_MOVED = frozenset(("adjourned", "delayed", "extended", "moved", "postponed", "pushed"))


def is_future(context: Context) -> bool:
    """Whether the sentence speaks of what will be where the date stands.

    The nearest verb that shows it counts: one before the date, or else the first after it.
    """
    if context.before.word == "since":
        return False
    if _is_said_of(context) or _is_ahead_of(context) or _is_arranged(context.earlier):
        return True
    following = context.after
    for place, token in reversed(list(enumerate(context.earlier))):
        if token.word in _ENDS:
            break
        shown = _shown_by(token, following, context.earlier[:place])
        if shown is not None:
            return shown
        following = token
    for later in context.rest:
        if later.kind == "w":
            return _opens_sentence(context)
        if later.word in _ENDS or later.word in _REPORTING or later.word.endswith("ed"):
            break
    return False


def _shown_by(token: Token, following: Token, earlier: Phrase) -> bool | None:
    """Whether a word before the date shows what will be; None where it shows nothing."""
    if token.kind == "w":
        # What "had been due" was called off.
        return [word.word for word in earlier[-2:]] != ["had", "been"]
    if token.word == "to" and following.word in ("be", "have"):
        return following.word == "be" and not any(map(_in_past, earlier))
    if following.word == "to" and token.word in _ABOUT:
        return True
    if following.word == "for" and token.word == "set":
        return True
    return False if token.word in _REPORTING else None


def _is_ahead_of(context: Context) -> bool:
    """Whether the word before the date looks ahead: "starting Monday", "moved to Monday"."""
    before, earlier = context.before.word, [token.word for token in context.earlier[-5:]]
    if before in ("to", "until", "till"):
        return not _MOVED.isdisjoint(earlier)
    return before in ("starting", "beginning", "effective") or earlier[-2:] == ["ahead", "of"]


def _is_said_of(context: Context) -> bool:
    """Whether a thing "is Friday" or "is at 8 p.m. on Friday": only an appointment can be."""
    for token in reversed(context.earlier):
        if token.kind not in "CDPz" and token.word not in ("on", "in", "at", "for", ","):
            return token.word in ("is", "are")
    return False


def _is_arranged(earlier: Phrase) -> bool:
    """Whether the last verb before a date tells what is arranged or possible."""
    following = EDGE
    for token in reversed(earlier):
        possible = token.kind == "." and token.word in _POSSIBLE and following.word != "not"
        if possible or token.word in _ARRANGED:
            return True
        if token.word in _ENDS or token.kind in "\nYw" or _in_past(token):
            return False
        following = token
    return False


def _in_past(token: Token) -> bool:
    return token.word in _PAST or (token.kind == "." and token.word.endswith("ed"))


def is_past(context: Context) -> bool:
    """Whether the verb that the date belongs to is in the past: the nearest before it or behind.

    A verb after "to" has no tense, and "said" tells of the date only where it stands near.
    """
    following = context.after
    for place, token in enumerate(reversed(context.earlier)):
        if token.word in _ENDS or token.kind == "\n":
            break
        if token.word == "to" and following.kind == ".":
            return False
        if _in_past(token) and (place < _NEAR or token.word not in _SAYING):
            return True
        following = token
    for token in context.rest:
        if token.word in _ENDS or token.kind == "\n":
            break
        if _in_past(token) and token.word not in _SAYING:
            return True
    return False


def _opens_sentence(context: Context) -> bool:
    """Whether at most a preposition or two stand before the date in its sentence."""
    start = [token.word in _ENDS or token.kind == "\n" for token in context.earlier]
    own = start[::-1].index(True) if True in start else len(start)
    return own <= 2
