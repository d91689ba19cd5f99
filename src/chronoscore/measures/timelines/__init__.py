"""Measures of timelines: ROUGE over aligned days, concatenated text, dates alone."""
