"""Files for other solvers: what is written is the problem, and answers of SAT solvers are read back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import highspy
import pytest
from brute_force import as_tiling, tilings
from hypothesis import given, settings
from knuth import exact_covers
from pysat.formula import CNF
from pysat.solvers import Solver
from strategies import instances

from tiler import formats
from tiler.backends.cpsat import minizinc
from tiler.backends.sat import dimacs
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.formats import dlx
from tiler.model import verify
from tiler.model.expected import Status
from tiler.model.instance import Instance

PROBLEM = ["5x4", "2..3:4L", "1:2", "3:3I"]


def model_of(cnf: Path) -> list[int]:
    with Solver("glucose4", bootstrap_with=CNF(from_file=str(cnf)).clauses) as solver:
        assert solver.solve()
        model: list[int] = solver.get_model()
    return model


def printed(model: list[int]) -> str:
    """A model as SAT solvers print it."""
    half = len(model) // 2
    return f"c some solver\ns SATISFIABLE\nv {' '.join(map(str, model[:half]))}\nv {' '.join(map(str, model[half:]))} 0\n"


@pytest.mark.parametrize("spec", ["sat", "sat:encoding=amo-ordered,cell=ladder", "sat:encoding=amo-product,filter=dead"])
@pytest.mark.parametrize("shapes", [PROBLEM, ["xxo/xxx", "1..2:3L"], ["3x3x3", "3x2x1", "1:3x1x1"]])
def test_a_cnf_is_solved_and_its_answer_checked(
    tmp_path: Path, spec: str, shapes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cnf, answer, problem = (tmp_path / name for name in ("out.cnf", "answer.txt", "problem.txt"))
    problem.write_text("\n\n".join(shapes).replace("/", "\n") + "\n")
    assert main(["convert", str(problem), "-o", str(cnf), "--solver", spec]) == 0
    model = model_of(cnf)
    answer.write_text(printed(model))
    assert main(["check", str(problem), str(answer), "--of", str(cnf)]) == 0
    assert capsys.readouterr().out == "the solution holds\n"
    solution = dimacs.placements(dimacs.read_meanings(cnf.read_text()), {literal for literal in model if literal > 0})
    assert verify.error_in(formats.inline(shapes), solution) is None
    # Without its first placement it covers too little.
    first = min(literal for literal in model if literal > 0)
    answer.write_text(printed([-literal if literal == first else literal for literal in model]))
    assert main(["check", str(problem), str(answer), "--of", str(cnf)]) == 4
    assert capsys.readouterr().out.startswith(f"wrong: {answer}: ")


@pytest.mark.parametrize(
    ("answer", "status", "out", "err"),
    [
        ("s UNSATISFIABLE\n", 4, "it says that there is no tiling, but the problem file expects one", ""),
        ("s UNKNOWN\n", 3, "", "the answer is unknown; there is nothing in it to check"),
        ("s SATISFIABLE\nv 1\n", 2, "", "its `v` lines are missing or cut off"),
        ("s SATISFIABLE\nv 0\n", 4, "wrong: ", ""),
    ],
)
def test_other_answers_of_sat_solvers(
    answer: str, status: int, out: str, err: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem, cnf, given = tmp_path / "2x2_s.txt", tmp_path / "out.cnf", tmp_path / "answer.txt"
    problem.write_text("2x2\n\n2\n")
    given.write_text(answer)
    assert main(["convert", str(problem), "-o", str(cnf)]) == 0
    assert main(["check", str(problem), str(given), "--of", str(cnf)]) == status
    captured = capsys.readouterr()
    assert out in captured.out
    assert err in captured.err
    assert bool(captured.out) == bool(out)


@pytest.mark.parametrize(("name", "agrees"), [("3x3_u", ", as the problem file expects, and"), ("3x3", ", and shows no proof")])
def test_no_tiling_without_a_proof(name: str, agrees: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not checked, and what would be is said."""
    problem, cnf, given = tmp_path / f"{name}.txt", tmp_path / "out.cnf", tmp_path / "answer.txt"
    problem.write_text("3x3\n\n2\n")
    given.write_text("s UNSATISFIABLE\n")
    assert main(["convert", str(problem), "-o", str(cnf)]) == 0
    capsys.readouterr()
    assert main(["check", str(problem), str(given), "--of", str(cnf)]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert f"it says that there is no tiling{agrees}" in told.err
    assert "what is checked is a DRUP proof about a .cnf of tiler convert" in told.err


def test_an_answer_of_a_sat_solver_needs_its_cnf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem, given = tmp_path / "2x2.txt", tmp_path / "answer.txt"
    problem.write_text("2x2\n\n2\n")
    given.write_text("c kissat\ns SATISFIABLE\nv 1 0\n")
    assert main(["check", str(problem), str(given)]) == 2
    assert "answer.txt:1: not a line of JSON" in (error := capsys.readouterr().err)
    assert "name what it solved, --of OUT.cnf" in error


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("s UNSATISFIABLE\n", (Status.UNSAT, frozenset())),
        ("c x\ns UNKNOWN\n", (Status.UNKNOWN, frozenset())),
        ("s SATISFIABLE\nv -1 2 3 0\n", (Status.SAT, frozenset({2, 3}))),
        ("v 1\nv -2 0\ns SATISFIABLE\n", (Status.SAT, frozenset({1}))),
        ("SAT\n1 -2 3 0\n", (Status.SAT, frozenset({1, 3}))),
        ("UNSAT\n", (Status.UNSAT, frozenset())),
    ],
)
def test_answers(text: str, answer: tuple[Status, frozenset[int]]) -> None:
    assert dimacs.read_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no line `s SATISFIABLE`"),
        ("v 1 0\n", "there is no line `s SATISFIABLE`"),
        ("s MAYBE\n", "'MAYBE' is no verdict; there are SATISFIABLE"),
        ("s SATISFIABLE\nv 1 2\n", "missing or cut off: the last number must be 0"),
        ("s SATISFIABLE\n", "missing or cut off"),
        ("s SATISFIABLE\nv 1 x 0\n", "holds more than literals"),
    ],
)
def test_bad_answers(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        dimacs.read_answer(text, "out.txt")


def test_a_cnf_of_somebody_else_has_no_meanings() -> None:
    with pytest.raises(InputError, match="write it with `tiler convert FILE -o OUT"):
        dimacs.read_meanings("c hello\np cnf 1 1\n1 0\n", "x.cnf")
    with pytest.raises(InputError, match=r"x\.cnf:1: not a comment as"):
        dimacs.read_meanings('c 1 {"tile": 3}\n', "x.cnf")


@pytest.mark.parametrize("form", ["lp", "mps"])
@pytest.mark.parametrize(
    ("objective", "shapes"),
    [(objective, shapes) for objective in ("eq-ign", "eq-min", "geq-min", "leq-max") for shapes in (PROBLEM, ["5x4", "4L"])],
)
def test_programs_are_read_by_highs(tmp_path: Path, form: str, objective: str, shapes: list[str]) -> None:
    path = tmp_path / f"out.{form}"
    assert main(["convert", *shapes, "-o", str(path), "--solver", f"ilp:objective={objective}"]) == 0
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    optimal = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    is_tiling = optimal and (objective == "eq-ign" or abs(round(highs.getInfo().objective_function_value)) == 20)
    assert is_tiling == (shapes is PROBLEM)
    assert re.search(r'^. x0 \{"tile": "4L", "cells": \[\[0, 0\], ', path.read_text(), re.M)


@settings(max_examples=60)
@given(instances(max_cells=6, words=False))
def test_knuths_text_has_the_tilings(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    found = list(exact_covers("\n".join(dlx.write(cover, ["a title\nwith a break"]))))
    expected = tilings(instance)
    assert len(found) == len(expected)
    assert {as_tiling(cover.placements(options)) for options in found} == expected


def test_knuths_text_has_secondary_items_and_multiplicities() -> None:
    cover = BoardCover.of(formats.inline(["2x2", "1:2", "1..3:1", "4O"]))
    assert list(dlx.write(cover))[:3] == ["| #1 2, from 0 to 1", "| #2 1, from 1 to 3", "0,0 0,1 1,0 1,1 1:3|#2 | #1"]


def test_minizinc_data_are_the_cover(tmp_path: Path) -> None:
    assert main(["convert", *PROBLEM, "-o", str(tmp_path / "out.mzn"), "--solver", "sat:filter=dead"]) == 0
    model, data = (tmp_path / "out.mzn").read_text(), (tmp_path / "out.dzn").read_text()
    assert minizinc.MODEL in model
    values = dict(re.findall(r"^(\w+) = ([^;]*);", data, re.M))
    declared = re.findall(r"^(?:int|array .*?): (\w+);", model, re.M)
    assert sorted(values) == sorted(set(declared) - {"placed"})
    cover = BoardCover.of(formats.inline(PROBLEM))
    assert [int(values[name]) for name in ("cells", "tiles")] == [20, 3]
    assert (json.loads(values["lower"]), json.loads(values["upper"])) == (cover.lower.tolist(), cover.upper.tolist())
    assert json.loads(values["tile_name"]) == ["4L", "2", "3I"]
    assert len(json.loads(values["tile"])) == values["covers"].count("{") == int(values["placements"])
    assert len(json.loads(values["cell_name"])) == 20


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["2x2", "2", "-o", "out.pdf"], "out.pdf: its ending says nothing; choose one of .cnf, .wcnf"),
        (["2x2", "2", "-o", "out.cnf", "--solver", "ilp"], "a .cnf is the model of sat"),
        (["2x2", "2", "-o", "out.lp", "--solver", "sat"], "a .lp is the model of ilp"),
        (["4x3", "2:2", "3I", "-o", "out.cnf", "--solver", "sat:engine=minicard,encoding=amk-native"], "a CNF has clauses only"),
        (["2x2", "2", "out.cnf"], "the file to write has an option: -o out.cnf"),
        (["2x2", "2", "--format", "mzn"], "MiniZinc needs two files"),
        (["2x2", "2", "-o", "-", "--format", "mzn"], "MiniZinc needs two files"),
        (["2x2", "2", "-o", "no/such/folder/out.cnf"], "cannot write no/such/folder/out.cnf"),
    ],
)
def test_refused(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", *arguments]) == 2
    assert text in capsys.readouterr().err


def test_an_impossible_problem_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "3x3", "4L", "--format", "cnf"]) == 0
    captured = capsys.readouterr()
    assert "\np cnf 8 " in captured.out
    assert "note: there is no tiling (area:" in captured.err
