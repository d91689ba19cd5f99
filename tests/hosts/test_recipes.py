"""Every recipe of docs/hosts.md runs as it stands and prints the figures of `score`."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from recipes import ROOT, Recipe, recipes

PREPARATION, *OTHERS = recipes()
BIN = Path(sys.executable).parent
NPM = ROOT / "build" / "hosts" / "npm" / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the recipes, prepared as the page says."""
    home = tmp_path_factory.mktemp("hosts")
    write(PREPARATION.files, home)
    commands = PREPARATION.commands.replace("cd demo", "cd demo && mv ../prepare.py .")
    run(commands, home)
    return home / "demo"


def write(files: dict[str, str], folder: Path) -> None:
    """Write files of the page."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def run(commands: str, folder: Path, **more: str) -> str:
    """What commands of a shell print; nothing may be asked of a network."""
    offline = {
        "PATH": f"{folder}/bin:{BIN}:{NPM}:{os.environ['PATH']}",
        "HOME": str(folder),
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(folder / "hf"),
        "TRACKIO_DIR": str(folder / "trackio"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_PYTHON": sys.executable,
        "npm_config_offline": "true",
        "https_proxy": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
        **more,
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=os.environ | offline,
        capture_output=True,
        text=True,
        timeout=600,
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    return printed


@pytest.mark.parametrize("recipe", recipes(), ids=lambda one: one.host.split()[0])
def test_a_recipe_is_short(recipe: Recipe) -> None:
    assert all(len(text.splitlines()) <= 15 for text in recipe.files.values())


@pytest.mark.parametrize(
    "recipe", [one for one in OTHERS if one.commands], ids=lambda one: one.host.split()[0]
)
def test_a_recipe_runs_and_prints_the_figures_of_score(demo: Path, recipe: Recipe) -> None:
    write(recipe.files, demo)
    printed = run(recipe.commands, demo)
    assert [line for line in recipe.printed if line not in printed] == [], printed


def test_the_figures_of_the_page_are_those_of_score(demo: Path) -> None:
    import chronoscore

    one = chronoscore.score(demo / "runs/lead/timelines", demo / "corpus", "align+.f")
    figure = one["lead", "align+.f"]
    page = "\n".join(line for recipe in OTHERS for line in recipe.printed)
    assert f"{figure.value:.8f}"[:7] in page
    assert f"{figure.low:.8f}"[:7] in page


def test_the_workflow_gates_and_comments_with_the_table(demo: Path) -> None:
    (recipe,) = (one for one in OTHERS if not one.commands)
    (text,) = recipe.files.values()
    steps = yaml.safe_load(text)["jobs"]["timelines"]["steps"]
    commands = [step["run"] for step in steps if "run" in step and "pip" not in step["run"]]
    # The comment is written into a file instead of a pull request.
    write({"bin/gh": '#!/bin/sh\ncp "$5" comment.md\n'}, demo)
    (demo / "bin" / "gh").chmod(0o755)
    run("\n".join(commands).replace("${{ github.event.number }}", "7"), demo)
    assert "0.2314 [0.204, 0.261]" in (demo / "comment.md").read_text(encoding="utf-8")
    assert (demo / "report.html").exists()


def test_mlflow_keeps_the_figures_the_report_and_the_signature(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlflow

    import chronoscore

    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'runs.db'}")
    result = chronoscore.score(demo / "runs/lead/timelines", demo / "corpus", "align+.f")
    result.log_to("mlflow")
    run = mlflow.last_active_run()
    figure = result["lead", "align+.f"]
    assert run.data.metrics == {
        "alignplus.f": figure.value,
        "alignplus.f.low": figure.low,
        "alignplus.f.high": figure.high,
    }
    assert run.data.tags["chronoscore.signature"] == result.signature
    (report,) = mlflow.MlflowClient().list_artifacts(run.info.run_id)
    assert report.path == "chronoscore-report.html"


def test_a_task_of_lm_eval_gets_the_figures_of_score_from_the_host(demo: Path) -> None:
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    import chronoscore

    rows = [json.loads(line) for line in (demo / "timelines.jsonl").open(encoding="utf-8")]
    answers = {row["prompt"]: row["answer"] for row in rows}

    class Known(LM):
        """A model that gives the answers of the data set."""

        def generate_until(self, requests, disable_tqdm=False):
            return [answers[request.args[0]] for request in requests]

        def loglikelihood(self, requests, disable_tqdm=False):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    (recipe,) = (one for one in OTHERS if one.host.startswith("lm-eval"))
    write(recipe.files, demo)
    with contextlib.chdir(demo):
        found = simple_evaluate(
            Known(), tasks=["timelines"], task_manager=TaskManager(include_path=str(demo))
        )
    figures = found["results"]["timelines"]
    one = chronoscore.score(demo / "runs/lead/timelines", demo / "corpus", "align+.f")
    figure = one["lead", "align+.f"]
    for name, value in (("", figure.value), (".low", figure.low), (".high", figure.high)):
        assert figures[f"align+.f{name},none"] == pytest.approx(value, abs=1e-12)


def test_trackio_keeps_the_figures_the_signature_and_the_report(demo: Path) -> None:
    code = """
import json, trackio, chronoscore
from trackio.sqlite_storage import SQLiteStorage
result = chronoscore.score("runs/lead/timelines", "corpus", "align+.f")
result.log_to("trackio", project="kept")
(run,) = SQLiteStorage.get_runs("kept")
(logged,) = SQLiteStorage.get_logs("kept", run)
one = result["lead", "align+.f"]
print(json.dumps([logged, one.value, one.low, one.high, result.signature]))
"""
    printed = run(f"python - <<'END'{code}END", demo)
    logged, value, low, high, signature = json.loads(printed.strip().splitlines()[-1])
    assert logged["align+.f"] == value
    assert (logged["align+.f.low"], logged["align+.f.high"]) == (low, high)
    assert logged["chronoscore.signature"] == signature
    kept = (demo / "trackio" / "artifacts" / "kept").rglob("*")
    (report,) = (one for one in kept if one.is_file())
    assert "<title>" in report.read_text(encoding="utf-8")
