"""The two workflows: their steps, who works in each, and which roles exclude each other."""

STEPS: dict[str, tuple[str, ...]] = {
    "stream": ("draft", "identify", "merge", "link", "verify", "final"),
    "units": ("draft", "write", "make", "match", "rematch", "final"),
}
"""The steps of a topic in order; only the first and the last are shared."""

ROLES: dict[str, dict[str, str]] = {
    "stream": {"judge": "Judge", "merger": "Merger", "verifier": "Verifier"},
    "units": {
        "writer": "Timeline writer",
        "maker": "Unit maker",
        "matcher": "Matcher",
        "rematcher": "Second matcher",
    },
}
"""The roles of a workflow with the names that people read."""

WORKER = {
    "identify": "judge",
    "merge": "merger",
    "link": "judge",
    "verify": "verifier",
    "write": "writer",
    "make": "maker",
    "match": "matcher",
    "rematch": "rematcher",
}
"""Who works in a step. Without a merger the judges merge, as in the paper."""

BLINDING = frozenset({"judge", "verifier", "writer", "matcher", "rematcher"})
"""Roles whose holder must not know what others decided."""

FORBIDDEN = {
    frozenset({"judge", "verifier"}): "a topic's verifier must not be one of its judges",
    frozenset({"writer", "maker"}): "a topic's unit maker must not be one of its writers",
    frozenset({"matcher", "rematcher"}): "the second matcher must not be the first",
}
"""Pairs of roles that one person must not have in one topic, and why."""

TITLES = {
    "draft": "Draft",
    "identify": "Identify",
    "merge": "Merge",
    "link": "Link",
    "verify": "Verify",
    "write": "Write",
    "make": "Make units",
    "match": "Match",
    "rematch": "Re-match",
    "final": "Final",
}

TASKS = {
    "identify": "Read the stories in order and note the events you see",
    "merge": "Make one list of events of what the judges noted",
    "link": "Say for every sentence which events it reports, or that it is off",
    "verify": "Keep or drop the sentences that the judges linked",
    "write": "Write a timeline of the most important events",
    "make": "Make content units of the writers’ lines",
    "match": "Find each unit in the source",
    "rematch": "Match a sample of the units again",
}
"""What the people at work in a step do."""

DEFAULTS: dict[str, dict[str, object]] = {
    "stream": {"hints": True, "additions": False, "repeats": 0},
    "units": {"lines": 40, "sample": 10},
}
"""The settings of a new project."""


PRACTICE = ("draft", "link", "final")
"""The steps of a topic for practice: its events are given, and nobody verifies it."""


def step_after(steps: tuple[str, ...], step: str) -> str:
    """The step that follows; `final` is followed by nothing."""
    return steps[min(steps.index(step) + 1, len(steps) - 1)]
