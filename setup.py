"""The compiled kernel: optional, so that the package installs without a compiler too.

CHRONOSCORE_KERNEL=no builds the wheel without it, which installs on every platform.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

POSIX = os.name == "posix"

HOME = Path("src", "chronoscore")

MODULES = [
    Extension(
        f"chronoscore.{name}",
        sorted(map(str, HOME.glob(f"{name}*.c"))),
        depends=sorted(map(str, HOME.glob(f"{name}*.h"))),
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        # Products are rounded before they are added, as NumPy does it.
        extra_compile_args=["-ffp-contract=off"] if POSIX else [],
        py_limited_api=True,
        optional=True,
    )
    for name in ("_kernel", "_bulk")
]

if os.environ.get("CHRONOSCORE_KERNEL") == "no":
    setup()
else:
    setup(ext_modules=MODULES, options={"bdist_wheel": {"py_limited_api": "cp311"}})
