"""The client and the cache against a real server: what fails, what is sent, what is kept."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreError, DataError, StoppedError, UsageError
from chronoscore.judging.endpoint import KEYS, parse_retry_after
from judging import small_corpus
from judging.chat_server import Body, Said, answer, good, serving

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*has no (header or )?footer:chronoscore.ChronoscoreWarning"
)
KEY = "sk-very-secret-0123456789"
OFF = cs.RequestOptions(retries=0)


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    return small_corpus.write_stream(tmp_path / "stream.jsonl")


@pytest.mark.slow
def test_after_429_and_500_and_an_answer_cut_off_the_request_is_sent_again(stream: Path) -> None:
    trouble = [
        Said(status=429, headers={"Retry-After": "0"}),
        Said(status=500),
        Said("x", cut=True),
    ]

    def recovering(number: int, body: Body) -> Said:
        return trouble[number] if number < len(trouble) else good(number, body)

    with serving(recovering) as server:
        result = cs.judge("link", stream, model="m", endpoint=server.url)
    assert (len(server.bodies), server.different) == (4, 1)
    assert (result.counts.retried, result.abstained) == (3, 0)


@pytest.mark.slow
def test_retry_after_is_honored(stream: Path) -> None:
    times: list[float] = []

    def busy(number: int, body: Body) -> Said:
        times.append(monotonic())
        return good(number, body) if number else Said(status=429, headers={"Retry-After": "2"})

    with serving(busy) as server:
        cs.judge("link", stream, model="m", endpoint=server.url)
    assert times[1] - times[0] >= 2.0, "without the header the wait is at most one second"


def test_retry_after_may_be_a_date_and_nonsense_is_ignored() -> None:
    assert parse_retry_after("1.5") == 1.5
    assert parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert parse_retry_after("soon") is None
    assert parse_retry_after(None) is None


@pytest.mark.slow
def test_a_slow_answer_is_a_failure_that_is_tried_again(stream: Path) -> None:
    def slow(number: int, body: Body) -> Said:
        return Said(answer(body), wait=0.0 if number else 3.0)

    options = cs.RequestOptions(timeout=1.5)
    with serving(slow) as server:
        result = cs.judge("link", stream, model="m", endpoint=server.url, options=options)
    # On a busy machine the second answer may be late as well.
    assert result.counts.retried == len(server.bodies) - 1 >= 1
    assert (server.different, result.abstained) == (1, 0)


WRONG = b'{"error": {"message": "model \\u0007 nope"}}'
LATE = "did not answer within 0.5 seconds"


@pytest.mark.parametrize(
    ("said", "kind", "message"),
    [
        (Said(status=401), UsageError, r"wants a key \(401\); put it into CHRONOSCORE_API_KEY"),
        (Said(status=404, raw=WRONG), UsageError, r"does not know the model.*404: model nope"),
        (Said(status=400, raw=WRONG), UsageError, r"refuses the request \(400: model nope\)"),
        (Said(status=503), DataError, "answered 503; run again later, what was answered is kept"),
        (Said(status=503, headers={"Retry-After": "9999"}), DataError, "answered 503"),
        (Said(raw=b"<html>hello</html>"), DataError, "does not answer in the form of the chat"),
        (Said(raw=b'{"choices": []}'), DataError, "does not answer in the form of the chat"),
        (
            Said(raw=b'{"error": {"message": "no GPU"}}'),
            DataError,
            "answered with an error: no GPU",
        ),
        (Said("x", cut=True), DataError, "broke off its answer"),
        pytest.param(Said(wait=1.5), DataError, LATE, marks=pytest.mark.slow),
        pytest.param(Said("x" * 200, drip=0.05), DataError, LATE, marks=pytest.mark.slow),
    ],
)
def test_each_failure_is_one_sentence(
    said: Said, kind: type[ChronoscoreError], message: str, stream: Path
) -> None:
    options = cs.RequestOptions(retries=0, timeout=0.5 if said.wait or said.drip else 60)
    with (
        serving(lambda _number, _body: said) as server,
        pytest.raises(kind, match=message) as caught,
    ):
        cs.judge("link", stream, model="m", endpoint=server.url, options=options)
    assert "\n" not in str(caught.value)


def test_a_server_that_asks_for_hours_is_not_waited_for(stream: Path) -> None:
    busy = Said(status=429, headers={"Retry-After": "7200"})
    with (
        serving(lambda _number, _body: busy) as server,
        pytest.raises(DataError, match="asks to wait 7,200 seconds"),
    ):
        cs.judge("link", stream, model="m", endpoint=server.url)
    assert len(server.bodies) == 1


@pytest.mark.slow
def test_an_unreachable_host_is_said_soon(stream: Path) -> None:
    with serving() as server:
        url = server.url
    with pytest.raises(DataError, match=r"127\.0\.0\.1:\d+ cannot be reached"):
        cs.judge("link", stream, model="m", endpoint=url)


def test_texts_are_not_carried_to_another_host(
    stream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as elsewhere:
        away = Said(status=307, headers={"Location": f"{elsewhere.url}/chat/completions"})
        monkeypatch.setenv("http_proxy", elsewhere.url)
        monkeypatch.setenv("all_proxy", elsewhere.url)
        with (
            serving(lambda _number, _body: away) as server,
            pytest.raises(UsageError, match=r"redirects to 127.*name that one if you trust it"),
        ):
            cs.judge("link", stream, model="m", endpoint=server.url, options=OFF)
        assert len(server.bodies) == 1
        assert elsewhere.bodies == []


def test_the_cache_holds_answers_as_they_came_and_no_requests(stream: Path, tmp_path: Path) -> None:
    def thinking(_number: int, body: Body) -> Said:
        return Said(f"<think>The harbour was mentioned.</think>{answer(body)}")

    cache = tmp_path / "answers.sqlite"
    options = cs.RequestOptions(cache=cache)
    with serving(thinking) as server:
        cs.judge("link", stream, model="m", endpoint=server.url, options=options)
    kept = cache.read_bytes()
    assert b"The harbour was mentioned." in kept
    rows = [json.loads(line) for line in stream.read_text().splitlines()]
    texts = [row["text"] for row in rows if row.get("kind") == "sentence"]
    assert texts
    assert [text for text in texts if text.encode() in kept] == []


def test_answers_by_schema_are_asked_for_and_done_without_where_refused(
    stream: Path, tmp_path: Path
) -> None:
    def old(number: int, body: Body) -> Said:
        return Said(status=400) if "response_format" in body else good(number, body)

    def judge(url: str | None, *, offline: bool) -> cs.JudgeResult:
        options = cs.RequestOptions(cache=tmp_path / "answers.sqlite", offline=offline)
        return cs.judge("link", stream, model="m", endpoint=url, batch=1, options=options)

    with serving(old) as server:
        first = judge(server.url, offline=False)
    assert ["response_format" in body for body in server.bodies] == [True, *[False] * 4]
    schema = server.bodies[0]["response_format"]["json_schema"]
    assert schema["strict"] is True
    one = schema["schema"]["properties"]["answers"]["items"]["properties"]
    assert one["id"]["enum"] == ["i1"]
    assert one["events"]["items"]["enum"] == ["c1", "c2", "c3"]
    assert judge(None, offline=True).rows() == first.rows()


def test_votes_are_several_requests_and_the_majority_counts(stream: Path, tmp_path: Path) -> None:
    def fickle(_number: int, body: Body) -> Said:
        answers = json.loads(answer(body))["answers"]
        if body["seed"] == 0:
            answers[0]["events"], answers[2]["events"] = [], ["c1"]
        return Said("no idea") if body["seed"] == 3 else Said(json.dumps({"answers": answers}))

    options = cs.RequestOptions(votes=4, temperature=0.7, cache=tmp_path / "a.sqlite")
    with serving(fickle) as server:
        result = cs.judge("link", stream, model="m", endpoint=server.url, options=options)
    assert sorted(body["seed"] for body in server.bodies) == [0, 1, 2, 3, 3]
    assert {body["temperature"] for body in server.bodies} == {0.7}
    assert [row["event"] for row in result.rows()] == ["e1", "e2", "e3"]
    assert result.abstained == 0


def test_of_equally_many_votes_the_weakest_claim_counts(tmp_path: Path) -> None:
    def torn(_number: int, body: Body) -> Said:
        label = "support" if body["seed"] else "partial"
        return Said(json.dumps({"answers": [{"id": f"i{n}", "label": label} for n in (1, 2, 3)]}))

    with serving(torn) as server:
        result = cs.judge(
            "nuggets",
            {"mine": {"dam": small_corpus.OUTPUT}},
            nuggets=small_corpus.write_nuggets(tmp_path / "n.jsonl"),
            model="m",
            endpoint=server.url,
            options=cs.RequestOptions(votes=2, temperature=None),
        )
    assert "temperature" not in server.bodies[0]
    assert {row["label"] for row in result.rows() if "label" in row} == {"partial"}


@pytest.mark.parametrize("limit", [{"max_requests": 2}, {"max_tokens": 1}])
def test_a_limit_stops_cleanly_and_the_next_run_goes_on(
    limit: dict[str, Any], stream: Path, tmp_path: Path
) -> None:
    out = tmp_path / "judged.jsonl"
    if "max_tokens" in limit:
        # Answers take 110 tokens; the third request is the first for which there is no room.
        plan = cs.judge("link", stream, model="m", batch=1, dry_run=True).estimate
        assert plan is not None
        limit["max_tokens"] = (plan.tokens + plan.answer_tokens) // plan.requests + 165

    def judge(options: cs.RequestOptions) -> cs.JudgeResult:
        return cs.judge(
            "link", stream, model="m", endpoint=server.url, output=out, batch=1, options=options
        )

    with serving() as server:
        with pytest.raises(StoppedError, match="of 4 requests done; run again with the same cache"):
            judge(cs.RequestOptions(concurrency=1, **limit))
        assert len(server.bodies) == 2
        assert not out.exists()
        result = judge(cs.RequestOptions())
        assert (len(server.bodies), server.different) == (4, 4)
    assert (result.counts.requests, result.counts.cached, result.counts.tokens) == (2, 2, 220)
    assert out.exists()


def test_tokens_are_estimated_where_the_server_does_not_count(stream: Path) -> None:
    with serving(lambda _number, body: Said(answer(body), usage=False)) as server:
        result = cs.judge("link", stream, model="m", endpoint=server.url)
    letters = len(answer(server.bodies[0])) + letters_of(server.bodies[0])
    assert result.counts.tokens == pytest.approx(letters / 4, abs=4)


def letters_of(body: Body) -> int:
    """The characters of a request: its messages and its schema."""
    schema = json.dumps(body.get("response_format", ""), separators=(",", ":"))
    return sum(len(one["content"]) for one in body["messages"]) + len(schema)


def test_a_dry_run_counts_and_sends_nothing(stream: Path, tmp_path: Path) -> None:
    options = cs.RequestOptions(cache=tmp_path / "answers.sqlite")
    given: dict[str, Any] = {"model": "m", "batch": 3, "options": options}
    with serving() as server:
        plan = cs.judge("link", stream, endpoint=server.url, dry_run=True, **given)
        assert server.bodies == []
        cs.judge("link", stream, endpoint=server.url, **given)
    assert plan.estimate is not None
    assert (plan.estimate.requests, plan.estimate.cached) == (2, 0)
    letters = sum(letters_of(body) for body in server.bodies)
    assert plan.estimate.tokens == pytest.approx(letters / 4, abs=6)
    written = sum(len(answer(body)) for body in server.bodies)
    assert written / 4 <= plan.estimate.answer_tokens <= written
    assert plan.estimate.cost is None
    again = cs.judge("link", stream, dry_run=True, **given)
    assert again.estimate == type(plan.estimate)(0, 2, 0)


def test_prices_make_the_estimate_money(run, stream):
    options = cs.RequestOptions(price="2,8")
    plan = cs.judge("link", stream, model="m", dry_run=True, options=options).estimate
    assert plan is not None
    expected = (2 * plan.tokens + 8 * plan.answer_tokens) / 1e6
    assert plan.cost == pytest.approx(expected)
    shown = run("judge link --model m --dry-run --price 2000,8000", stream).out
    assert f"{1000 * expected:,.2f}" in shown
    for wrong in ("2", "2,x", "2,-1", "2,inf", "1,2,3"):
        with pytest.raises(UsageError, match="write two prices of a million tokens"):
            cs.RequestOptions(price=wrong)


TEMPERATURE = b'{"error": {"message": "Unsupported value", "param": "temperature"}}'


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, TEMPERATURE),
        (400, b'{"error": {"message": "bad request"}}'),
        (
            422,
            b'{"detail": [{"loc": ["body", "temperature"], "msg": "extra fields not permitted"}]}',
        ),
        (500, b"Temperature must be 1"),
        (200, TEMPERATURE),
    ],
)
def test_a_temperature_that_is_refused_is_left_out_and_noted(
    status: int, message: bytes, stream: Path, tmp_path: Path
) -> None:
    def strict(number: int, body: Body) -> Said:
        if "temperature" in body:
            return Said(status=status, raw=message)
        return good(number, body)

    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    cache = tmp_path / "a.sqlite"
    with serving(strict) as server:
        options = cs.RequestOptions(cache=cache, temperature=0.3)
        result = cs.judge(
            "link", stream, model="m", endpoint=server.url, batch=1, output=first, options=options
        )
    refused = [body for body in server.bodies if "temperature" in body]
    named = b"emperature" in message
    assert (len(refused), len(server.bodies)) == ((1, 5) if named else (2, 6))
    assert ("response_format" in server.bodies[-1]) == named, "what is not named goes in turn"
    settings = result.settings["judge"]
    assert (settings["temperature"], settings["temperature_refused"]) == (None, 0.3)
    offline = cs.RequestOptions(cache=cache, offline=True, temperature=0.3)
    cs.judge("link", stream, model="m", batch=1, output=second, options=offline)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.slow
def test_tokens_are_reserved_before_a_request_is_sent(stream: Path) -> None:
    """Eight requests at a time, of which only as many leave as the limit has room for."""
    story = [f"Sentence number {n} about the Corvane dam that broke." for n in range(12)]
    small_corpus.write_stream(stream, story)
    plan = cs.judge("link", stream, model="m", batch=1, dry_run=True).estimate
    assert plan is not None
    each = (plan.tokens + plan.answer_tokens) / plan.requests
    options = cs.RequestOptions(max_tokens=round(3.5 * each), concurrency=8)

    def uncounted(_number: int, body: Body) -> Said:
        return Said(answer(body), usage=False, wait=0.1)

    with (
        serving(uncounted) as server,
        pytest.raises(StoppedError, match="which the next request could exceed"),
    ):
        cs.judge("link", stream, model="m", endpoint=server.url, batch=1, options=options)
    assert len(server.bodies) == 3
    small = cs.RequestOptions(max_tokens=round(each / 2))
    with serving() as server, pytest.raises(StoppedError, match="with 0 of 12 requests done"):
        cs.judge("link", stream, model="m", endpoint=server.url, batch=1, options=small)
    assert server.bodies == []


def test_a_run_without_any_verdict_exits_with_1(run, stream, tmp_path):
    out = tmp_path / "judged.jsonl"
    with serving(lambda _number, _body: Said("I'm sorry, but I can't help with that.")) as server:
        asked = ("judge link --model m", stream, "-o", out, "--endpoint", server.url)
        said = run(*asked, code=1).err
    assert "4 abstentions (4 because the model refused to answer)" in said
    assert "no item was judged" in said
    assert out.exists()


def test_a_finished_run_replays_offline_to_the_same_bytes(stream: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    cache = tmp_path / "first.answers.sqlite"
    with serving() as server:
        cs.judge("link", stream, model="m", endpoint=server.url, output=first, batch=1)
    cache.chmod(0o444)
    offline = cs.RequestOptions(cache=cache, offline=True)
    cs.judge("link", stream, model="m", output=second, batch=1, options=offline)
    assert first.read_bytes() == second.read_bytes()
    assert b"Corvane" not in cache.read_bytes(), "a cache holds no text that was judged"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "other"}, "no answer to 4 of 4 requests"),
        ({"batch": 2}, "no answer to 2 of 2 requests"),
        ({"story": ["The dam broke.", *small_corpus.STORY[1:]]}, "no answer to 1 of 4 requests"),
    ],
)
def test_offline_another_version_of_the_stories_or_options_is_refused(
    change: dict[str, Any], message: str, stream: Path, tmp_path: Path
) -> None:
    options = cs.RequestOptions(cache=tmp_path / "a.sqlite")
    with serving() as server:
        cs.judge("link", stream, model="m", endpoint=server.url, batch=1, options=options)
    small_corpus.write_stream(stream, change.pop("story", None))
    given = {"model": "m", "batch": 1, **change}
    offline = cs.RequestOptions(cache=tmp_path / "a.sqlite", offline=True)
    with pytest.raises(DataError, match=f"{message}; give the texts, model and options"):
        cs.judge("link", stream, options=offline, **given)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda path: None, "no such cache"),
        (lambda path: path.write_text("not a database"), "cannot be used as a cache"),
        (lambda path: path.write_bytes(b""), "cannot be used as a cache"),
        (lambda path: path.mkdir(), "no such cache"),
    ],
)
def test_a_cache_that_is_none_is_refused(
    write: Callable[[Path], Any], message: str, stream: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    write(cache)
    options = cs.RequestOptions(cache=cache, offline=True)
    with pytest.raises(DataError, match=message):
        cs.judge("link", stream, model="m", options=options)


def run_command(arguments: list[str], **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "chronoscore", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.mark.slow
def test_a_killed_run_goes_on_without_sending_a_request_twice(stream: Path, tmp_path: Path) -> None:
    """The server stops answering after three requests; the process is killed and resumed."""
    story = [f"Sentence number {n} about the Corvane dam that broke." for n in range(12)]
    small_corpus.write_stream(stream, story)
    killed, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    cache = tmp_path / "killed.answers.sqlite"
    hold = [True]

    def holding(number: int, body: Body) -> Said:
        while hold[0] and number >= 3:
            sleep(0.02)
        return good(number, body)

    with serving(holding) as server:
        common = ["judge", "link", str(stream), "--endpoint", server.url, "--model", "m"]
        common += ["--batch", "1", "--concurrency", "1"]
        process = run_command([*common, "-o", str(killed)])
        while len(server.bodies) < 4:
            assert process.poll() is None, process.communicate()[1]
            sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not killed.exists()
        answered = [json.dumps(body) for body in server.bodies[:3]]
        hold[0] = False
        del server.bodies[:]
        resumed = run_command([*common, "-o", str(killed)])
        assert resumed.wait() == 0, resumed.communicate()[1]
        resumed.communicate()
        sent = [json.dumps(body) for body in server.bodies]
        assert len(sent) == len(set(sent)) == 9
        assert not set(sent) & set(answered)
    assert cache.exists()
    offline = cs.RequestOptions(cache=cache, offline=True)
    cs.judge("link", stream, model="m", output=whole, batch=1, options=offline)
    assert killed.read_bytes() == whole.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 401, 400, 500])
def test_the_key_reaches_the_endpoint_and_nothing_else(
    status: int, stream: Path, tmp_path: Path
) -> None:
    """A server that repeats the key wherever it can, and every byte that the command leaves."""

    def leaking(_number: int, body: Body) -> Said:
        if status != 200:
            message = {"error": {"message": f"wrong key {KEY}", "code": KEY}}
            return Said(status=status, raw=json.dumps(message).encode())
        return Said(answer(body) if body["messages"][-1]["role"] != "user" else f"{KEY} says hello")

    folder = tmp_path / "work"
    folder.mkdir()
    rest = ["-o", str(folder / "judged.jsonl"), "--retries", "1"]
    with serving(leaking) as server:
        process = run_command(
            ["judge", "link", str(stream), "--endpoint", server.url, "--model", "m", *rest],
            OPENAI_API_KEY=KEY,
            OPENAI_LOG="debug",
            HOME=str(folder),
        )
        printed, said = process.communicate()
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert process.returncode == {200: 1, 401: 2, 400: 2, 500: 3}[status], said
    assert KEY not in printed + said
    assert "texts go to 127.0.0.1" in said
    assert "key from OPENAI_API_KEY" in said
    assert any(folder.iterdir()), "at least the cache is there"
    for path in folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


def test_the_host_is_named_before_the_first_request(stream: Path) -> None:
    said: list[str] = []

    def watching(number: int, body: Body) -> Said:
        assert said, "nothing was said before the first request"
        return good(number, body)

    with serving(watching) as server:
        cs.judge("link", stream, model="m", endpoint=server.url, announce=said.append)
    assert said == [f"texts go to 127.0.0.1:{server.server_port} (model 'm', no key)"]


def test_names_of_another_account_are_not_sent(
    stream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    with serving() as server:
        cs.judge("link", stream, model="m", endpoint=server.url)
    assert "org-1" not in str(server.headers)
    assert "proj-1" not in str(server.headers)


def test_the_command_prints_progress_and_exits_by_its_codes(run, stream, tmp_path):
    out = tmp_path / "judged.jsonl"
    asked = ("judge link --model m --batch 2", stream)
    with serving() as server:
        run(*asked, "-o", out, code=2)
        assert "name it with -o" in run(*asked, "--endpoint", server.url, code=2).err
        asked = (*asked, "-o", out)
        stopped = run(*asked, "--endpoint", server.url, "--max-requests", "1", code=1)
        assert "stopped at --max-requests 1" in stopped.err
        said = run(*asked, "--endpoint", server.url).err
        assert "2 of 2 requests" in said
        assert "1 from the cache, 0 failures, 0 repairs, 110 tokens" in said
        assert f"4 of 4 items judged, 0 abstentions; written to {out}" in said
    run(*asked, "--offline")
    run(*asked, "--offline", "--votes", "2", code=3)
    run(*asked, "--offline", "--temperature", "hot", code=2)
