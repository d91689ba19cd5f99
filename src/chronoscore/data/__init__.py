"""Data before it is scored: inputs, choices, and what was read."""
