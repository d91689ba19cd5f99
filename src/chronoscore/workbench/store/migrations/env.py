"""Run Alembic's scripts on the engine that the workbench hands over."""

from alembic import context
from sqlalchemy import Engine, text

from chronoscore.workbench.store.tables import metadata


def run() -> None:
    """Upgrade in one transaction; several processes that start at once take turns."""
    engine: Engine = context.config.attributes["engine"]
    with engine.connect().execution_options(chronoscore_writes=True) as connection:
        context.configure(connection=connection, target_metadata=metadata)
        with connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(1668444787)"))
            context.run_migrations()


run()
