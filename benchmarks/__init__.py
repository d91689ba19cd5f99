"""Benchmarks: us and the peers, side by side, on the same work (`python -m benchmarks`)."""
