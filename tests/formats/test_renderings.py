"""Random timelines in every container, with labels of many kinds and in many languages."""

import random

import pytest

from chronoscore.core import When
from chronoscore.formats.timelines import timeline_files
from formats.long_answers import CONTAINERS, MONTHS_OF, make_events


@pytest.mark.parametrize("language", MONTHS_OF)
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_random_timeline_is_read_back_from_any_container(container: str, language: str) -> None:
    for seed in range(3):
        events = make_events(language, random.Random(f"{container} {language} {seed}"))
        text = CONTAINERS[container](events)
        (labeled,) = timeline_files.read_timeline_text(text, "x.md", form="markdown").timelines
        found = {str(entry.when): " ".join(entry.sentences) for entry in labeled.timeline}
        assert found == {str(When.parse(meant)): said for meant, _, said in events}, text
