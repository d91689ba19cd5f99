"""A drop-in for ROUGE-1.5.5.pl: the same options, the same output to the byte.

- `options`: the command line, read as Perl reads it, into `RougeOptions`
- `installation`, `berkeley`: data folders (`-e`), and a folder for wrappers that call the script
- `settings`: settings files, lists of files and the four kinds of text, into `Evaluation`s
- `counting`: the counts of each system in each evaluation
- `rates`: recall, precision and F from counts, rounded as Perl prints them; the best reference
- `bootstrap`: averages and intervals over evaluations, with Perl's random numbers
- `output`: the lines that are printed
"""
