"""A self-contained HTML page: no script, no asset from elsewhere, light and dark."""

from collections.abc import Sequence
from html import escape

from chronoscore.reports.tables import Table, html

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --faint: #5b6675; --line: #d5dae1;
  --paper: #fff; --band: #f5f7fa; --accent: #1f5fae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --faint: #a3adba; --line: #39424f;
  --paper: #14181e; --band: #1b2129; --accent: #7db2f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.2rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; min-width: 100%; }
caption { text-align: left; color: var(--faint); padding-bottom: .4rem; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.words { text-align: left; } thead th { border-bottom: 2px solid var(--ink); }
tbody tr:nth-child(even) { background: var(--band); }
.interval { color: var(--faint); font-size: .85em; } sup { color: var(--accent); }
.note { color: var(--faint); font-size: .85rem; margin: .4rem 0 0; overflow-wrap: anywhere; }
table.pairs th { text-align: left; }
table.pairs td { white-space: normal; text-align: left; vertical-align: top; min-width: 8rem; }
mark { background: color-mix(in srgb, var(--accent) 25%, transparent); color: inherit; }
svg { max-width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .axis { stroke: var(--line); } svg .bar { stroke: var(--accent); stroke-width: 2; }
svg .dot { fill: var(--accent); } svg .faint { fill: var(--faint); }
"""


def page(title: str, sections: Sequence[tuple[str, "Table | str"]], lead: str = "") -> str:
    """A page with a heading and a table, or ready HTML, for each section."""
    body = "".join(
        (f"<h2>{escape(heading)}</h2>" if heading else "")
        + (html(content) if isinstance(content, Table) else content)
        for heading, content in sections
    )
    opening = f"<p>{escape(lead)}</p>" if lead else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{opening}{body}</main></body></html>\n"
    )
