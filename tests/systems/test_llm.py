"""A language model as a system, asked at a real server."""

import json
from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.cli import main
from chronoscore.core import Document, Sentence, Timeline, Topic, When
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.systems.llm import WritingQuestion, shown_articles
from judging.chat_server import Body, Said, data_of, good, serving
from judging.small_corpus import write_articles

LLM = "llm(model=m)"


def test_a_model_writes_timelines_that_score_reads_and_replays_them_offline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_articles(tmp_path / "corpus")
    command = ["summarize", LLM, str(corpus), "--dates", "2"]
    with serving() as server, pytest.raises(SystemExit) as ended:
        main([*command, "-o", str(tmp_path / "runs/llm"), "--endpoint", server.url])
    assert ended.value.code == 0
    assert "texts go to 127.0.0.1" in (said := capsys.readouterr().err)
    assert "llm(model=m): 1 timeline, 2 of 2 dates" in said
    data = data_of(server.bodies[0])
    assert (data["dates"], data["articles"][0]["date"]) == (2, "2031-03-03")
    first = (tmp_path / "runs/llm/dam.txt").read_bytes()
    assert b"2031-03-20\nThe minister of Corvane resigned." in first
    cache = str(tmp_path / "runs/llm.answers.sqlite")
    with pytest.raises(SystemExit) as ended:
        main([*command, "-o", str(tmp_path / "again"), "--offline", "--cache", cache])
    assert ended.value.code == 0
    assert (tmp_path / "again/dam.txt").read_bytes() == first


def test_the_name_of_a_run_tells_the_model_and_not_the_endpoint(tmp_path: Path) -> None:
    corpus = write_articles(tmp_path / "corpus")
    with serving() as server:
        made = cs.summarize(corpus, LLM, dates=1, endpoint=server.url)
    assert made.run.system == "llm(dates=1,model=m)"
    assert isinstance(made["dam"], Timeline)


def test_a_summary_is_asked_for_as_plain_text(tmp_path: Path) -> None:
    corpus = write_articles(tmp_path / "corpus")
    with serving() as server:
        made = cs.summarize(corpus, LLM, words=20, endpoint=server.url, seed=7)
    assert "response_format" not in server.bodies[0]
    assert server.bodies[0]["seed"] == 7
    assert made["dam"].sentences[0] == "The Corvane dam broke early on Monday."  # type: ignore[union-attr]


def test_an_answer_without_a_timeline_is_asked_for_once_more_and_then_a_failure(
    tmp_path: Path,
) -> None:
    corpus = write_articles(tmp_path / "corpus")

    def late(number: int, body: Body) -> Said:
        return good(number, body) if number else Said("I cannot help with that.")

    with serving(late) as server:
        assert len(cs.summarize(corpus, LLM, endpoint=server.url)["dam"]) == 2  # type: ignore[arg-type]
    assert len(server.bodies) == 2
    with (
        serving(lambda _number, _body: Said("I cannot help with that.")) as server,
        pytest.raises(DataError, match="answer cannot be used: the answer for topic 'dam'"),
    ):
        cs.summarize(corpus, LLM, endpoint=server.url)


@pytest.mark.parametrize(
    ("system", "message"),
    [("llm", "there is no model to ask"), (LLM, "there is no endpoint to ask")],
)
def test_a_model_and_an_endpoint_are_needed(system: str, message: str, tmp_path: Path) -> None:
    corpus = write_articles(tmp_path / "corpus")
    with pytest.raises(UsageError, match=message):
        cs.summarize(corpus, system)
    with pytest.raises(UsageError, match="has no parameter `endpoint`"):
        cs.summarize(corpus, "lead", endpoint="http://127.0.0.1:9/v1")


def test_what_does_not_fit_is_cut_to_first_sentences_and_said() -> None:
    documents = tuple(
        Document(
            id=f"d{day}",
            when=When.day(2031, 3, day),
            sentences=tuple(Sentence(f"d{day}-s{n}", "x" * 99) for n in range(30)),
        )
        for day in range(1, 11)
    )
    topic = Topic(id="t", documents=documents)
    assert len(shown_articles(topic, 100_000)[0]["text"]) == 30 * 100 - 1
    with pytest.warns(ChronoscoreWarning, match="first 5 sentences of 10"):
        assert len(json.dumps(shown_articles(topic, 6_000))) < 7_000
    with pytest.warns(ChronoscoreWarning, match="first 1 sentences of 5"):
        assert [one["date"] for one in shown_articles(topic, 500)][:2] == [
            "2031-03-01",
            "2031-03-03",
        ]


def test_what_a_model_thinks_aloud_is_not_its_answer() -> None:
    topic = Topic(id="dam", documents=(Document(id="d", sentences=(Sentence("s", "It broke."),)),))
    thought = "<think>2031-01-01: Perhaps it began here.</think>"
    reading = WritingQuestion(topic, {}, 99).read(f"{thought}\n2031-03-03: It broke.\n")
    assert reading.values == {"dam": Timeline.of({"2031-03-03": "It broke."})}
