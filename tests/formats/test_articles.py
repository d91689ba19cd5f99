"""Articles in JSON Lines, ours and news-tls's."""

import gzip
import json
from pathlib import Path

import pytest

from chronoscore.core import Sentence, When
from chronoscore.data import source_files
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import articles, collections


def written(folder: Path, *lines: object) -> Path:
    path = folder / "articles.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_sentences_get_stable_ids(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"id": "a", "time": "2032-09-06T16:20:00", "title": "T", "sentences": ["One.", "Two."]},
    )
    (found,) = articles.load(path)
    assert (found.id, found.title, str(found.when)) == ("a", "T", "2032-09-06")
    assert found.sentences == (Sentence("a-s01", "One."), Sentence("a-s02", "Two."))


def test_without_sentences_the_text_is_split(tmp_path: Path) -> None:
    (found,) = articles.load(written(tmp_path, {"id": 7, "time": "2010", "text": "One. \n\nTwo."}))
    assert [(one.id, one.text) for one in found.sentences] == [("7-s01", "One."), ("7-s02", "Two.")]


def test_a_json_list_of_articles_is_read_like_lines(tmp_path: Path) -> None:
    given = [{"id": 1, "text": "One."}, {"id": 2, "date": "2010", "text": "Two."}]
    path = tmp_path / "articles.json"
    path.write_text(json.dumps(given, indent=1))
    assert articles.load(path) == articles.load(written(tmp_path, *given))
    path.write_text(json.dumps([*given, given[0]]))
    with pytest.raises(DataError, match=r"json: article 3: duplicate article '1'"):
        articles.load(path)
    path.write_text('[{"id": 1, "text": "One."}\n, 2]')
    with pytest.raises(DataError, match=r"json: article 2: is not an article"):
        articles.load(path)


def test_news_tls_sentences_carry_the_date_they_speak_of(tmp_path: Path) -> None:
    def sentence(raw: str, time: str | None, shape: str | None) -> dict[str, object]:
        data = [["x", None, None], [raw, time, shape]]
        return {"raw": raw, "tokens": {"keys": ["raw", "time", "time_format"], "data": data}}

    path = tmp_path / "articles.preprocessed.jsonl.gz"
    article = {
        "id": "a",
        "time": "2010-06-03 00:00:00",
        "title": None,
        "sentences": [
            sentence("Today.", "2010-06-03T00:00:00", "%Y-%m-%d"),
            sentence("Last May.", "2010-05-01T00:00:00", "%Y-%m"),
            sentence("In 2009.", "2009-01-01T00:00:00", "%Y"),
            sentence("Never.", None, None),
            {"raw": "Then.", "time": "2010-06-02T00:00:00"},
        ],
    }
    path.write_bytes(gzip.compress(json.dumps(article).encode()))
    (found,) = articles.load(path)
    whens = [When.parse(text) for text in ("2010-06-03", "2010-05", "2009")]
    assert [one.when for one in found.sentences] == [*whens, None, When.parse("2010-06-02")]


def test_an_article_without_text_is_kept_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": "a", "time": "2010-06-03", "text": " "})
    with pytest.warns(ChronoscoreWarning, match=r"articles\.jsonl:1: article 'a' has no text"):
        assert articles.load(path)[0].sentences == ()


WRONG = {
    "the same id": ([{"id": "a", "text": "A."}] * 2, ":2: duplicate article 'a'; rename"),
    "no object": ([3], ":1: is not an article; write"),
    "a bad time": ([{"time": "soon", "text": "A."}], ":1: date 'soon' is not understood"),
    "a text that is none": ([{"text": 3}], ":1: 'text' is not a text; write it as one string"),
    "sentences that are none": ([{"sentences": "A."}], ":1: 'sentences' is not a list"),
    "a sentence that is none": ([{"sentences": [{}]}], ":1: a sentence has no 'raw' or 'text'"),
    "a number for a sentence": ([{"sentences": [3]}], ":1: a sentence has no 'raw' or 'text'"),
}


@pytest.mark.parametrize(("lines", "message"), WRONG.values(), ids=WRONG)
def test_wrong_articles_get_one_sentence(tmp_path: Path, lines: list[object], message: str) -> None:
    with pytest.raises(DataError) as caught:
        articles.load(written(tmp_path, *lines))
    assert message in str(caught.value)


def test_a_broken_archive_is_said(tmp_path: Path) -> None:
    path = tmp_path / "articles.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": "a"}' * 99)[:-9])
    with pytest.raises(DataError, match="broken archive"):
        articles.load(path)


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "The dam broke. It fell.", "date": "2010-05-06"},
        {"Body": "The dam broke. It fell.", "publishedAt": "2010-05-06T18:00:00Z"},
        {"story": ["The dam broke.", "It fell."], "pub_date": 20100506},
        {"article_text": "The dam broke. It fell.", "pubDate": "Thu, 06 May 2010 18:00:00 GMT"},
        {"text": "", "body": "The dam broke. It fell.", "timestamp": 1273104000},
        {"main text": "The dam broke. It fell.", "created_at": 1273104000000.0, "time": None},
    ],
)
def test_usual_names_of_text_and_time_are_understood(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    (found,) = articles.load(written(tmp_path, {"url": "u", "headline": "H", **fields}))
    assert (found.id, found.title, str(found.when)) == ("u", "H", "2010-05-06")
    assert [sentence.text for sentence in found.sentences] == ["The dam broke.", "It fell."]


@pytest.mark.parametrize(
    ("article", "message"),
    [
        ({"id": "a", "words": "The dam broke."}, "has no 'text' or 'sentences' but 'id', 'words'"),
        ({"text": "x", "seen": "2010-05-06"}, "'seen' may be the article's date; call it 'time'"),
        ({"text": "x", "published": "soon"}, "date 'soon' is not understood"),
        ({"text": 7}, "'text' is not a text"),
    ],
)
def test_names_that_are_not_known_are_named(
    tmp_path: Path, article: dict[str, object], message: str
) -> None:
    with pytest.raises(DataError, match=f":1: .*{message}"):
        articles.load(written(tmp_path, article))


def test_a_field_that_is_not_the_date_may_stand_beside_an_empty_time(tmp_path: Path) -> None:
    (found,) = articles.load(written(tmp_path, {"text": "x", "seen": "2010-05-06", "time": None}))
    assert found.when is None


def test_text_is_split_as_in_a_plain_file(tmp_path: Path) -> None:
    text = "Dam fails\n\nMr. Quist came at 9 a.m. on\nTuesday. 「逃げろ！」と彼は叫んだ。次の日。"
    (tmp_path / "2010-05-06.txt").write_text(text, encoding="utf-8")
    (topic,) = source_files.load_topics([tmp_path / "2010-05-06.txt"])
    (found,) = articles.load(written(tmp_path, {"text": text}))
    texts = [sentence.text for sentence in found.sentences]
    assert texts == [sentence.text for sentence in topic.documents[0].sentences]
    assert texts[:2] == ["Dam fails", "Mr. Quist came at 9 a.m. on Tuesday."]
    assert texts[2:] == ["「逃げろ！」と彼は叫んだ。", "次の日。"]


def test_the_documents_of_a_record_are_read_alike() -> None:
    record = {"documents": [{"body": "The dam broke. It fell.", "published": "2010-05-06"}],
              "references": ["x"]}  # fmt: skip
    (topic,) = collections.read_records([("here", record)])
    (found,) = topic.documents
    assert (found.id, str(found.when), len(found.sentences)) == ("1", "2010-05-06", 2)


def test_topics_without_an_id_are_numbered_from_one() -> None:
    record = {"documents": [{"id": "a", "sentences": ["a b"]}], "references": [["a"]]}
    found = collections.read_records([("here", record), ("there", record)])
    assert [topic.id for topic in found] == ["1", "2"]
