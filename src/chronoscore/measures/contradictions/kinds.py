"""The kinds of contradictions: what each one compares, and from when it counts."""

from collections.abc import Mapping
from typing import NamedTuple

from chronoscore.measures.contradictions.claims import Claim
from chronoscore.measures.contradictions.dates import DateClaim
from chronoscore.measures.contradictions.names import NameClaim
from chronoscore.measures.contradictions.negation import NegationClaim
from chronoscore.measures.contradictions.numbers import NumberClaim
from chronoscore.measures.contradictions.roles import RoleClaim


class Kind(NamedTuple):
    """A class of claims, and the suspicion from which one counts as a conflict."""

    claims: type[Claim]
    threshold: float
    any_language: bool = False


KINDS: Mapping[str, Kind] = {
    "number": Kind(NumberClaim, 0.45, any_language=True),
    "date": Kind(DateClaim, 0.7, any_language=True),
    "name": Kind(NameClaim, 0.7),
    "negation": Kind(NegationClaim, 0.6),
    "role": Kind(RoleClaim, 0.6),
}
INVENTED = "invented"
"""An entry that nothing it is held against has anything to do with."""
