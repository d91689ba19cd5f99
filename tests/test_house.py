"""The walls of the house: what importing costs."""

import subprocess
import sys


def test_importing_the_package_loads_neither_numpy_nor_scipy() -> None:
    code = "import chronoscore, sys; print({'numpy', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
