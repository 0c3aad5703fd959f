"""Proofs by SAT engines are checked against the problem: those that hold are taken, whatever is wrong with others is found."""

from __future__ import annotations

import ast
import random
import re
import stat
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
from brute_force import allowed_tilings, as_tiling

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.sat import cardinality, dimacs
from tiler.backends.sat.checking import choices, counts, faithful, refutation, rup
from tiler.backends.sat.engines import ENGINES
from tiler.backends.sat.formula import Formula
from tiler.backends.sat.tiling import NAMES, encode
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.question.drup import Drup
from tiler.question.question import Goal, Question

ROOT = Path(tiler.__file__).parent.parent
ENCODINGS = [name for name in NAMES if not name.endswith("native")]
IMPOSSIBLE = [["5x4", "4L"], [".xxo/xxxx/xxxx/xxx.", "2"], ["4x3", "2..3:3L", "1:3I"], ["hexagonal", "x.x/.x./x.x", "2"]]


def proof_of(shapes: Sequence[str], spec: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The texts of a CNF and of the proof that it has no model, with names."""
    proof = solve(formats.inline(shapes), spec, Question(Goal.PROVE)).result.certificate
    assert isinstance(proof, Drup)
    return ("a.cnf", "".join(f"{line}\n" for line in proof.cnf)), ("a.drup", "".join(f"{line}\n" for line in proof.drup))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_proofs_hold_in_every_encoding(encoding: str) -> None:
    for shapes in IMPOSSIBLE[:3]:
        found = refutation.check(formats.inline(shapes), *proof_of(shapes, f"sat:encoding={encoding}"))
        assert (found.wrong, found.tried) == (None, 0)


@pytest.mark.parametrize("cell", [name for name in cardinality.AT_MOST_ONE if name != "native"])
def test_proofs_hold_however_cells_are_covered_once(cell: str) -> None:
    found = refutation.check(formats.inline(IMPOSSIBLE[1]), *proof_of(IMPOSSIBLE[1], f"sat:cell={cell},engine=glucose4"))
    assert (found.wrong, found.tried) == (None, 0)


def test_files_that_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refutation, "_PROGRAM", "no-such-program")
    problem, drup, cnf = str(ROOT / "problems/4L/06x06_u.txt"), tmp_path / "out.drup", tmp_path / "out.cnf"
    assert main(["solve", problem, "--solver", "sat", "--proof", str(drup)]) == 0
    capsys.readouterr()
    assert main(["check", problem, str(drup), "--cnf", str(cnf)]) == 0
    assert capsys.readouterr().out.startswith("the proof holds: there is no tiling (")
    other = str(ROOT / "problems/4L/06x10_u.txt")
    assert main(["check", other, str(drup), "--cnf", str(cnf)]) == 4
    assert "is not shown to be that of this problem" in capsys.readouterr().out


def last_line(text: str) -> str:
    return text[: text.rstrip("\n").rindex("\n") + 1]


DAMAGED: list[tuple[str, Callable[[str], str], Callable[[str], str], str]] = [
    ("cut off", str, lambda drup: drup[: drup.index("\n") + 1], "it ends before the contradiction"),
    ("empty", str, lambda drup: "", "it ends before the contradiction"),
    ("no end", str, lambda drup: drup.replace(" 0\n", "\n", 1), "0 at the end"),
    ("letters", str, lambda drup: drup.replace("\n", " x\n", 1), "a clause is literals"),
    ("not so", str, lambda drup: "-1 0\n" + drup, "line 1: this clause does not follow"),
    ("claimed", str, lambda drup: "0\n", "line 1: this clause does not follow"),
    ("fewer clauses", last_line, str, "cut off or damaged"),
    ("no head", lambda cnf: cnf.replace("p cnf", "c cnf"), str, "must come before the clauses"),
    ("a stronger clause", lambda cnf: cnf.replace("\n1 ", "\n", 1), str, "clause 1: nothing in the problem says so"),
    (
        "a clause more",
        lambda cnf: re.sub(r"(p cnf \d+) (\d+)", lambda m: f"{m[1]} {int(m[2]) + 1}", cnf) + "0\n",
        str,
        "nothing in the problem says so",
    ),
    ("another meaning", lambda cnf: cnf.replace("[0, 0]", "[4, 3]", 1), str, "cannot lie there"),
    ("a tile more", lambda cnf: cnf.replace('"4L"', '"4T"', 1), str, "cannot lie there"),
]


@pytest.mark.parametrize(("cnf", "drup", "text"), [pytest.param(*case[1:], id=case[0]) for case in DAMAGED])
def test_what_is_damaged_is_refused(cnf: Callable[[str], str], drup: Callable[[str], str], text: str) -> None:
    (name, clauses), (other, steps) = proof_of(["5x4", "4L"], "sat:engine=glucose4,cell=pairwise")
    changed = (name, cnf(clauses)), (other, drup(steps))
    assert changed != ((name, clauses), (other, steps))
    try:
        wrong = refutation.check(formats.inline(["5x4", "4L"]), *changed).wrong
    except formats.InputError as error:
        wrong = str(error)
    assert wrong is not None
    assert text in wrong


def test_another_proof_does_not_do() -> None:
    cnf, _ = proof_of(["5x4", "4L"], "sat:engine=glucose4")
    _, drup = proof_of([".xxx/xxxx/xxxx/xxx.", "2"], "sat:engine=glucose4")
    assert refutation.check(formats.inline(["5x4", "4L"]), cnf, drup).wrong


def test_drat_trim_takes_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, clauses), (_, steps) = proof_of(["5x4", "4L"], "sat")
    cnf, drup, program = tmp_path / "a.cnf", tmp_path / "a.drup", tmp_path / "drat-trim"
    cnf.write_text(clauses)
    drup.write_text(steps)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for says, wrong in (("s VERIFIED", None), ("s NOT VERIFIED", "drat-trim does not take it: s NOT VERIFIED")):
        program.write_text(f"#!/bin/sh\ntest -f $1 && test -f $2 && echo '{says}'\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        found = refutation.check(formats.inline(["5x4", "4L"]), (str(cnf), clauses), (str(drup), steps))
        assert (found.wrong, found.checked) == (wrong, "by drat-trim")


def test_what_is_taken_for_the_problems_allows_every_tiling() -> None:
    """Of CNFs that were changed somewhere, those that are taken have a model for every tiling."""
    drawn, taken = random.Random(1), 0
    for shapes in (["4x3", "2..3:3L", "1:3I"], [".xxo/xxxx/xxxx/xxx.", "2", "1..2:4T"], ["4x2", "1:3L", "1:3I", "2"]):
        instance = formats.inline(shapes)
        cover, tilings = BoardCover.of(instance), allowed_tilings(instance)
        for encoding in drawn.sample(ENCODINGS, 4):
            tiling = encode(cover, encoding, "auto")
            meanings = dimacs.read_meanings("\n".join(dimacs.write(cover, tiling)))
            for _ in range(3):
                clauses = [list(clause) for clause in tiling.formula.clauses]
                changed = clauses[drawn.randrange(len(clauses))]
                if drawn.random() < 0.5:
                    changed.remove(drawn.choice(changed))
                else:
                    changed.append(drawn.choice((-1, 1)) * drawn.randint(1, tiling.formula.variables))
                cnf = rup.Cnf(tiling.formula.variables, tuple(map(tuple, clauses)))
                if faithful.check(instance, cnf, meanings) == faithful.Faithful():
                    taken += 1
                    assert all(extends(clauses, meanings, each) for each in tilings), (shapes, encoding, changed)
    assert taken > 2


def extends(
    clauses: list[list[int]], meanings: dict[int, dimacs.Meaning], tiling: frozenset[tuple[str, frozenset[tuple[int, ...]]]]
) -> bool:
    """Whether clauses have a model that is a tiling."""
    from pysat.solvers import Solver

    made = {(variable, as_tiling((each.placement,)) <= tiling) for variable, each in meanings.items()}
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        copies = any(each.copy for each in meanings.values())
        if not copies:
            return bool(solver.solve(assumptions=[variable if is_made else -variable for variable, is_made in made]))
        for variable, is_made in made:
            if not is_made:
                solver.add_clause([-variable])
        for placed in tiling:
            solver.add_clause([v for v, each in meanings.items() if as_tiling((each.placement,)) == {placed}])
        return bool(solver.solve())


def test_counts_that_are_taken_are_right() -> None:
    """Of small formulas drawn at random, and of encodings changed somewhere."""
    drawn, taken = random.Random(2), 0
    for number in range(400):
        formula = Formula(4)
        if number % 2:
            clauses = [[v * drawn.choice((-1, 1)) for v in drawn.sample(range(1, 8), 3)] for _ in range(6)]
        else:
            cardinality.at_most(drawn.choice(["seqcounter", "cardnetwrk", "totalizer", "kmtotalizer"]), formula, [1, 2, 3, 4], 2)
            clauses = formula.clauses
            changed = drawn.choice(clauses)
            changed[drawn.randrange(len(changed))] *= -1
        least, most = sorted((drawn.randint(0, 3), drawn.randint(1, 3)))
        if counts.every_count_extends(clauses, [1, 2, 3, 4], least, most):
            taken += 1
            for values in product((False, True), repeat=4):
                if least <= sum(values) <= most:
                    assert choices.has_model([*clauses, *([v if true else -v] for v, true in enumerate(values, 1))])
    assert taken > 20


@pytest.mark.parametrize("encoding", ["seqcounter", "cardnetwrk", "sortnetwrk", "totalizer", "bdd"])
def test_counts_of_many(encoding: str) -> None:
    formula = Formula(60)
    cardinality.between(encoding, formula, list(range(1, 61)), 2, 3)
    assert counts.every_count_extends(formula.clauses, range(1, 61), 2, 3)
    assert not counts.every_count_extends(formula.clauses, range(1, 61), 2, 4)


def test_the_check_is_independent() -> None:
    """It knows no encoding and no engine, nor the code that lists placements for the search."""
    folder = Path(faithful.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            for name in named:
                assert not name.startswith(
                    ("pysat", "tiler.cover", "tiler.backends.sat.tiling", "tiler.backends.sat.cardinality")
                )


def test_engines_that_write_proofs() -> None:
    shapes = ["4x3", "2..3:3L", "1:3I"]
    for engine in [name for name, each in ENGINES.items() if each.proves]:
        assert refutation.check(formats.inline(shapes), *proof_of(shapes, f"sat:engine={engine}")).wrong is None, engine
