"""How alike two texts are: a parameter of the timeline measures.

`similarities` has the choices (words, tfidf, embed, mixed, file, a user's function) and reads them
from text. What they compare is in `material`. Sentence vectors come from the `models` by way of a
cache on disk (`vector_cache`); values that were computed elsewhere are read by `value_table`.
"""
