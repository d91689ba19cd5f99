"""Rows of tables as SQL inserts them, as in the dump of a database."""

from collections.abc import Iterator
from typing import NamedTuple

from chronoscore import lazy

_QUOTED = r"'(?:[^'\\]|''|\\.)*+'"
_START = lazy.pattern(
    r"(?is)(?:\s+|--[^\n]*+|/\*.*?\*/)*+(?:insert|replace|create|drop|set|begin|use|pragma|lock)\b"
)
"""How a text begins that is SQL, behind comments."""
_INSERT = lazy.pattern(
    r"(?im)^[ \t]*(?:insert|replace)\s[^;()']*?\binto\s+(?P<table>[^\s(]+)\s*"
    r"(?:\((?P<names>[^()]*)\)\s*)?values(?=\s*\()"
)
_ROW = lazy.pattern(rf"(?s)\s*,?\s*\((?P<cells>(?:{_QUOTED}|[^'()]|\([^()']*\))*+)\)")
_CELL = lazy.pattern(rf"(?s)\s*(?:[A-Za-z]*(?P<quoted>{_QUOTED})|(?P<bare>[^,']*))[^,]*(?:,|$)")
_ESCAPED = lazy.pattern(r"(?s)['\\](.)")

_SPACES = dict.fromkeys((r"\n", r"\r", r"\t"), " ")


class SqlTable(NamedTuple):
    """A table: its name, its line, the names of its columns, and its rows with their lines."""

    name: str
    line: int
    columns: list[str]
    rows: list[tuple[int, list[str]]]


def tables_of(text: str) -> list[SqlTable]:
    """The tables that a text puts rows into.

    >>> tables_of("INSERT INTO log (day, what) VALUES ('2010-05-06', 'BP''s dome');")[0].rows
    [(1, ['2010-05-06', "BP's dome"])]
    """
    tables: dict[str, SqlTable] = {}
    line, place = 1, 0
    for insert in _INSERT.finditer(text) if _START.match(text) else ():
        line, place = line + text.count("\n", place, insert.end()), insert.end()
        columns = [name.strip(' \t\n`"[]') for name in (insert["names"] or "").split(",")]
        table = tables.setdefault(
            insert["table"], SqlTable(insert["table"].strip('`"[]'), line, columns, [])
        )
        while row := _ROW.match(text, place):
            first = line + text.count("\n", place, row.start("cells"))
            table.rows.append((first, list(_cells(row["cells"]))))
            line, place = line + text.count("\n", place, row.end()), row.end()
    return list(tables.values())


def _cells(text: str) -> Iterator[str]:
    """The values of a row; NULL is an empty one."""
    place = 0
    while place < len(text) and (found := _CELL.match(text, place)):
        bare = (found["bare"] or "").strip()
        quoted = found["quoted"]
        if quoted:
            yield _ESCAPED.sub(lambda one: _SPACES.get(one[0], one[1]), quoted[1:-1])
        else:
            yield "" if bare.upper() == "NULL" else bare
        place = found.end()
