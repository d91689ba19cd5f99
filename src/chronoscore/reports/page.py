"""A self-contained HTML page: no asset from elsewhere, light and dark, readable when printed."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from chronoscore.reports.tables import Table


def _asset(name: str) -> str:
    """The style or the script of all pages."""
    return (Path(__file__).with_name("assets") / name).read_text(encoding="utf-8")


SCRIPTS = ("elements", "address", "board", "why", "points", "compare", "copying", "start")
"""The scripts of a page, which share one function, in this order."""


def _script() -> str:
    """All scripts of a page as one."""
    parts = "".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'<script>(() => {{\n"use strict";\n{parts}}})();</script>'


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


def document(
    title: str,
    body: str,
    lead: str = "",
    data: Mapping[str, Any] | None = None,
    contents: Sequence[tuple[str, str]] = (),
) -> str:
    """A whole page; with data by the id of its element, the scripts that show it come along.

    `contents` are the anchors of its parts and what they are called.
    """
    opening = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    links = "".join(f'<a href="#{anchor}">{escape(name)}</a>' for anchor, name in contents)
    menu = f'<nav class="contents" aria-label="Contents">{links}</nav>' if links else ""
    held = "" if data is None else "".join(map(_embed_data, data, data.values())) + _script()
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_asset('page.css')}</style></head>"
        f'<body><main><div class="top"><div><h1 dir="auto">{escape(title)}</h1>{opening}</div>'
        f"{menu}</div>{body}</main>{held}</body></html>\n"
    )


def _embed_data(name: str, data: Any) -> str:
    """Data for the scripts; no text in it can end the element."""
    return f'<script type="application/json" id="{name}">{encode(data)}</script>'


def encode(data: Any) -> str:
    """Data as JSON that can stand in a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
