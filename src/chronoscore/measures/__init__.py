"""A measure is a value: it prints itself, parses back, and turns outputs into tallies."""
