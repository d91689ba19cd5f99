"""Resampling, significance, correlation and agreement over tallies and plain arrays, never text."""
