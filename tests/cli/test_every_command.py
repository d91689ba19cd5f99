"""What holds for every command, found by walking through all of them and their options."""

import contextlib
import io
import os
import pty
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import chronoscore
from chronoscore import demo
from chronoscore.cli import COMMANDS, commands, find_command
from chronoscore.cli.parameters import name_options
from chronoscore.cli.talk import Warnings
from chronoscore.cli.targets import FileOrFolder, Folder, Picture, Target
from chronoscore.errors import ChronoscoreWarning
from chronoscore.progress import listen_to_progress

ROOT = Path(demo.__file__).parent
CORPUS, RUNS = str(ROOT / "corpus"), [str(ROOT / "runs" / "careful" / "timelines")]
RUNS.append(str(ROOT / "runs" / "extract" / "timelines"))
OWN = ("rouge155", "list", "cite", "workbench")
"""Commands that take another program's options, or print a list."""


def walk(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for part, inner in command.commands.items():
            yield from walk(f"{name} {part}", inner)
    else:
        yield name, command


EVERY = dict(
    found
    for name in COMMANDS
    for found in walk(name, import_module(f"chronoscore.cli.{name}").command)
)
WORKING = {name: one for name, one in EVERY.items() if name.split()[0] not in OWN}
WRITTEN = [
    (name, option)
    for name, command in EVERY.items()
    for option in command.params
    if isinstance(option.type, Target)
]


def words_of(name: str) -> list[str]:
    """The command with arguments that are not there: work would fail on these first."""
    words = name.split()
    for one in EVERY[name].params:
        if isinstance(one, click.Argument):
            choices = getattr(one.type, "choices", ("absent.jsonl",))
            words += [choices[0]] * max(one.nargs, 1)
        elif one.required:
            words += [one.opts[0], "absent.jsonl"]
    return ["summarize", "lead", "absent.jsonl"] if name == "summarize" else words


@pytest.mark.parametrize(("name", "option"), WRITTEN, ids=lambda one: getattr(one, "name", one))
def test_what_cannot_be_written_is_refused_before_any_work(run, tmp_path, name, option):
    (tmp_path / "file").write_text("kept")
    made = isinstance(option.type, Folder | FileOrFolder | Picture)
    inside = "file/inside.png" if made else "missing/plot.png"
    words, given = words_of(name), [option.opts[0], inside]
    if isinstance(option, click.Argument):
        words[words.index("absent.jsonl")], given = inside, []
    said = run(*words, *given, code=3)
    reason = "('file' is a file)" if made else "(there is no folder 'missing')"
    assert f"cannot be written {reason}" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_every_option_that_writes_says_so_by_its_type():
    writing = re.compile(r"^(draw|write|plot)|copy the corpus|the (page|folder)|to this", re.I)
    for name, command in EVERY.items():
        for option in command.params:
            if isinstance(option, click.Option) and isinstance(option.type, click.Path):
                found = bool(writing.search(option.help or "")) and name.split()[0] != "rouge155"
                assert not found or isinstance(option.type, Target), (name, option.opts)


@pytest.mark.parametrize("name", WORKING)
def test_every_command_can_be_told_to_be_quiet_or_to_say_all(name):
    known = {word for option in WORKING[name].params for word in option.opts}
    assert {"--quiet", "--verbose"} <= known


def test_options_of_one_name_are_of_one_kind():
    kinds: dict[str, dict[str, list[str]]] = {}
    for name, command in WORKING.items():
        for option in command.params:
            if isinstance(option, click.Option):
                kind = type(option.type).__name__
                kinds.setdefault(option.opts[0], {}).setdefault(kind, []).append(name)
    differing = {word: found for word, found in kinds.items() if len(found) > 1}
    # What is written is a file or, for runs and the demo, a folder.
    assert set(differing) <= {"-o"}, differing


@pytest.mark.parametrize(
    "name", sorted({name for name, option in WRITTEN if isinstance(option.type, Picture)})
)
def test_a_plot_has_the_ending_of_a_picture(run, name):
    option = next(one for one in EVERY[name].params if isinstance(one.type, Picture))
    said = run(*words_of(name), option.opts[0], "plot.doc", code=2)
    assert "plot.doc: a plot ends in .png, .svg, .pdf; choose one" in said.err


def takes_format(command: click.Command) -> bool:
    """Whether a command has `-f` and writes a file of that format with `-o`."""
    names = {one.name: one.type for one in command.params}
    return "form" in names and not isinstance(names.get("output"), FileOrFolder | type(None))


@pytest.mark.parametrize("name", [name for name in WORKING if takes_format(WORKING[name])])
def test_an_ending_that_contradicts_the_format_is_refused_by_every_command(run, tmp_path, name):
    known = next(one.type.choices for one in EVERY[name].params if one.name == "form")
    chosen, other = ("json", "csv") if "json" in known else (known[0], "html")
    said = run(*words_of(name), "-f", chosen, "-o", f"out.{other}", code=2)
    assert f"-o out.{other} asks for {other}" in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [["score"], ["compare"], ["report"], ["explain"]])
def test_the_first_command_needs_no_measure_and_says_nothing_twice(run, words):
    systems = RUNS[:1] if words == ["explain"] else RUNS
    said = run(*words, *systems, "--reference", CORPUS)
    lines = said.err.splitlines()
    assert len(lines) == len(set(lines))


def plotted() -> dict[str, list[str]]:
    judged = str(ROOT / "corpus" / "dam" / "judgements.jsonl")
    return {
        "explain": ["explain", RUNS[0], "--reference", CORPUS, "-t", "dam"],
        "check": ["check", "align", "--on", str(ROOT / "corpus" / "ferry")],
        "agree": ["agree", judged],
        "similarities": ["similarities", RUNS[0], "--reference", CORPUS],
        "compare": ["compare", *RUNS, "--reference", CORPUS],
    }


@pytest.mark.parametrize("name", plotted())
def test_a_picture_is_drawn_and_names_what_it_shows(run, tmp_path, name):
    run(*plotted()[name], "--plot", "plot.svg")
    drawn = (tmp_path / "plot.svg").read_text()
    shown = {
        "explain": ["reference", "system", "dam"],
        "check": ["shuffle", "framed"],
        "agree": ["acceptance", "blind overlap"],
        "similarities": ["dam (", "theft ("],
        "compare": ["careful – extract"],
    }
    for text in shown[name]:
        assert f"<!-- {text}" in drawn


def keep(kept, message, kind):
    kept.show(ChronoscoreWarning(message, kind=kind), ChronoscoreWarning, "", 1)


def test_warnings_of_one_kind_are_one_line_with_their_number(capsys):
    kept = Warnings()
    for system in ("mine", "theirs"):
        for topic in ("dam", "ferry", "dam"):
            keep(kept, f"{system}, {topic}: took too long", f"failed-system:{system}")
    kept.show("there is no list of stop words", UserWarning, "", 1)
    kept.flush()
    assert capsys.readouterr().err == (
        "warning: mine, dam: took too long (2 such warnings; -v lists them)\n"
        "warning: theirs, dam: took too long (2 such warnings; -v lists them)\n"
        "warning: there is no list of stop words\n"
    )
    kept.verbose = True
    keep(kept, "topic 'dam' is late", "late")
    keep(kept, "topic 'ferry' is late", "late")
    kept.flush()
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(
    ("words", "message", "shown"),
    [
        ("score", "give `documents` or `systems`", "give --documents or SYSTEM"),
        ("score", '`topics="shared"` and `resampling.times`', "--topics shared and --resamples"),
        ("score", 'add `measures=["nu", "nu(strict)"]`', "add --measure nu --measure 'nu(strict)'"),
        ("score", '`columns={"system": "A"}`, `ceiling=True`', "--column system=A, --ceiling"),
        ("score", "`within` of `width=3` and `nu`", "`within` of `width=3` and `nu`"),
        ("oracle corpus", "`pool`, `dates=…`, `budget`", "--pooling, --dates …, --budget"),
        ("oracle ceilings corpus", "`dates`, `budget`", "`dates`, --budget"),
        ("correlate", "`rating`", "--rating"),
        ("--help", "`rating`", "`rating`"),
    ],
)
def test_a_message_names_the_options_of_the_running_command(words, message, shown):
    assert name_options(message, find_command(words.split())) == shown


@pytest.mark.parametrize(("flags", "warned"), [((), 1), (("-q",), 1), (("-qq",), 0)])
def test_only_the_second_q_hides_warnings_about_data(run, tmp_path, flags, warned):
    (tmp_path / "answer.md").write_text("Sure!\n\n- 2031-03-03: The dam broke.\n")
    said = run("convert", "answer.md", "--to", "csv", *flags)
    assert said.err.count("is dropped") == warned


@pytest.mark.parametrize("name", ["score", "compare", "report", "explain", "similarities", "check"])
def test_references_are_named_alike_in_every_command(name):
    known = {word for option in EVERY[name].params for word in option.opts}
    assert {"-r", "--reference"} <= known


def test_long_work_says_what_it_is_doing_and_how_far_it_is(tmp_path):
    heard: list[tuple[str, int, int]] = []
    with listen_to_progress(lambda *said: heard.append(said)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chronoscore.report(RUNS, CORPUS, "align+", path=tmp_path / "r.html")
        chronoscore.score(RUNS, CORPUS, "align+").save(tmp_path / "s.csv")
    last = {what: (done, total) for what, done, total in heard}
    assert list(last) == [
        "scoring",
        "testing pairs",
        "accounting for losses",
        "explaining align+",
        "writing r.html",
        "writing s.csv",
    ]
    assert (last["testing pairs"], last["explaining align+"]) == ((1, 1), (24, 24))
    assert all(done <= total or not total for _, done, total in heard)


@pytest.mark.slow
def test_a_bar_on_the_terminal_leaves_the_results_alone():
    words = [
        sys.executable,
        "-m",
        "chronoscore",
        "score",
        *RUNS,
        "--reference",
        CORPUS,
        "-f",
        "csv",
    ]
    plain = subprocess.run(words, capture_output=True, check=True).stdout
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        assert process.stdout
        shown = threading.Thread(target=drain, args=(ours,))
        shown.start()
        assert process.stdout.read() == plain
        shown.join()
    os.close(ours)


def drain(terminal: int) -> None:
    """Read what is shown, so that the terminal never fills up."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass


def complete(words: str) -> list[str]:
    shell = ShellComplete(commands, {}, "chronoscore", "_CHRONOSCORE_COMPLETE")
    *before, begun = words.split(" ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [item.value for item in shell.get_completions(before, begun)]


@pytest.mark.parametrize(
    ("begun", "found"),
    [
        ("score -m align+", ["align+", "align+m1"]),
        ("explain x -m align+.", ["align+.p", "align+.r", "align+.f"]),
        ("check ro", "rouge-l"),
        ("summarize datew", ["datewise"]),
        (f"compare {' '.join(RUNS)} --baseline c", ["careful"]),
        (f"explain {RUNS[0]} --reference {CORPUS} -t f", ["ferry"]),
    ],
)
def test_names_are_completed(begun, found):
    names = complete(begun)
    assert names == found if isinstance(found, list) else found in names


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("Sure!\n\n- 2031-03-03: The dam broke.\n", "warning: standard input:1: no date: 'Sure!'"),
        ("{", "chronoscore: standard input"),
    ],
)
def test_standard_input_is_called_so(run, monkeypatch, given, said):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    dam = str(ROOT / "corpus" / "dam" / "timelines" / "ines.txt")
    code = 0 if "Sure" in given else 3
    assert said in run("score", "-", "--reference", dam, "-m", "align+", code=code).err


def test_a_single_topic_has_neither_interval_nor_bootstrap(run):
    dam = str(ROOT / "corpus" / "dam" / "timelines" / "ines.txt")
    for system, folder in zip("ab", RUNS, strict=True):
        Path(f"{system}.txt").write_text((Path(folder) / "dam.txt").read_text())
    printed = run("compare", "a.txt", "b.txt", "--reference", dam, "-m", "align+.f").out
    assert re.search(r"a – b .* [+-]0\.\d{4}  +1\.0000  +1\.0000  +–", printed)


def test_a_report_on_systems_without_a_common_topic_says_so(run, tmp_path):
    for system, topic in (("a", "dam"), ("b", "ferry")):
        (tmp_path / system).mkdir()
        answer = Path(RUNS[0]) / f"{topic}.txt"
        (tmp_path / system / f"{topic}.txt").write_text(answer.read_text())
    run("report", "a", "b", "--reference", CORPUS)
    assert "No topic has outputs of two systems" in (tmp_path / "report.html").read_text()
