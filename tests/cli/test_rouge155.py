"""`rouge155` as a user of ROUGE-1.5.5.pl types it: options, choices, and what goes wrong."""

import contextlib
import subprocess
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from chronoscore.cli import main
from chronoscore.engine.kinds import Elements, Grams, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.rouge155.options import interpret_perl_options, parse_perl_arguments
from chronoscore.rouge155.output import perl_number, perl_sort_key

Done = subprocess.CompletedProcess[bytes]


def rouge(folder: Path, *words: str) -> Done:
    """Call the command in this process, from a folder; what it writes is bytes."""
    with (
        contextlib.chdir(folder),
        warnings.catch_warnings(action="always", category=ChronoscoreWarning),
        CliRunner().isolation() as (out, err, _),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(["rouge155", *words])
        code = stopped.value.code
        return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def evaluation(name: str, systems: dict[str, str], *references: str) -> str:
    peers = "".join(f'<P ID="{system}">{file}</P>' for system, file in systems.items())
    models = "".join(f'<M ID="{number}">{file}</M>' for number, file in enumerate(references))
    return (
        f'<EVAL ID="{name}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="SPL"/><PEERS>{peers}</PEERS><MODELS>{models}</MODELS></EVAL>\n'
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three texts, settings with two systems of which one has a gap, and a list."""
    for name, text in {
        "a": "the cat sat on the mat",
        "b": "a cat sat there",
        "c": "dogs bark",
        "none": "... !",
    }.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    body = evaluation("10", {"z": "a", "s": "b"}, "b", "c") + evaluation("9", {"s": "a"}, "c")
    write(tmp_path, body)
    (tmp_path / "list").write_text("a b c\nb a\n", encoding="utf-8")
    return tmp_path


def write(folder: Path, body: str) -> None:
    (folder / "settings.xml").write_text(f"<ROUGE_EVAL>\n{body}</ROUGE_EVAL>\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "options", "rest"),
    [
        ("-a -n 4 s.xml", {"a": "", "n": "4"}, ["s.xml"]),
        ("-an4 -c95 s.xml sys", {"a": "", "n": "4", "c": "95"}, ["s.xml", "sys"]),
        ("-2 -1 -U s.xml", {"2": "-1", "U": ""}, ["s.xml"]),
        ("-2-1 -n 1 -n 2 s.xml", {"2": "-1", "n": "2"}, ["s.xml"]),
        ("-a s.xml -n 4", {"a": ""}, ["s.xml", "-n", "4"]),
        ("-a -- -s.xml", {"a": ""}, ["-s.xml"]),
        ("-a - s.xml", {"a": ""}, ["-", "s.xml"]),
    ],
)
def test_options_are_taken_as_perl_takes_them(
    arguments: str, options: dict[str, str], rest: list[str]
) -> None:
    assert parse_perl_arguments(arguments.split()) == (options, rest)


@pytest.mark.parametrize(
    ("arguments", "measures"),
    [
        ("", {"ROUGE-L": Subsequence()}),
        ("-x -n 2", {"ROUGE-1": Grams(1), "ROUGE-2": Grams(2)}),
        ("-x -n 0", {}),
        ("-x -w 1.20", {"ROUGE-W-1.20": WeightedSubsequence(1.2)}),
        ("-x -2 4", {"ROUGE-S4": SkipGrams(4)}),
        ("-x -2 04 -u", {"ROUGE-SU04": SkipGrams(4, unigrams=True)}),
        ("-x -2 -7 -U", {"ROUGE-S*": SkipGrams(-7), "ROUGE-SU*": SkipGrams(-7, unigrams=True)}),
        ("-x -2 4 -U -u", {"ROUGE-SU4": SkipGrams(4, unigrams=True)}),
        ("-x -u", {}),
        ("-3 HMR1", {"ROUGE-BE-HMR1": Elements("HMR1")}),
    ],
)
def test_measures_have_the_names_that_perl_gives_them(
    arguments: str, measures: dict[str, object]
) -> None:
    found = interpret_perl_options(parse_perl_arguments(arguments.split())[0]).measures
    assert list(found.items()) == list(measures.items())


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        ("-n 2.5", "-n 2"),
        ("-n 2x", "-n 2"),
        ("-n 2e0", "-n 2"),
        ("-n .9e1_000", "-n 9"),
        ("-n 0x2", "-n 0"),
        ("-p .8,", "-p 0.8"),
        ("-t 01", "-t 1"),
        ("-t 2.0", "-t 2"),
    ],
)
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_a_number_is_what_its_text_begins_with(arguments: str, same: str) -> None:
    read, expected = (
        interpret_perl_options(parse_perl_arguments(words.split())[0])
        for words in (arguments, same)
    )
    assert read == expected


def test_what_is_left_of_a_number_is_ignored_as_in_perl_but_not_in_silence(folder: Path) -> None:
    done = rouge(folder, "-c", "95%", "-n", "1", "-x", "-a", "-z", "SPL", "list")
    assert done.stdout.count(b"(95%%-conf.int. ") == 3
    assert b"warning: -c 95%: read as 95, as Perl does" in done.stderr


def test_large_weights_print_powers_of_ten_and_infinity(folder: Path) -> None:
    (folder / "a").write_text("the cat sat on the mat " * 2, encoding="utf-8")
    (folder / "list").write_text("# a comment\na a\n", encoding="utf-8")
    done = rouge(folder, "-d", "-x", "-w", "250", "-t", "2", "-z", "SPL", "list")
    lines = done.stdout.decode().splitlines()
    twelve = f"{float(12**250):.15g}"
    assert lines[1] == f"X ROUGE-W-250 M_count: Inf P_count: {twelve} H_count: {twelve}"
    assert lines[3] == f"X ROUGE-W-250 Eval 1.X R:Inf P:{twelve} F:{twelve}"


@pytest.mark.parametrize("references", ["long c", "long long"])
def test_a_recall_that_overflows_is_never_the_best(folder: Path, references: str) -> None:
    (folder / "long").write_text("one two three four five " * 4, encoding="utf-8")
    (folder / "list").write_text(f"long {references}\n", encoding="utf-8")
    done = rouge(folder, "-x", "-w", "300.25", "-f", "B", "-z", "SPL", "list")
    assert b"ROUGE-W-300.25 Average_R: 0.00000 (95%-conf.int. 0.00000 - 0.00000)" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        *("-q", "-n", "-M", "-n x", "-n -x", "-n nan", "-f C", "-f b", "-p 2", "-t 3", "-c 101"),
        *(
            "-r 0",
            "-r 1e99",
            "-w 0",
            "-w -1",
            "-3 hm",
            "-b 5 -l 5",
            "-b -5",
            "-l none",
            "-t 1.5",
            "-c abc",
        ),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(arguments: str) -> None:
    with pytest.raises(UsageError):
        interpret_perl_options(parse_perl_arguments(arguments.split())[0])


def test_all_systems_are_printed_in_the_order_of_their_names(folder: Path) -> None:
    done = rouge(folder, "-a", "-n", "1", "-x", "settings.xml")
    systems = [line.split()[0] for line in done.stdout.splitlines() if b"Average_R" in line]
    assert (done.returncode, systems) == (0, [b"s", b"z"])
    assert done.stderr.decode().splitlines() == [
        "warning: system 'z' is not in evaluation '9' (1 of 2 in all), which are left out for it"
    ]


def test_evaluations_are_printed_by_number(folder: Path) -> None:
    done = rouge(folder, "-d", "-n", "1", "-x", "settings.xml", "s")
    names = [line.split()[3] for line in done.stdout.splitlines() if b" Eval " in line]
    assert names == [b"9.s", b"10.s"]


def test_a_list_has_one_system_which_may_be_named(folder: Path) -> None:
    unnamed = rouge(folder, "-n", "1", "-z", "spl", "list")
    named = rouge(folder, "-a", "-n", "1", "-z", "SPL", "list", "mine")
    assert unnamed.stdout.startswith(b"-" * 45 + b"\nX ROUGE-1 Average_R: ")
    assert named.stdout == unnamed.stdout.replace(b"\nX ", b"\nmine ")


def test_an_unknown_system_scores_nothing_as_in_perl_but_not_in_silence(folder: Path) -> None:
    done = rouge(folder, "-n", "1", "-x", "settings.xml", "sz")
    assert done.stdout.count(b"0.00000 (95%-conf.int. 0.00000 - 0.00000)") == 3
    assert b"system 'sz' is in no evaluation" in done.stderr


def test_options_after_the_settings_are_ignored_as_in_perl_but_not_in_silence(
    folder: Path,
) -> None:
    done = rouge(folder, "-a", "settings.xml", "-n", "4")
    assert b"ROUGE-1" not in done.stdout
    assert b"'-n 4' is ignored" in done.stderr


def test_a_reference_without_tokens_scores_nothing_in_rouge_w(folder: Path) -> None:
    write(folder, evaluation("1", {"s": "a"}, "none"))
    done = rouge(folder, "-d", "-x", "-w", "1.2", "settings.xml", "s")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        b"s ROUGE-W-1.2 Eval 1.s R:0.00000 P:0.00000 F:0.00000",
    )
    assert b"without tokens" in done.stderr


def test_an_evaluation_without_references_scores_nothing(folder: Path) -> None:
    write(folder, evaluation("1", {"s": "a"}))
    for rule in "AB":
        done = rouge(folder, "-a", "-d", "-f", rule, "-t", "1", "settings.xml")
        assert done.stdout.endswith(b"Eval 1.s R:0 P:0 F:0\n")


def test_raw_counts_are_printed_whole(folder: Path) -> None:
    done = rouge(folder, "-a", "-x", "-w", "1.2", "-d", "-t", "2", "settings.xml")
    lines = done.stdout.decode().splitlines()
    assert lines[1].startswith("s ROUGE-W-1.2 M_count: ")
    assert lines[3] == "s ROUGE-W-1.2 Eval 9.s R:2.71320865489534 P:8.58581448663153 F:0"


def test_names_are_written_in_latin_1_where_perl_does_so(folder: Path) -> None:
    write(folder, evaluation("1", {"é": "a", "ж": "a"}, "b"))
    out = rouge(folder, "-a", "-n", "1", "-x", "settings.xml").stdout
    assert b"\n\xe9 ROUGE-1" in out
    assert "\nж ROUGE-1".encode() in out


def test_a_named_system_may_have_any_letters(folder: Path) -> None:
    listed = rouge(folder, "-z", "SPL", "list", "é")
    assert "\né ROUGE-L".encode() in listed.stdout


def test_talk_goes_to_stderr(folder: Path) -> None:
    quiet = rouge(folder, "-n", "1", "settings.xml", "s")
    talking = rouge(folder, "-v", "-n", "1", "settings.xml", "s")
    assert talking.stdout == quiet.stdout
    assert b"9.s ROUGE-1 Counts(hits=0, reference=2, system=6)" in talking.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("", 2, "no settings file"),
        ("settings.xml", 2, "no system to score"),
        ("-z HTML list", 2, "no such format"),
        ("-k", 2, "unknown option -k"),
        ("-a nowhere.xml", 3, "nowhere.xml: no such file"),
        ("-a list", 3, "list:1: "),
        ("-z SPL settings.xml", 3, "settings.xml:1: names one file"),
        ("-a -3 HM settings.xml", 3, "SPL files hold text"),
        ("-z SIMPLE list", 3, "SIMPLE files hold basic elements"),
        ("-z SIMPLE -3 HM list", 3, "a:1: 'the cat sat on the mat' is not a basic element"),
    ],
)
def test_an_error_is_one_sentence_and_a_code(
    folder: Path, arguments: str, code: int, said: str
) -> None:
    done = rouge(folder, *arguments.split())
    assert (done.returncode, done.stdout) == (code, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("chronoscore: ")
    assert said in line


def test_settings_that_name_missing_files_say_which_and_how_many(folder: Path) -> None:
    write(folder, evaluation("1", {"s": "a", "z": "gone"}, "b", "lost"))
    done = rouge(folder, "-a", "settings.xml")
    assert done.returncode == 3
    assert b"settings.xml:2: no such file 'lost' (2 missing in all)" in done.stderr
    write(folder, evaluation("1", {"s": "a", "z": "gone"}, "b"))
    assert rouge(folder, "settings.xml", "s").returncode == 0


def test_help_is_no_error(folder: Path) -> None:
    for option in ("-h", "-H", "--help"):
        done = rouge(folder, option)
        assert (done.returncode, done.stdout[:6]) == (0, b"Usage:")


def test_names_sort_by_the_number_they_start_with() -> None:
    names = ["d2", "10", "-3", "9.b", "d10", "9.a", "é", "2x"]
    assert sorted(names, key=perl_sort_key) == ["-3", "2x", "9.a", "9.b", "10", "d10", "d2", "é"]


@pytest.mark.parametrize(
    ("number", "written"),
    [(8, "8"), (8.0, "8"), (36.45268051946051, "36.4526805194605"), (1e20, "1e+20")],
)
def test_numbers_are_written_as_perl_writes_them(number: float, written: str) -> None:
    assert perl_number(number) == written
