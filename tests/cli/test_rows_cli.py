"""General exact covers on the command line: what is printed, what is refused, and what other solvers are handed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import call
from knuth import exact_covers
from pysat.formula import CNF
from pysat.solvers import Solver

KNUTH = "| an example\na b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
SEVERAL = "2:3|C a b | x\nC a\nC b x\nC x\nb\nC\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "knuth.dlx").write_text(KNUTH)
    (tmp_path / "several.dlx").write_text(SEVERAL)
    (tmp_path / "none.dlx").write_text("a b\na\n")
    (tmp_path / "costs.dlx").write_text("a b\na|3 b\n")
    return tmp_path


@pytest.mark.parametrize("solver", ["auto", "dlx", "backtracking", "sat", "ilp", "cpsat"])
def test_solutions_are_printed_an_option_per_line(capsys: pytest.CaptureFixture[str], solver: str) -> None:
    head = "sat: there is a solution\n"
    assert call(capsys, "solve", "knuth.dlx", "--solver", solver) == (0, f"{head}c e\na d f\nb g\n", "")
    assert call(capsys, "count", "several.dlx", "--solver", solver) == (0, f"{len(list(exact_covers(SEVERAL)))}\n", "")
    reason = "unsat: there is no solution (item: no option covers b)\n"
    assert call(capsys, "solve", "none.dlx", "--solver", solver) == (0, reason, "")


def test_whether_a_solution_is_the_only_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "solve", "knuth.dlx", "--unique")[1].endswith("\nunique: the only solution\n")
    assert call(capsys, "solve", "several.dlx", "--unique")[1].endswith("\nnot unique: there is another solution\n")
    assert call(capsys, "solve", "none.dlx", "--unique")[1].startswith("unsat: there is no solution")
    for name, unique in (("knuth.dlx", True), ("several.dlx", False), ("none.dlx", False)):
        assert json.loads(call(capsys, "solve", name, "--unique", "--format", "json")[1].splitlines()[-1])["unique"] is unique


def test_all_of_them(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = call(capsys, "solve", "several.dlx", "--all", "--format", "json")
    *solutions, summary = map(json.loads, out.splitlines())
    assert status == 0
    assert sorted(sorted(row["row"] for row in each) for each in solutions) == sorted(map(sorted, exact_covers(SEVERAL)))
    options = [line.split() for line in SEVERAL.splitlines()[1:]]
    assert all(row["items"] == options[row["row"]] for each in solutions for row in each)
    assert (summary["schema"], summary["cover"], summary["count"]) == ("tiler-answer-1", "several.dlx", len(solutions))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(KNUTH.encode())))
    status, out, _ = call(capsys, "solve", "-", "--dlx", "--limit", "2")
    assert out.endswith("b g\n\n1 solution, no more\n")


def test_solutions_are_checked(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert call(capsys, "solve", "several.dlx", "--all", "-o", "all.json")[:2] == (
        0,
        "sat: there is a solution\n5 solutions, no more\n",
    )
    number = len(list(exact_covers(SEVERAL)))
    assert call(capsys, "check", "several.dlx", "all.json") == (0, f"all {number} solutions hold\n", "")
    wrong = [
        ('[{"row": 0}, {"row": 3}]', "tile C is used 1 times, not 2 to 3"),
        ('[{"row": 0}, {"row": 1}, {"row": 2}]', "item x is covered 2 times"),
        ('[{"row": 9}]', "there is no row 9"),
        ('[{"row": 0, "items": ["a"]}]', "row 0 has other items"),
    ]
    (folder / "wrong.json").write_text("\n".join(line for line, _ in wrong))
    lines = [f"wrong: wrong.json:{number}: {why}" for number, (_, why) in enumerate(wrong, 1)]
    assert call(capsys, "check", "several.dlx", "wrong.json") == (4, "\n".join(lines) + "\n", "")
    for text in ("3", "[3]", "{}", "[[", ""):
        (folder / "wrong.json").write_text(text)
        assert call(capsys, "check", "several.dlx", "wrong.json")[0] == 2


def test_a_search_can_be_followed(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "solve", "knuth.dlx", "--solver", "dlx", "--trace", "--stats")
    assert status == 0
    assert "\n+ a d f\n + b g\n  + c e\nsolver " in err
    assert call(capsys, "solve", "knuth.dlx", "--format", "dimacs")[:2] == (10, "s SATISFIABLE\n")
    assert call(capsys, "solve", "none.dlx", "--format", "dimacs")[:2] == (20, "s UNSATISFIABLE\n")


def test_limits_hold(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    items = [f"i{number}" for number in range(60)]
    pairs = "\n".join(f"{one} {other}" for one in items for other in items if one < other)
    (folder / "hard.dlx").write_text(f"{' '.join(items)}\n{pairs}\n")
    status, out, err = call(capsys, "count", "hard.dlx", "--time-limit", "100ms")
    assert (status, out.startswith("at least "), err) == (3, True, "tiler: the time limit is over\n")


def test_a_cnf_of_a_cover_has_its_solutions(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert call(capsys, "convert", "several.dlx", "-o", "out.cnf") == (0, "", "")
    rows = {
        int(variable): json.loads(rest)["row"]
        for _, variable, rest in (
            line.split(" ", 2) for line in (folder / "out.cnf").read_text().splitlines() if '{"row"' in line
        )
    }
    found = set()
    with Solver("glucose4", bootstrap_with=CNF(from_file="out.cnf").clauses) as solver:
        for model in solver.enum_models():
            found.add(frozenset(rows[literal] for literal in model if literal in rows))
    assert found == set(map(frozenset, exact_covers(SEVERAL)))


@pytest.mark.parametrize(
    ("out", "begins"), [("out.lp", "\\ several.dlx\n"), ("out.mps", "* several.dlx\n"), ("out.dlx", "| several.dlx\n")]
)
def test_other_files(capsys: pytest.CaptureFixture[str], folder: Path, out: str, begins: str) -> None:
    assert call(capsys, "convert", "several.dlx", "-o", out, "--solver", "ilp" if out[4] != "d" else "dlx") == (0, "", "")
    assert (folder / out).read_text().startswith(begins)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["show", "knuth.dlx"], "knuth.dlx is a general exact cover, which has no board"),
        (["prove", "knuth.dlx"], "which has no board"),
        (["estimate", "knuth.dlx"], "which has no board"),
        (["sample", "knuth.dlx"], "which has no board"),
        (["solve", "knuth.dlx", "--up-to-symmetry"], "--up-to-symmetry is about boards"),
        (["solve", "costs.dlx", "--minimise", "pieces"], "for a general exact cover there is --minimise cost"),
        (["solve", "knuth.dlx", "--minimise", "cost"], "no option has a cost, which is written behind an item: a b|7"),
        (["solve", "3x3", "3I", "--minimise", "cost"], "--minimise cost is for general exact covers"),
        (["solve", "knuth.dlx", "--reflections"], "--reflections is about boards"),
        (["solve", "knuth.dlx", "--forbid", "0,0 for x"], "--forbid is about boards"),
        (["solve", "knuth.dlx", "--executor", "local:2"], "--executor is about boards"),
        (["solve", "knuth.dlx", "--solver", "fila"], "fila: it needs a board"),
        (["solve", "knuth.dlx", "--solver", "cpsat:model=geometric"], "needs a board"),
        (["solve", "knuth.dlx", "--solver", "dlx:filter=volume"], "needs a board"),
        (["solve", "knuth.dlx", "-o", "x.svg"], "the name must end in .txt, .json"),
        (["solve", "knuth.dlx", "--format", "svg"], "a picture (svg) shows a board"),
        (["count", "knuth.dlx", "--up-to-symmetry"], "--up-to-symmetry is about boards"),
        (["count", "knuth.dlx", "--by-cell"], "--by-cell is about boards"),
        (["count", "knuth.dlx", "-o", "x.txt"], "-o: it is for what --by-cell or --by-open finds"),
        (["count", "knuth.dlx", "--checkpoint", "x"], "--checkpoint is about boards"),
        (["convert", "knuth.dlx", "-o", "x.mzn"], "MiniZinc's model needs a board"),
        (["check", "knuth.dlx", "x", "--of", "y"], "--of is about boards"),
        (["solve", "missing.dlx"], "missing.dlx: there is no such file"),
    ],
)
def test_what_needs_a_board_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert text in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"\0", b"", b"| \n", b"a b\nc\n", b"\x1b[2J\n\x1b[3J\n", b"9" * 5000 + b"|a\na\n"]
)
def test_hostile_files_are_refused_in_a_line(capsys: pytest.CaptureFixture[str], folder: Path, content: bytes) -> None:
    (folder / "bad.dlx").write_bytes(content)
    status, out, err = call(capsys, "solve", "bad.dlx")
    assert (status, out) == (2, "")
    assert err.startswith("tiler: bad.dlx:")
    assert err.count("\n") == 1
    assert "\x1b" not in err
    assert len(err) < 200
