"""Say what is found: solutions as they are found, the verdict below them, and which tiling is the best: the heaviest, or the one
with most copies, most cells or fewest pieces."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from tiler import printable
from tiler.amounts import counted
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.question.parameters import COMMON, WORDS, declare, one_of, parameter
from tiler.question.question import Goal
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.ask.solve import Answered
    from tiler.cover.cover import RowCover
    from tiler.model.instance import Instance

S = TypeVar("S")


@dataclass(frozen=True)
class Objective:
    """A quantity to maximise: `amount` puts a sum of weights into words, and `beaten` ends the sentence that no tiling is
    better."""

    name: str
    amount: Callable[[int], str]
    beaten: str
    word: str = ""  #: stands before each amount, but not before a bound

    def in_words(self, answer: Answered[Any], noun: str = "tiling") -> str:
        """Words for the value of the best solution, and whether it is proved to be the best."""
        value, bound = answer.result.value, answer.result.bound
        if answer.result.stop is Stop.DONE:
            return f"{self.amount(value or 0)}: no {noun} {self.beaten}"
        least = "" if value is None else f"{self.amount(value)}; "
        amount = "" if bound is None else self.amount(bound).removeprefix(f"{self.word} ")
        most = "" if bound is None else f"no {noun} {self.beaten} than {amount} "
        return f"{least}{most}({answer.result.reason})"


#: The forms of solutions that `writer` and `write_verdict` write.
FORMATS = ("text", "json", "dimacs")
#: What SAT solvers print and how they exit.
DIMACS = {Status.SAT: ("SATISFIABLE", 10), Status.UNSAT: ("UNSATISFIABLE", 20), Status.UNKNOWN: ("UNKNOWN", 0)}
#: Stands before the name of an objective, in a comment of a file that asks for the best tiling.
ASKED = "asked: "

WEIGHT = Objective("weight", lambda value: f"weight {value:,}", "is heavier", "weight")
_CELLS = Objective("maximise cells", lambda value: f"{counted(value, 'cell')} covered", "covers more")
_PIECES = Objective("minimise pieces", lambda value: counted(-value, "piece"), "has fewer")
_COST = Objective("minimise cost", lambda value: f"cost {-value:,}", "is cheaper", "cost")


#: The arguments that say which tiling is the best.
OPTIONS = declare(
    optimise=COMMON["optimise"],
    maximise=parameter(
        None,
        "find the tiling with the most copies of WHAT, a tile; with cells: the tiling that covers the most cells",
        WORDS,
        metavar="WHAT",
        excludes="several",
    ),
    minimise=parameter(
        None,
        "find the tiling with the fewest pieces; with cost: the cheapest solution of an exact cover whose options have costs",
        one_of("pieces", "cost"),
        metavar="WHAT",
        excludes="several",
    ),
)


def goal_of(args: argparse.Namespace) -> Goal:
    """The goal of `tiler solve`."""
    if args.optimise or args.maximise or args.minimise:
        return Goal.OPTIMISE
    return Goal.ENUMERATE if args.all or args.limit or args.unique else Goal.PROVE if args.proof else Goal.DECIDE


def asked(args: argparse.Namespace) -> bool:
    """Whether the best tiling is asked for."""
    return bool(args.optimise or args.maximise or args.minimise)


def of(args: argparse.Namespace, instance: Instance) -> tuple[Instance, Objective]:
    """The instance with the weights that the arguments ask for, and how to speak of them."""
    if not args.maximise and not args.minimise:
        return instance, WEIGHT
    if any(tile.weight for tile in instance.tiles) and not args.optimise:
        raise BadOption("weights are for --optimise; leave them out with --maximise and --minimise, which set them")
    if args.minimise == "cost":
        raise BadOption("--minimise cost is for general exact covers, whose options may have costs; tiles have --weight")
    if args.minimise:
        return _weighed(instance, lambda number: -1), _PIECES
    if args.maximise == "cells":
        return _weighed(_opened(instance), lambda number: instance.distinct_tiles[number].size), _CELLS
    wanted = instance.number_of(args.maximise, "maximise")
    name = instance.distinct_tiles[wanted].name
    copies = Objective(f"maximise {name}", lambda value: f"{value:,} x {name}", "has more")
    return _weighed(instance, lambda number: int(number == wanted)), copies


def of_cover(args: argparse.Namespace, cover: RowCover) -> Objective:
    """How to speak of the weights of a general exact cover: of costs if the cheapest solution is asked for."""
    if args.minimise == "pieces":
        raise BadOption("--minimise pieces is about boards; for a general exact cover there is --minimise cost")
    if args.minimise and not any(cover.weights):
        raise BadOption("--minimise cost: no option has a cost, which is written behind an item: a b|7")
    return _COST if args.minimise else WEIGHT


def judged(instance: Instance, name: object) -> Instance:
    """The instance whose tilings may be answers to the objective of this name: where as many cells as possible are to be
    covered, all may stay open."""
    return _opened(instance) if name == _CELLS.name else instance


def _opened(instance: Instance) -> Instance:
    """The instance in which all cells may stay open, if no cell of the given one may."""
    return instance if instance.optional else replace(instance, optional=instance.board)


def _weighed(instance: Instance, weight_of: Callable[[int], int]) -> Instance:
    """The instance with other weights, by the numbers of its distinct tiles."""
    tiles = tuple(replace(tile, weight=weight_of(instance.number_of(tile.name))) for tile in instance.tiles)
    return replace(instance, tiles=tiles)


def verdict(answer: Answered[Any], best_of: Objective = WEIGHT, noun: str = "tiling") -> str:
    """The verdict in a line, with the reason if there is one."""
    status = answer.result.status
    if answer.result.bound is not None and status is Status.UNKNOWN:
        return f"unknown: {best_of.in_words(answer, noun)}"
    if status is Status.SAT:
        return sat(noun)
    why = answer.result.reason
    return ("unknown" if status is Status.UNKNOWN else f"unsat: there is no {noun}") + (f" ({why})" if why else "")


def _in_words(answer: Answered[Any], goal: Goal, best_of: Objective = WEIGHT, noun: str = "tiling") -> list[str]:
    """The lines beside the solutions: the verdict, and after it how many there are, or what the best one weighs."""
    if not answer.result.found:
        return [verdict(answer, best_of, noun)]
    beside = {Goal.OPTIMISE: best_of.in_words, Goal.ENUMERATE: how_many}
    return [sat(noun), *([beside[goal](answer, noun)] if goal in beside else [])]


def sat(noun: str = "tiling") -> str:
    return f"sat: there is a {noun}"


def how_many(answer: Answered[Any], noun: str = "tiling") -> str:
    """How many were listed, and whether there are more."""
    number = f"{counted(answer.result.found, noun)}{symmetry_in_words(answer)}"
    if answer.result.stop is Stop.DONE:
        return f"{number}, no more"
    return f"the first {number}" + ("" if answer.result.stop is Stop.SOLUTIONS else f" ({answer.result.reason})")


def writer(
    out: TextIO, form: str, drawn: Callable[[S], str], line: Callable[[S], str], noun: str = "tiling"
) -> Callable[[S], None]:
    """A function that writes a solution: as text, below the verdict if it is the first; as a line of JSON; in DIMACS not at
    all."""
    above = sat(noun)

    def write(solution: S) -> None:
        nonlocal above
        if form == "text":
            print(above, drawn(solution), sep="\n", file=out)
            above = ""
        elif form == "json":
            print(line(solution), file=out)

    return write


def write_verdict(
    args: argparse.Namespace, out: TextIO, form: str, answer: Answered[Any], best_of: Objective, noun: str = "tiling"
) -> list[str]:
    """Write the verdict below the solutions, and return it in words. In JSON the answer about a board names the objective."""
    words = _in_words(answer, goal_of(args), best_of, noun)
    only = _is_unique(answer) if args.unique else None
    if args.unique and answer.result.found:
        order = symmetry_in_words(answer)
        said = {True: f"unique: the only {noun}{order}", False: f"not unique: there is another {noun}{order}"}
        words[-1] = f"unknown ({answer.result.reason})" if only is None else said[only]
    if form == "json":
        objective = {"objective": best_of.name} if asked(args) and noun == "tiling" else {}
        print(json.dumps({**answer.summary(), **objective, **({"unique": only} if args.unique else {})}), file=out)
    elif form == "dimacs":
        print(f"s {DIMACS[answer.result.status][0]}", file=out)
    elif form == "text":
        # The first line stands above the first solution, if there is one.
        lines = [f"\n{line}" for line in words[1:]] if answer.result.found else words
        print("".join(f"{line}\n" for line in lines), end="", file=out)
    return words


def _is_unique(answer: Answered[Any]) -> bool | None:
    """Whether there is exactly one tiling up to symmetry, or one solution, of an answer with two at most; None if that is not
    known."""
    found = answer.result.found
    return False if found > 1 else found == 1 if answer.result.stop is Stop.DONE else None


def contradicts(answer: Answered[Any]) -> str:
    """A sentence that says how an answer contradicts the problem file; empty if it does not. It is also printed on stderr."""
    expected, result = answer.expected, answer.result
    text = ""
    known = expected.count if answer.result.symmetry is None else expected.up_to_symmetry
    if result.count is not None and known is not None and result.count != known:
        text = f"counted {result.count}, but the problem file expects {known}"
    elif Status.UNKNOWN is not result.status is not (expected.verdict or result.status):
        text = f"the answer is {result.status}, but the problem file expects {expected.verdict}"
    if text:
        print(f"tiler: wrong: {printable.line(f'{text} ({answer.solver})')}", file=sys.stderr)
    return text


def symmetry_in_words(answer: Answered[Any]) -> str:
    """`up to symmetry (a group of 8)`, or nothing for a raw answer."""
    return "" if answer.result.symmetry is None else f" up to symmetry (a group of {answer.result.symmetry})"
