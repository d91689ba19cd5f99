"""Rules of the workbench that need neither a database nor a page."""

import pytest

from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.keys import check_own_keys
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.domain.union import unite
from chronoscore.workbench.store.source import SourceSentence, SourceStory, TopicSource


def test_what_is_left_of_a_group_is_a_plain_link() -> None:
    sentences = tuple(SourceSentence(f"s{n}", n, n, 0, 1, "x", "a") for n in (1, 2, 3))
    source = TopicSource((SourceStory("a", 1, "", "", "", "xxx", sentences),))

    def items(**marks: Mark) -> list[tuple[tuple[str, ...], bool]]:
        return [(one.sentences, one.together) for one in unite(source, {1: marks}, ["e"])["e"]]

    grouped = Mark(links=(("e", "g1"),))
    assert items(s1=grouped, s3=grouped) == [(("s1", "s3"), True)]
    assert items(s1=grouped) == [(("s1",), False)]
    # Parts that were joined are one, and no group.
    assert items(s1=grouped, s2=Mark(links=(("e", "g1"),), joined=True)) == [(("s1", "s2"), False)]


@pytest.mark.parametrize("key", ["5", "0", "ab"])
def test_keys_of_events_and_words_are_not_given_away(key: str) -> None:
    check_own_keys({"next": "ü"})
    with pytest.raises(InvalidError, match="digits are taken" if len(key) == 1 else "single key"):
        check_own_keys({"next": key})
