"""Time the same counts natively and as WebAssembly under Node, and by npm's dancing-links on the same covers:

    python scripts/static_page/figures.py PAGE [--dancing-links FOLDER]

PAGE is a folder that scripts/page has built; FOLDER one in which `npm install dancing-links` was run. CPU seconds with kernels
loaded, one thread, at most 1,000 MB, the best of three; the nodes of a search must be equal natively and in the page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

PROGRAM = r"""
import json, sys, time
from tiler import make
from tiler.ask.solve import solve
from tiler.kernels import load
from tiler.kernels.digest import import_all
from tiler.question.question import Goal, Limits, Question

def process_seconds():
    if sys.platform != "emscripten":
        return time.process_time()
    import js
    used = js.process.cpuUsage()
    return (used.user + used.system) / 1e6

import_all()
load()
for name, board, pieces, spec in json.loads(sys.argv[1]):
    instance, best = make(board, *pieces.split()), None
    for _ in range(3):
        started = process_seconds()
        result = solve(instance, spec, Question(Goal.COUNT, Limits(megabytes=1000, threads=1))).result
        took = process_seconds() - started
        best = took if best is None else min(best, took)
        if best > 20:
            break
    print(json.dumps([name, spec, str(result.count), result.nodes, round(best, 3)]), flush=True)
"""
_HOLED = "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxx..xxx/xxx..xxx/xxxxxxxx/xxxxxxxx/xxxxxxxx"
#: Name, board, pieces, and the solvers that count.
COUNTS = (
    ("pentominoes in 6x10", "6x10", "1:pentominoes", ("dlx", "fila")),
    ("Soma cube", "3x3x3", "1:soma", ("dlx", "fila")),
    ("pentominoes in 8x8 less 2x2", _HOLED, "1:pentominoes", ("dlx", "fila")),
    ("tetrominoes in 10x10", "10x10", "tetrominoes", ("frontier",)),
    ("dominoes in 16x16", "16x16", "2", ("frontier", "matching")),
    ("dominoes in the Aztec diamond of order 60", "aztec:60", "2", ("matching",)),
)
DANCING = r"""
const { DancingLinks } = require(process.argv[3]);
const { problem, name } = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const { columns, rows } = problem;
let best = null, count = 0;
for (let k = 0; k < 3; k++) {
  const started = process.cpuUsage();
  const handler = new DancingLinks().createSolver({ columns });
  for (const row of rows) handler.addSparseConstraint("", row);
  count = handler.findAll().length;
  const used = process.cpuUsage(started);
  const took = (used.user + used.system) / 1e6;
  best = best === null ? took : Math.min(best, took);
}
console.log(JSON.stringify([name, "dancing-links", String(count), null, Math.round(best * 1000) / 1000]));
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--dancing-links", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    questions = json.dumps([(name, board, pieces, spec) for name, board, pieces, specs in COUNTS for spec in specs])
    with tempfile.TemporaryDirectory() as temporary:
        program = Path(temporary) / "program.py"
        program.write_text(PROGRAM)
        native = answers([sys.executable, program, questions])
        page = arguments.page.resolve()
        inside = answers(["node", HERE / "pyodide.mjs", page / "pyodide", page / "tiler.zip", program, questions])
        print("| count | solver | tilings | nodes | native, s | page, s | times |\n|---|---|---|---|---|---|---|")
        for (name, spec, count, nodes, one), (*same, other) in zip(native, inside, strict=True):
            if same != [name, spec, count, nodes]:
                sys.exit(f"{name} by {spec}: the page says {same}, natively it is {count} with {nodes} nodes")
            number = f"{int(count):,}" if len(count) <= 36 else f"a number of {len(count)} digits"
            print(f"| {name} | {spec} | {number} | {nodes:,} | {one} | {other} | {other / max(one, 0.001):.1f} |")
        if arguments.dancing_links:
            for name, _, count, _, took in dancing(arguments.dancing_links, Path(temporary)):
                print(f"| {name} | npm dancing-links | {int(count):,} | | {took} | | |")


def answers(command: list[Any]) -> list[list[Any]]:
    """The lines of JSON that a command prints."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True, cwd=HERE.parents[1])
    return [json.loads(line) for line in done.stdout.splitlines()]


def dancing(folder: Path, temporary: Path) -> list[list[Any]]:
    """The counts by npm's dancing-links of the searches among them, on the covers that Tiler makes."""
    from tiler import make
    from tiler.cover.board import BoardCover

    script = temporary / "dancing.cjs"
    script.write_text(DANCING)
    made: list[list[Any]] = []
    for name, board, pieces, specs in COUNTS:
        if "dlx" not in specs:
            continue  # Search lists tilings one by one: the others have too many.
        cover = BoardCover.of(make(board, *pieces.split()))
        items = len(cover.items)
        tiles = cover.tile.tolist()
        rows = [[*members, items + tile] for members, tile in zip(cover.members.lists(), tiles, strict=True)]
        columns = items + len(cover.tiles)
        problem = temporary / "problem.json"
        problem.write_text(json.dumps({"name": name, "problem": {"columns": columns, "rows": rows}}))
        made += answers(["node", script, problem, folder.resolve() / "node_modules" / "dancing-links"])
    return made


if __name__ == "__main__":
    main()
