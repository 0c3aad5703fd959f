"""ILP: every engine and objective, what the linear relaxation refutes by itself, and refusals."""

from __future__ import annotations

import sys
import tempfile
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pulp
import pytest
from brute_force import tilings
from engine_tests import agrees, agrees_on_fixed_instances
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.ilp.program import OBJECTIVES, program_of
from tiler.cover.board import BoardCover
from tiler.errors import BackendError, MissingDependency
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question

pytestmark = pytest.mark.usefixtures("engines_in_this_process")

ROOT = Path(__file__).parents[2]
ENGINES = ["cbc", "highs"] + ["gurobi"] * bool(util.find_spec("gurobipy"))
SPECS = [f"ilp:engine={engine},objective={objective}" for engine in ENGINES for objective in OBJECTIVES]
ADJUSTED = [f"{spec},tuning=adjusted" for spec in SPECS]
FEW = 12  # tilings: each costs a call of the engine


@settings(max_examples=15)
@given(instances(max_cells=8, words=False), st.integers(1, 4))
def test_highs_agrees_with_the_brute_force(instance: Instance, limit: int) -> None:
    assume(len(tilings(instance)) <= FEW)
    agrees("ilp:engine=highs", instance, limit)


@pytest.mark.parametrize("spec", [*SPECS, *ADJUSTED[::3]])
def test_all_agree_on_fixed_instances(spec: str) -> None:
    agrees_on_fixed_instances(spec, most=9)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SPECS, *ADJUSTED])
@settings(max_examples=25)
@given(instances(max_cells=8, words=False), st.integers(1, 4))
def test_all_agree_with_the_brute_force(spec: str, instance: Instance, limit: int) -> None:
    assume(len(tilings(instance)) <= FEW)
    agrees(spec, instance, limit)


REFUTED = ["2/corners-08x08_u", "3I/L-square-05x10_u", "4I/10x10_u"]
FAMILIES = [path for family in ("2/corners", "3I/L-square", "4I/") for path in sorted(ROOT.glob(f"problems/{family}*_u.txt"))]


def is_refuted_at_once(instance: Instance, spec: str) -> bool:
    result = solve(instance, spec).result
    assert result.status is Status.UNSAT
    return bool(result.stats["relaxation_refutes"]) and result.nodes == 0


@pytest.mark.parametrize("engine", ["cbc", "highs"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_relaxation_refutes_families_without_branching(engine: str, objective: str) -> None:
    for name in REFUTED:
        instance = formats.read(ROOT / "problems" / f"{name}.txt")
        assert is_refuted_at_once(instance, f"ilp:engine={engine},objective={objective}"), name


@pytest.mark.parametrize(("most", "least"), [(400, 24), pytest.param(1000, 31, marks=pytest.mark.slow)])
def test_the_relaxation_refutes_all_of_them(most: int, least: int) -> None:
    seen = [instance for path in FAMILIES if len((instance := formats.read(path)).board) <= most]
    assert len(seen) >= least
    assert [instance.name for instance in seen if not is_refuted_at_once(instance, "ilp:engine=highs")] == []


@pytest.mark.parametrize("engine", ["cbc", "highs"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_relaxation_does_not_refute_4l(engine: str, objective: str) -> None:
    instance = formats.read(ROOT / "problems/4L/06x06_u.txt")
    result = solve(instance, f"ilp:engine={engine},objective={objective}").result
    assert (result.status, result.stats["relaxation_refutes"]) == (Status.UNSAT, False)


def test_4l_takes_branching() -> None:
    result = solve(formats.inline(["6x14", "4L"]), "ilp:engine=highs").result
    assert (result.status, result.stats["relaxation_refutes"]) == (Status.UNSAT, False)
    assert result.nodes > 0


def test_sizes_and_counters() -> None:
    stats = solve(formats.inline(["6x6", "4L", "2:2"]), "ilp:engine=highs").result.stats
    assert (stats["variables"], stats["constraints"], stats["nonzeros"]) == (140, 37, 80 * 4 + 60 * 2 + 60)
    assert stats["relaxation_refutes"] is False
    assert min(stats["model_seconds"], stats["engine_seconds"], stats["relaxation_seconds"]) > 0


def test_the_programs_differ_in_rows_and_objective() -> None:
    cover = BoardCover.of(formats.inline(["3x2", "2", "1:1"]))
    made = {objective: program_of(cover, objective) for objective in OBJECTIVES}
    assert {name: (p.rows[-1].lower, p.rows[-1].upper, p.maximise, len(p.weights)) for name, p in made.items()} == {
        "eq-ign": (1, 1, False, 0),
        "eq-min": (1, 1, False, 13),
        "geq-min": (1, None, False, 13),
        "leq-max": (None, 1, True, 13),
    }
    assert all((p.rows[0].lower, p.rows[0].upper) == (0, 1) for p in made.values())
    assert made["leq-max"].refuted_by(5)
    assert not made["leq-max"].refuted_by(5.9999)
    assert not made["eq-ign"].refuted_by(0)


@pytest.mark.skipif(util.find_spec("gurobipy") is not None, reason="gurobipy is installed")
def test_gurobi_says_what_to_install() -> None:
    with pytest.raises(MissingDependency, match="gurobi needs gurobipy; install with: pip install gurobipy"):
        solve(formats.inline(["2x2", "2"]), "ilp:engine=gurobi")


def test_gurobi_says_what_its_licence_does_not_admit(monkeypatch: pytest.MonkeyPatch) -> None:
    class GurobiError(Exception):
        pass

    def refuse(*arguments: object, **settings: object) -> None:
        raise GurobiError("Model too large for size-limited license")

    module = ModuleType("gurobipy")
    module.__spec__, module.GurobiError = ModuleSpec("gurobipy", None), GurobiError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gurobipy", module)
    monkeypatch.setattr(pulp.LpProblem, "solve", refuse)
    monkeypatch.setattr(pulp, "GUROBI", lambda **settings: None)
    with pytest.raises(BackendError, match=r"^gurobi: Model too large for size-limited license$"):
        solve(formats.inline(["2x2", "2"]), "ilp:engine=gurobi")


def test_a_folder_with_a_blank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a b").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "a b"))
    assert solve(formats.inline(["4x4", "2"]), "ilp:engine=cbc").result.status is Status.SAT


def test_an_engine_that_fails_is_an_error_with_its_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "cbc"
    broken.write_text("#!/bin/sh\necho 'no room'\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(pulp.PULP_CBC_CMD, "pulp_cbc_path", str(broken))
    with pytest.raises(BackendError, match="cbc: it failed; its last line: no room"):
        solve(formats.inline(["4x4", "2"]), "ilp:engine=cbc")


def test_filters_and_anchors() -> None:
    instance = formats.inline(["4x5", "1:L", "1:I", "1:P", "1:V"], reflections=True)
    whole = solve(instance, question=Question(Goal.COUNT)).result.count
    symmetric = Question(Goal.COUNT, up_to_symmetry=True)
    assert solve(instance, "ilp:engine=highs,anchor=L,filter=dead", symmetric).result.count == (whole or 0) // 4
