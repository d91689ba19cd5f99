"""The command `workbench`: serve it, back it up, restore it, verify it, bring work in and out."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from chronoscore.cli import streams
from chronoscore.cli.options import file
from chronoscore.cli.slips import refuse_empty
from chronoscore.cli.targets import Target, folder
from chronoscore.errors import DataError, UsageError, did_you_mean, number_with_noun
from chronoscore.extras import install_command


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
    """The embedded file, in the folder that the platform has for the user's data."""
    try:
        home = Path.home()
    except RuntimeError:
        raise UsageError("there is no home folder for the database; give --database") from None
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        given = Path(os.environ.get("XDG_DATA_HOME", ""))
        folder = given if given.is_absolute() else home / ".local" / "share"
    return folder / "chronoscore" / "workbench.sqlite"


class Address(click.types.StringParamType):
    """A path, or the address of a database, which stays text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The address as it was written."""
        return super().convert(refuse_empty(value, param), param, ctx)


address = Address()
database = click.option(
    "--database",
    type=address,
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
@click.option(
    "--share", is_flag=True,
    help="Let machines on the same network in until it is stopped: on one private address, under "
    "a certificate of its own, with a QR code. Asks which address, unless --host names it.",
)  # fmt: skip
@click.option(
    "--public-url", metavar="URL",
    help="How browsers reach it, as in https://judge.example.org or https://example.org/judging.",
)  # fmt: skip
@click.option(
    "--trusted-proxy", "proxies", multiple=True, metavar="ADDRESS",
    help="An address or network of proxies that say where visitors come from (X-Forwarded-For); "
    "repeatable. Default: this machine, if --public-url names another.",
)  # fmt: skip
@click.option(
    "--access-log", metavar="PATH|-",
    help="A file that gets a line for each request, or - for the terminal. Default: the terminal, "
    "if --public-url names another machine.",
)  # fmt: skip
@click.option(
    "--metrics-token-file", type=file,
    help="A file with the token that /metrics asks for. A token of a manager who works in no "
    "unfinished topic will do, too.",
)  # fmt: skip
@click.option("--max-upload", default=64, show_default=True, help="Megabytes of an upload.")
@click.pass_context
def serve(context: click.Context, /, database: str | None, share: bool, **given: Any) -> None:
    """Start the workbench (what happens without a command)."""
    server = load("web.server")
    named = context.get_parameter_source("host") is not ParameterSource.DEFAULT
    certificate = share_address(given, named=named) if share else None
    told, options = settle(given)
    with server.open_listening_socket(given["host"], given["port"]) as door:
        host, port = given["host"], door.getsockname()[1]
        scheme, here = "https" if certificate else "http", f"[{host}]" if ":" in host else host
        told["public_url"] = told["public_url"] or f"{scheme}://{here}:{port}"
        if certificate:
            told |= {"fingerprint": certificate.fingerprint, "invitation_days": 1.0}
        settings = load("store.settings").Settings(**told)
        remote = not settings.on_loopback and not settings.shared
        options = server.ServerOptions(
            trusted_proxies=options["proxies"] or (("127.0.0.1/32", "::1/128") if remote else ()),
            access_log=("-" if remote else "") if options["log"] is None else options["log"],
            certificate=certificate,
        )
        server.serve(chosen(database), settings, door, options)


def settle(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the options say about the workbench, and about how it is run."""
    settings = load("store.settings")
    url, token = given["public_url"], given["metrics_token_file"]
    if url is None and given["host"] in ("0.0.0.0", "::"):
        raise UsageError("--host for all addresses needs --public-url; say how browsers reach it")
    told = {
        "public_url": None if url is None else settings.parse_public_url(url),
        "largest_upload": given["max_upload"] * settings.MEGABYTE,
        "metrics_token": read_token(token) if token else "",
    }
    proxies = tuple(map(settings.parse_proxy, given["proxies"]))
    return told, {"proxies": proxies, "log": given["access_log"]}


def share_address(given: dict[str, Any], *, named: bool) -> Any:
    """Choose the address to share; returns the certificate that names it."""
    if given["public_url"] is not None or given["proxies"]:
        raise UsageError(
            "--share is for machines nearby and --public-url for a proxy; give one of them"
        )
    addresses, certificate = load("web.sharing.addresses"), load("web.sharing.certificate")
    ask = choose_address if sys.stdin.isatty() else addresses.refuse_to_guess
    given["host"] = addresses.choose(given["host"] if named else None, ask).address
    return certificate.provide(default_database().parent, given["host"])


def choose_address(found: Sequence[Any]) -> Any:
    """Ask which address the judges reach."""
    click.echo("Which address do the judges reach?", err=True)
    for number, one in enumerate(found, 1):
        click.echo(f"  {number}  {one}", err=True)
    kind = click.IntRange(1, len(found))
    return found[click.prompt("Number", default=1, type=kind, err=True) - 1]


def read_token(path: Path) -> str:
    """The secret in a file: one line that cannot be guessed."""
    from chronoscore.formats.io.files import read_text

    token = read_text(path).strip()
    if len(token) < 16 or not token.isprintable() or " " in token:
        raise DataError(f"{path}: holds no token; write one line of 16 or more characters")
    return token


@command.command()
@database
@click.argument("target", type=address, metavar="PATH|URL")
def backup(database: str | None, target: str) -> None:
    """Copy everything to a new SQLite file or an empty PostgreSQL, while the workbench runs."""
    if "://" not in target and Path(target).exists():
        raise UsageError(f"{target}: is there already; choose another name")
    move(chosen(database), target)


@command.command()
@database
@click.argument("source", type=address, metavar="PATH|URL")
def restore(database: str | None, source: str) -> None:
    """Bring a backup back into a database without people and entries, SQLite or PostgreSQL."""
    move(source, chosen(database))


def move(source: str, target: str) -> None:
    """Copy one database into another and say what was proved."""
    storage, transfer = load("store.database"), load("store.transfer")
    rows, entries = transfer.copy(source, target, lambda words: click.echo(words, err=True))
    shown = storage.printable_url(target)
    counted = number_with_noun(rows, "row"), number_with_noun(entries, "log entry")
    done = f"{shown}: {counted[0]}, {counted[1]} replayed, all equal"
    try:
        click.echo(done)
    except streams.OutputError:
        # The copy is there and proved, so nothing has failed; jobs may run without an output.
        streams.discard_output()
        click.echo(done, err=True)


@command.command()
@database
@click.option("--rebuild", is_flag=True, help="Rebuild the tables from the log.")
def verify(database: str | None, rebuild: bool) -> None:
    """Replay the log and compare it with the tables; notice a damaged or torn copy."""
    replay, serving = load("store.replay"), load("store.serving")
    where = chosen(database)
    torn = serving.is_torn(where)
    with serving.open_source(where) as source:
        replay.check_file(source)
        verdict = None if rebuild else replay.verify(source)
    if verdict is None:
        with serving.open_for_command(where) as target:
            applied = number_with_noun(replay.rebuild(target), "log entry")
            click.echo(f"{applied} applied again")
            verdict = replay.verify(target)
    for table, rows in verdict.differing.items():
        click.echo(f"{table}: {number_with_noun(rows, 'row differs', 'rows differ')}", err=True)
    if torn:
        click.echo(f"{where}: {serving.TORN}", err=True)
    if torn or not verdict.equal:
        click.get_current_context().exit(1)
    replayed = number_with_noun(verdict.entries, "log entry")
    click.echo(f"{replayed} replayed: every table is equal")


@command.command()
@database
@click.argument("project", required=False)
@click.option(
    "-o", "--output", type=Target(printed=True), help="Write to this file, whole or not at all."
)
@click.option(
    "--corpus", type=folder, metavar="FOLDER",
    help="Write a corpus with articles, as summarize and score read it, into this folder.",
)  # fmt: skip
@click.option("--finished", is_flag=True, help="Only final topics.")
@click.option("--without-text", is_flag=True, help="Ids, offsets and hashes only.")
@click.option("--names", is_flag=True, help="People's names instead of j1, j2 …")
def export(
    database: str | None,
    project: str | None,
    output: Path | None,
    corpus: Path | None,
    finished: bool,
    without_text: bool,
    names: bool,
) -> None:
    """Write PROJECT (its name or number) as judgements.jsonl; without PROJECT list them."""
    console = load("exchange.console")
    with reading(database) as source:
        if project is None:
            list_projects(console.list_projects(source))
            return
        if corpus is not None:
            if output is not None or without_text:
                raise UsageError("--corpus writes a folder with texts; leave out the other options")
            for line in console.export_corpus(
                source, project, corpus, finished=finished, anonymous=not names
            ):
                click.echo(line)
            return
        body = console.export_project(
            source, project, finished=finished, texts=not without_text, anonymous=not names
        )
    if output is None:
        click.echo(body.decode(), nl=False)
        return
    from chronoscore.formats.io.files import write_text

    write_text(output, body.decode())


def list_projects(lines: Iterator[str]) -> None:
    """Print the projects, or say that there is none."""
    listed = [*lines]
    for line in listed:
        click.echo(line)
    if not listed:
        click.echo("no project yet; make one in the workbench, or by 'workbench import'", err=True)


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
    with writing(database) as source:
        for line in console.import_files(
            source, project, files, name=name, title=title, workflow=workflow
        ):
            click.echo(line)


@command.command()
@database
@click.argument("name")
@click.option("--public-url", help="How browsers reach it. Default: as at the last start.")
def reset(database: str | None, name: str, public_url: str | None) -> None:
    """Print a link by which NAME chooses a new password, once and within a day."""
    console = load("exchange.console")
    with writing(database) as source:
        for line in console.reset_password(source, name, public_url):
            click.echo(line)


def load(module: str):  # type: ignore[no-untyped-def]
    """Import a module of the workbench, or say which packages to install."""
    from importlib import import_module

    try:
        return import_module(f"chronoscore.workbench.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("chronoscore"):
            raise
        raise UsageError(
            f"the workbench needs more packages; {install_command('workbench')}"
        ) from None


def chosen(database: str | None) -> str:
    """The path or URL of the database to work on."""
    return database or str(default_database())


def reading(database: str | None):  # type: ignore[no-untyped-def]
    """The workbench to read, which must be there, open."""
    return load("store.serving").open_source(chosen(database))


@contextmanager
def writing(database: str | None) -> Iterator[Any]:
    """The workbench to change, which must be there, open."""
    with reading(database):
        pass
    with load("store.serving").open_for_command(chosen(database)) as found:
        yield found
