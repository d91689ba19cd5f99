"""Judgements, rankings, ratings and coefficients."""
