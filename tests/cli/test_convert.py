"""`chronoscore convert`: every format to every other, and nothing lost in silence."""

import re
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import chronoscore as cs
from chronoscore.cli.convert import command
from chronoscore.cli.talk import Warnings
from chronoscore.core import Timeline
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.registry import FORMATS

SPILL = Timeline.of({"2010-05-06": ["A dome.", "It fails."], "2010-05-26": "BP begins."})


def convert(*words: object, given: str | bytes | None = None) -> Result:
    kept = Warnings()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = kept.show
        return CliRunner().invoke(command, [str(word) for word in words], input=given, obj=kept)


def check(*paths: Path) -> Result:
    return CliRunner().invoke(command, ["--check", *map(str, paths)], standalone_mode=False)


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_every_format_becomes_every_other(tmp_path: Path, source: str, target: str) -> None:
    path, wanted = (
        tmp_path / f"a{FORMATS.find(source).ending}",
        tmp_path / f"b{FORMATS.find(target).ending}",
    )
    timeline_files.save(SPILL, path, source)
    done = convert(path, "-o", wanted, "--from", source, "--to", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert wanted.read_text() == timeline_files.write_timeline_text(SPILL, target)


def test_without_an_output_the_result_is_printed_and_the_losses_are_told(tmp_path: Path) -> None:
    path = tmp_path / "answer.md"
    path.write_text("Sure!\n\n- **June 3–5, 2010**: A cap.\n")
    done = convert(path)
    assert done.stdout == f"2010-06-03\nA cap.\n{'-' * 32}\n"
    assert done.stderr == (
        f"warning: {path}:3: date 'June 3–5, 2010' is a range; "
        "its beginning, 2010-06-03, is taken\n"
        f"warning: {path}:1: no date: 'Sure!' is dropped\n"
    )
    assert convert(path, "--quiet").stderr == done.stderr
    assert convert(path, "-qq").stderr == ""


def test_standard_input_is_read() -> None:
    done = convert("-", "--to", "csv", given="- 2010-06-03: A cap.\n")
    assert done.stdout == "date,text\n2010-06-03,A cap.\n"


def test_a_collection_becomes_one_file_and_one_file_a_collection(tmp_path: Path) -> None:
    for name in ("spill/ana", "spill/bo", "dam/ana"):
        timeline_files.save(SPILL, tmp_path / "gold" / f"{name}.txt")
    assert convert(tmp_path / "gold", "-o", tmp_path / "gold.jsonl").exit_code == 0
    assert len((tmp_path / "gold.jsonl").read_text().splitlines()) == 3
    assert convert(tmp_path / "gold.jsonl", "-o", tmp_path / "again").exit_code == 0
    for name in ("spill/ana", "spill/bo", "dam/ana"):
        assert timeline_files.load(tmp_path / "again" / f"{name}.txt") == SPILL


def test_a_run_stays_flat(tmp_path: Path) -> None:
    for name in ("spill", "dam"):
        timeline_files.save(SPILL, tmp_path / "mine" / f"{name}.md")
    assert convert(tmp_path / "mine", "-o", tmp_path / "new", "--to", "json").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["dam.json", "spill.json"]


def test_news_tls_gets_a_folder_for_each_topic(tmp_path: Path) -> None:
    for name in ("spill/ana", "spill/bo"):
        timeline_files.save(SPILL, tmp_path / "gold" / f"{name}.txt")
    assert convert(tmp_path / "gold", "-o", tmp_path / "t17", "--to", "newstls").exit_code == 0
    assert timeline_files.load_all(tmp_path / "t17" / "spill" / "timelines.jsonl") == [SPILL, SPILL]


def test_a_topic_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"topic": "../../evil", "timeline": {"2010": "A."}}\n')
    assert convert(path, "-o", tmp_path / "x.txt").exit_code == 0
    two = path.read_text() + '{"topic": "b", "timeline": {"2010": "A."}}'
    path.write_text(two)
    assert convert(path, "-o", tmp_path / "new").exit_code == 0
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["_.._evil.txt", "b.txt"]


def test_repeated_dates_can_be_read_as_the_peer_does(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("2010-06-03\nA.\n---\n2010-06-03\nB.\n---\n")
    assert "A.\nB." in convert(path).stdout
    done = convert(path, "--repeated", "last")
    assert "A." not in done.stdout
    assert "a.txt:4: date 2010-06-03 is a duplicate of line 1; only the last" in done.stderr


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (("none.md",), DataError, "none.md: no such file; check the path"),
        (
            ("a.md", "-o", "b.xyz"),
            UsageError,
            "b.xyz: the ending names no known format",
        ),
        (("a.md", "-o", "b.csv.gz"), UsageError, "b.csv.gz: archives are not written; leave .gz"),
        (("two.jsonl", "-o", "b.md"), UsageError, "markdown holds one timeline and there are 2"),
        (("a.md", "--from", "csv"), DataError, "a.md:1: no date and text column among"),
        (("same.jsonl", "-o", "out"), DataError, "two timelines would be written to t/ana.txt"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    error: type[Exception],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("- 2010: A.\n")
    Path("two.jsonl").write_text('[["2010", ["A."]]]\n[["2011", ["B."]]]\n')
    Path("same.jsonl").write_text(
        '{"topic": "t", "author": "ana", "timeline": {"2010": "A."}}\n' * 2
    )
    done = convert(*words)
    assert isinstance(done.exception, error)
    assert str(done.exception).startswith(message)


def test_undecodable_standard_input_is_said() -> None:
    done = convert("-", given=b"2010-06-03\nna\xefve\n")
    assert str(done.exception) == (
        "standard input:2: byte 0xef at offset 13 is not UTF-8; send UTF-8"
    )


def test_lost_lines_are_named_first_and_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "answer.md"
    path.write_text("Sure!\n\n- 3 June 2010: A.\n- 31 June 2010: B.\n- 7 Foo 2010: C.\n")
    first, second, *_, last = convert(path).stderr.splitlines()
    assert first.startswith(f"warning: {path}:4: date '31 June 2010' does not exist")
    assert second == f"warning: {path}:5: no date: '7 Foo 2010: C.' is dropped"
    assert last == "warning: 1 entry read, 2 dated lines not understood (lines 4, 5)"


def test_many_answers_are_checked_in_one_table(tmp_path: Path) -> None:
    good, bad, none = (tmp_path / f"{name}.md" for name in ("good", "bad", "none"))
    good.write_text("- early June 2010: A.\n- 5 June 2010: B.\n")
    bad.write_text("- 3 June 2010: A.\n- 31 June 2010: B.\n")
    none.write_text("Nothing is known.\n")
    done = check(good)
    assert done.return_value == 0
    assert done.stdout.split()[-4:] == [str(good), "2", "1", "0"]
    done = check(good, bad, none)
    assert re.search(rf"{bad} +1 +0 +1 +line 2\b", done.stdout)
    assert "holds no dated entry" in done.stdout
    assert done.return_value == 1


def test_one_input_is_converted_at_a_time(tmp_path: Path) -> None:
    done = convert(tmp_path / "a.md", tmp_path / "b.md")
    assert isinstance(done.exception, UsageError)


def test_a_folder_with_one_file_is_still_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "dam.md").write_text("- 2031-03-12: The dam broke.\n")
    assert [found.several for found in map(cs.convert, (folder, folder / "dam.md"))] == [
        True,
        False,
    ]
    cs.convert(folder).save(tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["dam.txt"]
