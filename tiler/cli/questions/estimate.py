"""`tiler estimate`: estimate how long a search would take."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tiler.amounts import duration, rounded, storage
from tiler.cli.shared import arguments, declared
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, declare, fields_of, parameter, read_by
from tiler.question.quantities import percent
from tiler.render import table

if TYPE_CHECKING:
    from tiler.ask.size.estimate import Estimate, EstimatedNumber
    from tiler.ask.size.frontier_forecast import States

HELP = "estimate how long a complete search would take"
EXAMPLES = """\
  tiler estimate 8x8 2
  tiler estimate problems/classic/bedlam_s.txt --solver dlx --up-to-symmetry
  tiler estimate 10x10 4L 2:X --solver backtracking --samples 10000 --seed 1
  tiler estimate problems/classic/pentominoes-06x10_s.txt --precision 10% --time-limit 1m
  tiler estimate 14x14 tetrominoes --solver frontier
  tiler estimate problems/classic/soma_s.txt --format json
"""


_MOST_SAMPLES = 1_000_000  # for a precision


_PRECISION = declare(
    precision=parameter(None, "stop when the error of the estimate is at most this, such as 10%", read_by(percent, "PERCENT"))
)


def configure(parser: argparse.ArgumentParser) -> None:
    from tiler.ask.size.estimate import SAMPLES

    arguments.add_problem(parser)
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS, _PRECISION),
        *("solver", "seconds", "up_to_symmetry", "seed", "samples", "load", "precision", "format"),
        seconds="stop after this time, with the estimate so far",
        up_to_symmetry="estimate a count up to symmetry, all its searches together",
        samples={"absent": f"{SAMPLES}, or as needed"},
        format=PRINTED,
    )


def run(args: argparse.Namespace) -> int:
    from tiler.ask.size import estimate
    from tiler.backends.registry import parse_spec
    from tiler.door.monitoring import following

    backend, instance = parse_spec(args.solver), arguments.read_problem(args)
    with following(True, arguments.limits(args)) as follow, follow.answering("too few samples were drawn"):
        found = estimate.estimate(
            backend,
            instance,
            samples=args.samples or (None if args.precision is None else _MOST_SAMPLES),
            seed=args.seed,
            up_to_symmetry=args.up_to_symmetry,
            precision=args.precision,
            going_on=follow.tick,
            look=follow.look,
        )
    if args.format == "json":
        head = {"instance": instance.name, "digest": instance.digest, "solver": backend.spec, "seed": args.seed}
        print(json.dumps({**found.summary(), **head}))
    else:
        print(in_words(found))
        if found.searched != str(backend):
            print(f"The search is by {found.searched}; {backend.name} chose it among the solvers with a search tree.")
    if found.is_complete:
        return 0
    return arguments.ended(follow, known=False)


def in_words(found: Estimate) -> str:
    """The estimate as a small table."""
    from tiler.ask.size.estimate import CONFIDENCE

    if found.states is not None:
        return _states_in_words(found, found.states)
    rows: list[tuple[str, EstimatedNumber, Callable[[float], str]]] = [("nodes", found.nodes, found.nodes.shown)]
    if found.tilings is not None:
        rows.append(("tilings", found.tilings, found.tilings.shown))
    rows.append(("time", found.seconds, duration))
    lines = table.draw((name, *_row(figure, show)) for name, figure, show in rows)
    how = f"From {found.samples:,} random paths down the tree; in brackets is the interval of {CONFIDENCE:.0%} confidence."
    if found.nodes.is_exact:
        how = "The search is so short that it was made in full."
    about = f"""
        {how} A node is a placement that fits and is made. The time is CPU time of a complete
        {"search" if found.symmetry is None else f"count up to symmetry (a group of {found.symmetry})"},
        at {duration(found.seconds_per_node)} a node, as measured at the beginning of the search."""
    if not found.samples:
        about = "There is nothing to search: it is known beforehand that there is no tiling."
    return "\n".join([lines, "", textwrap.fill(" ".join(about.split()), 79)])


def _states_in_words(found: Estimate, states: States) -> str:
    """The same for a count by states."""
    from tiler.ask.size.frontier_forecast import TYPICAL, TYPICAL_OF_BYTES

    def about(number: float, factor: float) -> EstimatedNumber:
        return replace(found.nodes, mean=number, low=number / factor, high=number * factor)

    if not states.layers:
        return "There is nothing to search: it is known beforehand that there is no tiling."
    rows: list[tuple[str, EstimatedNumber, Callable[[float], str]]] = [
        ("states", found.nodes, rounded),
        ("at a time", about(states.at_once, TYPICAL), rounded),
        ("memory", about(states.bytes, TYPICAL_OF_BYTES), storage),
        ("time", found.seconds, duration),
    ]
    lines = table.draw((name, *_row(figure, show)) for name, figure, show in rows)
    halves = "The count goes from both ends, which takes less than half of that." if states.in_halves else ""
    seen = "All states were seen." if states.is_exact else f"From samples of {states.pool:,} states of each layer."
    how = f"""
        {seen} In brackets is the typical error, which may be exceeded. Memory is for the states; some 150 MB are added for the
        program. With spill=FOLDER the count uses the disk, too. {halves} The time is CPU time of a complete
        {"count" if found.symmetry is None else f"count up to symmetry (a group of {found.symmetry})"}, at
        {duration(found.seconds_per_node)} a state."""
    return "\n".join([lines, "", textwrap.fill(" ".join(how.split()), 79)])


def _row(figure: EstimatedNumber, show: Callable[[float], str]) -> tuple[str, str]:
    between = "" if figure.is_exact else f"[{show(figure.low)} to {show(figure.high)}]"
    return show(figure.mean), between
