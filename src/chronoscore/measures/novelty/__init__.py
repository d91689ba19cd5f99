"""Nouveau-ROUGE: predicted ratings of update summaries."""
