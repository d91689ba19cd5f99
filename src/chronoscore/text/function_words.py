"""Function words by language: what `stop` removes, and what tells languages apart.

The lists are short on purpose: articles, pronouns, prepositions, conjunctions and auxiliary
verbs. English has the longer list of ROUGE-1.5.5 where stop words are removed (`stopwords`).
Chinese and Japanese words are single characters here, because so are the tokens.
"""

from collections.abc import Mapping
from functools import cache

from chronoscore.text import listings

LISTED = frozenset(
    (
        *("english", "german", "french", "spanish", "portuguese", "italian", "dutch"),
        *("russian", "arabic", "chinese", "japanese", "korean"),
    )
)
"""Languages whose stop words are known."""


@cache
def function_words(language: str) -> frozenset[str]:
    """The function words of a language as tokens; none for a language without a list."""
    from chronoscore.text.unicode import split_into_words

    return frozenset(split_into_words(_lists().get(language, "")))


@cache
def _lists() -> Mapping[str, str]:
    lines = listings.read("function_words.txt").splitlines()
    return dict(line.split(": ", 1) for line in lines)
