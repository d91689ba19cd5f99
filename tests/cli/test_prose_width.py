"""What commands print beside tables breaks between words too, where the terminal ends."""

import pytest

from chronoscore.measures import MEASURES


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("line", [["cite"], ["list"], *(["list", name] for name in MEASURES)])
def test_words_wrap_and_none_is_lost(run, monkeypatch, line, width) -> None:
    whole = run(*line).out
    monkeypatch.setenv("COLUMNS", str(width))
    shown = run(*line).out
    assert shown.split() == whole.split()
    too_long = [one for one in shown.splitlines() if len(one) > width]
    assert [one for one in too_long if len(one.split()) > 2] == []
