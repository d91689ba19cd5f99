"""The program `chronoscore`, also as `python -m chronoscore`."""

import os
import signal


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded ends it without a traceback."""
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from chronoscore.cli import main as run

    run()


def _leave(*_signal: object) -> None:
    """End before anything is loaded or written."""
    try:
        os.write(2, b"chronoscore: stopped\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    main()
