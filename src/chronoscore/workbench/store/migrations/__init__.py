"""Alembic's scripts: how the tables of older databases become those of `store/tables.py`."""
