"""Archives of folders, and files that are no text."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.errors import DataError
from chronoscore.formats.io import archives
from chronoscore.formats.io.files import read_text
from chronoscore.formats.timelines import timeline_files

FILES = {"dam.md": "- 2010-06-03: The dam broke.\n", "ferry.md": "- 2011-06-03: It sank.\n"}


def packed(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("above", ["", "runs/"])
def test_a_zip_of_a_folder_is_read_as_the_folder(tmp_path: Path, above: str) -> None:
    folder = tmp_path / "gold"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    path = packed(
        tmp_path / "mine.zip",
        {f"{above}{name}": text for name, text in FILES.items()} | {"__MACOSX/._dam.md": b"\0"},
    )
    result = cs.score(path, folder, "align+")
    assert result.averages[2].value == 1.0
    assert result.systems == ("runs" if above else "mine",)
    assert len(cs.convert(path).timelines) == 2


def link(name: str) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    found.external_attr = 0o120777 << 16
    return found


def wrong() -> Iterator[tuple[str, list[tuple[zipfile.ZipInfo | str, bytes]], str]]:
    yield "another place", [("../dam.md", b"x")], "holds '../dam.md', which leads elsewhere"
    yield "a root", [("/dam.md", b"x")], "holds '/dam.md', which leads elsewhere"
    yield "a link", [(link("dam.md"), b"/etc/passwd")], "holds the link 'dam.md'"
    yield "an archive", [("dam.zip", b"x")], "holds the archive 'dam.zip'; unpack it first"
    yield "nothing", [], "is empty"


WRONG = {name: (members, message) for name, members, message in wrong()}


@pytest.mark.parametrize(("members", "message"), WRONG.values(), ids=WRONG)
def test_archives_that_could_do_harm_are_refused(
    tmp_path: Path, members: list[tuple[zipfile.ZipInfo | str, bytes]], message: str
) -> None:
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members:
            archive.writestr(name, text)
    if not members:
        path.write_bytes(b"PK\x05\x06" + bytes(18))
    with pytest.raises(DataError) as caught:
        archives.as_folder(path)
    assert message in str(caught.value)


def test_large_and_encrypted_archives_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(tmp_path / "mine.zip", {"a.md": "x" * 2000, "b.md": "y"})
    monkeypatch.setattr(archives, "MOST_BYTES", 1000)
    with pytest.raises(DataError, match="unpacks to more than 1 GB"):
        archives.as_folder(path)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 1)
    with pytest.raises(DataError, match="holds 2 files, 1 are allowed"):
        archives.as_folder(path)
    raw = bytearray(packed(tmp_path / "locked.zip", {"a.md": "x"}).read_bytes())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(raw)
    with pytest.raises(DataError, match=r"'a\.md' is encrypted"):
        archives.as_folder(tmp_path / "locked.zip")


def office(inside: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr(inside, "<x/>")
    return held.getvalue()


BINARY = {
    "a Word document; save it as text": office("word/document.xml"),
    "an Excel workbook; save it as CSV": office("xl/workbook.xml"),
    "a PowerPoint presentation; save it as text": office("ppt/presentation.xml"),
    "an OpenDocument file; save it as text or CSV": office("content.xml"),
    "a PDF document; save it as text": b"%PDF-1.7\n",
    "an RTF document; save it as text": b"{\\rtf1 x}",
    "an image; give its text": b"\x89PNG\r\n\x1a\n",
    "a gzip archive; let its name end in .gz, or unpack it": b"\x1f\x8b\x08\0",
    "a broken zip archive; fetch or pack it again": b"PK\x03\x04 and so on",
}


@pytest.mark.parametrize(("message", "raw"), BINARY.items(), ids=BINARY)
@pytest.mark.parametrize("name", ["dam.txt", "dam.md", "dam.json"])
def test_files_that_are_no_text_are_named(
    tmp_path: Path, message: str, raw: bytes, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(DataError) as caught:
        timeline_files.read(path)
    assert str(caught.value) == f"{path}: is {message}"
    with pytest.raises(DataError):
        read_text(path)


def test_notes_and_errors_name_the_archive_and_its_member(tmp_path: Path) -> None:
    good, bad = "- 3 May 2010: A.\n- 31 June 2010: B.\n", "no date at all\n"
    path = packed(tmp_path / "mine.zip", {"a.md": good, "b.md": bad})
    folder = archives.as_folder(path)
    (note,) = timeline_files.read(folder / "a.md").notes
    assert str(note).startswith(f"{path}/a.md:2: ")
    with pytest.raises(DataError) as error:
        timeline_files.read(folder / "b.md")
    assert str(error.value).startswith(f"{path}/b.md")
