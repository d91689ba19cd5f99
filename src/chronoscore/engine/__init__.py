"""The ROUGE-1.5.5-exact counting engine: prepared text in, counts out."""
