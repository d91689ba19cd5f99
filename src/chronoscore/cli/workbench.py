"""The command `workbench`: serve it, back it up, verify it, bring work in and out."""

from pathlib import Path

import click

from chronoscore.cli.options import file
from chronoscore.errors import DataError, UsageError, did_you_mean

NEEDS = "the workbench needs more packages; install them with: pip install 'chronoscore[workbench]'"


class Serving(click.Group):
    """A group that serves the workbench where no other command is named."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Let options alone mean `serve`."""
        first = arguments[0] if arguments else "--"
        if first.startswith("-") and first not in ("-h", "--help"):
            arguments = ["serve", *arguments]
        return super().parse_args(context, arguments)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command, and suggest the nearest one."""
        if arguments[0] not in self.commands:
            tail = did_you_mean(arguments[0], self.commands)
            raise UsageError(f"workbench has no command '{arguments[0]}'; {tail}")
        return super().resolve_command(context, arguments)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of `serve`, which work without its name."""
        self.commands["serve"].format_options(context, formatter)
        self.format_commands(context, formatter)


def default_database() -> Path:
    """The embedded file, among the person's own data."""
    return Path(click.get_app_dir("chronoscore")) / "workbench.sqlite"


database = click.option(
    "--database",
    metavar="PATH|URL",
    help="A file for SQLite, or postgresql+psycopg://… for teams. Default: a file of your own.",
)


@click.group(cls=Serving, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Judge streams and build content units in the browser.

    Without a command the workbench starts: `chronoscore workbench` opens on this machine
    with a database of your own and prints a link for the first account.
    """


@command.command()
@database
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8765, show_default=True, type=click.IntRange(0, 65535), metavar="NUMBER",
    help="Port to listen on.",
)  # fmt: skip
@click.option("--public-url", help="How browsers reach it, as in https://judge.example.org.")
@click.option("--max-upload", default=64, show_default=True, help="Megabytes of an upload.")
def serve(
    database: str | None, host: str, port: int, public_url: str | None, max_upload: int
) -> None:
    """Start the workbench (what happens without a command)."""
    server, settings = load("web.server"), load("store.settings")
    if public_url is None and host in ("0.0.0.0", "::"):
        raise UsageError("--host for all addresses needs --public-url; say how browsers reach it")
    if public_url is not None and not public_url.startswith(("http://", "https://")):
        raise UsageError(f"--public-url {public_url}: write it with http:// or https://")
    with server.listening(host, port) as door:
        here = f"[{host}]" if ":" in host else host
        chosen = settings.Settings(
            public_url=(public_url or f"http://{here}:{door.getsockname()[1]}").rstrip("/"),
            largest_upload=max_upload * settings.MEGABYTE,
        )
        server.serve(database or default_database(), chosen, door)


@command.command()
@database
@click.argument("target", type=file)
def backup(database: str | None, target: Path) -> None:
    """Copy everything to TARGET, an SQLite file, while the workbench goes on working."""
    storage, replay = load("store.database"), load("store.replay")
    if target.exists():
        raise UsageError(f"{target}: is there already; choose another name")
    source = existing(database)
    copy = storage.open_database(target)
    try:
        count = replay.copy(source, copy)
        verdict = replay.verify(copy)
    finally:
        source.close()
        copy.close()
    if not verdict.equal:
        raise DataError(f"{target}: the copy does not follow from its log; back up again")
    click.echo(f"{target}: {count} rows, {verdict.entries} log entries replayed, all equal")


@command.command()
@database
@click.option("--rebuild", is_flag=True, help="Rebuild the tables from the log.")
def verify(database: str | None, rebuild: bool) -> None:
    """Replay the log and compare it with the tables."""
    replay = load("store.replay")
    source = existing(database)
    try:
        if rebuild:
            click.echo(f"{replay.rebuild(source)} log entries applied again")
        verdict = replay.verify(source)
    finally:
        source.close()
    if verdict.equal:
        click.echo(f"{verdict.entries} log entries replayed: every table is equal")
        return
    for table, rows in verdict.differing.items():
        click.echo(f"{table}: {rows} rows differ", err=True)
    click.get_current_context().exit(1)


@command.command()
@database
@click.argument("project", required=False)
@click.option("-o", "--output", type=file, help="Write to this file, whole or not at all.")
@click.option("--finished", is_flag=True, help="Only final topics.")
@click.option("--without-text", is_flag=True, help="Ids, offsets and hashes only.")
@click.option("--names", is_flag=True, help="People's names instead of j1, j2 …")
def export(
    database: str | None,
    project: str | None,
    output: Path | None,
    finished: bool,
    without_text: bool,
    names: bool,
) -> None:
    """Write PROJECT (its name or number) as judgements.jsonl; without PROJECT list them."""
    console = load("exchange.console")
    source = existing(database)
    try:
        if project is None:
            for line in console.list_projects(source):
                click.echo(line)
            return
        body = console.export_project(
            source, project, finished=finished, texts=not without_text, anonymous=not names
        )
    finally:
        source.close()
    if output is None:
        click.echo(body.decode(), nl=False)
        return
    from chronoscore.formats.io.files import write_text

    write_text(output, body.decode())


@command.command("import")
@database
@click.argument("project")
@click.argument("files", nargs=-1, required=True, type=file)
@click.option("--name", help="The topic's short name. Default: that of the first file.")
@click.option("--title", default="", help="The topic's title.")
@click.option(
    "--workflow", type=click.Choice(["stream", "units"]), default="stream", show_default=True,
    help="Of a new project.",
)  # fmt: skip
def bring_in(
    database: str | None,
    project: str,
    files: tuple[Path, ...],
    name: str | None,
    title: str,
    workflow: str,
) -> None:
    """Bring FILES into PROJECT (its name or number), which is made if it is not there."""
    console = load("exchange.console")
    source = existing(database)
    try:
        for line in console.import_files(
            source, project, files, name=name, title=title, workflow=workflow
        ):
            click.echo(line)
    finally:
        source.close()


@command.command()
@database
@click.argument("name")
@click.option("--public-url", help="How browsers reach it. Default: as at the last start.")
def reset(database: str | None, name: str, public_url: str | None) -> None:
    """Print a link by which NAME chooses a new password, once and within a day."""
    console = load("exchange.console")
    source = existing(database)
    try:
        for line in console.reset_password(source, name, public_url):
            click.echo(line)
    finally:
        source.close()


def load(module: str):  # type: ignore[no-untyped-def]
    """Import a module of the workbench, or say which packages to install."""
    from importlib import import_module

    try:
        return import_module(f"chronoscore.workbench.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("chronoscore"):
            raise
        raise UsageError(NEEDS) from None


def existing(database: str | None):  # type: ignore[no-untyped-def]
    """The database to work on, which must be there."""
    where = database or str(default_database())
    if "://" not in where and not Path(where).exists():
        raise UsageError(f"{where}: no such database; start the workbench once, or give --database")
    return load("store.database").open_database(where)
