"""A self-contained HTML page: no asset from elsewhere, light and dark, readable when printed."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from chronoscore.reports.tables import Table


def _asset(name: str) -> str:
    """The style or the script of all pages."""
    return (Path(__file__).with_name("assets") / name).read_text(encoding="utf-8")


def from_sections(title: str, sections: Sequence[tuple[str, "Table | str"]], lead: str = "") -> str:
    """A page with a heading and a table, or ready HTML, for each section."""
    body = "".join(
        card(heading, content.html() if isinstance(content, Table) else content)
        for heading, content in sections
    )
    return document(title, body, lead)


def card(heading: str, content: str, *, kind: str = "", anchor: str = "") -> str:
    """A part of a page with its heading."""
    name = f' id="{anchor}"' if anchor else ""
    head = f"<h2>{escape(heading)}</h2>" if heading else ""
    return f'<section class="card{f" {kind}" if kind else ""}"{name}>{head}{content}</section>'


def scrollable(label: str, content: str) -> str:
    """Content that may be wider than the page; the keyboard can scroll it."""
    name = escape(label)
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">{content}</div>'


def document(title: str, body: str, lead: str = "", data: Any = None) -> str:
    """A whole page; with data, the script that shows it comes along."""
    opening = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    script = "" if data is None else f"{_embed_data(data)}<script>{_asset('page.js')}</script>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_asset('page.css')}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{opening}{body}</main>{script}</body></html>\n"
    )


def _embed_data(data: Any) -> str:
    """Data for the script; no text in it can end the element."""
    return f'<script type="application/json" id="data">{encode(data)}</script>'


def encode(data: Any) -> str:
    """Data as JSON that can stand in a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
