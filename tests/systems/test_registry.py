"""Systems by name: printed, parsed back, and answered kindly."""

from pathlib import Path

import pytest

from chronoscore.errors import UsageError
from chronoscore.systems import SYSTEMS, parse_system
from systems.small_topics import FLOOD


@pytest.mark.parametrize("name", [*SYSTEMS, *SYSTEMS.presets])
def test_what_a_system_prints_is_read_back(name: str) -> None:
    assert parse_system(str(parse_system(name))) == parse_system(name)


@pytest.mark.parametrize("name", [*SYSTEMS])
def test_every_system_is_described_in_the_documents(name: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "systems.md"
    assert f"`{name}" in page.read_text(encoding="utf-8")


def test_parameters_are_read_by_their_type() -> None:
    found = parse_system("classy(words=50, feedback, part=update)")
    assert str(found) == "classy(words=50,part=update,feedback)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("datewize", "unknown system 'datewize'; did you mean 'datewise'"),
        ("datewise(date=3)", "has no parameter 'date'; did you mean 'dates'"),
        ("datewise(dates=0)", r"datewise\(dates=0\): write 1 or more"),
        ("datewise(dates=many)", "'many' is not of type int"),
        ("datewise(rank=most)", "unknown value 'most'"),
        ("datewise(", "system .*, character 10: a parameter's name is missing"),
        ("datewise(dates=10).f", "character 19: nothing may follow"),
        ("datewise(dates=lead(dates=3))", r"'lead\(...\)' is not a plain value"),
        ("random(seeds=2)", "system 'random' has no parameter 'seeds'; did you mean 'seed'"),
        ("useful-novel(smoothing=1)", "between 0 and 1"),
        ("units(dated,item=sentence)", "is about events"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_can(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_system(text)


def test_a_call_may_change_parameters_but_not_invent_them() -> None:
    assert parse_system("lead")(FLOOD, dates=1) == parse_system("lead(dates=1)")(FLOOD)
    with pytest.raises(UsageError, match="has no parameter 'date'"):
        parse_system("lead")(FLOOD, date=1)


@pytest.mark.parametrize("name", ["random", "random-summary", "stream-random", "units-4"])
def test_the_seed_decides_what_is_random(name: str) -> None:
    few = {"dates": 2} if name == "random" else {"words": 12} if name == "random-summary" else {}
    same = [parse_system(name)(FLOOD, seed=3, **few) for _ in range(2)]
    assert same[0] == same[1]
    assert len({repr(parse_system(name)(FLOOD, seed=seed, **few)) for seed in range(8)}) > 1


def test_every_system_that_draws_refuses_a_negative_seed() -> None:
    names = [*SYSTEMS, *SYSTEMS.presets]
    drawing = [name for name in names if hasattr(parse_system(name), "seed")]
    assert {"random", "martschat-markert", "units-3"} <= {*drawing}
    for name in drawing:
        with pytest.raises(UsageError, match=r"\(seed=-1\): write 0 or more"):
            parse_system(f"{name}(seed=-1)")
