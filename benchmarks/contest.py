"""One contender, one process: what it costs to do a given piece of work.

Every run is a fresh process that loads its texts, then counts the processor time (user and
system, all threads and child processes) of the work alone, and the peak memory of the whole
process, texts included.
"""

import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

Task = Callable[[], int]
"""Does the work and says how many pairs it did."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """Who does the work, by which function, and what of the work it can do.

    `task` names a function `module:name` that takes the folder of texts and the options,
    and gives the task. `share` is the part of the pairs that a slow one is given; its time
    is scaled up.
    """

    name: str
    task: str
    does: str
    share: float = 1.0
    options: Mapping[str, Any] = field(default_factory=dict)


class Cost(NamedTuple):
    """What the whole work costs, and how it was found."""

    seconds: float
    megabytes: float
    pairs: int
    done: int


class FailedError(Exception):
    """A contender could not do its task; str() says why."""


def run(contenders: Sequence[Contender], folder: Path, *, repeats: int) -> list[Cost | str]:
    """Let the contenders take turns, several times over, and give each one's median cost.

    Of one that cannot do its task the reason is given instead.
    """
    trials: list[list[Cost]] = [[] for _ in contenders]
    failed: dict[int, str] = {}
    for turn in range(repeats):
        for place, contender in enumerate(contenders):
            # One turn is enough for those that take minutes.
            if place in failed or (turn > 0 and contender.share < 1.0):
                continue
            try:
                trials[place].append(_trial(contender, folder))
            except FailedError as error:
                failed[place] = str(error)
    return [failed.get(place) or _median(costs) for place, costs in enumerate(trials)]


def _median(costs: Sequence[Cost]) -> Cost:
    middle = statistics.median_low(cost.seconds for cost in costs)
    chosen = next(cost for cost in costs if cost.seconds == middle)
    return chosen._replace(megabytes=max(cost.megabytes for cost in costs))


def _trial(contender: Contender, folder: Path) -> Cost:
    """Run a contender once, on one thread where it lets us say so."""
    command = [sys.executable, "-m", "benchmarks.contest", contender.task, str(folder)]
    told = json.dumps({"share": contender.share, **contender.options})
    threads = dict.fromkeys(("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    done = subprocess.run(
        [*command, told],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **threads},
    )
    if done.returncode:
        said = [line.strip() for line in done.stderr.splitlines() if re.search(r"\w", line)]
        raise FailedError(said[-1] if said else "no reason given")
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


def _processor_seconds() -> float:
    """The processor time of this process, its threads and the children it has waited for."""
    import resource

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _peak_megabytes() -> float:
    """The peak memory of this process, or of a larger child.

    A process starts with its parent's figure in `getrusage`, so Linux is asked another way.
    """
    import resource

    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
    own = peaks[0] if peaks else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def measure(task: str, folder: Path, options: dict[str, Any]) -> Cost:
    """Do one contender's task in this process."""
    module, name = task.split(":")
    share = options.pop("share")
    work, pairs = getattr(import_module(module), name)(folder, share, **options)
    start = _processor_seconds()
    done = work()
    seconds = _processor_seconds() - start
    return Cost(seconds * pairs / done, _peak_megabytes(), pairs, done)


if __name__ == "__main__":
    task, folder, options = sys.argv[1:]
    print(json.dumps(measure(task, Path(folder), json.loads(options))._asdict()))
