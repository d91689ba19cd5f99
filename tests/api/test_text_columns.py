"""rouge_many takes lists and the columns of pandas, polars and Arrow, with the same figures."""

import random
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import chronoscore as cs
from chronoscore.data import text_columns

WORDS = ["the", "dam", "flood", "broke", "rose", "K\u212a", "İstanbul", "naïve", "don't"]


def text(rng: random.Random) -> str:
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(0, 8))) for _ in range(rng.randint(1, 3))]
    return "\n".join(lines)


def texts(count: int = 250) -> tuple[list[str], list[list[str]]]:
    rng = random.Random(3)
    ours = [text(rng) for _ in range(count)]
    return ours, [[text(rng) for _ in range(rng.randint(1, 3))] for _ in range(count)]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"stem": True, "stop": True},
    {"compat": "rouge-score", "stem": True},
    {"limit": "6w"},
    {"prepare": "unicode"},
    {"several": "best"},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_kind_of_column_has_the_figures_of_single_calls(options: dict[str, Any]) -> None:
    ours, theirs = texts()
    names = ["rouge1", "rouge2", "rougeL", "rouge-su4.f"]
    if "compat" in options:
        names = names[:3]
    expected = [cs.rouge(a, b, names, **options) for a, b in zip(ours, theirs, strict=True)]
    columns: dict[str, tuple[Any, Any]] = {
        "lists": (ours, theirs),
        "pandas": (pd.Series(ours), pd.Series(theirs)),
        "polars": (pl.Series(ours), pl.Series(theirs)),
        "arrow": (pa.array(ours), pa.array(theirs)),
        "chunks": (pa.chunked_array([ours[:99], ours[99:]]), pa.chunked_array([theirs])),
        "slices": (pa.array(["x", *ours])[1:], pa.array([["x"], *theirs])[1:]),
    }
    for kind, given in columns.items():
        rows = cs.rouge_many(*given, names, **options)
        assert rows["rouge1.f"] == [one["rouge1"].f for one in expected], kind
        assert rows["rouge2.p"] == [one["rouge2"].p for one in expected], kind
        assert rows["rougeL.r"] == [one["rougeL"].r for one in expected], kind


def test_columns_are_cut_into_blocks_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = texts()
    whole = cs.rouge_many(ours, theirs)
    monkeypatch.setattr(text_columns, "AT_ONCE", 37)
    assert cs.rouge_many(ours, theirs).columns == whole.columns
    assert cs.rouge_many(pa.array(ours), pa.array(theirs)).columns == whole.columns


def test_texts_that_come_again_have_the_figures_of_single_calls() -> None:
    rng = random.Random(4)
    known = [*(text(rng) for _ in range(6)), "", "half a pair \ud83d"]
    ours = rng.choices(known, k=150)
    theirs = [rng.choices(known, k=rng.randint(1, 3)) for _ in ours]
    rows = cs.rouge_many(ours, theirs, stem=True)
    expected = [cs.rouge(a, b, stem=True) for a, b in zip(ours, theirs, strict=True)]
    for name in ("rouge1", "rouge2", "rougeL"):
        assert rows[f"{name}.p"] == [one[name].p for one in expected]
        assert rows[f"{name}.r"] == [one[name].r for one in expected]


def test_missing_texts_and_other_lengths_are_refused_as_ever() -> None:
    ours, theirs = texts()
    with pytest.raises(cs.WrongTypeError, match="prediction 8: None is not a text"):
        cs.rouge_many(pa.array([*ours[:7], None, *ours[8:]]), pa.array(theirs))
    with pytest.raises(cs.DataError, match="249 predictions and 250 references"):
        cs.rouge_many(pa.array(ours[1:]), pa.array(theirs))
    with pytest.raises(cs.WrongTypeError, match="prediction 1: an int is not a text"):
        cs.rouge_many(pa.array(range(250)), pa.array(theirs))


def test_a_script_that_is_not_seen_is_warned_of() -> None:
    chinese = [f"大坝 决堤 {number}" for number in "abc" * 100]
    with pytest.warns(cs.ChronoscoreWarning, match="cannot see"):
        cs.rouge_many(pa.array(chinese), pa.array(chinese))


def test_rows_become_an_arrow_table() -> None:
    table = cs.rouge_many(*texts()).to_arrow()
    assert table.num_rows == 250
    assert table.column_names[:3] == ["rouge1.p", "rouge1.r", "rouge1.f"]
