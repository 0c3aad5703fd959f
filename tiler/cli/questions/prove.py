"""`tiler prove`: look for a reason why there is no tiling."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from pathlib import Path

from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.errors import BadOption
from tiler.question.parameters import COMMON, declare, fields_of, parameter
from tiler.question.question import Goal, Question

HELP = "find a reason why a board cannot be tiled"
EXAMPLES = """\
  tiler prove problems/4L/10x10_u.txt
  tiler prove 10x10x10 1x1x4 -o bars.svg
  tiler prove problems/many-unique/5r-plus_u.txt -o certificate.json
  tiler prove problems/mixed/4Os-4T-06x06_u.txt --solver coloring:stages=area+lattice --signed
"""


_OPTIONS = declare(signed=parameter(False, "show the signed tiling, if no colouring can prove anything"))
_WRITTEN = "write the picture (.svg, .png, .pdf), a page (.html), the certificate (.json) or the text (.txt) to a file"


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser)
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS, _OPTIONS),
        *("solver", "load", "seconds", "memory", "signed", "format", "output"),
        solver={"help": "choose the prover with its stages", "default": "coloring"},
        format=PRINTED,
        output={"help": _WRITTEN, "default": (), "nargs": "append"},
    )


def run(args: argparse.Namespace) -> int:
    from tiler.api.answers.proof import FORMS, Proof, refuse_unproving
    from tiler.ask.solve import DEFAULT_SOLVER
    from tiler.backends.registry import parse_spec

    endings = {f".{form}": form for form in FORMS}
    forms = {path: endings.get(Path(path).suffix.lower(), "") for path in args.output}
    for path, form in forms.items():
        _refuse_output(path, form)
    refuse_unproving(parse_spec(args.solver))
    args.up_to_symmetry = args.stats = False
    args.threads = 1  # No stage can use more.
    instance, limits = arguments.read_problem(args), arguments.limits(args)
    searching = argparse.Namespace(**{**vars(args), "solver": DEFAULT_SOLVER})
    answer = arguments.ask(args, instance, Question(Goal.PROVE, limits))
    proof = Proof.of(answer, limits, lambda question: arguments.ask(searching, instance, question))
    signed = proof.signed() if args.signed else None
    written = proof.forms(signed)
    for path, form in forms.items():
        if form in written:
            with output.opened(path) as out:
                output.put(out, written, form)
        else:
            print(f"tiler: there is nothing to write: {output.left_alone(path)}", file=sys.stderr)
    if args.format == "json":
        print(json.dumps(proof.summary(signed)))
    elif forms and "txt" not in forms.values():
        print("\n".join(filter(None, [proof.verdict, textwrap.fill(proof.sentence, output.width_of(sys.stdout) or 80)])))
    else:
        print(proof.text(signed, output.width_of(sys.stdout), "--signed"))
    return arguments.exit_status(proof.deciding_answer)


def _refuse_output(path: str, form: str) -> None:
    """Check whether the file can be written, before anything is searched."""
    from tiler.api.answers.proof import FORMS

    if not form:
        raise BadOption(f"-o {path}: the name must end in {', '.join(f'.{each}' for each in FORMS)}")
    if Path(path).is_dir():
        raise BadOption(f"{path} is a folder; -o takes a file name")
    if not os.access(Path(path).parent, os.W_OK):
        raise BadOption(f"cannot write {path}: there is no such folder, or it may not be written to")
