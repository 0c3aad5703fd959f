"""`tiler reproduce`: check an artifact of `tiler archive`, and make its runs and figures again."""

from __future__ import annotations

import argparse
from pathlib import Path

from tiler import printable
from tiler.cli.shared import declared
from tiler.errors import InputError
from tiler.question.parameters import WORDS, declare, fields_of, parameter

HELP = "check an artifact of tiler archive, and make its runs and figures again"
EXAMPLES = """\
  tiler reproduce artifact.zip
  tiler reproduce artifact.zip --full
  tiler reproduce artifact.zip --smoke --here -o elsewhere
"""
_DESCRIPTION = """\
Unpack an artifact, compare each file with its SHA-256, make an environment from its
wheels without a network, make runs again and compare them with the records, draw the
figures again and compare their data. Answers and numbers of tilings must be the same.
The exit status is 1 if something differs. A run that was interrupted goes on.

An artifact brings programs, which this command runs: use one that you trust.
"""
_OPTIONS = declare(
    artifact=parameter(None, "a zip of tiler archive, or a folder with what is in one", WORDS, metavar="ARTIFACT", by_place=True),
    smoke=parameter(False, "make only some short runs again, in less than five minutes (default)", excludes="runs"),
    full=parameter(False, "make all runs again", excludes="runs"),
    here=parameter(False, "make the runs with this Tiler, not with the wheels in the artifact"),
)
_WORKED_IN = {"help": "unpack and work in this folder", "metavar": "FOLDER", "absent": "ARTIFACT-again"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    fields = fields_of(declared.OPTIONS, _OPTIONS)
    declared.add(parser, fields, "artifact", "smoke", "full", "here", "output", output=_WORKED_IN)


def run(args: argparse.Namespace) -> int:
    from tiler.bench.artifact import reproduction

    path = Path(args.artifact)
    folder = Path(args.output or reproduction.place_of(path))
    try:
        agrees = reproduction.reproduce(path, folder, full=args.full, here=args.here, say=_say)
    except reproduction.ArtifactError as error:
        raise InputError(str(error)) from None
    return 0 if agrees else 1


def _say(line: str) -> None:
    print(printable.line(line), flush=True)
