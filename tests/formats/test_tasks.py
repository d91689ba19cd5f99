"""MEANTIME, SemEval-2015 task 4 and CrisisFACTS: invented files, and the real ones."""

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chronoscore.core import Ranking, Selection, When
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import (
    cat,
    crisisfacts,
    crisisfacts_runs,
    crisisfacts_texts,
    meantime,
    semeval2015,
)

ARTICLE = """<?xml version="1.0" ?><Document doc_id="{id}" doc_name="{id}_x" lang="en">
<token number="0" sentence="0" t_id="1">Dam</token>
<token number="1" sentence="0" t_id="2">breaks</token>
<token number="2" sentence="1" t_id="3">People</token>
<token number="3" sentence="1" t_id="4">fled</token>
<Markables>
<EVENT_MENTION m_id="10"><token_anchor t_id="2"/></EVENT_MENTION>
<EVENT_MENTION m_id="11"><token_anchor t_id="4"/></EVENT_MENTION>
<ENTITY_MENTION m_id="12"><token_anchor t_id="1"/></ENTITY_MENTION>
<TIMEX3 functionInDocument="CREATION_TIME" m_id="13" type="DATE" value="{date}"></TIMEX3>
<EVENT TAG_DESCRIPTOR="break" instance_id="OTH1" m_id="20"/>
<EVENT TAG_DESCRIPTOR="flee" m_id="21"/>
<ENTITY TAG_DESCRIPTOR="dam" m_id="22"/>
</Markables>
<Relations>
<REFERS_TO r_id="1"><source m_id="10"/><target m_id="20"/></REFERS_TO>
<REFERS_TO r_id="2"><source m_id="11"/><target m_id="21"/></REFERS_TO>
<REFERS_TO r_id="3"><source m_id="12"/><target m_id="22"/></REFERS_TO>
</Relations>
</Document>
"""


def article(folder: Path, name: str, date: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}_x.xml").write_text(ARTICLE.format(id=name, date=date), encoding="utf-8")


def test_instances_are_shared_by_articles_and_nameless_ones_are_not(tmp_path: Path) -> None:
    article(tmp_path / "corpus_dam", "7", "2031-03-02")
    article(tmp_path / "corpus_dam", "5", "2031-03-09")
    topic = meantime.load(tmp_path).topics["dam"]
    judged = topic.judgements
    assert judged is not None
    assert [story.id for story in judged.stories] == ["7", "5"]
    assert [event.id for event in judged.events] == ["OTH1", "7:21", "5:21"]
    assert {(link.sentence, link.event) for link in judged.links} == {
        ("7-0", "OTH1"),
        ("5-0", "OTH1"),
        ("7-1", "7:21"),
        ("5-1", "5:21"),
    }
    assert judged.texts["7-1"] == "People fled"
    assert topic.documents[0].when == When.parse("2031-03-02")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<token_anchor t_id="2"/>', '<token_anchor t_id="99"/>', "no token '99'"),
        ('<token_anchor t_id="2"/>', "", "the event mention has no token"),
        ("Document", "Other", "is not a CAT file"),
        ('sentence="0"', 'sentence="first"', "is not a whole number"),
    ],
)
def test_a_broken_article_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "7_x.xml"
    path.write_text(ARTICLE.format(id="7", date="2031").replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        cat.load(path)


def gold(tmp_path: Path, *lines: str) -> Path:
    corpus = tmp_path / "corpus_1"
    article(corpus / "corpus_trackB_CAT", "7", "2031-03-02")
    home = corpus / "TimeLines_Gold_Standard"
    home.mkdir()
    (home / "the_dam.txt").write_text("\n".join(["The dam", *lines]), encoding="utf-8")
    return tmp_path


def test_an_entity_is_a_topic_with_a_timeline_and_links(tmp_path: Path) -> None:
    folder = gold(tmp_path, "0\tXXXX-XX-XX\t7-1-fled", "1\t2031-03-XX\t7-0-breaks\t7-1-fled", "")
    topic = semeval2015.load(folder).topics["corpus_1-the_dam"]
    assert topic.title == "The dam"
    judged = topic.judgements
    assert judged is not None
    assert [event.text for event in judged.events] == ["fled", "breaks / fled"]
    assert [(link.sentence, link.event[-3:]) for link in judged.links] == [
        ("7-1", "e01"),
        ("7-0", "e02"),
        ("7-1", "e02"),
    ]
    (entry,) = topic.timelines[0].entries
    assert (str(entry.when), entry.sentences) == ("2031-03", ("Dam breaks",))


def test_mentions_that_lead_nowhere_are_counted_and_reported_once(tmp_path: Path) -> None:
    folder = gold(tmp_path, "1\t2031\t77-0-x\t7-0-breaks", "2\t2032\t7-99-y")
    with pytest.warns(ChronoscoreWarning, match=r"the_dam\.txt:2: 2 mentions are in no article"):
        judged = semeval2015.load(folder).topics["corpus_1-the_dam"].judgements
    assert judged is not None
    assert len(judged.events) == 1


@pytest.mark.parametrize("line", ["1\t2031", "x\t2031\t7-0-breaks", "1\t2031-19-44\t7-0-breaks"])
def test_a_broken_gold_line_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the_dam\.txt:2: "):
        semeval2015.load(gold(tmp_path, line))


FACTS: list[dict[str, Any]] = [
    {
        "event": "A flood",
        "eventID": "C-001",
        "factsByRequest": {
            "C-001-r10": [{"fact": "People fled", "dateUnix": 2000}],
            "C-001-r9": [{"fact": "Rain fell", "dateUnix": 1000}, {"fact": "Dam broke"}],
        },
    }
]


def test_each_request_is_a_topic_in_order(tmp_path: Path) -> None:
    path = tmp_path / "x.facts.json"
    path.write_text(json.dumps(FACTS), encoding="utf-8")
    collection = crisisfacts.load(tmp_path)
    assert list(collection.topics) == ["C-001-r9", "C-001-r10"]
    judged = collection.topics["C-001-r9"].judgements
    assert judged is not None
    assert [(e.text, e.time) for e in judged.events] == [("Rain fell", 1.0), ("Dam broke", None)]


def test_a_run_of_facts_is_read_line_by_line(tmp_path: Path) -> None:
    row = {"requestID": "C-001-r9", "factText": "It rained", "unixTimestamp": 5, "importance": 2}
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert crisisfacts_runs.is_run(path)
    (run,) = crisisfacts_runs.load_runs(path)
    assert run.system == "mine"
    assert run.outputs == {"C-001-r9": Ranking((Selection("", 2.0, 5.0, text="It rained"),))}


def test_broken_facts_and_runs_are_refused(tmp_path: Path) -> None:
    facts, run = tmp_path / "x.facts.json", tmp_path / "r.jsonl"
    facts.write_text('[{"event": 1}]', encoding="utf-8")
    run.write_text('{"requestID": "a"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"x\.facts\.json: expected 'str'"):
        crisisfacts.load(facts)
    with pytest.raises(DataError, match=r"r\.jsonl:1: "):
        crisisfacts_runs.load_runs(run)
    with pytest.raises(DataError, match="holds no facts"):
        crisisfacts.load(tmp_path / "nothing.json")


def test_gold_summaries_are_references(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    rows = [{"eventID": "C-001", "title": "A flood", "nist.summary": "Rain.", "wiki.summary": ""}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    topic = crisisfacts_texts.load_summaries(path).topics["C-001"]
    assert [(s.author, s.sentences) for s in topic.summaries] == [("nist", ("Rain.",))]


@pytest.mark.slow
def test_the_real_meantime_has_its_published_sizes(data: Path) -> None:
    collection = meantime.load(data / "meantime")
    assert list(collection.topics) == ["airbus", "apple", "gm", "stock"]
    judged = [topic.judgements for topic in collection if topic.judgements]
    assert sum(len(found.stories) for found in judged) == 120
    assert sum(len(found.sentences) for found in judged) == 1797
    assert sum(len(found.events) for found in judged) == 2173
    assert sum(len(found.links) for found in judged) == 2611
    spread = Counter(link.event for found in judged for link in found.links)
    assert sum(count > 1 for count in spread.values()) == 300


def test_the_real_entity_timelines_are_read(data: Path) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        collection = semeval2015.load(data / "semeval2015-timelines")
    assert len(collection) == 39
    assert len(told) == 3
    events = [len(topic.judgements.events) for topic in collection if topic.judgements]
    assert sum(events) == 761


def test_the_real_crisis_facts_are_read(data: Path) -> None:
    collection = crisisfacts.load(data / "crisisfacts-2022")
    facts = [len(topic.judgements.events) for topic in collection if topic.judgements]
    assert (len(facts), sum(facts)) == (55, 1482)
    gold_summaries = crisisfacts_texts.load_summaries(
        data / "crisisfacts-2022" / "gold.summaries.json.gz"
    )
    assert [len(topic.summaries) for topic in gold_summaries] == [3, 3, 3, 3, 2, 3, 3, 3]
