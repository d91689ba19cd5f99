"""What is chosen by name: ours are imported when asked for, and packages bring their own."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.cli import main
from chronoscore.core import Timeline
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.formats.timelines.registry import FORMATS
from chronoscore.judging.registry import JUDGES
from chronoscore.measures import MEASURES
from chronoscore.measures.similarity.similarities import SIMILARITIES
from chronoscore.registry import Registry
from chronoscore.systems import SYSTEMS
from judging.chat_server import Body, Said, data_of, serving
from systems.small_topics import FLOOD

REGISTRIES: list[Registry[Any]] = [MEASURES, SYSTEMS, SIMILARITIES, FORMATS, JUDGES]

PACKAGE = """
from chronoscore.formats.timelines.format import Format
from chronoscore.formats.timelines.entries import LabeledTimeline
from chronoscore.judging.labels import label_job
from chronoscore.judging.rubrics import Rubric
from chronoscore.judging.registry import JudgeTask
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.systems.timelines import Lead

class Twice(Rouge):
    "ROUGE of a package."
    name = "twice"

def length(output, references):
    "How long the output is."
    return len(output.sentences)

class Plugged(Lead):
    name = "plugged"
    line = "a package of somebody"

def simple(topic):
    "First words."
    return {"2010-01-01": "Something."}

def ones(systems, references):
    return [[1.0] * len(references) for _ in systems]

def read(content):
    entries = content.entries()
    for number, line in enumerate(content.lines, content.first_line):
        date, _, text = line.partition(" ")
        entries.add(entries.parse_date(date, number), [text], number)
    return [LabeledTimeline(entries.timeline())]

def write(timelines):
    (labeled,) = timelines
    return "".join(f"{one.when} {' '.join(one.sentences)}\\n" for one in labeled.timeline)

LINES = Format("lines", "Lines", ".lines", read, write, days_only=True)

TONE = Rubric("tone", "Say of each item whether it is calm or alarmed.", ("alarmed", "calm"))

def entries(given, more, options):
    shown = [(f"{one.when}", {"text": one.sentences[0]}) for one in given]
    return label_job(TONE, shown, **options)

TASK = JudgeTask("tone", entries, inputs=("within",))
GREEDY = JudgeTask("greedy", entries, inputs=("everything",))
"""
POINTS = """
[chronoscore.measures]
twice = plugged_names:Twice
length = plugged_names:length
other = plugged_names:Twice
rouge = plugged_names:Twice
broken = plugged_nothing:Twice
[chronoscore.systems]
plugged = plugged_names:Plugged
simple = plugged_names:simple
broken = plugged_names:nothing
[chronoscore.similarities]
ones = plugged_names:ones
broken = plugged_names:__name__
[chronoscore.formats]
lines = plugged_names:LINES
broken = plugged_names:read
[chronoscore.judges]
tone = plugged_names:TASK
other = plugged_names:TASK
greedy = plugged_names:GREEDY
link = plugged_names:TASK
broken = plugged_names:entries
"""


def install(folder: Path, name: str, points: str) -> None:
    """Put a distribution without files of its own into a folder."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "plugged_names.py").write_text(PACKAGE)
    install(tmp_path, "plugged", POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plugged_names", raising=False)
    return tmp_path


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.what)
def test_every_name_of_ours_leads_to_what_calls_itself_so(registry: Registry[Any]) -> None:
    assert {name: registry.find(name).name for name in registry.built_in} == {
        name: name for name in registry.built_in
    }
    for name, (whole, _) in registry.presets.items():
        assert name == name.casefold()
        assert whole in registry.built_in


@pytest.mark.usefixtures("plugged")
def test_packages_bring_measures_systems_and_similarities() -> None:
    outputs, references = {"mine": {"t": "a b"}}, {"t": "a c"}
    assert cs.score(outputs, references, "twice.r")["mine", "twice(n=1).r"].value == 0.5
    assert cs.score(outputs, references, "length")["mine", "length"].value == 1
    assert str(cs.parse_measure("twice(n=2)")) == "twice(n=2)"
    made = cs.summarize(FLOOD, ["plugged(dates=1)", "simple"])
    assert made["simple"]["flood"] == Timeline.of({"2010-01-01": "Something."})
    day = {"t": {"2010-01-01": "x"}}, {"t": {"2010-01-01": "y"}}
    found = cs.score({"mine": day[0]}, day[1], "pairs(similarity=ones).f")
    assert found["mine", "pairs(similarity=ones).f"].value == 1


def test_packages_bring_formats(plugged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plugged / "mine.lines").write_text("2010-05-06 A dome.\n2010-05-26 It fails.\n")
    whole = cs.convert(plugged / "mine.lines")
    assert whole.timelines[0].timeline == Timeline.of(
        {"2010-05-06": "A dome.", "2010-05-26": "It fails."}
    )
    assert whole.text("lines") == (plugged / "mine.lines").read_text()
    (plugged / "month.json").write_text('{"2010-05": "A dome."}')
    with pytest.raises(SystemExit):
        main(["convert", str(plugged / "month.json"), "--to", "lines"])
    assert "Lines has only days and entry 2010-05 is a month" in capsys.readouterr().err


def alarm(_number: int, body: Body) -> Said:
    """Call what mentions a dome alarmed, and say nothing usable of a fire."""
    labels = {
        item["id"]: "alarmed" if "dome" in item["text"] else "calm"
        for item in data_of(body)["items"]
        if "fire" not in item["text"]
    }
    answers = [{"id": name, "label": label} for name, label in labels.items()]
    return Said(json.dumps({"answers": answers}))


def test_packages_bring_tasks_of_judges(plugged: Path) -> None:
    story = Timeline.of({"2010-05-06": "A dome.", "2010-05-07": "A fire.", "2010-05-26": "Rain."})
    out = plugged / "tone.jsonl"
    with serving(alarm) as server:
        result = cs.judge(
            "tone", story, model="m", endpoint=server.url, output=out, batch=2, within=3
        )
    assert len({json.dumps(data_of(body)) for body in server.bodies}) == 2
    header, *rows = map(json.loads, out.read_text().splitlines())
    assert header["settings"]["judge"]["task"] == "tone"
    assert [(row["item"], row["label"]) for row in rows] == [
        ("2010-05-06", "alarmed"),
        ("2010-05-07", ""),
        ("2010-05-26", "calm"),
    ]
    assert rows == result.rows()
    assert result.abstained == 1
    with pytest.raises(UsageError, match="`make` is of no use to 'tone'"):
        cs.judge("tone", story, model="m", endpoint="http://127.0.0.1:9/v1", make=True)


def test_the_command_takes_tasks_of_packages_and_shows_ours(
    plugged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (plugged / "mine.txt").write_text("A dome.")
    asked = ["mine.txt", "--model", "m", "--endpoint", "http://127.0.0.1:9/v1", "--dry-run"]
    for words, message in (
        (["judge", "tone", *asked, "--make"], "--make is of no use to 'tone'; leave it out"),
        (["judge", "tome", *asked], "'tome' is not one of 'link', 'nuggets'"),
        (["judge", "broken", *asked], "task 'broken' of package plugged 1.0 cannot be used"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(words)
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err


@pytest.mark.usefixtures("plugged")
def test_a_package_is_imported_only_if_it_is_asked_for() -> None:
    cs.parse_measure("rouge2")
    with pytest.raises(UsageError, match="unknown measure 'twize'"):
        cs.parse_measure("twize")
    assert "plugged_names" not in sys.modules


@pytest.mark.parametrize(
    ("registry", "name", "reason"),
    [
        (MEASURES, "broken", "cannot be used: ModuleNotFoundError: No module named 'plugged_n"),
        (MEASURES, "other", "cannot be used: the class calls itself 'twice'; give both"),
        (SYSTEMS, "broken", "cannot be used: AttributeError"),
        (SIMILARITIES, "broken", "cannot be used: it is neither a subclass"),
        (FORMATS, "broken", "cannot be used: it is not a chronoscore"),
        (JUDGES, "broken", "cannot be used: it is not a chronoscore"),
        (JUDGES, "other", "cannot be used: the task calls itself 'tone'; give both"),
        (
            JUDGES,
            "greedy",
            "cannot be used: judges have no input 'everything'; take some of claims, doc",
        ),
    ],
)
@pytest.mark.usefixtures("plugged")
def test_what_is_wrong_with_a_package_is_one_sentence_with_its_name(
    registry: Registry[Any], name: str, reason: str
) -> None:
    with pytest.raises(
        UsageError, match=f"{registry.what} '{name}' of package plugged 1.0 {reason}"
    ):
        registry.find(name)


@pytest.mark.usefixtures("plugged")
@pytest.mark.filterwarnings("always::chronoscore.errors.ChronoscoreWarning")
def test_lists_leave_out_what_is_broken_and_report_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(ChronoscoreWarning) as warned:
        assert {"twice", "length"} < set(MEASURES.load_all())
    reports = sorted(str(one.message) for one in warned)
    assert [report.split("'")[1] for report in reports] == ["broken", "other", "rouge"]
    assert "package plugged 1.0 is not used: chronoscore has a measure of that name" in reports[2]
    assert MEASURES.find("rouge").__module__ == "chronoscore.measures.rouge.measures"
    for words, line in ((["list"], "ROUGE of a pack"), (["summarize", "--list"], "First words.")):
        with pytest.raises(SystemExit):
            main(words)
        printed = capsys.readouterr()
        assert line in printed.out
        assert "package plugged 1.0 cannot be used" in printed.err


def test_two_packages_with_one_name_are_refused(
    plugged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (plugged / "second").mkdir()
    install(plugged / "second", "second", "[chronoscore.measures]\ntwice = plugged_names:Twice\n")
    monkeypatch.syspath_prepend(plugged / "second")
    with pytest.raises(UsageError, match=r"packages, second 1\.0 and plugged 1\.0"):
        MEASURES.find("twice")
