"""What systems are run on: corpora as they are distributed, each with its own documents."""

from pathlib import Path

import pytest

from chronoscore.core import When
from chronoscore.data import keywords, source_files
from chronoscore.errors import DataError

CAT = """<?xml version="1.0" ?><Document doc_id="{id}" doc_name="{id}_x" lang="en">
<token number="0" sentence="0" t_id="1">Dam</token>
<token number="1" sentence="0" t_id="2">breaks</token>
<token number="2" sentence="1" t_id="3">People</token>
<token number="3" sentence="1" t_id="4">fled</token>
<Markables>
<EVENT_MENTION m_id="10"><token_anchor t_id="2"/></EVENT_MENTION>
<TIMEX3 functionInDocument="CREATION_TIME" m_id="13" type="DATE" value="2031-03-0{id}"></TIMEX3>
<EVENT TAG_DESCRIPTOR="break" instance_id="OTH1" m_id="20"/>
</Markables>
<Relations><REFERS_TO r_id="1"><source m_id="10"/><target m_id="20"/></REFERS_TO></Relations>
</Document>
"""
TIMEML = """<?xml version="1.0" ?><TimeML><DOCID>flood</DOCID><DCT><TIMEX3 tid="t0" type="DATE"
value="2031-03-04" functionInDocument="CREATION_TIME">March 4</TIMEX3></DCT>
<TEXT>The dam broke on <TIMEX3 tid="t1" type="DATE" value="2031-03-03">Monday</TIMEX3>.
Nobody
was hurt.</TEXT></TimeML>
"""


def write_articles(folder: Path, *numbers: int) -> None:
    folder.mkdir(parents=True)
    for number in numbers:
        (folder / f"{number}_x.xml").write_text(CAT.format(id=number), encoding="utf-8")


def test_meantime_is_read_as_its_articles_and_not_as_the_texts_beside_them(tmp_path: Path) -> None:
    write_articles(tmp_path / "intra_cross-doc_annotation" / "corpus_dam", 5, 2)
    write_articles(tmp_path / "intra_cross-doc_annotation" / "corpus_theft", 7)
    (tmp_path / "README.txt").write_text("This corpus has two topics.", encoding="utf-8")
    dam, theft = source_files.load_topics([tmp_path])
    assert (dam.id, theft.id) == ("dam", "theft")
    assert [document.when for document in dam.documents] == [
        When.day(2031, 3, 2),
        When.day(2031, 3, 5),
    ]
    assert [sentence.text for sentence in theft.documents[0].sentences] == [
        "Dam breaks",
        "People fled",
    ]
    assert dam.judgements is None


def test_one_corpus_and_one_article_of_meantime_can_be_given_alone(tmp_path: Path) -> None:
    write_articles(tmp_path / "corpus_dam", 5)
    (corpus,) = source_files.load_topics([tmp_path / "corpus_dam"])
    (article,) = source_files.load_topics([tmp_path / "corpus_dam" / "5_x.xml"])
    assert corpus.documents == article.documents


def test_entities_of_semeval_have_the_documents_of_their_corpus(tmp_path: Path) -> None:
    write_articles(tmp_path / "corpus_1" / "corpus_trackB_CAT", 5, 6)
    gold = tmp_path / "corpus_1" / "TimeLines_Gold_Standard"
    gold.mkdir()
    (gold / "dam.txt").write_text("The dam\n1\t2031-03-05\t5-0-breaks\n", encoding="utf-8")
    (topic,) = source_files.load_topics([tmp_path])
    assert len(topic.documents) == 2
    assert topic.timelines == ()


def test_timeml_is_split_into_sentences_and_dated(tmp_path: Path) -> None:
    (tmp_path / "a.tml").write_text(TIMEML, encoding="utf-8")
    for path in (tmp_path, tmp_path / "a.tml"):
        ((document,),) = (topic.documents for topic in source_files.load_topics([path]))
        assert document.when == When.day(2031, 3, 4)
        assert [sentence.text for sentence in document.sentences] == [
            "The dam broke on Monday.",
            "Nobody was hurt.",
        ]


def test_a_folder_without_documents_is_refused_with_what_could_be_given(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("none", encoding="utf-8")
    with pytest.raises(DataError, match=r"holds no documents; give articles\.jsonl"):
        source_files.load_topics([tmp_path])


def test_the_real_meantime_has_120_articles_in_four_topics(data: Path) -> None:
    topics = source_files.load_topics([data / "meantime"])
    assert [len(topic.documents) for topic in topics] == [30] * 4


def test_a_missing_file_of_key_words_is_named_as_missing(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json: no such file"):
        keywords.load(tmp_path / "none.json")
    (tmp_path / "half.json").write_text('["dam",')
    with pytest.raises(DataError, match=r"half\.json:1: .* fix the JSON"):
        keywords.load(tmp_path / "half.json")


def write_texts(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("The dam broke.\n", encoding="utf-8")


def test_folders_of_texts_are_topics_unless_days_name_them(tmp_path: Path) -> None:
    topics, days, mixed = tmp_path / "topics", tmp_path / "days", tmp_path / "mixed"
    write_texts(topics, "dam/2031-03-01.txt", "fire/2031-03-02.txt", "pictures/plan.svg")
    assert [topic.id for topic in source_files.load_topics([topics])] == ["dam", "fire"]
    write_texts(days, "2031-03-01/a.txt", "2031-03-02/b.txt")
    (one,) = source_files.load_topics([days])
    dated = [When.day(2031, 3, 1), When.day(2031, 3, 2)]
    assert (one.id, [document.when for document in one.documents]) == ("days", dated)
    # A text beside the folders belongs to the same topic as those in them.
    write_texts(mixed, "2031-03-01.txt", "more/2031-03-02.txt")
    (one,) = source_files.load_topics([mixed])
    assert (one.id, [document.when for document in one.documents]) == ("mixed", dated)
