"""List named shapes, problems and solvers, and compare lists of tilings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tiler.api.answers import tiling_comparison
from tiler.api.answers.problems import Problems
from tiler.api.answers.shapes import Shapes
from tiler.api.answers.solvers import Solvers
from tiler.api.answers.tiling_comparison import Given, TilingComparison
from tiler.api.call_errors import offered
from tiler.model import lattices


@offered()
def shapes(*names: str, lattice: str | None = None) -> Shapes:
    """The shapes that names stand for: a shape in any notation, a set of pieces, or '6' for all of 6 cells; without any, those
    that have names of their own.

    >>> sorted(shapes("3L")["3L"])
    [(0, 0), (1, 0), (1, 1)]
    """
    return Shapes.of(names, lattice)


@offered()
def problems(*names: str, tags: Sequence[str] = (), families: Sequence[str] = (), folder: str | Path | None = None) -> Problems:
    """The problems that are installed with Tiler, or those of a folder. With `names`, only problems with a name that contains one
    of them (or fits it, if it is a pattern); with tags or families, only problems with one of these. `read` reads one by its
    name.

    >>> [each.name for each in problems("classic/soma")]
    ['classic/soma_s']
    """
    return Problems.of(names, tags, families, None if folder is None else Path(folder))


@offered()
def solvers(*names: str) -> Solvers:
    """All solvers, or those of these names, with the questions that they can answer and their options.

    >>> [each.name for each in solvers() if "uses" in each.goals]
    ['auto', 'frontier', 'matching']
    """
    return Solvers.of(names)


@offered()
def compare(first: Given, second: Given, *, up_to_symmetry: bool = False, lattice: str | None = None) -> TilingComparison:
    """Compare two lists of tilings; each is a file that `solve --format json` wrote, or a Python list. Two tilings are the same
    if they cut the board into the same pieces, which show the same colours and marks; up to symmetry also if a turn, mirror image
    or shift makes them equal.

    >>> import tiler
    >>> p = tiler.make("4x4", "2")
    >>> print(compare(tiler.tilings(p), tiler.tilings(p, up_to_symmetry=True), up_to_symmetry=True))
    first: 36 tilings, 9 different up to symmetry
    second: 9 tilings, 9 different up to symmetry
    in both: 9
    in first only: 0
    in second only: 0
    """
    return tiling_comparison.compare(
        first,
        second,
        lattices.called(lattice or lattices.USUAL.name),
        up_to_symmetry=up_to_symmetry,
    )
