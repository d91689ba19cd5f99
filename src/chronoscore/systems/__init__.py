"""Baselines and published summarizers: documents in, timelines, summaries and rankings out.

>>> from chronoscore import systems
>>> systems.parse_system("datewise").line
'days most written and spoken of, sentences from both sides'
"""

from chronoscore.systems.registry import SYSTEMS, parse_system
from chronoscore.systems.system import System

__all__ = ["SYSTEMS", "System", "parse_system"]
