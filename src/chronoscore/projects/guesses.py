"""A guess of how a folder is scored, and how two sides of files become one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chronoscore import lazy
from chronoscore.projects.layouts import CLEAR, SideGuess, SideLayout, rank_guesses
from chronoscore.projects.patterns import escape, name_references, name_systems
from chronoscore.projects.places import find_places
from chronoscore.projects.survey import Survey, SurveyedFile

_VERSION = lazy.pattern(r"(?i)(?:^|[^a-z])(?:v|ver|version|rev|revision)[\W_]*\d+$")

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
    files: tuple[Path, ...] = ()
    """The files of both sides, where each is of one of them."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that fit."""
        return USUAL[self.kind]


def rank_sides(found: Survey, files: Sequence[SurveyedFile], named: str) -> list[SideGuess]:
    """What may be the references among some files; the one that was named, if one was."""
    if len(files) < 2:
        return []
    ranked = rank_guesses(files)
    if not named:
        return ranked
    homes = name_paths(found.root, named)
    chosen = frozenset(str(one.path) for one in files if homes & {one.path, *one.path.parents})
    return [one for one in ranked if one.key == chosen][:1]


def name_paths(root: Path, named: str) -> set[Path]:
    """What a user's word names in the folder: a pattern, or a path that leads into it."""
    inside = Path(named)
    if inside.exists() and inside.resolve().is_relative_to(root.resolve()):
        inner = inside.resolve().relative_to(root.resolve())
        if inner != Path():
            return {root / inner}
    return {one.path for one in find_places(root, named)}


def guess_sides(
    found: Survey, ranked: Sequence[SideGuess], kind: str, columns: dict[str, Any]
) -> Guess:
    """The first of several guesses, in patterns, with what speaks against it."""
    first = ranked[0]
    left = [*first.systems.left_out, *first.references.left_out]
    notes = [f"{one.path.relative_to(found.root)} lies apart; it is left out" for one in left[:3]]
    if len(left) > 3:
        notes[2:] = [f"{len(left)} files lie apart ({notes[0].partition(' ')[0]} first); left out"]
    mine = [one.path for one in first.systems.files]
    notes += _note_lines(found, first) if kind == "text" else []
    notes += _note_versions(first.references)
    references = name_references(found.root, first.references, mine)
    choices: tuple[str, ...] = ()
    taken = [one.path for one in first.references.files]
    doubt = ""
    if len(ranked) > 1 and first.weight - ranked[1].weight < CLEAR:
        # Whoever is asked may know better than any weight.
        others = (
            name_references(found.root, one.references, [own.path for own in one.systems.files])[0]
            for one in ranked[1:]
            if one.references.topics == first.references.topics
        )
        choices = tuple(dict.fromkeys([references[0], *others]))[:8]
    shared = {name[-1] for name in first.systems.names if name} & {
        name[-1] for name in first.references.names if name
    }
    if shared:
        doubt = f"'{min(shared)}' is the name of a system and of an author of references"
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
        files=(*mine, *taken),
    )


def _note_versions(references: SideLayout) -> list[str]:
    """That references count as several people's where their names say that they are versions."""
    names = sorted({name[-1] for name in references.names if name})
    if len(names) < 2 or not all(map(_VERSION.search, names)):
        return []
    return [
        f"{' and '.join(names[:2])}{' …' if len(names) > 2 else ''} count as references of "
        f"{len(names)} people; if one replaces the others, remove those"
    ]


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


def patterns_of(found: Survey, files: Sequence[SurveyedFile]) -> tuple[str, ...]:
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
