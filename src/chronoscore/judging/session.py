"""Questions put to an endpoint: from the cache or over the network, several at a time.

Every answer is kept as soon as it comes, so that a run that was stopped goes on where it was.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from chronoscore.errors import DataError, UsageError
from chronoscore.judging.answers import REFUSED
from chronoscore.judging.cache import AnswerCache, Reply, repair_key, request_key
from chronoscore.judging.counts import RequestCounts, RequestEstimate, Watch
from chronoscore.judging.endpoint import (
    OPTIONAL,
    REFUSAL,
    TOO_LONG,
    Client,
    Endpoint,
    FieldRefusedError,
)
from chronoscore.judging.limits import Budget, request_tokens, text_tokens
from chronoscore.judging.questions import Prompt, Question, Reading, arrange
from chronoscore.options.judging import RequestOptions

NOTES = {"no schema": "response_format", "no temperature": "temperature"}
"""How the cache notes that an endpoint refuses a field of the request."""
UNUSABLE = {
    TOO_LONG: "the answer is longer than 1 MiB",
    REFUSAL: REFUSED,
    "length": "the answer was cut off",
    "content_filter": "the endpoint withheld the answer (content filter)",
}
"""What is wrong with an answer that ended for one of these reasons."""


@dataclass(frozen=True)
class RequestForm:
    """Which optional fields requests have; an endpoint that refuses one never gets it again."""

    fields: frozenset[str] = frozenset(OPTIONAL)

    def without(self, field: str) -> "RequestForm":
        """The form that leaves one out."""
        return RequestForm(self.fields - {field})


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
        self.form = RequestForm()
        self.budget = Budget(options)
        self.pending: dict[bytes, Event] = {}
        self.client = None if endpoint is None else Client(endpoint, announce)
        self.cache: AnswerCache

    @property
    def temperature_refused(self) -> bool:
        """Whether the endpoint takes no temperature, so that it used its own."""
        return self.options.temperature is not None and "temperature" not in self.form.fields

    def body(self, prompt: Prompt, vote: int, form: RequestForm | None = None) -> dict[str, Any]:
        """A request, as far as the endpoint takes it; each of several votes has its own seed."""
        fields = (form or self.form).fields
        body: dict[str, Any] = {"model": self.model, "messages": prompt.messages()}
        if self.options.temperature is not None and "temperature" in fields:
            body["temperature"] = self.options.temperature
        if self.options.votes > 1 or self.options.seed is not None:
            body["seed"] = (self.options.seed or 0) + vote
        if prompt.schema is not None and "response_format" in fields:
            schema = {"name": "answer", "strict": True, "schema": prompt.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def ask_all(self, questions: Sequence[Question]) -> list[list[Reading]]:
        """The readings of each question, one for each vote."""
        votes = self.options.votes
        self.counts = RequestCounts(questions=len(questions) * votes)
        readings: list[list[Reading]] = [[Reading({})] * votes for _ in questions]
        missing: list[tuple[int, int]] = []
        try:
            with AnswerCache(self.options.cache_file, read_only=self.options.offline) as self.cache:
                for number, given in enumerate(questions):
                    for vote in range(votes):
                        question = self.arrange(given, vote)
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

    def arrange(self, question: Question, vote: int) -> Question:
        """A question as one vote is asked it: its items in an order of the vote's own."""
        return arrange(question, self.options.seed or 0, vote)

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
            readings[number][vote] = self.ask(self.arrange(questions[number], vote), vote)
            self.step(readings[number][vote])
        waiting: SimpleQueue[tuple[int, int]] = SimpleQueue()
        answered: SimpleQueue[tuple[int, int, Reading | Exception]] = SimpleQueue()
        for job in missing[1:]:
            waiting.put(job)

        def work() -> None:
            while self.client is not None and not self.client.stopped.is_set():
                try:
                    number, vote = waiting.get_nowait()
                    question = self.arrange(questions[number], vote)
                    answered.put((number, vote, self.ask(question, vote)))
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
        reply = known or self.answer(question.prompt, vote)
        reading = _read_reply(question, reply)
        if not reading.problems:
            return reading
        with self.lock:
            self.counts.repaired += 1
        again = self.answer(self.repair(question, reply), vote)
        return reading.corrected_by(_read_reply(question, again))

    def repair(self, question: Question, reply: Reply) -> Prompt:
        """The request that tells a model what is wrong with its answer."""
        problems = _read_reply(question, reply).problems
        wrong = "; ".join(dict.fromkeys(problems.values()))[:500]
        advice = (
            f"This answer cannot be used: {wrong}. Answer all items again, "
            "with nothing but the JSON object that was asked for."
        )
        return replace(question.prompt, turns=(reply.text, advice))

    def answer(self, prompt: Prompt, vote: int) -> Reply:
        """The answer to a request, without the fields that the endpoint turns out to refuse."""
        refused: list[tuple[bytes, str]] = []
        while True:
            form = self.form
            try:
                reply = self.request(prompt, vote)
            except FieldRefusedError as refusal:
                note = next(note for note, field in NOTES.items() if field == refusal.field)
                refused.append((self.key(prompt, vote, form), note))
            else:
                note = reply.finish
                if note not in NOTES:
                    break
            self.form = self.form.without(NOTES[note])
        # Only now is it sure that these fields were what the endpoint refused.
        for key, note in refused:
            self.cache.put(key, Reply("", note))
        return reply

    def key(self, prompt: Prompt, vote: int, form: RequestForm | None = None) -> bytes:
        """Where the cache has the answer to a request; to a repair, by what it repairs."""
        plain = replace(prompt, turns=())
        key = request_key(self.body(plain, vote, form))
        return repair_key(key) if prompt.turns else key

    def earlier(self, prompt: Prompt, vote: int) -> Reply | None:
        """The answer to a repair where earlier versions kept it: under the whole request."""
        reply = self.cache.get(request_key(self.body(prompt, vote))) if prompt.turns else None
        if reply is not None and not self.options.offline:
            self.cache.put(self.key(prompt, vote), reply)
        return reply

    def request(self, prompt: Prompt, vote: int) -> Reply:
        """The answer that is known, or that the endpoint gives now; nothing is sent twice."""
        body, key = self.body(prompt, vote), self.key(prompt, vote)
        while True:
            known = self.cache.get(key) or self.earlier(prompt, vote)
            if known is not None:
                with self.lock:
                    self.counts.cached += known.finish not in NOTES
                return known
            with self.lock:
                under_way = self.pending.get(key)
                if under_way is None:
                    self.pending[key] = Event()
            if under_way is None:
                break
            under_way.wait()
        try:
            return self.send(key, body, prompt.expected)
        finally:
            with self.lock:
                self.pending.pop(key).set()

    def send(self, key: bytes, body: dict[str, Any], expected: int) -> Reply:
        """Ask the endpoint and keep what it answers."""
        if self.client is None or self.options.offline:
            raise self.not_recorded(1)
        size = request_tokens(body)
        reserved = self.budget.reserve(size + expected, self.counts)
        used = None
        try:
            reply = self.client.send(body)
            if not reply.tokens:
                written = text_tokens(reply.text)
                reply = replace(reply, prompt_tokens=size, answer_tokens=written)
            used = reply.tokens
        finally:
            self.budget.settle(reserved, size + expected, used)
        self.cache.put(key, reply)
        with self.lock:
            self.counts.tokens += reply.tokens
            self.counts.answer_tokens += reply.answer_tokens
        return reply

    def estimate(self, questions: Sequence[Question]) -> RequestEstimate:
        """What a run would send now, without sending anything."""
        requests = cached = tokens = answers = 0
        path = self.options.cache_file
        there = path is not None and path.is_file()
        with AnswerCache(path if there else None, read_only=there) as self.cache:
            for given in questions:
                for vote in range(self.options.votes):
                    question = self.arrange(given, vote)
                    if self.known(question, vote) is not None:
                        cached += 1
                        continue
                    requests += 1
                    prompt = question.prompt
                    tokens += request_tokens(self.body(prompt, vote))
                    answers += prompt.expected
        return RequestEstimate(
            requests, cached, tokens, answers, self.options.cost(tokens, answers)
        )

    def known(self, question: Question, vote: int) -> Reply | None:
        """The answer to a question that the cache has, in the form that the endpoint takes."""
        prompt = question.prompt
        reply = self.cache.get(request_key(self.body(prompt, vote)))
        while reply is not None and reply.finish in NOTES:
            self.form = self.form.without(NOTES[reply.finish])
            reply = self.cache.get(request_key(self.body(prompt, vote)))
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
    if reply.finish in UNUSABLE:
        return Reading({}, dict.fromkeys(question.asked, UNUSABLE[reply.finish]))
    return question.read(reply.text)
