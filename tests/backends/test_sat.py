"""SAT: every encoding and engine, refusals, preprocessing, and proofs that a checker of a few lines accepts."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping, Sequence
from importlib import util
from pathlib import Path

import pytest
from brute_force import as_tiling, tilings
from engine_tests import agrees, agrees_on_fixed_instances
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import SOON
from pysat.solvers import Solver as PySat
from strategies import instances

from tiler import formats, solvers
from tiler.ask.solve import solve
from tiler.backends.languages.writing import model_of
from tiler.backends.sat import Sat
from tiler.backends.sat.cardinality import AT_MOST_ONE
from tiler.backends.sat.engines import ENGINES
from tiler.backends.sat.formula import Formula
from tiler.backends.sat.preprocess import Scrambled
from tiler.backends.sat.tiling import NAMES, encode
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.errors import BackendError, BadOption, MissingDependency, Refused
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.symmetry import group
from tiler.question.drup import Drup
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop
from tiler.selftest.compare import values

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

ROOT = Path(__file__).parents[2]
INSTALLED = [name for name, engine in ENGINES.items() if util.find_spec(engine.module)]
ENCODED = [f"sat:encoding={name}" for name in NAMES if "native" not in name]
CELLS = [f"sat:cell={name}" for name in AT_MOST_ONE if name != "native"]
SCRAMBLED = "sat:seed=7"
NATIVE = [f"sat:engine={name},encoding=amk-native,cell=native" for name in INSTALLED if ENGINES[name].counts]
PREPROCESSED = [
    "sat:preprocess=on",
    "sat:preprocess=block+cover+condition+elim,encoding=amo-auto",
    "sat:preprocess=decompose+probe+probehbr+subsume+vivify+elim,encoding=amk-totalizer,cell=seqcounter",
]
PROVE = Question(Goal.PROVE)
slow = pytest.mark.slow


@settings(max_examples=20)
@given(instances(max_cells=10, words=False), st.integers(1, 4))
def test_the_default_agrees_with_the_brute_force(instance: Instance, limit: int) -> None:
    agrees("sat", instance, limit)


@pytest.mark.parametrize("spec", [SCRAMBLED, *NATIVE, *PREPROCESSED])
def test_variants_agree_on_fixed_instances(spec: str) -> None:
    """The clauses of all encodings have the right models (test_encodings.py), and all engines find them (test_agreement.py)."""
    agrees_on_fixed_instances(spec)


@slow
@pytest.mark.parametrize("spec", [*ENCODED, *CELLS, *NATIVE, *PREPROCESSED, *(f"sat:engine={name}" for name in INSTALLED)])
@settings(max_examples=25)
@given(instances(max_cells=9, words=False), st.integers(1, 4))
def test_all_agree_with_the_brute_force(spec: str, instance: Instance, limit: int) -> None:
    agrees(spec, instance, limit)


@pytest.mark.parametrize("engine", INSTALLED)
@pytest.mark.parametrize(("shapes", "preprocess"), [(["4x4", "2"], "on"), (["2x1", "2"], "block+cover")])
def test_engines_take_formulas_of_which_preprocessing_leaves_nothing(engine: str, shapes: list[str], preprocess: str) -> None:
    answer = solve(formats.inline(shapes), f"sat:engine={engine},preprocess={preprocess}")
    assert answer.result.stats["clauses_left"] == 0
    assert as_tiling(answer.solutions[0]) in tilings(answer.instance)


def test_filters_and_anchors() -> None:
    instance = formats.inline(["4x5", "1:L", "1:I", "1:P", "1:V"], reflections=True)
    whole = solve(instance, "sat", Question(Goal.COUNT)).result.count
    assert whole == solve(instance, question=Question(Goal.COUNT)).result.count
    assert solve(instance, "sat:filter=dead+volume+parity", Question(Goal.COUNT)).result.count == whole
    symmetric = Question(Goal.COUNT, up_to_symmetry=True)
    assert solve(instance, "sat:anchor=L", symmetric).result.count == (whole or 0) // 4


def test_sizes_and_counters() -> None:
    result = solve(formats.inline(["6x6", "4L"]), "sat:cell=pairwise").result
    stats = result.stats
    assert result.found == 0
    assert (stats["variables"], stats["constraints"]) == (80, 0)
    assert stats["clauses"] > 36
    assert stats["model_seconds"] > 0
    assert stats["engine_seconds"] > 0
    assert result.nodes == stats["decisions"]
    assert stats["conflicts"] > 0


REPEATED = [formats.read(ROOT / f"problems/mixed/{name}_u.txt") for name in ("4Os-4T-06x06", "4T-4Os-06x06")]
REPEATED += [formats.inline(["4x7", "5:4T", "2:4O"]), formats.inline(["6x6", "3:4O", "6:4T"])]


@pytest.mark.parametrize("instance", REPEATED)
def test_names_of_copies_cost_conflicts_and_their_order_saves_most(instance: Instance) -> None:
    """The thesis on tiles with several copies: count them (amk) rather than name them (amo), or else put them in order."""

    def stats(encoding: str) -> Mapping[str, int]:
        result = solve(instance, f"sat:encoding={encoding}").result
        assert result.status is Status.UNSAT
        return result.stats

    counted, named, ordered = map(stats, ("amk-seqcounter", "amo-seqcounter", "amo-ordered"))
    assert 3 * counted["clauses"] < named["clauses"] < ordered["clauses"]
    assert 10 * counted["conflicts"] < named["conflicts"]
    assert 5 * ordered["conflicts"] < named["conflicts"]


@pytest.mark.long
def test_what_was_found_is_kept_when_it_is_stopped() -> None:
    limited = Question(Goal.ENUMERATE, Limits(seconds=10 * SOON))  # hence in a process
    answer = solve(formats.inline(["10x10", "2"]), "sat", limited, on_tick=lambda progress: progress.found < 9)
    assert (answer.result.status, answer.result.stop, answer.result.count) == (Status.SAT, Stop.INTERRUPTED, None)
    assert len(answer.solutions) == answer.result.found >= 9


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("sat:encoding=amk-native", "cadical195 has no native constraints; these engines have: gluecard3, gluecard4, minicard"),
        ("sat:cell=native", "has no native constraints"),
        ("sat:engine=minicard,cell=native,preprocess=on", "preprocess= knows clauses only"),
        ("sat:preprocess=elmi", "preprocess=elmi: 'elmi' is no technique; nearest: elim"),
        ("sat:encoding=amo-native", "encoding=amo-native: it must be one of amk-auto"),
    ],
)
def test_refused(spec: str, text: str) -> None:
    with pytest.raises(BadOption, match=re.escape(text)):
        solve(formats.inline(["2x2", "2"]), spec)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("sat:engine=minicard", "minicard writes no proofs; these engines do: cadical195"),
        ("sat:engine=gluecard4,cell=native", "a proof is about the clauses"),
        ("sat:preprocess=on", "a proof is about the clauses"),
        ("sat:filter=volume", "a proof is about the whole problem: it needs filter=off and anchor=off"),
    ],
)
def test_proofs_refused(spec: str, text: str) -> None:
    with pytest.raises(BadOption, match=re.escape(text)):
        solve(formats.inline(["2x2", "2"]), spec, PROVE)


def test_a_proof_is_of_unsat_only() -> None:
    answer = solve(formats.inline(["2x2", "2"]), "sat", PROVE)
    assert (answer.result.status, answer.result.stop, answer.result.certificate) == (Status.SAT, Stop.DONE, None)
    assert len(answer.solutions) == 1
    assert solve(formats.inline(["5x4", "4L"]), "sat").result.certificate is None  # It was not asked for.


@pytest.mark.parametrize("name", sorted(set(ENGINES) - set(INSTALLED)))
def test_engines_that_are_missing_say_what_to_install(name: str) -> None:
    with pytest.raises(MissingDependency, match=f"{name} needs {ENGINES[name].module}; install with: pip install"):
        solve(formats.inline(["2x2", "2"]), f"sat:engine={name}")


def refutes(cnf: Sequence[str], drup: Sequence[str]) -> bool:
    """Whether every clause of a proof follows by unit propagation from those before it, and the last one is empty."""
    clauses = [literals_of(line) for line in cnf if not line.startswith(("c", "p"))]
    for line in drup:
        if line.startswith("d"):
            continue  # With clauses that it may do without, a proof holds too.
        added = literals_of(line)
        if not conflicts(clauses, {-literal for literal in added}):
            return False
        clauses.append(added)
        if not added:
            return True
    return False


def literals_of(line: str) -> frozenset[int]:
    *literals, end = map(int, line.split())
    assert end == 0
    return frozenset(literals)


def conflicts(clauses: list[frozenset[int]], true: set[int]) -> bool:
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if clause & true:
                continue
            left = [literal for literal in clause if -literal not in true]
            if not left:
                return True
            if len(left) == 1:
                true.add(left[0])
                changed = True
    return any(-literal in true for literal in true)


IMPOSSIBLE = [["5x4", "4L"], [".xxx/xxxx/xxxx/xxx.", "2"], ["3x3", "3:3L"], ["4x3", "2..3:3L", "1:3I"]]


@pytest.mark.parametrize("engine", [name for name in INSTALLED if ENGINES[name].proves])
def test_proofs_hold(engine: str) -> None:
    for shapes, encoding in zip(IMPOSSIBLE, ("amk-auto", "amo-auto", "amo-ordered", "amk-bdd"), strict=True):
        result = solve(formats.inline(shapes), f"sat:engine={engine},encoding={encoding}", PROVE).result
        assert result.status is Status.UNSAT
        proof = result.certificate
        assert isinstance(proof, Drup)
        assert refutes(proof.cnf, proof.drup)
        assert not refutes(proof.cnf, ["0"])
        assert not refutes([line for line in proof.cnf if not line.startswith("1 ")], ["0"])


@pytest.mark.parametrize("encoding", ["amk-auto", "amo-pairwise", "amo-ordered"])
def test_covering_at_least_once_is_enough_where_areas_force_it(encoding: str) -> None:
    spec = f"sat:cell=at-least,encoding={encoding}"
    for shapes in (["5x4", "1:4T", "2:4L", "2:4I"], ["4x5", "3:4L", "1:4T", "1:4O"], ["3x3", "1:3L", "2:3I"]):
        instance = formats.inline(shapes)
        assert solve(instance, spec, Question(Goal.COUNT)).result.count == len(tilings(instance))


@pytest.mark.parametrize("shapes", [["4x4", "4L"], ["5x4", "4:4L", "2:4I"], ["xxo/xxx", "2:3L"], ["4x4", "4:4L"]])
def test_elsewhere_it_is_refused(shapes: list[str]) -> None:
    with pytest.raises(BadOption, match="or a cell might be covered twice"):
        solve(formats.inline(shapes), "sat:cell=at-least")


@pytest.mark.parametrize("encoding", ["amk-auto", "amo-pairwise", "amo-ordered"])
@pytest.mark.parametrize("shapes", [["4x4", "4:2", "2:4L"], ["3x2x2", "1..2:3L", "4T", "2"], ["xxo/xxx/oxx", "2:3L", "4I", "1"]])
def test_lex_leaders_keep_one_tiling_of_each_orbit(encoding: str, shapes: list[str]) -> None:
    """The models of the placements, counted here: they are as many as there are orbits."""
    instance = formats.inline(shapes)
    cover = BoardCover.of(instance)
    tiling = encode(cover, encoding, "auto", "lex")
    named = tiling.name_placements()
    kept = set()
    with PySat(bootstrap_with=tiling.formula.clauses) as solver:
        while solver.solve():
            options = tiling.options(solver.get_model())
            kept.add(options)
            solver.add_clause([-named[option] for option in options])
    orbits = solve(instance, "dlx", Question(Goal.COUNT, up_to_symmetry=True)).result.count
    assert len(kept) == orbits > 0
    assert tiling.symmetries == len(group(instance)) - 1


def test_with_lex_leaders_less_can_be_asked() -> None:
    instance = formats.inline(["6x6", "4L"])
    for spec, goal in (("sat:symmetry=lex", Goal.COUNT), ("sat:symmetry=lex,filter=dead", Goal.DECIDE)):
        with pytest.raises(BadOption, match="symmetry=lex"):
            solve(instance, spec, Question(goal))
    proof = solve(instance, "sat:symmetry=lex", PROVE).result.certificate
    assert isinstance(proof, Drup)
    assert any("clauses that break symmetries are in it" in line for line in proof.cnf[:5])


def breaker(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, name: str = "breakid") -> None:
    """Put a program on the path that is given the CNF as $1 and where to write as $2, with the usual programs beside it."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(folder), "/usr/bin", "/bin")))


#: It forbids the first placement by a new variable.
FORBIDS = """awk '/^p/ {v = $3 + 1; print "p cnf", v, $4 + 2} !/^p/ {print} END {print -v, -1, 0; print v, 0}' $1 > $2"""


@pytest.mark.parametrize(("script", "added"), [("cp $1 $2", (0, 0)), (FORBIDS, (1, 2))], ids=["nothing", "a clause"])
@pytest.mark.parametrize("spec", ["", ",seed=3", ",preprocess=on", ",encoding=amo-ordered,engine=minisat22", ",filter=dead"])
def test_a_program_adds_clauses(
    script: str, added: tuple[int, int], spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaker(tmp_path, monkeypatch, script)
    for shapes in (["4x5", "2:4L", "3:4I"], ["4x5", "4L"], ["5x2", "4O", "2:1"]):
        instance = formats.inline(shapes)
        answer = solve(instance, f"sat:symmetry=breakid{spec}")
        found = {as_tiling(solution) for solution in answer.solutions}
        assert found <= tilings(instance)
        assert bool(found) == bool(tilings(instance))
        told = answer.result.stats
        assert (told["symmetry_variables"], told["symmetry_clauses"]) == added
        assert re.fullmatch("breakid [0-9a-f]{16}", told["symmetry_program"])


def test_the_clauses_of_the_program_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that breaks too much is believed: that there is no tiling then rests on its word. Another is taken if it is the
    only one that is there."""
    breaker(tmp_path, monkeypatch, 'sed "/^p/d" $3 > rest; (echo "p cnf 1 1"; echo "0") > $5', "satsuma")
    answer = solve(formats.inline(["4x4", "2"]), "sat:symmetry=breakid")
    assert answer.result.status is Status.UNSAT
    assert answer.result.stats["symmetry_program"].startswith("satsuma ")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo no memory >&2; exit 3", "breakid: exited with status 3: no memory"),
        ("echo tired >&2", "breakid: its CNF is not understood: it wrote no file {out}; its last line: tired"),
        ("echo symmetric > $2", "a line is neither a comment nor a clause"),
        ("head -n 9 $1 > $2", "it has not the clauses that its line `p cnf VARIABLES CLAUSES` says"),
        ("printf 'p cnf 2 1\\n1 2' > $2", "neither a comment nor a clause"),
    ],
)
def test_a_program_that_fails_is_an_error(script: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaker(tmp_path, monkeypatch, script)
    with pytest.raises(BackendError, match=re.escape(why)):
        solve(formats.inline(["4x4", "2"]), "sat:symmetry=breakid")


def test_with_a_program_it_can_decide_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaker(tmp_path, monkeypatch, "cp $1 $2")
    instance = formats.inline(["6x6", "4L"])
    for goal, why in (
        (Goal.COUNT, "it can decide only; to count leave it out"),
        (Goal.ENUMERATE, "to enumerate leave it out"),
        (Goal.OPTIMISE, "leaves out tilings"),
        (Goal.PROVE, "to prove leave it out"),
    ):
        with pytest.raises(Refused, match=why):
            solve(instance, "sat:symmetry=breakid", Question(goal))
    with pytest.raises(Refused, match="knows clauses only"):
        solve(instance, "sat:symmetry=breakid,engine=minicard,cell=native")
    with pytest.raises(BadOption, match="give the file to the program"):
        model_of("cnf", "sat:symmetry=breakid")


def test_without_a_program_it_is_said_where_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingDependency, match=r"^sat: symmetry=breakid needs a program on the path: breakid \(github"):
        solve(formats.inline(["4x4", "2"]), "sat:symmetry=breakid")
    assert "not installed: breakid (breakid" in " ".join(str(solvers("sat")).split())
    assert "breakid" not in values(Sat, next(field for field in dataclasses.fields(Sat) if field.name == "symmetry"))
    breaker(tmp_path, monkeypatch, "cp $1 $2")
    assert "not installed: breakid" not in " ".join(str(solvers("sat")).split())


def test_a_proof_of_a_scrambled_formula_is_about_the_original() -> None:
    instance = formats.inline(["5x4", "4L"])
    proof, plain = (solve(instance, spec, PROVE).result.certificate for spec in (SCRAMBLED, "sat"))
    assert isinstance(proof, Drup)
    assert isinstance(plain, Drup)
    assert proof.cnf[2:] == plain.cnf[2:]
    assert proof.drup != plain.drup
    assert refutes(proof.cnf, proof.drup)


def test_scrambling_keeps_the_models() -> None:
    formula = Formula(5, [[1, -2], [3, 4, -5], [-1]], [([2, 3, 4], 1)])
    scrambled = Scrambled(formula, 3)
    assert scrambled.formula.clauses != formula.clauses
    back = [sorted(scrambled.back(clause)) for clause in scrambled.formula.clauses]
    assert sorted(back) == sorted(map(sorted, formula.clauses))
    assert scrambled.back(scrambled.there([1, -2, 9, -9])) == [1, -2, 9, -9]
    assert scrambled.line_back("d " + " ".join(map(str, scrambled.there([1, -4]))) + " 0") == "d 1 -4 0"
    assert Scrambled(formula, 0).formula is formula


@pytest.mark.parametrize("spec", ["sat", "sat:engine=glucose4,encoding=amo-ordered,cell=ladder"])
def test_a_proof_is_about_what_convert_writes(spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem = str(ROOT / "problems/4L/06x06_u.txt")
    drup, cnf, converted = (tmp_path / name for name in ("out.drup", "out.cnf", "converted.cnf"))
    assert main(["solve", problem, "--solver", spec, "--proof", str(drup)]) == 0
    assert capsys.readouterr().out == "unsat: there is no tiling\n"
    assert main(["convert", problem, "-o", str(converted), "--solver", spec]) == 0
    written, expected = (path.read_text().splitlines() for path in (cnf, converted))
    assert written[2:] == expected[2:]  # after the title and who wrote it
    assert refutes(written, drup.read_text().splitlines())


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["4x4", "2", "--solver", "sat"], 0, "no proof written; sat: there is a tiling"),
        (["5x5", "4T", "--solver", "sat"], 0, "no proof written; this takes no search: unsat: there is no tiling (area: "),
        (["4x4", "2"], 2, "--proof: auto writes no DRUP proofs; sat does: --solver sat"),
        (["4x4", "2", "--solver", "ilp"], 2, "--proof: ilp writes no DRUP proofs"),
        (["4x4", "2", "--solver", "sat:engine=minicard"], 2, "sat: minicard writes no proofs; these engines do: cadical195"),
        (
            ["4x4", "2", "--solver", "sat", "--all"],
            2,
            "--proof and --all: a proof says that there is no tiling; leave out one of them",
        ),
        (
            ["4x4", "2", "--solver", "sat", "--executor", "local:2"],
            2,
            "--executor and --proof: a proof is of one search; leave out one of them",
        ),
    ],
)
def test_where_there_is_no_proof(
    arguments: list[str], status: int, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments, "--proof", str(tmp_path / "out.drup")]) == status
    error = capsys.readouterr().err
    assert text in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("path", "text"), [("out.cnf", "needs another ending than its CNF"), ("-", "a proof is two files")])
def test_where_a_proof_cannot_go(path: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "5x4", "4L", "--solver", "sat", "--proof", path]) == 2
    assert text in capsys.readouterr().err


def test_answers_the_same_twice() -> None:
    first, second = (
        solve(formats.inline(["5x4", "4L", "2"]), "sat", Question(Goal.ENUMERATE, Limits(solutions=9))) for _ in "12"
    )
    assert first.solutions == second.solutions
    assert first.result.stats["conflicts"] == second.result.stats["conflicts"]
    expected = tilings(first.instance)
    assert {as_tiling(solution) for solution in first.solutions} < expected
