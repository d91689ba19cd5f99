"""Which key does what, and what a person may change about it."""

from chronoscore.workbench.domain.errors import InvalidError

KEYS: dict[str, dict[str, tuple[str, str]]] = {
    "Everywhere": {
        "help": ("?", "show the keys"),
        "note": ("m", "write a note about this place"),
        "guidelines": (".", "read the guidelines"),
    },
    "Sentences": {
        "next": ("j", "next sentence"),
        "back": ("k", "sentence before"),
    },
    "Decisions": {"undo": ("u", "undo")},
    "Identify": {
        "new-event": ("e", "new event from this sentence"),
        "read": ("r", "story read, go to the next"),
        "story-next": ("]", "next story"),
        "story-back": ("[", "story before"),
    },
    "Merge": {
        "one-event": ("Enter", "the ticked candidates are one event"),
        "apart": ("x", "not the same: only the first stays ticked"),
        "words": ("n", "new event of the ticked, in other words"),
        "add-to": ("a", "add the ticked to an event of the list"),
        "rename": ("r", "rename the chosen event"),
        "take-apart": ("t", "take the chosen event apart"),
        "group-next": ("j", "next suggestion"),
        "group-back": ("k", "suggestion before"),
        "chosen-next": ("]", "next event"),
        "chosen-back": ("[", "event before"),
    },
    "Link": {
        "undecided": ("n", "next undecided sentence"),
        "alike": ("l", "next look-alike that is undecided"),
        "off": ("o", "off-event"),
        "same": ("i", "link like the look-alike"),
        "join": ("h", "join to the sentence before"),
        "pick": ("p", "pick for a group, then press the event's key"),
        "find": ("/", "find an event"),
        "find-text": ("f", "find text, or only some sentences"),
        "onward": ("y", "decide and go on, or stay: with it, a decision leads to the next"),
    },
    "Verify": {
        "keep": ("f", "keep"),
        "drop": ("d", "drop"),
        "open": ("n", "next without a verdict"),
        "event-next": ("]", "next event"),
        "event-back": ("[", "event before"),
    },
    "Match": {
        "anchor-next": ("j", "next anchor"),
        "anchor-back": ("k", "anchor before"),
        "whole": ("Enter", "this anchor expresses the whole unit (1.0)"),
        "remove": ("x", "take this anchor or group out"),
        "widen": ("w", "act on the group around it"),
        "gather": ("p", "pick for an OR-group"),
        "group": ("g", "make an OR-group of what was picked, or dissolve this group"),
        "add-anchor": ("a", "anchor other words of this sentence"),
        "matched": ("y", "unit matched, go to the next"),
        "unit-next": ("]", "next unit"),
        "unit-back": ("[", "unit before"),
    },
}
"""What each screen does by keys, with the usual ones; 1–9, q w e r t … link to events."""

SCREENS = {
    "identify": ("Sentences", "Identify", "Decisions", "Everywhere"),
    "merge": ("Merge", "Decisions", "Everywhere"),
    "link": ("Sentences", "Link", "Decisions", "Everywhere"),
    "verify": ("Sentences", "Verify", "Decisions", "Everywhere"),
    "match": ("Match", "Decisions", "Everywhere"),
    "rematch": ("Match", "Decisions", "Everywhere"),
}
EVENT_KEYS = "123456789qwertasdfgzxcvb"


def on_screen(screen: str, own: dict[str, str]) -> dict[str, dict[str, str]]:
    """The keys of one screen, a person's own ones included, with what they do.

    Screens that are made of forms, where letters are text, have only one.
    """
    groups = [KEYS[group] for group in SCREENS.get(screen, ())]
    if not groups:
        groups = [{"guidelines": KEYS["Everywhere"]["guidelines"]}]
    return {
        action: {"key": own.get(action, usual), "words": words}
        for group in groups
        for action, (usual, words) in group.items()
    }


def event_keys(own: dict[str, str]) -> str:
    """The keys of events, in their order: those that do nothing else where events have keys."""
    taken = {entry["key"] for name in ("link", "verify") for entry in on_screen(name, own).values()}
    return "".join(key for key in EVENT_KEYS if key not in taken)


def check_own_keys(own: dict[str, str]) -> None:
    """Refuse two actions on one key of a screen, and keys that link to events."""
    for action, key in own.items():
        if len(key) != 1 and key not in ("Enter", "Backspace", "Delete", "Home", "End"):
            raise InvalidError(f"'{key}' is not a single key; write one character")
        if key.isdigit():
            raise InvalidError(f"'{action}': digits are taken; choose another key")
    for screen in SCREENS:
        seen: dict[str, str] = {}
        for action, entry in on_screen(screen, own).items():
            taken = seen.setdefault(entry["key"], action)
            if taken != action:
                raise InvalidError(
                    f"'{entry['key']}' would mean both '{taken}' and '{action}'; choose another"
                )
