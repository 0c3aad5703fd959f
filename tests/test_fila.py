"""FILA: Busche's counts, and agreement with the brute force for every ordering."""

from __future__ import annotations

import pytest
from brute_force import as_tiling, tilings
from hypothesis import given, settings
from strategies import instances

from tiler import formats
from tiler.backends.base import parse_spec
from tiler.cover import ExactCover
from tiler.errors import BadOption
from tiler.fila import orders
from tiler.instance import Instance
from tiler.query import Goal, Query, Status
from tiler.solve import solve

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
SPECS = [
    "fila",
    "fila:nof=off",
    "fila:order=e",
    "fila:order=s",
    "fila:order=radial",
    "fila:order=x",
    "fila:order=-yx",
    "fila:order=e:3+f:1",
    "fila:order=f:9+s:2+radial:1,nof=off",
    "fila:axes=yx",
    "fila:handoff=1",
    "fila:handoff=2,order=e",
    "fila:handoff=3,nof=off",
]

# M. Busche, FILA, 2018, cases P-4 and P-5: pieces left, fits, attempts with NOF off, attempts with NOF on.
TABLE = [
    (1, 2339, 301677, 78883),
    (2, 302256, 3478035, 1346664),
    (3, 760374, 5722296, 2551252),
    (4, 617667, 3665538, 1775873),
    (5, 272072, 1284992, 660506),
    (6, 82406, 386776, 196017),
    (7, 26950, 200366, 80724),
    (8, 17275, 126819, 62568),
    (9, 7994, 28279, 19118),
    (10, 1744, 3088, 2358),
    (11, 131, 131, 131),
    (12, 7, 7, 7),
]


@pytest.mark.parametrize(("nof", "column", "no_fits"), [("off", 2, 13_106_789), ("on", 3, 4_682_886)])
def test_busches_tables(nof: str, column: int, no_fits: int) -> None:
    instance = formats.inline(["10x6", *FREE], reflections=True)
    spec = f"fila:anchor=X,filter=volume,handoff=11,order=f,nof={nof}"
    answer = solve(instance, spec, Query(Goal.COUNT, up_to_symmetry=True))
    fits, nofits = answer.result.stats["fits"], answer.result.stats["nofits"]
    assert answer.result.count == 2339
    assert [(p, fits[p], fits[p] + nofits[p]) for p in range(1, 13)] == [(row[0], row[1], row[column]) for row in TABLE]
    assert (sum(fits), sum(nofits)) == (2_091_215, no_fits)


@pytest.mark.parametrize(("nof", "attempts"), [("off", 178_983_597), ("on", 79_519_346)])
def test_busches_unrestricted_attempts(nof: str, attempts: int) -> None:
    for board in ("10x6", "6x10"):  # whichever way it lies, cells are numbered along the short side
        result = solve(formats.inline([board, *FREE], reflections=True), f"fila:nof={nof}", Query(Goal.COUNT)).result
        fits, nofits = sum(result.stats["fits"]), sum(result.stats["nofits"])
        assert (result.count, fits, fits + nofits) == (9356, 25_848_915, attempts)


@settings(max_examples=40)
@given(instances(max_cells=12, words=False))
def test_every_ordering_finds_the_tilings_of_the_brute_force(instance: Instance) -> None:
    expected = tilings(instance)
    for spec in SPECS:
        listed = solve(instance, spec, Query(Goal.ENUMERATE))
        found = list(map(as_tiling, listed.solutions))
        assert len(found) == len(set(found)) == len(expected), spec
        assert set(found) == expected, spec
        assert solve(instance, spec, Query(Goal.COUNT)).result.count == len(expected), spec
        assert solve(instance, spec).result.status is (Status.SAT if expected else Status.UNSAT), spec


# Making the lists anew takes a millisecond or two: much where it is done for every few pieces.
@pytest.mark.parametrize("spec", [spec for spec in SPECS if "handoff" not in spec] + ["fila:handoff=6", "fila:handoff=5,order=e"])
def test_counts_in_space(spec: str) -> None:
    assert solve(formats.inline(SOMA), spec, Query(Goal.COUNT)).result.count == 11_520


@pytest.mark.parametrize(("board", "words"), [("2x31", 1), ("2x40", 2), ("2x70", 3), ("3x50", 3)])
def test_boards_of_several_words(board: str, words: int) -> None:
    columns, rows = map(int, board.split("x"))
    assert -(-columns * rows // 64) == words
    if columns == 2:
        a, b = 1, 2
        for _ in range(rows - 2):
            a, b = b, a + b
        # One tiling of so many, found by each ordering, and all of a shorter board counted.
        assert solve(formats.inline(["2x20", "2"]), "fila", Query(Goal.COUNT)).result.count == 10_946
        assert b > 10_946
    for order in ("f", "e", "radial"):
        assert solve(formats.inline([board, "2"]), f"fila:order={order}").result.status is Status.SAT


def test_one_sided_pentominoes_in_3x30() -> None:
    names = [f"1:5{letter}" for letter in "AFGJPSYRNLQZITUVWX"]
    assert solve(formats.inline(["3x30", *names]), "fila", Query(Goal.COUNT)).result.count == 184


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("order=q", "'q' is no ordering"),
        ("order=e+f", "f needs the number of pieces left from which it applies"),
        ("order=e:3+f:5", "the numbers of pieces left must fall"),
        ("order=f:0", "'0' is no number of pieces left"),
        ("axes=xx", "'xx' is no sweep"),
        ("handoff=x", "it must be a whole number"),
    ],
)
def test_bad_options(option: str, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        parse_spec(f"fila:{option}")


def test_numbering_runs_along_the_short_side() -> None:
    for board in ("10x6", "6x10"):
        cover = ExactCover.of(formats.inline([board, "2"]))
        rank = orders.numbering(cover)
        steps = {abs(int(rank[i] - rank[j])) for i, row in enumerate(orders.beside(cover)) for j in row if j >= 0}
        assert steps == {1, 6}
