"""Guess how a folder is scored, by what its files hold, and say what is not sure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore.errors import DataError, number_with_noun
from chronoscore.projects.answers import add_answers, is_called_as, names_of
from chronoscore.projects.guesses import WORDS, Guess, guess_sides, patterns_of, rank_sides
from chronoscore.projects.layouts import SideGuess
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
    notes = [
        *found.notes,
        *first.notes,
        *_note_other(found, first, guesses[1:]),
        *_note_faults(found),
    ]
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
    guesses: list[Guess] = []
    taken: set[Path] = set()
    for kind in ("timeline", "text"):
        files = [one for one in found.of_kind(kind) if one.path not in taken]
        plain = [one for one in files if not any(map(is_source, one.parts[:-1]))]
        # Documents may look like timelines; they count only where nothing else does.
        ranked = _rank(found, plain, named) if kind == "timeline" else ()
        ranked = ranked or rank_sides(found, plain, named)
        notes = _note_sources(found, files, plain) if ranked else []
        ranked = ranked or rank_sides(found, files, named)
        if ranked:
            one = guess_sides(found, ranked, kind, {})
            taken |= {*one.files}
            guesses.append(replace(one, notes=(*one.notes, *notes)))
    return guesses


def _rank(found: Survey, timelines: Sequence[SurveyedFile], named: str) -> Sequence[SideGuess]:
    """What may be the references among timelines, with the texts that answer as they do.

    Of these texts as many count as leave the systems without topics that no reference has, and
    their names as simple as they were.
    """
    own = {one.path for one in timelines}
    best: Sequence[SideGuess] = ()
    for pool in add_answers(found, timelines) if timelines else ():
        ranked = [
            one
            for one in rank_sides(found, pool, named)
            if 2 * sum(file.path in own for file in one.references.files)
            > len(one.references.files)
        ]
        if ranked and (not best or _fit(ranked[0]) > _fit(best[0])):
            best = ranked
    return best


def _fit(sides: SideGuess) -> tuple[float, int]:
    """Which share of systems' topics have references, and how few parts of names say whose."""
    topics = sides.systems.topics
    known = len(topics & sides.references.topics) / len(topics) if topics else 1.0
    return known, -max(1, len(sides.systems.varying))


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


def _note_other(found: Survey, first: Guess, others: Iterable[Guess]) -> list[str]:
    """What else the folder could be scored as, and texts that are called as topics are."""
    notes, said = [], {*first.files}
    for one in others:
        if one.kind != first.kind:
            left = [str(path.relative_to(found.root)) for path in sorted(one.files)]
            some = _some(left or one.systems[:1])
            said |= {*one.files}
            notes.append(f"the folder also holds {WORDS[one.kind]} ({some}); they are left out")
    if first.kind == "timeline" and first.files:
        topics = names_of([one for one in found.files if one.path in first.files])
        odd = [
            str(one.path.relative_to(found.root))
            for one in found.of_kind("text")
            if one.path not in said
            and is_called_as(one, topics)
            and not any(map(is_source, one.parts))
        ]
        if odd:
            notes.append(f"texts without dated entries are left out: {_some(odd)}")
    return notes


def _some(names: Sequence[str]) -> str:
    """The first of several names, and how many more there are."""
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else names[0]


def _note_faults(found: Survey) -> list[str]:
    faults = [one for one in found.of_kind("unreadable") if "documents" not in one.fault]
    if not faults:
        return []
    some = _some([str(one.path.relative_to(found.root)) for one in faults])
    return [f"{some} cannot be read ({faults[0].fault.partition(';')[0]})"]


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
