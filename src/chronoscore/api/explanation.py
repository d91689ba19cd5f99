"""Explain a score: which dates were aligned, what they share, what was missed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from chronoscore.api.results import Result, Section, save_plot
from chronoscore.api.scoring import INPUT_OPTIONS, InputOptions, choose, complete_call
from chronoscore.core import Collection, Row, Run
from chronoscore.data.arguments import OneMeasure, References, Systems
from chronoscore.data.choice import parse_measure
from chronoscore.data.inputs import Inputs
from chronoscore.data.values import as_list
from chronoscore.errors import DataError, UsageError, WrongTypeError, check_choice, describe_type
from chronoscore.explanations import ContradictionsExplanation, DayExplanation, Explanation
from chronoscore.explanations import explain as explain_output
from chronoscore.measures import Measure
from chronoscore.options import FORMATS
from chronoscore.options.declare import accepts, sort_keywords
from chronoscore.progress import track
from chronoscore.projects.project import Project
from chronoscore.reports import contradictions
from chronoscore.reports import explanation as report
from chronoscore.reports import rails as drawing
from chronoscore.reports.page import card, document

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class ExplanationResult(Result):
    """Where one system's score comes from, topic by topic."""

    system: str
    topics: tuple[str, ...]
    measure: Measure
    explanations: tuple[Explanation, ...]
    """What was computed, topic by topic."""
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
        """The rows of the tables, as they are shown; of contradictions, all about each conflict."""
        if any(isinstance(one, ContradictionsExplanation) for one in self.explanations):
            return [
                row
                for one in self.explanations
                if isinstance(one, ContradictionsExplanation)
                for row in one.records(self.system)
            ]
        return [row for table in self.tables() for row in table.records()]

    def sections(self) -> tuple[Section, ...]:
        """A table for each topic, and the texts side by side for a notebook."""
        return self.parts

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw both timelines of each topic along one time axis, with their alignment."""
        from chronoscore.reports.plots import alignment

        if not self.rails:
            raise UsageError(
                f"'{self.measure}' aligns no days to draw; draw align+ or the like, or write a "
                "page instead"
            )
        figure = alignment.of_topics(f"{self.measure.title} of {self.system}", self.rails)
        return save_plot(figure, path)

    def render(self, form: str = "table") -> str:
        """The result in a format; a page draws aligned timelines along one time axis."""
        if check_choice(form, FORMATS, "format") != "html" or not self.rails:
            return super().render(form)
        drawn = card(
            "Day by day",
            drawing.chooser([self.system], list(self.rails)),
            kind="long",
            anchor="why",
        )
        # The changes are drawn already.
        drawn_notes = {
            note for rails in self.rails.values() for note in drawing.change_notes(rails)
        }
        tables = "".join(
            replace(one, notes=tuple(note for note in one.notes if note not in drawn_notes)).html()
            for one in self.tables()
        )
        folded = f"<details><summary>The same as a table</summary>{tables}</details>"
        shown = {
            "explanations": {self.system: self.rails},
            "missing": "",
            "measure": self.measure.title,
        }
        return document(self.heading, drawn + card("", folded), self.measure.title, {"data": shown})


@accepts(*INPUT_OPTIONS)
def explain(
    system: Systems,
    references: References | None = None,
    measure: OneMeasure | None = None,
    *,
    topic: str | None = None,
    **options: Unpack[InputOptions],
) -> ExplanationResult:
    """Show where a system's score comes from, by align+ if no measure is named.

    For aligned timelines: which date is aligned with which, how far apart they are, what the
    two days share, and what each pair adds to recall, or to precision for a measure as
    `align+.p`. For ROUGE-N, concat and novelty: what each reference has that was found, and
    missed. For pairs: which sentence is matched with which. For dates: the nearest date to each.
    For contradictions: every conflict, with both spans and their places in `rows()`.
    For nu, u and n: where each event is first mentioned; for pyramid: how much of each content
    unit is expressed; for nuggets: what the judges say about each.
    """
    if isinstance(system, Project):
        given = complete_call(system.lone(), references, measure, options)
        system, references, named, more = given
        measure = as_list(named)[0] if named else None
        more.pop("resampling", None)
        options = more
    sources, judged, changes = sort_keywords(options, *INPUT_OPTIONS)
    inputs = Inputs.of(system, references, sources, judged)
    with inputs.keep_files():
        chosen = parse_measure("align+" if measure is None else measure)
        data = inputs.read(choose(inputs, chosen, changes, options)).load()
    if not data.runs:
        raise DataError("there is no system; give one")
    data = replace(data, runs=(run_to_explain(data.runs),)).prepare()
    return explain_run(data.collection, data.runs[0], data.measures[0], topic)


def run_to_explain(runs: Sequence[Run], named: str | None = None) -> Run:
    """The run of a system, by the system's name if it has only one, else as `system/run`."""
    labels = [run.label for run in runs]
    chosen = runs[0].system if named is None else named
    if isinstance(chosen, str) and chosen in labels:
        return runs[labels.index(chosen)]
    check_choice(chosen, [*dict.fromkeys(run.system for run in runs)], "system")
    own = [run for run in runs if run.system == chosen]
    if len(own) > 1:
        raise UsageError(f"'{chosen}' has {len(own)} runs; explain one, as {own[0].label}")
    return own[0]


def explain_run(
    collection: Collection, run: Run, measure: Measure, topic: str | None = None
) -> ExplanationResult:
    """Explain one run on one topic or on all of its topics."""
    if topic is not None and not isinstance(topic, str):
        raise WrongTypeError(f"{describe_type(topic)} is not the name of a topic; give text")
    topics = [name for name in run.outputs if topic in (None, name)]
    if not topics:
        raise UsageError(f"no topic '{topic}'; there are {', '.join(run.outputs)}")
    explanations: list[Explanation] = []
    parts: list[Section] = []
    rails: dict[str, Mapping[str, Any]] = {}
    for name in track("explaining", topics, len(topics)):
        if name not in collection.topics:
            raise UsageError(f"topic '{name}' has no reference; name it like the system's file")
        explanation = explain_output(measure, collection.topics[name], run.outputs[name])
        explanations.append(explanation)
        tables = report.tables(explanation)
        if isinstance(explanation, DayExplanation):
            if explanation.counts_words:
                rails[name] = drawing.rails(explanation)
                notes = drawing.change_notes(rails[name])
                tables = [replace(table, notes=(*table.notes, *notes)) for table in tables]
            parts += [("", table) for table in tables]
            parts.append((f"{name}: side by side", drawing.side_by_side(explanation)))
        else:
            parts += [("", table) for table in tables]
        if isinstance(explanation, ContradictionsExplanation) and explanation.conflicts:
            drawn = contradictions.marked(explanation.conflicts)
            parts.append((f"{name}: side by side", drawn))
    return ExplanationResult(
        run.label, tuple(topics), measure, tuple(explanations), tuple(parts), rails
    )
