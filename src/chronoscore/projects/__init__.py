"""A project: a folder of outputs and references, and the file that says how they are scored."""
