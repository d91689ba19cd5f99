"""One module per file format: `load`, and `save` where we write it."""
