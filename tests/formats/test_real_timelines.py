"""Real files: timeline17's gold and systems, news-tls articles, background summaries."""

import json
import warnings
from pathlib import Path

import pytest

from chronoscore.core import Timeline
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import inputs
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.conversion import read_timelines_of_path
from chronoscore.formats.timelines.entries import LabeledTimeline
from chronoscore.formats.timelines.registry import FORMATS

GOLDEN = Path(__file__).parents[1] / "golden" / "timelines-real.json"


def peer(path: Path) -> dict[str, list[str]]:
    """A second reader of well-formed files: the last of repeated blocks wins."""
    blocks = path.read_text(encoding="utf-8").split("-" * 32 + "\n")
    rows = ([line.strip() for line in block.split("\n") if line.strip()] for block in blocks)
    return {lines[0]: lines[1:] for lines in rows if lines}


def files(data: Path) -> list[Path]:
    return sorted((data / "timeline17").glob("gold/*/*.txt")) + sorted(
        (data / "timeline17").glob("systems/*/*.txt")
    )


def test_every_file_is_read_as_a_second_reader_reads_it(data: Path) -> None:
    assert len(files(data)) == 58
    for path in files(data):
        (held,) = timeline_files.read(path, repeated="last").timelines
        assert {str(entry.when): list(entry.sentences) for entry in held.timeline} == peer(path)


def test_the_seven_repeated_blocks_of_the_gold_are_merged_and_named(data: Path) -> None:
    reading = read_timelines_of_path(data / "timeline17" / "gold")
    assert len(reading.timelines) == 19
    assert [note.kind for note in reading.notes] == ["merged"] * 7
    last = read_timelines_of_path(data / "timeline17" / "gold", repeated="last")
    words = [
        sum(
            len(sentence.split())
            for held in found.timelines
            for sentence in held.timeline.sentences
        )
        for found in (reading, last)
    ]
    assert words[0] > words[1]


def test_dates_without_text_count_as_the_peer_counts_them(data: Path) -> None:
    if not GOLDEN.exists():
        pytest.skip("tests/golden/timelines-real.json is not there")
    for pair in json.loads(GOLDEN.read_text())["pairs"]:
        system = set(timeline_files.read(data / pair["system"]).timelines[0].timeline.dates)
        references = {
            date
            for name in pair["references"]
            for date in timeline_files.read(data / name).timelines[0].timeline.dates
        }
        shared = len(system & references)
        assert shared / len(system) == pytest.approx(pair["dates"]["p"])
        assert shared / len(references) == pytest.approx(pair["dates"]["r"])


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_carries_the_gold(data: Path, form: str) -> None:
    for held in read_timelines_of_path(data / "timeline17" / "gold").timelines:
        timeline = Timeline(held.timeline.entries)
        text = timeline_files.write_timeline_text(timeline, form)
        assert timeline_files.read_timeline_text(text, "x", form=form).timelines == [
            LabeledTimeline(timeline)
        ]


@pytest.mark.slow
def test_news_tls_folders_have_the_same_timelines_as_the_tilse_files(data: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        found = inputs.load_reference_files(
            [data / "timeline17" / "articles"], Timeline, documents=True
        )
    gold = timeline_files.load(data / "timeline17" / "gold" / "tl17-haiti" / "bbc.txt")
    assert found.topics["haiti_bbc"].timelines[0].dates == gold.dates
    assert {topic.id: len(topic.documents) for topic in found} == {
        "H1N1_guardian": 76,
        "bpoil_bbc": 293,
        "haiti_bbc": 296,
    }


def test_background_summaries_are_fourteen_topics_by_three_people(data: Path) -> None:
    with pytest.warns(ChronoscoreWarning) as caught:
        found = inputs.load_reference_files([data / "background-summaries" / "events"], Timeline)
    assert "annotator1.tsv:1: column 'Background' is not read" in str(caught[0].message)
    assert len(found) == 14
    for topic in found:
        assert [one.author for one in topic.timelines] == ["annotator1", "annotator2", "annotator3"]
        assert len({one.dates for one in topic.timelines}) == 1
