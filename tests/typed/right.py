"""What a user may write: mypy checks this file, and nothing runs it."""

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
