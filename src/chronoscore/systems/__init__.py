"""Baselines and published summarizers: documents in, timelines, summaries and rankings out.

>>> from chronoscore import systems
>>> systems.parse_system("datewise").line
'days most written and spoken of, sentences from both sides'
"""

from chronoscore.systems.registry import PRESETS, parse_system, systems_by_name
from chronoscore.systems.system import System

__all__ = ["PRESETS", "System", "parse_system", "systems_by_name"]
