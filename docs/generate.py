"""Write the reference pages that follow from the code: `python docs/generate.py`.

commands.md comes from the command line's own options, measures.md from the measures, api.md from
signatures and docstrings. A test compares the pages with what the code says today.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc, getdoc
from pathlib import Path

import click

import chronoscore
from chronoscore.cli import COMMANDS
from chronoscore.measures import AVERAGES, Measure, measures
from chronoscore.measures.measure import default, spell
from chronoscore.measures.registry import ALIASES

HERE = Path(__file__).parent
NOTE = "<!-- written by docs/generate.py; change the code, then run it -->"

API: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Scores in one call": {"chronoscore.measures.rouge.quick": ("rouge", "compute", "Score")},
    "Texts, timelines, topics": {
        "chronoscore.core": ("When", "Timeline", "Entry", "Summary", "Topic", "Collection", "Run"),
        "chronoscore.core.texts": ("Document", "Sentence"),
    },
    "Measures and scores": {
        "chronoscore.measures": ("parse", "measure_of", "Measure"),
        "chronoscore.scoring": ("score", "Scores"),
        "chronoscore.measures.streams.curves": ("curves",),
    },
    "Files": {
        "chronoscore.formats.timelines.timeline_files": ("load", "save", "read", "written"),
        "chronoscore.formats.corpora.inputs": ("load", "collection"),
        "chronoscore.formats.judgements.judgement_files": ("load", "save"),
        "chronoscore.formats.judgements.rankings": ("load",),
        "chronoscore.formats.corpora.timeml": ("load", "save"),
        "chronoscore.formats.judgements.ratings": ("load_ratings", "load_scores"),
    },
    "Statistics": {
        "chronoscore.stats.compare": ("compare",),
        "chronoscore.stats.correlation": ("correlation",),
        "chronoscore.stats.correlate": ("correlate", "differences"),
        "chronoscore.stats.alpha": ("krippendorff_alpha",),
        "chronoscore.stats.robust": ("robust_fit", "Fitting"),
        "chronoscore.stats.protocol": ("redrawing", "measure_gap"),
    },
    "Oracles, systems, checks": {
        "chronoscore.oracles.summaries": ("oracle", "Oracle"),
        "chronoscore.oracles.timelines": ("timeline_oracles",),
        "chronoscore.systems.registry": ("get", "systems"),
        "chronoscore.checks.battery": ("check",),
    },
    "Text": {
        "chronoscore.text.preparation": ("Preparation", "Limit"),
        "chronoscore.text.sentences": ("split", "sentences_in"),
        "chronoscore.dates.finder": ("dates_in",),
        "chronoscore.text.events": ("events_in",),
        "chronoscore.text.tagging": ("tagged",),
    },
    "Errors": {
        "chronoscore.errors": (
            "ChronoscoreError",
            "UsageError",
            "DataError",
            "ChronoscoreWarning",
        )
    },
}
"""What the page on Python shows, by heading and module."""


def pages() -> dict[str, str]:
    """All pages by file name."""
    return {"commands.md": commands(), "measures.md": all_measures(), "api.md": api()}


def page(title: str, introduction: str, body: Iterator[str]) -> str:
    """A page with its title, and paragraphs between blank lines."""
    return "\n\n".join([f"# {title}", NOTE, introduction, *body]) + "\n"


def commands() -> str:
    """Every command with its options, in the order of a first reading."""
    introduction = (
        "What `chronoscore COMMAND --help` prints. Options that many commands share, what systems "
        "and references may be, and the measure language are in the [reference](reference.md)."
    )
    found = (import_module(f"chronoscore.cli.{name}").command for name in COMMANDS)
    body = (
        part
        for name, command in zip(COMMANDS, found, strict=True)
        for part in command_parts(f"chronoscore {name}", command, 2)
    )
    return page("Commands", introduction, body)


def command_parts(name: str, command: click.Command, depth: int) -> Iterator[str]:
    """One command, its arguments and options, and the commands inside it."""
    words = [argument_word(one) for one in command.params if isinstance(one, click.Argument)]
    yield f"{'#' * depth} {name}"
    yield "\n".join(["```text", " ".join([name, "[OPTIONS]", *words]), "```"])
    yield from paragraphs(command.help or "")
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    if options:
        rows = [f"| {option_words(one)} | {option_meaning(one)} |" for one in options]
        yield "\n".join(["| option | meaning |", "|---|---|", *rows])
    for inner, one in getattr(command, "commands", {}).items():
        yield from command_parts(f"{name} {inner}", one, depth + 1)


def argument_word(argument: click.Argument) -> str:
    """An argument as usage lines write it."""
    word = argument.metavar or (argument.name or "").upper()
    if argument.metavar:
        return word
    word += "..." if argument.nargs == -1 else ""
    return word if argument.required else f"[{word}]"


def option_words(option: click.Option) -> str:
    """An option's names and what follows them."""
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    if isinstance(option.type, click.Choice):
        return f"{names} " + " \\| ".join(f"`{choice}`" for choice in option.type.choices)
    kind = "NUMBER" if isinstance(option.type, click.types.IntParamType) else ""
    word = option.metavar or kind or option.type.name.upper().replace("INTEGER", "NUMBER")
    return f"{names} {word.replace('|', ' or ').replace(' RANGE', '')}"


def option_meaning(option: click.Option) -> str:
    """What an option does, and its default where help shows one."""
    said = (option.help or "").replace("|", "\\|").replace("*", "\\*")
    value = option.default if option.show_default else None
    if option.required:
        said += " Required."
    if value is None or value is False or "UNSET" in repr(value):
        return said.strip()
    shown = ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    if option.is_flag:
        shown = option.opts[0] if value is True else shown
    return f"{said} Default: `{shown}`.".strip()


def paragraphs(text: str) -> Iterator[str]:
    """Help text as Markdown: what click would not wrap becomes a block of code."""
    for part in re.split(r"\n\s*\n", cleandoc(text.replace("\f", ""))):
        if part.startswith("\b"):
            yield "\n".join(["```text", part.lstrip("\b").strip("\n"), "```"])
        else:
            yield part.replace("\n", " ").replace("[", "\\[")


def all_measures() -> str:
    """Every measure with its parts, range, averages and parameters."""
    introduction = (
        "What `chronoscore list NAME` says, for all of them. How a measure is written is in the "
        "[reference](reference.md#the-measure-language); what the figures mean is told in "
        "[timelines](timelines.md), [streams](streams.md), [units](units.md), "
        "[novelty](novelty.md) and, for ROUGE, [parity](parity.md)."
    )
    known = measures()
    rows = [f"| [`{name}`](#{anchor(name)}) | {first(kind)} |" for name, kind in known.items()]
    index = "\n".join(["| measure | what it asks |", "|---|---|", *rows])
    body = (part for name, kind in known.items() for part in measure(name, kind))
    return page("Measures", introduction, iter([index, *body]))


def anchor(name: str) -> str:
    """A place in the page that no other measure has."""
    return "measure-" + name.replace("+", "-plus")


def first(kind: type[Measure]) -> str:
    """The first sentence of what a measure says of itself."""
    return (getdoc(kind) or "").split("\n")[0].replace("|", "\\|")


def measure(name: str, kind: type[Measure]) -> Iterator[str]:
    """One measure."""
    yield f"({anchor(name)})=\n## `{name}`"
    yield from docstring(getdoc(kind) or "")
    low, high = kind.bounds
    parts = ", ".join(
        f"`{part}`" + (" (less is better)" if part in kind.lower_is_better else "")
        for part in kind.parts
    )
    given = [f"`{f.name}={spell(default(f))}`" for f in kind.parameters()]
    also = sorted(alias for alias, (target, _) in ALIASES.items() if target == name)
    rows = [
        ("scores", f"a {kind.needs.__name__.lower()}"),
        ("parts", parts),
        ("range", f"{low:g} to {high:g}"),
        ("corpus figure", AVERAGES[kind.averaging]),
        ("parameters", ", ".join(given) or "none"),
        ("also written", ", ".join(f"`{alias}`" for alias in also)),
        ("known faults", ", ".join(sorted(kind.known_faults))),
    ]
    told = [f"| {what} | {said} |" for what, said in rows if said]
    yield "\n".join(["| | |", "|---|---|", *told])


def docstring(text: str) -> Iterator[str]:
    """A docstring's paragraphs as Markdown, its examples as code."""
    for part in re.split(r"\n\s*\n", text):
        if part.lstrip().startswith(">>>"):
            yield "\n".join(["```python", part, "```"])
        elif part.startswith("    "):
            yield "\n".join(["```text", cleandoc(part), "```"])
        else:
            yield part


def api() -> str:
    """The names that a program may import."""
    introduction = (
        "What `chronoscore` itself exports stands here as `chronoscore.NAME`; the rest, which "
        "other pages use, with the module to import it from. Importing `chronoscore` loads "
        "neither NumPy nor SciPy."
    )
    return page("Python", introduction, api_parts())


def api_parts() -> Iterator[str]:
    """Headings, modules and names."""
    for heading, modules in API.items():
        yield f"## {heading}"
        for module, names in modules.items():
            for name in names:
                yield from documented(module, name)


def documented(module: str, name: str) -> Iterator[str]:
    """One function or class, wherever the module has it from."""
    home, node = definition(module, name)
    yield f"### `{'chronoscore' if name in chronoscore.__all__ else module}.{name}`"
    lines = class_lines(node) if isinstance(node, ast.ClassDef) else [signature(node)]
    # Quotes as the formatter has them, which looks at code in pages too.
    yield "\n".join(["```python", *lines, "```"]).replace("'", '"')
    said = ast.get_docstring(node)
    if not said:
        raise LookupError(f"{home}.{name} has no docstring")
    yield from docstring(said)


Function = ast.FunctionDef | ast.AsyncFunctionDef


def definition(module: str, name: str) -> tuple[str, Function | ast.ClassDef]:
    """Find where a name is defined, going through modules that only hand it on."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {module}")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and node.name == name:
            return module, node
        if isinstance(node, ast.ImportFrom) and any(name == one.name for one in node.names):
            return definition(str(node.module), name)
    raise LookupError(f"{module} has no {name}")


def signature(node: Function) -> str:
    """A function's first line, broken where it is long."""
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{node.name}({ast.unparse(node.args)}){result}"
    if len(line) <= 90:
        return line
    inside = re.sub(r", (?=(?:\w+: |\*))", ",\n    ", ast.unparse(node.args))
    return f"{node.name}(\n    {inside},\n){result}"


def class_lines(node: ast.ClassDef) -> list[str]:
    """A class with its fields and public methods."""
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    head = f"class {node.name}({bases}):" if bases else f"class {node.name}:"
    lines = list(members(node))
    return [head, *lines] if lines else [f"{head} ..."]


def members(node: ast.ClassDef) -> Iterator[str]:
    """What a class has for others to use."""
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and not ast.unparse(one.target).startswith("_"):
            yield f"    {ast.unparse(one)}"
        elif isinstance(one, Function) and not one.name.startswith("_"):
            yield from (f"    @{ast.unparse(mark)}" for mark in one.decorator_list)
            yield "    def " + signature(one).replace("\n", "\n    ")


if __name__ == "__main__":
    for file, text in pages().items():
        (HERE / file).write_text(text, encoding="utf-8")
