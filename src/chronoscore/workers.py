"""Where work is done: in this process, in several, or on a Dask cluster."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chronoscore.errors import UsageError
from chronoscore.extras import install_command
from chronoscore.options.declare import Options, option

if TYPE_CHECKING:
    from concurrent.futures import Executor, ProcessPoolExecutor
    from multiprocessing.context import BaseContext


@dataclass(frozen=True, kw_only=True)
class Workers(Options):
    """Where the work is done: in this process, in several, or on a Dask cluster."""

    jobs: int = option(1, "Processes; 0 for all cores.", group="output", least=0)
    cluster: str | None = option(None, "A Dask scheduler, as tcp://host:port.", group="output")

    @property
    def count(self) -> int:
        """How many processes of this machine."""
        return self.jobs or os.cpu_count() or 1

    @contextmanager
    def executor(self, *, threads: bool = False) -> "Iterator[Executor | None]":
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
        # Executors are slow to import; work in this process does without.
        from concurrent.futures import ThreadPoolExecutor

        if not threads:
            with begin_processes(count) as processes:
                yield processes
            return
        with ThreadPoolExecutor(count) as pool:
            try:
                yield pool
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@contextmanager
def begin_processes(
    count: int, prepare: Callable[[], None] | None = None, context: "BaseContext | None" = None
) -> "Iterator[ProcessPoolExecutor]":
    """A pool of processes, each prepared by a call; they end with whatever ends their use."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(
        count, context, initializer=_begin_process, initargs=(prepare,)
    ) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise UsageError(
                f"`jobs={count}`: a process was killed, perhaps for lack of memory; use fewer"
            ) from None
        except BaseException:
            # Nobody waits for work that is not wanted any more.
            for process in [*(getattr(pool, "_processes", None) or {}).values()]:
                process.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def _begin_process(prepare: Callable[[], None] | None) -> None:
    """Begin a process of a pool."""
    leave_signals_to_parent()
    if prepare:
        prepare()


def leave_signals_to_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to all processes; the parent reports and ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


@contextmanager
def _cluster_executor(address: str) -> "Iterator[Executor]":
    """The workers of a Dask cluster, behind the same interface as local processes."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise UsageError(f"`cluster` needs Dask; {install_command('cluster')}") from None
    from concurrent.futures import CancelledError

    from chronoscore.cluster import WatchedExecutor

    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(f"`cluster={address!r}`: no scheduler answers ({error})") from None
    with _quiet_loggers("distributed", "tornado"), client:
        try:
            yield WatchedExecutor(client)
        except (CancelledError, CommClosedError, KilledWorker) as error:
            why = f"{error}".partition("\n")[0] or "connection lost"
            raise UsageError(
                f"`cluster={address!r}`: the scheduler or its workers are gone ({why}); where "
                "results go to a file, finished blocks are kept: run again with `resume=True`"
            ) from None


@contextmanager
def _quiet_loggers(*packages: str) -> Iterator[None]:
    """Silence packages' logs; what goes wrong also raises an exception."""
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
