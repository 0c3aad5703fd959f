"""Orders of cells for backtracking: how they are drawn, read and followed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

import brute_force
import pytest
from commands import call
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_backtracking import Reference
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.backtracking import Backtracking, cell_orders
from tiler.backends.registry import matching, parse_spec, with_files
from tiler.bench import plan
from tiler.bench.job import matrix
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BadOption, InputError
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.lattices import LATTICES, SQUARE
from tiler.model.text_maps import has_maps
from tiler.question.question import Goal, Question
from tiler.report import names

SPIRAL = """\
# round and round
 1  2  3  4
10 11 12  5
 9  8  7  6
"""
IN_A_LINE = "1.2.3.4/10.11.12.5/9.8.7.6"


def rectangle(rows: int, columns: int) -> frozenset[Cell]:
    return frozenset(itertools.product(range(rows), range(columns)))


def picture(order: Sequence[Cell]) -> list[list[int]]:
    """The numbers of an order of a rectangle, row by row."""
    number = {cell: at for at, cell in enumerate(order, 1)}
    rows, columns = (range(max(cell[axis] for cell in order) + 1) for axis in (0, 1))
    return [[number[row, column] for column in columns] for row in rows]


def test_the_presets_run_as_they_are_called() -> None:
    board = rectangle(3, 4)
    assert picture(cell_orders.in_order("rows", SQUARE, board)) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    assert picture(cell_orders.in_order("columns", SQUARE, board)) == [[1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, 12]]
    assert picture(cell_orders.in_order("spiral", SQUARE, board)) == [[1, 2, 3, 4], [10, 11, 12, 5], [9, 8, 7, 6]]
    for rows, columns in ((1, 5), (5, 1), (5, 5), (6, 2), (2, 6)):
        spiral = cell_orders.in_order("spiral", SQUARE, rectangle(rows, columns))
        steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in itertools.pairwise(spiral)]
        assert set(steps) <= {1}, "a spiral on a rectangle goes from neighbour to neighbour"
        assert len(spiral) == rows * columns


def test_a_file_is_read_into_one_line_and_written_again(tmp_path: Path) -> None:
    (tmp_path / "order.txt").write_text(SPIRAL)
    assert cell_orders.of_file("order.txt", tmp_path) == IN_A_LINE
    assert cell_orders.in_lines(IN_A_LINE) == SPIRAL.partition("\n")[2]
    assert cell_orders.in_order(IN_A_LINE, SQUARE, rectangle(3, 4)) == cell_orders.in_order("spiral", SQUARE, rectangle(3, 4))
    # Only the order of the numbers counts.
    (tmp_path / "gaps.txt").write_text("10 20\n. 700\n")
    assert cell_orders.of_file("gaps.txt", tmp_path) == "1.2/.3"
    for preset in cell_orders.PRESETS:
        assert cell_orders.of_file(preset, tmp_path) == preset


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 2\n3 1x\n", "line 2: '1x' is no number; a place without a cell is a full stop"),
        ("1 2\n\n3 1\n", "the number 1 stands twice, in lines 1 and 3"),
        ("1 2 2\n", "the number 2 stands twice, in line 1"),
        ("# nothing\n. .\n", "there is no number"),
        ("1 -2\n", "line 1: '-2' is no number"),
        ("1 \N{SUPERSCRIPT TWO}\n", "is no number"),
    ],
)
def test_a_wrong_file_is_refused_in_words(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "order.txt").write_text(text)
    with pytest.raises(InputError, match=re.escape(said)):
        cell_orders.read(text)
    with pytest.raises(BadOption, match=re.escape(f"backtracking: cells=order.txt: {said}" if said[0] == "l" else said)):
        with_files("backtracking:cells=order.txt", tmp_path)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("backtracking:cells=spirals", "there is no such file, and no order of that name; nearest: spiral"),
        ("backtracking:cells=.", "Is a directory"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, spec: str, said: str) -> None:
    with pytest.raises(BadOption, match=re.escape(said)):
        with_files(spec, tmp_path)


def test_a_spec_reads_no_file_by_itself(tmp_path: Path) -> None:
    (tmp_path / "order.txt").write_text(SPIRAL)
    with pytest.raises(BadOption, match="files are for commands and campaigns"):
        parse_spec(f"backtracking:cells={tmp_path / 'order.txt'}")
    assert with_files("dlx:order=first", tmp_path) == "dlx:order=first"
    assert with_files("backtracking:cells=*", tmp_path) == "backtracking:cells=*"
    assert with_files("elsewhere:cells=order.txt", tmp_path) == "elsewhere:cells=order.txt"
    assert next(map(str, matching("backtracking:cells=spiral,order=*"))) == "backtracking:cells=spiral"


@settings(max_examples=60)
@given(instances(words=False), st.data(), st.sampled_from(["default", "frequent", "rare", "fill-row"]))
def test_any_order_finds_the_same_tilings_by_the_nodes_of_the_reference(
    instance: Instance, data: st.DataObject, order: str
) -> None:
    cells = data.draw(st.permutations(sorted(instance.board)))
    drawn = cell_orders.drawn(instance.lattice, cells)
    compiled = solve(instance, Backtracking(order=order, cells=drawn), Question(Goal.ENUMERATE))
    reference = solve(instance, Reference(order=order, cells=tuple(cells)), Question(Goal.ENUMERATE))
    assert cell_orders.in_order(drawn, instance.lattice, instance.board) == cells
    assert compiled.result.nodes == reference.result.nodes
    assert compiled.solutions == reference.solutions
    assert set(map(brute_force.as_tiling, compiled.solutions)) == set(brute_force.tilings(instance))


@pytest.mark.parametrize("name", [name for name, lattice in LATTICES.items() if has_maps(lattice)])
@settings(max_examples=10)
@given(data=st.data())
def test_orders_are_drawn_on_every_lattice_with_maps(name: str, data: st.DataObject) -> None:
    instance = data.draw(instances(words=False, lattice=LATTICES[name]))
    cells = data.draw(st.permutations(sorted(instance.board)))
    drawn = cell_orders.drawn(instance.lattice, cells)
    assert cell_orders.error_in(drawn) is None
    assert cell_orders.refusal(drawn, instance.lattice, instance.board) is None
    assert cell_orders.in_order(drawn, instance.lattice, instance.board) == cells


def test_an_order_of_another_board_is_refused() -> None:
    other = formats.inline(["4x4", "2"])
    backend = Backtracking(cells=IN_A_LINE)
    said = backend.refusal(Question(), BoardCover.of(other))
    assert said == "the order of cells has 12 numbers, the board 16 cells"
    turned = BoardCover.of(formats.inline(["3x4", "2"]))
    assert backend.refusal(Question(), turned) == "the order of cells has no number for the cell 3,0"
    assert backend.refusal(Question(), Cover.from_rows([["a"]])) == f"cells={IN_A_LINE} needs a board, not a general exact cover"


def test_records_hold_the_order_itself(tmp_path: Path) -> None:
    (tmp_path / "order.txt").write_text(SPIRAL)
    (tmp_path / "campaign.toml").write_text('solvers = ["backtracking:cells=order.txt"]\n')
    (part,) = plan.read(str(tmp_path / "campaign.toml")).parts
    assert part.solvers == (f"backtracking:cells={IN_A_LINE}",)
    (job,) = matrix([formats.inline(["4x3", "2"])], part.solvers, Question(Goal.COUNT))
    (tmp_path / "order.txt").write_text(SPIRAL.replace("10", "13"))
    (changed,) = matrix(
        [formats.inline(["4x3", "2"])], plan.read(str(tmp_path / "campaign.toml")).parts[0].solvers, Question(Goal.COUNT)
    )
    assert job.head["solver"] == f"backtracking:cells={IN_A_LINE}"
    assert job.key != changed.key
    labels = names.labels([job.solver, changed.solver, "backtracking"])
    assert len(set(labels.values())) == 3
    assert max(map(len, labels.values())) < 30


def test_the_command_takes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "order.txt").write_text(SPIRAL)
    solver = f"backtracking:cells={tmp_path / 'order.txt'}"
    status, out, err = call(capsys, "count", "4x3", "2", "--solver", solver, "--stats")
    assert (status, out) == (0, "11\n")
    assert f"cells={IN_A_LINE}" in err
    assert "nodes   44" in err
    status, _, err = call(capsys, "count", "4x4", "2", "--solver", solver)
    assert (status, err) == (2, "tiler: backtracking: the order of cells has 12 numbers, the board 16 cells\n")
