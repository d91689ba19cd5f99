"""Wrong input is answered in one sentence with exit code 2 or 3, and nothing is half written."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chronoscore import demo

ROOT = Path(demo.__file__).parent
TIMELINE = str(ROOT / "corpus" / "dam" / "timelines" / "ines.txt")
SUMMARY = str(ROOT / "corpus" / "dam" / "summaries" / "update" / "a.txt")
OTHER = str(ROOT / "corpus" / "dam" / "summaries" / "update" / "b.txt")
RANKING = str(ROOT / "runs" / "careful" / "rankings.jsonl")
JUDGED = str(ROOT / "corpus" / "dam" / "judgements.jsonl")
RATINGS = str(ROOT / "ratings.csv")
HUGE = str(10**20)

READERS = {
    "score": ("score", "@", "--reference", SUMMARY),
    "score against": ("score", SUMMARY, "--reference", "@"),
    "score timelines": ("score", "@", "--reference", TIMELINE, "-m", "align"),
    "score rankings": ("score", "@", "--judgements", JUDGED),
    "score judged": ("score", RANKING, "--judgements", "@"),
    "compare": ("compare", "@", SUMMARY, "--reference", OTHER),
    "explain": ("explain", "@", "--reference", TIMELINE),
    "check": ("check", "align", "--on", "@"),
    "oracle": ("oracle", "@", "--budget", "10w"),
    "agree": ("agree", "@"),
    "agree, log": ("agree", JUDGED, "--log", "@"),
    "correlate": ("correlate", "@", "--ratings", RATINGS),
    "novelty fit": ("novelty", "fit", "@", RATINGS),
    "novelty predict": ("novelty", "predict", "@"),
    "summarize": ("summarize", "lead", "@"),
    "convert": ("convert", "@"),
    "rouge155": ("rouge155", "-a", "@"),
    "rouge155 -z": ("rouge155", "-z", "SPL", "@"),
}
WRONG = {
    "missing.jsonl": None,
    "deep.json": b"[" * 100_000,
    "deep.jsonl": b'{"topic": "t", "sentence": "s", "x": ' + b"[" * 100_000,
    "latin.jsonl": '{"id": "für", "topic": "für"}\n'.encode("latin-1"),
    "binary.jsonl": bytes(range(256)),
    "broken.jsonl.gz": b"\x1f\x8b\x08\x00broken",
    "nan.jsonl": b'{"value": NaN}\n',
    "no-output.jsonl": b'{"date": "2031-13-42", "text": "x"}\n',
    "folder": b"",
}


def one_sentence(said) -> str:
    lines = [line for line in said.err.splitlines() if not line.startswith("warning: ")]
    assert said.out == ""
    assert len(lines) == 1, said.err
    assert lines[0].startswith("chronoscore: ")
    return lines[0]


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("reader", READERS)
def test_a_wrong_file_is_refused_in_one_sentence(run, tmp_path, name, reader):
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif WRONG[name] is not None:
        path.write_bytes(WRONG[name])
    sentence = one_sentence(run(*(str(path) if w == "@" else w for w in READERS[reader]), code=3))
    assert "jSON" not in sentence


@pytest.mark.parametrize("reader", ["score", "summarize", "convert", "rouge155 -z"])
def test_a_monstrous_line_is_refused_at_once(run, tmp_path, reader):
    path = tmp_path / "huge.txt"
    path.write_bytes(b"x " * 8_400_000)
    said = run(*(str(path) if w == "@" else w for w in READERS[reader]), code=3)
    assert "huge.txt:1: line of 16,800,000" in one_sentence(said)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-f", "yaml"), "'yaml' is not one of 'table', 'json'"),
        (("--averge", "mean"), "no such option '--averge'; did you mean '--average'?"),
        (("--seed", "-1"), "--seed -1: write 0 or more"),
        (("-m", "ruge1"), "unknown measure 'ruge1'; did you mean 'rouge1'?"),
        (("-m", "rouge1@5"), "'rouge' has no cutoff; drop @5"),
        (("-m", f"rouge(n={HUGE})"), "n counts words; write 1,000 or less"),
        (("-m", f"rouge-su(gap={HUGE})"), "write 1,000,000 or less, or -1 for any gap"),
        (("-m", "rouge-w(weight=nan)"), "write a number above 0, 100 at most"),
        (("--judgements", JUDGED, "-m", "rouge1"), "'rouge(n=1)' scores a summary"),
        (("--interval", "bootstrap", "--resamples", "100000000000"), "no memory left"),
        (("--resamples", "500"), "--resamples counts bootstrap draws; add --interval bootstrap"),
    ],
)
def test_a_wrong_option_is_refused_in_one_sentence(run, words, message):
    assert message in one_sentence(run("score", SUMMARY, "--reference", OTHER, *words, code=2))


@pytest.mark.parametrize("limit", ["nan", "0", "-1"])
@pytest.mark.parametrize(
    "command", [("oracle", "topics.jsonl", "--budget", "5w"), ("oracle", "hard")]
)
def test_a_time_limit_is_above_0(run, tmp_path, command, limit):
    topic = {"id": "t", "documents": [{"id": "a", "sentences": ["a b"]}], "references": [["a"]]}
    (tmp_path / "topics.jsonl").write_text(json.dumps(topic) + "\n")
    said = run(*command, "--time-limit", limit, code=2)
    assert f"--time-limit {limit}: write a number above 0" in one_sentence(said)


@pytest.mark.parametrize(
    "words",
    [
        ("score", SUMMARY, "--reference", OTHER),
        ("convert", TIMELINE, "--to", "json"),
        ("check", "align", "--on", TIMELINE),
        ("agree", JUDGED),
        ("oracle", "hard", "--vertices", "8"),
    ],
    ids=lambda words: words[0],
)
def test_what_cannot_be_written_leaves_everything_as_it_was(run, tmp_path, words):
    (tmp_path / "file").write_text("kept")
    said = run(*words, "-o", str(tmp_path / "file" / "out.txt"), code=3)
    assert "out.txt: cannot be written" in one_sentence(said)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "kept")]


@pytest.mark.slow
def test_a_demo_that_cannot_be_written_prints_nothing(run, tmp_path):
    (tmp_path / "file").write_text("kept")
    assert "cannot be written" in one_sentence(run("demo", "-o", "file", code=3))


def test_a_failed_run_leaves_the_old_output(run, tmp_path):
    (tmp_path / "out.txt").write_text("kept")
    run("score", SUMMARY, "--reference", "missing.txt", "-o", "out.txt", code=3)
    assert (tmp_path / "out.txt").read_text() == "kept"


COMMAND = [sys.executable, "-m", "chronoscore"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [["list"], ["convert", TIMELINE], ["score", "--help"]])
def test_a_reader_that_goes_early_is_no_failure(words):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_behind_standard_output_is_said():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 3
    assert (
        done.stderr
        == "chronoscore: standard output cannot be written (No space left on device); it is cut\n"
    )


@pytest.mark.slow
def test_an_interrupt_is_said_in_a_word_and_leaves_the_old_output(tmp_path):
    out = tmp_path / "out.txt"
    out.write_text("kept")
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    command = [*COMMAND, "convert", str(pipe), "-o", str(out)]
    # In the background of a shell interrupts are ignored, and children inherit that.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    # The pipe opens when the other side reads, which then waits for more.
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process,
        pipe.open("w"),
    ):
        signal.signal(signal.SIGINT, heard)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert said.strip() == "chronoscore: stopped"
    assert out.read_text() == "kept"


def test_commands_can_be_called_one_after_the_other(run):
    run("list")
    assert "Commands:" in run("--help").out
    assert run("cite").out.startswith("chronoscore ")
