"""Guess how a folder is scored, by what its files hold, and say what is not sure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from chronoscore.errors import DataError
from chronoscore.projects.layouts import CLEAR, SideGuess, rank_guesses
from chronoscore.projects.patterns import escape, name_references, name_systems
from chronoscore.projects.places import find_places
from chronoscore.projects.survey import Survey, SurveyedFile, survey

USUAL = {
    "timeline": ("align+", "dates"),
    "text": ("rouge1", "rouge2", "rouge-l"),
    "ranking": ("nu",),
    "units": ("pyramid",),
}
"""The measures that fit, by the kind of what is scored."""
WORDS = {"timeline": "timelines", "text": "texts", "ranking": "rankings", "units": "content units"}


@dataclass(frozen=True)
class Guess:
    """What a project file is to say, what is not sure, and what else could be the references."""

    kind: str
    systems: tuple[str, ...]
    references: tuple[str, ...] = ()
    judged: tuple[str, tuple[str, ...]] = ("", ())
    """The key and the patterns of judgements or units."""
    columns: dict[str, Any] = field(default_factory=dict)
    encoding: str = ""
    notes: tuple[str, ...] = ()
    doubt: str = ""
    choices: tuple[str, ...] = ()
    """What the references could be, if it is not sure."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that fit."""
        return USUAL[self.kind]


def guess(root: Path, named: str = "") -> Guess:
    """How a folder is scored; `named` is the file, folder or column that holds references."""
    found = survey(root)
    guesses = [*_by_tables(found, named), *_by_files(found, named), *_by_judgements(found)]
    if not guesses:
        raise DataError(_explain(found, named), place=root)
    first = guesses[0]
    notes = [*found.notes, *first.notes, *_note_other(first, guesses[1:]), *_note_faults(found)]
    encodings = {one.encoding for one in found.files if one.encoding}
    encoding = ""
    if encodings:
        others = [one for one in found.files if not one.encoding and _is_wide(one.path)]
        (some,) = [next(one.path for one in found.files if one.encoding)]
        shown = some.relative_to(root)
        if others:
            other = others[0].path.relative_to(root)
            notes.append(f"{shown} is not UTF-8, and {other} is; save all as UTF-8")
        else:
            encoding = encodings.pop()
            notes.append(f"{shown} is not UTF-8; it is read as {encoding}, which is a guess")
    return replace(first, notes=tuple(notes), encoding=encoding)


def _is_wide(path: Path) -> bool:
    return not path.read_bytes().isascii()


def _by_tables(found: Survey, named: str) -> list[Guess]:
    """Files that hold systems beside references."""
    tables = [one for one in found.of_kind("table") if one.sides and not one.sides.is_half]
    halves = [one for one in found.of_kind("table") if one.sides and one.sides.is_half]
    if not tables:
        return _by_halves(found, halves, named)
    alike: dict[Any, list[SurveyedFile]] = {}
    for one in tables:
        assert one.sides
        alike.setdefault((one.sides.systems, one.sides.references, one.sides.kind), []).append(one)
    files = max(alike.values(), key=len)
    sides = files[0].sides
    assert sides
    names = (*sides.systems, *sides.references)
    references, systems = sides.references, sides.systems
    if named in names:
        references = (named,)
        systems = tuple(one for one in names if one != named)
    sure = sides.sure or named in names
    columns: dict[str, Any] = {}
    if not sides.plain:
        columns = {"system": _one(systems), "references": _one(references)}
        if sides.key not in (None, "id"):
            columns["id"] = sides.key
    notes = [f"{one.path.relative_to(found.root)}: has other columns; it is left out"
             for other in alike.values() if other is not files for one in other]  # fmt: skip
    if len(systems) > 1 and len(files) > 1:
        notes.append(f"{len(files)} files have several systems each; only the first is taken")
        files = files[:1]
    return [
        Guess(
            sides.kind,
            _paths(found, files),
            columns=columns,
            notes=tuple(notes),
            doubt="" if sure else f"no name of {', '.join(names)} is clearly that of references",
            choices=() if sure else names,
        )
    ]


def _by_halves(found: Survey, halves: Sequence[SurveyedFile], named: str) -> list[Guess]:
    """Files of records with one text each, the references in one of them."""
    ranked = _ranked(found, halves, named)
    if not ranked:
        return []
    first = ranked[0]
    mine, theirs = first.systems.files[0].sides, first.references.files[0].sides
    assert mine
    assert theirs
    columns = {"system": mine.systems[0], "references": theirs.systems[0]}
    return [_guess_of(found, ranked, "text", columns)]


def _by_files(found: Survey, named: str) -> list[Guess]:
    """Files of timelines, or of texts where there are no timelines on two sides."""
    guesses = []
    for kind in ("timeline", "text"):
        ranked = _ranked(found, found.of_kind(kind), named)
        if ranked:
            guesses.append(_guess_of(found, ranked, kind, {}))
    return guesses


def _ranked(found: Survey, files: Sequence[SurveyedFile], named: str) -> list[SideGuess]:
    if len(files) < 2:
        return []
    ranked = rank_guesses(files)
    if not named:
        return ranked
    homes = _named_paths(found.root, named)
    chosen = frozenset(str(one.path) for one in files if homes & {one.path, *one.path.parents})
    return [one for one in ranked if one.key == chosen][:1]


def _named_paths(root: Path, named: str) -> set[Path]:
    """What a user's word names in the folder: a pattern, or a path that leads into it."""
    inside = Path(named)
    if inside.exists() and inside.resolve().is_relative_to(root.resolve()):
        inner = inside.resolve().relative_to(root.resolve())
        if inner != Path():
            return {root / inner}
    return {one.path for one in find_places(root, named)}


def _guess_of(
    found: Survey, ranked: Sequence[SideGuess], kind: str, columns: dict[str, Any]
) -> Guess:
    """The first of several guesses, in patterns, with what speaks against it."""
    first = ranked[0]
    close = [one for one in ranked[1:] if first.weight - one.weight < CLEAR]
    left = [*first.systems.left_out, *first.references.left_out]
    notes = [f"{one.path.relative_to(found.root)} lies apart; it is left out" for one in left[:3]]
    if len(left) > 3:
        notes[2:] = [f"{len(left)} files lie apart ({notes[0].partition(' ')[0]} first); left out"]
    mine = [one.path for one in first.systems.files]
    notes += _note_lines(found, first) if kind == "text" else []
    references = name_references(found.root, first.references, mine)
    taken = [one.path for one in first.references.files]
    doubt = ""
    choices: tuple[str, ...] = ()
    if close:
        choices = tuple(
            name_references(found.root, one.references, [own.path for own in one.systems.files])[0]
            for one in (first, *close)
        )
        choices = tuple(dict.fromkeys(choices))[:8]
    if len(choices) > 1:
        doubt = f"'{choices[0]}' and '{choices[1]}' could both be the references"
    return Guess(
        kind,
        tuple(name_systems(found.root, first.systems, taken)),
        tuple(references),
        columns=columns,
        notes=tuple(notes),
        doubt=doubt,
        choices=choices,
    )


def _note_lines(found: Survey, first: SideGuess) -> list[str]:
    """That lines are no texts of their own, where two files have the same number of them."""
    mine, theirs = (side.files[0].path for side in (first.systems, first.references))
    counts = {len(path.read_text(errors="replace").splitlines()) for path in (mine, theirs)}
    if len(first.references.files) > 1 or counts == {1} or len(counts) > 1:
        return []
    names = " and ".join(str(path.relative_to(found.root)) for path in (mine, theirs))
    return [
        f"{names} have {counts.pop()} lines each and count as one text; if each line is a text of "
        "its own, put them side by side in a table of two columns"
    ]


def _by_judgements(found: Survey) -> list[Guess]:
    """Rankings with judged events or content units."""
    rankings = found.of_kind("ranking")
    for key, usual in (("judgements", "ranking"), ("units", "units")):
        judged = [one for one in found.files if one.kind == key]
        if judged and rankings:
            return [Guess(usual, _paths(found, rankings), judged=(key, _paths(found, judged)))]
    return []


def _paths(found: Survey, files: Sequence[SurveyedFile]) -> tuple[str, ...]:
    """Files as patterns."""
    inner = [one.path.relative_to(found.root) for one in files]
    if len(inner) > 1 and len({one.parent for one in inner}) == 1:
        beside = [one for one in found.files if one.path.parent == files[0].path.parent]
        if len(beside) == len(files) and len({one.suffix for one in inner}) == 1:
            pattern = f"*{inner[0].suffix}"
            parent = inner[0].parent
            return (pattern if parent == Path() else f"{_slashed(parent)}/{pattern}",)
    return tuple(_slashed(one) for one in inner)


def _slashed(path: Path) -> str:
    return "/".join(map(escape, path.parts))


def _one(names: Sequence[str]) -> Any:
    return names[0] if len(names) == 1 else list(names)


def _note_other(first: Guess, others: Iterable[Guess]) -> list[str]:
    """What else the folder could be scored as."""
    return [
        f"the folder also holds {WORDS[one.kind]} ({one.systems[0]}); they are left out"
        for one in others
        if one.kind != first.kind
    ]


def _note_faults(found: Survey) -> list[str]:
    faults = [one for one in found.of_kind("unreadable") if "documents" not in one.fault]
    if not faults:
        return []
    more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    first = faults[0].path.relative_to(found.root)
    return [f"{first}{more} cannot be read ({faults[0].fault.partition(';')[0]})"]


def _explain(found: Survey, named: str) -> str:
    """Why nothing can be scored."""
    if not found.files:
        return "holds no file of timelines, texts or records; name another folder"
    if named:
        return f"'{named}' does not tell references from systems; name the folder, file or column"
    kinds = {one.kind for one in found.files}
    many = len(found.files)
    held = f"{many} file{'s' if many > 1 else ''}"
    if kinds == {"unreadable"}:
        return f"none of its {held} can be read: {found.files[0].fault}"
    return (
        f"shows no references beside systems in {held}; keep both here, with the same names of "
        "topics, or write chronoscore.toml yourself"
    )
