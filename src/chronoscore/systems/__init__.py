"""Baselines and published summarizers: documents in, timelines, summaries and rankings out.

>>> from chronoscore import systems
>>> systems.get("datewise").line
'days most written and spoken of, sentences from both sides'
"""

from chronoscore.systems.registry import PRESETS, get, systems
from chronoscore.systems.system import System

__all__ = ["PRESETS", "System", "get", "systems"]
