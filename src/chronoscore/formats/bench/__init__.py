"""Files of a shared task in a folder: the task, its card, submissions."""
