"""Timelines to try on every format, invented by Hypothesis."""

from hypothesis import strategies as st

from chronoscore.core import Entry, Timeline, When

LETTERS = st.characters(exclude_categories=["Cs", "Cc"])
MARKS = st.sampled_from([*"-*_`[]()<>&|#:;,.'\"\\~!=+→–—•1230 ", "**", "<br>", "2010-06-03", "\t"])
SENTENCES = (
    st.lists(LETTERS | MARKS, min_size=1, max_size=30)
    .map(lambda parts: "".join(parts).strip())
    .filter(bool)
)


def whens() -> st.SearchStrategy[When]:
    """Dates of every grain, before Christ too."""
    days = st.builds(
        When.day,
        st.integers(1, 9999),
        st.integers(1, 12),
        st.integers(1, 28),
        bc=st.booleans(),
    )
    months = st.builds(When.month, st.integers(1, 9999), st.integers(1, 12), bc=st.booleans())
    years = st.builds(When.year, st.integers(1, 9999), bc=st.booleans())
    decades = st.builds(
        lambda n, bc: When.decade(10 * n, bc=bc), st.integers(1, 998), st.booleans()
    )
    centuries = st.builds(When.century, st.integers(1, 99), bc=st.booleans())
    return days | months | years | decades | centuries


def timelines(sentences: st.SearchStrategy[str] = SENTENCES) -> st.SearchStrategy[Timeline]:
    """Timelines with up to five entries, some of them without text."""
    entries = st.dictionaries(whens(), st.lists(sentences, max_size=4).map(tuple), max_size=5)
    return entries.map(
        lambda found: Timeline(tuple(Entry(when, found[when]) for when in sorted(found)))
    )
