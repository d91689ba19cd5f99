"""Damage a perfect output and see whether a measure notices."""
