"""Damage a perfect output and see whether a measure notices."""

from chronoscore.checks.battery import CHECKS, Check, battery, check, shift
from chronoscore.checks.verdict import Expectation, Outcome

__all__ = ["CHECKS", "Check", "Expectation", "Outcome", "battery", "check", "shift"]
