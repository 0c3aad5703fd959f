"""Solvers that a campaign does not tell apart: in planted records, in formulas beforehand, and in a small real campaign."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import call
from records import record

from tiler import formats
from tiler.backends.registry import parse_spec
from tiler.backends.sat.tiling import NAMES, digest, encode
from tiler.bench import distinct, stats
from tiler.bench.campaign import full_specs
from tiler.bench.distinct import AlikeSolvers, by_counters, by_formulas
from tiler.bench.job import Job, matrix
from tiler.bench.speedup import speedup
from tiler.cover.board import BoardCover
from tiler.question.question import Question
from tiler.report import document, findings, panels, report, tables

SAT = [f"sat:engine=cadical195,encoding={name},cell=auto,seed=0" for name in ("amk-bdd", "amo-bdd", "amo-ladder")]


def run(
    problem: str, solver: str, nodes: int, variables: int | None, seconds: float | None = 1.0, **others: int
) -> dict[str, Any]:
    sizes = {} if variables is None else {"variables": variables, "clauses": 9}
    return record(problem, solver, seconds, stats={"nodes": nodes, **sizes, "engine_seconds": nodes / 7, **others})


def planted() -> list[dict[str, Any]]:
    """Three encodings: one and the same formula on five problems of seven; on another problem this is true of two of them."""
    same = [run(f"f/{number}", solver, 5, 20) for number in range(5) for solver in SAT]
    two = [run("f/5", solver, 5, 20 if solver == SAT[2] else 30) for solver in SAT]
    return [*same, *two, *(run("f/6", solver, number, 20 + number) for number, solver in enumerate(SAT))]


def test_a_campaign_that_compares_equal_formulas_says_so(tmp_path: Path) -> None:
    table = stats.tabulate(planted())  # type: ignore[arg-type]
    assert by_counters(table) == (AlikeSolvers((tuple(SAT),), 5, 7), AlikeSolvers((tuple(SAT[:2]),), 6, 7))
    sentence = (
        "On 5 of 7 problems these 3 solvers cannot be told apart, as all their counters are equal: sat amk-bdd, sat amo-bdd, "
        "sat amo-ladder."
    )
    assert findings.alike(table)[0] == sentence
    assert panels.context(table).endswith(f". {sentence}")
    assert sentence in document.markdown(report._results(table, "", tmp_path, "plots", report.Plots(("survival",))))
    tested, gains = tables.pair_tests(table), tables.speedups(table)
    assert tested is not None
    assert gains is not None
    assert [row[4] for row in tested.rows] == ["1.00 (7, 1 differ)", "1.00 (7, 2 differ)", "1.00 (7, 2 differ)"]
    assert gains.rows[0] == ("sat amk-bdd", "", "1.00 (7, 1 differ)", "1.00 (7, 2 differ)")
    assert "within the scatter" in findings.by_family(table)[0]
    assert "(the searches differ on 1)" in findings.by_family(table)[0]


def test_solvers_that_differ_everywhere_are_not_named() -> None:
    table = stats.tabulate([run(f"f/{n}", solver, n, 20 + SAT.index(solver)) for n in range(3) for solver in SAT])  # type: ignore[arg-type]
    assert by_counters(table) == ()
    assert findings.alike(table) == []
    gain = speedup(table, *SAT[:2])
    assert gain is not None
    assert (gain.apart, gain.of) == (3, "3")


@pytest.mark.parametrize(
    ("runs", "alike"),
    [
        # One counter that differs is enough, and seconds are no counter.
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[1], 5, 20)], True),
        ([run("f/1", SAT[0], 5, 20, conflicts=1), run("f/1", SAT[1], 5, 20, conflicts=2)], False),
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[1], 6, 20)], False),
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[1], 5, 21)], False),
        # One of them ended at the limit: nodes until then say nothing, one and the same formula does.
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[1], 3, 20, None)], True),
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[1], 3, 21, None)], False),
        # Another seed, or another engine, is another solver of the same formula.
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[0].replace("seed=0", "seed=1"), 3, 20, None)], False),
        ([run("f/1", SAT[0], 5, 20), run("f/1", SAT[0].replace("cadical195", "minicard"), 5, 20)], False),
        # Without a formula, nodes must be known.
        ([run("f/1", "dlx:order=mrv", 5, None), run("f/1", "dlx:order=first", 5, None)], True),
        ([run("f/1", "dlx:order=mrv", 5, None, None), run("f/1", "dlx:order=first", 5, None, None)], False),
        ([run("f/1", "dlx:order=mrv", 0, None), run("f/1", "dlx:order=first", 0, None)], False),
        ([run("f/1", "dlx:order=mrv", 5, None), run("f/1", "fila:order=mrv", 5, None)], False),
    ],
)
def test_what_tells_two_solvers_apart(runs: Sequence[Any], alike: bool) -> None:
    table = stats.tabulate(runs)
    first, second = table.solvers
    assert distinct.are_alike(first, table.cell("f/1", first), second, table.cell("f/1", second)) is alike
    assert bool(by_counters(table)) is alike


def test_a_part_of_a_set_is_named_where_it_explains_more() -> None:
    all_alike = [run(f"f/{number}", solver, 5, 20) for number in range(3) for solver in SAT]
    two = [run(f"g/{number}", solver, 5, 20 + (solver == SAT[2])) for number in range(9) for solver in SAT]
    table = stats.tabulate([*all_alike, *two])  # type: ignore[arg-type]
    assert by_counters(table) == (AlikeSolvers((tuple(SAT[:2]),), 12, 12), AlikeSolvers((tuple(SAT),), 3, 12))


# --- before a campaign


def jobs_of(problems: Sequence[Sequence[str]], *specs: str) -> tuple[Job, ...]:
    return matrix([formats.inline(list(each)) for each in problems], full_specs(specs), Question())


#: Boards with as many tiles as fit, and one with bounds.
PROBLEMS = (["4x4", "2"], ["4x6", "4L"], ["3x4", "2:3I", "3:2"], ["4x5", "2:4T", "3:4O"])
ENCODINGS = ("sat", "sat:encoding=amk-totalizer", "sat:encoding=amo-pairwise")


@pytest.mark.parametrize("problem", PROBLEMS[:2], ids=str)
def test_without_bounds_all_encodings_of_copies_are_one_formula(problem: list[str]) -> None:
    cover = BoardCover.of(formats.inline(problem))
    formulas = [encode(cover, name, "auto").formula for name in NAMES]
    assert all(
        (each.variables, each.clauses, each.at_mosts) == (formulas[0].variables, formulas[0].clauses, []) for each in formulas
    )
    keys = {parse_spec(f"sat:encoding={name}").formula_key(cover) for name in NAMES}
    assert keys == {digest(cover, "amo-ladder", "auto", "off")}
    assert parse_spec("sat:cell=ladder").formula_key(cover) not in keys


def test_formulas_are_compared_without_a_search() -> None:
    specs = full_specs(ENCODINGS)
    jobs = jobs_of(PROBLEMS, *ENCODINGS, "sat:engine=minisat22", "dlx", "sat:filter=dead")
    compared = by_formulas(jobs)
    assert compared.alike[0] == AlikeSolvers((specs,), 2, 4)
    assert compared.left_out == 0


def test_large_formulas_are_left_out_and_counted() -> None:
    compared = by_formulas(jobs_of(PROBLEMS, *ENCODINGS), budget=100)
    assert compared.alike == (AlikeSolvers((full_specs(ENCODINGS),), 2, 4),)
    assert compared.left_out == 2


def test_the_encoding_under_test_for_cells_tells_encodings_apart() -> None:
    specs = [f"sat:encoding=amo-{name},cell={name}" for name in ("bimander", "ladder", "seqcounter")]
    assert by_formulas(jobs_of(PROBLEMS, *specs)).alike == ()


def test_a_small_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said before the runs is what the records say."""
    for number, (board, *pieces) in enumerate(PROBLEMS[1:]):
        path = tmp_path / f"problems/p/{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join((board, "", *pieces, "")))
    monkeypatch.chdir(tmp_path)
    solvers = ["--solver", "sat:encoding=amk-bdd", "--solver", "sat:encoding=amo-bdd"]
    bench = ["bench", "--problems", "problems", *solvers, "-o", "out", "--no-plots", "--no-warm-repeats"]
    who = "sat:encoding=amk-bdd, sat:encoding=amo-bdd"
    status, _, err = call(capsys, *bench, "--dry-run")
    assert status == 0
    assert f"on 1 of 3 problems these 2 solvers get one and the same formula: {who}\n" in err
    status, out, _ = call(capsys, *bench)
    assert status == 0
    sentence = (
        "On 1 of 3 problems these 2 solvers cannot be told apart, as all their counters are equal: sat amk-bdd, sat amo-bdd."
    )
    assert sentence in " ".join(out.split())
