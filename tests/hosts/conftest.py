"""Tests against real hosts run in `make hosts` only, in an environment that has them."""

import os

collect_ignore_glob = [] if os.environ.get("CHRONOSCORE_HOSTS") else ["test_*.py"]
