"""Hostile files: archives, XML and text that mean harm, and too much of anything."""

import io
import json
import struct
import zipfile
from secrets import token_hex
from typing import Any

import pytest
from sqlalchemy import func, select

from chronoscore.demo import CORPUS
from chronoscore.errors import DataError
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.exchange import files as uploaded
from chronoscore.workbench.exchange import stories, uploads
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.exchange.uploads import UploadReading
from chronoscore.workbench.store import tables
from workbench.office import Office, Visitor, invited, packed, refusal, with_password


def upload(manager: Visitor, project: int, file: str, raw: bytes, *, name: str = "t") -> str:
    """What a manager is told about a file that is refused."""
    answer = manager.post(
        f"/p/{project}/import", files={"files": (file, raw)}, name=name, title="", status=400
    )
    return refusal(answer.text)


# Archives ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a/../../b.txt", "..\\..\\b.txt", "C:\\b.txt"]
)
def test_archives_that_point_outside_are_refused(manager, project: int, name: str) -> None:
    assert "points outside" in upload(manager, project, "x.zip", packed(**{name: b"text."}))


@pytest.mark.slow
def test_an_uploads_name_is_only_a_label(office: Office, manager, project: int, tmp_path) -> None:
    before = set(tmp_path.rglob("*"))
    for name in ("../../../../tmp/owned.txt", "..\\owned.txt", "/etc/cron.d/owned.txt"):
        raw = b"It rained. It stopped."
        topic = office.topic(manager, project, token_hex(4), upload=(f"{name}", raw, "text/plain"))
        assert "2 sentences" in manager.get(f"/t/{topic}")
        project = office.project(manager, "stream")
    assert set(tmp_path.rglob("*")) - before == set()


def test_the_tables_of_an_archive_are_written_under_our_names_only(
    manager, project: int, tmp_path
) -> None:
    tables = {"a/nuggets.tsv": b"x", "matches.tsv": b"y", "../updates_sampled.tsv": b"z"}
    assert "points outside" in upload(manager, project, "x.zip", packed(**tables))


def test_a_zip_bomb_is_not_unpacked(tmp_path) -> None:
    office = Office(tmp_path / "small.sqlite", largest_upload=1024 * 1024)
    manager = office.person("Mara", founder=True)
    project = office.project(manager, "stream")
    bomb = packed(**{"a.txt": b"a" * 30_000_000})
    assert len(bomb) < 100_000
    assert "more than an upload may hold" in upload(manager, project, "bomb.zip", bomb)
    many = packed(**{f"{n}.txt": b"b" * 90_000 for n in range(20)})
    assert "more than an upload" in upload(manager, project, "many.zip", many)
    inner = packed(**{"inner.zip": packed(**{"a.txt": b"text"})})
    assert "inside the archive" in upload(manager, project, "nested.zip", inner)
    office.close()


def test_several_archives_share_one_limit() -> None:
    files = [File(f"{n}.zip", packed(**{f"{n}.txt": b"b" * 90_000})) for n in range(3)]
    with pytest.raises(DataError, match="larger than an upload may be"):
        list(uploaded.unpack(files, 200_000))


def test_an_archive_that_lies_about_its_size_is_read_only_so_far() -> None:
    bomb = bytearray(packed(**{"a.txt": b"a" * 5_000_000}))
    at = bomb.index(b"PK\x01\x02")
    bomb[22:26] = bomb[at + 24 : at + 28] = struct.pack("<I", 10)
    with pytest.raises(DataError, match=r"cannot be unpacked|may hold"):
        list(uploaded.unpack([File("a.zip", bytes(bomb))], 100_000))


def test_an_archive_of_countless_nothings_is_refused_before_it_is_opened(monkeypatch) -> None:
    folders = packed(**{f"{n}/": b"" for n in range(2 * uploaded.MOST_FILES + 1)})
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(DataError, match="lists too many files"):
        list(uploaded.unpack([File("a.zip", folders)], 10**9))


def test_more_files_than_a_topic_may_have_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(uploaded, "MOST_FILES", 5)
    files = packed(**{f"{n}.txt": b"x" for n in range(6)})
    with pytest.raises(DataError, match="more than 5 files"):
        list(uploaded.unpack([File("a.zip", files)], 10**6))


def test_broken_and_unusual_archives_are_refused_in_a_sentence(manager, project: int) -> None:
    whole = packed(**{"a.txt": b"It rained. " * 1000})
    broken = bytearray(whole)
    broken[45:60] = b"\xff" * 15
    assert "cannot be unpacked" in upload(manager, project, "a.zip", bytes(broken))
    locked = bytearray(whole)
    locked[6] |= 1
    locked[whole.index(b"PK\x01\x02") + 8] |= 1
    assert "cannot be unpacked" in upload(manager, project, "a.zip", bytes(locked))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", b"It rained.")
    assert "unusual way" in upload(manager, project, "a.zip", other.getvalue())
    assert "No story" in upload(manager, project, "a.zip", packed(**{"./": b""}))
    for cut in (30, 60, len(whole) - 10):
        assert "a.zip" in upload(manager, project, "a.zip", whole[:cut]).lower()


# XML --------------------------------------------------------------------------------------------


LAUGHS = '<?xml version="1.0"{}?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'
OUTSIDE = (
    '<?xml version="1.0"{}?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<TimeML><TEXT>&x;</TEXT></TimeML>"
)
PARAMETER = (
    '<?xml version="1.0"{}?><!DOCTYPE l [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>'
    "<TimeML><TEXT>x</TEXT></TimeML>"
)


@pytest.mark.parametrize("document", [LAUGHS, OUTSIDE, PARAMETER])
def test_xml_bombs_and_outside_entities_are_refused(manager, project: int, document: str) -> None:
    for name, raw in (
        ("x.tml", document.format("").encode()),
        ("x.xml", document.format(' encoding="utf-16"').encode("utf-16")),
        ("x.txt", document.format("").encode()),
    ):
        words = upload(manager, project, name, raw)
        assert "declares entities" in words
        assert "root:" not in words
    archive = packed(**{"a/x.tml": document.format("").encode()})
    assert "declares entities" in upload(manager, project, "x.zip", archive)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"<!DOCTYPE l SYSTEM 'file:///etc/passwd'><TimeML><TEXT>x</TEXT></TimeML>", "DOCTYPE"),
        (b"<TimeML><TEXT>" + b"<a>" * 9000 + b"</a>" * 9000 + b"</TEXT></TimeML>", "nested"),
        (b"<?xml version='1.0' encoding='none'?><TimeML/>", "not well-formed XML"),
        (b"<TimeML", "not well-formed XML"),
        (b"<html></html>", "is not TimeML"),
    ],
)
def test_other_tricks_with_xml_are_refused(manager, project: int, raw: bytes, words: str) -> None:
    assert words in upload(manager, project, "x.tml", raw)


def test_xml_that_is_too_large_is_not_parsed(monkeypatch) -> None:
    monkeypatch.setattr(stories, "LARGEST_XML", 100)
    monkeypatch.setattr(stories.defusedxml.ElementTree, "fromstring", None)
    with pytest.raises(DataError, match="larger than a story may be"):
        stories.timeml_story(File("x.tml", b"<TimeML>" + b" " * 100))


# Text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "raw", "words"),
    [
        ("a.txt", b"\xff\xfe\x00", "not UTF-8"),
        ("a.txt", b"one\x00two", "NUL byte"),
        ("a.txt", b"   ", "o story was found"),
        ("a.txt", b"x" * 2_000_001, "is longer than"),
        ("a.jsonl", b"{", "not an article"),
        ("a.jsonl", b'{"id": "a", "text": "x", "y": ' + b"[" * 100_000, "not an article"),
        ("a.jsonl", b'{"id": "a", "text": "x", "time": "soon"}', "is not a time"),
        ("a.jsonl", b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "comes twice"),
        ("a.jsonl", b'{"id": "a", "text": "x\\u0000y"}', "NUL character"),
        ("a.jsonl", b'{"id": "a", "text": "x", "title": "\\u0000"}', "NUL character"),
        ("a.jsonl", b'{"id": "a", "text": "x", "title": "' + b"t" * 1001 + b'"}', "is longer"),
        ("a.jsonl", b'{"id": "a", "text": "\\ud800"}', "not an article"),
        ("a.jsonl", b'{"x": "chronoscore-judgements", "y": ' + b"[" * 100_000, "nested too deeply"),
        ("a.zip", b"PK\x03\x04 broken", "broken archive"),
    ],
)
def test_files_that_cannot_be_read_are_refused_in_a_sentence(
    manager, project: int, name: str, raw: bytes, words: str
) -> None:
    said = upload(manager, project, name, raw)
    assert words in said
    assert "/tmp" not in said


def test_a_story_that_is_too_long_is_not_searched_for_events() -> None:
    """The tagger takes its time, so that the length is looked at first."""
    with pytest.raises(DataError, match="is longer than"):
        uploads.read(UploadReading("units", "t", "", 10**8), [File("a.txt", b"A b. " * 500_000)])


def test_one_endless_line_is_a_story_like_any_other(office: Office, manager, project: int) -> None:
    for number, letters in enumerate((b"a", b".", b" a", b"\"'", b"Dr. ")):
        raw = letters * (50_000 // len(letters))
        topic = office.topic(manager, project, f"t{number}", upload=(f"{number}.txt", raw, ""))
        manager.get(f"/t/{topic}")


# Judgements of others ---------------------------------------------------------------------------


JUDGED = (CORPUS / "dam" / "judgements.jsonl").read_text()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has no footer")
def test_imported_work_is_never_put_down_to_somebody_who_works_here(
    office: Office, manager, project: int
) -> None:
    long = "A Person Whose Name Fills All The Room That There Is For It."
    assert len(long) == accounts.LONGEST_NAME
    with_password(office, long).close()
    names = [f"{long}{'x' * 20}", "\u202eMara"]
    text = JUDGED.replace('"j1"', f'"{names[0]}"').replace('"j2"', f'"{names[1]}"')
    text = "\n".join(text.splitlines()[:-1])
    manager.post(
        f"/p/{project}/import", files={"files": ("j.jsonl", text.encode())}, name="t", title=""
    )
    with office.database.read() as connection:
        mine = accounts.find_by_name(connection, long)
        # Their account is in the log too.
        work = (tables.log.c.person == mine) & tables.log.c.topic.is_not(None)
        query = select(func.count()).select_from(tables.log).where(work)
        assert connection.execute(query).scalar() == 0
        shown = connection.execute(select(tables.person.c.name)).scalars().all()
    assert sum(name.endswith(" (imported)") for name in shown) == 3


@pytest.mark.filterwarnings("ignore:.*has no footer")
def test_ids_that_mean_something_to_us_are_refused(manager, project: int) -> None:
    text = "\n".join(JUDGED.splitlines()[:-1]).replace("-s01", "+s01")
    assert "+ or &amp;" in upload(manager, project, "j.jsonl", text.encode())


@pytest.mark.filterwarnings("ignore:.*has no footer")
def test_ids_of_joined_parts_are_looked_at_too(manager, project: int) -> None:
    rows = JUDGED.splitlines()[:-1]
    part = json.loads(next(row for row in rows if '"sentence"' in row))
    odd = {**part, "id": "odd+part", "join": part["id"], "n": 99}
    text = "\n".join([*rows, json.dumps(odd)])
    assert "odd+part" in upload(manager, project, "j.jsonl", text.encode())


def test_a_topic_without_a_name_is_refused(manager, project: int) -> None:
    assert "letters and figures" in upload(manager, project, "a.txt", b"It rained.", name="???")


def test_two_things_with_one_id_are_refused_in_a_sentence(office: Office, manager) -> None:
    project = office.project(manager, "units")
    document = "<TimeML><DOCID>{}</DOCID><TEXT>It <EVENT eid='{}'>rained</EVENT>.</TEXT></TimeML>"
    files = {"a.tml": document.format("a", "b-c"), "b.tml": document.format("a-b", "c")}
    archive = packed(**{name: text.encode() for name, text in files.items()})
    assert "same id" in upload(manager, project, "x.zip", archive)


# Too much ---------------------------------------------------------------------------------------


def poured(office: Office, who: Visitor, path: str, kind: str) -> tuple[int, int]:
    """Send without end and without saying how much; gives the answer and what was read."""
    start = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    read, status = 0, 0

    async def receive() -> dict[str, Any]:
        nonlocal read
        chunk = start if "multipart" in kind and not read else b"x" * 10_000
        read += len(chunk)
        assert read < 5_000_000
        return {"type": "http.request", "body": chunk, "more_body": True}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    headers = [(b"host", b"127.0.0.1:8765"), (b"content-type", kind.encode()),
               (b"cookie", f"{who.office.cookie}={who.token}".encode()),
               (b"x-form-proof", who.proof.encode())]  # fmt: skip
    scope = {
        "type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8765), "scheme": "http",
        "root_path": "", "http_version": "1.1",
    }  # fmt: skip
    office.portal.call(office.app, scope, receive, send)
    return status, read


@pytest.fixture
def small(tmp_path):
    found = Office(tmp_path / "s.sqlite", largest_upload=200_000, largest_request=50_000)
    yield found
    found.close()


def test_an_endless_upload_is_cut_off_while_it_is_read(small: Office) -> None:
    manager, judge = small.person("Mara", founder=True), small.person("Ann")
    project = small.project(manager, "stream", judge)
    form, files = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
    where = f"/p/{project}/import"
    status, read = poured(small, manager, where, files)
    assert status == 413
    assert 200_000 < read <= 220_000
    for path, kind in (("/projects", form), ("/t/1/log", "application/json"),
                       (f"/invite/{invited(small)}", files), ("/login", form)):  # fmt: skip
        status, read = poured(small, manager, path, kind)
        assert status == 413, path
        assert read <= 60_000


def test_only_managers_uploads_are_read_at_all(small: Office) -> None:
    manager, judge = small.person("Mara", founder=True), small.person("Ann")
    project = small.project(manager, "stream", judge)
    files = "multipart/form-data; boundary=b"
    assert poured(small, judge, f"/p/{project}/import", files) == (404, 0)
    assert poured(small, small.nobody, f"/p/{project}/import", files) == (401, 0)
    assert poured(small, judge, "/p/999/import", files) == (404, 0)
    status, read = poured(small, small.nobody, "/invite/import", files)
    assert status == 413
    assert read <= 60_000


def test_what_says_that_it_is_too_long_is_not_read(small: Office) -> None:
    manager = small.person("Mara", founder=True)
    project = small.project(manager, "stream")
    data = {"proof": manager.proof, "key": token_hex(8), "name": "t"}
    big = {"files": ("a.txt", b"x" * 300_000)}
    assert manager.client.post(f"/p/{project}/import", data=data, files=big).status_code == 413
    fields = {f"f{n}": "x" for n in range(6000)}
    assert manager.client.post("/projects", data={**data, **fields}).status_code in (400, 413)
