"""Every file that a call reads is opened exactly once, whatever kind of data it holds."""

import gzip
import json
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.formats.io import opened
from chronoscore.formats.io.opened import OpenedFiles, keep_files, open_once
from data_files import write_lines
from machine_files import nugget_rows
from record_samples import records

_WATCHED: list[Counter[str]] = []


def _note_opening(event: str, arguments: tuple[Any, ...]) -> None:
    if _WATCHED and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        _WATCHED[-1][str(Path(os.fsdecode(arguments[0])).absolute())] += 1


sys.addaudithook(_note_opening)


@contextmanager
def openings(folder: Path) -> Iterator[Counter[str]]:
    """How often each file below a folder is opened meanwhile."""
    found: Counter[str] = Counter()
    _WATCHED.append(Counter())
    try:
        yield found
    finally:
        seen = _WATCHED.pop()
        found.update({p: n for p, n in seen.items() if p.startswith(f"{folder.resolve()}/")})


def write_records(path: Path, count: int = 5, seed: int = 1, longer: int = 1) -> Path:
    rows = [{**row, "system": row["system"] * longer} for row in records(count, seed)]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def write_csv(path: Path) -> Path:
    path.write_text("id,system,references\n1,the dam broke,a dam broke\n", encoding="utf-8")
    return path


LARGE = {"count": 300, "longer": 200}
"""Records of more bytes than are kept in memory."""

SKIPPING = {"reading": cs.ReadingRules(on_error="skip")}
KINDS: dict[str, Callable[[Path, Path], cs.ScoreResult]] = {
    "timelines": lambda runs, gold: cs.score(f"{runs}/*/timelines", gold),
    "named measures": lambda runs, gold: cs.score(f"{runs}/*/timelines", gold, "align+"),
    "tf-idf": lambda runs, gold: cs.score(f"{runs}/*/timelines", gold, "align+(similarity=tfidf)"),
    "ceilings": lambda runs, gold: cs.score(f"{runs}/*/timelines", gold, "align+", ceiling=True),
    "judgements": lambda runs, gold: cs.score(f"{runs}/*/rankings.jsonl", judgements=gold),
    "units": lambda runs, gold: cs.score(f"{runs}/*/rankings.jsonl", units=gold),
    "a pool": lambda runs, gold: cs.score(
        f"{runs}/*/rankings.jsonl",
        None,
        "stream(times=all)",
        judgements=gold,
        pool=f"{runs}/late/rankings.jsonl",
    ),
    "updates": lambda runs, gold: cs.score(f"{runs}/*/update", gold, "novelty", originals=gold),
    "updates without a measure": lambda runs, gold: cs.score(
        f"{runs}/*/update", gold, originals=gold
    ),
}
RECORDS: dict[str, Callable[[Path], list[Path]]] = {
    "small records": lambda at: [write_records(at / "a.jsonl")],
    "two small files": lambda at: [write_records(at / "a.jsonl"), write_records(at / "b.jsonl")],
    "large records": lambda at: [write_records(at / "a.jsonl", **LARGE)],
    "large and small": lambda at: [
        write_records(at / "a.jsonl", **LARGE),
        write_records(at / "b.jsonl", 300),
    ],
    "packed records": lambda at: [write_records(at / "a.jsonl.gz")],
    "a table": lambda at: [write_csv(at / "a.csv")],
    "files with other topics": lambda at: [
        write_csv(at / "a.csv"),
        write_records(at / "b.jsonl"),
    ],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_a_file_of_a_corpus_is_opened_once(kind: str) -> None:
    with openings(demo.CORPUS.parent) as found:
        KINDS[kind](demo.RUNS, demo.CORPUS)
    assert found
    assert set(found.values()) == {1}, found


@pytest.mark.parametrize(
    ("kind", "options"),
    [(kind, {}) for kind in RECORDS]
    + [(kind, SKIPPING) for kind in RECORDS if kind != "files with other topics"],
)
@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_a_file_of_records_is_opened_once(
    kind: str, options: dict[str, Any], tmp_path: Path
) -> None:
    paths = RECORDS[kind](tmp_path)
    with openings(tmp_path) as found:
        cs.score(paths, measures="rouge1", **options)
    assert found == {str(path.resolve()): 1 for path in paths}


def test_nuggets_that_people_and_a_machine_assigned_are_opened_once(tmp_path: Path) -> None:
    rows = nugget_rows([f"t{number}" for number in range(4)], authors=("ann", "robot"))
    path = write_lines(tmp_path / "nuggets.jsonl", rows)
    with openings(tmp_path) as found:
        cs.score(path, None, "nuggets", judgements=path, machine="robot")
    assert found == {str(path.resolve()): 1}


def test_an_explanation_opens_records_once(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", **LARGE)
    with openings(tmp_path) as found:
        cs.explain(path, None, "rouge1", topic="t3")
    assert found == {str(path.resolve()): 1}


def test_a_large_file_that_was_looked_at_is_read_from_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "KEPT_BYTES", 4)
    path = tmp_path / "text.txt"
    path.write_text("first\nsecond\n", encoding="utf-8")
    files = OpenedFiles()
    with openings(tmp_path) as found:
        with keep_files(files, look=True):
            for _ in range(2):
                with open_once(path) as file:
                    assert file.readline() == b"first\n"
        with keep_files(files), open_once(path) as file:
            assert file.read() == b"first\nsecond\n"
    assert found.total() == 1


def test_only_so_much_is_kept_and_the_rest_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "KEPT_IN_ALL", 10)
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text(f"{path.stem}....", encoding="utf-8")
    with openings(tmp_path) as found, keep_files(OpenedFiles()):
        for path in [*paths, paths[2], paths[0]]:
            with open_once(path) as file:
                assert file.read() == f"{path.stem}....".encode()
    assert [found[str(path.resolve())] for path in paths] == [2, 1, 1]


def test_files_that_nobody_reads_after_a_look_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "KEPT_BYTES", 4)
    path = tmp_path / "text.txt"
    path.write_text("a line\n", encoding="utf-8")
    closed: list[int] = []
    close = os.close
    monkeypatch.setattr(os, "close", lambda number: (closed.append(number), close(number))[1])
    files = OpenedFiles()
    with keep_files(files, look=True), open_once(path):
        pass
    assert not closed
    again = pickle.loads(pickle.dumps(files))
    del files
    assert len(closed) == 1
    assert isinstance(again, OpenedFiles)
