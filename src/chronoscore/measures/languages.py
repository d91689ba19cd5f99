"""The languages of texts: refused where a measure cannot read them, chosen under `language=auto`.

`auto` looks at each topic's references. English stays with the preparation that the measure has;
every other language is read by `unicode`, with its own stemmer and stop words. A measure that
was given no preparation is treated so as well where a topic is written in a script that `perl155`
takes for blanks, because everything would score 0 there.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from chronoscore.core import Collection, Ranking, Run, Summary, Timeline, Topic
from chronoscore.errors import UsageError, did_you_mean, warn
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.text.function_words import LISTED
from chronoscore.text.languages import AUTO, LANGUAGES, detect_language, is_in_unreadable_script
from chronoscore.text.preparation import PREPARATIONS

AnyMeasure = TypeVar("AnyMeasure", bound=Measure)


def check_language(name: str, prepare: str, language: str) -> None:
    """Refuse an unknown language, and one that the preparation would ignore."""
    if language not in (*LANGUAGES, AUTO):
        near = did_you_mean(language, [*LANGUAGES, AUTO])
        raise UsageError(f"{name}(language={language}): unknown language; {near}")
    if prepare != "unicode" and language not in ("english", AUTO):
        raise UsageError(
            f"{name}(language={language}): {prepare} reads English only; "
            f"write prepare=unicode,language={language}, or language=auto"
        )


def reading_measure(measure: Measure) -> Measure:
    """The measure that reads the texts: itself, or the one that it accounts for."""
    inner = vars(measure).get("of")
    return inner if isinstance(inner, Measure) else measure


def replace_reading(measure: AnyMeasure, **values: object) -> AnyMeasure:
    """The measure with other parameters of reading, in the measure that reads the texts."""
    reads = reading_measure(measure)
    changed = replace(reads, **values)  # type: ignore[arg-type]
    return changed if reads is measure else replace(measure, of=changed)  # type: ignore


def is_text_measure(measure: Measure) -> bool:
    """Whether a measure has a preparation and a language."""
    names = {parameter.name for parameter in reading_measure(measure).parameters()}
    return {"prepare", "language"} <= names


def _in_language(measure: AnyMeasure, language: str) -> AnyMeasure:
    """The measure for texts of one language."""
    if not is_text_measure(measure):
        return replace_reading(measure, language=language)
    prepare = preparation_of(measure) if language == "english" else "unicode"
    return replace_reading(measure, prepare=prepare, language=language)


def name_language(text: str, language: str) -> str:
    """The text of a measure in a language, unless it names one or has none.

    >>> name_language("rouge2.f", "spanish"), name_language("dates", "spanish")
    ('rouge(n=2,prepare=unicode,language=spanish).f', 'dates')
    """
    # The registry imports measures, which import this.
    from chronoscore.measures.registry import parse_measure_text

    measure = parse_measure_text(text)
    if not is_text_measure(measure) or {"language", "prepare"} & reading_measure(measure).explicit:
        return text
    if language == AUTO:
        return str(replace_reading(measure, language=AUTO))
    return str(_in_language(measure, language))


def preparation_of(measure: Measure) -> str:
    """The name of a measure's preparation."""
    return str(vars(reading_measure(measure))["prepare"])


def tally_by_language(
    family: Sequence[AnyMeasure],
    pairs: Sequence[Pair],
    tally_family: Callable[[Sequence[AnyMeasure], Sequence[Pair]], list[Array]],
) -> list[Array]:
    """Count measures with `language=auto`: the pairs of each language together."""
    languages: dict[int, str] = {}
    groups: dict[str, list[int]] = {}
    for place, (topic, _) in enumerate(pairs):
        if id(topic) not in languages:
            languages[id(topic)] = detect_language(_reference_sentences(topic))
        groups.setdefault(languages[id(topic)], []).append(place)
    tallies = [np.zeros((len(pairs), measure.width)) for measure in family]
    for language, places in groups.items():
        chosen = [_in_language(measure, language) for measure in family]
        counts = tally_family(chosen, [pairs[place] for place in places])
        for whole, rows in zip(tallies, counts, strict=True):
            whole[places] = rows
    return tallies


def choose_languages(
    collection: Collection, runs: Sequence[Run], measures: Sequence[Measure]
) -> list[Measure]:
    """The measures as they read these texts; what was chosen for the user is warned of once.

    Where all topics have one language, that is the measure's; otherwise it stays `auto`.
    """
    if not any(map(is_text_measure, measures)):
        _warn_of_bases(collection, measures)
        return list(measures)
    unseen = {
        topic.id for topic in collection if is_in_unreadable_script(_reference_sentences(topic))
    }
    left_alone = [one for one in measures if is_text_measure(one) and is_ascii_only_measure(one)]
    chosen = []
    for measure in measures:
        chosen_by_hand = "prepare" in reading_measure(measure).explicit
        if unseen and measure in left_alone and not chosen_by_hand:
            measure = replace_reading(measure, language=AUTO)
        chosen.append(measure)
    languages: Mapping[str, int] = {}
    if any(language_of(one) == AUTO for one in chosen):
        languages = Counter(detect_language(_reference_sentences(topic)) for topic in collection)
    if len(languages) == 1:
        only = next(iter(languages))
        chosen = [_in_language(m, only) if language_of(m) == AUTO else m for m in chosen]
    _warn_of_unseen(collection, runs, left_alone, unseen, languages)
    warn_of_stop_words(chosen, languages)
    return chosen


def measure_for_topic(measure: AnyMeasure, topic: Topic) -> AnyMeasure:
    """The measure as it reads one topic."""
    if language_of(measure) != AUTO:
        return measure
    return _in_language(measure, detect_language(_reference_sentences(topic)))


def count_languages(collection: Collection, measures: Sequence[Measure]) -> str:
    """The languages of topics for a signature, where measures read each in its own."""
    if not any(language_of(measure) == AUTO for measure in measures):
        return ""
    found = Counter(detect_language(_reference_sentences(topic)) for topic in collection)
    return "languages:" + ",".join(f"{name}={count}" for name, count in sorted(found.items()))


def is_ascii_only_measure(measure: Measure) -> bool:
    """Whether a measure sees only ASCII and has not been told to look at the language."""
    return PREPARATIONS[preparation_of(measure)].ascii_only and language_of(measure) != AUTO


def language_of(measure: Measure) -> str:
    """A measure's language; nothing where it does not read texts."""
    return str(vars(reading_measure(measure)).get("language", ""))


def _reference_sentences(topic: Topic) -> list[str]:
    """All sentences of a topic's references."""
    texts: list[Summary | Timeline] = [*topic.summaries, *topic.timelines]
    return [sentence for text in texts for sentence in text.sentences]


def _warn_of_unseen(
    collection: Collection,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    unseen: set[str],
    languages: Mapping[str, int],
) -> None:
    """Say that perl155 cannot see some texts, and how they are read."""
    if not measures:
        return
    blind = preparation_of(measures[0])
    which = f"topic '{min(unseen)}'" if unseen else ""
    if len(unseen) > 1:
        which = f"{len(unseen)} of {len(collection)} topics"
    explicit = any("prepare" in reading_measure(one).explicit for one in measures)
    if unseen and explicit:
        warn(
            f"{which}: prepare={blind} cannot see the script, so hardly anything is compared; "
            "write prepare=unicode or language=auto",
            kind="unseen-script",
        )
    elif unseen:
        how = f"prepare=unicode,language={next(iter(languages))}"
        if len(languages) > 1:
            how = f"language=auto, which takes prepare=unicode ({', '.join(sorted(languages))})"
        warn(
            f"{which}: prepare={blind} cannot see the script; read with {how}",
            kind="script-read-otherwise",
        )
    blank = [
        (run.system, name)
        for run in runs
        for name, output in run.outputs.items()
        if name not in unseen
        and not isinstance(output, Ranking)
        and is_in_unreadable_script(output.sentences)
    ]
    if blank:
        system, name = blank[0]
        more = f" ({len(blank)} such outputs in all)" if len(blank) > 1 else ""
        warn(
            f"run '{system}', topic '{name}': the output is in a script that prepare={blind} "
            f"cannot see and its references are not{more}; prepare=unicode would see it",
            kind="unseen-outputs",
        )


def _warn_of_bases(collection: Collection, measures: Sequence[Measure]) -> None:
    """Say that the base of a measure cannot see some texts; its coefficients hold for it only."""
    bases = [vars(measure).get("base") for measure in measures]
    blind = [
        b
        for b in bases
        if isinstance(b, Measure) and is_text_measure(b) and is_ascii_only_measure(b)
    ]
    if blind and any(is_in_unreadable_script(_reference_sentences(topic)) for topic in collection):
        warn(
            f"'{blind[0]}' cannot see the script of these texts; write prepare=unicode in it",
            kind="unseen-script",
        )


def warn_of_stop_words(measures: Sequence[Measure], languages: Mapping[str, int]) -> None:
    """Say that no stop words are removed from a language that we have no list for."""
    asked = {language_of(m) for m in measures if vars(reading_measure(m)).get("stop")}
    asked |= set(languages) if AUTO in asked else set()
    for language in sorted(asked - LISTED - {AUTO, ""}):
        warn(
            f"there is no list of stop words for language={language}; none are removed",
            kind="no-stop-words",
        )
