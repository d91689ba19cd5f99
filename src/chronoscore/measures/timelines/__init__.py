"""Measures of timelines: ROUGE over aligned days, concatenated text, dates alone.

Measures: `align_measures` (agreement, align, align+, align+m1, aligned), `concat`, `dates`; what
the ROUGE measures share is in `timeline_measure`. How days are aligned: `frame`, by the
`cost_functions`. What aligned days earn: `credit`. Timelines as numbered texts: `texts`; the
peer's way of reading them: `tilse`. Near dates: `window`. Behind a score: `explain`.
"""
