"""Guess how records are scored: systems and references in one file, or in several."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chronoscore.projects.beside import as_systems, find_half, find_writers
from chronoscore.projects.columns import TableSides
from chronoscore.projects.guesses import Guess, guess_sides, patterns_of, rank_sides
from chronoscore.projects.survey import Survey, SurveyedFile


def guess_beside(found: Survey, named: str) -> list[Guess]:
    """Files that hold several systems, where the references lie beside them."""
    unsure = [
        one
        for one in found.of_kind("table")
        if one.sides and (one.sides.is_half or not one.sides.sure)
    ]
    own: list[SurveyedFile] = []
    for table in (*unsure, *found.of_kind("timeline")):
        kind = table.sides.kind if table.sides else "timeline"
        others = [one for one in found.of_kind(kind) if one is not table]
        topics = {part.casefold() for one in others for part in (*one.parts, *one.topics)}
        if table.sides:
            sides = as_systems(table.sides, topics)
        elif table.repeats or (table.topics and not topics & {*map(str.casefold, table.topics)}):
            sides = find_half(table.path, topics)
        else:
            sides = None if table.authors else find_writers(table.path)
        if sides and (not own or _columns_of(sides) == _columns_of(own[0].sides)):
            own.append(replace(table, topics=sides.topics, sides=sides))
    if not own or own[0].sides is None:
        return []
    kind = own[0].sides.kind
    mine = {one.path for one in own}
    others = [one for one in found.of_kind(kind) if one.path not in mine]
    ranked = rank_sides(found, [*own, *others], named)
    ranked = [one for one in ranked if {*own} <= {*one.systems.files}]
    if not ranked:
        return []
    left = {one.path for one in unsure} - mine
    notes = [f"{one.relative_to(found.root)}: has other columns; it is left out" for one in left]
    first = guess_sides(found, ranked, kind, _columns_of(own[0].sides))
    return [replace(first, notes=(*first.notes, *notes))]


def guess_tables(found: Survey, named: str) -> list[Guess]:
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
        columns = _columns_of(replace(sides, systems=systems, references=references))
    notes = [f"{one.path.relative_to(found.root)}: has other columns; it is left out"
             for other in alike.values() if other is not files for one in other]  # fmt: skip
    several = len(systems) > 1 or sides.author is not None
    if several and len({one for file in files for one in file.topics}) < sum(
        len(file.topics) for file in files
    ):
        notes.append(f"{len(files)} files have several systems each; only the first is taken")
        files = files[:1]
    return [
        Guess(
            sides.kind,
            patterns_of(found, files),
            columns=columns,
            notes=tuple(notes),
            doubt="" if sure else f"no name of {', '.join(names)} is clearly that of references",
            choices=() if sure else names,
        )
    ]


def _by_halves(found: Survey, halves: Sequence[SurveyedFile], named: str) -> list[Guess]:
    """Files of records with one text each, the references in one of them."""
    ranked = rank_sides(found, halves, named)
    if not ranked:
        return []
    first = ranked[0]
    mine, theirs = first.systems.files[0].sides, first.references.files[0].sides
    assert mine
    assert theirs
    columns = _columns_of(replace(mine, references=theirs.systems))
    if theirs.key != mine.key and mine.author is None:
        columns.pop("id", None)  # Each file names its topics in its own way.
    return [guess_sides(found, ranked, mine.kind, columns)]


def _columns_of(sides: TableSides | None) -> dict[str, Any]:
    """The columns of a file as a project names them."""
    assert sides
    found: dict[str, Any] = {"system": _one(sides.systems)}
    if sides.references:
        found["references"] = _one(sides.references)
    if sides.key is not None and (sides.key != "id" or sides.author is not None):
        found["id"] = sides.key
    if sides.author is not None:
        found["author"] = sides.author
    return found


def _one(names: Sequence[str]) -> Any:
    return names[0] if len(names) == 1 else list(names)
