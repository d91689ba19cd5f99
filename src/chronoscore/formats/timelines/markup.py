"""Other markup than Markdown, rewritten as Markdown line by line.

LaTeX, MediaWiki, Org, reStructuredText, Mermaid diagrams and calendars (iCalendar) are recognized
by signs of their own. Every line keeps its number; what is only layout becomes blank.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from chronoscore import lazy

NOTHING = "\x1f"
"""A line that is only layout and, unlike a blank one, separates nothing."""

_Rules = list[tuple[re.Pattern[str], str]]


def _rules(*pairs: tuple[str, str]) -> _Rules:
    return [(lazy.pattern(pattern), replacement) for pattern, replacement in pairs]


def _apply(rules: _Rules, line: str) -> str:
    for pattern, replacement in rules:
        line = pattern.sub(replacement, line)
    return line


_LATEX = _rules(
    (r"(?<!\\)%.*", ""),
    (r"\\(?:cite\w*|footnote\w*|ref|label|index|vspace|hspace|url)\*?(?:\[[^]]*\])*\{[^{}]*\}", ""),
    (r"\\(?:documentclass|usepackage|begin|end|caption|centering)\*?(?:\[[^]]*\])*(?:\{.*\})?", ""),
    (r"\\(?:part|chapter|section)\*?\{([^{}]*)\}", r"# \1"),
    (r"\\(?:sub)+(?:section)\*?\{([^{}]*)\}|\\paragraph\*?\{([^{}]*)\}", r"## \1\2"),
    (r"\\item\s*\[([^]]*)\]\s*:?", r"- \1: "),
    (r"\\item\b", "-"),
    (r"\\(?:textbf|mathbf|bfseries)\{([^{}]*)\}", r"**\1**"),
    (r"\\[a-zA-Z]+\*?\{([^{}]*)\}", r"\1"),
    (r"\\\\(?:\[[^]]*\])?", r"\\\\"),
    (r"(?<!\\)\$([^$]*)(?<!\\)\$", r"\1"),
    (r"~|\\[ ,;]", " "),
    (r"(?<!\\)[{}]", ""),
    (r"---", "—"),
    (r"--", "–"),
    (r"``|''", '"'),
    (r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfoot|endfirsthead|[a-zA-Z]+(?=\s|$))", ""),
)
_LATEX_CELLS = lazy.pattern(r"\s*(?<!\\)&\s*")
_LATEX_ESCAPE = lazy.pattern(r"\\([&%$#_{}])")


def _latex(lines: Sequence[str]) -> list[str]:
    """Rows that end with two backslashes are those of a table, however many lines they have."""
    found = [_apply(_LATEX, line).strip() for line in lines]
    open_at: int | None = None
    for place, line in enumerate(found):
        if open_at is not None and line:
            found[open_at], found[place] = f"{found[open_at]} {line}", ""
        elif _LATEX_CELLS.search(line):
            open_at = place
        if open_at is not None and found[open_at].endswith("\\\\"):
            cells = _LATEX_CELLS.split(found[open_at].rstrip("\\ "))
            found[open_at] = f"| {' | '.join(cells)} |"
            open_at = None
    return [_LATEX_ESCAPE.sub(r"\1", line) for line in found]


_WIKI = _rules(
    (r"<ref[^<>]*/>|<ref[^<>]*>.*?</ref>", ""),
    (r"\{\{(?:start[ _]date|end[ _]date|dts|date)[^|{}]*\|(\d{4})\|(\d{1,2})\|(\d{1,2})[^{}]*\}\}",
     r"\1-\2-\3"),
    (r"\{\{[^{}]*\}\}", ""),
    (r"\[\[(?:Category|File|Image|Kategorie|Datei|Catégorie|Categoría):[^]]*\]\]", ""),
    (r"\[\[[^]|]*\|([^]]*)\]\]|\[\[([^]]*)\]\]", r"\1\2"),
    (r"\[https?://\S+ ([^]]*)\]", r"\1"),
    (r"'''''|'''", "**"),
    (r"''", "*"),
    (r"^#+(?=[^#])", "-"),
    (r"^;\s*(.*?)\s*:\s+", r"- \1: "),
    (r"^\{\|.*|^\|\}.*|^\|\+.*|^\|-.*", ""),
    (r"\s*(?:\|\||!!)\s*", " | "),
    (r"^!\s*(.*)", r"| \1 |"),
)  # fmt: skip


def _wiki(lines: Sequence[str]) -> list[str]:
    """Cells of a table that stand on lines of their own are joined to rows."""
    found = [_apply(_WIKI, line) for line in lines]
    row: int | None = None
    for place, (given, line) in enumerate(zip(lines, found, strict=True)):
        if given.startswith(("|-", "{|", "|}")):
            row = None
        elif given.startswith(("|", "!")):
            line = re.sub(r'^\|\s*(?:[a-z]+="[^"]*"\s*)+\|(?!\|)', "|", line)
            if row is None:
                row, found[place] = place, line
            else:
                found[row], found[place] = f"{found[row].rstrip('| ')} {line}", ""
    return found


_ORG_HEADING = lazy.pattern(
    r"(?P<stars>\*+)\s+(?:[A-Z]{3,}\s+)?(?:\[#\w\]\s+)?(?P<text>.*?)(?:\s+:[\w@:]+:)?\s*"
)
_ORG_STAMP = lazy.pattern(r"[<\[](?P<date>\d{4}-\d\d-\d\d)[^<>\[\]]*[>\]]")
_ORG_DATE = r"[<\[]\d{4}-\d\d-\d\d[^<>\[\]]*[>\]]\s*"
_ORG_PLAN = lazy.pattern(rf"\s*(?:(?:CLOSED|DEADLINE|SCHEDULED):\s*{_ORG_DATE})+|\s*{_ORG_DATE}")
_ORG_LAYOUT = lazy.pattern(r"\s*(?:#\+\w+:.*|:[A-Z_]+:.*|#\s.*)")
_ORG_MARKS = lazy.pattern(r"(?<!\w)([/=~+_])(?=\S)(.+?)(?<=\S)\1(?!\w)")


def _org(lines: Sequence[str]) -> list[str]:
    """A time stamp of a heading, in it or right below, is its date."""
    found: list[str] = []
    heading = -1
    for line in lines:
        if head := _ORG_HEADING.fullmatch(line):
            stamp = _ORG_STAMP.search(head["text"])
            text = _ORG_STAMP.sub("", head["text"]).strip()
            mark = "#" * min(len(head["stars"]), 6)
            found.append(f"{mark} {stamp['date']}: {text}" if stamp else f"{mark} {text}")
            heading = -1 if stamp else len(found) - 1
        elif heading == len(found) - 1 >= 0 and _ORG_PLAN.fullmatch(line):
            stamp = _ORG_STAMP.search(line)
            mark, _, text = found[heading].partition(" ")
            found[heading] = f"{mark} {stamp['date']}: {text}" if stamp else found[heading]
            found.append("")
        else:
            found.append("" if _ORG_LAYOUT.fullmatch(line) else _ORG_MARKS.sub(r"\2", line))
    return found


_RST = _rules(
    (r"^\s*\.\. (?:\[.*\].*|\w[\w-]*::.*|_.*)|^\s+:[a-z-]+:.*$|^:[^:\d]+:\s.*$", ""),
    (r"\s*\[#?\w+\]_", ""),
    (r"^(\s*):([^:\s][^:]*):\s+", r"\1- \2: "),
    (r":\w+:`([^`]*)`", r"\1"),
)
_RST_UNDERLINE = lazy.pattern(r"([=~^\"'*+#.`-])\1{2,}\s*")
_RST_ROW = lazy.pattern(r"\s*\* - (?P<cell>.*)")
_RST_CELL = lazy.pattern(r"\s+- (?P<cell>.*)")


def _rst(lines: Sequence[str]) -> list[str]:
    """Titles with a line of signs below become headings, list-tables become tables."""
    found = [_apply(_RST, line) for line in lines]
    table, row = False, -1
    for place, line in enumerate(found):
        if re.match(r"\s*\.\. list-table::", lines[place]):
            table = True
        elif line.strip() and not line.startswith((" ", "*")):
            table = False
        above = found[place - 1].strip() if place else ""
        if _RST_UNDERLINE.fullmatch(line) and above and len(line.rstrip()) >= len(above):
            found[place - 1], found[place] = f"## {above}", ""
        elif table and (cell := _RST_ROW.fullmatch(line)):
            row, found[place] = place, f"| {cell['cell']} |"
        elif table and (cell := _RST_CELL.fullmatch(line)):
            found[row], found[place] = f"{found[row]} {cell['cell']} |", ""
        elif table and row >= 0 and line.strip():
            found[row], found[place] = f"{found[row][:-1]}{line.strip()} |", ""
    return found


_GANTT_TASK = lazy.pattern(r"\s*(?P<text>[^:]+?)\s*:(?P<fields>[^:]*)")
_DIAGRAM = _rules((r"^\s*title\s+", "# "), (r"^\s*section\s+", "## "))
_GANTT_LAYOUT = lazy.pattern(
    r"\s*(?:gantt|timeline|dateFormat|axisFormat|excludes|todayMarker|tickInterval|%%).*"
)


def diagram(lines: Sequence[str]) -> list[str]:
    """The lines of a Mermaid diagram; a task of a Gantt chart has its date behind its text."""
    gantt = any(line.strip() == "gantt" for line in lines)
    found = []
    for line in lines:
        task = _GANTT_TASK.fullmatch(line) if gantt and not _GANTT_LAYOUT.match(line) else None
        fields = [one.strip() for one in task["fields"].split(",")] if task else []
        date = next((one for one in fields if re.match(r"\d{4}-\d\d|\d{1,2}[./-]\d", one)), "")
        if task and date:
            found.append(f"- {date}: {task['text']}")
        else:
            found.append("" if _GANTT_LAYOUT.fullmatch(line) else _apply(_DIAGRAM, line))
    return found


_CALENDAR_FIELD = lazy.pattern(r"(?P<name>[A-Z-]+)(?:;[^:]*)?:(?P<value>.*)")
_CALENDAR_ESCAPE = lazy.pattern(r"\\([,;\\])")


def _calendar(lines: Sequence[str]) -> list[str]:
    """An item for each event: its start, its summary and its description."""
    found = [""] * len(lines)
    event: dict[str, str] = {}
    name, begin = "", -1
    for place, line in enumerate(lines):
        if line.startswith((" ", "\t")) and name:
            event[name] += line[1:]
            continue
        field = _CALENDAR_FIELD.fullmatch(line.rstrip())
        name = field["name"] if field else ""
        if field and name == "BEGIN":
            event, begin = {}, place
        elif field and field[0] == "END:VEVENT":
            start = re.sub(r"^(\d{4})(\d\d)(\d\d).*", r"\1-\2-\3", event.get("DTSTART", ""))
            texts = [event[key] for key in ("SUMMARY", "DESCRIPTION") if event.get(key)]
            text = _CALENDAR_ESCAPE.sub(r"\1", ". ".join(texts)).replace("\\n", " ")
            found[begin] = f"- {start}: {text}"
        elif field:
            event[name] = field["value"]
    return found


_MAIL_FIELD = lazy.pattern(r"[^\W\d][\w -]{0,20}:\s+\S.*")
_FRONT_FIELD = lazy.pattern(r"[\w-]+:.*|\s+-?\s*\S.*|-\s.*|\s*")


def head(lines: Sequence[str]) -> tuple[int, str]:
    """How many lines at the beginning tell of the document and of no event, and what they are."""
    if lines and lines[0].rstrip() == "---":
        end = next((n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "...")), 0)
        named = any(re.match(r"[a-zA-Z_][\w-]*:", line) for line in lines[1:end])
        whole = named and all(_FRONT_FIELD.fullmatch(line) for line in lines[1:end])
        if whole and any(line.strip() for line in lines[end + 1 :]):
            return end + 1, "front matter"
    end = next((n for n, line in enumerate(lines) if not _MAIL_FIELD.fullmatch(line)), len(lines))
    if 2 <= end < len(lines) and any("@" in line for line in lines[:end]):
        return end, "the head of an e-mail"
    return 0, ""


class _Markup(NamedTuple):
    """A markup: what shows it, how often at least, and how it is rewritten."""

    beginnings: tuple[str, ...]
    """Every text with a sign has one of these, which are looked for first."""
    sign: str
    rewrite: Callable[[Sequence[str]], list[str]]
    often: int = 1


_MARKUPS = (
    _Markup(("BEGIN:VEVENT",), r"^BEGIN:VEVENT\s*$", _calendar),
    _Markup(("\\",), r"(?<!\\)\\(?:begin|item|section|hline)\b|&.*\\\\\s*$", _latex, 2),
    _Markup(("gantt", "timeline"), r"\A\s*(?:%%.*\n\s*)*(?:gantt|timeline)\s*$", diagram),
    _Markup(
        ("\n#+", "<", "["), rf"^(?:#\+[A-Z_]+:|\s*[A-Z]+: {_ORG_DATE}|\*+ .*{_ORG_DATE})", _org
    ),
    _Markup(
        ("\n.. ", "]_", "\n:"), r"^\.\. [\w_\[]|\[#?\w+\]_(?!\w)|^:\w[\w ]*: \S", _rst, 2
    ),
    _Markup(
        ("\n==", "\n{", "</ref>", "\n'''"), r"^==+[^=].*==+\s*$|^\{[|{]|</ref>|^'''", _wiki, 2
    ),
)  # fmt: skip


def to_markdown(lines: Sequence[str]) -> list[str]:
    """The lines of a text, rewritten if they are in a markup that is known."""
    text = "\n".join(lines)
    whole = f"\n{text}"
    for markup in _MARKUPS:
        if not any(beginning in whole for beginning in markup.beginnings):
            continue
        signs = re.finditer(markup.sign, text, re.MULTILINE)
        if sum(1 for _ in zip(signs, range(markup.often), strict=False)) == markup.often:
            rewritten = markup.rewrite(lines)
            return [
                new if new.strip() or not old.strip() else NOTHING
                for old, new in zip(lines, rewritten, strict=True)
            ]
    return list(lines)
