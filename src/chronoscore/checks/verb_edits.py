"""Verbs of an English sentence that can be negated or put in another tense, and how."""

from functools import cache
from typing import NamedTuple

from chronoscore.text import listings
from chronoscore.text.tokens import TokenSentence, sentences_of_tokens, word_set
from chronoscore.text.verbs import (
    BASE,
    DETERMINERS,
    ING,
    MODALS,
    PARTICIPLE,
    PAST,
    THIRD,
    nouns_too,
    verb_forms,
)

_FINITE = (MODALS - word_set("to 'll 'd wo ca cannot")) | word_set(
    "is are was were am has have had do does did"
)
"""Auxiliaries after which "not" stands."""
_NO_SUBJECTS = word_set("to and or but by not n't never of in on at for from with , ; : . ( )")
_QUOTES = frozenset("'’\"”")
_OPENS_OBJECT = DETERMINERS | word_set("that him them us me it")
_NO = word_set("no none nobody nothing neither nowhere not never n't")
_PASSED = word_set("also already always still just only then now since so far both all")
_HAVING = {"has": "does", "have": "do", "had": "did"}
_OTHER_TENSE = {"is": "was", "are": "were", "was": "is", "were": "are", "has": "had"}
_UNCOUNTED = word_set("who which that whom")
"""What stands for one or many."""
_PLURALS = word_set("people police men women children they we you troops")


class Edit(NamedTuple):
    """Characters of a text, and what stands there instead."""

    start: int
    end: int
    new: str

    def apply(self, text: str) -> str:
        """The text with the edit made."""
        return text[: self.start] + self.new + text[self.end :]


def negate(text: str) -> Edit | None:
    """Take the first "not" out, or put one after the first finite verb; nothing without one.

    >>> negate("The cap did not hold.").apply("The cap did not hold.")
    'The cap did hold.'
    >>> negate("The cap held the oil.").apply("The cap held the oil.")
    'The cap did not hold the oil.'
    """
    sentences = sentences_of_tokens(text)
    for sentence in sentences:
        for place, token in enumerate(sentence.tokens):
            if token.small in ("not", "n't", "never") and sentence.small(place - 1) in _FINITE:
                return Edit(sentence.tokens[place - 1].end, token.end, "")
    for sentence in sentences:
        for place, token in enumerate(sentence.tokens):
            if token.small in _FINITE and place and token.text[0].islower():
                if edit := _negate_auxiliary(sentence, place):
                    return edit
                continue
            past, third = _finite_forms(sentence, place)
            if past or third:
                auxiliary = "did" if past else "does"
                return Edit(token.start, token.end, f"{auxiliary} not {past or third}")
    return None


def _negate_auxiliary(sentence: TokenSentence, place: int) -> Edit | None:
    """A "not" behind an auxiliary; "has" that is a full verb becomes "does not have".

    Nothing where a "no" says it already, or where "do" is a full verb.
    """
    token, after = sentence.tokens[place], place + 1
    while sentence.small(after) in _PASSED or sentence.small(after).endswith("ly"):
        after += 1
    following = sentence.small(after)
    if following in _NO:
        return None
    kinds = verb_forms().get(following, {})
    if token.small in _HAVING and PARTICIPLE not in kinds and following != "been":
        # "No one has": what is had stands elsewhere.
        full = following.isalnum() and following != "to"
        return Edit(token.start, token.end, f"{_HAVING[token.small]} not have") if full else None
    if token.small in ("do", "does", "did") and BASE not in kinds:
        return None
    return Edit(token.end, token.end, " not")


def change_tense(text: str) -> str:
    """Tell the present in the past and the past in the present, verb by verb.

    >>> change_tense("The rig explodes and eleven workers are missing.")
    'The rig exploded and eleven workers were missing.'
    """
    edits = [
        Edit(token.start, token.end, new)
        for sentence in sentences_of_tokens(text)
        for place, token in enumerate(sentence.tokens)
        if (new := _in_other_tense(sentence, place))
    ]
    for edit in reversed(edits):
        text = edit.apply(text)
    return text


def _finite_forms(sentence: TokenSentence, place: int) -> tuple[str, str]:
    """The base form of a verb that is surely in the past or in the present tense, or nothing.

    "killed" is told from a participle ("workers killed in the blast") by the object after it.
    """
    token = sentence.tokens[place]
    before = sentence.small(place - 1)
    hyphen = "-" in (before, sentence.small(place + 1))
    gerund = ING in verb_forms().get(before, {})
    if not sentence.verbs[place] or not place or before in _NO_SUBJECTS | _FINITE | _QUOTES:
        return "", ""
    if hyphen or gerund or before.isdigit():
        return "", ""
    kinds = verb_forms().get(token.small, {})
    after = sentence.tokens[place + 1].text if place + 1 < len(sentence) else ""
    has_object = after.casefold() in _OPENS_OBJECT or after[:1].isupper()
    if after == "that":
        # "Says that …", but not "battles that leave …".
        has_object = not {sentence.small(place + 2)} & (_FINITE | verb_forms().keys())
    if PAST in kinds:
        sure = BASE not in kinds and (PARTICIPLE not in kinds or has_object)
        return (kinds[PAST] if sure else ""), ""
    third = kinds.get(THIRD, "")
    noun = not has_object and (third in nouns_too() or sentence.small(place + 1) in verb_forms())
    return "", "" if noun or is_plural(before) else third


def _in_other_tense(sentence: TokenSentence, place: int) -> str:
    """A finite verb in another tense; nothing for all other words."""
    token = sentence.tokens[place]
    if token.text in _OTHER_TENSE:
        return _OTHER_TENSE[token.text]
    past, third = _finite_forms(sentence, place)
    if third:
        return form_of(third, PAST)
    if past:
        before = sentence.small(place - 1)
        if before in _UNCOUNTED:
            return ""
        joined = sentence.small(place - 2) == "and" or before in ("both", "all")
        return past if joined or is_plural(before) else form_of(past, THIRD)
    return ""


@cache
def form_of(lemma: str, kind: str) -> str:
    """A form of a verb; of several spellings the one that WordNet lists, or the shortest.

    >>> form_of("stop", PAST), form_of("visit", PAST), form_of("begin", PAST)
    ('stopped', 'visited', 'began')
    """
    forms = [form for form, kinds in verb_forms().items() if kinds.get(kind) == lemma]
    listed = [form for form in forms if _exceptions().get(form) == lemma]
    return min(listed or forms, key=lambda form: (len(form), form), default="")


@cache
def _exceptions() -> dict[str, str]:
    """Irregular forms and doubled consonants, with what they are forms of."""
    rows = listings.read("wordnet-exceptions.tsv").splitlines()
    return dict(row.split("\t")[:2] for row in rows if "\t" in row)


def is_plural(word: str) -> bool:
    """Whether a noun is a plural, by its ending or a short list."""
    return word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))
