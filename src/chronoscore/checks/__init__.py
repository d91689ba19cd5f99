"""Damage a perfect output and see whether a measure notices."""

from chronoscore.checks.alterations import choose_alterations
from chronoscore.checks.battery import CHECKS, Check, list_checks, run_checks, shift_check
from chronoscore.checks.judged import list_copies, react_as_judged
from chronoscore.checks.matrix import Profile, Reaction, profile_measures, run_alterations
from chronoscore.checks.verdict import Expectation, Outcome

__all__ = [
    "CHECKS",
    "Check",
    "Expectation",
    "Outcome",
    "Profile",
    "Reaction",
    "choose_alterations",
    "list_checks",
    "list_copies",
    "profile_measures",
    "react_as_judged",
    "run_alterations",
    "run_checks",
    "shift_check",
]
