"""Typed options that the commands and the public functions share.

Nothing here imports NumPy, so that wrong options of a command are refused at once.
"""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from chronoscore.errors import UsageError, check_whole
from chronoscore.extras import install_command

if TYPE_CHECKING:
    from chronoscore.measures import Averaging
    from chronoscore.stats.corpus import Resampling

FORMATS = ("table", "json", "jsonl", "csv", "md", "latex", "html")
RowChoice: TypeAlias = Literal["topics", "averages", "all"]
CeilingLength: TypeAlias = Literal["reference", "own"]
CEILING_LENGTHS: tuple[CeilingLength, ...] = ("reference", "own")
"""How long the text of a ceiling may be: as the references, or as the system's own."""
Corpus: TypeAlias = Literal["timeline17", "crisis", "entities"]
CORPORA: tuple[Corpus, ...] = ("timeline17", "crisis", "entities")
"""Corpora for which there are published figures of timeline systems."""
Compat: TypeAlias = Literal[
    "tilse",
    "paper",
    "chronos",
    "rouge-score",
    "tseval2013",
    "tseval2014",
    "tseval2015",
    "ducview",
    "sacrerouge",
]


@dataclass(frozen=True, kw_only=True)
class Printing:
    """In which format a command prints its result, and to which file."""

    form: str = "table"
    output: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Where the work is done: in this process, in several, or on a Dask cluster."""

    jobs: int = 1
    cluster: str | None = None

    @property
    def count(self) -> int:
        """How many processes of this machine."""
        return check_whole(self.jobs, "jobs", least=0) or os.cpu_count() or 1

    @contextmanager
    def executor(self, *, threads: bool = False) -> Iterator[Executor | None]:
        """The pool to work in, or none for this process.

        Threads share memory and are enough where the work is done by the compiled kernel.
        """
        if self.cluster:
            with _cluster_executor(self.cluster) as pool:
                yield pool
            return
        count = self.count
        if count == 1:
            yield None
            return
        with (
            ThreadPoolExecutor(count)
            if threads
            else ProcessPoolExecutor(count, initializer=_leave_interrupts_to_parent)
        ) as pool:
            try:
                yield pool
            except BrokenProcessPool:
                raise UsageError(
                    f"--jobs {count}: a process was killed, perhaps for want of memory; use fewer"
                ) from None
            except BaseException:
                # Nobody waits for work that is not wanted any more.
                for process in [*(getattr(pool, "_processes", None) or {}).values()]:
                    process.terminate()
                pool.shutdown(cancel_futures=True)
                raise


def _leave_interrupts_to_parent() -> None:
    """Let Ctrl-C, which a terminal sends to all processes, stop only the one that says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster_executor(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster, behind the same interface as local processes."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise UsageError(f"--cluster needs Dask; {install_command('cluster')}") from None
    from chronoscore.api.cluster import WatchedExecutor

    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(f"--cluster {address}: no scheduler answers ({error})") from None
    with _quiet_loggers("distributed", "tornado"), client:
        try:
            yield WatchedExecutor(client)
        except (CancelledError, CommClosedError, KilledWorker) as error:
            reason = str(error).splitlines()[0] if str(error) else "connection lost"
            raise UsageError(
                f"--cluster {address}: the scheduler or its workers are gone ({reason}); finished "
                "blocks of records are kept if -o is given: run again with --resume"
            ) from None


@contextmanager
def _quiet_loggers(*packages: str) -> Iterator[None]:
    """Leave out packages' logs for a while; what goes wrong is said by an exception as well."""
    import logging

    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in packages]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def check_percentage(option: str, percent: float) -> None:
    """Refuse what is not a percentage; 0.95 is the share of somebody who meant 95."""
    if not 0 < percent < 100:
        raise UsageError(f"{option} {percent:g}: write a percentage between 0 and 100")
    if percent < 1:
        raise UsageError(f"{option} {percent:g}: is in percent; write {100 * percent:g}")


def resampling_from_options(
    *, average: "Averaging | None" = None, level: float, resamples: int, seed: int
) -> "Resampling":
    """How to resample, from the options of a command."""
    from chronoscore.stats.corpus import Resampling

    check_percentage("--level", level)
    if resamples < 1:
        raise UsageError(f"--resamples {resamples}: write 1 or more")
    return Resampling(times=resamples, level=level / 100, seed=seed, rule=average)
