"""An installation with NumPy alone: import, answer, draw, and say in a sentence what else is needed and how to get it.

Each test runs in a Python that has no packages but NumPy, and none of the modules that Windows and web pages lack.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tiler
from tiler import optional_packages
from tiler.errors import MissingDependency

ROOT = Path(tiler.__file__).parent.parent

#: Modules of the standard library that are missing on Windows or in a web page.
ABSENT = ("fcntl", "resource", "termios", "tty", "pty", "grp", "pwd", "_multiprocessing", "_posixshmem")

#: Windows lacks these functions too.
LESS = """
import os, select, signal
for module, names in {
    os: "fork geteuid getuid mkfifo wait4 fchmod sched_getaffinity getloadavg killpg setsid O_CLOEXEC O_NOFOLLOW O_NONBLOCK",
    select: "poll",
    signal: "SIGHUP SIGKILL SIGALRM setitimer",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""

CORE = f"""
import sys
sys.path[:] = [path for path in sys.path if "site-packages" not in path] + [{str(ROOT)!r}, sys.argv.pop(1)]
PACKAGES = {(*optional_packages.EXTRAS,)!r}
sys.modules.update(dict.fromkeys([*{ABSENT!r}, *PACKAGES]))
{LESS}"""


@pytest.fixture(scope="module")
def numpy_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but NumPy."""
    folder = tmp_path_factory.mktemp("alone")
    installed = Path(np.__file__).parent
    for path in (installed, installed.with_name("numpy.libs")):
        if path.exists():
            (folder / path.name).symlink_to(path)
    return folder


def python(numpy_alone: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    # -S: without any other package.
    command = [sys.executable, "-S", "-E", "-P", "-c", CORE + program, str(numpy_alone), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=numpy_alone)


def command(numpy_alone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(numpy_alone, "from tiler.cli import start\nsys.exit(start())", *arguments)


ANSWERS = """
import tiler
dominoes = tiler.make("4x4", "2")
solvers = "auto", "dlx", "backtracking", "fila", "frontier", "matching"
print([tiler.count(dominoes, solver=solver) for solver in solvers], tiler.count(dominoes, up_to_symmetry=True))
print(len(list(tiler.tilings(dominoes))), tiler.TilingSet.of(dominoes).count, len(tiler.sample(dominoes, 2, seed=1)))
print(tiler.by_open(tiler.make("5x1", "2", open=1))[(0, 2),], bool(tiler.unique(dominoes, seed=1).fixed))
print(len(tiler.choose(tiler.make("5x3", "1:pentominoes"))), [prime.sides for prime in tiler.rectangles("2", up_to=2).primes])
print(tiler.series("2xn", "2").recurrence, tiler.prove(tiler.make("6x6", "4L")).sentence.partition(":")[0])
picture = tiler.solve(dominoes).tiling.svg()
print("<svg" in picture, {name for name in sys.modules if sys.modules[name] and name.partition(".")[0] in PACKAGES})
"""


@pytest.mark.long
def test_questions_are_answered(numpy_alone: Path) -> None:
    done = python(numpy_alone, ANSWERS)
    assert done.stdout.splitlines() == [
        "[36, 36, 36, 36, 36, 36] 9",
        "36 36 2",
        "1 True",
        "7 [(1, 2)]",
        "(1, 1) row stripes",
        "True set()",
    ], done.stderr


@pytest.mark.long
def test_it_says_once_that_searches_are_slow_without_machine_code(numpy_alone: Path) -> None:
    done = command(numpy_alone, "count", "4x7", "2", "--solver", "dlx")
    assert done.stdout == "781\n"
    assert done.stderr.count("it searches as Python code") == 1
    assert "pip install 'tiler-bench[compile]'" in done.stderr


@pytest.mark.long
def test_the_prover_says_which_stages_it_lacks(numpy_alone: Path) -> None:
    done = command(numpy_alone, "prove", "4x4", "2")
    assert "there is a tiling" in done.stdout
    listed = command(numpy_alone, "solvers", "coloring").stdout
    assert "not installed: weights (pip install 'tiler-bench[engines]')" in " ".join(listed.split())


@pytest.mark.long
def test_a_period_answers_without_a_search_for_coronas(numpy_alone: Path) -> None:
    done = command(numpy_alone, "plane", "3L")
    assert "tiles the plane" in done.stdout


#: What is asked, and what it needs, with the extra that brings that.
REFUSED = {
    "solve 4x4 2 --solver sat": ("sat needs pysat", "engines"),
    "solve 4x4 2 --solver ilp": ("ilp needs pulp, highspy", "engines"),
    "solve 4x4 2 --solver cpsat": ("cpsat needs ortools", "engines"),
    "prove 6x6 4T --solver coloring:stages=weights": ("weights needs highspy", "engines"),
    "plane 5R --up-to 4": ("a search for coronas needs pysat", "engines"),
    "bench": ("bench needs msgspec, psutil, rich, matplotlib", "engines,plots"),
    "bench --no-plots": ("bench needs msgspec, psutil, rich", "engines"),
    "bench --dry-run": ("bench needs msgspec, psutil, rich", "engines"),
    "plot results/reference/deciding": ("plot needs msgspec, matplotlib", "engines,plots"),
    "report results/reference/deciding": ("report needs msgspec, matplotlib, markdown_it", "engines,plots"),
    "solve 4x4 2 -o tiling.png": ("a picture as .png needs matplotlib", "plots"),
    "rectangles 3L --up-to 3 --records boxes.jsonl": ("a file of records needs msgspec", "engines"),
    "studio": ("the studio needs starlette, uvicorn", "studio"),
    "completion bash": ("completion needs shtab", "completion"),
}


def test_what_needs_more_says_what_and_how_to_install_it(numpy_alone: Path) -> None:
    program = """
from tiler.cli.main import main
for line in sys.argv[1:]:
    print("status", main(line.split()), file=sys.stderr, flush=True)
"""
    done = python(numpy_alone, program, *REFUSED)
    told = re.findall(r"^tiler: (.+)\nstatus (\d+)$", done.stderr, re.MULTILINE)
    assert len(told) == len(REFUSED), done.stderr
    for (text, status), (what, extra) in zip(told, REFUSED.values(), strict=True):
        quoted = f"'tiler-bench[{extra}]'"
        assert (text.partition(quoted)[:2], status) == ((f"{what}; install with: pip install ", quoted), "2")


def test_a_program_that_is_named_installs_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As `scripts/tiler` does. A program that fails, or that is not there, leaves the sentence that says what to do."""
    monkeypatch.setitem(optional_packages.EXTRAS, "no_such_engine", "engines")
    monkeypatch.syspath_prepend(str(tmp_path))
    installer = tmp_path / "install"
    for script in (None, "#!/bin/sh\nexit 1\n"):
        monkeypatch.setenv(optional_packages.INSTALLER, str(installer))
        if script:
            installer.write_text(script)
            installer.chmod(0o755)
        with pytest.raises(MissingDependency, match="mine needs no_such_engine; install with: pip install 'tiler-bench"):
            optional_packages.need("mine", "no_such_engine")
    installer.write_text(f"#!/bin/sh\necho installing $*\ntouch {tmp_path}/no_such_engine.py\n")
    capfd.readouterr()
    optional_packages.need("mine", "no_such_engine")
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == "tiler: mine needs no_such_engine: installing engines, once (a minute)\ninstalling engines\n"
