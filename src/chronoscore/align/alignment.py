"""What aligning two timelines gives: for each date the date that it is aligned with."""

from dataclasses import dataclass

from chronoscore.align.dates import Places


@dataclass(frozen=True, eq=False)
class Alignment:
    """For each date the number of the date that it is aligned with, −1 where there is none.

    The two sides are aligned apart, as precision asks for the system's dates and recall for
    the reference's: they mirror each other only where the alignment is one to one and
    unique.
    """

    system: Places
    reference: Places

    @property
    def mirrored(self) -> "Alignment":
        """The same with the sides exchanged."""
        return Alignment(self.reference, self.system)
