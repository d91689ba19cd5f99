"""The public functions: what the commands, a notebook and other programs call.

Each function takes paths, plain Python values or data frames, and returns a `Result`.
"""
