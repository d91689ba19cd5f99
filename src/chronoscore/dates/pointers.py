"""Readers of words that point at a time without saying which: now, soon, the future, that time."""

from chronoscore.dates.context import Context, DateReading
from chronoscore.dates.tokens import REFERENCES, Phrase

_ADJECTIVES = frozenset(("former", "formerly", "current", "future"))
_NEARNESS = frozenset(("near", "foreseeable", "immediate", "distant", "recent"))
_PHRASES = {"the other day": "PAST_REF", "the time being": "PRESENT_REF"}
_TERMS = frozenset(("near", "nearer", "short", "shorter", "medium", "long", "longer"))


def read_time_pointer(tokens: Phrase, context: Context) -> DateReading | None:
    """Now, formerly, the future, the present day.

    Histories count the adjectives in ("former", "current"); TimeML news does not, nor "now that"
    and what one will "now" do.
    """
    word = tokens.find("r")
    if word is None:
        return DateReading("PRESENT_REF") if tokens[-1].word == "day" else None
    if word.word == "term":
        placed = context.before.kind in "ij" or context.before.word == "over"
        known = placed and len(tokens) == 3 and tokens[1].word in _TERMS
        return DateReading("FUTURE_REF") if known else None
    if tokens[0].kind == "=" and word.word not in ("recently", "soon"):
        return None
    if len(tokens) > 1 and tokens[0].kind == "t" and word.word != "future":
        return None
    if word.word == "soon" and (context.scene.history or not _is_soon(context)):
        return None
    if tokens[0].kind == "t" and len(tokens) == 3 and tokens[1].word not in _NEARNESS:
        return None
    if not context.scene.history:
        if word.word in _ADJECTIVES and len(tokens) == 1:
            ahead = word.word == "future" and context.before.word == "in"
            return DateReading("FUTURE_REF") if ahead and context.after.kind in ",;\n" else None
        if word.word == "recent" and context.before.word in ("most", "more"):
            return None
        if word.word == "now" and (
            context.before.kind == "w" or context.after.kind == "-" or context.after.word == "that"
        ):
            return None
    return DateReading(REFERENCES[word.word])


def _is_soon(context: Context) -> bool:
    """Whether "soon" says when: not in "as soon as", "soon after", "too soon"."""
    before, after = context.before.word, context.after.word
    return before not in ("as", "so", "how", "too") and after not in (
        *("after", "as", "before", "enough", "afterwards", "afterward", "thereafter", "-"),
    )


def read_recent_units(tokens: Phrase, _context: Context) -> DateReading | None:
    """Recent years."""
    return DateReading("PAST_REF") if tokens.first("r").word == "recent" else None


def read_the_past(tokens: Phrase, context: Context) -> DateReading | None:
    """The past, with no unit behind it."""
    if len(tokens) == 3 and tokens[1].word not in _NEARNESS:
        return None
    known = len(tokens) == 3 or context.after.kind in ",;'\nj" or context.before.word == "in"
    return DateReading("PAST_REF") if known and tokens[-1].word == "past" else None


def read_phrase(tokens: Phrase, _context: Context) -> DateReading | None:
    """The other day, the time being."""
    value = _PHRASES.get(" ".join(token.word for token in tokens))
    return DateReading(value) if value else None


def read_some_time_ago(tokens: Phrase, _context: Context) -> DateReading | None:
    """Some time ago."""
    return DateReading("PAST_REF") if tokens[0].word == "some" else None


def read_at_present(tokens: Phrase, context: Context) -> DateReading | None:
    """The moment of "at the moment", the present of "at present"."""
    if context.before.word != "at" or tokens[-1].word not in ("moment", "present"):
        return None
    if tokens[-1].word == "moment" and context.after.word in ("when", "of", "that"):
        return None
    return DateReading("PRESENT_REF")


def read_some_time(tokens: Phrase, context: Context) -> DateReading | None:
    """That time, the same period: a date, but the words do not say which.

    In news only after a preposition, and "at the same time" is a phrase there.
    """
    if not context.scene.history:
        if context.before.kind not in "ij<>" or tokens.words >= {"same", "time"}:
            return None
        if tokens[0].word == "this" and tokens[-1].word in ("time", "moment"):
            return DateReading("PRESENT_REF")
    return DateReading("")
