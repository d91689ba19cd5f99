"""What is scored and how it is read: decided before files are read."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from chronoscore.core import Output, Ranking, Summary, Timeline
from chronoscore.data.values import as_list
from chronoscore.errors import UsageError, WrongTypeError, check_choice, describe_type, warn
from chronoscore.formats.timelines.entries import Repeated
from chronoscore.measures import Measure, measure_of, parse_measure_text
from chronoscore.measures.compat import READINGS, compatible_measure
from chronoscore.options import Compat, Edition, ReadingRules

USUAL: dict[type[Output], tuple[str, ...]] = {
    Summary: ("rouge(n=1)", "rouge(n=2)", "rouge-l"),
    Timeline: ("align+", "dates"),
    Ranking: ("nu", "nu(strict)", "u", "n"),
}
"""The measures that are meant where none is named."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The measures, and what they decide about reading.

    `repeated` says what becomes of two entries of one date: they are merged, or the last counts.
    """

    measures: tuple[Measure, ...]
    reading: ReadingRules = field(default_factory=ReadingRules)
    repeated: Repeated = "merge"
    edition: Edition | None = None
    """The year of CrisisFACTS by whose rules runs are read."""

    @property
    def kind(self) -> type[Output]:
        """The kind of output that the measures score."""
        return self.measures[0].needs


def as_measures(given: Any) -> list[Measure]:
    """Measures from texts, measures, functions, or a list of these."""
    return [parse_measure(one) for one in as_list(given)]


def parse_measure(given: Any) -> Measure:
    """A measure from its text, as in `align+(n=2).f`, from a function, or as it is.

    Text may name a function of your own as `module:function`.

    >>> str(parse_measure("rouge2.f"))
    'rouge(n=2).f'
    """
    if isinstance(given, Measure):
        return given
    if isinstance(given, str):
        return parse_measure_text(given, allow_import=True)
    if callable(given) and not isinstance(given, type):
        return measure_of(given)
    raise WrongTypeError(
        f"{describe_type(given)} is not a measure; give text as in 'rouge(n=2).f', a measure "
        "or a function"
    )


def choose(
    measures: Sequence[Measure],
    *,
    compat: Compat | None = None,
    jackknife: bool = False,
    reading: ReadingRules | None = None,
) -> Choice:
    """The choice that measures and the options that change all of them make."""
    chosen = _without_covered_parts([adapt(measure, compat, jackknife) for measure in measures])
    needs = chosen[0].needs
    for measure in chosen:
        if measure.needs is not needs:
            raise UsageError(
                f"'{chosen[0]}' scores a {needs.__name__.lower()} and '{measure}' a "
                f"{measure.needs.__name__.lower()}; {_advise_on_kinds(chosen)}"
            )
    rules = reading or ReadingRules()
    if compat == "chronos":
        rules = replace(rules, coarse="first")
    # Table 2 of the paper and tilse's own scores keep the last of two blocks of a date.
    return Choice(
        measures=chosen,
        reading=rules,
        repeated="last" if compat else "merge",
        edition=next((one for one in get_args(Edition) if one == compat), None),
    )


def _without_covered_parts(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The measures without parts of those that are named whole: each figure is given once."""
    whole = {measure: measure.shown for measure in measures if measure.part is None}
    kept = tuple(one for one in measures if one.part not in whole.get(one.whole, ()))
    for one in measures:
        if one not in kept and one.part != one.whole.main_part:
            warn(
                f"'{one}' is given once, with '{one.whole}', of which comparisons test "
                f"{one.whole.main_part}; to test both, name the parts",
                kind="covered-part",
            )
    return kept


def _advise_on_kinds(measures: Sequence[Measure]) -> str:
    """What to do about measures of different kinds of output."""
    if {measure.needs for measure in measures} != {Summary, Timeline}:
        return "score them in two calls"
    # The ROUGE of a timeline as one text is a measure of timelines with the same parameters.
    counted = {"rouge-l": "concat(over=l)", "rouge-su": "concat(over=su)"}
    names = [
        (f"concat(n={getattr(one, 'n', 1)})" if one.name == "rouge" else counted.get(one.name, ""))
        if one.needs is Summary
        else str(one)
        for one in measures
    ]
    if not all(names):
        return "ROUGE of a whole timeline is concat; score other measures of texts in a second call"
    return f"ROUGE of a whole timeline is concat: `measures={names!r}`"


def usual_of_compat(compat: Compat | None) -> tuple[str, ...]:
    """The measure of a tool that has only one."""
    return () if compat is None else READINGS[check_choice(compat, READINGS, "reading")].usual


def adapt(measure: Measure, compat: Compat | None = None, jackknife: bool = False) -> Measure:
    """The measure as the options change it.

    Options that change every measure do not change what results call them; the signature
    shows them.
    """
    measure = replace(measure, label=measure.title)
    if compat is not None:
        measure = compatible_measure(measure, check_choice(compat, READINGS, "reading"))
    if jackknife:
        measure = measure.with_jackknife()
    return measure
