"""`chronoscore.toml`: read as data, which may come from a stranger."""

import os
import re
import shutil
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.errors import ChronoscoreError, DataError, UsageError
from chronoscore.projects.places import find_places
from projects_layouts import FOLDERS

PLAIN = 'systems = ["outputs/*"]\nreferences = "gold"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = FOLDERS[0].write(tmp_path)
    (root / "chronoscore.toml").write_text(PLAIN)
    return root


def write(root: Path, text: str | bytes) -> Path:
    file = root / "chronoscore.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refused(root: Path, text: str | bytes) -> str:
    write(root, text)
    with pytest.raises(ChronoscoreError) as caught:
        cs.score(cs.project(root))
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    return message


def test_commands_without_paths_give_the_figures_of_commands_with_them(run, folder) -> None:
    named = run("score outputs/gpt-4 outputs/llama -r gold -f csv -m align+ -m dates").out
    write(folder, PLAIN + 'measures = ["align+", "dates"]\n')
    said = run("score -f csv")
    assert said.out == named
    assert "project: chronoscore.toml" in said.err
    assert run("score -f csv -q").err == ""
    assert run("compare").out.startswith(
        run("compare outputs/gpt-4 outputs/llama -r gold").out[:300]
    )
    assert "align+" in run("diff gpt-4 llama").out
    assert "2031-03-01" in run("explain llama -t dam").out
    assert "names 2 systems" in run("explain", code=2).err


def test_python_gives_the_figures_of_the_command_line(run, folder) -> None:
    write(folder, PLAIN + 'measures = ["align+.f"]\n[statistics]\nlevel = 0.8\nseed = 3\n')
    printed = run("score -f json --rows averages").out
    found = cs.score(cs.project(folder))
    assert str(found["llama", "align+.f"].value)[:12] in printed
    assert found.resampling.level == pytest.approx(0.8)
    assert cs.score(cs.project(folder), measures="dates.f").measures == ("dates",)
    with pytest.warns(cs.ChronoscoreWarning, match="add topics"):
        assert cs.compare(cs.project(folder / "chronoscore.toml")).scored == found
    assert cs.explain(cs.project(folder).choose(["llama"])).system == "llama"
    with pytest.raises(UsageError, match="did you mean 'llama'"):
        cs.project(folder).choose(["lama"])


def test_a_project_stands_for_its_data_wherever_python_takes_them(folder, tmp_path) -> None:
    write(folder, PLAIN + 'measures = ["align+.f"]\n')
    project = cs.project(folder)
    paths = [folder / "outputs" / name for name in ("gpt-4", "llama")]
    plain = cs.score(paths, folder / "gold", "align+.f")
    assert cs.load(project) == plain.collection
    assert [run.system for run in cs.load_runs(project)] == ["gpt-4", "llama"]
    ours, theirs = (one.diff("gpt-4", "llama") for one in (cs.score(project), plain))
    assert str(ours.rows()) == str(theirs.rows())
    assert project.note in str(ours)
    assert str(cs.score(project).losses().rows()) == str(plain.losses().rows())
    page = cs.report(project, path=tmp_path / "page.html").read_text("utf-8")
    assert project.note in page
    explained = cs.explain(project.choose(["llama"]), topic="dam")
    assert str(explained) == str(cs.explain(paths[1], folder / "gold", "align+.f", topic="dam"))


def test_options_of_the_line_come_first(run, folder) -> None:
    write(folder, PLAIN + 'measures = ["align+"]\n[reading]\nencoding = "latin-1"\n')
    assert "dates.f" in run("score -m dates.f").out
    assert "align" not in run("score -m dates.f").out
    own = run("score outputs/gpt-4 --project chronoscore.toml -m dates.f -f csv").out
    assert "llama" not in own
    assert own.count("gpt-4") == 3


def test_a_project_counts_only_where_no_system_is_named(run, folder) -> None:
    write(folder, "this is broken")
    assert "gpt-4" in run("score outputs/gpt-4 -r gold").out
    assert "is not TOML" in run("score", code=3).err


@pytest.mark.parametrize("role", ["date", "text", "topic", "author"])
def test_a_column_that_no_table_has_is_refused_with_those_it_has(role, run, tmp_path) -> None:
    (tmp_path / "a.csv").write_text("day,event\n2031-03-12,It broke.\n2031-03-14,Help came.\n")
    said = run("score", tmp_path / "a.csv", "-r", tmp_path / "a.csv", f"--column={role}=x", code=2)
    assert "not all of the columns x are among day, event; correct --column" in said.err


def test_a_system_may_be_named_as_its_folder_is(run, folder) -> None:
    named = run("score gpt-4 -f csv -q").out
    for name in ("gpt-4", "llama"):
        (folder / "outputs" / name).rename(folder / name)
    write(folder, 'systems = ["gpt-4", "llama"]\nreferences = "gold"\n')
    assert run("score gpt-4 -f csv -q").out == named
    assert run("score gpt-4/ -f csv -q").out == named
    assert "align+" in run("diff gpt-4 llama").out
    assert "there is no reference" in run("score ./gpt-4", code=3).err


def test_a_project_of_a_folder_above_does_not_count(run, folder, monkeypatch) -> None:
    monkeypatch.chdir(folder / "outputs")
    assert "missing argument" in run("score", code=2).err
    assert "gpt-4" in run("score --project ../chronoscore.toml").out


def test_the_report_and_the_table_name_the_file(run, folder) -> None:
    assert re.search(r"Scored as chronoscore\.toml says \(sha256 [0-9a-f]{12}\)", run("score").out)
    run("report")
    page = (folder / "report.html").read_text()
    assert "Scored as chronoscore.toml says" in page


def test_a_gate_is_the_exit_code_of_score_and_diff(run, folder) -> None:
    write(folder, PLAIN + '[gate]\nfail-under = "align+.f=0.99"\nfail-on-regression = 0\n')
    assert "under 0.99" in run("score", code=1).err
    assert run("score --fail-under align+.f=0.1")
    write(folder, PLAIN + '[gate]\nfail-under = ["align+.f=0.1"]\nfail-on-regression = 1\n')
    run("score")
    run("diff gpt-4 llama")
    write(folder, PLAIN + "[gate]\nfail-on-regression = 0\nstrict = true\n")
    run("diff llama gpt-4", code=1)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("/etc/passwd", "absolute"),
        ("../gold", "leaves the folder"),
        ("outputs/../../gold", "leaves the folder"),
        ("outputs/*/../../../*", "leaves the folder"),
        ("..", "leaves the folder"),
        ("~/gold", "home folder"),
        ("~root", "home folder"),
        ("$HOME/gold", "variable"),
        ("${HOME}", "variable"),
        ("%USERPROFILE%/gold", "variable"),
        (r"C:\gold", "backslash"),
        ("C:/gold", "absolute"),
        ("c:gold", "names a function|absolute"),
        (r"\\server\share", "backslash"),
        ("//server/share", "absolute"),
        (r"..\gold", "backslash"),
        ("s3://bucket/gold.jsonl", "address"),
        ("file:///etc/passwd", "address"),
        ("http://example.org/x", "address"),
        ("mymodule:load", "imports no code"),
        ("pkg.module:load", "imports no code"),
        ("out\\u0000put", "not the name of a file"),
        ("out\\nput", "not the name of a file"),
        ("", "not the name of a file"),
        ("**/*.md", r"\*\*"),
        ("{home}/x", "says nothing of a name"),
        ("outputs/{system", "says nothing of a name"),
        ("missing/*", "nothing is called"),
    ],
)
@pytest.mark.parametrize("key", ["systems", "references", "judgements", "documents"])
def test_a_path_that_could_leave_the_folder_is_refused(key, pattern, reason, folder) -> None:
    said = pattern if "\\u" in pattern or "\\n" in pattern else pattern.replace("\\", "\\\\")
    values = {"systems": "outputs/*", "references": "gold"} | {key: None}
    text = "".join(f'{one} = "{value or said}"\n' for one, value in values.items())
    message = refused(folder, text)
    assert re.search(reason, message)
    assert "chronoscore.toml:" in message


@pytest.mark.parametrize("where", ["outputs/leak", "outputs/gpt-4/leak.md", "gold/leak"])
@pytest.mark.parametrize("target", ["/etc", "/etc/passwd", "../../../.."])
def test_a_link_that_leaves_the_folder_is_refused(where, target, tmp_path) -> None:
    root = FOLDERS[0].write(tmp_path / "inner" / "mine")
    (root / where).symlink_to(target)
    assert "is a link" in refused(root, PLAIN)


def test_a_link_that_stays_in_the_folder_counts(folder) -> None:
    (folder / "links").mkdir()
    (folder / "links" / "one").symlink_to("../outputs/llama")
    write(folder, PLAIN.replace("outputs/*", "links/*"))
    assert cs.score(cs.project(folder)).systems == ("llama",)


def test_a_pattern_names_nothing_in_a_linked_folder_outside(tmp_path) -> None:
    (tmp_path / "out" / "deep").mkdir(parents=True)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "far").symlink_to(tmp_path / "out")
    for pattern in ("far/deep", "far/*", "*/deep", "*", "f?r/d*", "{system}/deep"):
        with pytest.raises(DataError, match="leaves the folder"):
            find_places(tmp_path / "in", pattern)


def test_what_is_no_file_is_refused(folder) -> None:
    os.mkfifo(folder / "outputs" / "gpt-4" / "pipe.md")
    assert "neither a file nor a folder" in refused(folder, PLAIN)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('cluster = "tcp://1.2.3.4:8786"', "does not set `cluster`"),
        ('endpoint = "http://x/v1"', "does not set an endpoint"),
        ('api-key = "secret"', "does not set a key"),
        ('API_KEY = "secret"', "does not set a key"),
        ('cache = "x.sqlite"', "does not set a cache"),
        ('output = "x.html"', "does not set an output"),
        ('junit = "x.xml"', "does not set an output"),
        ('measure = ["align+"]', "did you mean 'measures'"),
        ("sistems = 1", "did you mean 'systems'"),
        ('fail-under = "x=1"', r"belongs below \[gate\]"),
        ("fail_under = 1", r"belongs below \[gate\]|unknown key"),
        ('measures = ["mine:score"]', "imports code"),
        ('measures = ["align+(similarity=mine:f)"]', "imports code"),
        ('measures = ["align+(similarity=file(path=/etc/passwd))"]', "reads another file"),
        (
            'measures = ["align+(similarity=embed(model=m,endpoint=http://x/v1))"]',
            "imports code|asks",
        ),
        ('measures = ["align+(similarity=embed(model=../m))"]', "reads another file"),
        ('measures = ["novelty(coefficients=fit.json)"]', "reads another file"),
        ('measures = ["novelty(base=mine:score)"]', "imports code"),
        ('measures = ["losses(mine:score)"]', "imports code"),
        ('measures = ["aligned(cost=mine:f)"]', "imports code"),
        ('measures = ["algin"]', "did you mean 'align'"),
        ("measures = 7", "'measures'"),
        ('language = "klingon"', "is that of measures"),
        ('measures = ["align+"]\nlanguage = "klingon"', "unknown language"),
        ("[gate]\nfail-on-regression = -1", "'fail-on-regression'"),
        ('[gate]\nfail-on-regression = "1"', "'fail-on-regression'"),
        ("[gate]\nfail-over = 1", "did you mean 'fail-under'"),
        ('[reading]\nencodings = "x"', "did you mean 'encoding'"),
        ('[reading]\ndate-order = "year"', "'date-order'"),
        (
            "[statistics]\nlevel = 95",
            r"toml:4: level = 95: must be between 0 and 1; write 0\.95$",
        ),
        ("[statistics]\nlevel = 0", r"toml:4: level = 0: must be between 0 and 1, such as"),
        ("[statistics]\nresamples = 0", r"toml:4: resamples = 0: write 1 or more"),
        ("[statistics]\nseed = -1", r"toml:4: seed = -1: write 0 or more"),
        ("[statistics]\nseed = 1.5", "'seed'"),
        ("[columns]\nsystem = 1", "'system'"),
        ("gate = 1", "'gate'"),
        ("a" * 100_000 + " = 1", "unknown key"),
    ],
)
def test_what_a_file_may_not_say_is_refused_with_its_line(line, reason, folder) -> None:
    message = refused(folder, PLAIN + line + "\n")
    assert re.search(reason, message)
    assert re.search(r"chronoscore\.toml(:[345])?: ", message) or "lang" in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"systems = [\n", "is not TOML"),
        (b"systems = 'a'\nsystems = 'b'\n", "is not TOML"),
        (b"systems = 'a\0b'\n", "is not TOML"),
        (b"\0" * 100, "is not TOML"),
        (b"systems = '\xff'\n", "is not UTF-8"),
        (b"#" * (1 << 20) + b"\n", "larger than 1 MiB"),
        (b"x = " + b"[" * 5_000 + b"]" * 5_000, "nested too deeply|is not TOML"),
        (b"x = " + b"9" * 5_000, "is not TOML|unknown key"),
        (b"", "names no systems"),
        (b"references = 'gold'\n", "names no systems"),
        (b"systems = []\n", "all of these|no system"),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(content, reason, folder) -> None:
    assert re.search(reason, refused(folder, content))


def test_a_folder_without_a_file_is_told_what_to_type(tmp_path) -> None:
    with pytest.raises(DataError, match="write it with chronoscore init"):
        cs.project(tmp_path)


def test_names_say_what_folders_do_not(tmp_path) -> None:
    root = next(one for one in FOLDERS if one.name.startswith("topic folders with a")).write(
        tmp_path
    )
    write(root, 'systems = "{topic}/{system}.md"\nreferences = "{topic}/human/{author}.md"\n')
    result = cs.score(cs.project(root))
    assert result.systems == ("gpt-4", "llama")
    assert {len(topic.timelines) for topic in result.collection} == {2}


def test_several_systems_in_one_table_are_scored_as_each_alone(tmp_path) -> None:
    root = next(one for one in FOLDERS if "wide table" in one.name).write(tmp_path)
    columns = '[columns]\nsystem = {}\nreferences = "reference"\n'
    write(root, 'systems = "all.csv"\n' + columns.format('["gpt4", "llama"]'))
    both = cs.score(cs.project(root))
    for name in ("gpt4", "llama"):
        write(root, 'systems = "all.csv"\n' + columns.format(f'"{name}"'))
        alone = cs.score(cs.project(root))
        for measure in ("rouge(n=1).f", "rouge-l.r"):
            assert both[name, measure].value == pytest.approx(
                alone["all", measure].value, abs=1e-12
            )


def test_output_over_an_input_of_a_project_is_refused(run, folder) -> None:
    assert "which is read" in run("score -o gold/dam.md", code=2).err
    assert "overwrite" in run("report -o chronoscore.toml --title x", code=2).err


def test_the_demo_is_guessed_and_scored(run, tmp_path) -> None:
    for name in ("corpus", "runs"):
        shutil.copytree(Path(demo.__file__).parent / name, tmp_path / name)
    run("init")
    paths = sorted((tmp_path / "runs").glob("*/timelines"))
    named = run("score", *paths, "-r", "corpus", "-f", "csv").out
    assert run("score -f csv").out == named


@pytest.mark.parametrize("line", ["compare gpt-4 lama", "diff gpt-4 lama", "explain lama"])
def test_a_slip_in_the_name_of_a_system_is_answered_by_the_name(run, folder, line) -> None:
    said = run(line, code=2).err
    assert "chronoscore.toml: no system 'lama'; did you mean 'llama'?" in said
    # What is near no name may be a path that is missing.
    assert "no such file" in run("score outputz/x -r gold", code=3).err
