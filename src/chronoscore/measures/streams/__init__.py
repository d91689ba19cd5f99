"""Measures of judged event streams: nu, u, n, TREC-TS, facts."""
