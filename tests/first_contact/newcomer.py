"""The installed wheel as a newcomer runs it: own home, empty folder, hardly any environment.

Other tests call commands inside pytest, which supplies streams, UTF-8, a path and the developers'
packages. Here nothing of that is given.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
SOURCES = ("src", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "NOTICE")
EXTRAS = ("workbench",)
PATIENCE = 300
"""Seconds after which a command hangs, however busy the machine."""
KEPT = 24 * 60 * 60
"""Seconds that an environment is kept."""
EVERYTHING = os.environ.get("CHRONOSCORE_FIRST_CONTACT") == "all"
"""Whether all is tried, as `make first-contact` does, or the part that `make test` runs."""
MANY = Path(__file__).with_name("many.py")
WITHOUT_POWERS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def install() -> Path:
    """The folder of an environment with the wheel of these sources, made once for their content."""
    key = hashlib.sha256(repr((sys.version, sys.prefix)).encode())
    for name in SOURCES:
        for path in sorted([ROOT / name, *(ROOT / name).rglob("*")]):
            if (
                path.is_file()
                and path.suffix not in (".so", ".pyc")
                and ".egg-info" not in str(path)
            ):
                key.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    kept = ROOT / "build" / "first-contact"
    home = kept / key.hexdigest()[:16]
    kept.mkdir(parents=True, exist_ok=True)
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "ready").exists():
            for old in kept.iterdir():
                # A younger one may be in use by other tests.
                if old.is_dir() and time.time() - old.stat().st_mtime > KEPT:
                    shutil.rmtree(old)
            build(home)
            (home / "ready").touch()
    return home


def build(home: Path) -> None:
    """Build the wheel from a copy of the sources and install it beside what it requires."""
    tree = home / "tree"
    tree.mkdir(parents=True)
    for name in SOURCES:
        source = ROOT / name
        unwanted = shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__")
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=unwanted)
        else:
            shutil.copy(source, tree / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [
        *pip,
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(home),
        str(tree),
    ]
    subprocess.run(wheel, check=True)
    shutil.rmtree(tree)
    (found,) = home.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home / "env")], check=True)
    python = str(home / "env" / "bin" / "python")
    subprocess.run(
        [
            *pip,
            "--python",
            python,
            "install",
            "--no-deps",
            "--no-index",
            "--ignore-installed",
            str(found),
        ],
        check=True,
    )
    link_requirements(next((home / "env" / "lib").glob("python*/site-packages")))


def link_requirements(site: Path) -> None:
    """Link the packages that the installed wheel requires, and nothing else, into its folder."""
    (own,) = site.glob("chronoscore-*.dist-info")
    lines = (own / "METADATA").read_text().splitlines()
    wanted = [line.removeprefix("Requires-Dist: ") for line in lines if "Requires-Dist: " in line]
    waiting, seen = [(one, EXTRAS) for one in wanted], set()
    while waiting:
        line, extras = waiting.pop()
        requirement = Requirement(line)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            continue
        if (requirement.name, *requirement.extras) in seen:
            continue
        seen.add((requirement.name, *requirement.extras))
        package = distribution(requirement.name)
        waiting += [(one, tuple(requirement.extras)) for one in package.requires or ()]
        for top in {Path(file).parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(package.locate_file(top))))


def ordinary_user() -> list[str]:
    """What to put before a command so that files' permissions count for it."""
    return WITHOUT_POWERS if os.getuid() == 0 and shutil.which("setpriv") else []


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: bytes
    err: bytes

    @property
    def words(self) -> str:
        """What it said on standard error."""
        return self.err.decode("utf-8", "replace")


@dataclass(frozen=True)
class Newcomer:
    """Somebody who has installed the wheel and nothing else."""

    installed: Path
    home: Path
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    interpreter: tuple[str, ...] = ()
    """Options of Python, as -O; without them the installed script is run."""

    @property
    def program(self) -> list[str]:
        programs = self.installed / "env" / "bin"
        if self.interpreter:
            return [str(programs / "python"), *self.interpreter, "-m", "chronoscore"]
        return [str(programs / "chronoscore")]

    @property
    def variables(self) -> dict[str, str]:
        given = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), **self.environment}
        return {name: value for name, value in given.items() if value != "UNSET"}

    def start(self, line: str, **streams: Any) -> "subprocess.Popen[bytes]":
        """Start a command in the working folder; the shell opens `*` as people write it."""
        words = [word for part in line.split() for word in self.expand(part)]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **streams}
        return subprocess.Popen(
            [*ordinary_user(), *self.program, *words],
            cwd=self.folder, env=self.variables, **{"stderr": subprocess.PIPE, **streams},
        )  # fmt: skip

    def expand(self, word: str) -> list[str]:
        """What the shell makes of a word."""
        found = sorted(self.folder.glob(word)) if "*" in word else []
        return [str(path.relative_to(self.folder)) for path in found] or [word]

    def run(self, line: str, **streams: Any) -> Ended:
        """Run a command to its end."""
        with self.start(line, **streams) as process:
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return Ended(process.returncode, out or b"", err or b"")

    def type_in(self, text: str, *, activated: bool = True) -> Ended:
        """Let a shell run lines, as with the environment activated; messages are in the output."""
        path = self.variables.get("PATH", "")
        if activated:
            path = f"{self.installed / 'env' / 'bin'}:{path}"
        done = subprocess.run(
            [*ordinary_user(), "/bin/sh", "-ec", text], cwd=self.folder, stdin=subprocess.DEVNULL,
            env={**self.variables, "PATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        return Ended(done.returncode, done.stdout, b"")

    def listing(self) -> dict[str, bytes]:
        """Every file in the working folder and at home with its content."""
        return {
            str(path): path.read_bytes() if path.is_file() else b""
            for folder in (self.folder, self.home)
            for path in sorted(folder.rglob("*"))
            if not path.is_dir()
        }

    def listing_of_kinds(self) -> dict[str, tuple[int, int, int]]:
        """Every name in the working folder with its kind, size and time, without opening it."""
        found = {str(path): path.lstat() for path in self.folder.rglob("*")}
        return {name: (one.st_mode, one.st_size, one.st_mtime_ns) for name, one in found.items()}


def answers(someone: Newcomer, lines: list[str]) -> list[tuple[int, str, str]]:
    """How each line ends."""
    python = someone.installed / "env" / "bin" / "python"
    words = json.dumps([line.split() for line in lines]).encode()
    done = subprocess.run(
        [*ordinary_user(), str(python), str(MANY)], input=words, capture_output=True,
        cwd=someone.folder, env=someone.variables, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    found: list[tuple[int, str, str]] = json.loads(done.stdout)
    return found


def make_socket(path: Path) -> None:
    """Leave a socket behind."""
    with socket.socket(socket.AF_UNIX) as one, contextlib.chdir(path.parent):
        one.bind(path.name)


def close(number: int) -> Callable[[], None]:
    """For `preexec_fn`: start with a stream closed, as `>&-` does."""
    return lambda: os.close(number)


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be made."""
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(0o755)


def check_sentence(words: str) -> None:
    """An error is one sentence of ours: no traceback, nothing of Python."""
    assert "Traceback" not in words, words
    assert "Exception ignored" not in words, words
    last = words.rstrip("\n").rpartition("\n")[2]
    assert last.startswith("chronoscore: "), words
    assert not re.search(r"Error\b|Errno|\bNone\b|<class|0x[0-9a-f]{8}", last), words
    assert len(last) < 1000, words


def temporary_home() -> Path:
    """A new home."""
    return Path(tempfile.mkdtemp(prefix="newcomer-"))
