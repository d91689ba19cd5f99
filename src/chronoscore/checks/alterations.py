"""The table of alterations: what each does to a timeline, and whether that does harm."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from chronoscore.checks import falsehoods, rearrangements, rewording
from chronoscore.checks.cases import Case
from chronoscore.core import Collection, Timeline, Topic
from chronoscore.errors import UsageError, did_you_mean
from chronoscore.options.checks import Altering
from chronoscore.text.languages import detect_language

GROUPS = ("all", "harm", "harmless")
OTHER_LANGUAGE = "not for this language"


@dataclass(frozen=True)
class Alteration:
    """A change of a timeline that a good measure punishes, or that it leaves alone."""

    name: str
    does: str
    alter: Callable[[Case], Timeline | None]
    """Gives the altered timeline, or nothing where none of its places can be altered."""
    lacking: str
    """What a timeline lacks that cannot be altered so."""
    harmless: bool = False
    language: str = ""
    """The language that it reads; empty where it reads no words."""

    def reads(self, case: Case) -> bool:
        """Whether it can read the language of a timeline."""
        return self.language in ("", case.language)


def _english(
    name: str,
    does: str,
    alter: Callable[[Case], Timeline | None],
    lacking: str,
    *,
    harmless: bool = False,
) -> Alteration:
    """An alteration that reads English."""
    return Alteration(name, does, alter, lacking, harmless, "english")


ALTERATIONS = (
    _english(
        "numbers",
        "make numbers up to a fifth larger or smaller",
        falsehoods.change_numbers_a_little,
        "no number to change",
    ),
    _english(
        "tenfold",
        "make numbers ten times as large",
        falsehoods.multiply_numbers,
        "no number to change",
    ),
    _english(
        "negation",
        "deny what is said, or say what is denied",
        falsehoods.negate_sentences,
        "no verb to negate",
    ),
    _english(
        "names",
        "put other names of the topic in the place of names",
        falsehoods.exchange_names,
        "no names to exchange",
    ),
    _english(
        "roles",
        "exchange who did something and to whom it was done",
        falsehoods.exchange_roles,
        "nobody does anything to anybody",
    ),
    _english(
        "invented",
        "add entries about what never happened",
        falsehoods.invent_entries,
        "no entry",
    ),
    Alteration(
        "foreign",
        "add entries of other topics",
        rearrangements.add_foreign_entries,
        "no other topic",
    ),
    Alteration(
        "year",
        "date entries a year too early or too late",
        rearrangements.move_by_a_year,
        "no date to move",
    ),
    Alteration(
        "day-month",
        "exchange day and month of a date",
        rearrangements.exchange_day_and_month,
        "no day that could be a month",
    ),
    Alteration(
        "late",
        "date events by the next article, or the day after",
        rearrangements.report_late,
        "no day to move",
    ),
    Alteration(
        "combined",
        "join entries with the next one",
        rearrangements.combine_entries,
        "no two entries to join",
    ),
    Alteration(
        "divided",
        "move half of an entry to the next free day",
        rearrangements.divide_entries,
        "no entry of two sentences",
    ),
    Alteration(
        "repeated",
        "say everything twice on the same day",
        rearrangements.repeat_sentences,
        "no text to repeat",
    ),
    Alteration(
        "truncated",
        "break off before the last entries",
        rearrangements.truncate,
        "no two entries",
    ),
    _english(
        "spelled",
        "write numbers in words",
        falsehoods.spell_numbers,
        "no number in figures",
        harmless=True,
    ),
    _english(
        "synonyms",
        "put synonyms in the place of common words",
        rewording.use_synonyms,
        "no word with a synonym",
        harmless=True,
    ),
    _english(
        "inflection",
        "tell the past in the present tense, and the other way round",
        rewording.inflect,
        "no verb to inflect",
        harmless=True,
    ),
    Alteration(
        "sentences",
        "put the sentences of an entry in another order",
        rearrangements.shuffle_sentences,
        "no entry of two sentences",
        harmless=True,
    ),
    Alteration(
        "order",
        "list the entries in another order",
        rearrangements.shuffle_entries,
        "no two entries",
        harmless=True,
    ),
)


def choose_alterations(names: Iterable[str]) -> list[Alteration]:
    """The alterations of some names or groups, in the order of the table.

    >>> [one.name for one in choose_alterations(["tenfold,numbers"])]
    ['numbers', 'tenfold']
    """
    words = [word.strip() for name in names for word in name.split(",")]
    known = [*GROUPS, *(one.name for one in ALTERATIONS)]
    for word in words:
        if word not in known:
            raise UsageError(f"unknown damage '{word}'; {did_you_mean(word, known)}")
    return [
        one
        for one in ALTERATIONS
        if {"all", one.name, "harmless" if one.harmless else "harm"} & set(words)
    ]


def make_cases(topics: Collection | Sequence[Topic], how: Altering) -> list[Case]:
    """A case for every timeline that has entries, in the order of `references_alone`."""
    return [
        Case(
            timeline,
            same_topic=topic.timelines,
            other_topics=[t for other in topics if other.id != topic.id for t in other.timelines],
            articles=topic.documents,
            language=detect_language(timeline.sentences),
            share=how.share,
            seed=f"{how.seed}/{topic.id}/{number}",
        )
        for topic in topics
        for number, timeline in enumerate(topic.timelines)
        if timeline.entries
    ]
