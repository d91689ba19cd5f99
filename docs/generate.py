"""Write the reference pages that follow from the code: `python docs/generate.py`.

commands.md comes from the command line's own options, measures.md from the measures, the pages on
Python from signatures and docstrings. A test compares the pages with what the code says today.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc, getdoc
from pathlib import Path
from typing import NamedTuple, TypeGuard, is_typeddict

import click

import chronoscore
from chronoscore.cli import COMMANDS
from chronoscore.cli.pairs import EXCLUDES
from chronoscore.cli.pairs import NEEDS as PAIR_NEEDS
from chronoscore.data.refusals import FITS, KINDS, NEEDS
from chronoscore.measures import MEASURES, Measure, averaging_rule
from chronoscore.measures.measure import default_of_parameter, spell_parameter_value
from chronoscore.options.declare import Options, declared
from chronoscore.reports.catalogue import describe_range

HERE = Path(__file__).parent
NOTE = "<!-- written by docs/generate.py; change the code, then run it -->"


def pages() -> dict[str, str]:
    """All pages by file name."""
    return {
        "commands.md": commands(),
        "measures.md": all_measures(),
        "options.md": options(),
        **api(),
        "authority.md": authority(),
        "gallery.md": gallery(),
        "project-schema.json": project_schema(),
        "../src/chronoscore/__init__.pyi": public_types(),
    }


def page(title: str, introduction: str, body: Iterator[str]) -> str:
    """A page with its title, and paragraphs between blank lines."""
    return "\n\n".join([f"# {title}", NOTE, introduction, *body]) + "\n"


def project_schema() -> str:
    """The JSON Schema of chronoscore.toml."""
    from chronoscore.projects.schema import schema

    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def authority() -> str:
    """Who may ask the workbench for what."""
    from chronoscore.workbench.web.authority import ASKERS, AUDIENCES, DECISIONS

    introduction = (
        "Every address of [the workbench](workbench.md), whom it is for, and what is kept of it. "
        "A visitor whom it is not for gets the same answer as for something that is not there, or "
        "is asked to sign in. Tests ask every address as everybody and compare; an address that is "
        "not here fails them. What an address does is decided by it alone, never by the fields of "
        "a form. *Throttled* forms check passwords, and every try counts for the name. Who opens a "
        "page that is *kept as seen*, of a topic that is not final, does no blind work in it."
    )
    parts = {"Accounts": "/", "Projects": "/p/", "Topics": "/t/", "Programs": "/api/"}
    rows: dict[str, list[list[str]]] = {title: [] for title in parts}
    for (method, path), decision in DECISIONS.items():
        title = max(
            (one for one in parts if path.startswith(parts[one])), key=lambda o: len(parts[o])
        )
        kept = {"throttled": decision.throttled, "kept as seen": decision.seen,
                "kept as an export": decision.exported}  # fmt: skip
        remarks = [*(word for word, true in kept.items() if true), decision.note]
        rows[title].append(
            [
                f"`{method} {path.replace(':int', '')}`",
                ", ".join(f"`{action.name}`" for action in decision.does),
                *("✓" if one in AUDIENCES[decision.who] else "" for one in ASKERS),
                "; ".join(filter(None, remarks)),
            ]
        )

    def body() -> Iterator[str]:
        yield "\n".join(f"- *{asker}*: {words}" for asker, words in ASKERS.items())
        for title, found in rows.items():
            yield f"## {title}"
            yield markdown_table(["address", "actions", *ASKERS, "remarks"], found)

    return page("Who may ask for what", introduction, body())


def gallery() -> str:
    """Every picture of the other pages: first the report, then page by page."""
    body = ["## [The report](tutorial-timelines.md#one-page-for-all-of-it)"]
    shown = {path: pictures(path) for path in sorted(HERE.glob("*.md"), key=gallery_place)}
    reports = dict.fromkeys(one for found in shown.values() for one in found if "/report" in one)
    body.append(picture_list(reports))
    for path, found in shown.items():
        others = [one for one in found if one not in reports]
        if others and path.stem not in ("gallery", "index"):
            title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
            body += [f"## [{title}]({path.name})", picture_list(others)]
    introduction = "Every picture of these pages, with the page that explains it."
    return page("Gallery", introduction, iter(body))


def picture_list(pictures: Iterable[str]) -> str:
    """Pictures with their descriptions below them."""
    items = (f"- {one}\n\n  {one[2:].partition(']')[0]}" for one in pictures)
    return "\n\n".join(["{.pictures}\n" + next(items), *items])


def gallery_place(path: Path) -> tuple[int, str]:
    """Return what pages of the gallery are sorted by: what people see first, then charts."""
    first = ("tutorial-timelines", "workbench")
    return (first.index(path.stem) if path.stem in first else len(first), path.name)


def pictures(path: Path) -> list[str]:
    """Find the pictures of a page, each once."""
    text = path.read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"!\[[^\]]*\]\(images/[^)]+\)", text)))


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


def options() -> str:
    """Which option is for which data, from the tables that refuse the others."""
    introduction = (
        "Most options of `score`, `compare`, `report` and `explain` are for all data. These are "
        "for some kinds only, and are refused beside others with the sentence on the right. In "
        "Python they are keywords of the same names; on the command line, `--options`."
    )
    heads = ["option", *KINDS, "otherwise"]
    rows = [
        [f"`{fit.option}`", *("✓" if kind in fit.kinds else "" for kind in KINDS), fit.sentence]
        for fit in FITS
    ]
    needs = [[f"`{one.option}`", one.sentence] for one in NEEDS]
    pairs = [[f"`{one.option}`", f"`{one.other}`", one.sentence] for one in PAIR_NEEDS]
    barred = [[f"`{one.option}`", f"`{one.other}`", one.sentence] for one in EXCLUDES]
    body = [
        markdown_table(heads, rows),
        "## For some measures, or beside another option",
        markdown_table(["option", "otherwise"], needs),
        "## On the command line",
        markdown_table(["option", "needs", "otherwise"], pairs),
        markdown_table(["option", "not beside", "otherwise"], barred),
    ]
    return page("Options and data", introduction, iter(body))


def markdown_table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


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
    text = (option.help or "").replace("|", "\\|").replace("*", "\\*")
    value = option.default if option.show_default else None
    if option.required:
        text += " Required."
    if value is None or value is False or "UNSET" in repr(value):
        return text.strip()
    shown = ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    if option.is_flag:
        shown = option.opts[0] if value is True else shown
    return f"{text} Default: `{shown}`.".strip()


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
        "What `chronoscore list NAME` prints, for every measure. The measure language is described "
        "in the [reference](reference.md#the-measure-language); what the figures mean is in "
        "[timelines](timelines.md), [streams](streams.md), [units](units.md), "
        "[novelty](novelty.md) and, for ROUGE, [parity](parity.md)."
    )
    known = MEASURES.load_all()
    rows = [f"| [`{name}`](#{anchor(name)}) | {first(kind)} |" for name, kind in known.items()]
    index = "\n".join(["| measure | what it measures |", "|---|---|", *rows])
    body = (part for name, kind in known.items() for part in measure(name, kind))
    return page("Measures", introduction, iter([index, *body]))


def anchor(name: str) -> str:
    """Return an anchor in the page that is unique to a measure."""
    return "measure-" + name.replace("+", "-plus")


def first(kind: type[Measure]) -> str:
    """The first line of a measure's docstring."""
    return (getdoc(kind) or "").split("\n")[0].replace("|", "\\|")


def measure(name: str, kind: type[Measure]) -> Iterator[str]:
    """One measure."""
    yield f"({anchor(name)})=\n## `{name}`"
    yield from docstring(getdoc(kind) or "")
    parts = ", ".join(
        f"`{part}`" + (" (lower is better)" if part in kind.lower_is_better else "")
        for part in kind.parts
    )
    given = [
        f"`{f.name}={spell_parameter_value(default_of_parameter(f))}`" for f in kind.parameters()
    ]
    also = sorted(alias for alias, (target, _) in MEASURES.presets.items() if target == name)
    rows = [
        ("scores", f"a {kind.needs.__name__.lower()}"),
        ("parts", parts),
        ("range", describe_range(kind())),
        ("corpus figure", averaging_rule(kind.averaging).text),
        ("parameters", ", ".join(given) or "none"),
        ("also written", ", ".join(f"`{alias}`" for alias in also)),
        ("known faults", ", ".join(sorted(kind.known_faults))),
    ]
    lines = [f"| {what} | {text} |" for what, text in rows if text]
    yield "\n".join(["| | |", "|---|---|", *lines])


def docstring(text: str) -> Iterator[str]:
    """A docstring's paragraphs as Markdown, its examples as code."""
    for part in re.split(r"\n\s*\n", text):
        if part.lstrip().startswith(">>>"):
            yield "\n".join(["```python", part, "```"])
        elif part.startswith("    "):
            yield "\n".join(["```text", cleandoc(part), "```"])
        else:
            yield part


def public_types() -> str:
    """What type checkers read of the package, whose names are imported when they are used."""
    lines = [f"# {NOTE.strip('<!-> ')}", ""]
    for home in sorted(chronoscore._HOMES):
        lines += [
            f"from {home} import {name} as {name}" for name in sorted(chronoscore._HOMES[home])
        ]
    lines += ["from chronoscore.version import __version__ as __version__", "", "__all__ = ["]
    return "\n".join([*lines, *(f'    "{name}",' for name in chronoscore.__all__), "]", ""])


class Task(NamedTuple):
    """What somebody wants to do, and the public names for it in the order of a first reading."""

    file: str
    title: str
    introduction: str
    names: str


TASKS = (
    Task(
        "api-scoring.md",
        "Score texts and timelines",
        "From outputs and references to figures. `score` takes whole systems, `rouge` and "
        "`rouge_many` take texts, and a `Scorer` many candidates one after the other.",
        "score rouge rouge_many compute load_scores Scorer ScoreResult Result",
    ),
    Task(
        "api-comparing.md",
        "Compare, explain, report",
        "From figures to what they mean: who is ahead, why, and how high a score can get.",
        "compare explain report ceilings oracle ComparisonResult ExplanationResult Resampling "
        "PoweredResult PoweredComparison",
    ),
    Task(
        "api-judging.md",
        "Judge, and measure agreement",
        "Judgements of language models and of people, and similarity by meaning.",
        "judge agree similarities text_id use_cache JudgeResult SimilarityResult RequestOptions",
    ),
    Task(
        "api-measures.md",
        "Study and define measures",
        "What a measure notices, how well it agrees with ratings, and measures of your own.",
        "check correlate novelty fit_novelty study_novelty parse_measure measure_of Measure "
        "Bootstrap Fitting",
    ),
    Task(
        "api-data.md",
        "Read, convert, summarize",
        "From files to values and back, and outputs of the bundled and of your own systems.",
        "project load load_runs convert summarize ReadingRules",
    ),
    Task(
        "api-values.md",
        "Timelines, texts, topics",
        "The values that functions take and return.",
        "Timeline Entry When Summary Sentence Ranking Run Topic Collection Document",
    ),
    Task(
        "api-errors.md",
        "Errors and warnings",
        "Every error is one sentence that says where, what, and what to do.",
        "ChronoscoreError UsageError WrongTypeError DataError StoppedError ChronoscoreWarning",
    ),
)


def api() -> dict[str, str]:
    """The public names by task: a page for each task, and one that leads to them."""
    introduction = (
        "Everything that `chronoscore` exports, by task, and the classes that its functions take "
        "and return. These names are public; every other module is internal and may change "
        "without notice. Importing `chronoscore` loads neither NumPy nor SciPy."
    )
    contents = "\n".join(["```{toctree}", ":hidden:", "", *(task.file for task in TASKS), "```"])
    body = [part for task in TASKS for part in task_summary(task)]
    placed = {name for task in TASKS for name in task.names.split()}
    if placed != {*chronoscore.__all__} - {"__version__"}:
        raise LookupError(f"not in one of TASKS: {placed ^ {*chronoscore.__all__}}")
    found = {"api.md": page("Python", introduction, iter([*body, contents]))}
    for task in TASKS:
        found[task.file] = page(task.title, task.introduction, task_parts(task, placed))
    return found


def task_summary(task: Task) -> Iterator[str]:
    """A task's names with what each is, linked to where they are described."""
    yield f"## [{task.title}]({task.file})"
    lines = []
    for name in task.names.split():
        _, node = definition(home_of(name), name)
        text = (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")
        text = text.replace("|", "\\|")
        lines.append([f"[`{name}`]({task.file}#chronoscore{name.lower()})", text])
    yield markdown_table(["name", "what it is"], lines)


def task_parts(task: Task, placed: set[str]) -> Iterator[str]:
    """A task's public names, then the classes in their signatures that are on no page yet."""
    homes = {name: home_of(name) for name in task.names.split()}
    for name, home in homes.items():
        yield from documented(home, name)
    named = {pair for name, home in homes.items() for pair in classes_in_signature(home, name)}
    for home, name in sorted(named):
        if name not in placed:
            placed.add(name)
            yield from documented(home, name)


def home_of(name: str) -> str:
    """Return the module that an exported name is defined in."""
    value = getattr(chronoscore, name)
    return str(value.__module__)


def classes_in_signature(module: str, name: str) -> Iterator[tuple[str, str]]:
    """Find the classes of this package that a function's signature names, with their modules."""
    home, node = definition(module, name)
    if isinstance(node, ast.ClassDef):
        return
    annotations = [node.returns, *(one.annotation for one in ast.walk(node.args) if is_arg(one))]
    words = {
        word.id
        for annotation in annotations
        if annotation is not None
        for word in ast.walk(annotation)
        if isinstance(word, ast.Name)
    }
    for word in sorted(words):
        value = getattr(import_module(home), word, None)
        # Keywords are part of the signature itself.
        ours = isinstance(value, type) and value.__module__.startswith("chronoscore.")
        if ours and not is_typeddict(value):
            yield value.__module__, word


def is_arg(node: ast.AST) -> TypeGuard[ast.arg]:
    """Tell whether a node is one parameter of a function."""
    return isinstance(node, ast.arg)


def documented(module: str, name: str) -> Iterator[str]:
    """One function or class with its docstring."""
    home, node = definition(module, name)
    public = getattr(chronoscore, name, None) is getattr(import_module(module), name)
    yield f"## `{'chronoscore' if public else module}.{name}`"
    kinds = getattr(getattr(import_module(home), name), "option_classes", ())
    if isinstance(node, ast.ClassDef):
        lines = class_lines(node, home)
    else:
        lines = [signature(node, list(keywords(node, home, kinds)))]
    # Quotes as the formatter has them, which looks at code in pages too.
    yield "\n".join(["```python", *lines, "```"]).replace("'", '"')
    text = ast.get_docstring(node)
    if not text:
        raise LookupError(f"{home}.{name} has no docstring")
    yield from docstring(text)
    helped = [one for kind in kinds for one in declared(kind)]
    if helped:
        rows = [f"| `{one.name}` | {one.help} |" for one in helped]
        yield "\n".join(["| keyword | meaning |", "|---|---|", *rows])


Function = ast.FunctionDef | ast.AsyncFunctionDef


def definition(module: str, name: str) -> tuple[str, Function | ast.ClassDef]:
    """Find where a name is defined, going through modules that only hand it on."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {module}")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and node.name == name:
            if any(ast.unparse(one) == "overload" for one in node.decorator_list):
                continue
            return module, node
        for one in node.names if isinstance(node, ast.ImportFrom) else ():
            if (one.asname or one.name) == name:
                return definition(str(node.module), one.name)
    raise LookupError(f"{module} has no {name}")


def keywords(node: Function, home: str, kinds: Sequence[type]) -> Iterator[str]:
    """The keywords that a function sorts into option classes, typed as `Unpack[…]` says."""
    match node.args.kwarg:
        case ast.arg(annotation=ast.Subscript(slice=ast.Name(id=name))) if kinds:
            typed = {ast.unparse(one.target): one for one in typed_keywords(home, name)}
            for line in (line for kind in kinds for line in option_lines(kind)):
                word, _, default = line.partition(": ")[0], *line.rpartition(" = ")[1:]
                yield f"{ast.unparse(typed[word])}={default}"


def typed_keywords(home: str, name: str) -> Iterator[ast.AnnAssign]:
    """The keywords that a `TypedDict` lists, first those that it inherits."""
    place, node = definition(home, name)
    assert isinstance(node, ast.ClassDef)
    for base in map(ast.unparse, node.bases):
        if base != "TypedDict":
            yield from typed_keywords(place, base)
    yield from (one for one in node.body if is_field(one))


def signature(node: Function, more: Sequence[str] = ()) -> str:
    """A function's first line, broken where it is long."""
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    taken = ast.unparse(node.args)
    if more:
        named = taken.rpartition(", **")[0] + ("" if node.args.kwonlyargs else ", *")
        taken = ", ".join([named, *more])
    line = f"{node.name}({taken}){result}"
    if len(line) <= 90:
        return line
    inside = re.sub(r", (?=(?:\w+: |\*))", ",\n    ", taken)
    return f"{node.name}(\n    {inside},\n){result}"


def option_lines(kind: type) -> Iterator[str]:
    """The fields of an option class, first those that it inherits."""
    for one in reversed(kind.__mro__):
        if one not in (object, Options):
            _, node = definition(one.__module__, one.__name__)
            yield from (field_line(part) for part in node.body if is_field(part))


def class_lines(node: ast.ClassDef, home: str) -> list[str]:
    """A class with its fields and public methods."""
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    head = f"class {node.name}({bases}):" if bases else f"class {node.name}:"
    lines = list(members(node))
    kind = getattr(import_module(home), node.name)
    if issubclass(kind, Options) and kind.__base__ is not Options:
        lines = [f"    {line}" for line in option_lines(kind)]
    return [head, *lines] if lines else [f"{head} ..."]


def is_field(node: ast.stmt) -> TypeGuard[ast.AnnAssign]:
    """Whether a value of a class is a field that users set."""
    if not isinstance(node, ast.AnnAssign):
        return False
    inherited = ast.unparse(node.target) == "example"
    return not inherited and not ast.unparse(node.target).startswith("_")


def field_line(node: ast.AnnAssign) -> str:
    """A field with its default; of an option its default alone."""
    match node.value:
        case ast.Call(func=ast.Name(id="option"), args=[default, _]):
            line = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
            return f"{line} = {ast.unparse(default)}"
    return ast.unparse(node)


def members(node: ast.ClassDef) -> Iterator[str]:
    """What a class has for others to use."""
    for one in node.body:
        if is_field(one):
            yield f"    {field_line(one)}"
        elif isinstance(one, Function) and not one.name.startswith("_"):
            yield from (f"    @{ast.unparse(mark)}" for mark in one.decorator_list)
            yield "    def " + signature(one).replace("\n", "\n    ")


if __name__ == "__main__":
    for file, text in pages().items():
        (HERE / file).write_text(text, encoding="utf-8")
