"""Measures and systems as text, `name(key=value,…)`, read with suggestions for wrong names.

A measure may end in `@cutoff.part`.

>>> from chronoscore.measures import parse_measure_text
>>> str(parse_measure_text("rouge2.f"))
'rouge(n=2).f'
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias, get_args, get_origin, get_type_hints

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.measure import Measure

TRUE = {"yes": True, "true": True, "no": False, "false": False}
PART_ALIASES = {
    "quality": "original",
    "coverage": "modified",
    "precision": "p",
    "recall": "r",
    "fmeasure": "f",
    "f1": "f",
    "p": "precision",
    "r": "recall",
}
NAME = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*|[A-Za-z_][\w+-]*")
VALUE = re.compile(r"[^,()]+")
CUTOFF = re.compile(r"[1-9]\d*(?!\w|\.\d)")
BEHIND_MEASURES = frozenset("+-.@(:")
"""What may follow the first letters of a measure, but no parameter's name."""


@dataclass(frozen=True)
class Notation:
    """What a text names, the form to write it in, and whether `@cutoff.part` may follow."""

    what: str
    form: str
    suffixes: bool = False


MEASURES = Notation("measure", "name(key=value,...)@cutoff.part, as in rouge(n=2).f", suffixes=True)


@dataclass(frozen=True)
class Spec:
    """A measure or system as it was written, whether it exists or not."""

    name: str
    arguments: tuple[tuple[str, "str | Spec | None"], ...]
    cutoff: int | None
    part: str | None


Make: TypeAlias = Callable[[Spec], Measure]
"""Turns the spec of a measure inside a measure into that measure."""


def read_measure_spec(text: str, notation: Notation = MEASURES) -> Spec:
    """Take a text apart into its name, arguments, cutoff and part."""
    reader = SpecReader(text.strip(), notation)
    spec = reader.spec()
    if reader.rest:
        if notation is MEASURES and (several := _split_list(text)):
            raise UsageError(
                f"'{text.strip()}' names {len(several)} measures; give them one by one: "
                f"`measures={several!r}`"
            )
        reader.fail(f"nothing may follow '{text.strip()[: reader.at]}'")
    return spec


def _split_list(text: str) -> list[str]:
    """The measures of a text that joins several by commas, semicolons, + or blanks, if it does."""
    parts = [one for one in re.split(r"\s*[,;]\s*|\s+(?:\+\s+)?", text.strip()) if one]
    if len(parts) < 2:
        return []
    try:
        for part in parts:
            read_measure_spec(part)
    except UsageError:
        return []
    return parts


class SpecReader:
    """Reads a text from left to right."""

    def __init__(self, text: str, notation: Notation) -> None:
        self.text = text
        self.notation = notation
        self.at = 0

    @property
    def rest(self) -> str:
        """What has not been read yet."""
        return self.text[self.at :]

    def fail(self, what: str) -> NoReturn:
        """Say what is wrong, and at which character."""
        raise UsageError(
            f"{self.notation.what} '{self.text}', character {self.at + 1}: {what}; "
            f"write {self.notation.form}"
        )

    def take(self, token: str) -> bool:
        """Step over a token if it comes next."""
        if not self.rest.startswith(token):
            return False
        self.at += len(token)
        return True

    def match(self, pattern: re.Pattern[str], what: str) -> str:
        """Step over a pattern, which must come next."""
        found = pattern.match(self.text, self.at)
        if not found:
            self.fail(f"{what} is missing")
        self.at = found.end()
        return found[0].strip()

    def spec(self) -> Spec:
        """`name(arguments)@cutoff.part`, the last three optional."""
        name = self.match(NAME, "a name")
        arguments = self.arguments() if self.take("(") else ()
        if not self.notation.suffixes:
            return Spec(name, arguments, None, None)
        cutoff = self.cutoff() if self.take("@") else None
        part = (
            self.match(re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*(\[\w+\])?"), "a part")
            if self.take(".")
            else None
        )
        return Spec(name, arguments, cutoff, part)

    def cutoff(self) -> int:
        """How many come first."""
        found = CUTOFF.match(self.rest)
        if not found:
            self.fail("a cutoff is a whole number, 1 or more")
        self.at += found.end()
        return int(found[0])

    def arguments(self) -> tuple[tuple[str, str | Spec | None], ...]:
        """`key=value`, bare flags and bare measures up to the closing parenthesis."""
        found: list[tuple[str, str | Spec | None]] = []
        while not self.take(")"):
            if found and not self.take(","):
                self.fail("',' or ')' is missing")
            self.at += len(self.rest) - len(self.rest.lstrip())
            start = self.at
            key = self.match(re.compile(r"[A-Za-z_]\w*\s*"), "a parameter's name")
            if self.notation.suffixes and self.rest[:1] in BEHIND_MEASURES:
                self.at = start
                found.append(("", self.spec()))
            else:
                found.append((key, self.value() if self.take("=") else None))
        return tuple(found)

    def value(self) -> str | Spec:
        """A plain value, or a measure where parentheses follow a name."""
        start = self.at
        plain = self.match(VALUE, "a value")
        if self.rest.startswith("("):
            self.at = start + len(self.text[start:]) - len(self.text[start:].lstrip())
            return self.spec()
        return plain


def build_measure(
    kind: type[Measure], spec: Spec, preset: Mapping[str, Any], make: Make
) -> Measure:
    """Make the measure of a spec; an unknown key is refused with the nearest known one."""
    spec = _name_bare_measure(kind, spec)
    known = [f.name for f in kind.parameters()]
    chosen = {**preset, **read_arguments(spec, kind, known, make)}
    part = spec.part
    if part is not None and part not in kind.parts and PART_ALIASES.get(part) in kind.parts:
        part = PART_ALIASES[part]
    named = frozenset([*preset, *(key for key, _ in spec.arguments)])
    return kind.make(**{**chosen, **_suffix(spec.cutoff, part), "explicit": named})


def _name_bare_measure(kind: type[Measure], spec: Spec) -> Spec:
    """The spec with the name of the parameter that takes a bare measure, as in losses(align+)."""
    bare = next((f.name for f in kind.parameters() if f.metadata.get("bare")), None)
    known = {f.name for f in kind.parameters()}
    found: list[tuple[str, str | Spec | None]] = []
    for key, value in spec.arguments:
        if isinstance(value, Spec) and not key and bare is None:
            raise UsageError(
                f"measure '{spec.name}' takes no other measure, and '{value.name}' is none of its "
                "parameters; write name(key=value,...)"
            )
        if bare is not None and not key:
            found.append((bare, value))
        elif bare is not None and value is None and key.strip() not in known:
            found.append((bare, Spec(key.strip(), (), None, None)))
        else:
            found.append((key, value))
    return replace(spec, arguments=tuple(found))


def read_arguments(
    spec: Spec, kind: type, known: Sequence[str], make: Make, what: str = "measure"
) -> dict[str, Any]:
    """The arguments of a spec as values for the fields of its class."""
    hints = get_type_hints(kind)
    keys = [key for key, _ in spec.arguments]
    check_parameters(what, spec.name, keys, known)
    for key in keys:
        if keys.count(key) > 1:
            raise UsageError(f"{what} '{spec.name}' has '{key}' twice; write it once")
    return {
        key: convert_spec_value(f"{spec.name}({key})", value, hints[key], make)
        for key, value in spec.arguments
    }


def check_parameters(what: str, name: str, keys: Iterable[str], known: Sequence[str]) -> None:
    """Refuse parameters that a measure or system does not have."""
    for key in keys:
        if key not in known:
            near = did_you_mean(key, known) if known else "it has none at all"
            raise UsageError(f"{what} '{name}' has no parameter '{key}'; {near}")


def _suffix(cutoff: int | None, part: str | None) -> dict[str, Any]:
    """Only what was given, so that a preset keeps what it has."""
    return {k: v for k, v in (("cutoff", cutoff), ("part", part)) if v is not None}


def convert_spec_value(where: str, value: str | Spec | None, hint: Any, make: Make) -> Any:
    """Read a parameter's value by the type of its field."""
    options = get_args(hint) if get_origin(hint) is not None else (hint,)
    if value is None:
        if bool in options:
            return True
        raise UsageError(f"{where} needs a value; write {where[:-1]}=...)")
    if isinstance(value, Spec):
        nested = next((option for option in options if hasattr(option, "from_spec")), None)
        return nested.from_spec(value) if nested else make(value)
    if bool in options and value in TRUE:
        return TRUE[value]
    if type(None) in options and value == "none":
        return None
    for kind, reading in ((int, int), (float, float)):
        if kind in options:
            try:
                return reading(value)
            except ValueError:
                continue
    for option in options:
        if hasattr(option, "parse"):
            return option.parse(value)
    literals = [option for option in options if isinstance(option, str)]
    if literals and value not in literals:
        raise UsageError(f"unknown value '{value}'; {did_you_mean(value, literals)}", place=where)
    if any(isinstance(option, type) and issubclass(option, Measure) for option in options):
        return make(read_measure_spec(value))
    if str in options or literals:
        return value
    raise UsageError(f"'{value}' is not of type {options[0].__name__}; write one", place=where)
