"""What `chronoscore init` makes of folders as people have them."""

import os
import pty
import signal
import subprocess
import sys
import tomllib
import warnings
from datetime import date
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.errors import DataError
from chronoscore.projects.proposal import ProjectProposal, propose
from chronoscore.projects.rows import read_rows
from projects_layouts import FOLDERS, Folder, entries, markdown, tilse, tree


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.name)
def test_a_folder_is_guessed_right_or_asked_about(folder: Folder, tmp_path: Path) -> None:
    found = propose(folder.write(tmp_path))
    found.write()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = cs.score(cs.project(tmp_path))
    assert found.guess.kind == folder.kind
    assert bool(found.guess.doubt) == folder.asked
    assert len(result.topics) == folder.topics
    assert folder.noted in " ".join(found.notes)
    if folder.asked:
        assert len(found.guess.choices) > 1
        assert "NOT SURE" in found.text
        return
    assert {*result.systems} == {one or tmp_path.name for one in folder.systems}
    if result.collection:
        held = {len(one.timelines) + len(one.summaries) for one in result.collection}
        assert folder.references in held


def test_what_is_shown_is_what_score_reads(tmp_path: Path) -> None:
    found = propose(FOLDERS[0].write(tmp_path))
    found.write()
    result = cs.score(cs.project(tmp_path))
    outputs = {
        (run.system, topic): one for run in result.runs for topic, one in run.outputs.items()
    }
    shown = [one for one in found.samples if one.side == "system"]
    assert len(shown) == len(found.samples) - len(shown) == 3
    for one in shown:
        entry = outputs[one.name, one.topic].entries[0]
        assert (one.when, one.text) == (str(entry.when), " ".join(entry.sentences))


def test_a_reference_that_is_named_decides(tmp_path: Path) -> None:
    folder = next(one for one in FOLDERS if one.asked)
    root = folder.write(tmp_path)
    for name, other in (("a", "b"), ("b", "a")):
        found = propose(root, name)
        assert (found.guess.references, found.guess.systems) == ((name,), (other,))
        assert not found.guess.doubt


def test_a_file_that_is_there_is_never_changed(run, tmp_path: Path) -> None:
    FOLDERS[0].write(tmp_path)
    (tmp_path / "chronoscore.toml").write_text("mine")
    said = run("init", tmp_path, code=3)
    assert "is there already" in said.err
    assert (tmp_path / "chronoscore.toml").read_text() == "mine"
    (tmp_path / "chronoscore.toml").unlink()
    (tmp_path / "chronoscore.toml").symlink_to("nowhere")
    assert "is there already" in run("init", tmp_path, code=3).err
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_cannot_be_written_whole_is_not_there(tmp_path: Path) -> None:
    found = propose(FOLDERS[0].write(tmp_path))
    broken = ProjectProposal(found.file, found.text + "\ud800", found.guess)
    with pytest.raises(UnicodeEncodeError):
        broken.write()
    assert not found.file.exists()


def test_a_dry_run_prints_the_file_and_writes_nothing(run, tmp_path: Path) -> None:
    FOLDERS[0].write(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    printed = run("init", tmp_path, "--dry-run").out
    assert tomllib.loads(printed)["systems"] == ["outputs/*"]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_doubt_is_a_warning_where_nobody_can_answer(run, tmp_path: Path) -> None:
    next(one for one in FOLDERS if one.asked).write(tmp_path)
    said = run("init", tmp_path)
    assert "warning: not sure: 'a' and 'b' could both be the references" in said.err
    assert "NOT SURE" in (tmp_path / "chronoscore.toml").read_text()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "no file of timelines"),
        ({"notes.txt": "Ask Ann about it.\n"}, "no references beside systems"),
        (tree("gold/{t}.md", ("g",)), "no references beside systems"),
        ({"a.json": '{"x":'}, "can be read"),
        ({"a.bin": b"\0\1"}, "no file of timelines"),
    ],
)
def test_a_folder_without_two_sides_is_refused_and_nothing_written(files, reason, tmp_path) -> None:
    Folder("", files, ()).write(tmp_path)
    with pytest.raises(DataError, match=reason):
        propose(tmp_path)
    assert not (tmp_path / "chronoscore.toml").exists()


def test_what_is_on_both_sides_is_said(tmp_path: Path) -> None:
    files = {**tree("out/{s}/{t}.md", ("de", "en")), **tree("gold/{s}/{t}.md", ("de", "en"))}
    found = propose(Folder("", files, ()).write(tmp_path))
    assert "'de' is the name of a system and of an author of references" in found.text


def test_a_folder_of_other_files_is_told_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "answers.pkl").write_bytes(b"\x80\x04\x95abc")
    with pytest.raises(DataError, match=r"no file of timelines.* \(it has \.pkl\)"):
        propose(tmp_path)


def test_a_link_out_of_the_folder_is_left_out_and_said(tmp_path: Path) -> None:
    root = FOLDERS[0].write(tmp_path / "mine")
    (tmp_path / "secret.md").write_text(markdown("dam", "secret"))
    (root / "far").symlink_to(tmp_path)
    (root / "secret.md").symlink_to(tmp_path / "secret.md")
    found = propose(root)
    assert sum("leaves the folder" in note for note in found.notes) == 2
    assert not any("secret" in one.text for one in found.samples)
    # Inside a system it would come with its folder.
    (root / "outputs" / "gpt-4" / "more.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(DataError, match=r"more\.md: is a link that leaves the folder"):
        propose(root)


@pytest.mark.parametrize("odd", ['it\'s "odd" #1', "a{b}", "a*b", "наш", "tab\there"])
def test_odd_names_are_written_and_read_again(odd: str, tmp_path: Path) -> None:
    files = {**tree(f"outputs/{odd.replace('{', '{{').replace('}', '}}')}/{{t}}.md", ("x",)),
             **tree("gold/{t}.md", ("g",))}  # fmt: skip
    root = Folder("", files, ()).write(tmp_path)
    if not odd.isprintable():
        with pytest.raises(DataError, match="is not the name of a file"):
            propose(root)
        return
    propose(root).write()
    assert cs.score(cs.project(root)).systems == (odd,)


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "reference"), [("1", "a"), ("2", "b")])
def test_a_doubt_is_asked_about_on_a_terminal(answer, reference, tmp_path: Path) -> None:
    next(one for one in FOLDERS if one.asked).write(tmp_path)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "chronoscore", "init"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE
    ) as process:
        os.write(ours, f"{answer}\n".encode())
        printed, _ = process.communicate(timeout=60)
    os.close(theirs)
    os.close(ours)
    assert process.returncode == 0
    assert b"reference" in printed
    text = (tmp_path / "chronoscore.toml").read_text()
    assert f'references = ["{reference}"]' in text
    assert "NOT SURE" not in text


@pytest.mark.slow
def test_an_unanswered_question_writes_nothing(tmp_path: Path) -> None:
    next(one for one in FOLDERS if one.asked).write(tmp_path)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "chronoscore", "init"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE
    ) as process:
        heard = b""
        while b"Which" not in heard:
            heard += os.read(ours, 1024)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    os.close(theirs)
    os.close(ours)
    assert process.returncode == 130
    assert not any(tmp_path.glob("chronoscore*"))


def test_a_cell_may_hold_other_ends_of_lines(tmp_path: Path) -> None:
    plain, quoted = "The dam broke.\u2028Rescue came.", "The dam broke.\u2028\nAll lived."
    table = f'id,gold,mine\n1,{plain},"{quoted}"\n'
    (tmp_path / "all.csv").write_text(table, encoding="utf-8")
    assert read_rows(tmp_path / "all.csv") == [{"id": "1", "gold": plain, "mine": quoted}]


SHAPES = {
    "reasoning first": lambda topic, who: f"<think>\nhm\n</think>\n{markdown(topic, who)}",
    "plain lines": lambda topic, who: "".join(
        f"{date.fromisoformat(day):%-d %B %Y}: {text}\n"
        for day, text in entries(topic, who).items()
    ),
    "HTML": lambda topic, who: "<ul>{}</ul>".format(
        "".join(f"<li>{day}: {text}</li>" for day, text in entries(topic, who).items())
    ),
    "prose": lambda topic, who: " ".join(
        f"On {date.fromisoformat(day):%B %-d, %Y}, {text}"
        for day, text in entries(topic, who).items()
    ),
    "a refusal": lambda topic, who: (
        "I cannot help with that." if topic == "dam" else markdown(topic, who)
    ),
}


@pytest.mark.parametrize("others", [("a",), ()], ids=["beside lists", "alone"])
@pytest.mark.parametrize("shape", SHAPES)
def test_answers_of_any_shape_are_systems(
    shape: str, others: tuple[str, ...], tmp_path: Path
) -> None:
    files = {
        **tree("runs/{s}/{t}.md", others),
        **tree("runs/{s}/{t}.md", ("b", "c"), SHAPES[shape]),
        **tree("gold/{t}/{s}.txt", ("ana", "ben"), tilse),
    }
    found = propose(Folder("", files, ()).write(tmp_path))
    assert found.systems == (*others, "b", "c")
    assert found.guess.references == ("gold",)
    assert "left out" not in " ".join(found.notes)
    assert propose(tmp_path, "gold").systems == found.systems


def test_texts_that_are_no_answers_are_named_as_left_out(tmp_path: Path) -> None:
    files = {
        **tree("runs/{s}/{t}.md", ("a", "b")),
        **tree("gold/{t}.txt", ("ana",), tilse),
        **tree("plans/{t}.md", ("x",), lambda topic, who: f"What to say of {topic}?"),
    }
    found = propose(Folder("", files, ()).write(tmp_path))
    assert found.systems == ("a", "b")
    assert "plans/dam.md and 2 more" in " ".join(found.notes)


def test_a_folder_that_score_refuses_gets_no_file(run, tmp_path: Path) -> None:
    files = {**tree("runs/{s}/{t}.md", ("a", "b")), **tree("gold/{t}/{s}.txt", ("x", "y"), tilse)}
    Folder("", files, ()).write(tmp_path)
    (tmp_path / "runs" / "a" / "zoo.md").write_text(markdown("dam", "a"))
    said = run("init", tmp_path, code=3).err
    assert "seems to hold runs/* and gold, but run 'a': no such topic 'zoo'" in said
    assert not (tmp_path / "chronoscore.toml").exists()


@pytest.mark.parametrize(("names", "noted"), [(("v1", "v2"), True), (("ana", "ben"), False)])
def test_versions_of_references_are_said_to_count_as_people(
    names: tuple[str, str], noted: bool, tmp_path: Path
) -> None:
    files = {**tree("runs/{s}/{t}.md", ("a", "b")), **tree("gold_{s}/{t}.txt", names, tilse)}
    found = propose(Folder("", files, ()).write(tmp_path))
    said = "gold_v1 and gold_v2 count as references of 2 people; if one replaces the others"
    assert (said in " ".join(found.notes)) == noted
