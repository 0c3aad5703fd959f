"""Published counts, each with its source."""

from __future__ import annotations

import pytest

from tiler import formats
from tiler.query import Goal, Query
from tiler.solve import solve

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
LESS_2X2 = "/".join(["xxxxxxxx"] * 3 + ["xxx..xxx"] * 2 + ["xxxxxxxx"] * 3)
slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("shapes", "reflections", "count"),
    [
        # Kasteleyn 1961: domino tilings of rectangles.
        (["2x2", "2"], False, 2),
        (["4x4", "2"], False, 36),
        (["6x6", "2"], False, 6728),
        pytest.param(["8x8", "2"], False, 12_988_816, marks=slow),
        (["2x2x3", "1x1x2"], False, 32),
        # The free pentominoes: Haselgrove 1960, Fletcher 1965 (6x10); Scott 1958 (8x8 less the middle).
        (["3x20", *FREE], True, 8),
        pytest.param(["4x15", *FREE], True, 1472, marks=slow),
        pytest.param(["5x12", *FREE], True, 4040, marks=slow),
        pytest.param(["6x10", *FREE], True, 9356, marks=slow),
        pytest.param([LESS_2X2, *FREE], True, 520, marks=slow),
        # Conway and Guy 1961: the Soma cube, 240 tilings up to its 48 symmetries.
        (["3x3x3", *SOMA], False, 11_520),
        # Bouwkamp 1969: flat pentominoes in boxes.
        pytest.param(["2x3x10", *FREE], False, 96, marks=slow),
    ],
)
def test_backtracking_counts(shapes: list[str], reflections: bool, count: int) -> None:
    assert solve(formats.inline(shapes, reflections=reflections), "backtracking", Query(Goal.COUNT)).result.count == count
