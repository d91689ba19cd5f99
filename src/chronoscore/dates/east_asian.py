"""Dates in Chinese, Japanese and Korean: figures with a sign behind each, and eras."""

import re
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates.folding import fold

_ERAS = {
    "令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867,
    "民國": 1911, "民国": 1911, "宣統": 1908, "宣统": 1908, "光緒": 1874, "光绪": 1874,
    "단기": -2333, "佛曆": -543, "佛历": -543,
}  # fmt: skip
"""The years before the first of each era."""
_BEFORE_REPUBLIC = 1912
_FIGURES = {figure: number for number, figure in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "○": 0, "両": 2, "元": 1,
}  # fmt: skip
_N = "[0-9〇零○一二三四五六七八九十]"
_BC = "公元前|西元前|紀元前|纪元前|기원전|前"
_YEAR = (
    rf"(?:(?:民國前|民国前)(?P<before>{_N}{{1,2}})"
    rf"|(?P<era>{'|'.join(_ERAS)})\s?(?P<reign>{_N}{{1,4}}|元)"
    rf"|(?P<bc>{_BC})?\s?(?:公元|西元|西暦|서기)?\s?(?P<year>{_N}{{1,5}}))\s?(?:年|년)(?!代|대|間|间)度?"
)
_MONTH = rf"(?P<month>{_N}{{1,3}})\s?(?:月|월)(?![間间])份?"
_DAY = rf"(?P<day>{_N}{{1,3}})\s?(?:日|号|號|일)(?!本|[間间])"
_NOTE = r"(?:\s?\([^()]{1,14}\))?"
_PART = (
    r"(?P<part>\s?(?:上旬|中旬|下旬|初旬|初頭|初头|前半|後半|后半|中頃|中葉|中叶|末期|月初|月底|月末|年初|年底|年末|初(?![めのの次期])|末|底"
    r"|中期|半ば|[春夏秋冬][季天]?|頃|ころ|ごろ|前后|前後|左右"
    r"|(?:초|말|중순|상순|하순|경|께|봄|여름|가을|겨울|중반|초반|후반)(?=[에의,\s:]|$|까지|부터)"
    r"|第?[一二三四1-4](?:季度|四半期)|[1-4]\s?분기|[上下]半[年期]|[상하]반기))?"
)
_FORMS = [
    lazy.pattern(fold(pattern))
    for pattern in (
        rf"(?:(?P<bc>{_BC})\s?)?(?:公元|西元|西暦)?(?P<century>{_N}{{1,3}})\s?(?:世纪|世紀|세기)"
        rf"(?:(?P<decade>{_N}{{1,2}})(?:年代|년대))?{_PART}",
        rf"(?:(?P<bc>{_BC})\s?)?(?:公元|西暦)?(?P<decade>{_N}{{3,4}})\s?(?:年代|년대){_PART}",
        rf"{_YEAR}{_NOTE}(?:\s?{_MONTH}(?:\s?{_DAY})?)?{_PART}",
        rf"{_MONTH}\s?{_DAY}",
        rf"{_MONTH}{_PART}",
    )
]
SIGNS = lazy.pattern("[年年月日년월일世세]")
LONE_DAY = lazy.pattern(rf"{_DAY}")


class Parts(NamedTuple):
    """What a date says of itself, in the words of `openings`."""

    end: int
    literal: str = ""
    year: str = ""
    month: int = 0
    day: str = ""
    vague: bool = False


def read_east_asian_date(text: str, place: int) -> Parts | None:
    """The date at a place of a folded text; a small year behind a word is of an unknown era."""
    for form in _FORMS:
        if found := form.match(text, place):
            parts = _parts(found)
            behind = place > 0 and "\u3400" <= text[place - 1] <= "\u9fff"
            return None if behind and parts.year.startswith("AD ") else parts
    return None


def read_number(figures: str) -> int:
    """A number in ASCII or Chinese figures, written digit by digit or with a ten.

    >>> read_number("二〇一一"), read_number("二十三")
    (2011, 23)
    """
    if "十" not in figures:
        return int("".join(str(_FIGURES.get(figure, figure)) for figure in figures) or "0")
    tens, _, ones = figures.partition("十")
    return 10 * (read_number(tens) if tens else 1) + (read_number(ones) if ones else 0)


def _parts(found: re.Match[str]) -> Parts:
    parts = found.groupdict()
    bc = " BC" if parts.get("bc") else ""
    vague = bool((parts.get("part") or "").strip())
    if parts.get("century") or parts.get("decade"):
        return Parts(found.end(), literal=_long_span(parts) + bc, vague=vague)
    year = ""
    if parts.get("reign"):
        year, vague = str(_ERAS[parts["era"]] + read_number(parts["reign"])), True
    elif parts.get("before"):
        year, vague = str(_BEFORE_REPUBLIC - read_number(parts["before"])), True
    elif parts.get("year"):
        number = read_number(parts["year"])
        year = f"{number}{bc}" if bc or number > 999 else f"AD {number}"
    month = read_number(parts["month"]) if parts.get("month") else 0
    day = str(read_number(parts["day"])) if parts.get("day") else ""
    return Parts(found.end(), year=year, month=month, day=day, vague=vague)


def _long_span(parts: dict[str, str | None]) -> str:
    """A century, a decade, or the decade of a century ("20世纪90年代")."""
    decade = read_number(parts.get("decade") or "")
    if not parts.get("century"):
        return f"{decade}s"
    century = read_number(parts["century"] or "")
    if parts.get("decade"):
        return f"{100 * (century - 1) + decade}s"
    return f"{century}th century"
