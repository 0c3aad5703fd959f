"""All tilings as one object: the same set as by brute force, whatever is asked of it, before and after it was in a file."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from brute_force import Tiling, allowed_tilings, as_tiling, tilings
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import constrained, instances, wrapped

import tiler
from tiler.backends.frontier.diagram import arcs
from tiler.backends.frontier.diagram.solution_diagram import SolutionDiagram
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.board import BoardCover
from tiler.cover.diagram import Diagram
from tiler.cover.diagram_operations import DiagramOperation, combine
from tiler.errors import BadArgument, BadOption, InputError, TilerError
from tiler.model import constraints
from tiler.model.instance import Instance
from tiler.model.lattices import HEXAGONAL, SQUARE, SQUARE_EDGES, TRIANGULAR
from tiler.selftest import random_instances

P = tiler.make("3x4", "2", "3L", reflections=True)
ALL = tiler.TilingSet.of(P)
ANY = instances(max_cells=12, words=False)
ELSEWHERE = [instances(max_cells=9, max_tile=3, words=False, lattice=each) for each in (HEXAGONAL, TRIANGULAR, SQUARE_EDGES)]


#: Painted, on wrapped boards too.
PAINTED = st.builds(
    lambda seed, lattice, wrapped: random_instances.instance(random.Random(seed), lattice, wrapped=wrapped, painted=True),
    st.integers(0, 2**32),
    st.sampled_from([SQUARE, HEXAGONAL, TRIANGULAR]),
    st.booleans(),
).filter(lambda made: bool(made.tiles) and not made.constraints and not made.optional and len(made.board) < 9)


def as_set(found: tiler.TilingSet) -> set[Tiling]:
    every = [as_tiling(tiling.placements) for tiling in found]
    assert len(set(every)) == len(every) == found.count
    return set(every)


@settings(max_examples=50)
@given(st.one_of(ANY, wrapped(ANY), *ELSEWHERE, wrapped(ELSEWHERE[0]), PAINTED), st.integers(0, 2**32))
def test_it_is_the_set_of_the_brute_force(instance: Instance, seed: int) -> None:
    found = tiler.TilingSet.of(instance)
    assume(found.count < 1000)
    every = tilings(instance)
    assert as_set(found) == every
    assert bool(found) == bool(every)
    chance = random.Random(seed)
    chosen = found[chance.randrange(found.count)] if every else None
    if chosen is None or not chosen.placements:
        return
    number = found.index(chosen)
    assert found[number].placements == found[number - found.count].placements == chosen.placements
    assert list(found.after(chosen)) == list(islice(found, number + 1, None))
    # With and without a placement.
    placement = chance.choice(chosen.placements)
    tile, cell = placement.tile, chance.choice(sorted(placement.cells))
    with_it, without = found.including(placement), found.excluding(placement)
    assert as_set(with_it) == {tiling for tiling in every if as_tiling((placement,)) <= tiling}
    assert as_set(without) == every - as_set(with_it)
    assert (chosen in without, chosen in with_it) == (False, True)
    assert with_it | without == found
    assert not with_it & without
    assert found - without == with_it
    # With a tile there, and so many copies of it.
    there = {tiling for tiling in every if any(name == tile and cell in cells for name, cells in tiling)}
    assert as_set(found.including((tile, cell))) == there
    assert as_set(found.excluding((tile, cell))) == every - there
    copies = Counter(each.tile for each in chosen.placements)[tile]
    exactly = found.using(tile, copies, copies)
    assert as_set(exactly) == {tiling for tiling in every if sum(name == tile for name, _ in tiling) == copies}
    assert exactly == found.using(tile, copies) & found.using(tile, at_most=copies)
    assert found - exactly == found.using(tile, copies + 1) | found.using(tile, at_most=copies - 1)


@settings(max_examples=30)
@given(constrained(ANY) | constrained(ELSEWHERE[0]))
def test_constraints_leave_what_they_leave_to_a_search(instance: Instance) -> None:
    found = tiler.TilingSet.of(replace(instance, constraints=()))
    written = [f"{each.kind}: {constraints.write(each)}" for each in instance.constraints]
    assert as_set(found.under(*written)) == allowed_tilings(instance) == as_set(tiler.TilingSet.of(instance))


def test_every_joining_is_that_of_sets() -> None:
    several = [
        ALL,
        ALL.using("3L", 4),
        ALL.using("2", 4),
        ALL.including(("2", (0, 0))),
        ALL.using("2", 99),
        ALL.excluding(("2", (1, 1))),
    ]
    for first in several:
        for second in several:
            a, b = as_set(first), as_set(second)
            assert (as_set(first & second), as_set(first | second), as_set(first - second)) == (a & b, a | b, a - b)
            assert (first == second) == (a == b)


def test_large_ones() -> None:
    dominoes = tiler.TilingSet.of(tiler.make("12x14", "2"))
    assert dominoes.count == tiler.count(dominoes.instance) > 1 << 64
    first = dominoes[0].placements[0]
    assert dominoes.including(first).count + dominoes.excluding(first).count == dominoes.count
    last = dominoes[-1]
    assert dominoes.index(last) == dominoes.count - 1
    assert next(dominoes.after(last), None) is None
    pentominoes = tiler.TilingSet.of(tiler.make("3x20", "1:pentominoes"))
    assert pentominoes.count == 8
    assert pentominoes._diagram.nodes < 90  # Of some thousand states.


def test_samples_are_uniform() -> None:
    few = ALL.using("3L", at_most=0)
    drawn = Counter(as_tiling(each.placements) for each in few.sample(20 * few.count, seed=11))
    assert drawn.keys() == as_set(few)
    assert sum((number - 20) ** 2 / 20 for number in drawn.values()) < 29.59  # 99.9 % for 10 degrees of freedom
    assert few.sample(3, seed=5) == few.sample(3, seed=5) != few.sample(3, seed=6)
    assert ALL.using("2", 99).sample(2) == ()


@pytest.mark.parametrize(
    "instance", [P, tiler.make("3x3", "2"), tiler.make("xxo/ooo", "2", "3L"), tiler.make("4x4", "2", wrap="rows")]
)
def test_saved_and_loaded(tmp_path: Path, instance: Instance) -> None:
    path = tmp_path / "all.tilings"
    before = tiler.TilingSet.of(instance)
    before.save(path)
    after = tiler.TilingSet.load(path)
    assert after == before
    assert (after.instance, list(after)) == (before.instance, list(before))


def damaged(content: bytes, seed: int) -> bytes:
    """A byte of it changed, some left out, or some more."""
    chance = random.Random(seed)
    at = chance.randrange(len(content))
    return [content[:at], content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :], content + b"\0"][
        seed % 3
    ]


def head_of(content: bytes) -> tuple[dict[str, object], bytes]:
    line, _, rest = content.partition(b"\n")
    return json.loads(line), rest


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "all.tilings"
    ALL.save(path)
    content, survived = path.read_bytes(), 0
    for seed in range(150):
        path.write_bytes(damaged(content, seed))
        with suppress(InputError):
            # What is not refused is another title, say.
            assert tiler.TilingSet.load(path).count == ALL.count
            survived += 1
    assert survived < 50


Change = Callable[[dict[str, object]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda head: head.update(schema="tiler-tilings-9"),
            "'tiler-tilings-9': this program reads tiler-tilings-1; make it anew",
        ),
        (lambda head: head.update(digest="0"), "of another problem than it says: '0', not "),
        (lambda head: head.update(placements="0"), "this version of Tiler numbers the placements otherwise; make it anew"),
        (lambda head: head.update(lengths={"layers": 10**15}), "not as it was written: damaged, torn or changed; make it anew"),
        (lambda head: head.update(problem=[]), "not as it was written"),
        (lambda head: head.update(problem={"schema": "tiler-instance-1"}), "missing|must"),
    ],
)
def test_files_that_say_what_is_not_so_are_refused(tmp_path: Path, change: Change, message: str) -> None:
    path = tmp_path / "all.tilings"
    ALL.save(path)
    head, rest = head_of(path.read_bytes())
    change(head)
    path.write_bytes(json.dumps(head).encode() + b"\n" + rest)
    with pytest.raises(InputError, match=message):
        tiler.TilingSet.load(path)


def test_a_graph_that_is_none_of_tilings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, diagram = tmp_path / "all.tilings", ALL._diagram
    wrong = [
        replace(diagram, target=diagram.target[::-1].copy()),
        replace(diagram, option=diagram.option[::-1].copy()),
        replace(diagram, option=diagram.option + 10_000),
        replace(diagram, starts=diagram.starts[::-1].copy()),
        replace(diagram, layers=diagram.layers + 1),
        replace(diagram, layers=diagram.layers[:-1]),
        replace(diagram, option=diagram.option * 0),
    ]
    for each in wrong:
        replace(ALL, _diagram=each).save(path)
        with pytest.raises(InputError, match="not as it was written"):
            tiler.TilingSet.load(path)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content in (
        b"",
        b"\0" * 99,
        b"{}\n",
        b"4x4\n\n2\n",
        b'{"schema": "tiler-tilings-1"}',
        b'{"schema": "tiler-tilings-1", "a": [[[\n',
    ):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"not a file of tilings|not as it was written"):
            tiler.TilingSet.load(path)
    with pytest.raises(InputError, match="there is no such file"):
        tiler.TilingSet.load(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be read: "):
        tiler.TilingSet.load(tmp_path)
    with pytest.raises(BadOption, match="cannot write"):
        ALL.save(tmp_path / "none/there")


Asked = Callable[[], object]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (lambda: ALL.including(("4L", (0, 0))), "tile: there is no tile 4L"),
        (lambda: ALL.including(("2", (9, 9))), r"cell: \(9, 9\) is not on the board"),
        (lambda: ALL.excluding("2"), "'2' is neither a placement nor a tile's name and a cell"),
        (lambda: ALL.including(replace(ALL[0].placements[0], tile="3L")), "is none of this instance"),
        (lambda: ALL.using("2", at_most=-1), "at_most=-1: it must be a whole number from 0"),
        (lambda: ALL.under("locked: 2"), "'locked: 2' is not KIND: WORDS; nearest: lock"),
        (lambda: ALL.under("forbid: 9,9 for 2"), r"\(9, 9\) is not a cell of the board"),
        (lambda: ALL & 3, "3 is not a set of tilings"),
        (lambda: ALL & tiler.TilingSet.of(tiler.make("2x2", "2")), "a set of tilings of another instance"),
        (lambda: ALL.index(tiler.TilingSet.of(tiler.make("2x2", "2"))[0]), "is not in this set"),
        (lambda: ALL.sample(0), "number=0: it must be a whole number from 1"),
        (lambda: ALL["2"], "'2' is not a whole number"),
        (lambda: tiler.TilingSet.of("3x3"), "is not an instance"),
        (lambda: tiler.TilingSet.load(3), "path=3: it must be the name of a file"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: Asked, message: str) -> None:
    with pytest.raises(TilerError, match=message) as caught:
        asked()
    assert isinstance(caught.value, BadArgument | InputError)
    with pytest.raises(IndexError, match="there is no tiling 99999"):
        ALL[99999]


def test_limits() -> None:
    with pytest.raises(tiler.Unfinished, match=r"the memory limit is reached|do not suffice"):
        tiler.TilingSet.of(tiler.make("26x26", "4I"), memory=1)
    with pytest.raises(tiler.Unfinished, match="the time limit is over"):
        tiler.TilingSet.of(tiler.make("26x26", "4I"), seconds=0.1)


def of_lists_and_tables(instance: Instance) -> tuple[Diagram, Diagram]:
    """The diagram from all layers in lists, and that from tables."""
    model, made = Model.of(BoardCover.of(instance)), []
    for suits in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Tables, "suits", lambda model, suits=suits: suits)
            whole = SolutionDiagram(model)
        for _ in whole.build():
            pass
        made.append(whole.diagram)
    return made[0], made[1]


@settings(max_examples=40)
@given(st.one_of(ANY, wrapped(ANY), ELSEWHERE[1]))
def test_lists_and_tables_have_the_same_diagram(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    if cover.refusal() is None and Tables.suits(Model.of(cover)):
        one, other = of_lists_and_tables(instance)
        assert one.total == other.total == combine(one, other, DiagramOperation.BOTH).total
        assert (one.nodes, one.arcs) == (other.nodes, other.arcs)


def test_arcs_in_several_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiler.make("4x5", "2", "2..3:3L", "0..1:4T")
    monkeypatch.setattr(arcs, "_ARCS", 1)
    monkeypatch.setattr(arcs, "_STEPS", 3)
    one, other = of_lists_and_tables(instance)
    assert one.total == other.total == combine(one, other, DiagramOperation.BOTH).total == tiler.count(instance, solver="dlx") > 0
