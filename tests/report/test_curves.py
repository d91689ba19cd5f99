"""Plots of curves: bands from draws of topics, and files that come out the same."""

import re
from pathlib import Path

import numpy as np
import pytest

from chronoscore.errors import UsageError
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.measures.streams.events import Nu
from chronoscore.options import Resampling
from chronoscore.reports import plots
from chronoscore.reports.plots.curves import of_systems
from chronoscore.stats import curve_bands


def made(topics: int, systems: int = 2) -> Curves:
    rng = np.random.default_rng(3)
    values = rng.random((systems, topics, len(LEVELS)))
    names = tuple(f"system {number}" for number in range(systems))
    return Curves(names, tuple(map(str, range(topics))), Nu(), values)


def test_a_band_holds_its_average() -> None:
    curves = made(12)
    low, high = curve_bands.bands(curves, Resampling())
    average = curves.average()
    assert ((low <= average) & (average <= high)).all()
    assert (high > low).all()


def test_one_topic_has_no_band() -> None:
    low, high = curve_bands.bands(made(1), Resampling())
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_topics_without_events_are_left_out() -> None:
    curves = made(3)
    curves.precision[:, 1] = np.nan
    assert curves.average() == pytest.approx(curves.precision[:, [0, 2]].mean(axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".svg", ".pdf", ".png"])
def test_the_same_curves_give_the_same_file(ending: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        figure = of_systems(made(4, systems=9), Resampling())
        plots.save(figure, tmp_path / f"{name}{ending}")
    one, two = ((tmp_path / f"{name}{ending}").read_bytes() for name in ("one", "two"))
    assert one == two


def test_systems_differ_without_colour_too(tmp_path: Path) -> None:
    plots.save(of_systems(made(4, systems=3), Resampling()), tmp_path / "c.svg")
    text = (tmp_path / "c.svg").read_text(encoding="utf-8")
    lines = {style for style in re.findall(r'style="([^"]*)"', text) if "width: 1.6" in style}
    assert len({re.sub(r"#\w+", "", style) for style in lines}) == len(lines) == 3


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a plot ends in \.png, \.svg, \.pdf"):
        plots.save(of_systems(made(2), Resampling()), tmp_path / "c.gif")
