"""`tiler check`: check the solutions in a file, or a certificate that there is none."""

from __future__ import annotations

import argparse
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler import jsontext, printable
from tiler.amounts import counted
from tiler.cli.questions import exact_covers, foreign_answers, listed_solutions
from tiler.cli.shared import arguments, declared, verdicts
from tiler.errors import BadOption, InputError
from tiler.formats import tilings
from tiler.optional_packages import need
from tiler.question.parameters import COMMON, WORDS, declare, fields_of, parameter, read_by

if TYPE_CHECKING:
    from tiler.formats.tilings import Line
    from tiler.model.instance import Instance
    from tiler.model.tile import Placement

HELP = "check solutions, proofs and counts against a problem"
EXAMPLES = """\
  tiler solve problems/misc/03_s.txt -o solution.json
  tiler check problems/misc/03_s.txt solution.json
  tiler solve 8x8 2 --limit 5 --format json | tiler check 8x8 2 -
  tiler prove problems/4L/10x10_u.txt -o certificate.json
  tiler check problems/4L/10x10_u.txt certificate.json
  tiler convert problems/misc/03_s.txt -o out.cnf && kissat out.cnf > answer.txt
  tiler check problems/misc/03_s.txt answer.txt --of out.cnf
  tiler convert problems/misc/03_s.txt -o out.opb && minisat+ out.opb > answer.txt
  tiler check problems/misc/03_s.txt answer.txt --of out.opb
  tiler solve problems/4L/10x10_u.txt --solver sat --proof out.drup
  tiler check problems/4L/10x10_u.txt out.drup --of out.cnf
  tiler count problems/misc/03_s.txt --up-to-symmetry --format json > count.json
  tiler check problems/misc/03_s.txt count.json --recount 20%
"""

_MAX_BYTES = 1 << 30


def _share(text: str) -> float:
    """The number from 0 to 1 that a percentage stands for."""
    match = re.fullmatch(r"(\d{1,3}(\.\d+)?)%", text)
    if not match or not 0 < float(match[1]) <= 100:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no percentage, such as 5%")
    return float(match[1]) / 100


_OPTIONS = declare(
    solution=parameter(
        None,
        "a file, or - for standard input: tilings in any format of tiler solve; a certificate of tiler prove -o; with "
        "--recount a count of tiler count; with --of the answer of another program: s and v lines, a count, a sum of weights, "
        "values of columns, the output of a MiniZinc model, or a DRUP proof as text",
        WORDS,
        metavar="ANSWER",
        by_place=True,
    ),
    of=parameter(
        None,
        "name the file that tiler convert or --proof wrote; then ANSWER is another program's answer to it, or a DRUP proof. The "
        "exit status is 3 if the clauses are not shown to follow from the problem",
        WORDS,
        metavar="FILE",
    ),
    recount=parameter(
        None,
        "count some parts of ANSWER again by another solver, drawn at random; ANSWER is a count with parts, by tiler count "
        "--format json with --up-to-symmetry or --executor",
        read_by(_share, "PERCENT"),
    ),
)


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser, covers=True)
    declared.add(
        parser,
        fields_of(COMMON, _OPTIONS),
        *(*_OPTIONS, "solver", "seed", "seconds", "threads"),
        solver={"help": "choose the solver of --recount", "default": None, "absent": "dlx, or backtracking"},
        seed="draw other parts for --recount",
        seconds="limit each count of --recount, and the count that --of compares with (default: 60s)",
    )


def run(args: argparse.Namespace) -> int:
    from tiler import formats

    if declared.is_cover(args):
        return _check_rows(args)
    instance = arguments.read_problem(args)
    if Path(args.solution).suffix.lower() in (".npz", ".csv") and args.recount is None and not args.of:
        from tiler.formats import tiling_lists

        return _check_list(instance, tiling_lists.lines(args.solution), args.solution)
    content = formats.load(args.solution, _MAX_BYTES)
    if args.recount is not None:
        return _recount(instance, content, args)
    if args.of:
        return foreign_answers.check(instance, (args.solution, content), args.of, args.seconds, arguments.threads_of(args))
    proof = _proof(content, args.solution)
    if proof is not None:
        return _check_proof(instance, proof, args.solution)
    return _check_list(instance, tilings.lines(content, args.solution), args.solution)


def _check_list(instance: Instance, lines: list[Line], source: str) -> int:
    """Check tilings, and the answers after them."""
    solutions = [each for _, each in lines if isinstance(each, list)]
    wrong = _not_tilings(instance, lines)
    key = _keys(instance)
    wrong += listed_solutions.misstated((line, key(each) if isinstance(each, list) else each) for line, each in lines)
    if not any(why for _, why in wrong):
        wrong += _told_twice(instance, lines)
    if not solutions and any(each.get("parts") for _, each in lines if isinstance(each, dict)):
        raise BadOption(f"{source} counts, and lists no tilings: --recount 20% counts some of its parts again")
    return listed_solutions.verdict(len(solutions), wrong, source)


def _keys(instance: Instance) -> Callable[[list[Placement]], bytes]:
    """A function that gives equal tilings, and no others, the same few bytes."""
    alike: dict[Hashable, int] = {}
    numbers: dict[Hashable, int] = {}

    def key(tiling: list[Placement]) -> bytes:
        chosen = set()
        for placement in tiling:
            looks = (placement.tile, placement.cells, placement.coat)
            if looks not in numbers:
                numbers[looks] = alike.setdefault(instance.told_apart(placement), len(alike))
            chosen.add(numbers[looks])
        return array("q", sorted(chosen)).tobytes()

    return key


def _not_tilings(instance: Instance, lines: list[Line]) -> list[tuple[int, str | None]]:
    """The line of every wrong tiling, and what is wrong with it. Tilings are judged by the objective of the answer that follows
    them."""
    from tiler.model.verify_blocks import errors_in

    wrong: list[tuple[int, str | None]] = []
    before: list[tuple[int, list[Placement]]] = []
    end: list[Line] = [(0, {})]
    for line, each in [*lines, *end]:
        if isinstance(each, list):
            before.append((line, each))
            continue
        judged = verdicts.judged(instance, each.get("objective"))
        errors = errors_in(judged, [tiling for _, tiling in before])
        wrong += zip((number for number, _ in before), errors, strict=True)
        before.clear()
    return wrong


def _told_twice(instance: Instance, lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """The lines of tilings that are images of other tilings in the same answer, in answers up to symmetry."""
    from tiler.cover.board import BoardCover
    from tiler.cover.group_action import TilingClasses

    classes: TilingClasses | None = None
    before: list[tuple[int, list[Placement]]] = []
    for line, each in lines:
        if isinstance(each, list):
            before.append((line, each))
            continue
        if type(each.get("symmetry")) is int and len(before) > 1:
            classes = classes or TilingClasses(BoardCover.of(instance))
            first: dict[bytes, int] = {}
            for number, tiling in before:
                other = first.setdefault(classes.of(tiling), number)
                if other != number:
                    yield number, f"up to symmetry it is the same tiling as in line {other}"
        before.clear()


def _check_rows(args: argparse.Namespace) -> int:
    """Check solutions of a general exact cover."""
    from tiler import formats

    return exact_covers.check(arguments.read_cover(args), formats.load(args.solution, _MAX_BYTES), args.solution)


def _recount(instance: Instance, content: str, args: argparse.Namespace) -> int:
    """Count some parts of a count again, and compare the numbers."""
    from tiler.backends.registry import parse_spec

    need("--recount", "msgspec")
    from tiler.ask.recount import recount

    answer = None
    for number, line in enumerate(content.split("\n"), 1):
        if line.lstrip().startswith("{"):
            try:
                data = jsontext.loads(line, number)
            except InputError as error:
                raise error.at(args.solution, number) from None
            answer = data if data.get("schema") == "tiler-answer-1" else answer
    if answer is None:
        raise InputError("there is no answer in it, as `tiler count --format json` prints", args.solution)
    try:
        found = recount(
            instance,
            answer,
            args.recount,
            solver=args.solver,
            seed=args.seed,
            seconds=args.seconds,
            threads=arguments.threads_of(args),
        )
    except InputError as error:
        raise error.at(args.solution) from None
    if found.wrong:
        print(printable.line(f"wrong: {args.solution}: {found.wrong}"))
        return 4
    by = f" by {', '.join(found.solvers)}" if found.solvers else ""
    before = parse_spec(answer["parts"]["solver"]).name
    if any(parse_spec(spec).name == before for spec in found.solvers):
        by += f", which counted them before (--solver {'dlx' if before != 'dlx' else 'backtracking'} would be another)"
    unfinished = f"; {found.unfinished} not within the time limit" if found.unfinished else ""
    print(printable.line(f"{found.again} of {counted(found.parts, 'part')} counted again{by}: the same{unfinished}"))
    return 0 if found.again else 3


def _proof(content: str, path: str) -> dict[str, Any] | None:
    """The certificate or signed tiling in a file: an object with its schema, by itself or in a summary of `tiler prove`."""
    if content.strip().count("\n") or not content.lstrip().startswith("{"):
        return None
    try:
        data = jsontext.loads(content)
    except InputError:
        return None  # The code that reads solutions says what is wrong.
    for each in (data, data.get("certificate"), data.get("signed")):
        if isinstance(each, dict) and each.get("schema") in ("tiler-certificate-1", "tiler-signed-tiling-1"):
            return each
    return None


def _check_proof(instance: Instance, data: dict[str, Any], path: str) -> int:
    from tiler.backends.coloring import checker, signed_tilings
    from tiler.question import certificate

    try:
        if data["schema"] == certificate.SCHEMA:
            wrong = checker.error_in(instance, certificate.of_json(data))
            claim = "the certificate holds: there is no tiling"
        else:
            tiling = signed_tilings.of_json(data)
            other = data.get("digest") != instance.digest
            wrong = "it is about another problem" if other else checker.error_in_signed(instance, tiling)
            claim = "the signed tiling holds: no colouring can prove that there is no tiling"
    except InputError as error:
        raise error.at(path) from None
    print(printable.line(f"wrong: {path}: {wrong}") if wrong else claim)
    return 4 if wrong else 0
