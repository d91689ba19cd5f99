"""ROUGE-N, L, W, S, SU and BE: text overlap with references.

`measures` has the measures of running text, `elements` ROUGE-BE, and `pooling` what they share:
several references, and leaving one out at a time.
"""
