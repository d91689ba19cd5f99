"""Write the versions of the hosts that were tried into docs/hosts.md."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from recipes import PAGE, ROOT

PACKAGES = (
    *("pytest", "evaluate", "inspect-ai", "lm-eval", "trl", "torch"),
    *("mlflow", "wandb", "trackio"),
)
MARK = "<!-- versions -->\n"


def rows() -> list[tuple[str, str]]:
    """The packages and their versions."""
    npm = ROOT / "build" / "hosts" / "npm" / "node_modules" / "promptfoo" / "package.json"
    found = [(name, version(name).partition("+")[0]) for name in PACKAGES]
    return [*found, ("promptfoo (npm)", json.loads(npm.read_text(encoding="utf-8"))["version"])]


def main() -> None:
    """Replace the table after the mark."""
    table = "".join(f"| {name} | {which} |\n" for name, which in rows())
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    python = ".".join(map(str, sys.version_info[:2]))
    text = f"{head}{MARK}\n| package | version |\n|---|---|\n| Python | {python} |\n{table}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
