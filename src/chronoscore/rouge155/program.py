"""ROUGE-1.5.5.pl as a function: its arguments in, the bytes that it prints out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore.errors import UsageError, did_you_mean, warn
from chronoscore.rouge155.counting import count_perl_evaluations
from chronoscore.rouge155.installation import install_rouge155
from chronoscore.rouge155.options import interpret_perl_options, parse_perl_arguments
from chronoscore.rouge155.output import perl_output_lines
from chronoscore.rouge155.settings import READERS, Evaluation, load, load_perl_evaluation_list

UNNAMED = "X"
"""What ROUGE-1.5.5 calls the system of a list of files."""


@dataclass(frozen=True)
class Printed:
    """What the program prints, and what it says with -v."""

    output: bytes
    log: tuple[str, ...] = ()


def run_rouge155(arguments: Sequence[str]) -> Printed | None:
    """Score as ROUGE-1.5.5.pl does with these arguments; nothing if they ask for help."""
    options, rest = parse_perl_arguments(arguments)
    if options.keys() & {"h", "H"}:
        return None
    if "install" in options:
        return Printed(
            _as_utf8("".join(f"{line}\n" for line in install_rouge155(_install_folder(rest))))
        )
    settings = interpret_perl_options(options)
    evaluations, systems = _load_evaluations(options, rest)
    instances = count_perl_evaluations(evaluations, systems, settings)
    _warn_of_missing(evaluations, systems)
    log = [
        f"{instance.name} {measure} {counts}"
        for instance in (instances if "v" in options else ())
        for measure, counts in zip(settings.measures, instance.counts, strict=True)
    ]
    encode = _as_utf8 if "z" in options else _as_perl
    lines = (encode(f"{line}\n") for line in perl_output_lines(instances, systems, settings))
    return Printed(b"".join(lines), tuple(log))


def _install_folder(rest: Sequence[str]) -> Path:
    """The one folder after --install."""
    if len(rest) != 1:
        raise UsageError("--install needs one folder; name where ROUGE-1.5.5.pl is to be written")
    return Path(rest[0])


def _load_evaluations(
    options: Mapping[str, str], rest: Sequence[str]
) -> tuple[list[Evaluation], list[str]]:
    """Load what to evaluate, and name the systems."""
    if not rest:
        raise UsageError("no settings file; name one after the options")
    path = Path(rest[0])
    if "z" in options:
        form = options["z"].upper()
        if form not in READERS:
            raise UsageError(f"-z {form}: no such format; {did_you_mean(form, READERS)}")
        ignored = rest[2:]
        systems = list(rest[1:2]) or [UNNAMED]
        evaluations = load_perl_evaluation_list(path, form, systems[0])
    else:
        all_systems = "a" in options
        if not all_systems and len(rest) < 2:
            raise UsageError("no system to score; name one after the settings, or say -a for all")
        ignored = rest[1:] if all_systems else rest[2:]
        evaluations = load(path)
        known = {system for evaluation in evaluations for system in evaluation.systems}
        systems = sorted(known) if all_systems else [rest[1]]
    if ignored:
        warn(
            f"'{' '.join(ignored)}' is ignored, as in Perl; put options before the settings",
            kind="ignored-words",
        )
    return evaluations, systems


def _warn_of_missing(evaluations: Sequence[Evaluation], systems: Sequence[str]) -> None:
    """Say which systems are not in every evaluation; they are averaged over those they are in."""
    known = {system for evaluation in evaluations for system in evaluation.systems}
    for system in systems:
        without = [each.id for each in evaluations if system not in each.systems]
        if len(without) == len(evaluations):
            warn(
                f"system '{system}' is in no evaluation, all is 0; {did_you_mean(system, known)}",
                kind=f"unknown-system:{system}",
            )
        elif without:
            warn(
                f"system '{system}' is not in evaluation '{without[0]}' "
                f"({len(without)} of {len(evaluations)} in all), which are left out for it",
                kind=f"missing-system:{system}",
            )


def _as_perl(line: str) -> bytes:
    """Write names from XML as Perl prints them: Latin-1 where that can hold them, else UTF-8."""
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return _as_utf8(line)


def _as_utf8(line: str) -> bytes:
    """Write a line in UTF-8, with names from the command line byte for byte."""
    return line.encode("utf-8", "surrogateescape")
