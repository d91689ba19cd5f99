"""One table of odd targets, given to every command that writes a file.

A target is written whole, or refused with a sentence that is true; nothing else is changed.
"""

import os
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

OTHER = "runs/lead/timelines/dam.txt"
WRITERS = {
    "score": f"score {TIMELINE} --reference {GOLD} -o {{}}",
    "compare": f"compare {TIMELINE} {OTHER} --reference {GOLD} -o {{}}",
    "diff": f"diff {TIMELINE} {OTHER} --reference {GOLD} -o {{}}",
    "report": f"report {TIMELINE} --reference {GOLD} -o {{}}",
    "explain": f"explain {TIMELINE} --reference {GOLD} -o {{}}",
    "similarities": f"similarities {TIMELINE} --reference {GOLD} -m pairs -o {{}}",
    "check": f"check dates --on {GOLD} -o {{}}",
    "convert": f"convert {TIMELINE} -o {{}}",
    "agree": "agree corpus/dam/judgements.jsonl -o {}",
    "correlate": "correlate scores.jsonl --ratings ratings.csv --rating pyramid -o {}",
}
"""Commands whose `-o` is a file."""
ENDINGS = {"report": ".html", "convert": ".json"}
SOME = [*WRITERS] if EVERYTHING else ["diff", "convert"]


def lock(path: Path) -> None:
    path.write_text("old")
    path.chmod(0o444)


REFUSED: dict[str, Callable[[Path], object]] = {
    "a loop of links": lambda path: path.symlink_to(path.name),
    "there is no folder": lambda path: path.symlink_to("no/such/folder"),
    "it is a pipe that no program reads": os.mkfifo,
    "it is a socket": make_socket,
    "it may only be read": lock,
    "No space left": lambda path: path.symlink_to("/dev/full"),
    "is a folder": Path.mkdir,
}
"""What cannot be written to, by the words that say why."""


@pytest.mark.slow
@pytest.mark.parametrize("writer", SOME)
def test_what_cannot_be_written_is_refused_in_a_true_sentence(demo: Newcomer, writer: str) -> None:
    ending = ENDINGS.get(writer, ".json")
    names = {why: f"odd-{number}{ending}" for number, why in enumerate(REFUSED)}
    for why, make in REFUSED.items():
        make(demo.folder / names[why])
    before = demo.listing_of_kinds()
    found = answers(demo, [WRITERS[writer].format(name) for name in names.values()])
    for (why, name), (code, out, err) in zip(names.items(), found, strict=True):
        if why == "it may only be read" and os.getuid() == 0 and not ordinary_user():
            continue
        if writer == "convert" and why == "is a folder":
            continue
        assert code == 3, f"{why}: {out} {err}"
        check_sentence(err)
        assert f"{name}: cannot be written ({why}" in err
    after = demo.listing_of_kinds()
    assert {name: what for name, what in after.items() if "odd-6" not in name} == {
        name: what for name, what in before.items() if "odd-6" not in name
    }


def test_a_file_below_a_file_is_said_to_be_one(demo: Newcomer) -> None:
    done = demo.run(WRITERS["score"].format("README.md/scores.json"))
    assert done.code == 3
    assert "('README.md' is a file)" in done.words


@pytest.mark.slow
def test_standard_output_by_its_name_is_added_to_and_not_replaced(demo: Newcomer) -> None:
    plain = demo.run(f"convert {TIMELINE} --to json").out
    kept = demo.folder / "log"
    kept.write_text("first\n")
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        with kept.open("ab") as log:
            done = demo.run(f"convert {TIMELINE} --to json -o {name}", stdout=log)
        assert done.code == 0, done.words
    assert kept.read_bytes() == b"first\n" + plain * 3


@pytest.mark.slow
def test_a_pipe_is_written_to_once_somebody_reads_it(demo: Newcomer) -> None:
    plain = demo.run(f"convert {TIMELINE} --to json").out
    pipe = demo.folder / "pipe.json"
    os.mkfifo(pipe)
    with demo.start(f"convert {TIMELINE} -o pipe.json") as writing:
        assert pipe.read_bytes() == plain
    assert writing.returncode == 0
    assert pipe.is_fifo()


@pytest.mark.slow
def test_files_of_one_name_are_systems_named_by_their_folders(demo: Newcomer) -> None:
    done = demo.run(f"compare {TIMELINE} {OTHER} --reference {GOLD} -m dates.f -f csv")
    assert done.code == 0, done.words
    assert b"careful" in done.out
    assert b"lead" in done.out
