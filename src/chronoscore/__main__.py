"""`python -m chronoscore` is the command line."""

from chronoscore.cli import main

if __name__ == "__main__":
    main()
