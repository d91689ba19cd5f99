"""The compiled kernel: optional, so that the package installs without a compiler too.

CHRONOSCORE_KERNEL=no builds the wheel without it, which installs on every platform.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

POSIX = os.name == "posix"

KERNEL = Extension(
    "chronoscore._kernel",
    sorted(map(str, Path("src", "chronoscore").glob("_kernel*.c"))),
    depends=sorted(map(str, Path("src", "chronoscore").glob("_kernel*.h"))),
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    # Products are rounded before they are added, as NumPy does it.
    extra_compile_args=["-ffp-contract=off"] if POSIX else [],
    py_limited_api=True,
    optional=True,
)

if os.environ.get("CHRONOSCORE_KERNEL") == "no":
    setup()
else:
    setup(ext_modules=[KERNEL], options={"bdist_wheel": {"py_limited_api": "cp311"}})
