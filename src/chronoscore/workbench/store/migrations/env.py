"""Run Alembic's scripts in the transaction that `store/database.py` has opened."""

from alembic import context

from chronoscore.workbench.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
