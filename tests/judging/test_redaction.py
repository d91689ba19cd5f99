"""A cache without texts replays to the same bytes."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.judging.cache import AnswerCache, Reply, request_key
from chronoscore.judging.redaction import redact
from judging import small_corpus
from judging.chat_server import Body, Said, answer, data_of, serving

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*has no (header or )?footer:chronoscore.ChronoscoreWarning"
)
SECRET = "The harbour was mentioned"


def chatty(number: int, body: Body) -> Said:
    """Reasons and prose everywhere, now and then an unusable answer, a refusal or a wrong id."""
    rows = json.loads(answer(body))["answers"]
    for row in rows:
        row["reason"] = f"{SECRET}."
        row["confidence"] = 70
    kind = sum(map(ord, data_of(body)["items"][0].get("text", ""))) % 5
    if kind == 0:
        return Said(f"I'm sorry, {SECRET}, so I can't judge.")
    if kind == 1 and len(body["messages"]) == 2:
        return Said(f"{SECRET}, I think.")
    if kind == 2:
        rows[0]["id"] = "i77"
    if kind == 3 and "label" in rows[0]:
        rows[0]["label"] = f"maybe, since in the very first line of the text: {SECRET}"
    return Said(f"<think>{SECRET}</think> Well: {json.dumps({'answers': rows})} {SECRET}. Done.")


def asked(folder: Path) -> list[tuple[str, Any, dict[str, Any]]]:
    """Every task that has verdicts, each with what it needs."""
    output = {"mine": {"dam": small_corpus.OUTPUT}, "other": {"dam": small_corpus.REFERENCE}}
    return [
        ("link", small_corpus.write_stream(folder / "stream.jsonl"), {}),
        ("nuggets", output, {"nuggets": small_corpus.write_nuggets(folder / "nuggets.jsonl")}),
        ("pairs", output, {"references": {"dam": [small_corpus.REFERENCE]}}),
        ("facts", output, {"documents": small_corpus.write_articles(folder / "corpus")}),
    ]


def test_a_redacted_cache_has_no_text_and_replays_to_the_same_bytes(tmp_path: Path) -> None:
    cache, bare = tmp_path / "whole.sqlite", tmp_path / "bare.sqlite"
    jobs = asked(tmp_path)

    def judge(cache: Path, folder: str, url: str | None) -> list[bytes]:
        options = cs.RequestOptions(cache=cache, offline=url is None, confidence=False, batch=1)
        written = []
        for task, given, more in jobs:
            out = tmp_path / f"{folder}-{task}.jsonl"
            cs.judge(task, given, model="m", endpoint=url, output=out, options=options, **more)
            written.append(out.read_bytes())
        return written

    with serving(chatty) as server:
        first = judge(cache, "first", server.url)
    assert SECRET.encode() in cache.read_bytes()
    counts = redact(cache, bare)
    # On a busy machine a request may be sent twice; it has one answer.
    assert counts.answers == len({json.dumps(body) for body in server.bodies})
    assert b"harbour" not in bare.read_bytes()
    assert judge(cache, "whole", None) == first
    assert judge(bare, "bare", None) == first
    assert any(b"abstention" in one for one in first)


def test_proposed_nuggets_stay_and_are_counted(run: Any, tmp_path: Path) -> None:
    cache, bare = tmp_path / "whole.sqlite", tmp_path / "bare.sqlite"
    given: dict[str, Any] = {"make": True, "model": "m"}
    references = {"dam": [small_corpus.REFERENCE]}
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    with serving(lambda _n, body: Said(f"<think>{SECRET}</think>{answer(body)}")) as server:
        options = cs.RequestOptions(cache=cache, endpoint=server.url)
        cs.judge("nuggets", references, output=first, options=options, **given)
    said = run("judge redact", cache, "-o", bare).err
    assert "1 answer without reasons and prose; 1 propose nuggets, whose texts stay" in said
    offline = cs.RequestOptions(cache=bare, offline=True)
    cs.judge("nuggets", references, output=second, options=offline, **given)
    assert first.read_bytes() == second.read_bytes()
    assert b"harbour" not in bare.read_bytes()
    assert "name a new file" in run("judge redact", cache, "-o", bare, code=2).err


def test_caches_of_earlier_versions_are_read_and_brought_up_to_date(tmp_path: Path) -> None:
    """There, the answer to a repair is kept under the whole request."""
    stream = small_corpus.write_stream(tmp_path / "stream.jsonl")
    new, old, bare = (tmp_path / f"{name}.sqlite" for name in ("new", "old", "bare"))

    def second_time(number: int, body: Body) -> Said:
        return Said(answer(body)) if number else Said("Sure!")

    with serving(second_time) as server:
        options = cs.RequestOptions(cache=new, endpoint=server.url)
        first = cs.judge("link", stream, model="m", options=options)
    shutil.copy(new, old)
    with sqlite3.connect(old) as connection:
        key = request_key(server.bodies[1])
        connection.execute("update answers set request = ? where text != 'Sure!'", (key,))
        connection.execute("pragma user_version = 1")
    connection.close()

    def replay(cache: Path, **more: Any) -> list[Any]:
        options = cs.RequestOptions(cache=cache, **more)
        return [*cs.judge("link", stream, model="m", options=options).rows()]

    assert replay(old, offline=True) == first.rows()
    with pytest.warns(ChronoscoreWarning, match="recorded by an earlier version"):
        redact(old, bare)
    with pytest.raises(DataError, match="no answer"):
        replay(bare, offline=True)
    bare.unlink()
    assert replay(old, endpoint="http://127.0.0.1:9/v1") == first.rows(), "nothing is sent"
    with pytest.warns(ChronoscoreWarning):
        redact(old, bare)
    assert replay(bare, offline=True) == first.rows()


def test_timelines_that_a_model_wrote_are_not_redacted(tmp_path: Path) -> None:
    cache = tmp_path / "a.sqlite"
    with AnswerCache(cache) as answers:
        timeline = {"timeline": [{"date": "2031-03-03", "sentences": ["The dam broke."]}]}
        answers.put(b"key", Reply(json.dumps(timeline)))
    with pytest.raises(DataError, match="holds timelines that a model wrote"):
        redact(cache, tmp_path / "b.sqlite")
    assert not (tmp_path / "b.sqlite").exists()
    with pytest.raises(UsageError, match="name a new file"):
        redact(cache, cache)
