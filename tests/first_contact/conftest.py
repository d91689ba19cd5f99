"""A newcomer for each test; the wheel is built and installed once."""

import shutil
from pathlib import Path

import pytest

import chronoscore.demo
from first_contact.newcomer import Newcomer, install

NOVELTY = "-m novelty(base=rouge1,coefficients=none)"
LIST = "runs/careful/update/dam.txt corpus/dam/summaries/update/a.txt\n"


@pytest.fixture(scope="session")
def installed() -> Path:
    """The folder of the environment with the wheel."""
    return install()


@pytest.fixture
def newcomer(installed: Path, tmp_path: Path) -> Newcomer:
    """Somebody in an empty folder."""
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    return Newcomer(installed, home, folder)


@pytest.fixture(scope="session")
def prepared(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo, with the files that some commands begin with."""
    folder = tmp_path_factory.mktemp("demo")
    source = Path(chronoscore.demo.__file__).parent
    unwanted = shutil.ignore_patterns("__pycache__", "__init__.py")
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=unwanted)
    (folder / "list.txt").write_text(LIST)
    someone = Newcomer(installed, folder, folder)
    score = "score runs/*/update --original corpus --reference corpus"
    done = someone.run(f"{score} {NOVELTY} -f jsonl -o scores.jsonl")
    assert done.code == 0, done.words
    return folder


@pytest.fixture
def demo(newcomer: Newcomer, prepared: Path) -> Newcomer:
    """Somebody in a copy of the demo."""
    shutil.copytree(prepared, newcomer.folder, dirs_exist_ok=True)
    return newcomer
