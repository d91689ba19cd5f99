"""The database: tables, the append-only log, and the projections that follow from it."""
