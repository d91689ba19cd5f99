"""Entries that contradict what they are held against: numbers, dates, names, negation, roles.

Each kind is a module with one class of `Claim`: what a text claims, when another text confirms it,
and how surely another text denies it. To add a kind, write such a module and list it in `kinds`.
"""
