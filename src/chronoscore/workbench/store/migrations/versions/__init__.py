"""One module per change of the tables since 0.1."""
