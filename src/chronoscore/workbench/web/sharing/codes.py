"""Addresses as QR codes: for the terminal, and for pages."""

import segno
from markupsafe import Markup

_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def terminal_lines(text: str, *, colored: bool) -> list[str]:
    """A QR code of half blocks, two rows to a line.

    Without colors its light parts are drawn, as most terminals are dark.
    """
    rows = [list(row) for row in segno.make_qr(text, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    if not colored:
        rows = [[1 - one for one in row] for row in rows]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    lines = ["".join(map(_HALVES.__getitem__, zip(*pair, strict=True))) for pair in pairs]
    return [f"\x1b[30;107m{line}\x1b[0m" for line in lines] if colored else lines


def svg(text: str) -> Markup:
    """A QR code to be looked at with a phone, dark on light in every theme."""
    code = segno.make_qr(text, error="l")
    words = {"title": "QR code of the link", "svgclass": "qr", "lineclass": None}
    return Markup(code.svg_inline(omitsize=True, border=2, dark="#000", light="#fff", **words))
