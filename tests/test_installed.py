"""The wheel holds all that the package needs at run time."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source tree and unpacked elsewhere."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.slow
def test_the_installed_package_runs_the_demo(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    code = "import chronoscore; print(chronoscore.__file__)"
    where = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(where.stdout.strip()).is_relative_to(installed)
    done = subprocess.run(
        [sys.executable, "-m", "chronoscore", "demo"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "chronoscore-demo" / "report.html").is_file()


@pytest.mark.slow
def test_the_wheel_carries_licence_notice_and_types(installed: Path) -> None:
    (licences,) = installed.glob("chronoscore-*.dist-info/licenses")
    assert {path.name for path in licences.iterdir()} == {"LICENSE", "NOTICE"}
    assert (installed / "chronoscore" / "py.typed").is_file()
