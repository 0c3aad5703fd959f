"""The front door: what a user types, what comes back, and what is refused."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from brute_force import as_tiling
from brute_force import tilings as brute_force

import tiler
from tiler.cli.main import main
from tiler.errors import BadArgument, BadOption, InputError, MissingDependency, TilerError, UnknownBackend

P = tiler.make("3x4", "2", "3L", reflections=True)
FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
ROWS = tiler.Cover.from_rows([["a", "b"], ["c"], ["a", "c"], ["b"]])
HARD = tiler.make("26x26", "4T", "4L", "3I")


def test_the_twelve_pentominoes() -> None:
    p = tiler.make("6x10", "1:pentominoes")
    assert p == tiler.make("6x10", "1:pentominoes", reflections=True)
    assert p == tiler.make("6x10", *FREE, reflections=True)
    assert tiler.count(p) == 9356
    assert tiler.count(p, up_to_symmetry=True) == 2339
    answer = tiler.solve(p, solver="dlx", seconds=60)
    assert answer.status == "sat"
    assert answer.stop == "done"
    assert answer.tiling is not None
    assert sorted(placement.tile for placement in answer.tiling) == [f"5{letter}" for letter in sorted("FILNPTUVWXYZ")]
    assert len(list(tiler.tilings(p, limit=5))) == 5
    assert len({frozenset(tiling) for tiling in tiler.sample(p, 3, seed=1)}) == 3


def test_sets_say_whether_pieces_may_be_turned_over() -> None:
    twelve = tiler.make("3x20", "1:pentominoes")
    assert twelve == tiler.make("3x20", *FREE, reflections=True)
    assert not tiler.make("5x18", "1:one-sided-pentominoes").reflections
    with pytest.raises(tiler.errors.InputError, match="pentominoes may be turned over, but reflections are not allowed"):
        tiler.make("3x20", "1:pentominoes", reflections=False)
    assert not tiler.make("3x20", "1:pentominoes", reflections=False, as_named=True).reflections


def test_tilings_are_those_of_the_brute_force() -> None:
    found = list(tiler.tilings(P))
    assert {as_tiling(tiling.placements) for tiling in found} == brute_force(P)
    assert tiler.count(P) == len(found) == len(set(found))
    assert tiler.uses(P).tilings == len(found)
    for placement, number in tiler.uses(P).items():
        assert number == sum(placement in tiling for tiling in found)


def test_the_heaviest() -> None:
    p = tiler.make("6x6", "2", "3I", "1", weights={"3I": 9, "2": 5})
    answer = tiler.solve(p, solver="dlx", optimise=True)
    assert (answer.value, answer.bound) == (108, 108)
    assert repr(answer).startswith("Answer(sat, weight 108, dlx, ")


def test_general_exact_covers() -> None:
    assert tiler.solve(ROWS).tiling in [(0, 1), (2, 3)]
    assert tiler.count(ROWS) == 2
    assert sorted(tiler.tilings(ROWS, solver="dlx")) == [(0, 1), (2, 3)]
    assert repr(ROWS) == "Cover(4 rows, 3 items)"


class Sparse:
    """What SciPy's sparse matrices have."""

    def __init__(self, row: list[int], col: list[int], data: list[int], shape: tuple[int, int]) -> None:
        self.row, self.col, self.data, self.shape = np.array(row), np.array(col), np.array(data), shape

    def tocoo(self) -> Sparse:
        return self


def test_matrices_are_exact_covers() -> None:
    dense = np.array([[1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 0]])
    sparse = Sparse([3, 2, 2, 1, 0, 0, 3], [1, 2, 0, 2, 1, 0, 0], [1, 1, 1, 1, 1, 1, 0], (4, 3))
    for matrix in (dense, dense.astype(bool), sparse, dense.tolist()):
        cover = tiler.Cover.from_matrix(matrix)
        assert (cover.rows, cover.given) == (((0, 1), (2,), (0, 2), (1,)), 3)
        assert sorted(tiler.tilings(cover, solver="dlx")) == [(0, 1), (2, 3)]
    assert tiler.count(tiler.Cover.from_matrix([[1, 0], [1, 0]])) == 0  # Nothing covers the second item.
    for wrong, why in (
        (np.array([[1, 2]]), "holds 0 and 1, not 2"),
        (np.array([1, 0]), r"shape \(2,\) is no matrix"),
        ([[1], [0, 1]], "rows of one length, not rows of 1 and of 2 numbers"),
        ([["1", "0"]], "holds 0 and 1, not '1'"),
    ):
        with pytest.raises(InputError, match=why):
            tiler.Cover.from_matrix(wrong)  # type: ignore[arg-type]
    for matrix in (dense, [[1, 0], [0, 1]], [[1, 0], [1, 0]], [[1, 0, 0], [0, 1, 1]]):
        with pytest.raises(InputError, match=r"write Cover.from_matrix\(rows\)"):
            tiler.Cover.from_rows(matrix)


def test_rows_that_hold_0_and_1_and_are_no_matrix() -> None:
    assert tiler.count(tiler.Cover.from_rows([[0], [1], [0, 1]])) == 2
    assert tiler.count(tiler.Cover.from_rows([[0], [1]])) == 1
    assert tiler.count(tiler.Cover.from_rows([[0, 1], [1, 0]], items=[0, 1])) == 2


def test_a_mapping_has_rows_under_names() -> None:
    assert tiler.count(tiler.Cover.from_rows({"A": [1, 2], "B": [2, 3]})) == 0
    named = {"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], "E": [2, 3, 6, 7], "F": [2, 7]}
    (solution,) = tiler.tilings(tiler.Cover.from_rows(named))
    assert [list(named)[row] for row in solution] == ["B", "D", "F"]


def test_a_tiling_as_arrays_and_cells() -> None:
    board = {(r + 2, c - 1) for r in range(3) for c in range(4)} - {(2, -1)}
    for tiling in tiler.tilings(tiler.make(board, "2", {(0, 0), (0, 1), (1, 0)})):
        array = tiling.to_numpy()
        assert array.shape == (3, 4)
        assert (array == 0).sum() == 1
        for number, placement in enumerate(tiling, 1):
            assert {(r + 2, c - 1) for r, c in np.argwhere(array == number).tolist()} == placement.cells
        assert {cell: tiling.cells[cell] for cell in board} == dict(tiling.cells)
    assert tiler.sample(tiler.make("2x2x3", "1x1x2"))[0].to_numpy().shape == (3, 2, 2)
    assert tiling.svg() == tiling._repr_svg_()


def test_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "p_s.txt").write_text("# title: A strip\n4x1\n\n2\n")
    (tmp_path / "p.dlx").write_text("a b\na\nb\na b\n")
    assert tiler.count(tiler.read(tmp_path / "p_s.txt")) == 1
    assert tiler.count(tiler.read_cover(str(tmp_path / "p.dlx"))) == 2
    with pytest.raises(BadArgument, match=r"read it with tiler\.read_cover"):
        tiler.read(tmp_path / "p.dlx")


def test_everything_shows_itself() -> None:
    tiling = next(tiler.tilings(P))
    assert repr(P) == "Instance(3x4 2 3L: 12 cells, 2 tiles, reflections)"
    assert repr(tiling).startswith("Tiling(3x4 2 3L: ")
    assert str(tiling).startswith("┌")
    proof = tiler.prove(tiler.make("6x6", "4L"))
    assert repr(proof) == "Proof(unsat: there is no tiling)"
    assert str(proof).startswith("unsat: there is no tiling\nrow stripes: ")
    uses = tiler.uses(P)
    assert str(uses).startswith("cell")
    nothing = tiler.prove(P)
    assert (repr(nothing), nothing._repr_svg_()) == ("Proof(sat: there is a tiling, so there is nothing to prove)", None)
    assert nothing.tiling is not None
    assert nothing.deciding_answer.threads == 1
    for shown in (P, tiling, tiler.solve(P), proof, uses, tiler.make("2x2x2", "1x1x2", "1:4branch")):
        svg = shown._repr_svg_()
        assert svg is not None
        assert ET.fromstring(svg).tag.endswith("svg")
    assert tiler.solve(tiler.make("3x3", "2"))._repr_svg_() is None
    assert tiler.solve(ROWS)._repr_svg_() is None
    assert len(repr(tiler.estimate(P, samples=20))) < 80


def test_pictures_of_instances_show_every_tile() -> None:
    svg = tiler.make("2x2", "2..3:1", "1:2", "3I", "1..:4O")._repr_svg_()
    assert svg is not None
    titles = [title.text for title in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["2x2 2..3:1 1:2 3I 1..:4O", "1: 2 to 3", "2", "3I: any number", "4O: at least 1"]


@pytest.mark.parametrize(
    ("ending", "begins"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("json", b'[{"tile"'), ("txt", "┌".encode())],
)
def test_tilings_are_saved(tmp_path: Path, ending: str, begins: bytes) -> None:
    path = tmp_path / f"x.{ending}"
    next(tiler.tilings(P)).save(path)
    assert path.read_bytes().startswith(begins)


def test_proofs_and_uses_are_saved(tmp_path: Path) -> None:
    proof, uses = tiler.prove(tiler.make("6x6", "4L")), tiler.uses(P)
    for ending in ("svg", "png", "txt", "json"):
        proof.save(tmp_path / f"proof.{ending}")
        uses.save(tmp_path / f"uses.{ending}")
    assert json.loads((tmp_path / "proof.json").read_text())["schema"] == "tiler-certificate-1"
    assert len((tmp_path / "uses.json").read_text().splitlines()) == 12
    with pytest.raises(BadOption, match=r"its name must end in \.svg, \.png, "):
        proof.save("x.gif")
    with pytest.raises(BadOption, match="there is nothing to write; sat: there is a tiling"):
        tiler.prove(P).save(tmp_path / "none.svg")
    assert not (tmp_path / "none.svg").exists()


def test_limits_are_written_as_on_the_command_line() -> None:
    board = tiler.make("4x4", "2")
    assert tiler.count(board, seconds="1m") == tiler.count(board, seconds=60) == 36
    with pytest.raises(BadArgument, match="seconds_each: '1q' is not a duration such as 10s, 2m or 1h"):
        tiler.rectangles("2", seconds_each="1q")
    assert tiler.rectangles("2", seconds_each="1m", up_to=2).primes


def test_limits_end_a_search() -> None:
    with pytest.raises(tiler.Unfinished, match="the time limit is over") as caught:
        tiler.count(HARD, seconds=0.05)
    assert (caught.value.stop, caught.value.found >= 0) == ("time", True)
    with pytest.raises(tiler.Unfinished):
        tiler.uses(HARD, seconds=0.05)
    with pytest.raises(tiler.Unfinished):
        tiler.sample(HARD, seconds=0.05)
    with pytest.raises(tiler.Unfinished):
        list(tiler.tilings(tiler.make("26x26", "4T", "4Z"), solver="backtracking", seconds=0.05))
    answer = tiler.solve(tiler.make("26x26", "4T", "4Z"), solver="backtracking", seconds=0.05)
    assert (answer.status, answer.stop, answer.tiling, answer.message) == ("unknown", "time", None, "the time limit is over")
    assert repr(answer).startswith("Answer(unknown (time), pieces not turned over, backtracking, ")


@pytest.mark.long
@pytest.mark.parametrize("solver", ["dlx", "sat", "cpsat"])
def test_leaving_the_loop_ends_the_search(solver: str) -> None:
    code = f"""
import multiprocessing, psutil, tiler
for tiling in tiler.tilings(tiler.make("8x8", "2"), solver="{solver}"):
    break
del tiling
print(len(psutil.Process().children(recursive=True)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


@pytest.mark.long
def test_benchmark(tmp_path: Path) -> None:
    problems = ["4L/06x06_u", tiler.make("4x4", "2")]
    made = tiler.benchmark(problems, solvers=["dlx", "backtracking"], seconds="1.5m", folder=tmp_path)
    assert made.records[0]["limits"]["seconds"] == 90
    assert [(record["instance"], record["status"]) for record in made] == [
        *[("4L/06x06_u", "unsat")] * 2,
        *[("4x4 2", "sat")] * 2,
    ]
    assert (len(made), repr(made)) == (4, "Benchmark(4 runs)")
    assert str(made).splitlines()[0].startswith("solver")
    before = (tmp_path / "runs.jsonl").read_bytes()
    assert tiler.benchmark(problems, solvers=["dlx", "backtracking"], seconds=90, folder=tmp_path).records == made.records
    assert (tmp_path / "runs.jsonl").read_bytes() == before
    check_tables(made, tmp_path)
    check_pictures(made, tmp_path)


def check_pictures(made: tiler.Benchmark, folder: Path) -> None:
    """What a notebook shows, and a folder that is opened again."""
    opened = tiler.Benchmark.open(folder)
    assert sorted(opened.records, key=str) == sorted(made.records, key=str)
    assert str(opened) == str(made)
    assert made._repr_html_().startswith("<table><tr><th>solver</th><th>correct</th><th>verified</th><th>wall</th></tr>")
    assert "<tr><td>dlx</td><td>1</td><td>1</td>" in made._repr_html_()
    plot = made.plot("scatter")
    assert plot._repr_html_().startswith("<svg")
    plot.save(folder / "scatter.svg")
    assert (folder / "scatter.svg").read_text().startswith("<?xml")
    for call, why in (
        (lambda: made.plot("pie"), "kind='pie': it must be survival, "),
        (lambda: made.plot(clock="sun"), "clock='sun': it must be solve, "),
        (lambda: made.plot("encodings"), "kind='encodings': 4 runs have nothing that it shows"),
        (lambda: tiler.Benchmark.open(folder / "nowhere"), "there are no records here"),
    ):
        with pytest.raises(TilerError, match=why):
            call()


def check_tables(made: tiler.Benchmark, folder: Path) -> None:
    rows = list(csv.DictReader(made.to_csv(folder / "runs.csv").splitlines()))
    assert (folder / "runs.csv").read_text() == made.to_csv()
    # The command line writes the same rows of the same records.
    assert main(["report", str(folder), "--csv", str(folder / "rows.csv")]) == 0
    with (folder / "rows.csv").open() as file:
        assert sorted(csv.DictReader(file), key=str) == sorted(rows, key=str)
    assert main(["report", str(folder), "--csv", "-", "--draft", str(folder / "draft")]) == 2
    assert [row["solver"] for row in rows] == ["dlx", "backtracking"] * 2
    assert {"solve_seconds", "peak_megabytes", "limit_seconds", "category"} <= set(rows[0])
    assert [float(row["solve_seconds"]) for row in rows] == [record["solve_seconds"] for record in made]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows: ("frame", rows)))
        assert made.to_pandas() == ("frame", made.rows)
        patch.setitem(sys.modules, "pandas", None)
        with pytest.raises(MissingDependency, match="pip install pandas; to_csv needs none"):
            made.to_pandas()
    changes = made.compare(made)
    assert repr(changes) == "Changes(4 pairs of runs)"
    assert str(changes).startswith("after against before\n\nGoal decide, limits ")
    with pytest.raises(BadArgument, match="there is nothing to compare"):
        made.compare(tiler.Benchmark(()))


@pytest.mark.long
def test_a_benchmark_is_interrupted(tmp_path: Path) -> None:
    def press(progress: tiler.Progress) -> None:
        if progress.nodes:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(tiler.Interrupted, match="interrupted; 1 of 3 runs made") as caught:
            tiler.benchmark([tiler.make("4x4", "2")], solvers=["dlx"], repeat=3, folder=tmp_path, progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(caught.value.answer) == 1


@pytest.mark.parametrize(
    ("call", "kind", "why"),
    [
        (lambda: tiler.solve("3x3"), BadArgument, "problem: '3x3' is not an instance; make one: tiler.make("),  # type: ignore
        (lambda: tiler.count(None), BadArgument, "problem: None is not an instance"),  # type: ignore
        (lambda: tiler.make("3x3"), BadArgument, "tiles: there is none; name at least one"),
        (lambda: tiler.make("3x3", ["2"]), BadArgument, "tiles: ['2'] is no text, no set of cells"),  # type: ignore
        (lambda: tiler.make(3, "2"), BadArgument, "board: 3 is no text, no set of cells and no mask"),  # type: ignore
        (lambda: tiler.make("3x3", "3K"), InputError, "'3K' is not a shape; nearest: 3I"),
        (lambda: tiler.make("3x3", "2", weights={"X": 1}), InputError, "weight: there is no tile X"),
        (lambda: tiler.make("3x3", "2", reflections="no"), BadArgument, "reflections='no': it must be True or"),  # type: ignore
        (lambda: tiler.count(P, seconds=0), BadArgument, "seconds=0: it must be a number above 0, a text such as '1m', or None"),
        (lambda: tiler.count(P, seconds="1q"), BadArgument, "seconds: '1q' is not a duration such as 10s, 2m or 1h"),
        (lambda: tiler.count(P, threads=0), BadArgument, "threads=0: it must be a whole number from 1"),
        (lambda: tiler.count(P, threads=True), BadArgument, "threads=True: it must be a whole number from 1"),
        (lambda: tiler.count(P, jobs=2), BadArgument, "count: there is no argument 'jobs'; write threads="),  # type: ignore
        (lambda: tiler.count(P, executor=2), BadArgument, "executor=2: it must be a text"),  # type: ignore
        (lambda: tiler.count(P, executor="cloud:7"), TilerError, "'cloud:7' is no executor"),
        (lambda: tiler.count(P, memory=0.5), BadArgument, "memory=0.5: it must be a whole number"),  # type: ignore
        (lambda: tiler.count(P, up_to_symmetry=1), BadArgument, "up_to_symmetry=1: it must be True or"),  # type: ignore
        (lambda: tiler.tilings(P, limit=0), BadArgument, "limit=0: it must be a whole number from 1"),
        (lambda: tiler.count(P, memory="2 tons"), BadArgument, "memory: '2 tons' is not a size such as 500M or 2G"),
        (lambda: tiler.solve(P, limit=3), BadArgument, "solve: there is no argument 'limit'; it is an argument of tilings"),  # type: ignore
        (lambda: tiler.sample(P, n=3), BadArgument, "sample: there is no argument 'n'; write number="),  # type: ignore
        (lambda: tiler.sample(P, count=3), BadArgument, "sample: there is no argument 'count'; write number="),  # type: ignore
        (lambda: tiler.tilings(P, count=3), BadArgument, "tilings: there is no argument 'count'; write limit="),  # type: ignore
        (lambda: tiler.solve("6x4", "2"), BadArgument, "make the problem first: tiler.solve(tiler.make('6x4', '2'))"),  # type: ignore
        (lambda: tiler.solve(P, "dlx"), BadArgument, "2 arguments without names, but it takes only problem so"),  # type: ignore
        (lambda: tiler.solve(P) == "sat", BadArgument, "an answer is no word: ask answer.status == 'sat'"),
        (lambda: tiler.count(P, timeout=3), BadArgument, "count: there is no argument 'timeout'; write seconds="),  # type: ignore
        (lambda: tiler.sample(P, 0), BadArgument, "number=0: it must be a whole number from 1"),
        (lambda: tiler.sample(P, seed=-1), BadArgument, "seed=-1: it must be a whole number from 0"),
        (lambda: tiler.solve(P, solver="dxl"), UnknownBackend, "unknown solver 'dxl'; nearest: dlx"),
        (lambda: tiler.tilings(P, solver="coloring"), BadOption, "coloring: it cannot enumerate; these can enumerate: "),
        (lambda: tiler.prove(P, solver="dlx"), BadOption, "dlx: it cannot prove; these can prove: auto, coloring, matching"),
        (lambda: tiler.prove(ROWS), BadArgument, "problem: Cover(4 rows, 3 items) has no board; only solve"),  # type: ignore
        (lambda: tiler.count(ROWS, up_to_symmetry=True), BadArgument, "up_to_symmetry is about boards"),
        (lambda: tiler.count(P, features="fault-free"), BadArgument, "features='fault-free': it must be a list of names"),
        (lambda: tiler.count(P, features=["faultless"]), BadOption, "faultless"),
        (
            lambda: tiler.count(ROWS, executor="local:2"),
            BadArgument,
            "executor is about boards; the problem is a general exact cover",
        ),
        (
            lambda: tiler.solve(P, optimise=True, executor="local:2"),
            BadArgument,
            "executor and optimise: the heaviest tiling is found by one search; leave out one",
        ),
        (lambda: tiler.benchmark(P, solvers=["dlx"]), BadArgument, "is not a list of instances"),  # type: ignore
        (lambda: tiler.benchmark([P], solvers="dlx"), BadArgument, "solvers: 'dlx' is not a list of specs; write ['dlx']"),
        (
            lambda: tiler.benchmark("4L/10x10_u"),
            BadArgument,
            "is not a list; write ['4L/10x10_u'], or tiler.problems('4L/10x10_u')",
        ),
        (lambda: tiler.benchmark([]), BadArgument, "there are none to run; tiler.Benchmark.open(folder) reads the records"),
        (lambda: tiler.benchmark(["4L/10x10_v"]), InputError, "4L/10x10_v"),
        (lambda: tiler.benchmark([P], goal="prove"), BadArgument, "goal='prove': it must be 'decide' or 'count'"),
        (lambda: bool(tiler.solve(P)), BadArgument, "an answer is not true or false, but sat, unsat or unknown"),
        (lambda: bool(tiler.prove(P)), BadArgument, "a proof that was not found says nothing"),
        (lambda: tiler.read(3), BadArgument, "path=3: it must be the name of a file or folder"),  # type: ignore
    ],
)
def test_what_is_wrong_is_said(call: Callable[[], object], kind: type[TilerError], why: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_function_is_in_the_lists_that_readers_see_first() -> None:
    """In `help(tiler)`, before the classes, and in the table of the Python page."""
    offered = {name for name in tiler.__all__ if callable(getattr(tiler, name)) and name.islower()}
    assert "uses" in offered
    listed = (tiler.__doc__ or "").partition(">>>")[0]
    assert [name for name in sorted(offered) if not re.search(rf"^    (\w+, )?{name}\b", listed, re.MULTILINE)] == []
    page = (Path(__file__).parents[2] / "docs/reference/python.md").read_text("utf-8").partition("\n## ")[0]
    assert [name for name in sorted(offered) if f"`tiler.{name}`" not in page] == []


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'tiler' has no 'solv'; nearest: solve"):
        tiler.solv  # type: ignore  # noqa: B018
    assert {"solve", "count", "Cover", "errors"} <= set(dir(tiler)) == {*tiler.__all__, "__version__"}
    for name in tiler.__all__:
        assert getattr(tiler, name) is not None


def test_importing_loads_next_to_nothing() -> None:
    code = "import sys, tiler; print([name for name in ('numpy', 'numba', 'argparse', 'tiler.ask') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
