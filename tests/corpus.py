"""The stored corpus: small instances of every sort with the answers of the brute force, drawn once, in data/corpus.jsonl.

`python tests/corpus.py --draw` draws it again. Every line is an instance with its sort, the seed that it was drawn by, the order
of its group of symmetries, a digest of all placements that it has, those that its tilings use, and its tilings as numbers of
these, one list for each orbit. Lines of the sort `rows` are general exact covers with their solutions, those of the sort `wide`
large boards with the number of their tilings alone. tests/test_stored_corpus.py asks the brute force again.
"""

from __future__ import annotations

import hashlib
import json as plain_json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, combinations, count
from pathlib import Path
from random import Random
from typing import Any

import brute_force
import painted
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from strategies import constrained, instances, wrapped

from tiler import formats
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover, RowCover
from tiler.formats import json
from tiler.model import corners
from tiler.model.instance import Instance
from tiler.model.lattice import box
from tiler.model.lattices import LATTICES, SQUARE_EDGES, TRIANGULAR_EDGES
from tiler.selftest import brute_force as unbounded
from tiler.selftest import random_instances
from tiler.selftest.brute_force import Cells, Part, Tiling
from tiler.selftest.examples import Example

FILE = Path(__file__).parent / "data" / "corpus.jsonl"
_MOST = 60  #: tilings of an instance
_MOST_PLACEMENTS = 150
_MOST_WIDE = 3000  #: tilings of a wide board
_DRAWN = 5  #: instances drawn for each that is chosen

#: What draws new instances and asks the brute force about them.
by_night = pytest.mark.skipif(settings.default.derandomize, reason="draws new instances: HYPOTHESIS_PROFILE=nightly")

Content = dict[str, Any]
_EMPTY = ("fits", "back")  #: what says something though it is empty


# What is drawn.


@st.composite
def _crossing(draw: st.DrawFn) -> Instance:
    """Edges that meet in one point and some others, where no two tiles may cross."""
    lattice, name = draw(st.sampled_from([(SQUARE_EDGES, "2x2"), (TRIANGULAR_EDGES, "hex:1")]))
    whole = formats.inline([name, "1-1"], lattice=lattice.name).board
    middle = tuple((a + b) // 2 for a, b in zip(*box(whole), strict=True))
    meeting = frozenset(edge for edge in whole if middle in corners.corners(lattice, edge))
    others = draw(st.permutations(sorted(whole - meeting)))
    shapes = ["1-1", "2-1", "2-2", "3-1", "3-2", "3-3"] if lattice is SQUARE_EDGES else ["1-1", "2-1", "2-2", "2-3"]
    chosen = draw(st.lists(st.sampled_from(shapes), min_size=2, max_size=2, unique=True))
    blocks = [draw(st.sampled_from(["", "0..4:", "1:"])) + shape for shape in chosen]
    tiles = formats.inline([name, *blocks], lattice=lattice.name, reflections=True).tiles
    least = draw(st.integers(0, 3))
    stay_open = draw(st.none() | st.integers(least, least + 2).map(lambda most: (least, most)))
    board = meeting | frozenset(others[: 8 - len(meeting)])
    return Instance(board, tiles, reflections=True, lattice=lattice, open=stay_open, crossing=False)


@st.composite
def _not_turned(draw: st.DrawFn) -> Instance:
    lattice = draw(st.sampled_from(list(LATTICES.values())))
    plain = instances(max_cells=12, words=False, lattice=lattice)
    made = draw(plain | plain | wrapped(plain))
    return replace(made, turning=False, reflections=False, constraints=())


@st.composite
def _painted(draw: st.DrawFn) -> Instance:
    number, lattice = draw(st.integers(0, 10**6)), draw(st.sampled_from(list(LATTICES.values())))
    return random_instances.instance(Random(number), lattice, wrapped=number % 3 == 0, painted=True)


@st.composite
def covers(draw: st.DrawFn) -> Content:
    """Rows, secondary items, a key for each row, and bounds on some keys: as `Cover.from_rows` takes them."""
    items = "abcde"[: draw(st.integers(1, 5))]
    row = st.sets(st.sampled_from(items), min_size=1).map(sorted)
    rows = draw(st.lists(row, min_size=1, max_size=7))
    there = sorted({item for row in rows for item in row})
    secondary = draw(st.lists(st.sampled_from(there), unique=True))
    keys = draw(st.lists(st.sampled_from("xy"), min_size=len(rows), max_size=len(rows)))
    some = st.dictionaries(st.sampled_from(sorted(set(keys))), st.integers(0, 2))
    at_least = draw(some)
    at_most = {key: max(1, most, at_least.get(key, 0)) for key, most in draw(some).items()}
    return {"rows": rows, "secondary": secondary, "tile_of": keys, "at_least": at_least, "at_most": at_most}


def _wide(chance: Random) -> Instance:
    """A board of three rows or columns, some bounds, and now and then a tile that must lie at one end."""
    long, lies = chance.randint(22, 25), chance.random() < 0.5
    tiles = chance.sample(["2", "3I", "3L", "4L", "4O", "4T", "5P", "2x3"], 3)
    bounds = [chance.choice(["", "1:", "2:", "0..2:", "1..3:", "1..1:"]) for _ in tiles]
    blocks = [f"{long}x3" if lies else f"3x{long}", *(bound + tile for bound, tile in zip(bounds, tiles, strict=True))]
    end = chance.randint(2, 5)
    inside = f"{tiles[0]} 0,0..{f'2,{end}' if lies else f'{end},2'}"
    return formats.constrained(formats.inline(blocks), [("within", inside)] if chance.random() < 0.5 else [])


_plain = instances(max_cells=12, wide=True, words=False)
_on = {lattice: instances(max_cells=9, max_tile=3, words=False, lattice=lattice) for lattice in LATTICES.values()}
_others = st.sampled_from([some for lattice, some in _on.items() if not lattice.has_boxes])

#: Boards: what is drawn, and how many are chosen at most, a quarter of them without a tiling.
BOARDS: dict[str, tuple[st.SearchStrategy[Instance], int]] = {
    "plain": (_plain, 45),
    "constrained": (constrained(_plain), 45),
    "painted": (_painted(), 36),
    "marks": (st.integers(0, 10**6).map(painted.drawn), 24),
    "crossing": (_crossing(), 12),
    "not turned": (_not_turned(), 16),
    "wrapped": (st.sampled_from(list(_on.values())).flatmap(wrapped), 36),
    "lattices": (_others.flatmap(lambda some: some | some | constrained(some)), 32),
}
_ROWS, _WIDE = 40, 6  #: how many of those are chosen

#: Wide boards beside those that are drawn: with a constraint, and with more than 704 placements.
_GIVEN: list[tuple[list[str], list[tuple[str, str]]]] = [
    (["24x3", "3I", "1:2x3"], [("within", "2x3 0,0..2,1")]),
    (["17x4", "4L", "1:4T", "1:4S"], []),
    (["5x8", *(f"1:{letter}" for letter in "FILNPTUV")], []),
]


# What is known of it.


@dataclass(frozen=True, repr=False)
class Board(Example):
    """An instance with all its tilings, its orbits, and the order of its group."""

    sort: str
    seed: int
    placed: str = ""  #: the digest of all placements that the constraints allow, where it is stored

    def __repr__(self) -> str:
        """What to try by hand when a test fails."""
        return f"{self.sort} {self.seed}: {json.write(self.instance)}"

    @property
    def number_of_orbits(self) -> int:
        return len(set(self.orbits.values()))

    @cached_property
    def features(self) -> frozenset[str]:
        return frozenset(features(self))


@dataclass(frozen=True)
class Rows:
    """A general exact cover with all its solutions."""

    cover: RowCover
    solutions: frozenset[tuple[int, ...]]
    given: Content


@dataclass(frozen=True)
class Wide:
    """A board with more than 64 cells or more than 704 placements, and the number of its tilings."""

    instance: Instance
    count: int


def boards(*sorts: str) -> tuple[Board, ...]:
    """Those of these sorts, or all."""
    return tuple(chain.from_iterable(map(_boards, sorts or BOARDS)))


@cache
def rows() -> tuple[Rows, ...]:
    return tuple(
        Rows(Cover.from_rows(**line["instance"]), frozenset(map(tuple, line["solutions"])), line["instance"])
        for line in _lines()["rows"]
    )


@cache
def wide() -> tuple[Wide, ...]:
    return tuple(Wide(json.parse(plain_json.dumps(line["instance"])), line["count"]) for line in _lines()["wide"])


@cache
def covering(number: int, most: float = brute_force.MANY) -> tuple[Board, ...]:
    """A few boards, with at most so many tilings, that between them have all features `number` times, where they can.

    Boards that take long are left out: painted ones where others do, and those on which FILA waits with many corners.
    """
    left = [board for board in boards() if len(board.tilings) <= most and len(board.cover.corners) < 8]
    wanted = Counter(feature for board in left for feature in board.features)
    wanted = Counter({feature: min(number, times) for feature, times in wanted.items()})
    chosen: list[Board] = []
    while +wanted:
        missing = [sum(wanted[feature] > 0 for feature in board.features) / (1 + board.instance.is_painted) for board in left]
        best = left[missing.index(max(missing))]
        left.remove(best)
        chosen.append(best)
        wanted.subtract(best.features)
    return tuple(chosen)


@cache
def _boards(sort: str) -> tuple[Board, ...]:
    return tuple(_board_of(line) for line in _lines()[sort])


def _board_of(line: Content) -> Board:
    lying = [(name, frozenset(map(_tuples, cells))) for name, cells in line["placements"]]
    orbits = [frozenset(frozenset(lying[number] for number in tiling) for tiling in orbit) for orbit in line["orbits"]]
    instance = json.parse(plain_json.dumps(line["instance"]))
    assert instance.digest == line["digest"]
    board = Board(instance, frozenset().union(*orbits), line["sort"], line["seed"], line["placed"])
    # The brute force is not asked for them.
    vars(board).update(orbits={tiling: orbit for orbit in orbits for tiling in orbit}, order=line["order"])
    return board


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@cache
def _lines() -> dict[str, list[Content]]:
    lines: dict[str, list[Content]] = {}
    for line in map(plain_json.loads, FILE.read_text().splitlines()):
        lines.setdefault(line["sort"], []).append(line)
    return lines


def features(board: Board) -> Iterator[str]:
    """What an instance has that a solver, a format or a picture may take care of."""
    instance, tilings = board.instance, board.tilings
    if board.cover.refusal():
        yield "no search"
    yield f"{instance.lattice.name}{' wrapped' * bool(instance.wrap)}"
    yield "many tilings" if len(tilings) > 4 else "some tilings" if len(tilings) > 1 else "one tiling" if tilings else "no tiling"
    if tilings and board.order > 1:
        yield "several tilings in an orbit" if len(board.tilings) > board.number_of_orbits else "symmetric tilings"
    yield "in space" if instance.dimension == 3 else "in the plane"
    yield "not turned" if not instance.turning else "turned over" if instance.reflections else "turned"
    if len(instance.distinct_tiles) < len(instance.tiles):
        yield "equal tiles"
    for tile in instance.tiles:
        yield "bounded above" if tile.at_most is not None else "unbounded"
        if tile.at_least:
            yield "bounded below"
        if not tile.lattice.is_connected(tile.shape):
            yield "a tile in parts"
        yield from _of_paint(instance, tile.paint)
    if len(instance.lattice.components(instance.board)) > 1 and not instance.wrap:
        yield "a board in parts"
    if instance.optional:
        yield "a number of open cells" if instance.open else "groups of open cells" if instance.groups else "open cells"
    if not instance.crossing:
        yield "not crossing"
    yield from (f"{each.kind}{' way' * bool(each.kind == 'place' and each.orientations)}" for each in instance.constraints)
    if instance.wrap:
        yield f"wrapped {len(instance.wrap.vectors)} times of {instance.dimension}"
        if any(sum(map(bool, vector)) > 1 for vector in instance.wrap.vectors):
            yield "wrapped askew"
    if instance.is_painted:
        ground = instance.ground
        yield from (word for word in ("colours", "border", "mates") if getattr(ground, word))
        if ground.fits is not None:
            yield "fits"


def _of_paint(instance: Instance, paint: Any) -> Iterator[str]:
    if paint.front.colours or paint.back.colours:
        yield "coloured cells"
    if paint.front.marks or paint.back.marks:
        yield "marks in space" if instance.dimension == 3 else "marks"
    if paint.front != paint.back:
        yield "another back"


# How it was drawn.


def drawn(some: st.SearchStrategy[Any], number: int) -> Any:
    """What a strategy draws with this seed; None if that makes no sense."""
    found: list[Any] = []

    # The first ones are simpler than others.
    @seed(number)
    @settings(max_examples=6, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(some)
    def draw(each: Any) -> None:
        found.append(each)

    try:
        draw()
    except Unsatisfiable:
        return None
    return found[-1] if len(found) > 3 else None


def is_small(instance: Instance) -> bool:
    """Whether the brute force is done with it soon."""
    return bool(instance.tiles) and len(BoardCover.of(instance)) <= _MOST_PLACEMENTS


def asked(instance: Instance, sort: str, number: int, most: float = _MOST) -> Board | None:
    """The same with the answers of the brute force; None if there are more tilings."""
    try:
        return Board(instance, frozenset(unbounded.allowed_tilings(instance, most)), sort, number)
    except unbounded.TooManyError:
        return None


def placed(instance: Instance) -> str:
    """The digest of all placements that the constraints allow."""
    return digest_of(unbounded.placements(instance))


def digest_of(lying: Tiling) -> str:
    return _digest([[name, _in_order(cells)] for name, cells in sorted(lying, key=_name_and_parts)])


def _in_order(cells: Cells) -> list[Part]:
    return sorted(cells, key=lambda part: (len(part), str(part)))


def _name_and_parts(lying: tuple[str, Cells]) -> tuple[str, list[str]]:
    return lying[0], sorted(map(str, lying[1]))


def solutions_of(
    rows: list[list[str]], secondary: list[str], tile_of: list[str], at_least: dict[str, int], at_most: dict[str, int]
) -> list[list[int]]:
    """All sets of rows that cover as they should, by trying every set."""
    primary = {item for row in rows for item in row} - set(secondary)
    found = []
    for chosen in chain.from_iterable(combinations(range(len(rows)), size) for size in range(len(rows) + 1)):
        covered = Counter(item for number in chosen for item in rows[number])
        used = Counter(tile_of[number] for number in chosen)
        covers = max(covered.values(), default=0) <= 1 and primary <= set(covered)
        if covers and all(used[key] >= n for key, n in at_least.items()) and all(used[key] <= n for key, n in at_most.items()):
            found.append(list(chosen))
    return found


def _of_board(board: Board) -> Content:
    used = sorted({each for tiling in board.tilings for each in tiling}, key=_name_and_parts)
    number = {each: at for at, each in enumerate(used)}

    def told(tiling: Tiling) -> list[int]:
        return sorted(number[each] for each in tiling)

    return {
        "digest": board.instance.digest,
        "sort": board.sort,
        "seed": board.seed,
        "order": board.order,
        "placed": placed(board.instance),
        "instance": short(board.instance),
        "placements": [[name, _in_order(cells)] for name, cells in used],
        "orbits": sorted(sorted(map(told, orbit)) for orbit in set(board.orbits.values())),
    }


def short(instance: Instance) -> Content:
    """Its JSON without what need not be said."""

    def without(value: Any) -> Any:
        if not isinstance(value, dict):
            return value if not isinstance(value, list) else list(map(without, value))
        inside = {key: without(each) for key, each in value.items() if each is not None}
        # That no colours fit, or that a back is bare, is not to say nothing.
        return {key: each for key, each in inside.items() if each not in ("", [], {}) or key in _EMPTY}

    said: Content = without(plain_json.loads(json.write(instance)))
    assert json.parse(plain_json.dumps(said)) == instance
    return said


def _digest(content: Any) -> str:
    return hashlib.sha256(plain_json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _apart(some: Iterable[tuple[frozenset[str], int, Any]], number: int, there: Counter[str]) -> list[Any]:
    """So many that differ as much as possible in what they have; what is not `there` three times yet comes first."""
    left, chosen = list(some), []
    seen: Counter[tuple[str, str]] = Counter()

    def worth(each: tuple[frozenset[str], int, Any]) -> tuple[int, float, int]:
        features, size, _ = each
        return sum(there[one] < 3 for one in features), sum(2.0 ** -seen[pair] for pair in _pairs(features)), size

    while left and len(chosen) < number:
        best = max(left, key=worth)
        left.remove(best)
        seen.update(_pairs(best[0]))
        there.update(best[0])
        chosen.append(best[2])
    return chosen


@cache
def _pairs(some: frozenset[str]) -> tuple[tuple[str, str], ...]:
    if "no search" in some:
        return (("no search", "no search"),)
    return tuple(combinations(sorted(some), 2))


def _lines_drawn() -> Iterator[Content]:
    there = {True: Counter[str](), False: Counter[str]()}
    for sort, (strategy, wanted) in BOARDS.items():
        made = ((drawn(strategy, number), number) for number in range(_DRAWN * wanted))
        small = ((instance, number) for instance, number in made if instance is not None and is_small(instance))
        every = (asked(instance, sort, number) for instance, number in small)
        by_digest = {board.instance.digest: board for board in every if board is not None}
        chosen: list[Board] = []
        # A quarter has no tiling.
        for solvable, most in ((True, wanted - wanted // 4), (False, wanted // 4)):
            some = [(board.features, len(board.instance.board), board) for board in by_digest.values()]
            some = [each for each in some if bool(each[2].tilings) is solvable]
            chosen += _apart(some, most, there[solvable])
        yield from map(_of_board, sorted(chosen, key=lambda board: board.seed))
        print(f"{sort}: {len(chosen)} of {len(by_digest)}", file=sys.stderr)
    yield from _rows_drawn()
    yield from _wide_drawn()


def _rows_drawn() -> Iterator[Content]:
    some = {}
    for number in range(_DRAWN * _ROWS):
        data = drawn(covers(), number)
        if data is not None:
            found = solutions_of(**data)
            line = {"digest": _digest(data), "sort": "rows", "seed": number, "instance": data, "solutions": found}
            has = {f"{min(len(found), 3)} solutions", f"{len(data['rows'])} rows"}
            has |= {word for word in ("secondary", "at_least", "at_most") if data[word]}
            some[line["digest"]] = (frozenset(has), len(data["rows"]), line)
    yield from sorted(_apart(some.values(), _ROWS, Counter()), key=lambda line: line["seed"])


def _wide_drawn() -> Iterator[Content]:
    """The number of tilings of each is some, but not too many."""
    given = [formats.constrained(formats.inline(blocks, reflections=len(blocks) > 5), told) for blocks, told in _GIVEN]
    some = [(instance, -1, brute_force.number(instance)) for instance in given]
    for number in count():
        instance = _wide(Random(number))
        if BoardCover.of(instance).refusal() is None and 0 < (tilings := brute_force.number(instance)) <= _MOST_WIDE:
            some.append((instance, number, tilings))
        if len(some) == len(_GIVEN) + _WIDE:
            break
    for instance, number, tilings in some:
        yield {"digest": instance.digest, "sort": "wide", "seed": number, "instance": short(instance), "count": tilings}


def main() -> None:
    lines = [plain_json.dumps(line, separators=(",", ":")) for line in _lines_drawn()]
    FILE.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    if sys.argv[1:] != ["--draw"]:
        sys.exit("usage: python tests/corpus.py --draw")
    main()
