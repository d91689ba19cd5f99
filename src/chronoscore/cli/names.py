"""A name of a registry as the type of an argument or option."""

from typing import TYPE_CHECKING, Any

import click

from chronoscore.registry import Registry

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    # Before click 8.2, the class takes no parameters.
    _Choice = click.Choice


class Registered(_Choice):
    """A name of a registry: `--help` and completion show ours, those of packages are taken too."""

    def __init__(self, registry: Registry[Any]) -> None:
        super().__init__([*registry.built_in])
        self.registry = registry

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> str:
        """Take a name as it is, and refuse what is none."""
        known = isinstance(value, str) and value in self.registry
        return value if known else super().convert(value, param, context)
