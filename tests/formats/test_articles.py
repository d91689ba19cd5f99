"""Articles in JSON Lines, ours and news-tls's."""

import gzip
import json
from pathlib import Path

import pytest

from chronoscore.core import Sentence, When
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import articles


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


def test_without_sentences_each_line_of_the_text_is_one(tmp_path: Path) -> None:
    (found,) = articles.load(written(tmp_path, {"id": 7, "time": "2010", "text": "One. \n\nTwo."}))
    assert [(one.id, one.text) for one in found.sentences] == [("7-s01", "One."), ("7-s02", "Two.")]


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
    "no object": ([["a"]], ":1: is not an article; write"),
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
