"""Submissions that were tampered with, or could do harm, are refused with a sentence each."""

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from bench.demo_task import change, make_demo_task, submit
from chronoscore import demo
from chronoscore.api import bench_check
from chronoscore.api.bench_check import check_submission
from chronoscore.formats.bench import submissions


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_demo_task(tmp_path_factory.mktemp("task"))


@pytest.fixture(scope="module")
def signed(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return submit(task, "lead", tmp_path_factory.mktemp("signed"))


@pytest.fixture
def mine(signed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(signed, tmp_path / "mine")


def pack(folder: Path, target: Path) -> Path:
    """A zip archive of a folder's files."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"mine/{file.name}")
    return target


def test_a_signed_submission_has_the_figures_of_score_and_no_fault(task: Path, mine: Path) -> None:
    found = check_submission(mine, task)
    assert found.faults == ()
    result = cs.score(demo.RUNS / "lead" / "timelines", demo.CORPUS, ["align+", "dates"])
    assert found.submission is not None
    assert found.submission.scores == {
        one.measure.heading(one.part): pytest.approx(one.value) for one in result.averages
    }
    assert check_submission(pack(mine, mine.parent / "mine.zip"), task).faults == ()


def test_a_signed_folder_is_scored_as_before(mine: Path, recwarn: pytest.WarningsRecorder) -> None:
    result = cs.score(mine, demo.CORPUS, "align+.f")
    plain = cs.score(demo.RUNS / "lead" / "timelines", demo.CORPUS, "align+.f")
    assert result["mine", "align+.f"].value == plain["lead", "align+.f"].value
    assert [str(one.message) for one in recwarn] == []


def test_marks_that_editors_put_before_a_description_change_nothing(task: Path, mine: Path) -> None:
    said = (mine / "submission.json").read_bytes()
    (mine / "submission.json").write_bytes(b"\xef\xbb\xbf" + said.replace(b"\n", b"\r\n"))
    assert check_submission(mine, task).faults == ()


def lower_a_score(folder: Path) -> None:
    change(folder, lambda said: said["scores"].update({"align+.f": 0.99}))


def forge_the_data(folder: Path) -> None:
    change(folder, lambda s: s.update(signature=s["signature"].replace("data:", "data:0")))


def forge_files_and_scores(folder: Path) -> None:
    """Other texts under the checksums of the signed ones."""
    text = (folder / "dam.txt").read_text(encoding="utf-8")
    (folder / "dam.txt").write_text(text.replace("dam", "dyke"), encoding="utf-8")


def replace_once(old: str, new: str) -> Callable[[Path], object]:
    """Other text in what a submission says."""

    def write(folder: Path) -> None:
        file = folder / "submission.json"
        file.write_text(file.read_text("utf-8").replace(old, new, 1), encoding="utf-8")

    return write


def rewrite(name: str, content: str | bytes) -> Callable[[Path], object]:
    raw = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / name).write_bytes(raw)


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (lower_a_score, "align+.f is said to be 0.99 and is 0.231441; sign again"),
        (forge_the_data, "the signature is not that of these files, which has data:"),
        (forge_files_and_scores, "'dam.txt' is not the file that was signed; restore it"),
        (lambda folder: (folder / "zoo.txt").unlink(), "topic 'zoo' has no file; add zoo.txt"),
        (rewrite("more.txt", "x"), "'more.txt' is no topic of this split; remove it"),
        (rewrite("dam.md", "x"), "topic 'dam' has two files; keep one"),
        (rewrite("dam.py", "x"), "'dam.py' does not end in .txt, .md"),
        (rewrite("dam.txt", b"\x00\x01\x02"), "'dam.txt' cannot be read: "),
        (rewrite("dam.txt", "I cannot say."), "'dam.txt' cannot be read: holds no dated entry"),
        (rewrite("dam.txt", ""), "'dam.txt' holds no answer; write one for topic 'dam'"),
        (rewrite("dam.txt", "[]"), "'dam.txt' holds no answer; write one for topic 'dam'"),
        (rewrite("dam.txt", " " * (5 << 20)), "'dam.txt' has more than 4 MB; shorten it"),
        (lambda folder: (folder / "inner").mkdir(), "'inner' is no file"),
        (lambda folder: os.mkfifo(folder / "dam.csv"), "'dam.csv' is no file"),
        (rewrite("submission.json", "{}"), "cannot be used (object missing required field"),
        (rewrite("submission.json", "{"), "cannot be used (input data was truncated"),
        (
            rewrite("submission.json", "[" * 90_000),
            "cannot be used (expected `object`, got `array`)",
        ),
        (rewrite("submission.json", ""), "is empty"),
        (rewrite("submission.json", b"\xff\xfe{"), "cannot be used"),
        (rewrite("submission.json", "9" * (5 << 20)), "is larger than 4 MB and no description"),
        (
            lambda folder: (folder / "submission.json").unlink(),
            "holds no submission.json; sign the folder",
        ),
        (lambda f: change(f, lambda s: s.update(checksum="0" * 64)), "another task or other refer"),
        (
            lambda f: change(f, lambda s: s.update(split="dev")),
            "it is of split 'dev' and not of 'test'",
        ),
        (lambda f: change(f, lambda s: s.update(system="")), "a system has a name of 1 to 60"),
        (lambda f: change(f, lambda s: s.update(system="\u202ea")), "a system has a name of 1"),
        (lambda f: change(f, lambda s: s.update(system=7)), "expected `str`, got `int`"),
        (lambda f: change(f, lambda s: s.update(system="le\u0430d")), "mixes letters that look"),
        (lambda f: change(f, lambda s: s.update(by="A" * 201)), "who submits has up to 200 vis"),
        (lambda f: change(f, lambda s: s.update(by="a\nb")), "who submits has up to 200 visible"),
        (replace_once('"scores": {', '"scores": {"align+.f": 0.99, '), "'align+.f' comes twice"),
        (replace_once('"scores": {', '"scores": {"x": NaN, '), "cannot be used (JSON is malformed"),
        (lambda f: change(f, lambda s: s["scores"].pop("dates.f")), "dates.f is said to be undef"),
        (lambda f: change(f, lambda s: s["scores"].update({"\x1b[2J": 1})), "'?[2J' is no figure"),
        (lambda f: change(f, lambda s: s["files"].update({"../../x": "0"})), "'x' is missing and"),
    ],
)
def test_what_was_tampered_with_is_refused_with_a_sentence(
    task: Path, mine: Path, tamper: Callable[[Path], object], fault: str
) -> None:
    tamper(mine)
    found = check_submission(mine, task)
    assert any(fault in one for one in found.faults), found.faults
    assert all(one.isprintable() and len(one) <= 400 for one in found.faults)


def test_a_link_is_not_followed(task: Path, mine: Path, tmp_path: Path) -> None:
    outside = (mine / "dam.txt").rename(tmp_path / "dam.txt")
    (mine / "dam.txt").symlink_to(outside)
    assert "'dam.txt' is a link; put the file itself there" in check_submission(mine, task).faults


def test_every_fault_is_named_and_a_flood_is_cut(task: Path, mine: Path) -> None:
    for topic in ("dam", "zoo", "bank"):
        (mine / f"{topic}.txt").unlink()
    assert [one for one in check_submission(mine, task).faults if "has no file" in one] == [
        f"topic '{topic}' has no file; add {topic}.txt" for topic in ("bank", "dam", "zoo")
    ]
    change(mine, lambda said: said["files"].update({f"f{n}": "" for n in range(500)}))
    assert check_submission(mine, task).faults[-1].endswith("more faults")


def bomb(archive: zipfile.ZipFile) -> None:
    for number in range(3):
        archive.writestr(f"mine/{number}.txt", b"0" * (100 << 20))


def many(archive: zipfile.ZipFile) -> None:
    for number in range(100):
        archive.writestr(f"mine/{number}.txt", b"")


def twice(archive: zipfile.ZipFile) -> None:
    archive.writestr("mine/dam.txt", "x")
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("mine/dam.txt", "y")


def link(archive: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo("mine/dam.txt")
    info.external_attr = 0o120777 << 16
    archive.writestr(info, "/etc/passwd")


@pytest.mark.parametrize(
    ("fill", "fault"),
    [
        (bomb, "unpacks to more than 256 MB"),
        (many, "holds 100 files, 22 are allowed"),
        (link, "holds the link 'mine/dam.txt'"),
        (lambda archive: archive.writestr("../dam.txt", "x"), "leads elsewhere"),
        (lambda archive: archive.writestr("/dam.txt", "x"), "leads elsewhere"),
        (lambda archive: archive.writestr("mine/a.zip", "x"), "holds the archive"),
        (twice, "holds 'mine/dam.txt' twice"),
        (lambda archive: [archive.writestr(n, "x") for n in ("a/b", "a")], "holds 'a' twice"),
        (lambda archive: archive.writestr("a" * 300, "x"), "a name that is too long; shorten it"),
        (lambda archive: None, "is empty"),
    ],
)
@pytest.mark.slow
def test_an_archive_that_could_do_harm_is_refused_before_it_is_unpacked(
    task: Path, tmp_path: Path, fill: Callable[[zipfile.ZipFile], object], fault: str
) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        fill(archive)
    (found,) = bench_check.check_submission(path, task).faults
    assert fault in found


def test_what_is_no_archive_is_refused(task: Path, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("PK", encoding="utf-8")
    (found,) = check_submission(tmp_path / "a.zip", task).faults
    assert "is neither a folder nor a zip archive" in found


def test_other_references_are_another_task(task: Path, mine: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(demo.CORPUS, tmp_path / "corpus")
    reference = corpus / "dam" / "timelines" / "ines.txt"
    reference.write_text(reference.read_text("utf-8").replace("dam", "dyke"), encoding="utf-8")
    from chronoscore.api.bench import make_task

    make_task(tmp_path / "task", corpus, ["align+", "dates"], baselines=())
    (found,) = check_submission(mine, tmp_path / "task").faults
    assert "another task or other references" in found


def test_faults_are_refused_before_signing_and_nothing_is_written(task: Path, mine: Path) -> None:
    (mine / "submission.json").unlink()
    (mine / "dam.txt").unlink()
    with pytest.raises(cs.DataError, match="topic 'dam' has no file"):
        bench_check.sign(mine, task)
    assert not (mine / "submission.json").exists()
    with pytest.raises(cs.UsageError, match="visible characters"):
        bench_check.sign(mine, task, name="a\nb")
    (mine / "dam.txt").touch()
    with pytest.raises(cs.DataError, match=r"'dam\.txt' holds no answer"):
        bench_check.sign(mine, task)
    assert not (mine / "submission.json").exists()


def test_no_ending_of_a_submission_is_packed_or_refers_to_other_texts() -> None:
    assert not {".gz", ".xz", ".zst", ".zip", ".xml", ".yaml", ".yml"} & {*submissions.ENDINGS}


def test_what_is_written_can_be_read_by_others(mine: Path) -> None:
    said: dict[str, Any] = json.loads((mine / "submission.json").read_text(encoding="utf-8"))
    assert (said["system"], said["split"], len(said["files"])) == ("my lead", "test", 12)
    assert "engine" not in said["signature"]
