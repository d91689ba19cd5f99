"""Whole corpora: folder layouts, articles, and corpora as they are distributed."""
