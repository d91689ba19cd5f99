"""The program `chronoscore`, also as `python -m chronoscore`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded ends it without a traceback."""
    try:
        from chronoscore.cli import main as run
    except KeyboardInterrupt:
        print("chronoscore: stopped", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
