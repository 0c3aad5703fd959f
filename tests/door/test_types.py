"""What a user's file and the tutorial's backend look like to mypy --strict, and that the package says that it has types."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tiler

ROOT = Path(tiler.__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
import regenerate_examples as examples  # noqa: E402

GOOD = """\
from pathlib import Path

import numpy as np

import tiler

p: tiler.Instance = tiler.make("6x10", "1:F", reflections=True)
number: int = tiler.count(p, up_to_symmetry=True)
answer = tiler.solve(p, solver="dlx", seconds=10)
tiling: tiler.Tiling | None = answer.tiling
if tiling is not None and answer.status == "sat":
    tiling.save(Path("x.svg"))
for each in tiler.tilings(p, limit=5):
    names: list[str] = [placement.tile for placement in each]
drawn: tuple[tiler.Tiling, ...] = tiler.sample(p, 3, seed=1)
every_tiling: tiler.TilingSet = tiler.TilingSet.of(p).including(("F", (0, 0))) & tiler.TilingSet.load("x.tilings")
first: tiler.Tiling = every_tiling[0]
exactly: int = every_tiling.count
sentence: str = tiler.prove(p).sentence
uses: dict[tuple[int, ...], int] = {cell: row["F"] for cell, row in tiler.uses(p).by_cell.items()}
seconds: float = tiler.estimate(p).seconds.mean
records = [dict(record) for record in tiler.benchmark([p], solvers=["dlx"])]
primes: list[tuple[int, ...]] = [prime.sides for prime in tiler.rectangles("3L", up_to=4, seconds_each=1).primes]
period: tuple[tuple[int, ...], ...] | None = tiler.plane("5F", reflections=True, seconds=5).period
proved: bool = tiler.series("3xn", "2", terms=5, progress=lambda progress: progress.nodes < 9).is_proved
fixed: tuple[tiler.Placement, ...] = tiler.unique(p, seed=1, memory="2G").fixed
shape: frozenset[tuple[int, ...]] = tiler.shapes("3L")["3L"]
titles: list[str] = [problem.about.title for problem in tiler.problems("soma", tags=["classic"])]
goals: tuple[str, ...] = tiler.solvers("dlx")[0].goals
same: bool = tiler.compare(tiler.tilings(p), "x.json", up_to_symmetry=True).same
masked = tiler.make(np.ones((3, 4)), {(0, 0), (0, 1)}, (2, np.ones((1, 3))), tiler.Tile("L", shape), open="2..2")
array: list[list[int]] = tiler.sample(masked, number=1, progress=True)[0].to_numpy().tolist()
cover = tiler.Cover.from_rows([["a", "b"], ["c"]])
rows: tuple[int, ...] | None = tiler.solve(cover).tiling
every: list[tuple[int, ...]] = list(tiler.tilings(cover))
try:
    tiler.count(p, seconds=1)
except tiler.Unfinished as unfinished:
    found: int = unfinished.found
except tiler.errors.TilerError:
    raise
"""
BAD = """\
import tiler

p = tiler.make("6x10", "1:F")
tiler.solve("3x3")
tiler.count(p, seconds=[1])
text: str = tiler.count(p)
tiler.solv(p)
tiler.sample(tiler.Cover.from_rows([["a"]]))
tiler.solve(p).tiling.save("x.svg")
tiler.TilingSet.of(p).including("F")
tiler.rectangles("3L", upto=4)
tiler.plane("3L", seconds=[1])
"""


@pytest.mark.long
def test_a_users_file_is_typed(tmp_path: Path) -> None:
    assert (ROOT / "tiler/py.typed").exists()
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "recursive.py").write_text(examples.files((ROOT / "docs/tutorials/solvers.md").read_text())["recursive.py"])
    # With the settings by which its own types are checked anyway, so that they are not found out again.
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", "--strict", *settings, "good.py", "bad.py", "recursive.py"]
    environment = {**os.environ, "MYPYPATH": str(ROOT), "MYPY_FORCE_COLOR": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    # Errors in the program's own files are none of the user's business.
    found = re.findall(r"^((?:good|bad|recursive)\.py:\d+): error: ", done.stdout, re.MULTILINE)
    assert found == [f"bad.py:{number}" for number in range(4, 13)], done.stdout + done.stderr
