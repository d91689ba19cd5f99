"""The bundled demo corpus is sound: articles, references, runs and ratings."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from chronoscore.cli import main
from demo.raw_files import (
    DASHES,
    DEMO,
    JUDGED,
    JUDGED_RUNS,
    RUNS,
    SYSTEMS,
    TOPICS,
    Row,
    articles,
    rows,
    sentences,
)

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NEW = [topic for topic in TOPICS if topic not in JUDGED]
"""The topics whose outputs were written by the rules in the README, but for `careful`."""


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


def test_the_whole_demo_packs_into_300_kilobytes() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(DEMO.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, named(path))
    assert len(packed.getvalue()) < 300_000


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
    assert 11 <= len(found) <= 22
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
    year = articles(topic)[0]["time"][:4]
    told = re.findall(
        rf"({'|'.join(DAYS)}) (\d+) ({'|'.join(MONTHS)})\b", " ".join(sentences(topic).values())
    )
    assert told
    for weekday, day, month in told:
        assert datetime.strptime(f"{day} {month} {year}", "%d %B %Y").strftime("%A") == weekday


def published(article: Row) -> date:
    return datetime.fromisoformat(article["time"]).date()


def named_days(text: str, day: date) -> set[date]:
    """The days that a text names, if it appeared on a day: weekdays are those of the past week."""
    past = [day - timedelta(back) for back in range(8)]
    found = {one for one in past if DAYS[one.weekday()] in text}
    for number, month in re.findall(rf"(\d+) ({'|'.join(MONTHS)})\b(?! \d{{4}})", text):
        found.add(date(day.year, MONTHS.index(month) + 1, int(number)))
    return found


@pytest.mark.parametrize("topic", TOPICS)
def test_people_date_events_on_days_that_the_articles_name(topic: str) -> None:
    named_there = {published(article) for article in articles(topic)}
    for article in articles(topic):
        for text in article["sentences"]:
            named_there |= named_days(text, published(article))
    own = sorted((DEMO / "corpus" / topic / "timelines").glob("*.txt"))
    for path in [*own, DEMO / "runs" / "careful" / "timelines" / f"{topic}.txt"]:
        assert {day for day, _ in timeline(path)} <= named_there, path.stem


@pytest.mark.parametrize("path", timelines(), ids=named)
def test_a_timeline_has_rising_dates_with_text_on_each(path: Path) -> None:
    entries = timeline(path)
    dates = [day for day, _ in entries]
    assert 7 <= len(dates) <= 14
    assert dates == sorted(set(dates))
    assert all(texts and all(texts) for _, texts in entries)


@pytest.mark.parametrize("path", summaries(), ids=named)
def test_a_summary_has_about_a_hundred_words_at_most(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(lines)
    assert 40 <= sum(len(line.split()) for line in lines) <= 115


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_two_or_three_reference_timelines(topic: str) -> None:
    assert 2 <= len(list((DEMO / "corpus" / topic / "timelines").glob("*.txt"))) <= 3


@pytest.mark.parametrize("topic", JUDGED)
def test_every_judged_topic_has_four_summaries_of_each_kind(topic: str) -> None:
    for kind in ("original", "update"):
        folder = DEMO / "corpus" / topic / "summaries" / kind
        assert sorted(path.name for path in folder.iterdir()) == [
            "a.txt",
            "b.txt",
            "c.txt",
            "d.txt",
        ]


@pytest.mark.parametrize(("system", "topic"), RUNS)
def test_every_run_has_a_timeline_of_every_topic(system: str, topic: str) -> None:
    assert (DEMO / "runs" / system / "timelines" / f"{topic}.txt").is_file()


@pytest.mark.parametrize(("system", "topic"), JUDGED_RUNS)
def test_every_run_covers_every_judged_topic(system: str, topic: str) -> None:
    run = DEMO / "runs" / system
    for kind in ("original", "update"):
        assert (run / kind / f"{topic}.txt").is_file()
    assert any(row["topic"] == topic for row in rows(run / "rankings.jsonl"))


def output(system: str, topic: str) -> list[tuple[date, str]]:
    path = DEMO / "runs" / system / "timelines" / f"{topic}.txt"
    return [(day, text) for day, texts in timeline(path) for text in texts]


@pytest.mark.parametrize("topic", TOPICS)
def test_headlines_are_titles_on_the_days_of_their_articles(topic: str) -> None:
    titles = {(published(article), article["title"]) for article in articles(topic)}
    assert set(output("headlines", topic)) <= titles
    assert topic in JUDGED or set(output("headlines", topic)) == titles


@pytest.mark.parametrize("topic", TOPICS)
def test_lead_has_the_first_sentences_of_the_first_ten_days(topic: str) -> None:
    days = sorted({published(article) for article in articles(topic)})[:10]
    assert output("lead", topic) == [
        (published(article), article["sentences"][0])
        for article in articles(topic)
        if published(article) in days
    ]


@pytest.mark.parametrize("topic", TOPICS)
def test_random_has_fourteen_sentences_on_the_days_of_their_articles(topic: str) -> None:
    drawn = output("random", topic)
    assert len(set(drawn)) == 14
    assert set(drawn) <= {(published(a), text) for a in articles(topic) for text in a["sentences"]}


@pytest.mark.parametrize("topic", NEW)
def test_extract_takes_an_early_sentence_on_the_day_it_names(topic: str) -> None:
    chosen = output("extract", topic)
    assert len(chosen) == len(articles(topic))
    for article in articles(topic):
        ((day, text),) = [pair for pair in chosen if pair[1] in article["sentences"]]
        assert text in article["sentences"][:3]
        assert day in named_days(text, published(article)) or day == published(article)


@pytest.mark.parametrize("topic", NEW)
def test_late_tells_what_follows_in_the_article_one_to_three_days_later(topic: str) -> None:
    follows = {
        before: after
        for article in articles(topic)
        for before, after in zip(article["sentences"], article["sentences"][1:], strict=False)
    }
    delays = []
    late = {text: day for day, text in output("late", topic)}
    for day, text in output("extract", topic):
        delays.append((late.pop(follows[text]) - day).days)
    assert not late
    assert set(delays) == {1, 2, 3}


@pytest.mark.parametrize(("system", "topic"), JUDGED_RUNS)
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
    known = {row["id"]: datetime.fromisoformat(row["time"]) for row in articles(topic)}
    assert all(time >= known[sentence[:-4]] for time, sentence in zip(times, chosen, strict=True))


def ratings() -> list[Row]:
    with (DEMO / "ratings.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("topic", JUDGED)
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
