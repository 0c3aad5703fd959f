"""`tiler check`: do the solutions in a file hold, or the certificate that there is none?"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from tiler import jsontext, printable
from tiler.cli import asking, rows
from tiler.errors import BadOption, InputError
from tiler.formats import tilings

if TYPE_CHECKING:
    from tiler.model.instance import Instance

HELP = "check solutions, or a certificate that there is none, against a problem"
EXAMPLES = """\
  tiler solve problems/misc/03_s.txt -o solution.json
  tiler check problems/misc/03_s.txt solution.json
  tiler solve 8x8 2 --limit 5 --format json | tiler check 8x8 2 -
  tiler prove problems/4L/10x10_u.txt -o certificate.json
  tiler check problems/4L/10x10_u.txt certificate.json
  tiler convert problems/misc/03_s.txt out.cnf && kissat out.cnf > answer.txt
  tiler check problems/misc/03_s.txt answer.txt --cnf out.cnf
"""

_MAX_BYTES = 1 << 30


def configure(parser: argparse.ArgumentParser) -> None:
    asking.add_problem(parser, covers=True)
    parser.add_argument(
        "solution",
        metavar="ANSWER",
        help="JSON lines, each a list of {tile, cells}, or what tiler prove -o writes; - for standard input",
    )
    parser.add_argument(
        "--cnf",
        metavar="OUT.cnf",
        help="what tiler convert wrote: then ANSWER is what a SAT solver said of it, in lines that begin with s and v",
    )


def run(args: argparse.Namespace) -> int:
    from tiler import formats
    from tiler.model import verify

    if asking.is_cover(args):
        return _check_rows(args)
    instance = asking.read_problem(args)
    content = formats.load(args.solution, _MAX_BYTES)
    if args.cnf:
        return _check_model(instance, content, args.solution, args.cnf)
    proof = _proof(content, args.solution)
    if proof is not None:
        return _check_proof(instance, proof, args.solution)
    checked = wrong = 0
    for line, solution in tilings.read(content, args.solution):
        checked += 1
        problem = verify.error_in(instance, solution)
        if problem:
            wrong += 1
            print(printable.line(f"wrong: {args.solution}:{line}: {problem}"))
    if not checked:
        raise InputError("there is no solution in it", args.solution)
    if not wrong:
        print("the solution holds" if checked == 1 else f"all {checked} solutions hold")
    return 4 if wrong else 0


def _check_rows(args: argparse.Namespace) -> int:
    """Solutions of a general exact cover."""
    from tiler import formats

    if args.cnf:
        raise BadOption("--cnf is about boards; of a general exact cover solutions are JSON lines")
    return rows.check(asking.read_cover(args), formats.load(args.solution, _MAX_BYTES), args.solution)


def _check_model(instance: Instance, content: str, path: str, cnf: str) -> int:
    """Whether the model that a SAT solver printed is a tiling, whatever the clauses in the CNF are."""
    from tiler import formats
    from tiler.backends.sat import dimacs
    from tiler.model import verify
    from tiler.model.expected import Status

    status, true = dimacs.read_answer(content, path)
    expected = instance.about.expected.verdict
    if status is Status.SAT:
        wrong = verify.error_in(instance, dimacs.placements(dimacs.read_meanings(formats.load(cnf, _MAX_BYTES), cnf), true))
    elif status is Status.UNSAT and expected is Status.SAT:
        wrong = "it says that there is no tiling, but the problem file expects one"
    else:
        print(f"tiler: {printable.line(path)}: the answer is {status}; there is nothing in it to check", file=sys.stderr)
        return 3
    print(printable.line(f"wrong: {path}: {wrong}") if wrong else "the solution holds")
    return 4 if wrong else 0


def _proof(content: str, path: str) -> dict[str, Any] | None:
    """The certificate or signed tiling in a file: an object with its schema, by itself or in a summary of `tiler prove`."""
    if content.strip().count("\n") or not content.lstrip().startswith("{"):
        return None
    try:
        data = jsontext.loads(content)
    except InputError:
        return None  # What is wrong with it is said where solutions are read.
    for each in (data, data.get("certificate"), data.get("signed")):
        if isinstance(each, dict) and each.get("schema") in ("tiler-certificate-1", "tiler-signed-tiling-1"):
            return each
    return None


def _check_proof(instance: Instance, data: dict[str, Any], path: str) -> int:
    from tiler.backends.coloring import checker, signed
    from tiler.question import certificate

    try:
        if data["schema"] == certificate.SCHEMA:
            wrong = checker.error_in(instance, certificate.of_json(data))
            claim = "the certificate holds: there is no tiling"
        else:
            tiling = signed.of_json(data)
            other = data.get("digest") != instance.digest
            wrong = "it is about another problem" if other else checker.error_in_signed(instance, tiling)
            claim = "the signed tiling holds: no colouring can prove that there is no tiling"
    except InputError as error:
        raise error.at(path) from None
    print(printable.line(f"wrong: {path}: {wrong}") if wrong else claim)
    return 4 if wrong else 0
