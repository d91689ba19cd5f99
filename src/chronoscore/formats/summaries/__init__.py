"""Summaries: plain text, JSON records, update sets."""
