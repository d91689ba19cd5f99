"""A scorer that stays warm: references are prepared once, candidates come by the hundred."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Collection, Output, Ranking, Summary, Timeline, Topic
from chronoscore.data.arguments import Measures, Outputs, TopicNames, TopicReferences
from chronoscore.data.choice import adapt, as_measures, parse_measure
from chronoscore.data.frames import is_data_frame
from chronoscore.data.kinds import kind_of_inputs, kind_of_value
from chronoscore.data.references import as_collection
from chronoscore.data.tables import list_references
from chronoscore.data.values import as_list, as_output, as_timeline, has_date_keys, is_entry_list
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    check_choice,
    describe_type,
    did_you_mean,
    number_with_noun,
)
from chronoscore.measures.function import FunctionMeasure
from chronoscore.measures.languages import choose_languages
from chronoscore.measures.measure import FamilyCounter, Measure, Pair, group_families

OnError: TypeAlias = Literal["stop", "empty"]
ONE = "references"
"""The name of the topic where there is only one."""


class Scorer:
    """Scores candidates against references that are prepared once.

    For rewards in training loops and for reranking samples: a call does nothing but count, gives
    no warning, and may come from several threads at once. Figures are those of `score`.

    The references are those of one topic (a text, a timeline as `{date: text}`, or a list of
    these) or of several, as `{topic: references}`, a collection or a long table; then a call
    says which topic each candidate belongs to. A string is a text and a `Path` a file. A measure
    without a part gives the one that sums it up, mostly F. If there are measures of texts and
    measures of timelines, the former read the sentences of a timeline in order of time.

    With `on_error="empty"` a candidate that cannot be read as a timeline scores as an empty one.

    >>> scorer = Scorer(["the old dam broke", "a dam burst"], ["rouge1", "rouge2.r"])
    >>> scorer(["the dam broke", "a dog barked"]).round(3)
    array([[0.615, 0.2  ],
           [0.154, 0.   ]])
    >>> scorer.rank(["a dog barked", "the dam broke"])
    [1, 0]
    """

    def __init__(
        self, references: TopicReferences, measures: Measures, *, on_error: OnError = "stop"
    ) -> None:
        chosen = _choose_measures(measures, references)
        self.on_error = check_choice(on_error, ("stop", "empty"), "on_error")
        timelines = any(measure.needs is Timeline for measure in chosen)
        self._needs: type[Output] = Timeline if timelines else Summary
        self._topics = _prepare_topics(references, timelines)
        collection = Collection({topic.id: topic for topic in self._topics})
        chosen = choose_languages(collection, (), chosen)
        self._families = [(f, _prepare_counter(f, self._topics)) for f in group_families(chosen)]
        self._columns = [(measure, _part_column(measure)) for measure in chosen]
        self.columns = tuple(
            f"{measure.title}.{measure.parts[place]}" for measure, place in self._columns
        )
        """The measures and parts of the columns."""
        self.measures = tuple((m, m.parts[place]) for m, place in self._columns)

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs; it prepares the references again."""
        return {**vars(self), "_families": [family for family, _ in self._families]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._families = [(f, _prepare_counter(f, self._topics)) for f in state["_families"]]

    def __repr__(self) -> str:
        topics = number_with_noun(len(self._topics), "topic")
        return f"<Scorer: {topics}, {', '.join(self.columns)}>"

    def __call__(
        self, candidates: Outputs, topics: TopicNames | None = None
    ) -> NDArray[np.float64]:
        """Score candidates: a row for each candidate, a column for each measure.

        With several topics, `topics` names that of all candidates, or of each.
        """
        outputs = self.read(candidates)
        pairs = list(zip(self._topics_of(topics, len(outputs)), outputs, strict=True))
        found = np.empty((len(pairs), len(self._columns)))
        values: dict[Measure, NDArray[np.float64]] = {}
        for family, count in self._families:
            fitting = _flatten_timelines(pairs) if family[0].needs is not self._needs else pairs
            for measure, tally in zip(family, count(fitting), strict=True):
                values[measure] = measure.values(tally)
        for column, (measure, place) in enumerate(self._columns):
            found[:, column] = values[measure][:, place]
        return found

    def rank(
        self, candidates: Outputs, topics: TopicNames | None = None, *, by: str | None = None
    ) -> list[int]:
        """The places of candidates, the best first; of equally good ones the earlier.

        The first column decides, or the one that `by` names.
        """
        column = 0 if by is None else self._column(by)
        measure, place = self._columns[column]
        scores = self(candidates, topics)[:, column]
        order = np.argsort(-measure.direction(measure.parts[place]) * scores, kind="stable")
        ranked: list[int] = order.tolist()
        return ranked

    def _column(self, by: str) -> int:
        """The place of a column, by its name or by any text of its measure."""
        name = by
        if by not in self.columns:
            measure = parse_measure(by)
            name = f"{measure.title}.{measure.parts[_part_column(measure)]}"
        if name not in self.columns:
            raise UsageError(f"no column {by!r}; {did_you_mean(name, self.columns)}")
        return self.columns.index(name)

    def read(self, candidates: Any) -> list[Output]:
        """The candidates as the measures need them; a single one may be given without a list."""
        alone = isinstance(candidates, Mapping | Path | Summary | Timeline) or (
            self._needs is Timeline
            and isinstance(candidates, list | tuple)
            and is_entry_list(candidates)
        )
        given = [candidates] if alone else as_list(candidates)
        read = self._timeline if self._needs is Timeline else _read_text
        return [
            one if isinstance(one, self._needs) else read(one, f"candidate {number}")
            for number, one in enumerate(given, 1)
        ]

    def _timeline(self, value: Any, where: str) -> Timeline:
        """A candidate as a timeline."""
        try:
            return _read_timeline(value, where)
        except DataError:
            if self.on_error == "stop":
                raise
            return Timeline.empty()

    def _topics_of(self, topics: Any, count: int) -> Sequence[Topic]:
        """The topic of each candidate."""
        if topics is None:
            if len(self._topics) > 1:
                raise UsageError(
                    f"the scorer has {len(self._topics)} topics; say which the candidates belong to"
                )
            return [self._topics[0]] * count
        names = as_list(topics)
        if isinstance(topics, str | int):
            names *= count
        if len(names) != count:
            raise DataError(f"{count} candidates and {len(names)} topics; give one for each")
        by_name = {topic.id: topic for topic in self._topics}
        for name in names:
            if str(name) not in by_name:
                raise UsageError(f"no topic {name!r}; {did_you_mean(str(name), by_name)}")
        return [by_name[str(name)] for name in names]


def _choose_measures(given: Any, references: Any) -> list[Measure]:
    """The measures; those that need more than a text and its references are refused."""
    measures = as_measures(given)
    if not measures:
        raise UsageError("no measure was given; name at least one, as in 'align+'")
    decided = [m for m in measures if not (isinstance(m, FunctionMeasure) and m.undecided)]
    for measure in decided:
        if measure.needs is Ranking or measure.pooled:
            raise UsageError(f"'{measure}' needs judgements; score it with chronoscore.score")
    # A function that does not say what it scores gets what the others get.
    dated = any(m.needs is Timeline for m in decided) or (
        not decided and _are_timelines(references)
    )
    kind: type[Output] = Timeline if dated else Summary
    return [
        adapt(m.for_kind(kind) if isinstance(m, FunctionMeasure) and m.undecided else m)
        for m in measures
    ]


def _are_timelines(references: Any) -> bool:
    """Whether references are timelines."""
    if _is_by_topic(references):
        return kind_of_inputs(None, references) is Timeline
    return all(kind_of_value(value) is Timeline for _, value in list_references(references))


def _part_column(measure: Measure) -> int:
    """The place of the part that a column shows."""
    return measure.parts.index(measure.compared_parts[-1])


def _prepare_counter(family: Sequence[Measure], topics: Sequence[Topic]) -> FamilyCounter:
    """A counter of one family, with the references prepared."""
    return type(family[0]).prepare_family(family, topics)


def _prepare_topics(references: Any, timelines: bool) -> list[Topic]:
    """The topics with their references as timelines and as texts, whichever are scored."""
    needs: type[Output] = Timeline if timelines else Summary
    if _is_by_topic(references):
        topics = list(as_collection(references, needs))
    else:
        read: Callable[[Any, str], Output] = _read_timeline if timelines else _read_text
        given = [
            replace(read(value, f"reference {number}"), author=author)
            for number, (author, value) in enumerate(list_references(references), 1)
        ]
        if not given:
            raise DataError("there is no reference; give at least one")
        topics = [_topic_of(given)]
    return [_add_texts(topic) for topic in topics] if timelines else topics


def _is_by_topic(references: Any) -> bool:
    """Whether references say which topics they belong to."""
    if isinstance(references, list | tuple):
        return bool(references) and all(
            isinstance(one, Topic) or (isinstance(one, Mapping) and "topic" in one)
            for one in references
        )
    if isinstance(references, Mapping):
        return not has_date_keys(references)
    return isinstance(references, Collection | Topic) or is_data_frame(references)


def _topic_of(outputs: Sequence[Output]) -> Topic:
    """One topic with its references."""
    return Topic(
        id=ONE,
        summaries=tuple(one for one in outputs if isinstance(one, Summary)),
        timelines=tuple(one for one in outputs if isinstance(one, Timeline)),
    )


def _add_texts(topic: Topic) -> Topic:
    """The topic whose references are also read as texts."""
    return replace(
        topic, summaries=tuple(Summary(one.sentences, one.author) for one in topic.timelines)
    )


def _flatten_timelines(pairs: Sequence[Pair]) -> list[Pair]:
    """Timelines as texts: their sentences in order of time."""
    return [
        (topic, Summary(output.sentences))
        for topic, output in pairs
        if isinstance(output, Timeline)
    ]


def _read_timeline(value: Any, where: str) -> Timeline:
    """A timeline from whatever a caller has; what a reader notes about it is not reported."""
    if isinstance(value, Timeline):
        return value
    if type(value) is str:
        from chronoscore.formats.timelines import plain_lists  # with all readers of dates

        if (ready := plain_lists.read(value)) is not None:
            return ready
    return as_timeline(value, where, report=lambda notes: None)


def _read_text(value: Any, where: str) -> Summary:
    """A text; of a timeline all sentences."""
    if isinstance(value, Timeline) or (isinstance(value, Mapping) and has_date_keys(value)):
        return Summary(_read_timeline(value, where).sentences)
    text = as_output(value, Summary, where)
    if not isinstance(text, Summary):
        raise WrongTypeError(f"{describe_type(value)} is not a text", place=where)
    return text
