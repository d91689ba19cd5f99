"""The tables of chronoscore 0.1; databases made before its release end in this revision too."""

revision = "0006"
down_revision = None


def upgrade() -> None:
    """Nothing to do: a new database gets its tables from `store/tables.py`."""
