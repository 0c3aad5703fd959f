"""The page with the engine inside, under Node: Python, NumPy and kernels as WebAssembly answer as they do natively, node by node.

TILER_PAGE names a folder that `scripts/page` has built; without it, or without Node, these tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tiler.formats import json as problems
from tiler.model.lattices import LATTICES
from tiler.selftest.random_instances import instance

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "scripts" / "static_page" / "build.py"
AGREEMENT = Path(__file__).with_name("agreement.py")
QUESTIONS = Path(__file__).with_name("every_question.py")
PAGE = os.environ.get("TILER_PAGE", "")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not BUILD.is_file(), reason="there is nothing here to build"),
]
in_page = pytest.mark.skipif(not PAGE or not shutil.which("node"), reason="TILER_PAGE names no page, or there is no Node")


def in_pyodide(program: Path, *arguments: str) -> str:
    """What a program prints in the Python of the page."""
    page = Path(PAGE).resolve()
    run = ["node", BUILD.with_name("pyodide.mjs"), page / "pyodide", page / "tiler.zip", program, *arguments]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def drawn(number: int) -> str:
    """A small problem, one lattice after the other, as one line of JSON."""
    lattice = LATTICES[sorted(LATTICES)[number % len(LATTICES)]]
    return json.dumps(json.loads(problems.write(instance(Random(number), lattice, wrapped=number % 5 == 1))))


@in_page
def test_300_problems_have_the_answers_and_nodes_that_they_have_natively(tmp_path: Path) -> None:
    file = tmp_path / "problems"
    file.write_text("\n".join(map(drawn, range(300))))
    natively = subprocess.run([sys.executable, AGREEMENT, file], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert in_pyodide(AGREEMENT, f"/files{file}").splitlines() == natively.splitlines()
    assert len(natively.splitlines()) > 4000


@in_page
def test_every_question_of_the_studio_is_answered_as_natively_or_names_the_command() -> None:
    natively = subprocess.run([sys.executable, QUESTIONS], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    both = [[json.loads(line) for line in printed.splitlines()] for printed in (natively, in_pyodide(QUESTIONS))]
    elsewhere = {"sat": 0, "cpsat": 0, "ilp": 0, "a search for coronas": 0}
    for expected, said in zip(*both, strict=True):
        if said[1] == "play":
            assert said == expected
            continue
        what, needs, _ = said[-1].partition(" needs ")
        if said == [*expected[:3], "refused", said[-1]] and needs and what in elsewhere:
            assert ": not in this page; in a terminal: tiler " in said[-1]
            elsewhere[what] += 1
        else:
            assert [sentence.partition("; the stages")[0] for sentence in said[3:]] == expected[3:], said[:3]
    assert all(elsewhere.values())
    assert len(both[0]) > 500


@in_page
def test_every_kernel_is_machine_code(tmp_path: Path) -> None:
    program = tmp_path / "kernels.py"
    program.write_text(
        "from tiler.kernels import Kernel, loader\n"
        "from tiler.kernels.digest import Source, import_all\n"
        "import_all()\n"
        "kernels = [Source.of(each.function) for each in Kernel.all]\n"
        "print(len(kernels), len(loader.library_addresses(kernels)))\n"
    )
    kernels, found = map(int, in_pyodide(program).split())
    assert kernels == found > 60


def test_without_pyodide_it_says_what_to_get(tmp_path: Path) -> None:
    said = subprocess.run([sys.executable, BUILD, tmp_path / "page"], capture_output=True, text=True)
    assert (said.returncode, "npm pack pyodide@" in said.stderr) == (1, True)
    (tmp_path / "pyodide.mjs").write_text("another one")
    said = subprocess.run([sys.executable, BUILD, "--pyodide", tmp_path, tmp_path / "page"], capture_output=True, text=True)
    assert (said.returncode, "is not that of the release" in said.stderr) == (1, True)
    assert not (tmp_path / "page").exists()
