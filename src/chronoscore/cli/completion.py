"""What a shell completes: names of measures, of systems and of topics.

Turned on by `eval "$(_CHRONOSCORE_COMPLETE=bash_source chronoscore)"`.
"""

from pathlib import Path
from typing import Any

import click


def complete_measures(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """The measures whose names begin so; behind a dot, the parts of the measure before it."""
    from chronoscore.errors import ChronoscoreError
    from chronoscore.measures import MEASURES, parse_measure_text

    spec, dot, part = begun.rpartition(".")
    if dot:
        try:
            parts = parse_measure_text(spec).parts
        except ChronoscoreError:
            return []
        return [f"{spec}.{one}" for one in parts if one.startswith(part)]
    return [name for name in sorted({*MEASURES, *MEASURES.presets}) if name.startswith(begun)]


def complete_runs(context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """The systems that the line names so far, as tables will call them."""
    from chronoscore.formats.io.layout import bare_name, folder_name

    stores = ("timelines", "summaries", "update", "original")
    names = []
    # While a value is awaited, click leaves arguments where it found them.
    for path in map(Path, context.params.get("systems") or context.args):
        store = path.resolve().name if path.resolve().name in stores else ""
        names.append(folder_name(path, store) if path.is_dir() else bare_name(path))
    return [name for name in dict.fromkeys(names) if name.startswith(begun)]


def complete_summarizers(
    _context: click.Context, _argument: click.Parameter, begun: str
) -> list[Any]:
    """The systems that can be run whose names begin so, and then files."""
    from click.shell_completion import CompletionItem

    from chronoscore.systems.registry import SYSTEMS

    names = [name for name in sorted({*SYSTEMS, *SYSTEMS.presets}) if name.startswith(begun)]
    return [CompletionItem(name) for name in names] or [CompletionItem(begun, type="file")]


def complete_topics(context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """The topics of the references that the line names so far."""
    from chronoscore.errors import DataError
    from chronoscore.formats.io.layout import reference_files

    found: dict[str, None] = {}
    for path in map(Path, context.params.get("references") or ()):
        try:
            found.update(dict.fromkeys(topic for topic, _ in reference_files(path, "timelines")))
        except (DataError, OSError):
            continue
    return [name for name in found if name.startswith(begun)]
