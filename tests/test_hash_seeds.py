"""What is printed does not depend on the order of sets, which differs from process to process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

#: Solvers that always take the same steps, by one thread: their nodes are compared too.
SOLVERS = ("backtracking", "dlx", "dlx:copies=named", "fila", "fila:order=e", "frontier", "sat")
COMMANDS = [
    *(
        ["solve", "4x5", "2", "0..2:3L", "1:4T", "--solver", solver, "--threads", "1", "--format", "json", "--stats"]
        for solver in SOLVERS
    ),
    *(["solve", "3x4", "2", "4L", "--all", "--solver", solver, "--format", "json"] for solver in SOLVERS[:6]),
    *(
        ["count", "3x3", "2", "3L", "1..2:1", "--up-to-symmetry", "--solver", solver, "--format", "json"]
        for solver in SOLVERS[:6]
    ),
    ["solve", "4x5", "4T", "2", "--solver", "dlx", "--all", "--up-to-symmetry", "--fault-free"],
    ["solve", "3x4", "3L", "4L", "--solver", "dlx", "--trace"],
    ["solve", "5x5", "2", "3L", "--open", "1", "--solver", "dlx", "--minimise", "pieces"],
    ["solve", "hex:2", "xxx", "xx", "--lattice", "triangular", "--solver", "dlx", "--limit", "40"],
    ["solve", "2x2", "2-1", "2-2", "--lattice", "square-edges", "--no-crossing", "--solver", "dlx", "--all"],
    ["count", "4x4", "2", "4L", "--by-cell"],
    ["count", "3x4", "2", "3L", "--wrap", "columns", "--solver", "frontier", "--lock", "3L 2", "--forbid", "0,0 for 2"],
    ["prove", "6x6", "4T", "2x4"],
    *(["prove", *problem, "-o", "out.json"] for problem in (["xxxxx/xxxxx/.xxxx/xxxx", "3I", "5X", "1..:4T"], ["misc/02_u"])),
    ["sample", "4x6", "2", "3L", "--seed", "3", "--number", "4"],
    ["series", "3xn", "2"],
    ["shapes", "pentominoes"],
    ["shapes", "4L"],
    *(["convert", "4x4", "2", "4L", "-o", f"out.{ending}"] for ending in ("cnf", "lp", "mps", "mzn", "dlx")),
    ["solve", "4x4", "2", "4L", "--solver", "dlx", "-o", "out.svg"],
    ["show", "problems/4L/10x10_u.txt"],
]
#: Each command in one process, with what it printed and wrote.
RUN = """
import sys
from pathlib import Path
from tiler.cli.main import main
for line in sys.stdin:
    arguments = line.rstrip("\\n").split("\\t")
    print("$", *arguments, flush=True)
    try:
        print("status", main(arguments), flush=True)
    except SystemExit as ended:
        print("ended", ended.code, flush=True)
    for path in sorted(Path().glob("out.*")):
        print(path.name, path.read_bytes())
        path.unlink()
"""


def printed(seed: int, folder: Path) -> list[str]:
    """The lines of all commands under a seed of hashes, without what took how long."""
    folder.mkdir()
    here = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input="\n".join("\t".join(command) for command in COMMANDS),
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": here},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    timed = r'("\w*seconds": |"asked": \{[^}]*)[0-9.e-]+|[0-9.,]+ (s|ms|µs|µs)\b'
    return [re.sub(timed, r"\1", line) for line in done.stdout.splitlines()]


def test_outputs_are_the_same_under_every_hash_seed(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    seeds = (1, 2, 3) if request.config.getoption("--slow") else (1, 2)
    first, *others = (printed(seed, tmp_path / str(seed)) for seed in seeds)
    assert sum(line == "status 0" for line in first) >= len(COMMANDS) - 6
    for other in others:
        assert first == other
