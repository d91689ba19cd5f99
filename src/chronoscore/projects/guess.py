"""Guess how a folder is scored, by what its files hold, and say what is not sure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore.errors import DataError, number_with_noun
from chronoscore.projects.guesses import WORDS, Guess, guess_sides, patterns_of, rank_sides
from chronoscore.projects.names import is_source
from chronoscore.projects.survey import FileKind, Survey, SurveyedFile, survey
from chronoscore.projects.table_guesses import guess_beside, guess_tables

HELD: Mapping[FileKind, str] = {
    "timeline": "timelines",
    "text": "texts",
    "table": "records",
    "judgements": "judgements",
    "units": "content units",
    "ranking": "rankings",
    "unreadable": "neither",
}


def guess(root: Path, named: str = "") -> Guess:
    """How a folder is scored; `named` is the file, folder or column that holds references."""
    found = survey(root)
    guesses = [
        *guess_beside(found, named),
        *guess_tables(found, named),
        *_by_files(found, named),
        *_by_judgements(found),
    ]
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


def _by_files(found: Survey, named: str) -> list[Guess]:
    """Files of timelines, or of texts where there are no timelines on two sides."""
    guesses = []
    for kind in ("timeline", "text"):
        files = found.of_kind(kind)
        plain = [one for one in files if not any(map(is_source, one.parts[:-1]))]
        # Documents may look like timelines; they count only where nothing else does.
        ranked = rank_sides(found, plain, named)
        notes = _note_sources(found, files, plain) if ranked else []
        ranked = ranked or rank_sides(found, files, named)
        if ranked:
            one = guess_sides(found, ranked, kind, {})
            guesses.append(replace(one, notes=(*one.notes, *notes)))
    return guesses


def _note_sources(
    found: Survey, files: Sequence[SurveyedFile], plain: Sequence[SurveyedFile]
) -> list[str]:
    """Which documents are left out."""
    left = [one for one in files if one not in plain]
    homes = dict.fromkeys(one.path.parent.relative_to(found.root) for one in left)
    if not homes:
        return []
    first, more = next(iter(homes)), f" and {len(homes) - 1} more" if len(homes) > 1 else ""
    return [f"{first}/{more} hold documents by their names; they are left out"]


def _by_judgements(found: Survey) -> list[Guess]:
    """Rankings with judged events or content units."""
    rankings = found.of_kind("ranking")
    for key, usual in (("judgements", "ranking"), ("units", "units")):
        judged = [one for one in found.files if one.kind == key]
        if judged and rankings:
            return [
                Guess(usual, patterns_of(found, rankings), judged=(key, patterns_of(found, judged)))
            ]
    return []


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
    notes = [*found.notes, *_note_faults(found)]
    more = f" ({'; '.join(notes[:2])})" if notes else ""
    if not found.files:
        there = sorted({one.suffix or one.name for one in found.root.rglob("*") if one.is_file()})
        has = f" (it has {', '.join(there[:5])})" if there else ""
        return f"holds no file of timelines, texts or records{more or has}; name another folder"
    if named:
        return f"'{named}' does not tell references from systems; name the folder, file or column"
    held = number_with_noun(len(found.files), "file")
    if {one.kind for one in found.files} == {"unreadable"}:
        return f"none of its {held} can be read: {found.files[0].fault}"
    kinds = Counter(one.kind for one in found.files).most_common()
    told = ", ".join(f"{count} of {HELD[kind]}" for kind, count in kinds)
    return (
        f"shows no references beside systems in {held}, {told}{more}; put answers and references "
        "of the same topics here under the same names, or write chronoscore.toml yourself; "
        "`chronoscore corpora check` knows public corpora"
    )
