"""The command line, as a user meets it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import NOT_TURNED, call

from tiler.ask.solve import DEFAULT_SOLVER
from tiler.backends.ilp import Ilp
from tiler.backends.registry import backends, parse_spec
from tiler.backends.sat import Sat
from tiler.cli import main as cli
from tiler.model.letter_names import SYNONYMS, named_shapes
from tiler.question.question import Goal
from tiler.render import ticker

STRIPES = "row stripes: every 4L covers an odd number of black cells; 25 tiles cover an odd number; the board has 50"
AREA = "area: pieces of 4 cells cannot add up to"
TILER = [sys.executable, "-m", "tiler"]
PROBLEMS = Path(__file__).parents[2] / "problems"
# For a search: a colouring shows it at once.
HARD = ["14x14", "4I", "--solver", "dlx"]


def run(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run([*TILER, *arguments], input=text, capture_output=True, text=True, env=env, timeout=120)


@pytest.mark.long
def test_solves_a_file_inline_shapes_and_standard_input() -> None:
    done = run("solve", str(PROBLEMS / "4L" / "10x10_u.txt"))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"unsat: there is no tiling ({STRIPES})\n", NOT_TURNED)
    done = run("solve", "11x7", "4T", "3:3I")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "sat: there is a tiling")
    assert (
        run("solve", "-", text="2x2\n\n2\n").stdout
        == "sat: there is a tiling\n┌───────┐\n│       │\n├───────┤\n│       │\n└───────┘\n"
    )


@pytest.mark.parametrize(
    ("arguments", "output", "status"),
    [
        (["count", "4x4", "2"], "36\n", 0),
        (["count", "5x5", "2"], "0\n", 0),
        (["count", "4x3", "--reflections", "4L", "1..:3I"], None, 0),
        (
            ["solve", "5x5", "4L"],
            f"unsat: there is no tiling ({AREA} 25 cells)\n",
            0,
        ),
        (["solve", *HARD, "--time-limit", "100ms"], "unknown (the time limit is over)\n", 3),
        (["solve", *HARD, "--memory-limit", "1M"], None, 3),
        (["count", "8x8", "2", "--solver", "dlx", "--time-limit", "100ms"], None, 3),
        (["solve", "2x2", "2", "--format", "dimacs"], "s SATISFIABLE\n", 10),
        (["solve", "3x3", "2", "--format", "dimacs"], "s UNSATISFIABLE\n", 20),
        (["solve", *HARD, "--time-limit", "100ms", "--format", "dimacs"], "s UNKNOWN\n", 0),
        (["shapes", "4T"], "4T\n[][][]\n  []\n", 0),
        (["--version"], "tiler 0.2.0\n", 0),
    ],
)
def test_output_and_exit_status(
    capsys: pytest.CaptureFixture[str], arguments: list[str], output: str | None, status: int
) -> None:
    got = call(capsys, *arguments)
    assert got[0] == status
    assert output is None or got[1] == output


def test_trace_and_stats_are_talk(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "count", "3x2", "2", "--trace", "--stats", "--solver", "dlx")
    assert (status, out) == (0, "3\n")
    steps = [line.strip().split("  ") for line in err.splitlines() if line.strip()[0] in "+-"]
    stack: list[str] = []
    for sign, cells in ((step[0][0], step[1]) for step in steps):
        if sign == "+":
            stack.append(cells)
        else:
            assert stack.pop() == cells
    assert not stack
    (nodes,) = (line for line in err.splitlines() if line.startswith("nodes"))
    assert int(nodes.split()[1]) == sum(step[0][0] == "+" for step in steps) > 0


@pytest.mark.parametrize(("command", "goal"), [("solve", Goal.DECIDE), ("count", Goal.COUNT), ("sample", Goal.SAMPLE)])
def test_a_trace_is_offered_where_some_solver_has_one(command: str, goal: Goal, capsys: pytest.CaptureFixture[str]) -> None:
    named = [backend for name, backend in backends().items() if name != "auto"]  # which asks one of the others
    can = any(backend.can_trace and goal in backend.goals for backend in named)
    assert ("--trace" in call(capsys, command, "--help")[1]) == can


def test_options_may_stand_between_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    ways = [["4x2", "4L", "--reflections"], ["--reflections", "4x2", "4L"], ["4x2", "--reflections", "4L"]]
    assert {call(capsys, "count", *way)[1] for way in ways} == {"2\n"}
    assert call(capsys, "count", "4x2", "4L", "--no-reflections")[1] == "1\n"


def test_reflections_override_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    problem = tmp_path / "p.txt"
    problem.write_text("# reflections: yes\n4x2\n\n4L\n")
    assert [call(capsys, "count", str(problem), *more)[1] for more in ([], ["--no-reflections"])] == ["2\n", "1\n"]


def test_all_and_limit(capsys: pytest.CaptureFixture[str]) -> None:
    _, every, _ = call(capsys, "solve", "4x4", "2", "--all")
    blocks = every.strip().split("\n\n")
    assert len(blocks) == len(set(blocks)) == 37
    assert blocks[-1] == "36 tilings, no more"
    status, some, _ = call(capsys, "solve", "4x4", "2", "--limit", "3")
    assert (status, some.strip().split("\n\n")) == (0, [*blocks[:3], "the first 3 tilings"])
    assert call(capsys, "solve", "3x3", "2", "--all")[1].startswith("unsat")


def test_up_to_symmetry(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call(capsys, "count", "4x4", "2", "--up-to-symmetry") == (0, "9 up to symmetry (a group of 8)\n", "")
    _, out, _ = call(capsys, "solve", "4x4", "2", "--all", "--up-to-symmetry")
    assert out.strip().split("\n\n")[-1] == "9 tilings up to symmetry (a group of 8), no more"
    _, out, _ = call(capsys, "count", "4x4", "2", "--up-to-symmetry", "--format", "json")
    assert (json.loads(out)["count"], json.loads(out)["symmetry"]) == (9, 8)
    problem = tmp_path / "p.txt"
    problem.write_text("# count: 36\n# count up to symmetry: 9\n4x4\n\n2\n")
    assert call(capsys, "count", str(problem))[0] == call(capsys, "count", str(problem), "--up-to-symmetry")[0] == 0


def test_unique(capsys: pytest.CaptureFixture[str]) -> None:
    *_, last = call(capsys, "solve", "2x2", "2", "--unique")[1].splitlines()
    assert last == "unique: the only tiling up to symmetry (a group of 8)"
    *_, last = call(capsys, "solve", "3x4", "2", "--unique")[1].splitlines()
    assert last == "not unique: there is another tiling up to symmetry (a group of 4)"
    assert call(capsys, "solve", "3x3", "2", "--unique")[1].startswith("unsat")
    assert call(capsys, "solve", *HARD, "--unique", "--time-limit", "100ms")[:2] == (3, "unknown (the time limit is over)\n")
    for problem, unique in (("2x2", True), ("3x4", False), ("3x3", False)):
        _, out, _ = call(capsys, "solve", problem, "2", "--unique", "--format", "json")
        assert json.loads(out.splitlines()[-1])["unique"] is unique
    _, out, _ = call(capsys, "solve", *HARD, "--unique", "--time-limit", "100ms", "--format", "json")
    assert json.loads(out)["unique"] is None


def test_json_is_lines_of_solutions_and_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "solve", "4x3", "2", "--all", "--format", "json")
    *solutions, summary = map(json.loads, out.splitlines())
    assert len(solutions) == summary["count"] == 11
    assert sorted(cell for placement in solutions[0] for cell in placement["cells"]) == [
        [y, x] for y in range(3) for x in range(4)
    ]
    assert {placement["tile"] for placement in solutions[0]} == {"2"}
    expected = {
        "status": "sat",
        "stop": "done",
        "symmetry": None,
        "solver": parse_spec(DEFAULT_SOLVER).spec,
        "instance": "4x3 2",
        "message": "",
    }
    assert expected.items() <= summary.items()
    assert {"schema", "digest", "encode_seconds", "solve_seconds", "stats"} <= summary.keys()
    _, out, _ = call(capsys, "count", "4x4", "2", "--format", "json")
    assert json.loads(out)["count"] == 36


def test_writes_files_whole_or_not_at_all(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "tiling.svg"
    status, out, _ = call(capsys, "solve", "4x4", "2", "-o", str(picture))
    assert (status, out) == (0, "sat: there is a tiling\n")
    assert picture.read_text().startswith("<svg")
    before = picture.read_text()
    assert call(capsys, "solve", "4x4", "4Q", "-o", str(picture))[0] == 2
    assert call(capsys, "solve", "4x4", "2", "-o", str(tmp_path / "no" / "x.svg"))[0] == 2
    assert picture.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["tiling.svg"]


@pytest.mark.parametrize(("name", "start"), [("t.png", b"\x89PNG"), ("t.pdf", b"%PDF"), ("t.svg", b"<svg")])
def test_draws_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, start: bytes) -> None:
    assert call(capsys, "solve", "4x4", "2", "-o", str(tmp_path / name))[:2] == (0, "sat: there is a tiling\n")
    assert (tmp_path / name).read_bytes().startswith(start)
    assert call(capsys, "solve", "3x3", "2", "-o", str(tmp_path / name))[0] == 0  # nothing to draw, nothing lost
    assert (tmp_path / name).read_bytes().startswith(start)


def test_check_accepts_what_solve_writes_and_nothing_else(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    problem, solution = tmp_path / "p.txt", tmp_path / "s.json"
    problem.write_text("4x3\n\n2\n3I\n")
    assert call(capsys, "solve", str(problem), "-o", str(solution))[0] == 0
    assert call(capsys, "check", str(problem), str(solution)) == (0, "the solution holds\n", "")
    assert call(capsys, "solve", str(problem), "--all", "-o", str(solution))[0] == 0
    status, out, _ = call(capsys, "check", str(problem), str(solution))
    assert status == 0
    assert re.fullmatch(r"all \d+ solutions hold\n", out)
    line = solution.read_text().splitlines()[0]
    placements = json.loads(line)
    solution.write_text(line + "\n" + json.dumps(placements[1:]) + "\n")
    status, out, _ = call(capsys, "check", str(problem), str(solution))
    assert status == 4
    assert out.startswith(f"wrong: {solution}:2: ")
    bad = {
        "": "there is no solution in it",
        '{"schema": "tiler-answer-1"}': "there is no solution in it",
        "x": ":1: not a line of JSON",
        "[1]": ":1: a placement is an object",
        "[[]": ":1: not a line of JSON",
        '[{"tile": "2", "cells": [[0, "x"]]}]': ":1: 'cells' of 2 must be a list of cells",
        "3": ":1: neither a solution",
        "[" * 100_000: ":1: not a line of JSON",
        "\0": "not a text file",
    }
    for content, text in bad.items():
        solution.write_text(content)
        status, out, err = call(capsys, "check", str(problem), str(solution))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert text in err


def test_check_refuses_images_of_one_tiling_in_an_answer_up_to_symmetry(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, out, _ = call(capsys, "solve", "3x4", "2", "--all", "--up-to-symmetry", "--format", "json")
    *listed, answer = out.splitlines()

    def mirror(line: str) -> list[dict[str, Any]]:
        return [{**each, "cells": sorted([3 - row, column] for row, column in each["cells"])} for each in json.loads(line)]

    def cells(tiling: list[dict[str, Any]]) -> list[list[list[int]]]:
        return sorted(sorted(each["cells"]) for each in tiling)

    at = next(at for at, line in enumerate(listed[:-1]) if cells(mirror(line)) != cells(json.loads(line)))
    mirrored = mirror(listed[at])
    solution = tmp_path / "s.json"
    for last, expected in ((listed[-1], 0), (json.dumps(mirrored), 4)):
        solution.write_text("\n".join([*listed[:-1], last, answer]) + "\n")
        status, out, _ = call(capsys, "check", "3x4", "2", str(solution))
        assert status == expected
    assert out == f"wrong: {solution}:{len(listed)}: up to symmetry it is the same tiling as in line {at + 1}\n"
    # An answer that counts images as others may list them.
    solution.write_text("\n".join([*listed[:-1], json.dumps(mirrored)]) + "\n")
    assert call(capsys, "check", "3x4", "2", str(solution))[0] == 0


def test_show_tells_how_a_problem_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "show", "oxx/xxx", "1..2:3L", "1:xx/.x", "2")
    for text in (
        "6 cells, 1 of them optional, in the plane",
        "may be turned, not reflected",
        "3L: 1 to 3; 3 cells, 4 ways",
        "2: any number",
    ):
        assert text in out
    assert "congruent to an earlier one" in out
    assert "placements  15" in out
    _, out, _ = call(capsys, "show", str(PROBLEMS / "4L" / "10x10_u.txt"))
    for text in (
        "unsat",
        "Martin",
        "10x10, 100 cells",
        "4L: any number; 4 cells, 4 ways to turn it, 288 placements",
        "a group of 4",
    ):
        assert text in out


@pytest.mark.parametrize("form", ["json", "problem"])
def test_show_writes_problems_that_can_be_read(capsys: pytest.CaptureFixture[str], form: str) -> None:
    out = call(capsys, "show", str(PROBLEMS / "misc" / "02_u.txt"), "--format", form)[1]
    assert run("solve", "-", text=out).stdout.startswith("unsat")


def test_shapes_and_solvers_list_everything(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "shapes")[1]
    words = set(re.split(r"[\s,.]+", out))
    assert set(named_shapes()) | set(SYNONYMS) <= words
    out = call(capsys, "solvers")[1]
    assert "order=default|frequent|rare|fill-row" in out
    assert "thesis" in call(capsys, "solvers", "backtracking")[1]
    # In a process of its own: in this one other tests have registered solvers.
    for command in ("shapes", "solvers", "solvers backtracking"):
        printed = subprocess.check_output([sys.executable, "-m", "tiler", *command.split()], text=True)
        assert max(map(len, printed.splitlines())) <= 80


def test_solvers_say_what_is_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sat, "requires", ("no_such_module",))
    monkeypatch.setattr(Ilp, "extras", {("engine", "gurobi"): "no_such_engine", ("engine", "cbc"): "json"})
    out = re.sub(r"\s+", " ", call(capsys, "solvers")[1])
    assert "sat (not installed: pip install no_such_module; can " in out
    assert "ilp (installed; can " in out
    assert "(default: cbc); not installed: gurobi (pip install no_such_engine)" in out


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_has_examples_that_parse(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = call(capsys, command, "--help")
    assert status == 0
    assert f"  tiler {command}" in out
    assert max(map(len, out.splitlines())) <= 100
    # Commands, code, and what argparse does not break stay as they are.
    kept = re.compile(r" *\[-|  (tiler|[a-z-]+ =) ")
    assert [line for line in out.splitlines() if len(line) > 80 and not kept.match(line)] == []
    assert command in call(capsys, "--help")[1]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "usage: tiler COMMAND"),
        (["slove"], "unknown command 'slove'; nearest: solve"),
        (["solve"], "required"),
        (["solve", "4x4", "3K"], "'3K' is not a shape; nearest: 3I, 3L"),
        (["solve", "4x4"], "4x4: there is no such file; shapes on the command line are a board and at least one tile"),
        (["solve", "4x4", "0:2"], "'0:' allows no copy"),
        (["solve", "4x4", "3..2:2"], "'3..2:' is an empty range"),
        (["solve", "4x4", "L1"], "tile L1 has several layers, but the board has one"),
        (["solve", "4x4", "x.x"], "not connected"),
        (["solve", "4x4", "DDR"], "does not close"),
        (["solve", "99999x99999", "2"], "too large"),
        (["solve", "4x4", "2", "--solver", "backtrackin"], "unknown solver 'backtrackin'; nearest: backtracking"),
        (["solve", "4x4", "2", "--solver", "backtracking:order=x"], "it must be one of default, frequent, rare, fill-row"),
        (["solve", "4x4", "2", "--time-limit", "soon"], "'soon' is not a duration such as 10s"),
        (["solve", "4x4", "2", "--memory-limit", "0"], "'0' is not a size such as 500M"),
        (["solve", "4x4", "2", "--limit", "0"], "'0' is not a whole number from 1"),
        (["solve", "4x4", "2", "--all", "--limit", "2"], "not allowed with"),
        (["solve", "4x4", "2", "--unique", "--format", "svg"], "whether it is unique is no picture (svg)"),
        (["solve", "4x4", "2", "-o", "."], "is a folder"),
        (["solve", "4x4", "2", "--colour"], "unrecognized arguments: --colour; nearest: --colours; see tiler solve --help"),
        (["solve", "4x4", "2", "-z"], "unrecognized arguments: -z; see tiler solve --help"),
        (["count", "4x4", "2", "--sovler=dlx"], "unrecognized arguments: --sovler=dlx; nearest: --solver; see"),
        (["bench", "--fliter", "x"], "unrecognized arguments: --fliter; nearest: --filter; see tiler bench --help"),
        (["solve", "no/such/file.txt"], "no/such/file.txt: there is no such file"),
        (["count", os.fspath(PROBLEMS)], "a folder, not a problem file"),
        (["solve", sys.executable], "not a text file"),
        (["solve", "\0"], "not a file name"),
        (["count", "4x4", "2", "--by-cell", "--solver", "dlx"], "it cannot count uses; these can count uses: auto, frontier"),
        (["sample", "4x4", "2", "--solver", "dlx"], "dlx: it cannot sample; these can sample: auto, frontier, matching"),
        (["shapes", "nothing"], "'nothing' is not a shape"),
        (["solvers", "nothing"], "unknown solver 'nothing'"),
    ],
)
def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str) -> None:
    status, out, err = call(capsys, *arguments)
    assert status == 2
    assert text in (err or out)
    assert err.count("\n") == (1 if arguments else 0)
    assert "Traceback" not in err


def test_an_answer_that_contradicts_the_file_is_loud(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, head, command, text in (
        ("a_u.txt", "", "solve", "the answer is sat, but the problem file expects unsat"),
        ("b.txt", "# count: 35\n", "count", "counted 36, but the problem file expects 35"),
        ("c.txt", "# verdict: unsat\n", "count", "the answer is sat, but the problem file expects unsat"),
    ):
        (tmp_path / name).write_text(f"{head}4x4\n\n2\n")
        status, _, err = call(capsys, command, str(tmp_path / name))
        assert status == 4
        assert text in err


def test_quiet_leaves_only_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a_u.txt").write_text("4x4\n\n2\n")
    assert call(capsys, "count", "8x4", "4L", "-q") == (0, "12\n", "")
    status, _, err = call(capsys, "solve", str(tmp_path / "a_u.txt"), "--quiet")
    assert (status, err.count("\n")) == (4, 1)
    assert err.startswith("tiler: wrong: the answer is sat, but the problem file expects unsat")
    assert call(capsys, "count", "4L", "-q")[::2] == (2, call(capsys, "count", "4L")[2])
    refused = "tiler: -q prints nothing on stderr, and --stats does\n"
    assert call(capsys, "count", "8x4", "4L", "-q", "--stats")[::2] == (2, refused)


def test_verbose_prints_progress_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticker, "_AFTER", 0.0)
    monkeypatch.setattr(ticker._Lines.__init__, "__defaults__", (0.0,))  # A line at each progress.
    asked = ("count", "6x10", "1:pentominoes", "--solver", "backtracking", "--time-limit", "0.2s")
    assert "nodes" not in call(capsys, *asked)[2]
    assert re.search(r"^tiler: .*nodes.*tilings$", call(capsys, *asked, "-v")[2], re.MULTILINE)
    assert "nodes" not in call(capsys, *asked)[2]


@pytest.mark.long
def test_ctrl_c_ends_a_search_and_keeps_what_is_known() -> None:
    process = subprocess.Popen([*TILER, "solve", "8x8", "2", "--all", "--format", "json"], stdout=subprocess.PIPE)
    assert process.stdout
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    process.stdout.close()
    process.wait(timeout=30)
    summary = json.loads(rest.splitlines()[-1])
    assert process.returncode == 130
    assert summary["stop"] == "interrupted"
    assert summary["stats"]["found"] == len(rest.splitlines())
    assert isinstance(json.loads(first), list)


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen([*TILER, "solve", "8x8", "2", "--all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 0


def on_a_terminal(arguments: list[str], until: bytes, **environment: str) -> bytes:
    """What a command prints on a terminal, up to some text; then it is interrupted and has to end."""
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", **environment}
    process = subprocess.Popen(
        [*TILER, *arguments], stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True
    )
    os.close(follower)
    seen, deadline = b"", time.monotonic() + 60
    while until not in seen and time.monotonic() < deadline:
        if select.select([leader], [], [], 0.5)[0]:
            try:
                seen += os.read(leader, 1 << 16)
            except OSError:  # The other end is closed.
                break
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    os.close(leader)
    assert until in seen
    return seen


@pytest.mark.long
def test_colours_and_progress_are_for_terminals() -> None:
    assert on_a_terminal(["solve", "4x4", "2"], b";48;5;", NO_COLOR="")
    plain = on_a_terminal(["solve", "4x4", "2"], "└".encode(), NO_COLOR="1")
    assert b"\x1b[" not in re.sub(rb"\r\x1b\[K", b"", plain)  # What takes a line of progress away is no colour.
    assert b"nodes" in on_a_terminal(["count", *HARD], b"tilings")
    assert "\x1b" not in run("solve", "4x4", "2").stdout


def test_output_that_cannot_hold_lines_gets_letters() -> None:
    done = run("solve", "4x1", "2", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout.splitlines()[1:]) == (0, ["AABB"])
    assert "?" in run("show", "x/o", "1", PYTHONIOENCODING="ascii").stdout


def test_help_is_quick_because_nothing_heavy_is_imported() -> None:
    code = (
        "import sys; from tiler.cli.main import main; main(['--help']); sys.exit('numpy' in sys.modules or 'rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_nothing_is_looked_through_for_garbage_when_the_command_is_over() -> None:
    code = """
import atexit, gc, sys
sys.argv = ["tiler", "--version"]
atexit.register(lambda: print(len(gc.get_objects()) < 1000))
from tiler.cli.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"
