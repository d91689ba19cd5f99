"""Do the systems' topics fit those of the collection?"""

from collections.abc import Sequence

from chronoscore.core import Collection, Run
from chronoscore.errors import DataError, warn


def check_topics(runs: Sequence[Run], collection: Collection, *, skipped: bool = False) -> None:
    """Refuse unknown topics; warn once of missing ones, which are scored as empty or skipped."""
    skipped = skipped or any(run.skips for run in runs)
    becomes = "left out of its means" if skipped else "scored as empty"
    lacking: list[tuple[str, list[str]]] = []
    for run in runs:
        unknown = [topic for topic in run.outputs if topic not in collection.topics]
        if unknown:
            more = f" ({len(unknown)} unknown in all)" if len(unknown) > 1 else ""
            only = next(iter(collection.topics), "")
            has = f"is of one topic, '{only}'" if len(collection) == 1 else f"has {len(collection)}"
            raise DataError(
                f"run '{run.system}': no such topic '{unknown[0]}'{more}: the reference {has}; "
                "score against the collection it was made for"
                + (", or give its files as systems" if len(collection) == 1 else "")
            )
        known = run.outputs.keys() | run.unreadable.keys()
        missing = [topic for topic in collection.topics if topic not in known]
        if missing and not run.human:
            lacking.append((run.system, missing))
    if lacking:
        system, missing = lacking[0]
        more = f"; {len(lacking)} runs lack topics" if len(lacking) > 1 else ""
        warn(
            f"run '{system}': no output for {len(missing)} of {len(collection)} topics, "
            f"'{missing[0]}' first; {becomes}{more}",
            kind="missing-outputs",
        )
