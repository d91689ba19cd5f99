"""The command line: one module per command, loaded only when it is called.

A command imports what it calls in its body, so that `--help` and wrong options answer at once.
The command `list` hides the builtin here once it is loaded, so nothing below calls that.
"""

import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from chronoscore.cli import stopping, streams
from chronoscore.cli.parameters import name_options
from chronoscore.cli.slips import advise_choice, explain_permission
from chronoscore.cli.standard_input import name_input, without_dashes
from chronoscore.cli.talk import Warnings
from chronoscore.errors import (
    ChronoscoreError,
    ChronoscoreWarning,
    DataError,
    UsageError,
    did_you_mean,
    on_one_line,
)
from chronoscore.version import __version__

COMMANDS = {
    "demo": "Score the bundled corpus and show what chronoscore does.",
    "init": "Look at a folder and write down how it is scored: chronoscore.toml.",
    "score": "Score systems against references.",
    "compare": "Compare systems: paired tests, intervals, marks.",
    "diff": "Say why one system is behind another: causes, topics, days.",
    "report": "Write one page: leaderboard, topics, days, explanations.",
    "explain": "Show where a score comes from: the alignment, the shared words.",
    "bench": "Run a shared task from a folder: freeze, check, rank.",
    "similarities": "Compare every two texts that a measure compares.",
    "check": "Damage perfect timelines and see whether a measure notices.",
    "oracle": "Find how good any system could be: the best text, and ceilings.",
    "agree": "Measure how far judges, writers and matchers agree.",
    "judge": "Let a language model judge, in the files that people's judgements have.",
    "correlate": "Correlate measures with ratings by people.",
    "novelty": "Predict how people would rate update summaries; fit and study predictions.",
    "summarize": "Run baselines and published systems on your documents.",
    "workbench": "Judge streams and build content units in the browser.",
    "corpora": "List public corpora, and say which of them a folder holds.",
    "convert": "Convert timelines between formats.",
    "rouge155": "Drop-in for ROUGE-1.5.5.pl: same options, same output.",
    "list": "List measures, their parameters and formats.",
    "cite": "Print what to cite.",
}
"""The commands with a line each; `--help` must not import their modules."""


LONG_WORD = re.compile(r"\S{300,}")
"""A word that is not echoed whole; paths are mostly shorter."""


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """The commands, in the order of a first reading."""
        return [*COMMANDS]

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Import a command's module."""
        if name not in COMMANDS:
            raise UsageError(f"unknown command '{name}'; {did_you_mean(name, COMMANDS)}")
        command = import_module(f"chronoscore.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Print the version and the engine."""
    if wanted and not context.resilient_parsing:
        from chronoscore.kernel import ENGINES, engine_name

        engine = engine_name()
        click.echo(f"chronoscore, version {__version__}, engine {engine} ({ENGINES[engine]})")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and the engine that counts, and exit.",
)
def commands() -> None:
    """Evaluate summaries that live in time: timelines, update summaries, event streams.

    Try `chronoscore demo` first. Every command explains itself with --help.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; say errors and warnings in one line each, and exit with their code."""
    try:
        if arguments is None:
            streams.prepare()
            stopping.listen()
            # They are shown, also where `python -W error` would make them failures.
            warnings.simplefilter("always", ChronoscoreWarning)
        code = run(sys.argv[1:] if arguments is None else [*arguments])
        stopping.ignore()
    except KeyboardInterrupt as error:
        # Before the command began, after it ended, or a second one while the first was reported.
        fail(*explain_failure(error))
    sys.exit(code if isinstance(code, int) else 0)


def run(words: list[str]) -> object:
    """Run a command and give its result, or end with what went wrong."""

    def phrase(message: str) -> str:
        return name_options(name_input(message), find_command(words))

    kept = Warnings(phrase)
    warnings.showwarning = kept.show
    try:
        try:
            return call(words, kept)
        finally:
            kept.flush()
    except click.exceptions.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            sys.exit(error.exit_code)
        if refused := explain_permission(error):
            fail(refused, DataError.exit_code)
        fail(sentence(error), error.exit_code)
    except click.ClickException as error:
        fail(sentence(error), error.exit_code)
    except (ChronoscoreError, click.Abort, KeyboardInterrupt, MemoryError, OSError) as error:
        message, exit_code = explain_failure(error)
        fail(phrase(message), exit_code)
    except Exception as error:
        # A package that was being loaded may make another exception of Ctrl-C.
        if stopping.received:
            fail(*explain_failure(error))
        raise


def fail(message: str, code: int) -> NoReturn:
    """End with a message and an exit code."""
    stopping.ignore()
    if message:
        shown = LONG_WORD.sub(lambda found: f"{found[0][:60]}…", message)
        click.echo(f"chronoscore: {on_one_line(shown)}", err=True)
    if stopping.received:
        stopping.leave(code)
    sys.exit(code)


def explain_failure(error: BaseException) -> tuple[str, int]:
    """What to say of an error that ends a command, and the exit code."""
    if stopping.received:
        return "stopped", stopping.exit_code()
    match error:
        case ChronoscoreError():
            return str(error), error.exit_code
        case click.Abort() | KeyboardInterrupt():
            return "stopped", 130
        case BrokenPipeError():
            # The reader of a pipe has gone, as `head` does; what was written stands.
            streams.discard_output()
            return "", 0
        case streams.OutputError():
            streams.discard_output()
            reason = error.strerror
            return f"standard output cannot be written ({reason}); it is cut", DataError.exit_code
        case OSError():
            reason = error.strerror or str(error)
            if error.filename is None:
                return _explain_refusal(reason), DataError.exit_code
            return f"{error.filename}: cannot be used ({reason}); check it", DataError.exit_code
    return f"no memory left ({error}); ask for less at a time", UsageError.exit_code


def _explain_refusal(reason: str) -> str:
    """What to say of an error of the system that names no file."""
    try:
        Path.cwd()
    except OSError as error:
        return f"the working folder cannot be used ({error.strerror}); change to another"
    return f"the system refuses it ({reason})"


def call(arguments: list[str], kept: Warnings) -> object:
    """Run a command and give its result; click's own `main` takes a closed pipe for a failure."""
    if "_CHRONOSCORE_COMPLETE" in os.environ:
        commands.main(arguments, prog_name="chronoscore")
    try:
        with (
            without_dashes(arguments, _target_options(arguments)) as words,
            commands.make_context("chronoscore", words, obj=kept) as context,
        ):
            return commands.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code


def _target_options(words: Sequence[str]) -> set[str]:
    """The options of a command that name what it writes; asked only where `-` is given."""
    if "-" not in words:
        return set()
    from chronoscore.cli.targets import Target

    params = find_command(words).params
    return {name for one in params if isinstance(one.type, Target) for name in one.opts}


def find_command(words: Sequence[str]) -> click.Command:
    """The command that words call, as far as they name one."""
    command: click.Command = commands
    for word in [*words, ""]:
        context = click.Context(command)
        if not isinstance(command, click.Group):
            break
        known = command.list_commands(context)
        name = word if word in known else getattr(command, "default", "")
        if name not in known:
            break
        command = command.get_command(context, name) or command
    return command


def sentence(error: click.ClickException) -> str:
    """A wrong option or argument, said as our own errors are, and where to read on."""
    said = error.format_message().removesuffix(".").replace(". Did you", "; did you")
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        near = did_you_mean(error.option_name, error.possibilities)
        said = f"no such option '{error.option_name}'; {near}"
    elif isinstance(error, click.BadParameter) and (advice := advise_choice(error)):
        said = f"{said}; {advice}"
    said = said[:1].lower() + said[1:]
    context = getattr(error, "ctx", None)
    if context is None or said.endswith("?"):
        return said
    return f"{said}; see {context.command_path} --help"
