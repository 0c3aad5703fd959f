"""What mypy reports to a user: a line without its error would be an unused `type: ignore`. Nothing runs this file."""

import tiler

p = tiler.make("6x10", "1:F")
tiler.solve("3x3")  # type: ignore[call-overload]
tiler.count(p, seconds=[1])  # type: ignore[arg-type]
text: str = tiler.count(p)  # type: ignore[assignment]
tiler.solv(p)  # type: ignore[attr-defined]
tiler.sample(tiler.Cover.from_rows([["a"]]))  # type: ignore[arg-type]
tiler.solve(p).tiling.save("x.svg")  # type: ignore[union-attr]
tiler.TilingSet.of(p).including("F")  # type: ignore[arg-type]
tiler.rectangles("3L", upto=4)  # type: ignore[call-arg]
tiler.plane("3L", seconds=[1])  # type: ignore[arg-type]
