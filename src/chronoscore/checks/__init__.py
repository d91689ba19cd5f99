"""Damage a perfect output and see whether a measure notices."""

from chronoscore.checks.battery import CHECKS, Check, list_checks, run_checks, shift_check
from chronoscore.checks.verdict import Expectation, Outcome

__all__ = ["CHECKS", "Check", "Expectation", "Outcome", "list_checks", "run_checks", "shift_check"]
