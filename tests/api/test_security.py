"""Reading data never runs code: only a measure that the user typed may name a function."""

import json
import sys
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.cli import main
from chronoscore.measures import parse_measure_text

EVIL = "from pathlib import Path\nPath('ran').touch()\ndef f(output, references): return 1.0\n"
pytestmark = pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
NAMES = (
    "novelty(base=evil:f)",
    "evil:f",
    "align(cost=evil:f)",
    "evil:f.r",
    "pairs(similarity=evil:f)",
    "align+(similarity=evil:f).f",
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a module that leaves a trace when it is imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "evil", raising=False)
    (tmp_path / "evil.py").write_text(EVIL)
    return tmp_path


def scores_file(folder: Path, measure: str) -> Path:
    rows = [
        {"system": s, "topic": t, "measure": measure, "part": part, "value": 0.1 * n}
        for n, s in enumerate("abcdef")
        for t in ("dam", "ferry")
        for part in ("r1", "r2", "f")
    ]
    file = folder / "scores.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.mark.parametrize("measure", NAMES)
def test_a_scores_file_that_names_a_function_imports_nothing(here: Path, measure: str) -> None:
    file = scores_file(here, measure)
    result = cs.load_scores(file)
    assert result.measures == (measure,)
    assert len(result.compare(baseline="a").rows()) == 5
    ratings = here / "ratings.csv"
    ratings.write_text(
        "system,topic,rating,value\n" + "".join(f"{s},dam,r,{n}\n" for n, s in enumerate("abcdef"))
    )
    for words in (
        ["novelty", "predict", str(file)],
        ["correlate", str(file), "--ratings", str(ratings)],
    ):
        with pytest.raises(SystemExit):
            main(words)
    assert not (here / "ran").exists()
    assert "evil" not in sys.modules


@pytest.mark.parametrize("measure", NAMES)
def test_text_from_data_is_refused_where_it_names_a_function(here: Path, measure: str) -> None:
    with pytest.raises(cs.UsageError, match="names a function to import"):
        parse_measure_text(measure)
    assert not (here / "ran").exists()


def test_a_measure_that_the_user_typed_may_name_a_function(here: Path) -> None:
    assert cs.score({"mine": {"t": "a"}}, {"t": "a"}, "evil:f")["mine", "evil:f"].value == 1.0
    assert (here / "ran").exists()


def test_looking_up_a_figure_imports_nothing(here: Path) -> None:
    result = cs.load_scores(scores_file(here, "rouge(n=1)"))
    with pytest.raises(cs.UsageError):
        _ = result["a", "evil:f"]
    assert not (here / "ran").exists()
