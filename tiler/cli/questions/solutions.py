"""Write solutions as they are found, and the verdict below them: tilings, and solutions of general exact covers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from tiler.cli.shared import arguments, objectives
from tiler.cli.shared.objectives import Objective
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.ask.solve import Answered

S = TypeVar("S")

FORMATS = ("text", "json", "dimacs")


def writer(
    out: TextIO, form: str, drawn: Callable[[S], str], line: Callable[[S], str], noun: str = "tiling"
) -> Callable[[S], None]:
    """A function that writes a solution: as text, below the verdict if it is the first; as a line of JSON; in DIMACS not at
    all."""
    above = objectives.sat(noun)

    def write(solution: S) -> None:
        nonlocal above
        if form == "text":
            print(above, drawn(solution), sep="\n", file=out)
            above = ""
        elif form == "json":
            print(line(solution), file=out)

    return write


def verdict(
    args: argparse.Namespace, out: TextIO, form: str, answer: Answered[Any], best_of: Objective, noun: str = "tiling"
) -> list[str]:
    """Write the verdict below the solutions, and return it in words. In JSON the answer about a board names the objective."""
    words = objectives.in_words(answer, arguments.goal_of(args), best_of, noun)
    only = _is_unique(answer) if args.unique else None
    if args.unique and answer.result.found:
        order = arguments.symmetry_in_words(answer)
        said = {True: f"unique: the only {noun}{order}", False: f"not unique: there is another {noun}{order}"}
        words[-1] = f"unknown ({arguments.reason(answer)})" if only is None else said[only]
    if form == "json":
        objective = {"objective": best_of.name} if objectives.asked(args) and noun == "tiling" else {}
        print(json.dumps({**answer.summary(), **objective, **({"unique": only} if args.unique else {})}), file=out)
    elif form == "dimacs":
        print(f"s {arguments.DIMACS[answer.result.status][0]}", file=out)
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
