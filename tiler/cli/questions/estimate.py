"""`tiler estimate`: estimate how long a search would take."""

from __future__ import annotations

import argparse
import json
import sys

from tiler.api.answers.estimate import in_words
from tiler.cli.shared import arguments, declared
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, declare, fields_of, parameter, read_by
from tiler.question.quantities import percent
from tiler.question.result import Stop

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
    from tiler.ask.size.estimate import SAMPLES, SECONDS

    arguments.add_problem(parser)
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS, _PRECISION),
        *("solver", "seconds", "up_to_symmetry", "seed", "samples", "load", "precision", "format"),
        seconds={"help": "stop after this time, with the estimate so far", "default": SECONDS},
        up_to_symmetry="estimate a count up to symmetry, all its searches together",
        samples={"absent": f"{SAMPLES}, or as needed"},
        format=PRINTED,
    )


def run(args: argparse.Namespace) -> int:
    from tiler.api.monitoring import following
    from tiler.ask.size import estimate
    from tiler.backends.registry import parse_spec

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
            check_stop=follow.check_stop,
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
    if follow.stop is Stop.TIME:
        print(f"tiler: this is the estimate after {args.seconds:g} s; with a longer --time-limit it goes on", file=sys.stderr)
    return arguments.ended(follow, known=False, quiet=follow.stop is Stop.TIME)
