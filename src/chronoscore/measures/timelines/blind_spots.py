"""What kinds of measures do not see: names of checks that they are known to fail."""

OF_WORDS = frozenset({"negation", "roles", "spelled", "synonyms", "inflection", "sentences"})
"""Who counts words sees neither "not", a stop word, nor who did it, and takes a synonym for false.

Longer runs of words see roles, but also the order of sentences.
"""
OF_DATES = frozenset({"year", "day-month", "late", "combined", "divided"})
"""Who does not look at dates sees none that is wrong."""
OF_TEXTS = frozenset({"numbers", "tenfold", "negation", "names", "roles", "repeated"})
"""Who does not look at texts sees nothing in them that is wrong."""
