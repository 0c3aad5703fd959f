"""Random instances in the languages of `tiler convert`, put to programs by others; answers are compared with a brute force.

    python scripts/check_formats.py                              200 instances, every program that is here
    python scripts/check_formats.py --instances 20 --only opb
    python scripts/check_formats.py --python ENVIRONMENT/bin/python    where pyganak, d4Solver, tididi-cnf, hermax and exact are
    python scripts/check_formats.py --npm FOLDER                 where `npm install --prefix FOLDER minizinc@4.5.1` put Chuffed

Programs that are not here are named, and left out: apt install clasp cryptominisat minisat minisat+ minizinc glpk-utils
coinor-cbc.
A tiling is verified, an optimum and a count compared. Exit status 4 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import math
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

from tiler.backends.languages import LANGUAGES, answers, writing
from tiler.backends.languages.answers import ProgramAnswer
from tiler.backends.languages.writing import WriteRequest, WrittenProblem
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError
from tiler.model import verify
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.selftest import brute_force, random_instances

HERE = Path(__file__).parent
SECONDS = 60
MOST_TILINGS = 3000  # of an instance: more are another one's

OLD_HEADER = "sed 1s/.#equal.*//"

#: By language the programs: a command with {file}, {data} and {out}; {python} and {npm} are options of this script.
PROGRAMS = {
    "cnf": ("minisat {file} {out}", "clasp {file}", "cryptominisat5 --verb 0 {file}"),
    "wcnf": ("{python} HERE/optimise_models.py rc2 {file}", "{python} HERE/optimise_models.py uwrmaxsat {file}"),
    # clasp knows no more of the first line than before 2024; sat4j 2.3.5 says that it does not know where there is no search.
    "opb": ("minisat+ {file}", f"sh -c '{OLD_HEADER} {{file}} | clasp'", "{python} HERE/optimise_models.py exact {file}"),
    "mc": ("{python} HERE/count_models.py ganak {file}", "{python} HERE/count_models.py d4 {file}", "clasp -n 0 -q {file}"),
    "pmc": ("{python} HERE/count_models.py ganak {file}", "{python} HERE/count_models.py tididi {file}"),
    "wmc": ("{python} HERE/count_models.py ganak {file}", "{python} HERE/count_models.py d4 {file}"),
    "pwmc": ("{python} HERE/count_models.py ganak {file}", "{python} HERE/count_models.py tididi {file}"),
    "mzn": (
        "minizinc --solver gecode {file} {data}",
        "node --liftoff-only HERE/minizinc.cjs {npm} --solver chuffed {file} {data}",
    ),
    "lp": ("glpsol --lp {file} -o {out}", "cbc {file} solve solu {out}"),
    "mps": ("glpsol --freemps {file} -o {out}", "cbc {file} solve solu {out}"),
}


@dataclass(frozen=True)
class Example:
    """An instance with weights, and all its tilings."""

    instance: Instance
    tilings: tuple[frozenset[tuple[str, frozenset[tuple[int, ...]]]], ...]

    def weights(self) -> dict[str, int]:
        return {tile.name: tile.weight for tile in self.instance.distinct_tiles}

    def best(self) -> int | None:
        """What the heaviest tiling weighs."""
        weights = self.weights()
        return max((sum(weights[name] for name, _ in tiling) for tiling in self.tilings), default=None)

    def product(self) -> int:
        """What all tilings weigh together, each the product of its tiles' weights."""
        weights = self.weights()
        return sum(math.prod(weights[name] or 1 for name, _ in tiling) for tiling in self.tilings)


def examples(number: int, seed: int) -> Iterator[Example]:
    drawn = Random(seed)
    while number:
        instance = random_instances.instance(drawn, drawn.choice(list(LATTICES.values())), wrapped=drawn.random() < 0.2)
        try:
            found = brute_force.allowed_tilings(instance, MOST_TILINGS)
        except brute_force.TooManyError:
            continue
        weights = {tile.name: drawn.randint(-3, 5) for tile in instance.distinct_tiles}
        named = [instance.distinct_tiles[instance.number_of(tile.name)].name for tile in instance.tiles]
        tiles = tuple(replace(tile, weight=weights[name]) for tile, name in zip(instance.tiles, named, strict=True))
        number -= 1
        yield Example(replace(instance, tiles=tiles), tuple(found))


def error_in(example: Example, language: str, said: ProgramAnswer, written: WrittenProblem, *, optimises: bool) -> str | None:
    """What is wrong with an answer; None if it is right."""
    form = LANGUAGES[language].answers[0]
    if language in ("mc", "pmc"):
        return None if said.count == len(example.tilings) else f"counted {said.count}, not {len(example.tilings)}"
    if form == "weight":
        wanted = Fraction(example.product())
        near = said.weight is not None and abs(said.weight - wanted) <= abs(wanted) / 10**9
        return None if near else f"weighed {said.weight}, not {wanted}"
    expected = Status.SAT if example.tilings else Status.UNSAT
    if said.status is not expected:
        return f"said {said.status}, not {expected}"
    if said.status is Status.UNSAT:
        return None
    cover = BoardCover.of(example.instance)
    if said.placements is not None:
        placements = tuple(each for each in said.placements if each.tile)
    else:
        assert said.true is not None
        placements = cover.placements(written.options(said.true))
    wrong = verify.error_in(example.instance, placements)
    if wrong is None and optimises:
        weight = sum(example.weights()[each.tile] for each in placements)
        wrong = None if weight == example.best() else f"weighs {weight}, not {example.best()}"
    return wrong


def ask(command: str, places: dict[str, str], example: Example, language: str, *, optimises: bool) -> str | None:
    """What is wrong with a program's answer; None if it is right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = writing.write(
            WriteRequest(language, writing.model_of(language), ["random"], optimises), BoardCover.of(example.instance)
        )
        paths = {}
        for ending, content in written.files.items():
            assert not isinstance(content, bytes)
            paths[ending] = folder / f"problem.{'cnf' if ending.endswith('mc') else ending}"
            paths[ending].write_text("".join(f"{line}\n" for line in content))
        first, *others = paths.values()
        values = {"file": first, "data": others[0] if others else "", "out": folder / "out", **places}
        words = [word.format(**values).replace("HERE", str(HERE)) for word in shlex.split(command)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
        text = (folder / "out").read_text() if "{out}" in command else done.stdout
        try:
            said = answers.read(LANGUAGES[language].answers[0], text)
        except InputError as error:
            return f"{error}: {(done.stderr or text)[-200:]}"
        return error_in(example, language, said, written, optimises=optimises)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=PROGRAMS, default=[])
    parser.add_argument("--python", default=sys.executable, help="the interpreter for counters and MaxSAT solvers")
    parser.add_argument("--npm", default="", help="the folder in which npm installed MiniZinc")
    options = parser.parse_args()
    places = {"python": options.python, "npm": options.npm}
    found = list(examples(options.instances, options.seed))
    print(f"{len(found)} instances, {sum(bool(each.tilings) for each in found)} with a tiling")
    wrong = 0
    for language in options.only or PROGRAMS:
        for command in PROGRAMS[language]:
            for optimises in (False, True) if LANGUAGES[language].optimises else (False,):
                if ("{npm}" in command and not options.npm) or not shutil.which(command.split()[0].format(**places)):
                    print(f"{language:5} {command}: not here")
                    continue
                tally = Counter[str]()
                for example in found:
                    try:
                        error = ask(command, places, example, language, optimises=optimises)
                    except BadOption:
                        tally["cannot be told"] += 1
                        continue
                    except subprocess.TimeoutExpired:
                        tally["not in time"] += 1
                        continue
                    tally["wrong" if error else "right"] += 1
                    if error:
                        print(f"{language} {command}: {error}", file=sys.stderr)
                wrong += tally["wrong"]
                print(f"{language:5} {'optimum' if optimises else '':8} {command:55} {dict(tally)}", flush=True)
    return 4 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
