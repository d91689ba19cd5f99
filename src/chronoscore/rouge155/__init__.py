"""The drop-in for ROUGE-1.5.5.pl: its options, its settings files, its figures and its output."""
