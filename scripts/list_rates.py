"""How fast tilings are listed: ours, verified, beside other people's solvers, which list the same without verifying.

    python scripts/list_rates.py                      every problem, every peer that is there; CPU seconds and tilings a second
    python scripts/list_rates.py --peer xcover --only 8x6 --rounds 3

Each measurement is a process of its own. Its clock is that of the CPU, and runs from the first call of the search to the last
solution, when all placements are listed and code is loaded. `tiler unverified` is our search alone, which does as little as
theirs. Solvers take turns; the least of the rounds is shown. The peers are those of scripts/peers.py, in its environments; and
dancing-links of npm, after `npm install --prefix .venv/peers/node dancing-links`. Exit status 4 if numbers of tilings differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROBLEMS: dict[str, tuple[list[str], int | None]] = {
    "8x6 dominoes": (["8x6", "2"], None),
    "6x10 pentominoes": (["6x10", "1:pentominoes"], None),
    "Soma": (["classic/soma_s"], None),
    "4x6 MacMahon": (["edges/macmahon-24-6x4_s"], None),
    "10x10 tetrominoes": (["10x10", "tetrominoes"], 1_000_000),
}
PEERS = ("xcover", "exact-cover", "pyxcc", "dancing-links")
_SECONDS = 600

_NODE = """
import { readFileSync } from 'node:fs'
import { DancingLinks } from 'dancing-links'
const task = JSON.parse(readFileSync(0, 'utf8'))
const solver = new DancingLinks().createSolver({ columns: task.items })
task.options.forEach((option, number) => solver.addSparseConstraint(number, option))
const before = process.cpuUsage()
let count = 0
if (task.limit) count = solver.find(task.limit).length
else count = solver.findAll().length
const took = process.cpuUsage(before)
console.log(JSON.stringify([count, (took.user + took.system) / 1e6]))
"""


def task_of(words: list[str], limit: int | None) -> dict[str, Any]:
    """A problem as plain lists, for peers; options with marks have colours of items."""
    from tiler.cover.board import BoardCover

    cover = BoardCover.of(_read(words))
    once = [number for number, tile in enumerate(cover.tiles) if tile.at_most is not None]
    column = {tile: len(cover.cells) + rank for rank, tile in enumerate(once)}
    options = [
        cells + ([column[tile]] if tile in column else [])
        for cells, tile in zip(cover.members.lists(), cover.tile.tolist(), strict=True)
    ]
    marks = (
        []
        if cover.coloured is None
        else [[list(map(int, both)) for both in cover.coloured.of_option(o)] for o in range(len(cover))]
    )
    return {"options": options, "items": len(cover.cells) + len(once), "marks": marks, "limit": limit}


def _read(words: list[str]) -> Any:
    import tiler

    return tiler.problems(*words)[0] if len(words) == 1 and "/" in words[0] else tiler.make(*words)


def ours(how: str, words: list[str], limit: int | None) -> tuple[int, float]:
    """The number of tilings, and the CPU seconds of one thread for listing them: `blocks` as arrays, `tilings` one by one."""
    import tiler
    from tiler.kernels import load

    problem = _read(words)
    if how == "unverified":
        return _unverified(problem, limit)
    next(tiler.tilings(problem, limit=1))
    load()
    before = time.process_time()
    listed = tiler.tilings(problem, limit=limit, threads=1)
    count = sum(map(len, listed.blocks())) if how == "blocks" else sum(1 for _ in listed)
    return count, time.process_time() - before


def _unverified(problem: Any, limit: int | None) -> tuple[int, float]:
    """The same for the blocks of the search, before they are verified: what peers do. Tiler hands over nothing like it."""
    from tiler.ask import execution
    from tiler.backends.registry import parse_spec
    from tiler.cover.board import BoardCover
    from tiler.kernels import load
    from tiler.question.events import Found
    from tiler.question.question import Goal, Limits, Question

    backend, cover = parse_spec("auto"), BoardCover.of(problem)

    def listed(most: int | None) -> int:
        question = Question(Goal.ENUMERATE, Limits(solutions=most, threads=1))
        return sum(len(event) for event in execution.start(backend, cover, question) if isinstance(event, Found))

    listed(1)
    load()
    before = time.process_time()
    return listed(limit), time.process_time() - before


def _xcover(task: dict[str, Any]) -> Iterator[Any]:
    from xcover import covers

    options, known = task["options"], {}
    if task["marks"]:
        marks = [[f"s{side}:{mark}" for side, mark in given] for given in task["marks"]]
        options = [[str(item) for item in option] + given for option, given in zip(options, marks, strict=True)]
        secondary = sorted({f"s{side}" for given in task["marks"] for side, _ in given})
        known = {"primary": [str(item) for item in range(task["items"])], "secondary": secondary, "colored": True}
    return iter(covers(options, **known))


def _exact_cover(task: dict[str, Any]) -> Iterator[Any]:
    import numpy as np
    from exact_cover import get_all_solutions

    if task["marks"]:
        raise ValueError("cannot")
    matrix = np.zeros((len(task["options"]), task["items"]), np.int32)
    for row, option in enumerate(task["options"]):
        matrix[row, option] = 1
    return iter(get_all_solutions(matrix, **({"max_count": task["limit"]} if task["limit"] else {})))


def _pyxcc(task: dict[str, Any]) -> Iterator[Any]:
    import pyxcc

    marks = [[(f"s{side}", str(mark)) for side, mark in given] for given in task["marks"]] or [[] for _ in task["options"]]
    both = enumerate(zip(task["options"], marks, strict=True))
    options = [pyxcc.Option(str(n), [str(item) for item in option], given) for n, (option, given) in both]
    secondary = sorted({side for given in marks for side, _ in given})
    problem = pyxcc.Problem([str(item) for item in range(task["items"])], secondary, options)
    return iter(pyxcc.solve(problem, True).all())


_SOLVERS: dict[str, Callable[[dict[str, Any]], Iterator[Any]]] = {
    "xcover": _xcover,
    "exact-cover": _exact_cover,
    "pyxcc": _pyxcc,
}


def serve(name: str) -> None:
    """Answer the task on stdin."""
    task = json.loads(sys.stdin.read())
    list(islice(_SOLVERS[name]({**task, "limit": 1}), 1))  # What is compiled is compiled.
    before = time.process_time()
    count = sum(1 for _ in islice(_SOLVERS[name](task), task["limit"]))
    print(json.dumps([count, time.process_time() - before]))


def measured(name: str, words: list[str], limit: int | None) -> tuple[int, float] | str:
    """What one solver made of a problem; a word if it made nothing of it."""
    if name.startswith("tiler"):
        command = [sys.executable, __file__, "--ours", name.removeprefix("tiler "), json.dumps([words, limit])]
        text = ""
    else:
        command = [str(ROOT / ".venv/peers" / name / "bin/python"), __file__, "--serve", name]
        if name == "dancing-links":
            command = ["node", "--max-old-space-size=8000", "--input-type=module", "-e", _NODE]
        text = json.dumps(task_of(words, limit))
        if name == "dancing-links" and json.loads(text)["marks"]:
            return "-"
    folder = ROOT / ".venv/peers/node" if name == "dancing-links" else ROOT
    try:
        run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=_SECONDS, cwd=folder, check=False)
    except subprocess.TimeoutExpired:
        return "time"
    except (FileNotFoundError, NotADirectoryError):
        return "missing"
    if run.returncode:
        return "-" if "cannot" in run.stderr[-200:] else run.stderr.strip().rpartition("\n")[2][:30]
    count, seconds = json.loads(run.stdout)
    return count, seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", choices=_SOLVERS, help=argparse.SUPPRESS)
    parser.add_argument("--ours", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--peer", action="append", choices=PEERS, default=[], help="default: all")
    parser.add_argument("--only", default="", help="problems whose name has this in it")
    parser.add_argument("--rounds", type=int, default=3, help="default: %(default)s")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    if options.ours:
        print(json.dumps(ours(options.ours[0], *json.loads(options.ours[1]))))
        return 0
    status = 0
    print(f"{'':20}{'solver':16}{'tilings':>12}{'CPU seconds':>14}{'tilings/s':>14}")
    for problem, (words, limit) in PROBLEMS.items():
        if options.only not in problem:
            continue
        counts = set()
        names = ("tiler blocks", "tiler unverified", "tiler tilings", *(options.peer or PEERS))
        turns = [{name: measured(name, words, limit) for name in names} for _ in range(options.rounds)]
        for name in names:
            rounds = [turn[name] for turn in turns]
            done = [each for each in rounds if not isinstance(each, str)]
            if not done:
                print(f"{problem:20}{name:16}{rounds[0]:>12}")
                continue
            seconds = min(took for _, took in done)
            counts |= {count for count, _ in done}
            print(f"{problem:20}{name:16}{done[0][0]:12,}{seconds:14.3f}{done[0][0] / seconds:14,.0f}", flush=True)
        if len(counts) > 1:
            print(f"{problem:20}DIFFERENT NUMBERS: {sorted(counts)}")
            status = 4
    return status


if __name__ == "__main__":
    sys.exit(main())
