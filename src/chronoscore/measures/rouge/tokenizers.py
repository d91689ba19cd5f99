"""Texts split into words by the user's own tokenizer, as rouge-score offers it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from chronoscore.core import Score
from chronoscore.errors import UsageError, WrongTypeError, describe_type
from chronoscore.measures.rouge.measures import RougeL, RougeMeasure
from chronoscore.text.plain import Prepared, arrange_sentences

Tokenize: TypeAlias = Callable[[str], Sequence[str]]


def take(options: dict[str, Any]) -> Tokenize | None:
    """Take the tokenizer out of options: a function, or an object with `tokenize(text)`."""
    tokenizer = options.pop("tokenizer", None)
    if tokenizer is None:
        return None
    tokenize = getattr(tokenizer, "tokenize", tokenizer)
    if not callable(tokenize):
        raise WrongTypeError(
            f"tokenizer={tokenizer!r}: {describe_type(tokenizer)} is not a tokenizer; "
            "give a function or an object with tokenize(text)"
        )
    return lambda text: _split_text(tokenize, text)


def _split_text(tokenize: Tokenize, text: str) -> list[str]:
    """The words that a tokenizer finds; what is not a list of words is refused."""
    found = tokenize(text)
    if isinstance(found, Iterable) and not isinstance(found, str):
        words = list(found)
        if all(isinstance(word, str) for word in words):
            return words
    raise WrongTypeError("the tokenizer must return a list of words")


def score(
    family: Sequence[RougeMeasure],
    system: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenize: Tokenize,
) -> list[Score]:
    """Score one text by the words that a tokenizer finds."""
    for measure in family:
        if measure.stem or measure.stop or measure.limit:
            raise UsageError(
                f"measure '{measure}': a tokenizer decides about words alone; "
                "leave out stem, stop and limit"
            )
    return [
        measure.score(
            _prepare_tokens(measure, system, tokenize),
            [_prepare_tokens(measure, reference, tokenize) for reference in references],
        )
        for measure in family
    ]


def _prepare_tokens(measure: RougeMeasure, text: Sequence[str], tokenize: Tokenize) -> Prepared:
    """The tokens of the whole text, or of each sentence where sentences are compared."""
    if not isinstance(measure, RougeL) or measure.sentences == "text":
        whole = tuple(tokenize("\n".join(text)))
        return Prepared((whole,), whole)
    lines = [line for line in arrange_sentences(text, measure.preparation) if line]
    sentences = tuple(tuple(tokenize(line)) for line in lines)
    return Prepared(sentences, tuple(word for sentence in sentences for word in sentence))
