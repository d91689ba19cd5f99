"""The demo as a shared task, and its systems as submissions."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chronoscore import demo
from chronoscore.api.bench import make_task
from chronoscore.api.bench_check import sign


def make_demo_task(home: Path, **options: Any) -> Path:
    """The demo's timelines as a task."""
    task = home / "task"
    make_task(task, demo.CORPUS, ["align+", "dates"], **{"baselines": ["random"], **options})
    return task


def submit(task: Path, system: str, home: Path, **options: Any) -> Path:
    """A system of the demo as a signed submission."""
    folder = home / system
    shutil.copytree(demo.RUNS / system / "timelines", folder)
    sign(folder, task, name=f"my {system}", **options)
    return folder


def change(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Edit what a submission says about itself."""
    file = folder / "submission.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    edit(said)
    file.write_text(json.dumps(said), encoding="utf-8")
