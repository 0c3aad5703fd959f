"""Published counts, each with its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.question.question import Goal, Question

pytestmark = pytest.mark.long

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
LESS_2X2 = ["/".join(["xxxxxxxx"] * 3 + ["xxx..xxx"] * 2 + ["xxxxxxxx"] * 3), *FREE]

SLOW = {
    *(("backtracking", board) for board in ("6x10", "4x15", "5x12", "less2x2", "2x3x10")),
    *(("dlx", board) for board in ("8x8", "2x5x6", "3x4x5")),
}
# The first open cell is a bad guide in space, and on boards with many short rows.
HOPELESS = {("backtracking", board) for board in ("8x8", "2x5x6", "3x4x5")}


@pytest.mark.parametrize(
    ("shapes", "reflections", "count"),
    [
        # Kasteleyn 1961: domino tilings of rectangles.
        (["2x2", "2"], False, 2),
        (["4x4", "2"], False, 36),
        (["6x6", "2"], False, 6728),
        (["8x8", "2"], False, 12_988_816),
        (["2x2x3", "1x1x2"], False, 32),
        # The free pentominoes: Haselgrove 1960, Fletcher 1965 (6x10); Scott 1958 (8x8 less the middle).
        (["3x20", *FREE], True, 8),
        (["4x15", *FREE], True, 1472),
        (["5x12", *FREE], True, 4040),
        (["6x10", *FREE], True, 9356),
        (["8x8", *FREE, "1:4O"], True, 129_168),
        (LESS_2X2, True, 520),
        # Conway and Guy 1961: the Soma cube, 240 tilings up to its 48 symmetries.
        (["3x3x3", *SOMA], False, 11_520),
        # Bouwkamp 1969: flat pentominoes in boxes.
        (["2x3x10", *FREE], False, 96),
        (["2x5x6", *FREE], False, 2112),
        (["3x4x5", *FREE], False, 31_520),
    ],
)
@pytest.mark.parametrize("spec", ["backtracking", "dlx"])
def test_published_counts(spec: str, shapes: list[str], reflections: bool, count: int, request: pytest.FixtureRequest) -> None:
    name = shapes[0] if shapes is not LESS_2X2 else "less2x2"
    if (spec, name) in SLOW and not request.config.getoption("--slow"):
        pytest.skip("slow; run with --slow")
    if (spec, name) in HOPELESS:
        pytest.skip("takes over a minute this way")
    assert solve(formats.inline(shapes, reflections=reflections), spec, Question(Goal.COUNT)).result.count == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count", "order"),
    [
        # Busche, FILA, Table 1: half a minute of CPU time, and two and a half.
        ("PT", 51_184, 4),
        ("tetris-cube", 9839, 24),
        # Lepage.
        ("big-brother", 14_177, 24),
    ],
)
def test_published_counts_up_to_symmetry(name: str, count: int, order: int) -> None:
    instance = formats.read(Path(__file__).parents[2] / f"problems/classic/{name}_s.txt")
    answer = solve(instance, "fila", Question(Goal.COUNT, up_to_symmetry=True))
    assert (answer.result.count, answer.result.symmetry) == (count, order)
