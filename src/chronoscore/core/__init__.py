"""The nouns and the errors; no input or output, no arrays."""
