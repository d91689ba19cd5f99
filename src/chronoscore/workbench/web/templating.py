"""The templates of all screens, and what they may use: titles, tabs, ways to write figures."""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain import formatting
from chronoscore.workbench.store.settings import ONLY_HERE
from chronoscore.workbench.store.workflow import ROLES, STEPS, TASKS, TITLES
from chronoscore.workbench.web.sharing import codes

_GROUPS = {
    "Set up": "Topics Import People Roles Guidelines Settings",
    "Work": "Progress Notes History",
    "Results": "Agreement Tables Split Export",
}
_OF_STREAMS = ("Agreement", "Tables", "Split")
_TABS = {
    group: [(f"/{name.lower()}" if name != "Topics" else "", name) for name in names.split()]
    for group, names in _GROUPS.items()
}
TABS = {
    "stream": _TABS,
    "units": {
        group: [tab for tab in tabs if tab[1] not in _OF_STREAMS] for group, tabs in _TABS.items()
    },
}
"""The pages of a project in groups; agreement, tables and split are about judged streams."""


def _begin(where: str) -> str:
    """What a button says that leads to work: `Link now`, or `Open` for anything else."""
    step = where.rpartition("/")[2]
    return f"{TITLES[step]} now" if step in TITLES else "Open"


def _moment(seconds: float) -> str:
    """A time of the log on a page, where no line ends within it."""
    return formatting.moment(seconds).replace(" ", "\N{NO-BREAK SPACE}")


class Addresses(Extension):
    """Puts the workbench's own folder before the addresses in templates.

    Templates write them from the root (`href="/keys"`), as the routes do.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Complete the links, forms and files of a template."""
        return re.sub(r'\b(href|src|action)="/(?!/)', r'\1="{{ base }}/', source)


@cache
def templates() -> Environment:
    """All templates, read and compiled once."""
    environment = Environment(
        extensions=[Addresses],
        loader=PackageLoader("chronoscore.workbench.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        titles=TITLES,
        roles=ROLES,
        steps=STEPS,
        tasks=TASKS,
        project_tabs=TABS,
        only_here=ONLY_HERE,
        qr=codes.svg,
    )
    environment.filters.update(
        moment=_moment, hours=formatting.hours, share=formatting.share,
        figure=formatting.figure, plural=number_with_noun, clock=formatting.clock_time,
        interval=formatting.interval, begin=_begin, quote=formatting.quote,
        removeprefix=formatting.without_prefix,
    )  # fmt: skip
    return environment
