"""Where the points of a measure went: `losses(align+)` and its like.

What a measure lacks to 1 is split into causes that add up exactly. An account is a measure of its
own: its tally is a row of counts, its parts are the causes as shares of what there was to find
(recall) and of what was offered (precision).
"""
