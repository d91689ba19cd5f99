"""Cost matrices in, pairs of dates out."""
