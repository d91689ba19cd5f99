"""Questions put to an endpoint: from the cache or over the network, several at a time.

Every answer is kept as soon as it comes, so that a run that was stopped goes on where it was.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from chronoscore.errors import DataError, StoppedError, UsageError
from chronoscore.judging.cache import AnswerCache, Reply, request_key
from chronoscore.judging.counts import RequestCounts, RequestEstimate, Watch
from chronoscore.judging.endpoint import TOO_LONG, Client, Endpoint, SchemaRefusedError
from chronoscore.judging.questions import Question, Reading
from chronoscore.options.judging import RequestOptions

NO_SCHEMA = "no schema"
"""How the cache notes that an endpoint refuses answers by JSON schema."""
CUT_OFF = ("length", "content_filter")
LETTERS_PER_TOKEN = 4


class Session:
    """A model, the endpoint it is asked at, and the answers that are known."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint | None,
        options: RequestOptions,
        *,
        announce: Callable[[str], None],
        watch: Watch | None = None,
    ) -> None:
        self.model = model
        self.options = options
        self.watch = watch
        self.counts = RequestCounts()
        self.lock = Lock()
        self.by_schema = True
        """Whether the endpoint offers answers by JSON schema, until it says that it does not."""
        self.pending: dict[bytes, Event] = {}
        self.client = None if endpoint is None else Client(endpoint, announce)
        self.cache: AnswerCache

    def body(self, messages: Sequence[Any], vote: int, schema: Any = None) -> dict[str, Any]:
        """A request; of several votes each has a seed of its own."""
        body: dict[str, Any] = {"model": self.model, "messages": [*messages]}
        if self.options.temperature is not None:
            body["temperature"] = self.options.temperature
        if self.options.votes > 1 or self.options.seed is not None:
            body["seed"] = (self.options.seed or 0) + vote
        if schema is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body

    def ask_all(self, questions: Sequence[Question]) -> list[list[Reading]]:
        """The readings of each question, one for each vote."""
        votes = self.options.votes
        self.counts = RequestCounts(questions=len(questions) * votes)
        readings: list[list[Reading]] = [[Reading({})] * votes for _ in questions]
        missing: list[tuple[int, int]] = []
        try:
            with AnswerCache(self.options.cache_file, read_only=self.options.offline) as self.cache:
                for number, question in enumerate(questions):
                    for vote in range(votes):
                        known = self.known(question, vote)
                        if known is None:
                            missing.append((number, vote))
                            continue
                        readings[number][vote] = self.ask(question, vote, known)
                        self.step(readings[number][vote])
                if missing and (self.client is None or self.options.offline):
                    raise self.not_recorded(len(missing))
                self.ask_missing(questions, missing, readings)
        finally:
            if self.client is not None:
                self.client.close()
        return readings

    def ask_missing(
        self,
        questions: Sequence[Question],
        missing: Sequence[tuple[int, int]],
        readings: list[list[Reading]],
    ) -> None:
        """Ask the endpoint, several questions at a time.

        Threads that are waiting for an answer do not keep an interrupted process alive.
        """
        # The first alone: it shows whether there is an endpoint, and what it offers.
        for number, vote in missing[:1]:
            readings[number][vote] = self.ask(questions[number], vote)
            self.step(readings[number][vote])
        waiting: SimpleQueue[tuple[int, int]] = SimpleQueue()
        answered: SimpleQueue[tuple[int, int, Reading | Exception]] = SimpleQueue()
        for job in missing[1:]:
            waiting.put(job)

        def work() -> None:
            while self.client is not None and not self.client.stopped.is_set():
                try:
                    number, vote = waiting.get_nowait()
                    answered.put((number, vote, self.ask(questions[number], vote)))
                except Empty:
                    return
                except Exception as error:
                    answered.put((number, vote, error))

        count = min(self.options.concurrency, len(missing[1:]))
        threads = [Thread(target=work, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        try:
            for _ in missing[1:]:
                number, vote, outcome = answered.get()
                if isinstance(outcome, Exception):
                    raise outcome
                readings[number][vote] = outcome
                self.step(outcome)
        except Exception:
            # What is under way may still be answered and kept; nothing new is begun.
            if self.client is not None:
                self.client.stopped.set()
            for thread in threads:
                thread.join()
            raise

    def step(self, reading: Reading) -> None:
        """Count a question that is done, and tell who watches."""
        self.counts.done += 1
        self.counts.invented += reading.invented
        self.counts.retried = self.client.retried if self.client else 0
        if self.watch:
            self.watch(self.counts)

    def ask(self, question: Question, vote: int, known: Reply | None = None) -> Reading:
        """Put one question, once more if the answer cannot be used as it is."""
        reply = known or self.answer(question.prompt.messages(), vote, question.prompt.schema)
        reading = _read_reply(question, reply)
        if not reading.problems:
            return reading
        with self.lock:
            self.counts.repaired += 1
        again = self.answer(self.repair(question, reply), vote, question.prompt.schema)
        return reading.corrected_by(_read_reply(question, again))

    def repair(self, question: Question, reply: Reply) -> list[dict[str, str]]:
        """The messages that tell a model what is wrong with its answer."""
        problems = _read_reply(question, reply).problems
        wrong = "; ".join(dict.fromkeys(problems.values()))[:500]
        return [
            *question.prompt.messages(),
            {"role": "assistant", "content": reply.text},
            {
                "role": "user",
                "content": f"This answer cannot be used: {wrong}. Answer all items again, "
                "with nothing but the JSON object that was asked for.",
            },
        ]

    def answer(self, messages: Sequence[Any], vote: int, schema: Any) -> Reply:
        """The answer to a request, by schema where the endpoint offers that."""
        if self.by_schema:
            body = self.body(messages, vote, schema)
            try:
                reply = self.request(body)
            except SchemaRefusedError:
                reply = None
            if reply is not None and reply.finish != NO_SCHEMA:
                return reply
            self.by_schema = False
            plain = self.request(self.body(messages, vote))
            if reply is None:
                # Only now is it sure that the schema was what the endpoint refused.
                self.cache.put(request_key(body), Reply("", NO_SCHEMA))
            return plain
        return self.request(self.body(messages, vote))

    def request(self, body: dict[str, Any]) -> Reply:
        """The answer that is known, or that the endpoint gives now; nothing is sent twice."""
        key = request_key(body)
        while True:
            known = self.cache.get(key)
            if known is not None:
                with self.lock:
                    self.counts.cached += known.finish != NO_SCHEMA
                return known
            with self.lock:
                under_way = self.pending.get(key)
                if under_way is None:
                    self.pending[key] = Event()
            if under_way is None:
                break
            under_way.wait()
        try:
            return self.send(key, body)
        finally:
            with self.lock:
                self.pending.pop(key).set()

    def send(self, key: bytes, body: dict[str, Any]) -> Reply:
        """Ask the endpoint and keep what it answers."""
        if self.client is None or self.options.offline:
            raise self.not_recorded(1)
        self.reserve()
        reply = self.client.send(body)
        if not reply.tokens:
            reply = replace(reply, prompt_tokens=_size_of(body), answer_tokens=_size_of(reply.text))
        self.cache.put(key, reply)
        with self.lock:
            self.counts.tokens += reply.tokens
        return reply

    def reserve(self) -> None:
        """Count a request that is about to be sent, or stop at a limit."""
        with self.lock:
            limits = (
                ("max_requests", self.options.max_requests, self.counts.requests),
                ("max_tokens", self.options.max_tokens, self.counts.tokens),
            )
            for name, limit, used in limits:
                if limit is not None and used >= limit:
                    raise StoppedError(
                        f"stopped at `{name}={limit}` with {self.counts.done:,} of "
                        f"{self.counts.questions:,} requests done; run again with the same "
                        "cache to continue"
                    )
            self.counts.requests += 1

    def estimate(self, questions: Sequence[Question]) -> RequestEstimate:
        """What a run would send now, without sending anything."""
        requests = cached = tokens = 0
        path = self.options.cache_file
        there = path is not None and path.is_file()
        with AnswerCache(path if there else None, read_only=there) as self.cache:
            for question in questions:
                for vote in range(self.options.votes):
                    if self.known(question, vote) is not None:
                        cached += 1
                        continue
                    requests += 1
                    tokens += _size_of(self.body(question.prompt.messages(), vote))
        return RequestEstimate(requests, cached, tokens)

    def known(self, question: Question, vote: int) -> Reply | None:
        """The answer to a question that the cache has, by schema or without."""
        prompt = question.prompt
        messages = prompt.messages()
        reply = None
        if self.by_schema:
            reply = self.cache.get(request_key(self.body(messages, vote, prompt.schema)))
            self.by_schema = reply is None or reply.finish != NO_SCHEMA
        if not self.by_schema:
            reply = self.cache.get(request_key(self.body(messages, vote)))
        self.counts.cached += reply is not None
        return reply

    def not_recorded(self, count: int) -> DataError:
        """What to say where an answer should be in the cache and is not."""
        return DataError(
            f"no answer to {count:,} of {self.counts.questions:,} requests; "
            "give the texts, model and options of the recorded run, or leave out `offline` to ask",
            place=self.options.cache,
        )


def open_session(
    model: str,
    options: RequestOptions,
    announce: Callable[[str], None] | None = None,
    watch: Watch | None = None,
    *,
    dry_run: bool = False,
) -> Session:
    """A session with an endpoint, which only what stays offline can do without."""
    if not model:
        raise UsageError('there is no model to ask; name one, such as `model="llama3.1"`')
    if options.endpoint is None and not options.offline and not dry_run:
        raise UsageError(
            "there is no endpoint to ask; give `endpoint`, such as http://localhost:11434/v1, "
            "or `offline=True` with a recorded cache"
        )
    if options.offline and options.cache is None:
        raise UsageError("`offline` takes answers from a cache; name it with `cache`")
    where = None
    if options.endpoint is not None:
        where = Endpoint(url=options.endpoint, timeout=options.timeout, retries=options.retries)
    return Session(model, where, options, announce=announce or _say_once, watch=watch)


_said: set[str] = set()


def _say_once(text: str) -> None:
    """Say on standard error who will read texts, once in a process."""
    if text not in _said:
        _said.add(text)
        print(text, file=sys.stderr)


def _read_reply(question: Question, reply: Reply) -> Reading:
    """What an answer says; one that is too long or was cut off says nothing."""
    reason = ""
    if reply.finish == TOO_LONG:
        reason = "the answer is longer than 1 MiB"
    elif reply.finish in CUT_OFF:
        reason = "the answer was cut off"
    if reason:
        return Reading({}, dict.fromkeys(question.asked, reason))
    return question.read(reply.text)


def _size_of(content: Any) -> int:
    """About how many tokens a request or a text is, where nobody counted."""
    if isinstance(content, str):
        return -(-len(content) // LETTERS_PER_TOKEN)
    return sum(_size_of(message["content"]) for message in content["messages"])
