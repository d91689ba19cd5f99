"""The figures that the two corpus papers print, as data to compute from."""

import numpy as np

TOPICS = {
    # topic: stories, events, hours, agreement
    "20008": (49, 10, 4.5, 0.91),
    "20020": (34, 23, 4.5, 0.98),
    "20021": (48, 9, 2.5, 0.97),
    "20022": (27, 10, 3.5, 0.85),
    "20024": (38, 12, 2.75, 0.98),
    "20026": (68, 11, 2.5, 0.87),
    "20031": (34, 15, 2.5, 0.62),
    "20041": (24, 11, 2.0, 0.94),
    "20042": (28, 14, 2.5, 0.66),
    "20057": (19, 9, 2.0, 0.66),
    "20065": (57, 16, 2.33, 0.94),
    "20074": (51, 13, 3.0, 0.96),
}
"""Khandelwal, Gupta and Allan (2001), Table 1."""

TORNADOES = {1: 43, 2: 9, 3: 33, 4: 8, 5: 4, 6: 5, 7: 14, 8: 19, 9: 9}
"""Table 2: sentences of each event of topic 20021; one of event 3's marks and one of event 5's
were not accepted."""
REFUSED = {3: 1, 5: 1}

BEST_SPLIT = np.array([[87, 19, 2, 1], [18, 15, 10, 1], [6, 8, 9, 4], [1, 0, 3, 3]])
WORST_SPLIT = np.array([[87, 17, 6, 0], [20, 9, 6, 3], [8, 14, 5, 1], [0, 2, 6, 3]])
"""Bauer and Teufel (2015), Tables 1 and 2."""
