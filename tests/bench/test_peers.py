"""The scripts that ask packages of others: what they read; the packages are not installed here."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from shutil import which
from types import ModuleType, SimpleNamespace

import pytest

from tiler.cli.main import main

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"


def script(name: str) -> ModuleType:
    if str(SCRIPTS) not in sys.path:
        sys.path.insert(0, str(SCRIPTS))
    return importlib.import_module(name)


def test_graphillion_is_asked_for_matchings_only(tmp_path: Path) -> None:
    out = tmp_path / "out.dlx"
    count = script("count_covers").COUNTERS["graphillion"]
    assert main(["convert", "4x1", "1:2", "1", "-o", str(out)]) == 0
    with pytest.raises(SystemExit, match="two primary items"):
        count(*script("count_covers").read(str(out)))
    assert count(["a", "b", "c"], [], [["a", "b"]]) == 0


def test_an_exact_cover_is_read_from_knuths_text(tmp_path: Path) -> None:
    out = tmp_path / "out.dlx"
    assert main(["convert", "3x2", "1:3L", "3:1", "-o", str(out)]) == 0
    with pytest.raises(SystemExit, match="several times"):
        script("count_covers").read(str(out))
    assert main(["convert", "4x1", "1:2", "1", "-o", str(out)]) == 0
    primary, secondary, options = script("count_covers").read(str(out))
    assert (primary, secondary) == (["0,0", "0,1", "0,2", "0,3"], ["#1"])
    pairs = [["0,0", "0,1"], ["0,1", "0,2"], ["0,2", "0,3"]]
    assert sorted(map(sorted, options)) == sorted([["#1", *pair] for pair in pairs] + [[cell] for cell in primary])


def test_colours_are_read_from_knuths_text(tmp_path: Path) -> None:
    counters, path = script("count_covers"), tmp_path / "knuth.dlx"
    path.write_text("| from TAOCP 7.2.2.1\np q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n")
    primary, secondary, options = counters.read(str(path))
    assert (primary, secondary) == (["p", "q", "r"], ["x", "y"])
    assert counters.is_coloured(options)
    assert [[counters.split(item) for item in items if counters.split(item)[0] in secondary] for items in options] == [
        [("x", ""), ("y", "A")],
        [("x", "A"), ("y", "")],
        [("x", "B")],
        [("x", "A")],
        [("y", "B")],
    ]
    assert not counters.is_coloured([["p", "x"], ["q"]])
    with pytest.raises(SystemExit, match="colours are not for this package"):
        counters.COUNTERS["exact-cover"](primary, secondary, options)


def test_a_cnf_for_counters_is_read(tmp_path: Path) -> None:
    out = tmp_path / "out.cnf"
    assert main(["convert", "2x2", "2", "-o", str(out), "--format", "pwmc", "--weight", "2 3"]) == 0
    cnf = script("count_models").read(str(out))
    assert (cnf.variables, cnf.shown, cnf.is_weighted) == (4, {1, 2, 3, 4}, True)
    assert cnf.weights == {literal: "3" if literal > 0 else "1" for literal in (1, 2, 3, 4, -1, -2, -3, -4)}
    assert len(cnf.clauses) == 8


def test_answers_to_random_instances_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    formats_of_others = script("check_formats")
    monkeypatch.setattr(sys, "argv", ["check_formats.py", "--instances", "2", "--only", "wcnf", "--seed", "1"])
    rc2, *_ = formats_of_others.PROGRAMS["wcnf"]
    lies = """{python} -c 'print("s UNSATISFIABLE")' {file}"""
    for program, status, tally in ((rc2, 0, "{'right': 2}"), (lies, 4, "{'wrong': 2}")):
        monkeypatch.setitem(formats_of_others.PROGRAMS, "wcnf", (program,))
        assert formats_of_others.main() == status
        assert capsys.readouterr().out.count(tally) == 2  # To decide, and for the optimum.


def test_the_fastest_search_of_several_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path := tmp_path / "two.dlx").write_text("a b\na b\na\nb\n")
    counters, clock = script("count_covers"), iter([0.0, 0.1, 1.0, 1.02, 2.0, 2.2])
    asked = []
    monkeypatch.setitem(counters.COUNTERS, "slow", lambda *problem: asked.append(problem) or 2)
    monkeypatch.setattr(counters.time, "process_time", lambda: next(clock))
    number, seconds = counters.timed("slow", str(path), 0.3)
    assert (number, seconds) == (2, pytest.approx(0.02))
    assert asked[1:] == [counters.read(str(path))] * 3


def test_a_matrix_is_handed_to_dxz(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one list, row by row; a secondary item has a row that leaves it open."""
    asked: list[tuple[int, int, list[int]]] = []
    package = SimpleNamespace(dxz_count=lambda rows, columns, matrix: asked.append((rows, columns, matrix)) or 7)
    monkeypatch.setitem(sys.modules, "dxz", package)
    count = script("count_covers").COUNTERS["dxz"]
    assert count(["a", "b"], ["s"], [["a", "s"], ["b"], ["a", "b"]]) == 7
    assert asked == [(4, 3, [1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1])]
    with pytest.raises(SystemExit, match="colours are not for this package"):
        count(["a"], ["x"], [["a", "x:1"]])


def test_a_package_that_compiles_itself_has_done_so_when_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run of a campaign would be killed while it compiles, and the next one begin again."""
    peers, asked = script("peers"), []

    def run(command: list[str], **_: object) -> None:
        asked.append(command)
        (tmp_path / ".venv/peers/xcover").mkdir(parents=True, exist_ok=True)
        if command[1].endswith("count_covers.py"):
            assert script("count_covers").read(command[-1]) == (["a", "b"], [], [["a"], ["b"], ["a", "b"]])

    monkeypatch.setattr(peers, "ROOT", tmp_path)
    monkeypatch.setattr(peers.subprocess, "run", run)
    for _ in range(2):
        peers.install("xcover")
    assert len(asked) == 3
    assert asked[-1][:3] == [str(peers.interpreter("xcover")), str(tmp_path / "scripts/count_covers.py"), "xcover"]


@pytest.mark.long
@pytest.mark.skipif(which("node") is None, reason="Node.js is not installed")
def test_a_file_is_handed_to_the_npm_package(tmp_path: Path) -> None:
    """A stand-in for the package prints what it is asked, and has two solutions."""
    home = tmp_path / "node_modules/dancing-links"
    home.mkdir(parents=True)
    (home / "package.json").write_text('{"version": "4.3.10", "main": "index.js"}')
    (home / "index.js").write_text(
        "exports.DancingLinks = class { createSolver(shape) { console.log(JSON.stringify(shape)); return {"
        "addSparseConstraint: (data, columns) => console.log(JSON.stringify(columns)),"
        "createGenerator: function* () { yield []; yield []; } }; } };"
    )
    out = tmp_path / "out.dlx"

    def said(*words: str) -> list[str]:
        command = ["node", str(ROOT / "scripts/dancing_links.cjs"), str(tmp_path), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    out.write_text("| a comment\na b | s\na s\nb\n")
    assert said(str(out)) == [
        '{"primaryColumns":2,"secondaryColumns":1}',
        '{"primary":[0],"secondary":[0]}',
        '{"primary":[1],"secondary":[]}',
        "2",
    ]
    out.write_text("a b\na b\n")
    assert said(str(out)) == ['{"columns":2}', "[0,1]", "2"]
    assert said("--version") == ["dancing-links 4.3.10"]
    for refused in ("a | s\na s:1\n", "a:1|2\n"):
        out.write_text(refused)
        with pytest.raises(subprocess.CalledProcessError):
            said(str(out))
