"""Kinds of fields that people and scripts fill in, with their limits.

The parameters of an action are the fields of its form; `web/forms.py` reads them.
"""

from typing import Annotated

from msgspec import Meta

Text = Annotated[str, Meta(max_length=4000)]
Id = Annotated[str, Meta(max_length=300)]
"""Something's name; ids of imported things may be long."""
Word = Annotated[str, Meta(max_length=20)]
"""One of a few values, or a number or date that is written in some way."""
