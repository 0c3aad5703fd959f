"""The prover's stages: what each finds, and that the lattice stage finds all there is for it to find."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path

import pytest
from brute_force import as_tiling, tilings
from following import Follower
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.coloring import checker, elimination, readable_colourings, weights
from tiler.backends.coloring.signed_tilings import signed_tiling
from tiler.backends.coloring.smith import smith
from tiler.backends.registry import parse_spec
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.count_vectors import Congruence, CountVectors
from tiler.cover.remainder import Remainder
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import CUBIC
from tiler.model.shapes import parse_shape
from tiler.model.tile import Tile
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

PROBLEMS = Path(__file__).parents[2] / "problems"
FILES = sorted(PROBLEMS.glob("*/*.txt"))
UNSOLVABLE = [path for path in FILES if path.stem.endswith("_u") and "\n# tags: thesis" in path.read_text()]
#: What the lattice stage cannot prove of them, and the stage that does.
LATER = {
    "mixed/4Os-4T-06x06_u": "weights",
    "mixed/4T-4Os-06x06_u": "weights",
    "misc/02_u": "probe",
    "many-unique/5r-hskew-06x10_u": "probe",
    "many-unique/5r-sideways_u": "probe",
    "many-unique/5r-plus_u": "cases",
    "many-unique/5r-diamond_u": "cases",
}


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def silent() -> None:
    pass


def rectangle(width: int, height: int, *missing: tuple[int, int], tile: str) -> Instance:
    board = frozenset((y, x) for y in range(height) for x in range(width))
    return Instance(board - set(missing), (Tile(tile, parse_shape(tile)),))


def problem_of(instance: Instance) -> Remainder:
    return Remainder.of(BoardCover.of(instance))


# Counts


@st.composite
def counts(draw: st.DrawFn) -> CountVectors:
    sizes = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    lower = tuple(draw(st.integers(0, 3)) for _ in sizes)
    upper = tuple(draw(st.integers(0, 6)) for _ in sizes)
    return CountVectors(draw(st.integers(1, 25)), sizes, lower, upper)


def listed(counts: CountVectors) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for least, most in zip(counts.lower, counts.upper, strict=True):
        found = [(*head, n) for head in found for n in range(least, most + 1)]
    return [n for n in found if sum(a * b for a, b in zip(n, counts.sizes, strict=True)) == counts.area]


def allows(congruence: Congruence, counts: Sequence[int]) -> bool:
    difference = sum(n * value for n, value in zip(counts, congruence.values, strict=True)) - congruence.total
    return (difference % congruence.modulus if congruence.modulus else difference) == 0


@settings(max_examples=150)
@given(counts(), st.data())
def test_counts_are_those_of_a_plain_list(counts: CountVectors, data: st.DataObject) -> None:
    every = listed(counts)
    assert sorted(counts.some(10**6)) == sorted(every)
    assert list(islice(counts.some(2), 2)) == list(counts.some(10**6))[:2]
    value = st.tuples(*[st.integers(-4, 4)] * len(counts.sizes))
    congruences = data.draw(st.lists(st.builds(Congruence, st.sampled_from([0, 2, 3, 4]), value, st.integers(-9, 9)), max_size=3))
    allowed = [n for n in every if all(allows(congruence, n) for congruence in congruences)]
    found = counts.find(congruences)
    assert (found in allowed) if allowed else found is None
    weight = data.draw(value)
    best = max((sum(a * b for a, b in zip(n, weight, strict=True)) for n in every), default=None)
    assert counts.best(weight) == best


# Lattice


@given(st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4), max_size=5))
def test_smith_form(matrix: list[list[int]]) -> None:
    diagonal, rows, columns = smith(matrix, 4)

    def product(a: list[list[int]], b: list[list[int]]) -> list[list[int]]:
        return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]

    if matrix:
        wanted = [[diagonal[i] if i == j else 0 for j in range(4)] for i in range(len(matrix))]
        assert product(product(rows, matrix), columns) == wanted
    assert all(b % a == 0 if a else b == 0 for a, b in pairwise(diagonal))
    assert all(a >= 0 for a in diagonal)
    assert abs(determinant(columns)) == 1
    assert not matrix or abs(determinant(rows)) == 1


def determinant(matrix: list[list[int]]) -> int:
    if not matrix:
        return 1
    minors = [[row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix))]
    return sum((-1) ** j * entry * determinant(minor) for j, (entry, minor) in enumerate(zip(matrix[0], minors, strict=True)))


def spans(rows: list[list[int]], target: list[int]) -> bool:
    """Whether a vector is an integer combination of rows: Hermite form, nothing clever."""
    rows = [list(row) for row in rows]
    for column in range(len(target)):
        while len(some := [row for row in rows if row[column]]) > 1:
            pivot = min(some, key=lambda row: abs(row[column]))
            for row in some:
                if row is not pivot:
                    factor = row[column] // pivot[column]
                    row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
        if some:
            if target[column] % some[0][column]:
                return False
            factor = target[column] // some[0][column]
            target = [a - factor * b for a, b in zip(target, some[0], strict=True)]
            rows = [row for row in rows if row is not some[0]]
        elif target[column]:
            return False
    return True


@settings(max_examples=100)
@given(instances(max_cells=12, words=False))
def test_the_lattice_stage_refutes_exactly_what_is_not_in_the_lattice(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    remainder = Remainder.of(cover)
    group = elimination.TilingGroup(remainder, silent, track=True)
    cells, tiles = len(cover.cells), len(cover.tiles)
    rows = []
    for option, members in enumerate(cover.members.lists()):
        row = [int(cell in members) for cell in range(cells)] + [-int(t == cover.tile[option]) for t in range(tiles)]
        rows.append(row)
    for n in remainder.counts.some(5):
        in_lattice = spans(rows, [1] * cells + [-each for each in n])
        refuted = group.refute(n)
        assert (refuted is None) == in_lattice
        signed = group.signed_tiling(n)
        assert (signed is not None) == in_lattice
        if refuted is not None:
            # The colouring is one, and says so.
            colouring = group.colouring(*refuted)
            for option, members in enumerate(cover.members.lists()):
                value = colouring.values[cover.tile[option]]
                assert (sum(colouring.weights[cell] for cell in members) - value) % colouring.modulus == 0
            congruence = Congruence(colouring.modulus, colouring.values, sum(colouring.weights))
            assert not allows(congruence, n)


@settings(max_examples=100)
@given(instances(max_cells=16, words=False))
def test_where_no_colouring_exists_there_is_a_signed_tiling(instance: Instance) -> None:
    remainder = problem_of(instance)
    assume(remainder.counts.find() is not None)
    proof, obstacle = elimination.refute(remainder, silent)
    assert (proof is None) == (obstacle is not None)
    if obstacle is not None:
        signed = signed_tiling(remainder, obstacle, silent)
        assert signed is not None
        assert checker.error_in_signed(instance, signed) is None
        placed = next(iter(signed))
        assert checker.error_in_signed(instance, {**signed, placed: signed[placed] + 1})


def test_smallest_modulus() -> None:
    """Without numbers of copies these would be modulo 4 and 8."""
    for tile in ("4L", "4T"):
        remainder = problem_of(rectangle(10, 10, tile=tile))
        refuted = elimination.TilingGroup(remainder, silent).refute((25,))
        assert refuted is not None
        assert refuted[1] == 2


def test_many_kinds_of_tiles_need_no_list_of_counts() -> None:
    # Every tetromino but T covers two black cells.
    tiles = ["4I", "4L", "4J", "4O", "4S", "4Z"]
    board = rectangle(6, 6, (0, 0), (5, 5), (0, 2), (2, 0), tile="1").board
    instance = Instance(board, tuple(Tile(name, parse_shape(name)) for name in tiles))
    answer = solve(instance, "coloring:stages=lattice")
    assert answer.result.status is Status.UNSAT
    said = "every tile covers exactly 2 black cells; together they cover 16; the board has 18"
    assert answer.result.message == f"checkerboard: {said}"


# Sentences


@pytest.mark.parametrize(
    ("instance", "sentence"),
    [
        (
            rectangle(8, 8, (0, 0), (7, 7), tile="2"),
            "checkerboard: every 2 covers exactly 1 black cell; 31 tiles cover 31; the board has 32",
        ),
        (
            formats.read(PROBLEMS / "3I" / "L-square-05x10_u.txt"),
            "(x-y) mod 3 = 2: every 3I covers exactly 1 black cell; 25 tiles cover 25; the board has 24",
        ),
        (
            rectangle(10, 10, tile="4I"),
            "(x+y) mod 4 = 3: every 4I covers exactly 1 black cell; 25 tiles cover 25; the board has 24",
        ),
        (
            rectangle(10, 10, tile="4L"),
            "row stripes: every 4L covers an odd number of black cells; 25 tiles cover an odd number; the board has 50",
        ),
        (
            rectangle(10, 10, tile="4T"),
            "checkerboard: every 4T covers an odd number of black cells; 25 tiles cover an odd number; the board has 50",
        ),
        (
            rectangle(5, 12, tile="4O"),
            "column stripes: every 4O covers exactly 2 black cells; 15 tiles cover 30; the board has 24",
        ),
        (
            formats.inline(["6x6x6", "1x2x4"]),
            "(x+y+z) mod 4 = 3: every 1x2x4 covers exactly 2 black cells; 27 tiles cover 54; the board has 53",
        ),
        (
            formats.inline(["10x10x10", "1x1x4"]),
            "(x+y+z) mod 4 = 3: every 1x1x4 covers exactly 1 black cell; 250 tiles cover 250; the board has 249",
        ),
        (formats.inline(["xx/xx/..x/..x", "3L"]), "no placement covers the cell (2, 2)"),
        (formats.inline(["5x5", "2"]), "area: pieces of 2 cells cannot add up to 25 cells"),
    ],
    ids=lambda value: value.name if isinstance(value, Instance) else "",
)
def test_sentences(instance: Instance, sentence: str) -> None:
    assert solve(instance, "coloring").result.message == sentence


def test_a_readable_colouring_is_recognised() -> None:
    names = set()
    for tile in ("2", "3I", "4I", "4L", "4O", "4T", "5X", "5P"):
        for height in range(2, 7):
            for width in range(height, 7):
                remainder = problem_of(rectangle(width, height, (0, 0), tile=tile))
                colouring = readable_colourings.find(remainder, silent) if remainder.counts.find() else None
                if colouring:
                    names.add(readable_colourings.recognise(colouring, remainder.cover))
    assert None not in names
    assert {"checkerboard", "row stripes"} <= names


# Weights


def test_weights_are_checked_in_integers() -> None:
    remainder = problem_of(formats.read(PROBLEMS / "mixed" / "4Os-4T-06x06_u.txt"))
    found = weights.find(remainder, 10, silent)
    assert found is not None
    assert weights.check(remainder, [0] * 36) is None
    assert weights.find(problem_of(rectangle(8, 8, tile="2")), 10, silent) is None


# The backend


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.long if "many-unique" in name(path) else ())
        for path in UNSOLVABLE
        if LATER.get(name(path)) != "cases"
    ],
    ids=name,
)
def test_every_unsolvable_instance_is_proved(path: Path) -> None:
    instance = formats.read(path)
    stage = LATER.get(name(path), "lattice")
    answer = solve(instance, "coloring")  # which checks the certificate
    assert (answer.result.status, answer.result.stats["stage"]) == (Status.UNSAT, stage)


#: The prover must distinguish cases.
SPLIT = formats.inline(["4x7", "2:4O", "2:4L", "2:5X", "1:5P", "2:5T"], reflections=True)


@pytest.mark.parametrize(
    "stem", ["", pytest.param("5r-plus_u", marks=pytest.mark.long), pytest.param("5r-diamond_u", marks=pytest.mark.slow)]
)
def test_case_splits(stem: str) -> None:
    answer = solve(formats.read(PROBLEMS / "many-unique" / f"{stem}.txt") if stem else SPLIT, "coloring")
    assert (answer.result.status, answer.result.stats["stage"]) == (Status.UNSAT, "cases")
    assert answer.result.nodes < 500


@pytest.mark.parametrize("spec", ["coloring", "coloring:stages=cases"])
def test_a_proof_about_what_forced_placements_leave_says_so(spec: str) -> None:
    # The single cell must stay open; that 5 of the tiles cannot be had is seen only then.
    board = frozenset(
        {(4, 0, 3), (1, 2, 3), (3, 2, 0), (1, 2, 2), (0, 2, 4), (2, 2, 3), (0, 4, 3), (0, 2, 3), (1, 4, 4), (3, 2, 2)}
        | {(1, 2, 4), (0, 4, 2)}
    )
    tiles = (
        Tile("p0", frozenset({(2, 0, 1), (0, 0, 0)}), at_least=5, at_most=5, lattice=CUBIC),
        Tile("p1", frozenset({(0, 2, 0), (2, 0, 0)}), lattice=CUBIC),
    )
    optional = frozenset({(4, 0, 3), (1, 2, 3), (3, 2, 2), (0, 4, 3)})
    instance = Instance(board, tiles, reflections=True, optional=optional, lattice=CUBIC)
    assert solve(instance, spec).result.status is Status.UNSAT


@pytest.mark.long
@pytest.mark.parametrize(
    ("stages", "some"),
    [
        ("lattice", True),
        *(pytest.param(stages, False, marks=pytest.mark.slow) for stages in ("lattice", "lattice+weights+probe")),
    ],
)
def test_no_solvable_instance_is_claimed(stages: str, some: bool) -> None:
    """Of all problems, or of some: the first and the last of each folder."""
    solvable = [path for path in FILES if path.stem.endswith("_s") and formats.read(path).crossing]
    assert len(solvable) >= 161
    if some:
        ends = {path.parent: path for path in solvable}, {path.parent: path for path in reversed(solvable)}
        solvable = [path for each in ends for path in each.values()]
    for path in solvable:
        answer = solve(formats.read(path), f"coloring:stages={stages}")
        assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.UNDECIDED), path


@pytest.mark.long
@pytest.mark.parametrize(
    "instance",
    [
        rectangle(100, 100, (0, 0), (99, 99), tile="2"),
        rectangle(102, 102, tile="4I"),
        rectangle(50, 50, tile="4L"),
        formats.inline(["10x10x10", "1x2x4"]),
    ],
    ids=["mutilated 100x100", "4I 102x102", "4L 50x50", "1x2x4 10x10x10"],
)
def test_expressions_stay_short(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the elimination takes a few steps for each placement, and adds two or three coefficients for it."""
    added = []

    def counted(vector: elimination.Vector, other: elimination.Vector, factor: int) -> None:
        added.append(len(other))
        add(vector, other, factor)

    add = elimination._add
    monkeypatch.setattr(elimination, "_add", counted)
    cover = BoardCover.of(instance)
    assert parse_spec("coloring").solve(cover, Question()).status is Status.UNSAT
    assert len(cover) < sum(added) < 5 * len(cover)


def test_it_never_answers_sat_and_has_limits() -> None:
    solvable = rectangle(8, 9, tile="3I")
    answer = solve(solvable, "coloring")
    assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)
    assert answer.result.message == "no colouring can prove it: there is a signed tiling with 24 copies of 3I"
    answer = solve(rectangle(8, 8, tile="2"), "coloring")
    assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)
    assert answer.result.message == "there is a tiling"
    large = rectangle(60, 60, tile="5P")
    answer = solve(large, "coloring", Question(limits=Limits(seconds=0.05)))
    assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.TIME)

    answer = solve(large, "coloring", on_tick=lambda progress: not progress.stats)  # which the prover's first tells
    assert answer.result.stop is Stop.INTERRUPTED
    threads = threading.active_count()
    impatient = Follower(stop_at=1).follow(parse_spec("coloring").start(BoardCover.of(large), Question()))
    assert (impatient.ticks, impatient.result) == (1, None)
    assert threading.active_count() == threads


def test_stages_and_limits_are_options() -> None:
    for spec in ("stages=lattice+weights+probe", "nodes=3"):
        assert solve(SPLIT, f"coloring:{spec}").result.status is Status.UNKNOWN
    mixed = formats.read(PROBLEMS / "mixed" / "4Os-4T-06x06_u.txt")
    assert solve(mixed, "coloring:stages=weights,placements=10").result.status is Status.UNKNOWN
    with pytest.raises(BadOption, match="'weight' is no stage; nearest: weights"):
        parse_spec("coloring:stages=area+weight")
    with pytest.raises(BadOption, match="leave out filter and anchor"):
        solve(mixed, "coloring:filter=dead")
    with pytest.raises(BadOption, match="coloring: it cannot count; these can count: "):
        solve(mixed, "coloring", Question(Goal.COUNT))


# Probing


@pytest.mark.parametrize("stem", ["5r-diamond_u", "5r-hskew-06x10_u", "5r-06x10_s"])
def test_probing_rules_out_what_the_plain_filters_do(stem: str) -> None:
    cover = BoardCover.of(formats.read(PROBLEMS / "many-unique" / f"{stem}.txt"))
    kept = {name: set(filters.apply(cover, name).origin.tolist()) for name in ("dead", "volume", "probe")}
    assert kept["probe"] <= kept["dead"] & kept["volume"]
    assert len(kept["probe"]) < len(cover)


@settings(max_examples=100)
@given(instances(max_cells=12, words=False))
def test_the_filter_keeps_every_tiling(instance: Instance) -> None:
    answer = solve(instance, "backtracking:filter=probe", Question(Goal.ENUMERATE))
    assert set(map(as_tiling, answer.solutions)) == tilings(instance)


def test_signed_tilings_keep_to_both_bounds() -> None:
    """Two dominoes cover the board, but one cell is asked for beside them, or a third copy of a domino is forbidden."""
    two = {(0, 0, 1): 1, (0, 2, 3): 1}
    assert checker.error_in_signed(formats.inline(["2x2", "2", "1"]), two) is None
    assert "used 0 times" in str(checker.error_in_signed(formats.inline(["2x2", "2", "1..:1"]), two))
    assert "used 2 times" in str(checker.error_in_signed(formats.inline(["2x2", "1:2", "1"]), two))
