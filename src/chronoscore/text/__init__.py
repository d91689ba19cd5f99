"""Bytes to tokens to stems to prepared text; budgets, sentence splitting, dates in running text."""
