"""Baselines and published summarisers: documents in, outputs out."""
