"""Counts of what a running workbench did, as Prometheus reads them."""

import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST"})
SECRETS = re.compile(r"(/(?:invite|reset|feed)/)[^/]+")
"""Addresses whose second part opens something."""


class Metrics:
    """Counters of one process; they start at zero with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._answers: Counter[str] = Counter({"saved": 0, "refused": 0, "conflict": 0})

    def count_request(self, method: str, path: str, status: int, seconds: float) -> None:
        """A request was answered."""
        page = _page_label(path) if status not in (404, 405, 421) else "none"
        method = method if method in METHODS else "other"
        with self._lock:
            self._requests[method, page, status] += 1
            self._seconds[page] += seconds  # type: ignore[assignment]
            row = self._buckets.setdefault(page, [0] * (len(BUCKETS) + 1))
            at = next((n for n, most in enumerate(BUCKETS) if seconds <= most), len(BUCKETS))
            row[at] += 1

    def count_answers(self, answers: Iterable[Mapping[str, Any]]) -> None:
        """Entries of an outbox were saved, refused, or met a conflict."""
        with self._lock:
            for answer in answers:
                kind = next((one for one in ("conflict", "refused") if one in answer), "saved")
                self._answers[kind] += 1

    def lines(self, entries: int) -> Iterator[str]:
        """Everything in Prometheus' text format; `entries` is how many the log has."""
        with self._lock:
            requests, answers = dict(self._requests), dict(self._answers)
            seconds = dict(self._seconds)
            buckets = {page: list(row) for page, row in self._buckets.items()}
        yield from _head("log_entries", "gauge", "Entries of the log.")
        yield f"chronoscore_log_entries {entries}"
        yield from _head("outbox_entries_total", "counter", "Entries that browsers sent.")
        for kind, count in sorted(answers.items()):
            yield f'chronoscore_outbox_entries_total{{answer="{kind}"}} {count}'
        yield from _head("requests_total", "counter", "Requests that were answered.")
        for (method, page, status), count in sorted(requests.items()):
            labels = f'method="{method}",page="{page}",status="{status}"'
            yield f"chronoscore_requests_total{{{labels}}} {count}"
        yield from _head("request_seconds", "histogram", "Time until an answer was complete.")
        for page, row in sorted(buckets.items()):
            total = 0
            for most, count in zip((*BUCKETS, "+Inf"), row, strict=True):
                total += count
                name = "chronoscore_request_seconds_bucket"
                yield f'{name}{{page="{page}",le="{most}"}} {total}'
            yield f'chronoscore_request_seconds_sum{{page="{page}"}} {seconds[page]:.6f}'
            yield f'chronoscore_request_seconds_count{{page="{page}"}} {total}'


def _page_label(path: str) -> str:
    """An address without numbers and secrets, so that there are only as many as pages."""
    if path.startswith("/static/"):
        return "/static"
    label = SECRETS.sub(r"\1*", re.sub(r"/\d+", "/N", path))
    return re.sub(r"[^\w/.*-]", "_", label)[:80]


def _head(name: str, kind: str, words: str) -> Iterator[str]:
    yield f"# HELP chronoscore_{name} {words}"
    yield f"# TYPE chronoscore_{name} {kind}"
