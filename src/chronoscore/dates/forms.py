"""The forms of English dates, as regular expressions over the letters of `words`.

The first form that fits at the leftmost place wins, so longer and surer forms stand first;
where its reader refuses, the later ones are tried.
"""

import re

_PART = "(?:t?[eoVvx]?bft?|[evV]it?|t?e-?)"
"""the end of; the early part of the; early in; late; mid-"""
_OF_YEAR = "f[th]=?u|f?[lx]u"
"""of that same year; of next year; last year"""
_YEAR = f"(?:,?f?Y[BA]?|f?[HD]B|{_OF_YEAR})"
_DAY_MONTH = f"(?:W,?)?t?[DO]f?[Mm](?:,?Y[BA]?|[HD]B|{_OF_YEAR})?"
_MONTH_DAY = f"(?:W,?)?[Mm]t?[DO](?![:B])(?:,?Y[BA]?|{_OF_YEAR})?"
_DATE = f"(?:{_DAY_MONTH}|{_MONTH_DAY})"
_POINTING = "(?:t?[lx]|t?=|h=?)"
"""last; the next; the same; that same"""
_FEW = "(?:aqf?|n-?n|nnjn|n{1,5}|[DHQ]|q)"
_COUNT = f"(?:{_FEW}|an?)"
_A_YEAR_AGO = "(?:[lx]u|au[gV])"

FORMS = {
    "iso": "I",
    "long_unit": "u-[.]",
    "clock": f"(?:C-?P?|DP)z?(?:,?[ji]?{_DATE}|R)?z?",
    "daypart_of_date": f"(?:e(?:it)?)?t?e?pU?f{_DATE}",
    "day_before_day": "(?:t?pf)?[DO](?=(?:-|j|/)[DO]f?[Mm])",
    "date": _DATE,
    "day_after_day": "(?<=[MmDO][DO][-/j])[DO](?:,Y)?(?![UunZ$%])",
    "month": f"{_PART}?[Mm]{_YEAR}",
    "season": f"{_PART}?(?:{_POINTING}|t)?e?(?:[Ss]{_YEAR}|S)",
    "fall": f"(?:{_PART}|{_POINTING}|(?<=[ij])t)s(?!f)",
    "era": f"{_PART}?d?(?:[YHDQ]B|A[YHD]|[YHD]A)",
    "year_before_era": "d?[YHD](?=(?:-|j)d?[YHD]B)",
    "decade": f"{_PART}?t?(?:K|(?<=t)k)[BA]?",
    "century": f"{_PART}?t?e?-?[oO]-?Z[BA]?",
    "century_before_century": "t?[oO](?=(?:-|j)t?[oO]-?Z)",
    "bare_year_of_era": f"{_PART}?H(?![UuZ.n])",
    "quarter": f"t?[oO]u{_YEAR}?",
    "year_after_year": "(?<=Y[-/])[DH]",
    "short_year": "(?<=[Mmjif])'[DH](?!')",
    "year": f"(?:{_PART}|t[uU])?d?Y",
    "bare_month": f"(?:{_PART}|{_POINTING})?[Mm]",
    "festival": f"F[.Wu]?{_YEAR}|F[.Wu]|F",
    "weekday": "(?:[lxh]|e)?Wp?",
    "offset": f"d?{_COUNT}[uUZ][gvV<>l]",
    "vague_offset": "U[gvV]",
    "span_of_units": f"t?[lxoh]o?d?{_COUNT}?[UZ]|t{_COUNT}[lx]U",
    "daypart": f"(?:e(?:it)?)?(?:{_POINTING}|t[oO]?)?e?p",
    "same_unit": f"t=[uT]{_A_YEAR_AGO}",
    "unit": f"(?:{_PART}|[vV])?{_POINTING}[uZ]|(?:t?[eoVvx]?bf|[evV]i)(?:t|h)=?u",
    "neighbour": "tu[<>x]",
    "day_word": "[eV]?Rp?",
    "compound": "(?:n-?n|n|[DHQ])-u(?:-[.])?|(?<=[ta])[nD]u",
    "duration": f"t?d?{_COUNT}[uUZ]|t?d?Y[UZ]|t?d?{_FEW}[.]U",
    "bare_units": "(?<=[ij<>])U",
    "habit": "y",
    "pointer": "tr|r|t?cu|jhu",
    "some_time": "(?:h|t=)T",
}
"""Name and pattern, in the order in which they are tried."""

MASTER = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in FORMS.items()))
_ALONE = [(name, re.compile(pattern)) for name, pattern in FORMS.items()]


def later_forms(classes: str, place: int, name: str) -> list[tuple[str, int]]:
    """The forms after a refused one that fit at the same place, each with its end."""
    names = list(FORMS)
    return [
        (other, found.end())
        for other, pattern in _ALONE[names.index(name) + 1 :]
        if (found := pattern.match(classes, place))
    ]
