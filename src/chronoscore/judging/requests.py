"""Requests to an endpoint: the answer is taken from the cache, or sent for and kept at once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock
from typing import Any

from chronoscore.errors import DataError
from chronoscore.judging.cache import AnswerCache, Reply, repair_key, request_key
from chronoscore.judging.counts import RequestCounts
from chronoscore.judging.endpoint import OPTIONAL, Client, Endpoint, FieldRefusedError
from chronoscore.judging.limits import Budget, request_tokens, text_tokens
from chronoscore.judging.prompts import Prompt, Question
from chronoscore.options.judging import RequestOptions

NOTES = {"no schema": "response_format", "no temperature": "temperature"}
"""How the cache notes that an endpoint refuses a field of the request."""


@dataclass(frozen=True)
class RequestForm:
    """Which optional fields requests have; an endpoint that refuses one never gets it again."""

    fields: frozenset[str] = frozenset(OPTIONAL)

    def without(self, field: str) -> "RequestForm":
        """The form that leaves one out."""
        return RequestForm(self.fields - {field})


class Requester:
    """A model, the endpoint it is asked at, and the answers that are known."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint | None,
        options: RequestOptions,
        announce: Callable[[str], None],
    ) -> None:
        self.model = model
        self.options = options
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

    def key(self, prompt: Prompt, vote: int, form: RequestForm | None = None) -> bytes:
        """Where the cache has the answer to a request; to a repair, by what it repairs."""
        plain = replace(prompt, turns=())
        key = request_key(self.body(plain, vote, form))
        return repair_key(key) if prompt.turns else key

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

    def earlier(self, prompt: Prompt, vote: int) -> Reply | None:
        """The answer to a repair where earlier versions kept it: under the whole request."""
        reply = self.cache.get(request_key(self.body(prompt, vote))) if prompt.turns else None
        if reply is not None and not self.options.offline:
            self.cache.put(self.key(prompt, vote), reply)
        return reply

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
