"""The compiled kernel: optional, so that the package installs without a compiler too."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "chronoscore._kernel",
            ["src/chronoscore/_kernel.c"],
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
