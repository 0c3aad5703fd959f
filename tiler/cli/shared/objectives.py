"""Read from the command line which tiling is the best: the heaviest, or the one with most copies, most cells or fewest pieces."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted
from tiler.cli.shared import arguments
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.question.parameters import COMMON, WORDS, declare, one_of, parameter
from tiler.question.question import Goal
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.ask.solve import Answered
    from tiler.cover.cover import RowCover
    from tiler.model.instance import Instance


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
        return f"{least}{most}({arguments.reason(answer)})"


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
    why = arguments.reason(answer)
    return ("unknown" if status is Status.UNKNOWN else f"unsat: there is no {noun}") + (f" ({why})" if why else "")


def in_words(answer: Answered[Any], goal: Goal, best_of: Objective = WEIGHT, noun: str = "tiling") -> list[str]:
    """The lines beside the solutions: the verdict, and after it how many there are, or what the best one weighs."""
    if not answer.result.found:
        return [verdict(answer, best_of, noun)]
    beside = {Goal.OPTIMISE: best_of.in_words, Goal.ENUMERATE: how_many}
    return [sat(noun), *([beside[goal](answer, noun)] if goal in beside else [])]


def sat(noun: str = "tiling") -> str:
    return f"sat: there is a {noun}"


def how_many(answer: Answered[Any], noun: str = "tiling") -> str:
    """How many were listed, and whether there are more."""
    number = f"{counted(answer.result.found, noun)}{arguments.symmetry_in_words(answer)}"
    if answer.result.stop is Stop.DONE:
        return f"{number}, no more"
    return f"the first {number}" + ("" if answer.result.stop is Stop.SOLUTIONS else f" ({arguments.reason(answer)})")
