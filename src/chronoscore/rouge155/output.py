"""The lines that ROUGE-1.5.5.pl prints, to the letter."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from chronoscore.engine.plain import Counts
from chronoscore.engine.weighted import LARGEST_INTEGER
from chronoscore.rouge155.counting import EvaluationCounts
from chronoscore.rouge155.options import RougeOptions, perl_leading_number
from chronoscore.rouge155.rates import Rates, add_perl_counts, perl_rates

BETWEEN, BENEATH = "-" * 45, "." * 45


def perl_output_lines(
    instances: Sequence[EvaluationCounts], systems: Sequence[str], options: RougeOptions
) -> Iterator[str]:
    """Print a block for each system and measure: averages, and with `detailed` each instance."""
    by_system: Mapping[str, list[EvaluationCounts]] = {system: [] for system in systems}
    for instance in instances:
        by_system[instance.system].append(instance)
    for system, found in by_system.items():
        # Resampling draws from the instances in the order of their names.
        yield from _blocks(system, sorted(found, key=lambda instance: instance.name), options)


def _blocks(
    system: str, instances: Sequence[EvaluationCounts], options: RougeOptions
) -> Iterator[str]:
    kinds = list(options.measures.values())
    scores = [
        [
            perl_rates(kind, counts, options.alpha)
            for kind, counts in zip(kinds, instance.counts, strict=True)
        ]
        for instance in instances
    ]
    heads = _heads(instances, scores, options)
    for number, measure in enumerate(options.measures):
        yield BETWEEN
        for line in heads[number]:
            yield f"{system} {measure} {line}"
        if options.detailed:
            yield BENEATH
            for instance, score in _in_display_order(instances, scores):
                values = _values(instance.counts[number], score[number], options)
                yield f"{system} {measure} Eval {instance.name} {values}"


def _heads(
    instances: Sequence[EvaluationCounts], scores: Sequence[Sequence[Rates]], options: RougeOptions
) -> list[list[str]]:
    """Give the lines of averages, or of totals, for each measure."""
    measures = range(len(options.measures))
    if options.unit == "count":
        totals = [
            add_perl_counts([instance.counts[number] for instance in instances])
            for number in measures
        ]
        return [
            [
                f"M_count: {_perl_whole(total.reference)} P_count: {_perl_whole(total.system)} "
                f"H_count: {_perl_whole(total.hits)}"
            ]
            for total in totals
        ]
    figures = iter(_figures(instances, scores, options))
    return [[f"Average_{part}: {next(figures)}" for part in ("R", "P", "F")] for _ in measures]


def _figures(
    instances: Sequence[EvaluationCounts], scores: Sequence[Sequence[Rates]], options: RougeOptions
) -> list[str]:
    # numpy is slow to import; raw counts do without.
    from chronoscore.rouge155.bootstrap import AverageInterval, perl_averages, perl_token_averages

    confidence = perl_leading_number(options.confidence)
    if not instances:
        found = [AverageInterval(0, 0, 0)] * (3 * len(options.measures))
    elif options.unit == "token":
        counts = [instance.counts for instance in instances]
        found = perl_token_averages(counts, options.resamples, confidence, options.alpha)
    else:
        found = perl_averages(scores, options.resamples, confidence)
    return [
        f"{_perl_fixed(average)} ({options.confidence}%-conf.int. "
        f"{_perl_fixed(low)} - {_perl_fixed(high)})"
        for average, low, high in found
    ]


def _in_display_order(
    instances: Sequence[EvaluationCounts], scores: Sequence[Sequence[Rates]]
) -> list[tuple[EvaluationCounts, Sequence[Rates]]]:
    together = zip(instances, scores, strict=True)
    return sorted(together, key=lambda pair: perl_sort_key(pair[0].name))


def perl_sort_key(name: str) -> tuple[int, int, str]:
    """Sort names that start with a number by that number, the others as text.

    Perl leaves names that start with the same number in no particular order; here the text
    decides.

    >>> sorted(["10.a", "d1.a", "9.a"], key=perl_sort_key)
    ['9.a', '10.a', 'd1.a']
    """
    if number := re.match("[0-9]+", name):
        return 1, int(number[0]), name
    return 0 if name < "0" else 2, 0, name


def _values(counts: Counts, score: Rates, options: RougeOptions) -> str:
    if options.unit == "evaluation":
        recall, precision, f = map(_perl_fixed, score)
        return f"R:{recall} P:{precision} F:{f}"
    raw = (perl_number(number) for number in (counts.reference, counts.system, counts.hits))
    return "R:{} P:{} F:{}".format(*raw)


def _perl_fixed(number: float) -> str:
    """Write a number with five places as Perl does; what is not a number has capitals."""
    return f"{number:7.5f}" if math.isfinite(number) else f"{perl_number(number):>7}"


def perl_number(number: float) -> str:
    """Write a number as Perl prints it: whole, or with fifteen digits."""
    if isinstance(number, int):
        return str(number)
    if math.isfinite(number):
        return f"{number:.15g}"
    return "NaN" if math.isnan(number) else "Inf" if number > 0 else "-Inf"


def _perl_whole(number: float) -> str:
    """Write a number without its fraction; one that does not fit in 64 bits keeps its power."""
    return perl_number(int(number) if abs(number) < LARGEST_INTEGER else number)
