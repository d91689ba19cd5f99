"""Explain a score: which dates were aligned, what they share, what was missed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from chronoscore.api.documents import add_document_argument
from chronoscore.api.inputs import check_reading_argument, parse_measure
from chronoscore.api.judged import Sources
from chronoscore.api.options import FORMATS, Compat
from chronoscore.api.results import Result, Section, save_result_plot, table_rows
from chronoscore.api.scoring import apply_measure_options, load_arguments_for_measure
from chronoscore.api.values import as_paths
from chronoscore.core import Collection, Row, Run, Timeline
from chronoscore.dates.forms import assume_day_month_order
from chronoscore.errors import DataError, UsageError, WrongTypeError, check_choice, describe_type
from chronoscore.formats.corpora.unreadable import ReadingRules
from chronoscore.formats.io.decoding import decode_as
from chronoscore.measures import Measure
from chronoscore.measures.languages import choose_languages, measure_for_topic
from chronoscore.measures.timelines.explain import aligned_days
from chronoscore.progress import track
from chronoscore.reports import explanation as report
from chronoscore.reports.page import card, html_document
from chronoscore.reports.rails import explanation_chooser, has_rails
from chronoscore.reports.rails import rails_data as draw_rails
from chronoscore.reports.tables import html_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class ExplanationResult(Result):
    """Where one system's score comes from, topic by topic."""

    system: str
    topics: tuple[str, ...]
    measure: Measure
    parts: tuple[Section, ...]
    rails: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By topic: the two timelines and their links, for a page to draw."""

    @property
    def heading(self) -> str:
        """The heading of the page."""
        where = f" on {self.topics[0]}" if len(self.topics) == 1 else ""
        return f"Why {self.system} scores as it does{where}"

    def __repr__(self) -> str:
        return (
            f"<ExplanationResult: {self.measure.title} of {self.system}; {', '.join(self.topics)}>"
        )

    def rows(self) -> list[Row]:
        """The rows of the tables, as they are shown."""
        return [row for table in self.tables() for row in table_rows(table)]

    def sections(self) -> tuple[Section, ...]:
        """A table for each topic, and the texts side by side for a notebook."""
        return self.parts

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw both timelines of each topic along one time axis, with their alignment."""
        from chronoscore.reports.alignment_plot import alignment_plot

        if not self.rails:
            raise UsageError(
                f"'{self.measure}' aligns no days to draw; draw align+ or the like, or write a "
                "page with -f html"
            )
        figure = alignment_plot(f"{self.measure.title} of {self.system}", self.rails)
        return save_result_plot(figure, path)

    def render(self, form: str = "table") -> str:
        """The result in a format; a page draws aligned timelines along one time axis."""
        if check_choice(form, FORMATS, "format") != "html" or not self.rails:
            return super().render(form)
        drawn = card(
            "Day by day",
            explanation_chooser([self.system], list(self.rails)),
            kind="long",
            anchor="why",
        )
        # The changes are drawn already.
        drawn_notes = {note for rails in self.rails.values() for note in _gains(rails)}
        tables = "".join(
            html_table(
                replace(one, notes=tuple(note for note in one.notes if note not in drawn_notes))
            )
            for one in self.tables()
        )
        folded = f"<details><summary>The same as a table</summary>{tables}</details>"
        data = {"explanations": {self.system: self.rails}, "missing": ""}
        return html_document(self.heading, drawn + card("", folded), self.measure.title, data)


def explain(
    system: Any,
    references: Any = None,
    measure: Any = "align+",
    *,
    topic: str | None = None,
    originals: Any = None,
    judgements: Any = None,
    units: Any = None,
    compat: Compat | None = None,
    reading: ReadingRules | None = None,
) -> ExplanationResult:
    """Show where a system's score comes from.

    For aligned timelines: which date is aligned with which, how far apart they are, what the
    two days share, and what each pair adds to recall, or to precision for a measure as
    `align+.p`. For ROUGE-N, concat and novelty: what each reference has that was found, and
    missed. For pairs: which sentence is matched with which. For dates: the nearest date to each.
    For nu, u and n: where each event is first mentioned; for pyramid: how much of each content
    unit is expressed; for nuggets: what the judges say about each.
    """
    chosen = apply_measure_options(parse_measure(measure), compat)
    rules = check_reading_argument(reading)
    sources = Sources(as_paths(judgements), as_paths(units))
    with decode_as(rules.encoding, rules.encoding_errors), assume_day_month_order(rules.date_order):
        collection, runs = load_arguments_for_measure(
            system, references, originals, sources, chosen, compat, rules
        )
        collection = add_document_argument(collection, [chosen], references)
    if not runs:
        raise DataError("there is no system; give one")
    (chosen,) = choose_languages(collection, runs[:1], [chosen])
    return explain_run(collection, runs[0], chosen, topic)


def explain_run(
    collection: Collection, run: Run, measure: Measure, topic: str | None = None
) -> ExplanationResult:
    """Explain one run on one topic or on all of its topics."""
    if topic is not None and not isinstance(topic, str):
        raise WrongTypeError(f"{describe_type(topic)} is not the name of a topic; give text")
    topics = [name for name in run.outputs if topic in (None, name)]
    if not topics:
        raise UsageError(f"no topic '{topic}'; there are {', '.join(run.outputs)}")
    parts: list[Section] = []
    rails: dict[str, Mapping[str, Any]] = {}
    for name in track("explaining", topics, len(topics)):
        if name not in collection.topics:
            raise UsageError(f"topic '{name}' has no reference; name it like the system's file")
        known, output = collection.topics[name], run.outputs[name]
        measure = measure_for_topic(measure, known)
        if report.is_explained_by_days(measure) and isinstance(output, Timeline):
            days = aligned_days(measure, known, output)
            table = report.explain_days(measure, known, output, days)
            if has_rails(measure):
                rails[name] = draw_rails(measure, known, output, days)
                table = replace(table, notes=(*table.notes, *_gains(rails[name])))
            view = report.alignment_view(measure, report.pairings(measure, days))
            parts += [("", table), (f"{name}: side by side", view)]
        else:
            parts += [("", table) for table in report.explain(measure, known, output)]
    return ExplanationResult(run.system, tuple(topics), measure, tuple(parts), rails)


def _gains(drawn: Mapping[str, Any]) -> list[str]:
    """The changes that would gain most, as notes of a table."""
    listed = [
        f"{number}. {text}: {gain:+.3f}" for number, (text, gain) in enumerate(drawn["changes"], 1)
    ]
    return ["what would gain most:", *listed] if listed else []
