"""Scores where people already work: a module for each host, imported only with it."""
