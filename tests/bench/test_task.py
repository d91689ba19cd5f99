"""A task is frozen whole or not at all, and a board lists only what was checked."""

import json
import re
import shutil
import signal
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from bench.demo_task import change, make_demo_task, submit
from chronoscore import demo
from chronoscore.api.bench import make_task
from chronoscore.api.bench_board import make_board
from chronoscore.cli import main
from chronoscore.formats.bench import tasks
from chronoscore.progress import listen_to_progress

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_demo_task(tmp_path_factory.mktemp("task"))


@pytest.fixture(scope="module")
def board(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board of the demo's six systems, one of which has a hostile author."""
    home = tmp_path_factory.mktemp("board")
    paths = [submit(task, system, home, by=HOSTILE) for system in demo.SYSTEMS]
    make_board(paths, task, home / "board.html")
    return home / "board.html"


def test_a_task_says_what_is_scored_and_counts_its_corpus(task: Path, tmp_path: Path) -> None:
    made = tasks.load(task)
    assert made.splits == {"test": tuple(sorted(cs.load(demo.CORPUS, "timelines").topics))}
    assert made.measures == ("align+", "dates")
    assert made.signatures["align+"].startswith("align+|n:1|")
    assert made.card.sizes["topics"] == 12
    assert made.card.sizes["references"] == len(list(demo.CORPUS.glob("*/timelines/*.txt")))
    assert made.card.languages == ("english",)
    assert "| license | not stated |" in (task / "CARD.md").read_text(encoding="utf-8")
    assert (task / "baselines" / "test" / "random" / "submission.json").exists()


def test_a_card_is_what_people_say_and_cannot_break_the_page(tmp_path: Path) -> None:
    card = {"source": "a | b", "license": "<b>CC</b>", "known_faults": ["late\ndates"]}
    (tmp_path / "card.json").write_text(json.dumps(card), encoding="utf-8")
    make_task(tmp_path / "t", demo.CORPUS, baselines=(), card=tmp_path / "card.json")
    text = (tmp_path / "t" / "CARD.md").read_text(encoding="utf-8")
    assert "| source | a \\| b |\n| license | &lt;b>CC&lt;/b> |" in text
    assert "| known faults | late dates |" in text


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_a_public_corpus_brings_its_card(data: Path, tmp_path: Path) -> None:
    gold = data / "timeline17" / "gold"
    card = make_task(tmp_path / "whole", gold, ["dates"], baselines=()).card
    assert (card.title, card.license) == ("Timeline17", "none stated; research use")
    assert "its authors at L3S" in card.source
    assert card.known_faults == ()
    shutil.copytree(gold / "tl17-libya", tmp_path / "part" / "tl17-libya")
    card = make_task(tmp_path / "task", tmp_path / "part", ["dates"], baselines=()).card
    assert "of its timelines are not here" in card.known_faults[0]


def test_splits_are_frozen_and_what_no_split_names_is_the_test(tmp_path: Path) -> None:
    make_task(tmp_path / "t", demo.CORPUS, ["dates"], baselines=(), splits={"dev": ["dam", "zoo"]})
    made = tasks.load(tmp_path / "t")
    assert made.splits["dev"] == ("dam", "zoo")
    assert len(made.splits["test"]) == 10
    folder = tmp_path / "mine"
    folder.mkdir()
    for topic in ("dam", "zoo"):
        shutil.copy(demo.RUNS / "lead" / "timelines" / f"{topic}.txt", folder)
    from chronoscore.api.bench_check import check_submission, sign

    sign(folder, tmp_path / "t", split="dev")
    assert check_submission(folder, tmp_path / "t").faults == ()
    with pytest.raises(cs.UsageError, match="no split 'tset'; did you mean 'test'"):
        sign(folder, tmp_path / "t", split="tset")
    with pytest.raises(cs.UsageError, match="no topic 'damm'; did you mean 'dam'"):
        make_task(tmp_path / "u", demo.CORPUS, ["dates"], splits={"dev": ["damm"]})


def test_texts_are_a_task_too(tmp_path: Path) -> None:
    gold, mine = tmp_path / "gold", tmp_path / "mine"
    for topic, text in {"a": "The dam broke.", "b": "The strike ends."}.items():
        (gold / topic).mkdir(parents=True)
        (gold / topic / "1.txt").write_text(text, encoding="utf-8")
        mine.mkdir(exist_ok=True)
        (mine / f"{topic}.txt").write_text(text, encoding="utf-8")
    make_task(tmp_path / "task", gold)
    from chronoscore.api.bench_check import check_submission, sign

    made = sign(mine, tmp_path / "task")
    assert made.scores["rouge(n=1).f"] == 1
    assert check_submission(mine, tmp_path / "task").faults == ()


def stop(what: str, done: int, total: int) -> None:
    if what == "running baselines":
        raise KeyboardInterrupt


def test_what_is_stopped_or_wrong_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), listen_to_progress(stop):
        make_demo_task(tmp_path)
    with pytest.raises(cs.UsageError, match="unknown measure 'algin'"):
        make_task(tmp_path / "task", demo.CORPUS, ["algin"])
    with pytest.raises(cs.UsageError, match="one kind"):
        make_task(tmp_path / "task", demo.CORPUS, ["align+", "rouge1"])
    with pytest.raises(cs.UsageError, match="lies inside the collection"):
        make_task(demo.CORPUS / "task", demo.CORPUS)
    with pytest.raises(cs.DataError, match="is no folder"):
        make_task(tmp_path / "task", tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "task").mkdir()
    with pytest.raises(cs.UsageError, match="already exists"):
        make_demo_task(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_while_baselines_run_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import time\ndef f(topic):\n    print('begun', flush=True)\n    time.sleep(600)\n"
    )
    words = ["bench", "make", "task", "-r", str(demo.CORPUS), "--baseline", "mine:f"]
    with subprocess.Popen(
        [sys.executable, "-m", "chronoscore", *words],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # In the background of a shell the tests, and what they start, would ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        assert any(tmp_path.glob(".task.*"))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said.splitlines()[-1]) == (130, "chronoscore: stopped")
    assert {one.name for one in tmp_path.iterdir()} <= {"mine.py", "__pycache__"}


def test_a_collection_that_changed_after_it_was_frozen_is_refused(
    task: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(task, tmp_path / "task")
    with (copy / "collection" / "dam" / "timelines" / "ines.txt").open("a") as file:
        file.write("\n")
    with pytest.raises(cs.DataError, match=r"'dam/timelines/ines\.txt' changed after"):
        tasks.load(copy)


@pytest.mark.slow
def test_the_board_has_figures_of_score_the_baseline_and_links_to_pages(board: Path) -> None:
    text = board.read_text(encoding="utf-8")
    seen = unescape(re.sub(r"<[^>]+>", " ", text))
    result = cs.score(
        [demo.RUNS / system / "timelines" for system in demo.SYSTEMS], demo.CORPUS, "align+.f"
    )
    for system in demo.SYSTEMS:
        one = result[system, "align+.f"]
        assert f"my {system}" in seen
        assert f"{one.value:.3f}" in seen
        assert f"{one.low:.3f}–{one.high:.3f}" in seen
    assert "a baseline of the task" in seen
    links = {*re.findall(r'href="(board-explained/\d+\.html)(?:#why/[^"]*)?"', text)}
    assert len(links) == 7
    assert all((board.parent / link).exists() for link in links)
    assert len(re.findall(r'href="board-explained/001\.html#why/my%20careful/', text)) == 12


@pytest.mark.slow
def test_texts_of_strangers_are_escaped(board: Path) -> None:
    pages = [board, *board.parent.glob("board-explained/*.html")]
    assert all(HOSTILE not in page.read_text(encoding="utf-8") for page in pages)
    assert "&lt;script&gt;alert(1)" in board.read_text(encoding="utf-8")


def test_a_faulty_submission_is_refused_and_no_board_is_written(task: Path, tmp_path: Path) -> None:
    folder = submit(task, "lead", tmp_path)
    twin = shutil.copytree(folder, tmp_path / "twin")
    with pytest.raises(cs.DataError, match="is called 'my lead', as"):
        make_board([folder, twin], task, tmp_path / "b.html")
    change(folder, lambda said: said["scores"].update({"align+.f": 1}))
    with pytest.raises(cs.DataError, match="1 submission refused"):
        make_board([folder], task, tmp_path / "b.html")
    assert {path.name for path in tmp_path.iterdir()} == {"lead", "twin"}


def test_a_folder_that_is_not_ours_is_not_replaced(task: Path, tmp_path: Path) -> None:
    (tmp_path / "b-explained").mkdir()
    (tmp_path / "b-explained" / "thesis.doc").touch()
    with pytest.raises(cs.DataError, match=r"holds 'thesis\.doc', which is not ours"):
        make_board([], task, tmp_path / "b.html")
    assert not (tmp_path / "b.html").exists()


def test_the_commands_say_what_they_found(
    task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(task)
    folder = shutil.copytree(demo.RUNS / "lead" / "timelines", tmp_path / "mine")

    def call(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["bench", *map(str, words)])
        return int(ended.value.code or 0), *capsys.readouterr()

    code, out, err = call("check", folder, "--sign", "--author", "me")
    assert (code, "align+.f  0.2314\n" in out) == (0, True)
    assert "mine is a sound submission" in err
    (folder / "dam.txt").unlink()
    code, out, err = call("check", folder)
    assert (code, out.splitlines()[0]) == (1, f"{folder}: topic 'dam' has no file; add dam.txt")
    code, _, err = call("board", folder, "-o", tmp_path / "b.html")
    assert code == 3
    assert "topic 'dam' has no file; add dam.txt (1 submission refused; " in err
    assert call("check", folder, "--author", "me")[0] == 2
    assert (
        call("bord", folder)[2]
        == "chronoscore: bench has no command 'bord'; did you mean 'board'?\n"
    )
    assert call("board", "--task", tmp_path)[0] == 3
    shutil.copytree(demo.CORPUS / "dam" / "timelines", tmp_path / "gold" / "dam")
    monkeypatch.chdir(tmp_path)
    # The folder of a new task may be called nearly as one that is there.
    assert call("make", "mine2", "-r", "gold", "--baseline", "none")[0] == 0
    assert call("make", "mine2", "-r", "gold", "--baseline", "none")[0] == 2


@pytest.mark.slow
def test_axe_finds_nothing_on_the_board_and_it_prints(board: Path, browser: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    pages = [board, board.parent / "board-explained" / "001.html"]
    for path, scheme, width in [(pages[0], "light", 1280), *((p, "dark", 390) for p in pages)]:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
        )
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(path.as_uri())
        page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        context.close()
    page = browser.new_page()
    page.goto(board.as_uri())
    page.emulate_media(media="print")
    assert page.locator("#submissions li").count() == 7
    assert page.locator("#leaderboard").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()
