"""The code that a record was made by: what an edit of a file changes, and what it does not."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from processes import SOON

import tiler
from tiler.backends.registry import backends
from tiler.bench import code_fingerprint, environment
from tiler.bench.code_fingerprint import Package

PACKAGE = Path(tiler.__file__).parent
MODULE_OF = {name: backend.__module__ for name, backend in backends().items() if backend.__module__.startswith("tiler.")}
EVERYONE = set(MODULE_OF)
HERE = Package(PACKAGE)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path_factory.mktemp("copy") / "tiler", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture(scope="module")
def before(copy: Path) -> Mapping[str, str]:
    package = Package(copy)
    return {name: package.fingerprint(module) for name, module in MODULE_OF.items()}


@pytest.fixture(scope="module")
def taking_part() -> Mapping[str, set[str]]:
    return {name: HERE.taking_part(module) for name, module in MODULE_OF.items()}


@pytest.mark.parametrize(
    ("file", "whose"),
    [
        ("backends/backtracking/__init__.py", {"backtracking", "auto"}),
        ("backends/ilp/engines.py", {"ilp"}),
        ("backends/frontier/diagram/kernel_arcs.py", {"frontier", "auto", "beam", "strips"}),
        ("backends/fila/kernel_choice.py", {"fila", "auto"}),
        ("backends/dlx/kernel_narrow.py", {"dlx", "fila", "auto"}),  # fila hands over to dlx
        ("backends/sat/cardinality.py", {"sat", "auto"}),
        ("backends/cpsat/models.py", {"cpsat", "auto"}),
        ("backends/coloring/__init__.py", {"coloring", "matching", "auto"}),
        ("backends/coloring/checker.py", {"coloring", "matching", "auto"}),  # only ask/solve.py imports it, for all of them
        ("backends/auto/__init__.py", {"auto"}),
        ("ask/planner.py", EVERYONE),
        ("backends/base.py", EVERYONE),
        ("cover/filters.py", EVERYONE),
        ("cover/kernel.py", EVERYONE),
        ("model/instance.py", EVERYONE),
        ("question/result.py", EVERYONE),
        ("ask/solve.py", EVERYONE),
        ("kernels/__init__.py", EVERYONE),
        ("bench/measure.py", EVERYONE),
        ("bench/stats.py", set()),
        ("bench/code_fingerprint.py", set()),
        ("cli/questions/solve.py", set()),
        ("render/svg.py", set()),
        ("report/draw.py", set()),
        ("formats/text.py", set()),
        ("backends/coloring/picture.py", set()),
        ("__init__.py", set()),
    ],
)
def test_a_file_takes_part_in_the_runs_of_those_who_use_it(
    taking_part: Mapping[str, set[str]], file: str, whose: set[str]
) -> None:
    (module,) = (module for module, path in HERE.files.items() if path == PACKAGE / file)
    assert {name for name, modules in taking_part.items() if module in modules} == whose


@pytest.mark.parametrize(
    ("file", "whose"), [("backends/dlx/kernel_narrow.py", {"dlx", "fila", "auto"}), ("bench/stats.py", set())]
)
def test_an_edit_changes_the_fingerprints_where_the_file_takes_part(
    copy: Path, before: Mapping[str, str], file: str, whose: set[str]
) -> None:
    for _ in edited(copy / file, "\n# Edited.\n"):
        package = Package(copy)
        after = {name: package.fingerprint(module) for name, module in MODULE_OF.items()}
        assert {name for name in after if after[name] != before[name]} == whose


# A process of its own, which prints for every backend what a run has loaded that was not there before.
RUNS = """
import json, os, sys
from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import backends
from tiler.question.question import Goal, Question
known = backends()
there = {*sys.modules}
for name, backend in known.items():
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        continue
    for goal in sorted(backend.goals & {Goal.DECIDE, Goal.COUNT, Goal.PROVE}):
        solve(formats.inline(["4x4", "2"] if name == "matching" else ["4x4", "4L", "4T"]), name, Question(goal))
    print(json.dumps([name, [module for module in {*sys.modules} - there if module.startswith("tiler.")]]), flush=True)
    os._exit(0)
"""


@pytest.mark.long
def test_whatever_a_run_loads_takes_part() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUNS], capture_output=True, text=True, check=True, timeout=10 * SOON
    )  # It may have to compile.
    loaded = {name: set(modules) for name, modules in map(json.loads, done.stdout.splitlines())}
    assert loaded.keys() == EVERYONE
    for name, modules in loaded.items():
        missing = modules - HERE.taking_part(MODULE_OF[name])
        assert {module for module in missing if not code_fingerprint._is_apart(module)} == set(), name
        if not backends()[name]().delegates:  # Else a plan says who searches.
            assert backends()[name].implementation().__module__ in modules


def test_the_fingerprint_here_is_that_of_these_files(before: Mapping[str, str]) -> None:
    assert {name: code_fingerprint.fingerprint_of(name) for name in MODULE_OF} == before
    # The prover and matching ask each other, so the same files take part.
    assert before["coloring"] == before["matching"]
    assert len(set(before.values())) == len(before) - 1
    assert code_fingerprint.fingerprint_of("dlx:order=first") == before["dlx"]
    assert code_fingerprint.fingerprint_of("no-such-solver") is None


def test_files_are_read_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: code_fingerprint.fingerprint_of(name) for name in MODULE_OF}
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} is read again"))
    assert {name: code_fingerprint.fingerprint_of(f"{name}:filter=dead") for name in MODULE_OF} == before


# Plugins.


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text("from tiler.backends.dlx import Dlx\n\n\nclass Mine(Dlx):\n    name = 'mine'\n")
    return file


def edited(file: Path, text: str) -> Iterator[None]:
    kept = file.read_text()
    file.write_text(f"{kept}{text}")
    try:
        yield
    finally:
        file.write_text(kept)


def test_a_plugin_takes_part_with_its_own_file_and_what_it_imports(copy: Path, plugin: Path) -> None:
    def fingerprint() -> str:
        return Package(copy).fingerprint(plugin)

    first = fingerprint()
    assert fingerprint() == first
    for file, counts in [
        (plugin, True),
        (copy / "backends/dlx/kernel.py", True),
        (copy / "cover/cover.py", True),
        (copy / "backends/ilp/engines.py", False),
        (copy / "backends/fila/kernel_choice.py", False),
    ]:
        for _ in edited(file, "\n# Edited.\n"):
            assert (fingerprint() != first) == counts, file


# Records.


def test_what_is_another_version() -> None:
    now = {"solver": "dlx:order=first", "sources": code_fingerprint.fingerprint_of("dlx"), **environment.surroundings()}
    assert code_fingerprint.made_here([now])
    assert code_fingerprint.made_here([json.loads(json.dumps(now))])
    for other in (
        {**now, "sources": "0"},
        {**now, "sources": None},
        {**now, "solver": "ilp"},
        {**now, "solver": "no-such-solver", "sources": None},
        {**now, "versions": {**now["versions"], "numba": "0"}},
    ):
        assert not code_fingerprint.made_here([other])
    drawn = {**now, "versions": {**now["versions"], "matplotlib": "0"}, "environment": {**now["environment"], "commit": "0"}}
    assert code_fingerprint.made_here([drawn])


def test_the_reference_results_are_of_an_earlier_layout_or_of_this() -> None:
    for folder in sorted((PACKAGE.parent / "results/reference").glob("*/runs.jsonl")):
        for line in folder.read_text().splitlines():
            record = json.loads(line)
            assert code_fingerprint.is_of_earlier_layout(record) != bool(record.get("sources"))
