"""The leaderboard of a shared task: checked submissions on static pages."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore.api.bench_check import Examined, OpenTask, examine
from chronoscore.api.page import contents_of
from chronoscore.core import Run
from chronoscore.errors import DataError, UsageError, number_with_noun
from chronoscore.formats.bench.submissions import same_name
from chronoscore.formats.bench.tasks import BASELINES
from chronoscore.formats.io.files import check_target, write_text
from chronoscore.progress import track
from chronoscore.reports.bench_page import BoardEntry, board_cards, entry_card
from chronoscore.reports.score_page import score_page


def make_board(
    paths: Sequence[Path], task: Path, output: Path, *, split: str | None = None
) -> list[BoardEntry]:
    """Check submissions and write their leaderboard, with a page of explanations for each.

    The baselines of the task are on it too. If any submission has a fault, nothing is written.
    """
    check_target(output)
    pages = output.with_name(f"{output.stem}-explained")
    _check_ours(pages)
    bench = OpenTask.load(task, split)
    home = task / BASELINES / bench.split
    own = sorted(path for path in home.iterdir() if path.is_dir()) if home.is_dir() else []
    given = [path for path in paths if path.resolve() not in {one.resolve() for one in own}]
    every = [*given, *own]
    if not every:
        raise UsageError("there is no submission; name at least one")
    found = [examine(path, bench) for path in track("checking submissions", every, len(every))]
    _refuse(found)
    entries = [
        BoardEntry.of(one.submission, f"{pages.name}/{number:03}.html", baseline=one.path in own)
        for number, one in enumerate(found, 1)
        if one.submission is not None
    ]
    runs = [one.run for one in found if one.run is not None]
    text = _board(bench, runs, entries)
    _write(bench, runs, entries, output, text)
    return entries


def _refuse(found: Sequence[Examined]) -> None:
    """Refuse submissions with faults, and two of one name."""
    faulty = [one for one in found if one.faults]
    if faulty:
        count = number_with_noun(len(faulty), "submission")
        raise DataError(
            f"{faulty[0].faults[0]} ({count} refused; chronoscore bench check names all faults)",
            place=faulty[0].path,
        )
    seen: dict[str, Path] = {}
    for one in found:
        system = one.submission.system if one.submission else ""
        name = same_name(system)
        if name in seen:
            raise DataError(
                f"is called '{system}', as {seen[name]} is; sign one by another name",
                place=one.path,
            )
        seen[name] = one.path


def _board(bench: OpenTask, runs: Sequence[Run], entries: Sequence[BoardEntry]) -> str:
    """The page of all submissions."""
    contents = contents_of(bench.score(runs), title=bench.task.card.title or bench.task.name)
    topics = tuple(bench.collection.topics)
    return score_page(
        replace(contents, cards=board_cards(bench.task, bench.split, entries, topics))
    )


def _write(
    bench: OpenTask, runs: Sequence[Run], entries: Sequence[BoardEntry], output: Path, text: str
) -> None:
    """Write the pages of explanations, then the board that links to them."""
    folder = output.parent / f"{output.stem}-explained"
    fresh = Path(tempfile.mkdtemp(dir=output.parent, prefix=f".{folder.name}."))
    try:
        both = list(zip(runs, entries, strict=True))
        for run, entry in track("explaining submissions", both, len(both)):
            contents = contents_of(bench.score([run]), title=entry.system)
            page = score_page(replace(contents, cards=[entry_card(entry, output.name)]))
            write_text(fresh / Path(entry.page).name, page)
        fresh.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    write_text(output, text)


def _check_ours(folder: Path) -> None:
    """Refuse to replace a folder that holds anything but such pages."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if not (path.suffix == ".html" and path.stem.isdecimal()):
            raise DataError(f"holds '{path.name}', which is not ours; move it", place=folder)
