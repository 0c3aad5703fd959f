"""The rows of Table 1 of Busche's article, attempt for attempt.

In these problems the piece that he keeps in one placement of each orbit is put there by a constraint, so that tilings are counted
once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.question.question import Goal, Question

ROOT = Path(__file__).parents[2]
PROBLEMS = ROOT / "results/reference/busche-problems"
COUNT = Question(Goal.COUNT)
TC = "axes=zyx,handoff=11"


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        pytest.param("dlx", 892_247, id="P-1"),
        pytest.param("dlx:filter=volume", 768_356, id="P-2"),
        pytest.param("dlx:filter=volume,order=mrv+forced:11", 1_000_250, id="P-3"),
    ],
)
def test_dancing_links_on_6x10(spec: str, fits: int) -> None:
    result = solve(formats.read(PROBLEMS / "P.txt"), spec, COUNT).result
    assert (result.count, result.nodes) == (2339, fits)


@pytest.mark.slow
def test_a_filter_by_volume_while_thirteen_pieces_are_left() -> None:
    result = solve(formats.read(PROBLEMS / "PT.txt"), "dlx:filter=volume,volume=12", COUNT).result
    assert (result.count, result.nodes) == (51_184, 78_145_746), "PT-2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "fits", "no_fits"),
    [
        pytest.param("order=e,nof=off", 48_705_459, 1_093_916_558, id="TC-2"),
        pytest.param("order=e:11+f:3,nof=off", 80_346_268, 1_526_897_959, id="TC-3"),
        pytest.param("order=e:11+f:3", 80_346_268, 393_143_352, id="TC-4"),
    ],
)
def test_image_lists_on_the_tetris_cube(options: str, fits: int, no_fits: int) -> None:
    result = solve(formats.read(PROBLEMS / "TC.txt"), f"fila:{TC},{options}", COUNT).result
    assert (result.count, sum(result.stats["fits"]), sum(result.stats["nofits"])) == (9839, fits, no_fits)


@pytest.mark.slow
def test_fletchers_search_on_6x10() -> None:
    """Fletcher (1965) lays the X in one quarter of the board, not in the corner; then the first open cell is covered, along the
    short side, by each of the pieces left. Steps are placements and removals after the X."""
    high, wide = 6, 10
    full = (1 << high * wide) - 1
    top = sum(1 << high * column for column in range(wide))
    bottom = top << high - 1
    instance = formats.inline((f"{wide}x{high}", "1:pentominoes"))
    cover = BoardCover.of(instance)
    variants = [len(instance.variants(tile)) for tile in cover.tiles]
    cross = cover.names.index("5X")
    at: list[list[list[int]]] = [[[] for _ in cover.tiles] for _ in range(full.bit_count())]
    crosses = []
    for tile, cells in zip(cover.tile.tolist(), cover.members.lists(), strict=True):
        row, column = (sum(axis) // 5 for axis in zip(*(cover.cells[cell] for cell in cells), strict=True))
        bits = [high * x + y for y, x in (cover.cells[cell] for cell in cells)]
        placed = sum(1 << bit for bit in bits)
        if tile != cross:
            at[min(bits)][tile].append(placed)
        elif column < wide // 2 and row < high // 2 and (row, column) != (1, 1):
            crosses.append(placed)

    def has_no_hole(ahead: int) -> bool:
        """Whether 5 divides the number of cells of every open region."""
        while ahead:
            region, grown = 0, ahead & -ahead
            while grown != region:
                region = grown
                beside = (region & ~bottom) << 1 | (region & ~top) >> 1 | region << high | region >> high
                grown = region | beside & ahead
            if region.bit_count() % 5:
                return False
            ahead ^= region
        return True

    def placements(keeps: Callable[[int], bool], is_hopeful: Callable[[int], bool]) -> Counter[tuple[int, int]]:
        """The number of placements after the X, by the pieces that were left, the placed one included, and their variants. The
        search has only the placements that `keeps` on the empty board."""
        kept = [[[placed for placed in ways if keeps(full ^ placed)] for ways in by_tile] for by_tile in at]
        is_used = [tile == cross for tile in range(len(variants))]
        made: Counter[tuple[int, int]] = Counter()

        def cover_first(ahead: int, pieces: int, of_them: int) -> None:
            for tile, ways in enumerate(kept[(ahead & -ahead).bit_length() - 1]):
                if is_used[tile]:
                    continue
                is_used[tile] = True
                for placed in ways:
                    if not placed & ~ahead and is_hopeful(ahead ^ placed):
                        made[pieces, of_them] += 1
                        if pieces > 1:
                            cover_first(ahead ^ placed, pieces - 1, of_them - variants[tile])
                is_used[tile] = False

        for placed in crosses:
            cover_first(full ^ placed, len(variants) - 1, sum(variants) - variants[cross])
        return made

    def always(ahead: int) -> bool:
        return True

    forgotten = full ^ sum(1 << high * x + y for x, y in ((0, 3), (1, 3), (2, 3), (2, 4), (2, 5)))  # a V
    searches = {
        "without the test": (always, always),
        "with the table": (has_no_hole, always),
        "with the table, less one placement of the V": (lambda ahead: ahead == forgotten or has_no_hole(ahead), always),
        "with the test": (always, has_no_hole),
    }
    page = " ".join((ROOT / "docs/reference/findings.md").read_text().split())
    for name, conditions in searches.items():
        made = placements(*conditions)
        number = made.total()
        assert sum(times for (pieces, _), times in made.items() if pieces == 1) == 2339
        assert f"| {name} | {2 * number:,} |" in page
        if name == "without the test":
            assert f"window=off,nof=off` | {len(crosses) + number:,} |" in page
        if name == "with the table":
            pieces, of_them = (sum(left[each] * times for left, times in made.items()) / number for each in (0, 1))
            assert f"{pieces:.2f} pieces are left, with {of_them:.2f} variants" in page
