"""A language model that writes timelines or summaries, through the judge's client and cache."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from chronoscore.core import Document, Output, Topic
from chronoscore.errors import DataError, warn
from chronoscore.judging.limits import LETTERS_PER_TOKEN
from chronoscore.judging.prompts import Prompt, Reading, answer_schema, enclose
from chronoscore.judging.rubrics import RULES
from chronoscore.judging.session import open_session
from chronoscore.options.judging import RequestOptions
from chronoscore.systems.material import publication_order_key
from chronoscore.systems.user_systems import UserSystem, read_answer

TIMELINE = """
Write a timeline of the topic from the news articles in the data: the most important events, each
under the date on which it happened, told in sentences of your own that can be understood alone. Use
nothing but the articles. Where the data say how many dates and sentences are asked for, and the
first and last day, keep to them.

Answer as JSON:
{"timeline": [{"date": "YYYY-MM-DD", "sentences": ["…"]}]}
"""
SUMMARY = """
Write a summary of the topic from the news articles in the data, in as many words as the data ask
for. Use nothing but the articles. Answer with the summary alone, one sentence on a line.
"""


@dataclass(frozen=True, kw_only=True)
class LanguageModel(UserSystem):
    """A model at an OpenAI-compatible endpoint that is shown the articles.

    `context` is how many tokens of articles are shown; from longer topics the first sentences
    of each article are taken.
    """

    name: ClassVar[str] = "llm"
    line: ClassVar[str] = "a language model writes it from the articles (needs the extra judge)"
    model: str = ""
    temperature: float | None = 0.0
    context: int = 24_000
    endpoint: str | None = field(default=None, repr=False)
    cache: str | None = field(default=None, repr=False)
    offline: bool = field(default=False, repr=False)

    @property
    def options(self) -> RequestOptions:
        """How the model is asked."""
        return RequestOptions(
            endpoint=self.endpoint,
            temperature=self.temperature,
            seed=None if self.seed == 1 else self.seed,
            cache=self.cache,
            offline=self.offline,
        )

    def check(self) -> None:
        """Refuse to begin without a model and an endpoint."""
        open_session(self.model, self.options)

    def ask(self, topic: Topic, length: Mapping[str, int | str], seconds: float | None) -> Any:
        """Ask for the output, once more if it cannot be read."""
        question = WritingQuestion(topic, {**length}, self.context)
        session = open_session(self.model, self.options)
        ((reading,),) = session.ask_all([question])
        if topic.id not in reading.values:
            raise DataError(f"the model's answer cannot be used: {reading.problems[topic.id]}")
        return reading.values[topic.id]


@dataclass(frozen=True)
class WritingQuestion:
    """A request for the timeline or summary of one topic."""

    topic: Topic
    length: Mapping[str, int | str]
    context: int

    @property
    def asked(self) -> Sequence[str]:
        """The topic."""
        return [self.topic.id]

    @property
    def summary(self) -> bool:
        """Whether a summary is asked for."""
        return "words" in self.length

    @cached_property
    def prompt(self) -> Prompt:
        """The articles, and what is asked for."""
        wanted = {name: value for name, value in self.length.items() if name != "seed"}
        data = {
            "topic": self.topic.title or self.topic.id,
            **wanted,
            "articles": shown_articles(self.topic, self.context * LETTERS_PER_TOKEN),
        }
        if self.summary:
            return Prompt(f"{RULES}\n{SUMMARY.strip()}", enclose(data), None)
        fields = {
            "date": {"type": "string"},
            "sentences": {"type": "array", "items": {"type": "string"}},
        }
        schema = answer_schema("timeline", fields)
        return Prompt(f"{RULES}\n{TIMELINE.strip()}", enclose(data), schema)

    def read(self, answer: str) -> Reading:
        """The output, in any format that is read as one."""
        place = f"the answer for topic '{self.topic.id}'"
        try:
            written = answer.rpartition("</think>")[2]
            output: Output = read_answer(written, place, summary=self.summary)
        except DataError as error:
            return Reading({}, {self.topic.id: str(error)})
        return Reading({self.topic.id: output})


def shown_articles(topic: Topic, letters: int) -> list[dict[str, str]]:
    """The articles in order of time, cut to their first sentences where they are too long."""
    documents = sorted((one for one in topic.documents if one.sentences), key=publication_order_key)
    if not documents:
        raise DataError(
            "there are no documents with text; give some to summarize", place=f"topic '{topic.id}'"
        )
    longest = max(len(document.sentences) for document in documents)
    for count in sorted({longest, 40, 20, 10, 5, 3, 2, 1}, reverse=True):
        shown = [_show_article(document, count) for document in documents]
        if count <= longest and sum(len(one["text"]) for one in shown) <= letters:
            break
    total = sum(len(one["text"]) for one in shown)
    if total > letters:
        # Even the first sentences are too many: take articles at equal steps.
        step = -(-total // max(1, letters))
        shown = shown[::step]
    if count < longest:
        warn(
            f"topic '{topic.id}': {len(documents)} articles do not fit; the model is shown the "
            f"first {count} sentences of {len(shown)} (context)",
            kind="cut-prompt",
        )
    return shown


def _show_article(document: Document, count: int) -> dict[str, str]:
    """An article with its date and title, and its first sentences."""
    text = " ".join(sentence.text for sentence in document.sentences[:count])
    when = {"date": str(document.when)} if document.when else {}
    title = {"title": document.title} if document.title else {}
    return {**when, **title, "text": text}
