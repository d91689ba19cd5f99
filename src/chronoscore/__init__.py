"""Evaluate summaries that live in time: timelines, update summaries, event streams."""

__version__ = "0.1.0"
