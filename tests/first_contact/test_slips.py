"""Files given where others belong, each answered by what it is."""

import os
from pathlib import Path

import pytest

from first_contact.lines import GOLD, TIMELINE
from first_contact.newcomer import Newcomer, answers, check_sentence

JUDGED = "corpus/dam/judgements.jsonl"
OTHER = "runs/lead/timelines/dam.txt"


@pytest.mark.slow
def test_judgements_are_named_wherever_timelines_or_texts_belong(demo: Newcomer) -> None:
    lines = [
        f"score {JUDGED} --reference {GOLD}",
        f"score {JUDGED} {OTHER} --reference {GOLD}",
        f"score {JUDGED} --reference corpus/dam/summaries/update -m rouge1",
        f"score corpus/dam/units.jsonl --reference {GOLD}",
        f"diff {OTHER} {JUDGED} --reference {GOLD}",
        f"explain {JUDGED} --reference {GOLD}",
        f"convert {JUDGED} --to json",
        f"check dates --on {JUDGED}",
        f"score {TIMELINE} --reference {JUDGED}",
    ]
    for line, (code, _, err) in zip(lines, answers(demo, lines), strict=True):
        assert code == 3, line
        check_sentence(err)
        assert "l: holds judgements" in err, line


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_named(demo: Newcomer, encoding: str) -> None:
    text = (demo.folder / TIMELINE).read_text()
    (demo.folder / "wide.txt").write_bytes(text.encode(encoding))
    done = demo.run(f"score wide.txt --reference {GOLD}")
    assert done.code == 3
    check_sentence(done.words)
    assert "looks like UTF-16 without its mark; save it as UTF-8" in done.words
    assert f"name its --encoding, {encoding}" in done.words


def test_a_pipe_in_place_of_documents_is_named(demo: Newcomer) -> None:
    os.mkfifo(demo.folder / "pipe")
    done = demo.run("summarize datewise pipe -o mine")
    assert done.code == 3
    check_sentence(done.words)
    assert "pipe: is neither a file nor a folder" in done.words


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no /dev/null")
def test_a_timeline_can_be_converted_into_a_device(demo: Newcomer) -> None:
    done = demo.run(f"convert {TIMELINE} --to json -o /dev/null")
    assert done.code == 0, done.words


@pytest.mark.slow
def test_a_message_stays_on_its_line_whatever_a_file_is_called(demo: Newcomer) -> None:
    odd = demo.folder / "a\nb\x1b[31m"
    odd.mkdir()
    (odd / "c.json").write_text("{")
    (odd / "d.txt").write_text("")
    for name in ("c.json", "d.txt"):
        done = demo.type_in(f"chronoscore score ./a*/{name} --reference {GOLD} >/dev/null")
        said = done.out.decode()
        assert r"a\nb\x1b[31m" in said
        assert said.count("\n") == 1
