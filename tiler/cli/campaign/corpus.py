"""`tiler corpus`: draw instances at random, and sort them by the seconds of a reference solver."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.amounts import counted
from tiler.bench.families import FAMILIES
from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption, suggest
from tiler.question.parameters import COMMON, COUNT, WORDS, declare, fields_of, parameter
from tiler.question.quantities import seconds

if TYPE_CHECKING:
    from tiler.bench.random_corpus import GradedInstance

HELP = "draw problems at random, and sort them by hardness"
EXAMPLES = """\
  tiler corpus out
  tiler corpus out --family laid --family striped --seed 7 --each 2
  tiler corpus out --grades 1s,1m,1h --solver sat:engine=minisat22
  tiler bench --problems out --solver dlx --solver sat
"""

_DESCRIPTION = """\
Draw problems of growing size at random, and sort them into grades by the seconds that a
reference solver takes. FOLDER gets each problem as clauses and as a problem file, the
records of all runs, a README, SHA-256 sums, and a description in LaTeX. The same seed
draws the same problems. If the command is interrupted, the same command goes on. There
are these families:

""" + "".join(f"  {each.name:19} {re.split('[,;.]', each.about)[0]}\n" for each in FAMILIES.values())


_OPTIONS = declare(
    each=parameter(3, "keep at most N problems of a family in each grade", COUNT),
    tries=parameter(3, "try N problems of each size", COUNT),
    grades=parameter(
        "1s,10s,60s",
        "set where each grade ends; the last time is also the limit of a run, and harder problems are the last grade",
        WORDS,
        metavar="1s,10s,60s",
    ),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS, _OPTIONS),
        *("folder", "families", "seed", "each", "tries", "grades", "solver", "load"),
        folder={"help": "the folder to write into", "by_place": True, "absent": ""},
        families="draw only this family",
        seed={"help": "draw other problems", "metavar": "N"},
        solver={"help": "choose the reference solver", "default": "sat:engine=minisat22"},
    )


def run(args: argparse.Namespace) -> int:
    from tiler.bench import random_corpus, store

    for name in args.families:
        if name not in FAMILIES:
            raise BadOption(f"no family is called {name!r}{suggest(name, FAMILIES)}; there are {', '.join(FAMILIES)}")
    families = tuple(each for each in FAMILIES.values() if not args.families or each.name in args.families)
    wish = random_corpus.CorpusRequest(families, args.seed, args.each, _edges(args.grades), args.solver, args.tries)
    folder = Path(args.folder)
    with store.locked(folder, _say):
        chosen = list(random_corpus.draw(wish, folder, lambda each: _say(_line(each))))
        random_corpus.write(chosen, wish, folder)
    for grade in range(len(wish.edges) + 1):
        print(f"{random_corpus.in_words(grade, wish.edges)}: {counted(sum(each.grade == grade for each in chosen), 'instance')}")
    return 0


def _edges(text: str) -> tuple[float, ...]:
    """The ends of grades, in ascending order."""
    try:
        edges = tuple(seconds(word) for word in re.split(",", text))
    except argparse.ArgumentTypeError as error:
        raise BadOption(f"--grades {text}: {error}") from None
    if list(edges) != sorted(set(edges)):
        raise BadOption(f"--grades {text}: each must end later than the one before")
    return edges


def _line(each: GradedInstance) -> str:
    if each.is_decided:
        return f"{each.instance.name}  {each.record['status']}  {each.record['solve_seconds'] or 0.0:.2f} s"
    return f"{each.instance.name}  not decided in time ({each.instance.about.expected.verdict}, by how it is drawn)"


def _say(line: str) -> None:
    print(f"tiler: {printable.line(line)}", file=sys.stderr)
