"""Predictions and references in the same place, from lists or columns, as topics and outputs."""

from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeAlias

from chronoscore.core import Summary, Text, Topic
from chronoscore.data.frames import is_frame_column
from chronoscore.data.values import as_list, as_summary_text
from chronoscore.errors import DataError, WrongTypeError, describe_type

TextPair: TypeAlias = tuple[Topic, Summary]


def as_references(references: Any, where: str) -> list[str | list[str]]:
    """One reference or several, each a string or its sentences."""
    if isinstance(references, str):
        return [references]
    if type(references) is list and all(type(text) is str for text in references) and references:
        return references
    if isinstance(references, Mapping | bytes) or not isinstance(references, Iterable):
        raise WrongTypeError(
            f"{describe_type(references)} is not a text; give a string or a list", place=where
        )
    texts = [as_summary_text(text, where) for text in as_list(references)]
    if not texts:
        raise DataError("there is no reference; give at least one", place=where)
    return texts


def pair(predictions: Any, references: Any) -> list[TextPair]:
    """Predictions with the references of the same place."""
    for what, given in (("predictions", predictions), ("references", references)):
        if isinstance(given, str | bytes | Mapping | Set) or not (
            is_frame_column(given) or isinstance(given, Iterable)
        ):
            raise WrongTypeError(
                f"the {what} are {describe_type(given)}; give a list or a column of texts"
            )
    ours, theirs = as_list(predictions), as_list(references)
    if len(ours) != len(theirs):
        raise DataError(
            f"{len(ours)} predictions and {len(theirs)} references; give the same number of each"
        )
    if not ours:
        raise DataError("there is no prediction; give at least one")
    # A text that comes again is one object, which is read once.
    known: dict[str, Summary] = {}

    def summary(text: Text) -> Summary:
        if not isinstance(text, str):
            return Summary.of(text)
        if text not in known:
            known[text] = Summary(tuple(text.split("\n")))
        return known[text]

    pairs = []
    for number, (text, given) in enumerate(zip(ours, theirs, strict=True), 1):
        own = text if type(text) is str else as_summary_text(text, f"prediction {number}")
        found = [given] if type(given) is str else as_references(given, f"reference {number}")
        topic = Topic(id=str(number), summaries=tuple(map(summary, found)))
        pairs.append((topic, summary(own)))
    return pairs


def check_places(predictions: Any, references: Any) -> None:
    """Refuse two columns with the same labels in another order: places and labels disagree."""
    ours: Any = getattr(predictions, "index", None)
    theirs: Any = getattr(references, "index", None)
    if not hasattr(ours, "equals") or not hasattr(theirs, "equals") or ours.equals(theirs):
        return
    if len(ours) == len(theirs) and bool(ours.isin(theirs).all()):
        raise DataError(
            "predictions and references have the same index in another order; sort one like the "
            "other, or give lists, which are paired by place"
        )
