"""The certificates of the machines that judged."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from chronoscore.formats.judgements.certificate_files import Certificate

TRIALS = {"flips": "labels that change: ", "planted": "accepted: "}
"""What the shares of a certificate are of."""


def certificates_section(certificates: Sequence[Certificate]) -> str:
    """For each judge what its trials showed; nothing without a certificate."""
    return "".join(map(_certificate, certificates))


def _certificate(one: Certificate) -> str:
    """A sentence, the shares, and what confidences are worth."""
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{items:,}</td><td>{share}</td></tr>"
        for name, items, share in _shares(one.figures)
    )
    return (
        f'<p dir="auto">{escape(one.describe())}</p><table><thead><tr><th>trial</th><th>items</th>'
        f"<th>share</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _shares(figures: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """What each trial is called, of how many items, and its share."""
    for kind, what in TRIALS.items():
        for name, one in figures.get(kind, {}).items():
            yield what + name, one["items"], _percent(one["share"])
    if suggested := figures.get("suggested"):
        yield "follows a suggested label", suggested["items"], _percent(suggested["share"])
    for level in (figures.get("calibration") or {}).get("curve", ()):
        name = f"agreement at a confidence of {level['from']} to {level['to']}"
        yield name, level["items"], _percent(level["agreement"])
    if people := figures.get("people"):
        yield "labels of people that are the same", people["labels"], _percent(people["agreement"])


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
