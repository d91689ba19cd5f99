"""A user's own systems: functions, commands and installed packages, alone and with ours."""

import json
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.core import Document, Summary, Timeline, Topic
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.timelines import timeline_files
from chronoscore.systems import System
from systems.small_topics import FLOOD, document, topic

CORPUS = str(demo.CORPUS)
FIRE = topic(document("b1", "2011-01-05", ["A fire burned the old mill of Marl to the ground."]),
             name="fire")  # fmt: skip


def first_sentences(topic: Topic, dates: int = 99) -> dict[str, str]:
    """The first sentence of each day."""
    found: dict[str, str] = {}
    for one in topic.documents:
        found.setdefault(str(one.when), one.sentences[0].text)
    return dict(list(found.items())[:dates])


def fail_on_fire(topic: Topic) -> dict[str, str]:
    if topic.id == "fire":
        raise KeyError("no such thing\nin two lines")
    return first_sentences(topic)


def test_a_function_is_a_system() -> None:
    made = cs.summarize([FLOOD, FIRE], first_sentences)
    assert str(made.system) == "first_sentences"
    assert made["fire"] == Timeline.of({"2011-01-05": FIRE.documents[0].sentences[0].text})
    flood = made["flood"]
    assert isinstance(flood, Timeline)
    assert [str(day) for day in flood.dates] == ["2010-05-01", "2010-05-02", "2010-05-09"]


def test_a_function_is_told_the_length_and_shown_no_references() -> None:
    seen: dict[str, Any] = {}

    def curious(topic: Topic, *, sentences: int, first: str, **more: Any) -> dict[str, str]:
        seen.update(more, sentences=sentences, first=first, references=topic.timelines)
        return first_sentences(topic)

    gold = Timeline.of({"2010-05-01": ["a", "b"], "2010-05-09": ["c", "d"]})
    made = cs.summarize(FLOOD, curious, like={"flood": gold})
    assert seen == {
        "dates": 2, "sentences": 2, "first": "2010-05-01", "last": "2010-05-09", "seed": 1,
        "references": (),
    }  # fmt: skip
    assert made.describe() == "curious: 1 timeline, 3 dates where 2 were asked for"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"2010-05-01": "The dam broke."}, Timeline.of({"2010-05-01": "The dam broke."})),
        ([("2010-05-01", ["A.", "B."])], Timeline.of({"2010-05-01": ["A.", "B."]})),
        ("2010-05-01\nThe dam broke.\n", Timeline.of({"2010-05-01": "The dam broke."})),
        (json.dumps({"2010-05-01": ["A."]}), Timeline.of({"2010-05-01": "A."})),
        (Summary(("A.",)), Summary(("A.",))),
    ],
)
def test_an_answer_may_have_many_shapes(answer: Any, expected: object) -> None:
    assert cs.summarize(FLOOD, lambda _topic: answer)["flood"] == expected


def test_with_words_the_answer_is_a_summary() -> None:
    made = cs.summarize(FLOOD, lambda _topic, words: [f"{words} words."], words=7)
    assert made["flood"] == Summary(("7 words.",))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "is not a timeline"),
        (7, "is not a timeline"),
        ({}, "has no text"),
        ("", "is empty"),
        ({"soon": "x"}, "soon"),
        ({"2010-05-01": 7}, "not a text"),
        (["no dates here"], "not a timeline"),
        (Timeline((1, 2)), "AttributeError"),  # type: ignore[arg-type]
    ],
)
def test_nonsense_is_one_sentence_with_the_topic(answer: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        cs.summarize(FLOOD, lambda _topic: answer)
    assert message in str(caught.value)
    assert "topic 'flood'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("limit", [None, 60])
def test_what_fails_on_one_topic_leaves_the_others(limit: float | None) -> None:
    with pytest.warns(ChronoscoreWarning) as caught:
        made = cs.summarize([FLOOD, FIRE], [fail_on_fire, "lead"], time_limit=limit)
    assert [str(one.message) for one in caught] == [
        "system 'fail_on_fire', topic 'fire': KeyError: 'no such thing\\nin two lines'"
    ]
    assert list(made["fail_on_fire"]) == ["flood"]
    assert list(made["lead"]) == ["flood", "fire"]
    assert [one.topic for one in made.failures] == ["fire"]


@pytest.mark.slow
def test_a_system_that_hangs_is_stopped_and_the_others_go_on() -> None:
    def hang(topic: Topic) -> dict[str, str]:
        while topic.id == "fire":
            time.sleep(0.01)
        return first_sentences(topic)

    with pytest.warns(ChronoscoreWarning, match="topic 'fire': took longer than 1 seconds"):
        made = cs.summarize([FLOOD, FIRE], [hang, "lead"], time_limit=1)
    assert list(made["hang"]) == ["flood"]
    assert list(made["lead"]) == ["flood", "fire"]


def test_a_system_that_ends_its_process_is_a_failure_within_a_time_limit() -> None:
    with pytest.raises(DataError, match="topic 'flood': its process ended with code 5"):
        cs.summarize(FLOOD, lambda _topic: os._exit(5), time_limit=60)
    with pytest.raises(DataError, match="topic 'flood': SystemExit: 5"):
        cs.summarize(FLOOD, lambda _topic: sys.exit(5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"jobs": 2}, {"time_limit": 60}, {"jobs": 2, "time_limit": 60}]
)
def test_jobs_and_a_time_limit_change_no_output(options: dict[str, Any]) -> None:
    names = ["datewise", "random", "lead-summary", first_sentences]
    alone = cs.summarize(CORPUS, names)
    again = cs.summarize(CORPUS, names, **options)
    assert again.rows() == alone.rows()
    assert len({row["system"] for row in again.rows()}) == 4


def test_warnings_of_other_processes_are_not_lost() -> None:
    empty = topic(*FLOOD.documents, document("e", "2010-05-03", [""]))
    with pytest.warns(ChronoscoreWarning, match="1 of 5 articles have no text"):
        cs.summarize([empty, FIRE], "lead", jobs=2)


MINE = """
import json, sys
topic = json.load(sys.stdin)
assert topic["topic"] and topic["documents"][0]["sentences"]
if len(sys.argv) > 1 and sys.argv[1] == topic["topic"]:
    print("first\\nno such model", file=sys.stderr)
    sys.exit(4)
days = {one["time"]: one["sentences"][0] for one in topic["documents"]}
print(json.dumps(dict(list(days.items())[: topic.get("dates")])))
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


def test_a_command_reads_json_and_prints_a_timeline(run, mine, tmp_path):
    out = tmp_path / "runs" / "mine"
    words = [f"command: {sys.executable} {mine}", CORPUS, "-o", out, "--dates", 2]
    said = run("summarize", *words)
    assert len(timeline_files.load(out / "dam.txt")) == 2
    assert f"12 timelines, 24 of 24 dates; written to {out}" in said.err


def test_a_command_that_fails_is_one_sentence_and_exit_code_3(run, mine, tmp_path):
    words = ["lead", f"command: {sys.executable} {mine} dam", CORPUS, "-o", tmp_path / "runs"]
    err = run("summarize", *words, code=3).err
    assert "topic 'dam': ended with code 4: no such model\n" in err
    assert "chronoscore: 1 outputs are missing" in err
    names = {file.name: len(list(file.iterdir())) for file in (tmp_path / "runs").iterdir()}
    assert sorted(names.values()) == [11, 12]
    assert names["lead"] == 12


@pytest.mark.slow
def test_a_command_that_hangs_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    script = tmp_path / "hang.py"
    script.write_text(
        "import subprocess, sys, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(child.pid))\n"
        "child.wait()\n"
    )
    with pytest.raises(DataError, match="took longer than 3 seconds"):
        cs.summarize(FLOOD, f"command: {sys.executable} {script}", time_limit=3)
    child = int((tmp_path / "pid").read_text())
    for _ in range(500):
        status = Path(f"/proc/{child}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("the command's own process still runs")


@pytest.mark.parametrize(
    ("system", "error", "message"),
    [
        ("command: no-such-program-here", DataError, "cannot be started: No such file"),
        ("command:", UsageError, "names no command"),
        ("command: 'open", UsageError, "close the quotes"),
        ("no_such_module_here:f", UsageError, "cannot be imported: ModuleNotFoundError"),
        ("json:no_such_function", UsageError, "cannot be imported: AttributeError"),
        ("json:__name__", UsageError, "is not a function"),
    ],
)
def test_what_cannot_be_run_is_said(system: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cs.summarize(FLOOD, system)


def test_a_function_of_a_module_is_a_system_on_the_command_line(run, tmp_path, monkeypatch):
    (tmp_path / "my_own_system.py").write_text(
        "def last(topic, dates=1):\n"
        "    return {str(d.when): d.sentences[-1].text for d in topic.documents[-dates:]}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    words = ["lead", "my_own_system:last", CORPUS, "-o", "runs", "--dates", 2]
    said = run("summarize", *words)
    names = sorted(file.name for file in (tmp_path / "runs").iterdir())
    assert names == ["lead", "my_own_system_last"]
    assert "lead: 12 timelines, 24 of 24 dates" in said.err
    run("summarize", "my_own_system:last(dates=1)", Path(CORPUS) / "dam")


def test_a_name_that_is_a_system_and_a_path_is_refused(run, tmp_path):
    (tmp_path / "lead").mkdir()
    assert "write ./lead for the path" in run("summarize", "datewise", "lead", CORPUS, code=2).err


def test_several_systems_are_scored_as_runs() -> None:
    made = cs.summarize(CORPUS, ["datewise", "lead"], like=CORPUS)
    scores = cs.score(made, CORPUS, "dates")
    assert {row["system"] for row in scores.rows()} == {"datewise", "lead"}
    alone = cs.score(cs.summarize(CORPUS, "lead", like=CORPUS), CORPUS, "dates")
    assert alone["lead", "dates.f"].value == scores["lead", "dates.f"].value
    with pytest.raises(UsageError, match="is there twice"):
        cs.summarize(CORPUS, ["lead", "lead"])


def test_what_is_missing_from_a_timeline_is_said(run):
    made = cs.summarize([FLOOD, FIRE], "lead", dates=3)
    assert made.describe() == "lead: 2 timelines, 4 of 6 dates ('fire' 1 of 3)"
    assert cs.summarize(FIRE, "lead", dates=3).describe() == "lead: 1 timeline, 1 of 3 dates"
    assert cs.summarize(FIRE, "lead-summary").describe() == "lead-summary: 1 summary, 11 words"
    assert " of 99 dates" in run("summarize", "lead", Path(CORPUS) / "dam", "--dates", 99).err


def test_key_words_are_given_in_words_files_or_by_the_title(tmp_path: Path) -> None:
    def chosen(**options: Any) -> str:
        made = cs.summarize(FLOOD, "lead", dates=9, sentences=9, **options)["flood"]
        assert isinstance(made, Timeline)
        return " ".join(made.sentences)

    assert "minister" in chosen()
    by_words = chosen(keywords="dam, inquiry")
    assert "minister" not in by_words
    assert by_words.count("dam") == 4
    file = tmp_path / "keywords.json"
    for content in (["dam", "inquiry"], {"flood": ["Dam"], "fire": ["fire"]}):
        file.write_text(json.dumps(content))
        assert chosen(keywords=file) == chosen(keywords=str(file)) == by_words
    titled = topic(*FLOOD.documents, title="The dam")
    assert cs.summarize(titled, "lead", keywords="auto") == cs.summarize(
        FLOOD, "lead", keywords=["dam"]
    )
    with pytest.raises(DataError, match=r"neither a keywords\.json nor a title"):
        chosen(keywords="auto")
    with pytest.raises(UsageError, match="makes no timeline"):
        cs.summarize(FLOOD, "lead-summary", keywords="dam")


def test_the_key_words_of_a_topics_folder_are_used_where_that_is_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "dam"
    folder.mkdir()
    (folder / "articles.jsonl").write_bytes((demo.CORPUS / "dam" / "articles.jsonl").read_bytes())
    plain = cs.summarize(folder, "pubcount")
    (folder / "keywords.json").write_text('["spillway"]')
    assert cs.summarize(folder, "pubcount") == plain
    found = cs.summarize(folder, "pubcount", keywords="auto")["dam"]
    assert isinstance(found, Timeline)
    assert all("spillway" in text.lower() for text in found.sentences)


def test_a_module_of_the_working_folder_is_found_wherever_python_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "def first(topic):\n    return {'2010-05-01': topic.documents[0].sentences[0].text}\n"
    (tmp_path / "kept_beside_me.py").write_text(text)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    made = cs.summarize(FIRE, "kept_beside_me:first")
    monkeypatch.delitem(sys.modules, "kept_beside_me")
    assert made["fire"] == Timeline.of({"2010-05-01": FIRE.documents[0].sentences[0].text})


def test_the_first_parameter_is_the_topic_whatever_it_is_called() -> None:
    made = cs.summarize(FIRE, lambda seed: {"2011-01-05": seed.documents[0].sentences[0].text})
    assert made["fire"] == Timeline.of({"2011-01-05": FIRE.documents[0].sentences[0].text})


def test_a_command_that_prints_a_timeline_and_fails_has_failed(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("print('2011-01-05')\nprint('A fire.')\nraise SystemExit(1)\n")
    with pytest.raises(DataError, match="ended with code 1"):
        cs.summarize(FIRE, f"command: {sys.executable} {script}")


def test_progress_counts_topics_and_only_other_topics_are_background() -> None:
    class Curious(System):
        """Tells of which documents others are."""

        name = "curious"
        makes = Summary
        line = "curious"

        def run(self, topic: Topic, background: Sequence[Document]) -> Summary:
            return Summary(tuple(one.id for one in background))

    steps: list[tuple[int, int]] = []
    made = cs.summarize(
        [FLOOD, FIRE], Curious(), progress=lambda done, total: steps.append((done, total))
    )
    assert steps == [(1, 2), (2, 2)]
    assert made["flood"] == Summary(("b1",))
    assert made["fire"] == Summary(("a1", "a2", "a3", "a4"))


def test_systems_of_one_name_are_written_to_folders_of_their_own(tmp_path: Path) -> None:
    scripts = []
    for name in ("one", "two"):
        script = tmp_path / name / "mine.py"
        script.parent.mkdir()
        script.write_text(f"print('2011-01-05')\nprint('A fire, says {name}.')\n")
        scripts.append(f"command: {sys.executable} {script}")
    cs.summarize(FIRE, scripts).write_run(tmp_path / "runs")
    texts = [path.read_text() for path in (tmp_path / "runs").glob("*/fire.txt")]
    assert sorted(re.findall(r"says (\w+)", " ".join(texts))) == ["one", "two"]


def test_of_many_topics_with_too_few_dates_five_are_named() -> None:
    text = "A fire burned the old mill of Marl to the ground."
    topics = [topic(document(f"d{n}", "2011-01-05", [text]), name=f"fire{n}") for n in range(7)]
    told = cs.summarize(topics, "lead", dates=2).describe()
    assert "7 of 14 dates" in told
    assert "'fire4' 1 of 2, 2 more)" in told
