"""Programs of others as solvers: those that lie, hang, flood and crash, and real ones where they are installed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.ask.solve import solve, solve_cover
from tiler.backends.command import Program, define, solver_tables
from tiler.backends.languages import answers
from tiler.backends.registry import backends, parse_spec
from tiler.bench.job import key_of
from tiler.cli.main import main
from tiler.cover.cover import Cover
from tiler.errors import BackendError, BadOption, BadSolution, InputError, MissingDependency, TilerError
from tiler.formats import inline, with_settings
from tiler.model.expected import Status
from tiler.optional_packages import is_installed
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

COUNT = Question(Goal.COUNT)
PROBLEMS = {"ell": ["4x3", "3L"], "mixed": ["5x4", "4T", "4L", "4I"], "none": ["5x2", "4O"], "two": ["5x4", "5:4T"]}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is declared here is not known to other tests."""
    monkeypatch.setattr("tiler.backends.registry._registered", dict(backends()))


def declared(tmp_path: Path, command: str | list[str], given: str = "cnf", answer: str = "dimacs", **more: Any) -> str:
    table = {"name": "theirs", "command": command, "input": given, "output": answer, **more}
    return solver_tables.define_all([table], tmp_path / "campaign.toml")[0]


def prints(text: str) -> list[str]:
    return ["printf", "%s", text]


# --- programs that do not do what they should


@pytest.mark.parametrize(
    ("command", "error", "why"),
    [
        (["sh", "-c", "echo out of luck >&2; kill -SEGV $$"], BackendError, "theirs: killed by SIGSEGV: out of luck"),
        (["sh", "-c", "echo 's UNSATISFIABLE'; exit 3"], BackendError, "theirs: exited with status 3"),
        ("true {cnf}", BackendError, "there is no line `s SATISFIABLE`"),
        ("yes {cnf}", BackendError, "theirs: it printed more than 0 MB, and was ended"),
        (["printf", "s SATISFIABLE\nv 1 2 3 0\n"], BadSolution, "theirs"),
    ],
    ids=["crasher", "quitter", "mute", "flood", "forger"],
)
def test_a_program_that_fails_is_an_error(
    command: str | list[str], error: type[TilerError], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tiler.process.programs.MOST_BYTES", 1 << 16)
    with pytest.raises(error, match=why):
        solve(inline(["4x4", "2"]), declared(tmp_path, command))


def test_a_program_that_does_not_know_is_believed_and_one_that_is_late_is_ended(tmp_path: Path) -> None:
    tired = ["sh", "-c", "cat > here; echo 'c 17 conflicts'; echo 's UNKNOWN'; echo 'v 1 2'; echo tired >&2"]
    result = solve(inline(["4x4", "2"]), declared(tmp_path, tired)).result
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)
    assert result.stats["log"] == ["c 17 conflicts", "s UNKNOWN", "tired"]
    late = solve(inline(["4x4", "2"]), declared(tmp_path, "sleep 1000"), Question(limits=Limits(seconds=0.2))).result
    assert (late.status, late.stop) == (Status.UNKNOWN, Stop.TIME)


@pytest.mark.long
def test_one_campaign_with_a_liar_and_its_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tiler.process.programs.MOST_BYTES", 1 << 20)  # More takes a while on a busy machine.
    Path("problems/2").mkdir(parents=True)
    Path("problems/2/04x04_s.txt").write_text("4x4\n\n2\n")
    Path("says").write_text("#!/bin/sh\necho 's SATISFIABLE'\necho 'v 1 2 3 0'\n")
    Path("says").chmod(0o755)
    commands = {
        "liar": "echo 's UNSATISFIABLE'",
        "forger": "./says {cnf}",
        "sleeper": "sleep 60",
        "flood": "yes {cnf}",
        "crasher": ["sh", "-c", "echo out of luck >&2; kill -SEGV $$"],
        "quitter": ["sh", "-c", "echo 's UNSATISFIABLE'; exit 3"],
        "mute": "true {cnf}",
        "truthful": ["sh", "-c", "cat > here; echo 'c 17 conflicts'; echo 's UNKNOWN'; echo 'v 1 2'; echo tired >&2"],
    }
    tables = [
        f"[[solver]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}\ninput = 'cnf'\noutput = 'dimacs'\n"
        "version = ['echo', 'number 7']\ncolour = '#112233'\n"
        for name, command in commands.items()
    ]
    # A program is forked from a process as large as that of the tests, whose memory counts twice until the program is loaded.
    Path("c.toml").write_text("output = 'out'\ntime-limit = '2s'\nmemory-limit = '16G'\n" + "".join(tables))
    assert main(["bench", "c.toml", "--no-plots", "--no-warm-repeats"]) == 4
    records = {r["solver"].partition(":")[0]: r for r in map(json.loads, Path("out/runs.jsonl").read_text().splitlines())}
    assert {name: (record["category"], record["stop"]) for name, record in records.items()} == {
        "liar": ("wrong", "done"),
        "forger": ("wrong", "error"),
        "sleeper": ("unknown", "time"),
        "flood": ("error", "error"),
        "crasher": ("error", "error"),
        "quitter": ("error", "error"),
        "mute": ("error", "error"),
        "truthful": ("unknown", "undecided"),
    }
    said = {name: record["message"] for name, record in records.items()}
    assert "sat is expected" in said["liar"]
    assert said["flood"] == "flood: it printed more than 1 MB, and was ended"
    assert said["crasher"] == "crasher: killed by SIGSEGV: out of luck"
    assert said["quitter"] == "quitter: exited with status 3"
    assert "there is no line `s SATISFIABLE`" in said["mute"]
    assert records["truthful"]["stats"]["log"] == ["c 17 conflicts", "s UNKNOWN", "tired"]
    program = records["forger"]["program"]
    assert (program["command"], program["version"], program["colour"]) == ("./says '{cnf}'", "number 7", "#112233")
    assert str(tmp_path) not in json.dumps(records)
    # Another program under that name is another solver; another colour is not.
    capsys.readouterr()
    Path("says").write_text("#!/bin/sh\necho 's UNKNOWN'\n")
    Path("c.toml").write_text(Path("c.toml").read_text().replace("#112233", "#445566"))
    main(["bench", "c.toml", "--no-plots", "--no-warm-repeats", "--solver", "forger", "--solver", "crasher"])
    assert "1 of them recorded already" in capsys.readouterr().err


def test_a_record_that_tells_of_no_program_has_the_key_it_had() -> None:
    assert key_of({"instance": "a", "program": None}) == key_of({"instance": "a"})


def test_a_count_and_its_verdict_must_agree(tmp_path: Path) -> None:
    name = declared(tmp_path, prints('{"status": "unsat", "count": 3}'), "text", "json")
    with pytest.raises(BadSolution, match="says unsat and counts 3"):
        solve(inline(["4x4", "2"]), name, COUNT)
    name = declared(tmp_path, prints('{"status": "sat"}'), "text", "json")
    with pytest.raises(BadSolution, match="shows no tiling"):
        solve(inline(["4x4", "2"]), name)
    name = declared(tmp_path, prints('{"status": "sat", "tiling": [{"tile": "2", "cells": [[0, 0], [5, 5]]}]}'), "text", "json")
    with pytest.raises(BadSolution, match="where that cannot lie"):
        solve(inline(["4x4", "2"]), name)
    name = declared(tmp_path, prints('{"status": "sat", "tiling": [{"tile": 2}]}'), "text", "json")
    with pytest.raises(BackendError, match="a placement is an object"):
        solve(inline(["4x4", "2"]), name)


def test_models_that_might_be_several_for_a_tiling_are_not_counted(tmp_path: Path) -> None:
    name = declared(tmp_path, "echo 7", "cnf", "count")
    with pytest.raises(BackendError, match=r"theirs: tile 4L may be used 2 times, and .* might multiply"):
        solve(inline(["5x4", "2:4L", "4T", "4I"]), name, COUNT)
    name = declared(tmp_path, "echo 7", "cnf", "count", model="sat")
    with pytest.raises(BackendError, match="variables of this CNF are the encoding's"):
        solve(inline(["5x4", "2:4L", "4T", "4I"]), name, COUNT)
    name = declared(tmp_path, "echo 7", "cnf", "count", model="sat:encoding=amo-pairwise", projects=True)
    with pytest.raises(BackendError, match="choose an encoding with amk"):
        solve(inline(["5x4", "2:4L", "4T", "4I"]), name, COUNT)
    name = declared(tmp_path, "echo 7", "cnf", "count", projects=True)
    assert solve(inline(["5x4", "2:4L", "4T", "4I"]), name, COUNT).result.count == 7


def test_an_optimum_is_as_sure_as_the_program_says(tmp_path: Path) -> None:
    instance = with_settings(inline(["2x2", "2", "1"]), {"weights": ["2 3"]})
    best = Question(Goal.OPTIMISE)
    name = declared(tmp_path, prints("o -6\ns OPTIMUM FOUND\nv x1 x2\n"), "opb", "pb")
    result = solve(instance, name, best).result
    assert (result.value, result.bound, result.stop) == (6, 6, Stop.DONE)
    name = declared(tmp_path, prints("o 0\ns SATISFIABLE\nv x5 x6 x7 x8\n"), "opb", "pb")
    result = solve(instance, name, best).result
    assert (result.value, result.bound, result.stop) == (0, 6, Stop.UNDECIDED)  # No more fits by the areas.
    with pytest.raises(BadOption, match="optimise"):
        solve(instance, declared(tmp_path, "echo 1", "cnf", "dimacs"), best)


def test_a_command_that_is_a_link_is_called_by_its_own_name(tmp_path: Path) -> None:
    """As the interpreter of a virtual environment must be."""
    (tmp_path / "real").write_text("#!/bin/sh\nbasename $0 | sed 's/link/7/'\n")
    (tmp_path / "real").chmod(0o755)
    (tmp_path / "link").symlink_to("real")
    assert solve(inline(["2x2", "2"]), declared(tmp_path, "./link", "text", "count"), COUNT).result.count == 7


# --- tables


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"name": "a"}, "command is missing"),
        ({"name": "dlx", "command": "x", "input": "cnf", "output": "dimacs"}, "a solver of Tiler is called dlx"),
        ({"name": "a:b", "command": "x", "input": "cnf", "output": "dimacs"}, "name 'a:b'"),
        ({"name": "a", "command": "x", "input": "cmf", "output": "dimacs"}, "input must be one of cnf.*nearest: cnf"),
        ({"name": "a", "command": "x", "input": "lp", "output": "dimacs"}, "input lp is answered as columns"),
        ({"name": "a", "command": "x {lp}", "input": "cnf", "output": "dimacs"}, r"\{lp\} stands for nothing"),
        ({"name": "a", "command": "x 'y", "input": "cnf", "output": "dimacs"}, "command: No closing quotation"),
        ({"name": "a", "command": "x", "input": "cnf", "output": "dimacs", "model": "ilp"}, "input cnf is the model of sat"),
        (
            {"name": "a", "command": "x", "input": "cnf", "output": "count", "model": "sat:symmetry=lex"},
            "symmetry=lex leaves out tilings",
        ),
        ({"name": "a", "command": "x", "input": "lp", "output": "columns", "model": "ilp:objective=geq-min"}, "choose eq-ign"),
        (
            {"name": "a", "command": "x", "input": "cnf", "output": "dimacs", "color": "red"},
            "unknown key 'color'; nearest: colour",
        ),
        ({"name": "a", "command": "x", "input": "cnf", "output": "dimacs", "colour": "red"}, "colour must be as"),
    ],
)
def test_a_table_that_is_no_good_is_one_line(tmp_path: Path, table: dict[str, Any], why: str) -> None:
    with pytest.raises((InputError, BadOption), match=why):
        solver_tables.define_all([table], tmp_path / "campaign.toml")


def test_the_users_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    Path("tiler.toml").write_text("[[solver]]\nname = 'mine'\ncommand = 'echo 5'\ninput = 'text'\noutput = 'count'\n")
    assert main(["count", "4x4", "2", "--solver", "mine"]) == 0
    assert capsys.readouterr().out == "5\n"
    assert main(["solvers", "mine"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:3] == ["  From ./tiler.toml.", "  The program `echo 5`, declared in a file."]
    assert tiler.solvers("mine")[0].source == str(tmp_path / "tiler.toml")
    assert [each.name for each in tiler.solvers("dlx", "auto") if each.source] == []
    Path("tiler.toml").write_text("[[solver]]\nname = 'another'\ncommand = 'echo 36'\ninput = 'text'\noutput = 'count'\n")
    board = tiler.make("4x4", "2")
    assert tiler.count(board, solver="another") == 36
    assert [each["count"] for each in tiler.benchmark([board], solvers=["another"], goal="count", memory="16G").records] == [36]
    assert [each.name for each in tiler.solvers("another")] == ["another"]
    Path("tiler.toml").write_text("[[solver]]\nname = 'mine'\ncommand = 'no-such-program'\ninput = 'text'\noutput = 'count'\n")
    assert main(["count", "4x4", "2", "--solver", "mine"]) == 2
    assert "it needs the program no-such-program" in capsys.readouterr().err
    Path("tiler.toml").write_text("solver = 3")
    assert main(["count", "4x4", "2"]) == 2
    assert "tiler.toml: a program is declared as [[solver]]" in capsys.readouterr().err


def test_another_program_elsewhere_is_refused(tmp_path: Path) -> None:
    program = define(Program("theirs", ("echo", "5"), "text", "count", folder=str(tmp_path))).declared.identified
    program.ensure()
    with pytest.raises(TilerError, match="echo is another program here"):
        Program("theirs", ("echo", "5"), "text", "count", folder=str(tmp_path), digest="0" * 16).ensure()
    with pytest.raises(TilerError, match="not to be found here"):
        Program("theirs", ("no-such-program",), "text", "count", folder=str(tmp_path), digest="0" * 16).ensure()
    assert isinstance(parse_spec("theirs").origin(), Program)
    with pytest.raises(MissingDependency, match="no-such-program"):
        solve(inline(["4x4", "2"]), "theirs", COUNT)


def test_what_is_the_problem_itself_takes_no_filter(tmp_path: Path) -> None:
    name = declared(tmp_path, "echo 5", "text", "count")
    with pytest.raises(BadOption, match="leave out filter="):
        solve(inline(["4x4", "2"]), f"{name}:filter=dead", COUNT)
    with pytest.raises(BadOption, match="it needs a board"):
        solve_cover(Cover.from_rows([["a"], ["b"]]), name, COUNT)


# --- what programs print


@pytest.mark.parametrize(
    ("output", "text", "status", "count"),
    [
        ("count", "c o\ns SATISFIABLE\nc s exact arb int 36\n", Status.SAT, 36),
        ("count", "s mc 0\n", Status.UNSAT, 0),
        ("count", "Altogether 12 solutions, 3+4 mems\n", Status.SAT, 12),
        ("count", "c Models         : 36\nc Time: 3\n", Status.SAT, 36),
        ("count", "\n36\n\n", Status.SAT, 36),
        ("columns", "Infeasible - objective value 4\n      0 x0  1  0\n", Status.UNSAT, None),
        ("columns", "Status:     INTEGER EMPTY\n", Status.UNSAT, None),
        ("columns", "Status:     INTEGER UNDEFINED\n", Status.UNKNOWN, None),
        ("columns", "Stopped on time - objective value 4\n      0 x0  1  0\n", Status.UNKNOWN, None),
        ("columns", "Optimal - objective value 0\n      0 x0    1   0\n      3 x3  1 0\n", Status.SAT, None),
        ("columns", "Status:     INTEGER OPTIMAL\n   1 x0   *   1   0   1\n   2 x1   *  0  0 1\n", Status.SAT, None),
        ("minizinc", "%%%mzn-stat: flatTime=0.5\n=====UNSATISFIABLE=====\n", Status.UNSAT, None),
        ("minizinc", "=====UNKNOWN=====\n", Status.UNKNOWN, None),
        ("minizinc", "2: 0,0 0,1\n2: 1,0 1,1\n----------\n", Status.SAT, None),
    ],
)
def test_what_is_understood(output: str, text: str, status: Status, count: int | None) -> None:
    said = answers.read(output, text)
    assert (said.status, said.count) == (status, count)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("count", "c s approx arb int 36\n"),
        ("count", "c ApproxMC version 4\ns mc 36\n"),
        ("count", "about 36\n"),
        ("count", f"s mc {'9' * 5000}\n"),
        ("columns", "Optimal\n 0 x0 1.e.e 0\n"),
        ("columns", ""),
        ("minizinc", "----------\n"),
        ("minizinc", "place 1 2\n----------\n"),
        ("minizinc", "2: 0;0\n----------\n"),
        ("json", '{"status": "perhaps"}'),
        ("json", '{"status": "sat", "count": -1}'),
        ("json", "{"),
        ("json", "[]"),
    ],
)
def test_what_is_not_understood_is_no_verdict(output: str, text: str) -> None:
    with pytest.raises(InputError):
        answers.read(output, text)


@pytest.mark.parametrize(
    ("output", "text", "line"),
    [
        # As glpsol writes with -w: columns by numbers of its own.
        (
            "columns",
            "c Problem:    \nc Status:     INTEGER OPTIMAL\nc\ns mip 16 25 o 0\ni 1 1\nj 1 0\n",
            "s mip 16 25 o 0",
        ),
        ("columns", "Status:     OPTIMAL\n\n   No. Row\n------ ---\n  1 cell0  1\n", "No. Row"),
        ("columns", "usage: solve FILE\n", "usage: solve FILE"),
        ("minizinc", "% a comment\nsyntax error, line 3\n", "syntax error, line 3"),
    ],
)
def test_the_first_line_not_understood_is_told(output: str, text: str, line: str) -> None:
    with pytest.raises(InputError, match=f"the first line not understood: {re.escape(repr(line))}$"):
        answers.read(output, text)


# --- real ones

REAL: dict[str, tuple[str, str, str, str]] = {
    "cadical": ("cadical -q {cnf}", "cnf", "dimacs", ""),
    "minisat": ("minisat {cnf} {out}", "cnf", "dimacs", ""),
    "picosat": ("picosat", "cnf", "dimacs", "sat:encoding=amo-ordered"),
    "clasp": ("clasp --seed={seed} {cnf}", "cnf", "dimacs", ""),
    "cryptominisat5": ("cryptominisat5 --verb 0 {cnf}", "cnf", "dimacs", ""),
    "sat4j": ("java -jar /usr/bin/sat4j {cnf}", "cnf", "dimacs", ""),
    "minisat+": ("minisat+ {opb}", "opb", "pb", "ilp:objective=eq-min"),
    "cbc": ("cbc {mps} solve solu {out}", "mps", "columns", "ilp:objective=eq-min"),
    "glpsol": ("glpsol --lp {lp} -o {out}", "lp", "columns", ""),
    "minizinc": ("minizinc --solver gecode --statistics {mzn} {dzn}", "mzn", "minizinc", ""),
}


@pytest.mark.long
@pytest.mark.parametrize("program", REAL)
def test_real_programs(program: str, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    command, given_, answer, model = REAL[program]
    name = declared(tmp_path, command, given_, answer, model=model)
    question = Question(limits=Limits(seconds=60))
    for problem, status in (("ell", Status.SAT), ("two", Status.UNSAT)):
        answer_ = solve(inline(PROBLEMS[problem]), name, question)
        assert (answer_.result.status, answer_.result.stop) == (status, Stop.DONE)
        assert len(answer_.solutions) == (status is Status.SAT)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("minizinc") is None, reason="minizinc is not installed")
def test_geost(tmp_path: Path) -> None:
    name = declared(tmp_path, REAL["minizinc"][0], "mzn", "minizinc", model="geost")
    for problem, status in (("ell", Status.SAT), ("mixed", Status.SAT), ("none", Status.UNSAT)):
        result = solve(inline(PROBLEMS[problem]), name).result
        assert result.status is status
    assert {"flatten_seconds", "engine_seconds"} <= result.stats.keys()


@pytest.mark.long
@pytest.mark.skipif(not is_installed("pyganak"), reason="pyganak is not installed")
def test_a_model_counter(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "scripts/count_models.py"
    name = declared(tmp_path, f"{{python}} {script} ganak {{cnf}}", "cnf", "count", projects=True)
    assert solve(inline(["5x4", "2:4L", "4T", "4I"]), name, COUNT).result.count == 33
