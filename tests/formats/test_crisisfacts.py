"""CrisisFACTS by the files as they are distributed, against a second reading of its rules."""

import gzip
import json
import random
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.corpora import crisisfacts_runs

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")

WORDS = ("the", "dam", "broke", "water", "rose", "people", "fled", "roads", "closed", "began")
EVENTS = ("CrisisFACTS-001", "CrisisFACTS-002", "CrisisFACTS-003")
Rows = list[dict[str, Any]]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = path.suffix == ".gz"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


def lines(rows: Rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def says(rng: random.Random, least: int = 2, most: int = 8) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(least, most)))


def fact(request: str, text: str, importance: float = 0.5) -> dict[str, Any]:
    return {
        "requestID": request,
        "factText": text,
        "unixTimestamp": 1512604800,
        "importance": importance,
        "sources": ["x"],
    }


@pytest.fixture
def rng() -> random.Random:
    return random.Random(3)


@pytest.fixture
def requests() -> list[str]:
    """In the order of the track's file, which is neither that of runs nor of numbers."""
    days = ("r10", "r3", "r9")
    return [f"{event}-{day}" for event in EVENTS for day in days]


@pytest.fixture
def depths(requests: list[str], rng: random.Random) -> dict[str, int]:
    return {request: rng.randint(1, 4) for request in requests}


@pytest.fixture
def gold(rng: random.Random) -> Rows:
    """Three events; the last one has no incident reports."""
    rows: Rows = []
    for event in EVENTS:
        row = {"eventID": event, "trecisID": "TRECIS-1", "title": event}
        row |= {f"{who}.summary": says(rng, 20, 40) for who in ("wiki", "nist", "ics")}
        rows.append(row)
    del rows[-1]["ics.summary"]
    return rows


@pytest.fixture
def track(tmp_path: Path, gold: Rows, depths: dict[str, int], rng: random.Random) -> Path:
    """A folder with the files of 2022 under their names."""
    events = [
        {
            "event": event,
            "eventID": event,
            "summaryRequests": [{"requestID": r} for r in depths if r.startswith(event)],
            "factsByRequest": {
                r: [{"fact": says(rng)} for _ in range(n)]
                for r, n in sorted(depths.items())
                if r.startswith(event)
            },
        }
        for event in EVENTS
    ]
    folder = tmp_path / "track"
    write(folder / "CrisisFACTs-2022.facts.json", json.dumps(events))
    write(folder / "CrisisFACTs-2022.topics.json", json.dumps([without_summaries(r) for r in gold]))
    write(folder / "gold.summaries.json.gz", json.dumps(gold))
    return folder


def without_summaries(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if not key.endswith(".summary")}


@pytest.fixture
def run(requests: list[str], rng: random.Random) -> Rows:
    """More facts than count, with equal importances, days out of order, and none of one event."""
    asked = [r for r in requests if not r.startswith(EVENTS[1])]
    rows = [fact(r, says(rng), rng.choice((0.1, 0.5, 0.9))) for r in asked for _ in range(40)]
    rng.shuffle(rows)
    return rows


def quietly(*arguments: Any, **options: Any) -> cs.ScoreResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return cs.score(*arguments, **options)


def of_2022(
    run: Rows, gold: Rows, depths: dict[str, int], target: str
) -> Iterator[tuple[str, str]]:
    """Output and reference of each event, as the organizers of 2022 make them."""
    by_request: dict[str, Rows] = {request: [] for request in depths}
    for row in run:
        by_request[row["requestID"]].append(row)
    texts: dict[str, list[str]] = defaultdict(list)
    for request, facts in by_request.items():
        ranked = sorted(facts, key=lambda row: row["importance"], reverse=True)
        chosen = ranked[: depths[request]]
        texts[request.rpartition("-")[0]] += [row["factText"] for row in chosen]
    for event in gold:
        yield " ".join(texts[event["eventID"]]), event.get(f"{target}.summary", "")


@pytest.mark.parametrize("target", ["nist", "wiki", "ics"])
def test_texts_of_2022_are_scored_as_the_organizers_score_them(
    target: str, track: Path, run: Rows, gold: Rows, depths: dict[str, int], tmp_path: Path
) -> None:
    mine = write(tmp_path / "mine.json.gz", lines(run))
    found = quietly(
        mine,
        track / "gold.summaries.json.gz",
        compat="crisisfacts2022",
        reading=cs.ReadingRules(summaries_by=target),
    )
    names = {"rouge(n=1)": "rouge1", "rouge(n=2)": "rouge2", "rougeL": "rougeL"}
    scorer = rouge_scorer.RougeScorer([*names.values()], use_stemmer=True)
    scored = [
        scorer.score(reference, text) for text, reference in of_2022(run, gold, depths, target)
    ]
    for ours, theirs in names.items():
        for place, part in enumerate("prf"):
            expected = mean(one[theirs][place] for one in scored)
            assert found["mine", f"{ours}.{part}"].value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("references", ["folder", "file", "files", "columns"])
def test_summaries_are_found_in_a_file_a_folder_or_columns(
    references: str, track: Path, run: Rows, gold: Rows, tmp_path: Path
) -> None:
    mine = write(tmp_path / "mine.jsonl", lines(run))
    columns = {
        key: {row["eventID"]: row.get(key) for row in gold} for key in gold[0] if key != "eventID"
    }
    apart = write(tmp_path / "apart" / "CrisisFACTs.topics.withSummaries.json", json.dumps(columns))
    facts = track / "CrisisFACTs-2022.facts.json"
    given: Any = {
        "folder": track,
        "file": track / "gold.summaries.json.gz",
        "files": [apart, facts],
        "columns": [facts, apart],
    }[references]
    usual = quietly(mine, track / "gold.summaries.json.gz", compat="crisisfacts2022")
    found = quietly(mine, given, compat="crisisfacts2022")
    assert [one.value for one in found.averages] == [one.value for one in usual.averages]


@pytest.fixture
def annotated(
    tmp_path: Path, requests: list[str], rng: random.Random
) -> tuple[Path, dict[str, Any], dict[str, Rows]]:
    """Collapsed facts of three runs and what assessors thought, some of it more than once."""
    systems = ("baseline.v1", "nm-gpt35", "late")
    labels = ("USEFUL_FACT", "REDUNDANT_FACT", "POOR_FACT", "LAGGED_FACT")
    order = [requests[place] for place in (4, 0, 1, 3, 5, 6, 8, 2)]
    thought: dict[str, Any] = {}
    collapsed: dict[str, Rows] = {}
    for request in requests:
        told = [s for s in systems if s != "late" or request in (requests[0], requests[4])]
        facts: Rows = []
        for number in range(6):
            ids = {f"{request}-{rng.choice(told)}-{rng.randrange(30):04}" for _ in range(3)}
            name = f"{request}-collapsed-{number:04}"
            facts.append(
                {"collapsed_fact_id": name, "fact_text": says(rng), "relevant_facts": [*ids]}
            )
        collapsed[request] = facts
        given = [
            [rng.choice(facts)["collapsed_fact_id"], "assr_01", rng.choice(labels)]
            for _ in range(9)
        ]
        if request == requests[5]:
            given = [[fact, who, "POOR_FACT"] for fact, who, _ in given]
        thought[request] = {"text": "…", "spans": [], "fact_list": [[None, "assr_02", "POOR_FACT"]]}
        thought[request]["fact_list"] += given
    folder = tmp_path / "2023"
    for request, facts in collapsed.items():
        write(folder / "collapsed-event-days" / f"Collapsed-{request}.json", json.dumps(facts))
    thought = {request: thought[request] for request in order}
    write(folder / "final-annotated-facts-results.json", json.dumps(thought))
    return folder, thought, collapsed


def of_2023(run: Rows, gold: Rows, order: list[str], target: str) -> Iterator[tuple[str, str]]:
    """Output and reference of each event, as the organizers of 2023 make them."""
    texts: dict[str, list[str]] = defaultdict(list)
    for request in order:
        facts = [row for row in run if row["requestID"] == request]
        ranked = sorted(facts, key=lambda row: row["importance"], reverse=True)[:32]
        texts[request.rpartition("-")[0]] += [row["factText"] for row in ranked]
    for event in gold:
        reference = event.get(f"{target}.summary", "")
        if texts[event["eventID"]] and reference:
            yield ". ".join(texts[event["eventID"]]).replace("..", "."), reference


@pytest.mark.parametrize("target", ["nist", "ics"])
def test_texts_of_2023_are_scored_as_the_organizers_score_them(
    target: str, annotated: Any, run: Rows, gold: Rows, tmp_path: Path
) -> None:
    folder, thought, _ = annotated
    write(folder / "topics.withSummaries.json", json.dumps(gold))
    mine = write(tmp_path / "gpt3.5.gz", lines(run))
    found = quietly(
        mine, folder, compat="crisisfacts2023", reading=cs.ReadingRules(summaries_by=target)
    )
    scorer = rouge_scorer.RougeScorer(["rouge2"], use_stemmer=True)
    scored = [
        scorer.score(reference, text)["rouge2"]
        for text, reference in of_2023(run, gold, [*thought], target)
    ]
    assert len(scored) == {"nist": 2, "ics": 1}[target]
    for place, part in enumerate("prf"):
        expected = mean(one[place] for one in scored)
        assert found["gpt3.5", f"rouge(n=2).{part}"].value == pytest.approx(expected, abs=1e-12)


def assess(thought: dict[str, Any], collapsed: dict[str, Rows]) -> dict[str, tuple[float, float]]:
    """Redundancy and comprehensiveness of each system, as the organizers of 2023 compute them."""
    worth = {"USEFUL_FACT": 1.0, "REDUNDANT_FACT": 0.5, "POOR_FACT": 0.0, "LAGGED_FACT": 0.0}
    rows: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for request, decided in thought.items():
        scores: dict[str, float] = defaultdict(float)
        for name, _, label in decided["fact_list"]:
            scores[name] = max(scores[name], worth[label])
        own: dict[str, set[str]] = defaultdict(set)
        for one in collapsed[request]:
            for name in one["relevant_facts"]:
                system = name.replace(f"{request}-", "").rpartition("-")[0]
                own[system].add(one["collapsed_fact_id"])
        names = [one["collapsed_fact_id"] for one in collapsed[request]]
        good = {name for name in names if scores[name] > 0}
        if not good:
            continue
        for system, told in own.items():
            figures = mean(scores[name] for name in told), len(good & told) / len(good)
            rows[system][request.rpartition("-")[0]].append(figures)
    return {
        system: tuple(  # type: ignore[misc]
            mean(mean(day[place] for day in days) for days in events.values()) for place in (0, 1)
        )
        for system, events in rows.items()
    }


def check_assessed(found: cs.ScoreResult, expected: dict[str, tuple[float, float]]) -> None:
    for system, (redundancy, cover) in expected.items():
        names = ("redundancy", "comprehensiveness", "f")
        ours = [found[system, f"assessed.{name}"].value for name in names]
        f = 2 * redundancy * cover / (redundancy + cover)
        assert ours == pytest.approx([redundancy, cover, f], abs=1e-12)


@pytest.mark.parametrize(
    "place", ["", "collapsed-event-days", "final-annotated-facts-results.json"]
)
def test_assessed_runs_are_scored_as_the_organizers_score_them(place: str, annotated: Any) -> None:
    folder, thought, collapsed = annotated
    expected = assess(thought, collapsed)
    found = quietly(
        folder / "collapsed-event-days", judgements=folder / place, compat="crisisfacts2023"
    )
    assert {*found.systems} == {*expected}
    check_assessed(found, expected)


def test_a_run_in_words_is_known_by_its_name(annotated: Any, run: Rows, tmp_path: Path) -> None:
    folder, thought, collapsed = annotated
    asked = [fact(request, "water rose") for request in thought]
    mine = write(tmp_path / "nm-gpt35.gz", lines([*run, *asked]))
    found = quietly(mine, judgements=folder, compat="crisisfacts2023")
    expected = assess(thought, collapsed)
    check_assessed(found, {"nm-gpt35": expected["nm-gpt35"]})
    named = quietly(mine, judgements=folder, compat="crisisfacts2023", measures="crisis")
    assert named["nm-gpt35", "crisis.redundancy"].value == found.averages[0].value
    other = write(tmp_path / "unknown.gz", lines(asked))
    with pytest.raises(DataError, match="no collapsed fact stands for a fact of run 'unknown'"):
        quietly(other, judgements=folder, compat="crisisfacts2023")


@pytest.mark.parametrize("name", ["base.run1.json", "base.run1.jsonl", "base.run1.json.gz"])
def test_a_run_is_known_by_what_it_holds_and_named_by_its_file(
    name: str, track: Path, run: Rows, tmp_path: Path
) -> None:
    first = write(tmp_path / name, lines(run))
    second = write(tmp_path / "base.run2.gz", lines(run[:200]))
    found = quietly([first, second], track)
    assert [*found.systems] == ["base.run1", "base.run2"]
    judged = quietly([first, second], judgements=track, measures="crisis@4")
    assert [*judged.systems] == ["base.run1", "base.run2"]


def test_an_array_of_facts_is_a_run_and_numbers_may_stand_in_quotes(
    track: Path, run: Rows, tmp_path: Path
) -> None:
    plain = write(tmp_path / "lines" / "mine.jsonl", lines(run))
    quoted = [{**row, "importance": str(row["importance"])} for row in run]
    array = write(tmp_path / "array" / "mine.json", json.dumps(quoted, indent=1))
    values = [
        [one.value for one in quietly(path, track, compat="crisisfacts2022").averages]
        for path in (plain, array)
    ]
    assert values[0] == values[1]


def test_empty_facts_and_events_without_references_are_notes(
    track: Path, run: Rows, tmp_path: Path
) -> None:
    usual = quietly(write(tmp_path / "a" / "mine.gz", lines(run)), track)
    more = [fact(run[0]["requestID"], " "), fact("CrisisFACTS-099-r1", "elsewhere")]
    mine = write(tmp_path / "b" / "mine.gz", lines([*run, *more]))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = cs.score(mine, track)
    said = [str(one.message) for one in told]
    assert any("1 fact without a text; left out" in text for text in said)
    assert any("1 of 3 events have no reference, 'CrisisFACTS-099' first" in text for text in said)
    assert any("those by nist are taken" in text for text in said)
    assert [one.value for one in found.averages] == [one.value for one in usual.averages]


def test_files_that_are_something_else_are_named(
    track: Path, annotated: Any, run: Rows, tmp_path: Path
) -> None:
    mine = write(tmp_path / "mine.gz", lines(run))
    folder, *_ = annotated
    topics = track / "CrisisFACTs-2022.topics.json"
    with pytest.raises(DataError, match="holds no summary of an event; give gold"):
        cs.score(mine, topics)
    with pytest.raises(DataError, match="what assessors decided about facts; give it as"):
        cs.score(mine, folder / "collapsed-event-days")
    with pytest.raises(DataError, match="lists events without their facts"):
        cs.score(mine, judgements=topics, measures="crisis")
    with pytest.raises(DataError, match="holds summaries, not judgements"):
        cs.score(mine, judgements=track / "gold.summaries.json.gz", measures="crisis")
    (track / "CrisisFACTs-2022.facts.json").unlink()
    with pytest.raises(DataError, match=r"there is no \.facts\.json beside it"):
        quietly(mine, track, compat="crisisfacts2022")
    (folder / "final-annotated-facts-results.json").unlink()
    with pytest.raises(DataError, match="there is no final-annotated-facts-results"):
        cs.score(mine, judgements=folder / "collapsed-event-days", compat="crisisfacts2023")


def test_a_target_and_an_edition_are_for_the_tracks_files(tmp_path: Path) -> None:
    text = write(tmp_path / "a.txt", "the dam broke\n")
    with pytest.raises(UsageError, match="`summaries_by` chooses among the summaries"):
        cs.score(text, text, reading=cs.ReadingRules(summaries_by="wiki"))
    with pytest.raises(UsageError, match="scores runs against the track's summaries"):
        cs.score(text, text, compat="crisisfacts2022")
    with pytest.raises(UsageError, match="reads the track's own files"):
        cs.score({"a": {"t": "x"}}, {"t": "x"}, "rouge1", compat="crisisfacts2022")


PRINTED = {
    ("ics", "nist"): (0.197641, 0.042957),
    ("ics", "wiki"): (0.057083, 0.007751),
    ("wiki", "nist"): (0.150451, 0.035602),
}
"""F of ROUGE-1 and -2 of gold against gold of 2022, as the organizers print them."""


@pytest.mark.parametrize(("author", "target"), PRINTED)
def test_gold_against_gold_is_as_printed(author: Any, target: Any, data: Path) -> None:
    summaries = data / "crisisfacts-2022" / "gold.summaries.json.gz"
    rows = json.loads(gzip.decompress(summaries.read_bytes()))
    texts = {row["eventID"]: row.get(f"{author}.summary") for row in rows}
    gold = {row["eventID"]: row[f"{target}.summary"] for row in rows}
    own = {event: text for event, text in texts.items() if text}
    found = cs.score(
        {author: own},
        {event: gold[event] for event in own},
        ["rouge(n=1,stem).f", "rouge(n=2,stem).f"],
        compat="rouge-score",
    )
    assert [one.value for one in found.averages] == pytest.approx(PRINTED[author, target], abs=1e-6)


def test_facts_without_a_tag_are_the_files_and_requests_without_facts_have_no_output(
    tmp_path: Path,
) -> None:
    rows = [
        {**fact("CrisisFACTS-001-r3", "The dam broke."), "runtag": ""},
        {**fact("CrisisFACTS-001-r3", "It rained."), "runtag": "other"},
        {**fact("CrisisFACTS-001-r4", " "), "runtag": "other"},
    ]
    with pytest.warns(cs.ChronoscoreWarning, match="1 fact without a text"):
        runs = crisisfacts_runs.load_runs(write(tmp_path / "mine.jsonl", lines(rows)))
    assert {run.system: [*run.outputs] for run in runs} == {
        "mine": ["CrisisFACTS-001-r3"], "other": ["CrisisFACTS-001-r3"],
    }  # fmt: skip
