"""ROUGE-N, L, W, S, SU and BE: text overlap with references."""
