"""Measures of judged event streams.

`events` has nu, u, n and size, over the first mentions that `mentions` finds; `stream` has TREC
Temporal Summarization; `facts` has measures of free text, which `matching` compares with judged
texts; `curves` has recall-precision curves.
"""
