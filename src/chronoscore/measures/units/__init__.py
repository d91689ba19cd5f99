"""Measures over content units: the pyramid."""
