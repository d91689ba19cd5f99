"""Which words of an English sentence are verbs, told by word lists and their neighbours.

Much cruder than a tagger, but always at hand: it needs no model and no extra package.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from chronoscore.text import listings

PAST, PARTICIPLE, BASE, THIRD, ING = "past", "participle", "base", "third", "ing"


def _words(many: str) -> frozenset[str]:
    return frozenset(many.split())


DETERMINERS = _words(
    "the a an this these those his her its their our my your some any no every each another "
    "several many few more most such both all"
)
MODALS = _words("will would shall should can could may might must wo ca 'll 'd to cannot")
BE = _words("be am is are was were been being 's 're 'm")
HAVE = _words("have has had having 've")
DO = _words("do does did")
AUXILIARIES = MODALS | BE | HAVE | DO | {"done", "doing"}
_SUBJECTS = _words("i he she it we they who which you that there what")
_PREPOSITIONS = _words(
    "of in on at by for from with into onto over under about after before between through during "
    "against among toward towards upon without within across behind beyond despite since until "
    "as than per via like near off out up down"
)
_OPENS_OBJECT = (
    DETERMINERS
    | _PREPOSITIONS
    | _words("to that him them us me it itself himself themselves not how why what")
)
_AFTER_NOUNS = _words("of in and")
_SKIPPED = _words("not n't also already always never ever still just only then once soon now")
NO_VERBS = _words(
    "hundred indeed need speed breed seed feed naked wicked sacred embed bed red shed sled creed "
    "weed united limited supposed so-called during nothing something anything everything morning "
    "evening king ring spring string thing wing ceiling according including regarding concerning "
    "following building being outstanding leading existing ongoing upcoming remaining"
)


_REACH = 6
"""Words to look back over for one that is no adverb."""


def _regular(lemma: str) -> Iterable[tuple[str, str]]:
    """The forms of a regular verb; a doubled consonant is tried besides a single one."""
    yield lemma, BASE
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        yield from [(f"{lemma[:-1]}ies", THIRD), (f"{lemma}ing", ING)]
        yield from [(f"{lemma[:-1]}ied", form) for form in (PAST, PARTICIPLE)]
        return
    hisses = lemma.endswith(("s", "x", "z", "ch", "sh", "o"))
    yield f"{lemma}es" if hisses else f"{lemma}s", THIRD
    stems = [lemma.removesuffix("e")]
    if lemma[-1] in "bdgklmnprt" and lemma[-2] in "aeiou":
        stems.append(lemma + lemma[-1])
    for stem in stems:
        yield f"{stem}ing", ING
        yield from [(f"{stem}ed", form) for form in (PAST, PARTICIPLE)]


@cache
def verb_forms() -> dict[str, dict[str, str]]:
    """Every known form of a verb, with what form it is and of which verb."""
    listing = listings.read("verbs.txt")
    irregular, regular = listing.split("[nouns too]")[0].split("[irregular]")[1].split("[regular]")
    found: dict[str, dict[str, str]] = {}
    for lemma in regular.split():
        for form, kind in _regular(lemma):
            found.setdefault(form, {})[kind] = lemma
    for entry in irregular.split(";"):
        lemma, past, participle = entry.split()
        for form, kind in _regular(lemma):
            if kind in (BASE, THIRD, ING):
                found.setdefault(form, {})[kind] = lemma
        for form in past.split("/"):
            found.setdefault(form, {})[PAST] = lemma
        for form in participle.split("/"):
            found.setdefault(form, {})[PARTICIPLE] = lemma
    return found


@cache
def nouns_too() -> frozenset[str]:
    """Verbs whose base form is as often a noun."""
    listing = listings.read("verbs.txt")
    return frozenset(listing.split("[nouns too]")[1].split())


def verb_lemma(word: str) -> str:
    """The verb that a form belongs to, or the word itself."""
    known = verb_forms().get(word, {})
    return next(iter(known.values()), word)


def are_verbs(words: Sequence[str]) -> list[bool]:
    """Say for each word of a sentence whether it is a full verb; auxiliaries are none."""
    small = [word.casefold().replace("’", "'") for word in words]
    found: list[bool] = []
    for place, word in enumerate(small):
        before = _neighbour(small[max(0, place - _REACH) : place][::-1])
        after = small[place + 1] if place + 1 < len(small) else "."
        name = words[place][:1].isupper() and place > 0
        found.append(not name and _is_verb(word, before, after))
    return found


def _neighbour(words: Sequence[str]) -> str:
    """The word before, adverbs passed over."""
    for word in words:
        if word not in _SKIPPED and not (word.endswith("ly") and len(word) > 4):
            return word
    return "."


def _is_verb(word: str, before: str, after: str) -> bool:
    if word in AUXILIARIES or word in NO_VERBS or not word.isalpha():
        return False
    kinds = verb_forms().get(word, {})
    if BASE in kinds and (before in MODALS or before in DO):
        return True
    if kinds and before in _SUBJECTS:
        return True
    if before in HAVE or before in BE:
        return (
            PARTICIPLE in kinds or (ING in kinds and before in BE) or word.endswith(("ed", "ing"))
        )
    if ING in kinds or (word.endswith("ing") and len(word) > 5):
        return before not in DETERMINERS and (ING in kinds or after in _OPENS_OBJECT)
    if PAST in kinds or PARTICIPLE in kinds or (word.endswith("ed") and len(word) > 4):
        return not (before in DETERMINERS and after not in _PREPOSITIONS) and (
            BASE not in kinds or after in _OPENS_OBJECT
        )
    if THIRD in kinds:
        free = before not in DETERMINERS and before not in _PREPOSITIONS
        return free and (kinds[THIRD] not in nouns_too() or after in _OPENS_OBJECT - _AFTER_NOUNS)
    if BASE in kinds:
        if word not in nouns_too():
            return before not in DETERMINERS and before not in _PREPOSITIONS
        plural = before.endswith("s") and before not in DETERMINERS and len(before) > 3
        return plural and after in _OPENS_OBJECT - _AFTER_NOUNS
    return False
