"""One table of odd inputs, given to every command at every place where it reads a file.

What cannot be read is refused with a sentence that names it; what can be read gives the figures
of the same file without its oddity; nothing else is written or changed.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from first_contact.lines import GOLD, TIMELINE
from first_contact.newcomer import (
    EVERYTHING,
    Newcomer,
    answers,
    check_sentence,
    make_socket,
    ordinary_user,
)

JUDGED = "corpus/dam/judgements.jsonl"

READERS = {
    "score: system": ("score {} --reference corpus/dam/timelines/ines.txt -m dates", TIMELINE),
    "score: reference": ("score runs/careful/timelines/dam.txt --reference {} -m dates", GOLD),
    "score: judgements": ("score ranking.jsonl --judgements {} -m nu", JUDGED),
    "score: ranking": (f"score {{}} --judgements {JUDGED} -m nu", "ranking.jsonl"),
    "score: units": ("score ranking.jsonl --units {} -m pyramid", "corpus/dam/units.jsonl"),
    "score: records": ("score {}", "records.jsonl"),
    "compare": ("compare {} runs/lead/timelines/dam.txt --reference " + GOLD, TIMELINE),
    "report": ("report {} --reference " + GOLD + " -o report.html", TIMELINE),
    "diff: system": ("diff {} runs/lead/timelines/dam.txt --reference " + GOLD, TIMELINE),
    "diff: reference": (
        "diff runs/careful/timelines/dam.txt runs/lead/timelines/dam.txt --reference {}",
        GOLD,
    ),
    "explain": ("explain {} --reference " + GOLD, TIMELINE),
    "similarities": ("similarities {} --reference " + GOLD + " -m pairs", TIMELINE),
    "check": ("check dates --on {}", GOLD),
    "oracle": ("oracle {} -m rouge1 --budget 20w", "topics.jsonl"),
    "agree": ("agree {}", JUDGED),
    "judge": ("judge link {} --model none --dry-run", JUDGED),
    "correlate: scores": ("correlate {} --ratings ratings.csv --rating pyramid", "scores.jsonl"),
    "correlate: ratings": ("correlate scores.jsonl --ratings {} --rating pyramid", "ratings.csv"),
    "novelty: scores": ("novelty fit {} ratings.csv --rating pyramid", "scores.jsonl"),
    "novelty: ratings": ("novelty fit scores.jsonl {} --rating pyramid", "ratings.csv"),
    "summarize": ("summarize datewise {} -o mine", "corpus/dam/articles.jsonl"),
    "convert": ("convert {} --to json", TIMELINE),
    "rouge155": ("rouge155 -n 1 -z SPL {}", "list.txt"),
}


def empty(path: Path, _good: bytes) -> None:
    path.write_bytes(b"")


def unreadable(path: Path, good: bytes) -> None:
    path.write_bytes(good)
    path.chmod(0)


def mem(path: Path, _good: bytes) -> None:
    path.symlink_to("/proc/self/mem")


REFUSED: dict[str, Callable[[Path, bytes], None]] = {
    "empty": empty,
    "blank": lambda path, good: path.write_bytes(b" \n\n"),
    "missing": lambda path, good: None,
    "unreadable": unreadable,
    "binary": lambda path, good: path.write_bytes(bytes(range(256)) * 40),
    "loop": lambda path, good: path.symlink_to(path.name),
    "pipe": lambda path, good: os.mkfifo(path),
    "socket": lambda path, good: make_socket(path),
    "no bytes": mem,
    "device": lambda path, good: path.symlink_to("/dev/zero"),
    "empty folder": lambda path, good: path.mkdir(),
    "locked folder": lambda path, good: path.mkdir(mode=0),
    "huge number": lambda path, good: path.write_bytes(b'{"a": ' + b"9" * 400 + b"}\n"),
    "deep list": lambda path, good: path.write_bytes(b"[" * 3000 + b"]" * 3000),
    "not UTF-8": lambda path, good: path.write_bytes(b"\xff\xfe\xfd caf\xe9 \xe9\n" * 30),
}
"""Inputs that no reader can read."""
SOME = [*READERS][:: 1 if EVERYTHING else 5]
"""`make test` tries some readers, `make first-contact` all."""
EMPTY = ("empty", "blank", "huge number", "deep list", "empty folder", "not UTF-8")
"""Of these, some readers may take what they cannot use as an empty output, with a warning."""
READ = {
    "CRLF": lambda good: good.replace(b"\n", b"\r\n"),
    "BOM": lambda good: b"\xef\xbb\xbf" + good,
    "no last line end": lambda good: good.rstrip(b"\n"),
}
"""Inputs that every reader reads, with the same result."""


@pytest.fixture
def reading(demo: Newcomer) -> Newcomer:
    record = {"id": "1", "system": "the dam broke", "references": ["the dam broke at night"]}
    (demo.folder / "records.jsonl").write_text(json.dumps(record) + "\n")
    ranked = (demo.folder / "runs/careful/rankings.jsonl").read_text().splitlines(keepends=True)
    of_dam = [row for row in ranked if json.loads(row)["topic"] == "dam"]
    (demo.folder / "ranking.jsonl").write_text("".join(of_dam))
    topic = {"id": "t", "documents": [{"id": "a", "sentences": ["a b"]}], "references": [["a"]]}
    (demo.folder / "topics.jsonl").write_text(json.dumps(topic) + "\n")
    return demo


@pytest.mark.slow
@pytest.mark.parametrize("reader", SOME)
def test_what_cannot_be_read_is_refused_in_a_true_sentence(reading: Newcomer, reader: str) -> None:
    line, usual = READERS[reader]
    good = (reading.folder / usual).read_bytes()
    ending = Path(usual).suffix
    names = {kind: f"odd-{kind.replace(' ', '-')}{ending}" for kind in REFUSED}
    kinds = [kind for kind in REFUSED if can_be_made(kind)]
    for kind in kinds:
        REFUSED[kind](reading.folder / names[kind], good)
    before = set(reading.folder.rglob("*"))
    wrong = []
    found = answers(reading, [line.format(names[kind]) for kind in kinds])
    for kind, (code, out, err) in zip(kinds, found, strict=True):
        try:
            if code == 0 and kind in EMPTY:
                assert "warning: " in err, f"nothing is said: {err}"
                # Any text may be a reference; then it is the timelines that are named.
                assert "odd-" in err or reader == "diff: reference", f"names no file: {err}"
                continue
            check_sentence(err)
            assert code in (2, 3), f"exit code {code}: {out[:200]} {err}"
            assert "odd-" in err, f"names no file: {err}"
            assert "standard output" not in err
        except AssertionError as error:
            wrong.append(f"{kind}: {str(error).strip()[-400:]}")
    (reading.folder / names["locked folder"]).chmod(0o700)
    assert not wrong, "\n".join(wrong)
    if any(code == 0 for code, _, _ in found):
        (reading.folder / "report.html").unlink(missing_ok=True)
    assert set(reading.folder.rglob("*")) == before


def can_be_made(kind: str) -> bool:
    """Whether permissions count, and whether the system has such files."""
    if kind in ("unreadable", "locked folder"):
        return os.getuid() != 0 or bool(ordinary_user())
    return kind != "no bytes" or Path("/proc/self/mem").exists()


@pytest.mark.slow
@pytest.mark.parametrize("reader", [one for one in SOME if one != "rouge155"])
def test_what_can_be_read_gives_the_same_result(reading: Newcomer, reader: str) -> None:
    line, usual = READERS[reader]
    source = reading.folder / usual
    good = source.read_bytes()
    folder = reading.folder
    lines = []
    for number, change in enumerate([lambda same: same, *READ.values()]):
        copy = folder / f"copy{number}"
        copy.mkdir()
        (copy / source.name).write_bytes(change(good))
        lines.append(line.format(copy / source.name).replace("-o mine", f"-o mine{number}"))
    plain, *others = answers(reading, lines)
    assert plain[0] == 0, plain[2]
    for kind, (code, out, err) in zip(READ, others, strict=True):
        assert code == 0, f"{kind}: {err}"
        same = plain[1].replace("copy0", "copyN")
        for number in range(1, len(lines)):
            out = out.replace(f"copy{number}", "copyN")
        assert out == same, kind


def test_what_is_no_file_at_all(reading: Newcomer) -> None:
    """Wrong names are not echoed whole."""
    long = "x" * 3000
    found = answers(
        reading,
        [f"score {long} --reference corpus", f"score {TIMELINE} --reference {GOLD} -m {long}",
         f"summarize {long} corpus -o mine", f"{long}", f"list {long}",
         f"workbench {long}", f"convert {TIMELINE} --to {long}"],
    )  # fmt: skip
    for code, _, err in found:
        check_sentence(err)
        assert code in (2, 3)
    shutil.rmtree(reading.folder / "mine", ignore_errors=True)
