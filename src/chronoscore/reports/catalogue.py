"""What measures there are, read off the measures themselves."""

from importlib.metadata import PackageNotFoundError, version
from inspect import getdoc

from chronoscore.extras import install_command
from chronoscore.measures import MEASURES, Measure, averaging_rule, parse_measure_text
from chronoscore.measures.measure import default_of_parameter, spell_parameter_value
from chronoscore.measures.similarity.similarities import SIMILARITIES
from chronoscore.reports.terminal import terminal_width, wrap_lines, wrap_words

EXTRAS = {"embed": "wordllama"}
"""Optional extras, and the package that each installs."""


def measure_catalog() -> str:
    """A line for each measure, and the familiar names that are read too."""
    known = MEASURES.load_all()
    width = max(map(len, known))
    lines = [f"{name:<{width}}  {measure_summary_line(kind)}" for name, kind in known.items()]
    aliases = ", ".join(sorted(MEASURES.presets))
    return wrap_lines(
        [
            *lines,
            "",
            f"also read: {aliases}",
            f"similarity of align+, align+m1, aligned and pairs: {_similarity_choices()}",
            f"* needs {_extra_state('embed')}",
            "your own:  module:function, or the entry-point group chronoscore.measures",
            "more:      chronoscore list NAME",
            "",
        ],
        width + 2,
    )


def _similarity_choices() -> str:
    """The similarities by name, with a star where an extra must be installed."""
    known = SIMILARITIES.load_all()
    names = [f"{name}{'*' if getattr(kind, 'extra', '') else ''}" for name, kind in known.items()]
    return ", ".join([*names, "module:function"])


def _extra_state(extra: str) -> str:
    """How an extra is installed, and whether it is."""
    try:
        version(EXTRAS[extra])
    except PackageNotFoundError:
        return f"{install_command(extra)} (not installed)"
    return f"{install_command(extra)} (installed)"


def measure_summary_line(kind: type[Measure]) -> str:
    """The first sentence of what a measure says of itself."""
    return (getdoc(kind) or "").split("\n")[0]


def describe_range(measure: Measure) -> str:
    """Where the parts lie, those of one range together: "0 to 1 (recall), 0 to inf (f)"."""
    ranges: dict[str, list[str]] = {}
    for part in measure.parts:
        low, high = measure.bounds(part)
        ranges.setdefault(f"{low:g} to {high:g}", []).append(part)
    if len(ranges) == 1:
        return next(iter(ranges))
    return ", ".join(f"{span} ({', '.join(parts)})" for span, parts in ranges.items())


def _refill(paragraph: str, room: int) -> list[str]:
    """The lines of a paragraph, wrapped again where one is too long; a list keeps its lines."""
    if "\n " not in paragraph and max(map(len, paragraph.split("\n"))) > room:
        paragraph = paragraph.replace("\n", " ")
    return wrap_words(paragraph, room)


def describe_measure(text: str) -> str:
    """One measure: what it is, what it needs, its parts, range and parameters."""
    measure = parse_measure_text(text, allow_import=True)
    lower = [part for part in measure.parts if measure.direction(part) < 0]
    direction = "lower is better" if lower == [*measure.parts] else "higher is better"
    if 0 < len(lower) < len(measure.parts):
        direction += f" (lower: {', '.join(lower)})"
    text = (getdoc(type(measure)) or "").split(">>>")[0].rstrip()
    room = terminal_width()
    said = [one for paragraph in text.split("\n\n") for one in (*_refill(paragraph, room), "")]
    lines = [
        f"written     {measure}",
        f"scores      a {measure.needs.__name__.lower()}",
        f"parts       {', '.join(measure.parts)}",
        f"range       {describe_range(measure)}, {direction}",
        f"average     {averaging_rule(measure.averaging).text}",
    ]
    if measure.known_faults:
        lines.append(f"faults      {', '.join(sorted(measure.known_faults))} (see: check)")
    lines.append("parameters")
    lines += [
        f"  {f.name}={spell_parameter_value(default_of_parameter(f))}" for f in measure.parameters()
    ]
    if any(f.name == "similarity" for f in measure.parameters()):
        lines.append(f"similarity  {_similarity_choices()}")
        lines.append(f"            * needs {_extra_state('embed')}")
    return "\n".join([*said, wrap_lines(lines, len("similarity  "))]) + "\n"
