"""The bundled demo corpus is sound: articles, references, runs and ratings."""

import csv
import json
import re
from collections import Counter
from datetime import date, datetime
from pathlib import Path

import pytest

from chronoscore.cli import main
from demo.raw_files import DASHES, DEMO, RUNS, SYSTEMS, TOPICS, Row, articles, rows, sentences


def timeline(path: Path) -> list[tuple[date, list[str]]]:
    text = path.read_text(encoding="utf-8")
    assert text.endswith(f"\n{DASHES}\n")
    blocks = [block.splitlines() for block in text.split(f"{DASHES}\n")[:-1]]
    return [(date.fromisoformat(first), rest) for first, *rest in blocks]


def timelines() -> list[Path]:
    return sorted([*DEMO.glob("corpus/*/timelines/*.txt"), *DEMO.glob("runs/*/timelines/*.txt")])


def summaries() -> list[Path]:
    return sorted(
        path
        for kind in ("original", "update")
        for path in [
            *DEMO.glob(f"corpus/*/summaries/{kind}/*.txt"),
            *DEMO.glob(f"runs/*/{kind}/*.txt"),
        ]
    )


def named(path: Path) -> str:
    return path.relative_to(DEMO).as_posix()


def test_the_whole_demo_stays_below_420_kilobytes() -> None:
    files = [path for path in DEMO.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(path.stat().st_size for path in files) < 420_000


def test_the_topics_and_systems_are_the_ones_named_here() -> None:
    assert sorted(path.name for path in (DEMO / "corpus").iterdir()) == TOPICS
    assert sorted(path.name for path in (DEMO / "runs").iterdir()) == SYSTEMS


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_states_its_title_query_and_narrative(topic: str) -> None:
    stated = json.loads((DEMO / "corpus" / topic / "topic.json").read_text(encoding="utf-8"))
    assert set(stated) == {"id", "title", "query", "narrative"}
    assert stated["id"] == topic
    assert all(stated.values())


@pytest.mark.parametrize("topic", TOPICS)
def test_articles_are_numbered_in_order_of_time(topic: str) -> None:
    found = articles(topic)
    assert 14 <= len(found) <= 22
    assert [row["id"] for row in found] == [f"{topic}-a{n:02}" for n in range(1, len(found) + 1)]
    times = [datetime.fromisoformat(row["time"]) for row in found]
    assert times == sorted(set(times))
    assert all(6 <= len(row["sentences"]) <= 14 for row in found)


@pytest.mark.parametrize("topic", TOPICS)
def test_no_sentence_is_empty_or_told_twice(topic: str) -> None:
    texts = list(sentences(topic).values())
    assert all(text == text.strip() and text[-1] in '."' for text in texts)
    assert [text for text, times in Counter(texts).items() if times > 1] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_a_weekday_named_with_a_date_is_that_dates_weekday(topic: str) -> None:
    days = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    months = "January|February|March|April|May|June|July|August|September|October|November|December"
    year = articles(topic)[0]["time"][:4]
    told = re.findall(rf"({days}) (\d+) ({months})\b", " ".join(sentences(topic).values()))
    assert told
    for weekday, day, month in told:
        assert datetime.strptime(f"{day} {month} {year}", "%d %B %Y").strftime("%A") == weekday


@pytest.mark.parametrize("path", timelines(), ids=named)
def test_a_timeline_has_rising_dates_with_text_on_each(path: Path) -> None:
    entries = timeline(path)
    dates = [day for day, _ in entries]
    assert 8 <= len(dates) <= 14
    assert dates == sorted(set(dates))
    assert all(texts and all(texts) for _, texts in entries)


@pytest.mark.parametrize("path", summaries(), ids=named)
def test_a_summary_has_about_a_hundred_words_at_most(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(lines)
    assert 40 <= sum(len(line.split()) for line in lines) <= 115


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_references_of_every_kind(topic: str) -> None:
    folder = DEMO / "corpus" / topic
    assert 2 <= len(list((folder / "timelines").glob("*.txt"))) <= 3
    for kind in ("original", "update"):
        names = sorted(path.name for path in (folder / "summaries" / kind).iterdir())
        assert names == ["a.txt", "b.txt", "c.txt", "d.txt"]


@pytest.mark.parametrize(("system", "topic"), RUNS)
def test_every_run_covers_every_topic(system: str, topic: str) -> None:
    run = DEMO / "runs" / system
    for kind in ("timelines", "original", "update"):
        assert (run / kind / f"{topic}.txt").is_file()
    assert any(row["topic"] == topic for row in rows(run / "rankings.jsonl"))


@pytest.mark.parametrize(("system", "topic"), RUNS)
def test_a_ranking_holds_known_sentences_once_in_order_of_decision(system: str, topic: str) -> None:
    every = rows(DEMO / "runs" / system / "rankings.jsonl")
    ranked = [row for row in every if row["topic"] == topic]
    chosen = [row["sentence"] for row in ranked]
    assert 40 <= len(chosen) <= 80
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= set(sentences(topic))
    assert len({row["score"] for row in ranked}) == len(ranked)
    times = [datetime.fromisoformat(row["time"]) for row in ranked]
    assert times == sorted(times)
    published = {row["id"]: datetime.fromisoformat(row["time"]) for row in articles(topic)}
    assert all(
        time >= published[sentence[:-4]] for time, sentence in zip(times, chosen, strict=True)
    )


def ratings() -> list[Row]:
    with (DEMO / "ratings.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("topic", TOPICS)
def test_every_system_and_human_writer_is_rated_once(topic: str) -> None:
    writers = sorted(path.stem for path in (DEMO / "corpus" / topic / "timelines").iterdir())
    humans = {"responsiveness": list("abcd"), "pyramid": list("abcd"), "timeline": writers}
    for rating, people in humans.items():
        found = [row for row in ratings() if (row["topic"], row["rating"]) == (topic, rating)]
        assert sorted(row["system"] for row in found if row["human"] == "0") == SYSTEMS
        assert sorted(row["system"] for row in found if row["human"] == "1") == people


def test_ratings_stay_within_their_scales() -> None:
    assert list(ratings()[0]) == ["system", "topic", "rating", "value", "human"]
    for row in ratings():
        if row["rating"] == "pyramid":
            assert 0 <= float(row["value"]) <= 1
        else:
            assert int(row["value"]) in range(1, 6)


def test_the_demo_is_copied_whole_and_never_over_anything(tmp_path: Path, capsys) -> None:
    target = tmp_path / "demo"
    for expected in (0, 2):
        with pytest.raises(SystemExit) as done:
            main(["demo", "--copy", str(target)])
        assert done.value.code == expected
    assert "already exists" in capsys.readouterr().err
    copied = {path.relative_to(target) for path in target.rglob("*") if path.is_file()}
    own = {path.relative_to(DEMO) for path in DEMO.rglob("*") if path.is_file()}
    assert copied == {path for path in own if "__" not in str(path) and path.suffix != ".py"}
