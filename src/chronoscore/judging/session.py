"""Questions put to an endpoint, several at a time: votes, repairs, and what is read from answers.

Every answer is kept as soon as it comes, so that a run that was stopped goes on where it was.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread

from chronoscore.errors import UsageError
from chronoscore.judging.answers import REFUSED
from chronoscore.judging.cache import AnswerCache, Reply
from chronoscore.judging.counts import RequestCounts, RequestEstimate, Watch
from chronoscore.judging.endpoint import REFUSAL, TOO_LONG, Endpoint
from chronoscore.judging.limits import request_tokens
from chronoscore.judging.prompts import Prompt, Question, Reading
from chronoscore.judging.questions import arrange
from chronoscore.judging.requests import Requester
from chronoscore.options.judging import RequestOptions

UNUSABLE = {
    TOO_LONG: "the answer is longer than 1 MiB",
    REFUSAL: REFUSED,
    "length": "the answer was cut off",
    "content_filter": "the endpoint withheld the answer (content filter)",
}
"""What is wrong with an answer that ended for one of these reasons."""


class Session(Requester):
    """Asks all questions of a job, and counts what is done."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint | None,
        options: RequestOptions,
        *,
        announce: Callable[[str], None],
        watch: Watch | None = None,
    ) -> None:
        super().__init__(model, endpoint, options, announce)
        self.watch = watch

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
