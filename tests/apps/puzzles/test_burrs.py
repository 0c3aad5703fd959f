"""Published burrs come apart as they are said to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiler import formats
from tiler.apps.puzzles.apart.of_tiling import disassembly_of
from tiler.ask.solve import solve
from tiler.question.question import Goal, Question

PROBLEMS = Path(__file__).parents[3] / "problems/burrs"

#: Assemblies up to symmetry, how many of them come apart, and the first levels of the one of highest level. Of Love's Dozen,
#: of which W. Cutler found that no six-piece burr has a higher level, other assemblies come apart too.
PUBLISHED = {"dubois": (2, 1, (6, 4)), "piston": (10, 1, (9, 3)), "loves-dozen": (None, None, (12,))}


@pytest.mark.parametrize("name", ["dubois", "piston", pytest.param("loves-dozen", marks=pytest.mark.slow)])
def test_published_levels(name: str) -> None:
    assemblies, apart, levels = PUBLISHED[name]
    instance = formats.read(PROBLEMS / f"{name}_s.txt")
    found = solve(instance, "dlx", Question(Goal.ENUMERATE, up_to_symmetry=True)).solutions
    ways = [disassembly_of(instance, tiling, shortest=False) for tiling in found]
    some = [(way.levels[0], number) for number, way in enumerate(ways) if way.comes_apart]
    if assemblies:
        assert (len(found), len(some)) == (assemblies, apart)
    first, best = max(some)
    assert first == levels[0]  # The first separation is as short as can be, also where only that is asked.
    assert disassembly_of(instance, found[best]).levels[: len(levels)] == levels
