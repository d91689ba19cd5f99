"""What a user has to install for an extra, in a command that works before publication too."""

import re
from shlex import quote

_requirement = re.compile(r"\s*([\w.-]+(?:\[[\w,-]+\])?).*extra == ['\"]([\w-]+)['\"]")


def install_command(extra: str) -> str:
    """The command that installs the packages of an extra, read off our own metadata.

    It names the packages and not `chronoscore[…]`, so that it works for an installation from a
    checkout or a wheel as well.

    >>> install_command("plots")
    'pip install matplotlib'
    """
    # Reading the metadata of packages is slow to import.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires("chronoscore") or []
    except PackageNotFoundError:
        lines = []
    found = [match for line in lines if (match := _requirement.match(line))]
    names = " ".join(quote(match[1]) for match in found if match[2] == extra)
    return f"pip install {names}" if names else f"run pip install '.[{extra}]' in the checkout"
