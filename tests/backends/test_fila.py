"""FILA: Busche's counts, agreement with the brute force for every ordering, and with a slow FILA of sets attempt for attempt."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest
from brute_force import as_tiling, number, tilings
from following import result_of
from hypothesis import given, settings
from square import neighbours
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.fila import orders
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.question.question import Goal, Limits, Question

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SPECS = [
    "fila",
    "fila:nof=off",
    "fila:order=e",
    "fila:order=s",
    "fila:order=radial",
    "fila:order=x",
    "fila:order=-yx",
    "fila:order=e:3+f:1",
    "fila:order=s,nof=off",
    "fila:order=f:9+s:2+radial:1",
    "fila:order=f:9+s:3+e:2+radial:1,nof=off",
    "fila:axes=yx",
    "fila:handoff=1",
    "fila:handoff=2,order=e",
    "fila:handoff=3,nof=off",
    "fila:handoff=3,order=s,volume=3",
    "fila:handoff=2,volume=2",
    "fila:order=x+y:2",
    "fila:order=f+e:3",
    "fila:window=off",
    "fila:window=0",
    "fila:window=3,order=-y",
    "fila:window=9,axes=-xy",
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


@pytest.mark.long
@pytest.mark.parametrize(("nof", "column", "no_fits"), [("off", 2, 13_106_789), ("on", 3, 4_682_886)])
def test_busches_tables(nof: str, column: int, no_fits: int) -> None:
    instance = formats.inline(["10x6", *FREE], reflections=True)
    spec = f"fila:anchor=X,filter=volume,handoff=11,order=f,nof={nof}"
    answer = solve(instance, spec, Question(Goal.COUNT, up_to_symmetry=True))
    fits, nofits = answer.result.stats["fits"], answer.result.stats["nofits"]
    assert answer.result.count == 2339
    assert [(p, fits[p], fits[p] + nofits[p]) for p in range(1, 13)] == [(row[0], row[1], row[column]) for row in TABLE]
    assert (sum(fits), sum(nofits)) == (2_091_215, no_fits)


# Whichever way the board lies, cells are numbered along the short side.
@pytest.mark.long
@pytest.mark.parametrize(("board", "nof", "attempts"), [("10x6", "off", 178_983_597), ("6x10", "on", 79_519_346)])
def test_busches_unrestricted_attempts(board: str, nof: str, attempts: int) -> None:
    result = solve(formats.inline([board, *FREE], reflections=True), f"fila:nof={nof},window=off", Question(Goal.COUNT)).result
    fits, nofits = sum(result.stats["fits"]), sum(result.stats["nofits"])
    assert (result.count, fits, fits + nofits) == (9356, 25_848_915, attempts)


@settings(max_examples=25)
@given(instances(max_cells=10, words=False))
def test_every_ordering_finds_the_tilings_of_the_brute_force(instance: Instance) -> None:
    expected, cover = tilings(instance), BoardCover.of(instance)
    for turn, spec in enumerate(SPECS):
        listed = solve(instance, spec, Question(Goal.ENUMERATE), cover=cover)
        found = list(map(as_tiling, listed.solutions))
        assert len(found) == len(set(found)) == len(expected), spec
        assert set(found) == expected, spec
        # Every second spec is asked for the number, the others for a verdict; another instance changes that over.
        if (turn + len(instance.board)) % 2:
            assert solve(instance, spec, Question(Goal.COUNT), cover=cover).result.count == len(expected), spec
        else:
            assert solve(instance, spec, cover=cover).result.status is (Status.SAT if expected else Status.UNSAT), spec


@settings(max_examples=10)
@given(instances(max_cells=9, words=False))
def test_a_search_stopped_after_every_node_is_the_same(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    for spec in SPECS:
        whole = solve(instance, spec, Question(Goal.COUNT), cover=cover).result
        steps = solve(instance, spec, Question(Goal.COUNT), on_node=lambda *_: None, cover=cover).result
        assert (steps.count, steps.stats) == (whole.count, whole.stats), spec


def slow_fila(instance: Instance, order: str, axes: str, nof: bool) -> tuple[int, Counter[int], Counter[int]]:
    """Tilings, fits and no-fits by pieces left, by sets of cells and recursion; every copy has to be used."""
    cover = BoardCover.of(instance)
    images = [
        (int(tile), frozenset(cover.cells[cell] for cell in cover.members[o].tolist()))
        for o, tile in enumerate(cover.tile.tolist())
    ]
    numbered = dict(zip(cover.cells, orders.numbering(cover, axes).tolist(), strict=True))
    cells = sorted(cover.cells, key=numbered.__getitem__)
    on = {cell: [each for each in images if cell in each[1]] for cell in cells}
    if order == "f":
        on = {cell: [each for each in on[cell] if min(each[1], key=numbered.__getitem__) == cell] for cell in cells}
    fits: Counter[int] = Counter()
    nofits: Counter[int] = Counter()

    def listed(cell: Cell, filled: frozenset[Cell], left: Counter[int]) -> list[tuple[int, frozenset[Cell]]]:
        looked_at = [other for other in neighbours(cell) if other in numbered]
        if order == "f":
            looked_at = [other for other in looked_at if numbered[other] > numbered[cell]]
        closed = filled.intersection(looked_at) if nof else frozenset[Cell]()
        return [(tile, image) for tile, image in on[cell] if left[tile] and image.isdisjoint(closed)]

    def target(filled: frozenset[Cell], left: Counter[int]) -> Cell:
        still = [cell for cell in cells if cell not in filled]
        if order == "e":
            around = {cell: sum(other in numbered and other not in filled for other in neighbours(cell)) for cell in still}
            least = min(around.values())
            still = [cell for cell in still if around[cell] == least]
        if order == "f":
            return still[0]
        return min(still, key=lambda cell: sum(image.isdisjoint(filled) for _, image in listed(cell, filled, left)))

    def extend(filled: frozenset[Cell], left: Counter[int]) -> int:
        if len(filled) == len(cells):
            return 1
        found, p = 0, left.total()
        images = listed(target(filled, left), filled, left)
        if order != "f" and all(not image.isdisjoint(filled) for _, image in images):
            # Whoever counted what fits does not try what does not.
            return 0
        for tile, image in images:
            if not image.isdisjoint(filled):
                nofits[p] += 1
                continue
            fits[p] += 1
            found += extend(filled | image, left - Counter([tile]))
        return found

    return extend(frozenset(), Counter(dict(enumerate(cover.upper.tolist())))), fits, nofits


@pytest.mark.long
@pytest.mark.parametrize(
    "shapes",
    [
        ["6x5", *(f"1:5{letter}" for letter in "LPUVYN")],
        ["xxxxx/xx.xx/xxxxx/xxxxx", "2:3L", "1:4T", "1:4L", "1:5P"],
        ["3x2x4", "1:4L", "1:4S", "1:4T", "2:4O", "1:4^"],
    ],
)
@pytest.mark.parametrize("order", ["f", "e", "s"])
@pytest.mark.parametrize("nof", ["on", "off"])
def test_attempts_are_those_of_a_slow_fila(shapes: list[str], order: str, nof: str) -> None:
    instance = formats.inline(shapes, reflections=True)
    count, fits, nofits = slow_fila(instance, order, "auto", nof == "on")
    result = solve(instance, f"fila:order={order},nof={nof},window=off", Question(Goal.COUNT)).result
    assert result.count == count
    assert result.stats["fits"] == [fits[p] for p in range(len(result.stats["fits"]))]
    assert result.stats["nofits"] == [nofits[p] for p in range(len(result.stats["nofits"]))]


def test_s_searches_the_tree_of_dancing_links_that_look_at_cells() -> None:
    # But for ties, of which each takes the first in an order of its own.
    box = formats.inline(["2x3x10", *FREE])
    question = Question(Goal.COUNT, up_to_symmetry=True)
    specs = ("fila:anchor=5X,order=s", "dlx:anchor=5X,order=cells", "dlx:anchor=5X")
    lists, cells, tiles_too = (solve(box, spec, question).result.nodes for spec in specs)
    assert lists == pytest.approx(cells, rel=0.02)
    assert cells > 1.1 * tiles_too


@pytest.mark.parametrize(
    ("spec", "instead"),
    [
        ("fila:order=mrv", "fila:order=mrv is dlx now"),
        ("fila:order=mrv+s:6", "fila:order=mrv+s:6 is dlx:order=mrv+cells:6 now"),
        (
            "fila:anchor=5X,handoff=13,order=mrv+s:6,volume=13",
            "fila:anchor=5X,order=mrv+s:6,handoff=13,volume=13 is dlx:anchor=5X,order=mrv+cells:6,volume=13 now",
        ),
        ("fila:order=f:9+mrv:5+s:2", "fila:order=f:9+mrv:5+s:2 is dlx:order=first+mrv:5+cells:2 now"),
        ("fila:images=lists,order=e", "fila: images: there are image lists only now: leave it out"),
        ("fila:order=s,images=words", "what order=s did by words of bits, dlx:order=cells does"),
    ],
)
def test_what_there_was_says_what_to_write_now(spec: str, instead: str) -> None:
    with pytest.raises(BadOption, match=re.escape(instead)) as refused:
        parse_spec(spec)
    for word in str(refused.value).split():
        if word.startswith("dlx:"):
            parse_spec(word)


def test_the_window_halves_the_fits() -> None:
    """Of 25,848,915 without one."""
    result = solve(formats.inline(["10x6", *FREE], reflections=True), "fila:window=12", Question(Goal.COUNT)).result
    assert (result.count, sum(result.stats["fits"])) == (9356, 10_422_617)


@cache
def in_space() -> tuple[Instance, int]:
    """A box, and the number of its tilings by the brute force."""
    box = formats.inline(["2x3x4", "1:3L", "1:4L", "1:4S", "1:4T", "1:4<", "1:5P"])
    return box, number(box)


@pytest.mark.parametrize(
    "spec",
    [spec for spec in SPECS if "radial" not in spec and "handoff" not in spec]
    + ["fila:handoff=6", "fila:handoff=5,order=e", "fila:handoff=5,volume=4", "fila:handoff=6,order=s,volume=4"],
)
def test_counts_in_space(spec: str) -> None:
    box, tilings_there_are = in_space()
    assert solve(box, spec, Question(Goal.COUNT)).result.count == tilings_there_are > 1000


@pytest.mark.parametrize("spec", ["fila", "fila:window=off", "fila:window=4", "fila:nof=off", "fila:handoff=20"])
@pytest.mark.parametrize("rows", [20, 24])
def test_dominoes_in_two_columns_are_fibonacci_numbers(spec: str, rows: int) -> None:
    a, b = 1, 1
    for _ in range(rows - 1):
        a, b = b, a + b
    assert solve(formats.inline([f"2x{rows}", "2"]), spec, Question(Goal.COUNT)).result.count == b


@pytest.mark.parametrize("order", ["f", "e", "s", "radial", "y", "s:70+f:20"])
@pytest.mark.parametrize(("board", "words"), [("2x31", 1), ("2x32", 1), ("2x40", 2), ("2x70", 3), ("3x50", 3)])
def test_boards_of_several_words(board: str, words: int, order: str) -> None:
    columns, rows = map(int, board.split("x"))
    assert -(-columns * rows // 64) == words
    assert solve(formats.inline([board, "2"]), f"fila:order={order}").result.status is Status.SAT


@pytest.mark.parametrize(
    "spec",
    [
        "fila",
        "fila:window=off",
        "fila:order=s",
        "fila:handoff=9",
        "fila:handoff=9,order=s",
        "fila:handoff=9,order=e",
    ],
)
@pytest.mark.parametrize(("board", "count"), [("5x14", 26), ("5x26", 756)])
def test_counts_on_boards_of_several_words(spec: str, board: str, count: int) -> None:
    # 5xn by straight pentominoes: a(n) = a(n - 1) + a(n - 5).
    assert solve(formats.inline([board, "5I"]), spec, Question(Goal.COUNT)).result.count == count


@pytest.mark.parametrize("spec", [*SPECS, "dlx", "dlx:order=first", "frontier"])
def test_unlimited_tiles_with_a_few_others_are_decided_at_once(spec: str) -> None:
    # Where copies are named this takes minutes.
    answer = solve(formats.inline(["11x7", "4T", "3:3I"]), spec, Question(limits=Limits(nodes=100_000)))
    assert answer.result.status is Status.SAT


@pytest.mark.parametrize("spec", ["fila", "fila:window=off", "fila:order=s"])
def test_bounded_tiles_on_boards_of_several_words(spec: str) -> None:
    instance = formats.inline(["5x16", "5I", "2:5L"])
    count = solve(instance, "frontier", Question(Goal.COUNT)).result.count
    assert solve(instance, spec, Question(Goal.COUNT)).result.count == count > 0


# Tiles that need not be used may take only the cells that are not owed to others: one more or less changes these counts.
SLACK_SPECS = ["fila", *(f"fila:window={n}" for n in ("off", 0, 1, 5, 12)), "fila:window=4,order=-yx", "fila:order=s"]
SLACK_SPECS += ["dlx", "dlx:order=cells", "dlx:order=mrv+cells:2"]


OWED = [
    *((spec, ["5x4", "2..3:4L", "1..:1", "2"], 73304) for spec in SLACK_SPECS),
    *((spec, ["4x3", "1..:3L", "1..:2", "1"], 2616) for spec in [*SLACK_SPECS, "fila:order=e:3+f:2", "fila:handoff=3"]),
    *((spec, ["3x3", "1..2:3L", "2..:1", "2"], 206) for spec in [*SLACK_SPECS, "fila:order=e:3+f:2", "fila:handoff=3,order=s"]),
]


@pytest.mark.parametrize(("spec", "shapes", "count"), OWED)
def test_cells_that_are_owed_are_kept_for_their_tiles(spec: str, shapes: list[str], count: int) -> None:
    assert solve(formats.inline(shapes), spec, Question(Goal.COUNT)).result.count == count


# Vertical dominoes in columns that stand apart, and four side by side, which have 5 tilings: each spans all columns and a cell.
def columns(apart: int) -> str:
    row = "x." * apart + "xxxx"
    return f"{row}/{row}"


@pytest.mark.parametrize("limited", [[], ["1:1"], ["1:1", "1:3I", "1:4I"]])
@pytest.mark.parametrize("ahead", [0, 3])
def test_a_window_of_any_number_of_words(limited: list[str], ahead: int) -> None:
    """Cells and tiles used up take all bits but one of a word, all, and one more; then the same with two words and three."""
    question = Question(Goal.COUNT)
    for bits in (62, 63, 64, 65, 126, 127, 128, 129, 191, 192):
        instance = formats.inline([columns(bits - len(limited) - 1 - 4), "2", *limited])
        count = solve(instance, "dlx", question).result.count
        assert solve(instance, f"fila:window={ahead},axes=yx", question).result.count == count >= 5, bits


def test_one_sided_pentominoes_in_3x30() -> None:
    names = [f"1:5{letter}" for letter in "AFGJPSYRNLQZITUVWX"]
    assert solve(formats.inline(["3x30", *names]), "fila", Question(Goal.COUNT)).result.count == 184


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("order=q", "'q' is no ordering"),
        ("order=e+f", "f needs the number of pieces left from which it applies"),
        ("order=e:3+f:5", "the numbers of pieces left must fall"),
        ("order=f:0", "'0' is no number of pieces left"),
        ("axes=xx", "'xx' is no sweep"),
        ("handoff=x", "it must be a whole number"),
        ("window=17", "it must be auto, off, or a number of cells from 0 to 16"),
        ("window=5,order=e", "needs a single fixed order"),
        ("window=5,handoff=3", "needs a single fixed order and no handoff"),
        ("volume=3", "it needs handoff=N"),
        ("tally=on,order=auto", "tally=on is about image lists: it needs an order, and no window"),
    ],
)
def test_bad_options(option: str, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        parse_spec(f"fila:{option}")


def test_numbering_runs_along_the_short_side() -> None:
    for board in ("10x6", "6x10"):
        cover = BoardCover.of(formats.inline([board, "2"]))
        rank = orders.numbering(cover)
        steps = {abs(int(rank[i] - rank[j])) for i, row in enumerate(cover.beside) for j in row if j >= 0}
        assert steps == {1, 6}


def test_many_tiles_that_can_be_used_up_take_words_too() -> None:
    """Each of the 108 heptominoes has a bit of its own."""
    instance = formats.inline(["3x7", "1:heptominoes"], reflections=True)
    count = solve(instance, "dlx", Question(Goal.COUNT)).result.count
    assert solve(instance, "fila:window=3", Question(Goal.COUNT)).result.count == count > 100


@pytest.mark.parametrize("options", ["window=off", "window=off,nof=off", "window=5"])
@pytest.mark.parametrize(("board", "count"), [("16x5", 45), ("26x5", 756), ("40x5", 38740)])
def test_placements_of_several_words(board: str, count: int, options: str) -> None:
    # Along the long side an upright piece spans 65, 105 and 161 cells.
    assert solve(formats.inline([board, "5I"]), f"fila:axes=yx,{options}", Question(Goal.COUNT)).result.count == count


@pytest.mark.parametrize("options", ["window=off", "window=off,nof=off", "window=5"])
@pytest.mark.parametrize("columns", [34, 66])
def test_placements_that_meet_in_their_last_word_only(columns: int, options: str) -> None:
    # A comb upside down: the feet of two upright 4L meet between its teeth, some 70 or 130 places after their first cells.
    teeth = ".".join("x" * columns)
    comb = formats.inline([f"{teeth}/{teeth}/{'x' * len(teeth)}", "2:4L", "1"], reflections=True)
    count = solve(comb, "frontier", Question(Goal.COUNT)).result.count
    assert solve(comb, f"fila:axes=yx,{options}", Question(Goal.COUNT)).result.count == count > columns**2


@pytest.mark.parametrize("shapes", [["5x5", "1:5P", "1:5L", "1:5V", "1:5U", "1:5Y"], ["2x3x3", "1:5P", "1:4L", "3I", "2"]])
def test_the_order_is_chosen_by_samples(shapes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from tiler.ask import execution, planner
    from tiler.ask.size import search_selection, stochastic_enumeration

    monkeypatch.setattr(planner, "_SOON_OVER", 1)
    monkeypatch.setattr(search_selection, "_LONG", 0.0)
    monkeypatch.setattr(stochastic_enumeration, "_FEW_PIECES", 0)
    cover = BoardCover.of(formats.inline(shapes, reflections=True))
    expected = parse_spec("dlx").solve(cover, Question(Goal.COUNT)).count
    for question in (Question(Goal.COUNT), Question(Goal.ENUMERATE)):
        result = result_of(execution.start(parse_spec("fila:order=auto"), cover, question))
        assert result.found == expected
        assert "the cheapest in samples" in result.stats["because"]
        assert result.stats["chosen"].startswith("fila")
