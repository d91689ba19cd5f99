"""Who did what to whom, and whether it is denied, in English sentences: rules, no parser.

Each full verb makes a clause: the words of its subject and of its object, turned around in the
passive voice, and whether it is negated. "is", "was" and the like make one with what they say of
the subject ("was not safe"). The rules see what stands next to a verb. They take commas and
conjunctions for ends of clauses, and know nothing of pronouns, ellipsis ("and so did Libya"),
irony, or negation by meaning ("the talks collapsed").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from chronoscore.text.stems import stem
from chronoscore.text.tokens import TokenSentence, sentences_of_tokens, word_set
from chronoscore.text.verbs import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    MODALS,
    PARTICIPLE,
    verb_forms,
    verb_lemma,
)

_NEGATORS = word_set("not n't never cannot neither nor hardly barely")
_NO = word_set("no none nobody nothing")
_AVERSE = word_set("fail refuse decline neglect")
"""Verbs before "to" that say it was not done."""
_DENYING = word_set("deny avoid")
"""Verbs before "doing" that say so."""
_UNDONE = word_set("unable unwilling powerless")
"""Adjectives before "to" that say so."""
_HEDGING = word_set("deny dispute doubt reject refuse warn dismiss oppose ban prevent threaten")
_HEDGES = word_set("against yet whether rather refusal denial unless until only if effort attempt")
"""Words that leave open what follows them."""
_WITHIN_GROUP = word_set(
    "also already always ever still just only then once soon now yet longer been be have"
)
_ENDS = word_set(
    ", ; : . ? ! ( ) \" “ ” `` '' – — that which who whom whose where when while because although "
    "though but and or if unless until since after before as whether"
)
_PREPOSITIONS = word_set(
    "of in on at by for from with into onto over under about between through during against among "
    "toward towards upon without within across behind beyond despite than per via near off out up "
    "down to amid following"
)
_BEFORE_VERBS = (MODALS | DO) - {"to", "'d", "'ll"}
_HEDGED = 8
"""Tokens before a verb among which such a word stands."""
_REACH = 12
"""Tokens on either side of a verb that belong to its clause."""


@dataclass(frozen=True)
class NounPhrase:
    """The words of a subject or an object, and where they stand."""

    stems: frozenset[str] = frozenset()
    head: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Clause:
    """A verb, or a predicate with "be", with its subject and object."""

    predicate: str
    """The stem of the verb, or of the predicate with "be"."""
    negated: bool
    hedged: bool
    """Whether another word decides if it is so, as in "denies", "warns against" or "yet to"."""
    agent: NounPhrase
    patient: NounPhrase
    context: frozenset[str]
    """The stems of the other content words of the clause."""
    start: int
    end: int
    copular: bool = False


@lru_cache(maxsize=50_000)
def clauses_in(text: str) -> tuple[Clause, ...]:
    """Find the clauses of an English text, in order.

    >>> (clause,) = clauses_in("Rome was not attacked by Carthage.")
    >>> clause.predicate, clause.negated, clause.agent.head, clause.patient.head
    ('attack', True, 'carthag', 'rome')
    """
    return tuple(
        clause
        for sentence in sentences_of_tokens(text)
        for clause in _ClauseParser(sentence).clauses()
    )


class _ClauseParser:
    """Reads one sentence."""

    def __init__(self, sentence: TokenSentence) -> None:
        self.sentence = sentence
        self.small = sentence.small
        self.verbs = [
            verb or self._follows_auxiliary(place) for place, verb in enumerate(sentence.verbs)
        ]

    def _follows_auxiliary(self, place: int) -> bool:
        """Whether a word that no list has stands where a verb must: "did not seal"."""
        if not self.sentence.stems[place] or not self.sentence.tokens[place].text[0].islower():
            return False
        before = place - 1
        while self.small(before) in _NEGATORS or self.small(before) in _WITHIN_GROUP:
            before -= 1
        return self.small(before) in _BEFORE_VERBS

    def clauses(self) -> Iterator[Clause]:
        for place in range(len(self.sentence)):
            if self.verbs[place]:
                yield self._of_verb(place)
            elif self.small(place) in BE and self.small(place) != "'s":
                clause = self._of_copula(place)
                if clause is not None:
                    yield clause

    def _of_verb(self, place: int) -> Clause:
        begin = self._group_start(place)
        lemma = verb_lemma(self.small(place))
        kinds = verb_forms().get(self.small(place), {})
        participle = PARTICIPLE in kinds or self.small(place).endswith("ed")
        passive = participle and any(self.small(one) in BE for one in range(begin, place))
        before, after = self._before(begin), self._after(place + 1)
        agent, patient = before, after
        if passive:
            agent, patient = self._by(place + 1), before
        return Clause(
            stem(lemma),
            self._is_negated(begin, place),
            self._is_hedged(begin, place),
            agent,
            patient,
            self._context(begin, place),
            self.sentence.tokens[begin].start,
            self.sentence.tokens[place].end,
        )

    def _of_copula(self, place: int) -> Clause | None:
        """What "is" says of its subject: the first content word behind it, if no verb is nearer."""
        for said in range(place + 1, min(place + 5, len(self.sentence))):
            if self.verbs[said] or self.small(said) in _ENDS or self.small(said) in _PREPOSITIONS:
                return None
            if self.sentence.stems[said]:
                break
        else:
            return None
        begin = self._group_start(place)
        return Clause(
            self.sentence.stems[said],
            self._is_negated(begin, said),
            self._is_hedged(begin, said),
            NounPhrase(),
            self._before(begin),
            self._context(begin, said),
            self.sentence.tokens[begin].start,
            self.sentence.tokens[said].end,
            copular=True,
        )

    def _group_start(self, place: int) -> int:
        """The first auxiliary, adverb or negator in front of a verb."""
        while place > 0:
            word = self.small(place - 1)
            adverb = word in _WITHIN_GROUP or (word.endswith("ly") and len(word) > 4)
            lone_no = word == "no" and self.small(place) != "-"
            if not (adverb or word in AUXILIARIES or word in _NEGATORS or lone_no):
                break
            place -= 1
        return place

    def _is_negated(self, begin: int, place: int) -> bool:
        """Whether a verb is denied: not, never, failed to, without, no survivors."""
        group = [self.small(one) for one in range(begin, place)]
        if any(word in _NEGATORS or word == "no" for word in group):
            return True
        if self._is_undone(begin, place):
            return True
        if self.small(begin - 1) == "without" or self._has_no_object(place):
            return True
        return self._has_no_subject(begin)

    def _has_no_subject(self, begin: int) -> bool:
        """Whether the subject opens with "no", and is not the object of a verb before."""
        first = self._segment_start(begin)
        if not any(self._is_no(one) for one in range(first, min(begin, first + 2))):
            return False
        if not (first > 0 and self.verbs[first - 1]):
            return True
        between = any(self.small(one) in _PREPOSITIONS for one in range(first, begin))
        return not (between or self._has_no_object(first - 1))

    def _has_no_object(self, place: int) -> bool:
        """Whether "no" behind a verb belongs to it: "found no one", but not "says no one is"."""
        return self._is_no(place + 1) and not self._is_subject(place + 1)

    def _is_subject(self, place: int) -> bool:
        """Whether a finite verb follows the noun phrase that begins here.

        Infinitives ("to free"), participles ("held by", "trapping") and what stands behind a
        preposition or a determiner ("for his release") belong to the phrase.
        """
        stop = self._segment_stop(place)
        if stop >= len(self.sentence) or self.small(stop) == "to":
            return False
        inner = any(self.small(one) in _PREPOSITIONS for one in range(place, stop))
        if self.small(stop) in AUXILIARIES:
            # "From Ukraine's border" has no verb.
            return not (inner and self.small(stop) == "'s")
        noun = self.small(stop - 1) in DETERMINERS or self.small(stop - 1) == "no"
        participle = self.small(stop).endswith("ing") or self.small(stop + 1) == "by"
        return self.verbs[stop] and not (inner or noun or participle)

    def _is_no(self, place: int) -> bool:
        """Whether a token is "no" or the like, and not that of "no-fly"."""
        return self.small(place) in _NO and self.small(place + 1) != "-"

    def _is_hedged(self, begin: int, place: int) -> bool:
        """Whether a word shortly before a verb denies, doubts or leaves open what follows.

        "Refused to sign" leaves nothing open.
        """
        reach = range(max(0, begin - _HEDGED), place)
        sure = begin - 1 if self._is_undone(begin, place) else -1
        before = [self.small(one) for one in reach if one != sure]
        return any(word in _HEDGES or verb_lemma(word) in _HEDGING for word in before)

    def _is_undone(self, begin: int, place: int) -> bool:
        """Whether the word before says that it was not done: "failed to", "denied doing"."""
        word = self.small(begin - 1)
        if "to" in (self.small(place - 1), self.small(place - 2)):
            return word in _UNDONE or verb_lemma(word) in _AVERSE
        gerund = self.small(begin).endswith("ing")
        return gerund and verb_lemma(word) in _DENYING

    def _segment_start(self, begin: int) -> int:
        """The token after the end of the clause before."""
        place = begin
        while place > max(0, begin - _REACH):
            if self.small(place - 1) in _ENDS or self.verbs[place - 1]:
                break
            place -= 1
        return place

    def _segment_stop(self, place: int) -> int:
        stop = place
        while stop < min(len(self.sentence), place + _REACH):
            if self.small(stop) in _ENDS or self.verbs[stop] or self.small(stop) in AUXILIARIES:
                break
            stop += 1
        return stop

    def _before(self, begin: int) -> NounPhrase:
        """The subject: the first noun phrase between the clause before and the verb."""
        start = self._segment_start(begin)
        if self.small(start) in _PREPOSITIONS:
            # "In Cairo police …": what follows the preposition cannot be told from the subject.
            start = begin
            while start > 0 and self.sentence.stems[start - 1]:
                start -= 1
        return self._phrase(start, begin)

    def _after(self, place: int) -> NounPhrase:
        """The object: the noun phrase right behind the verb."""
        return self._phrase(place, self._segment_stop(place))

    def _by(self, place: int) -> NounPhrase:
        """The agent of a passive verb."""
        for by in range(place, self._segment_stop(place)):
            if self.small(by) == "by":
                return self._phrase(by + 1, self._segment_stop(by + 1))
        return NounPhrase()

    def _phrase(self, start: int, stop: int) -> NounPhrase:
        """The first noun phrase of some tokens; it ends before a preposition."""
        end = start
        while end < stop and self.small(end) not in _PREPOSITIONS:
            end += 1
        places = [one for one in range(start, end) if self.sentence.stems[one]]
        if not places:
            return NounPhrase()
        first = places[0]
        if first > start and self.small(first - 1) in DETERMINERS:
            first -= 1
        tokens = self.sentence.tokens
        stems = [self.sentence.stems[one] for one in places]
        return NounPhrase(frozenset(stems), stems[-1], tokens[first].start, tokens[places[-1]].end)

    def _context(self, begin: int, place: int) -> frozenset[str]:
        """The content words of the clause but for its predicate."""
        start = max(0, begin - _REACH)
        stop = min(len(self.sentence), place + 1 + _REACH)
        around = [*self.sentence.stems[start:begin], *self.sentence.stems[place + 1 : stop]]
        return frozenset(filter(None, around))
