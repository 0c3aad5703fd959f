"""What all kernels share: where compiled code is kept, that an edited kernel is never run as it was, that loops get on, sums."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tiler
from tiler.backends.frontier.kernel_profiles import add_words
from tiler.errors import BackendError
from tiler.kernels import Kernel, Ratchet, bind, bits, compiler, loading, patience
from tiler.kernels.cache import _Sealed
from tiler.kernels.folder import digest, sources

CALLEE = """
from tiler.kernels import inner

@inner("int64(int64)")
def step(n: int) -> int:
    return n + 1
"""
CALLER = """
from tiler.kernels import kernel, load
from tiler.kernels.callee import step

@kernel()
def steps(n: int) -> int:
    return step(step(n))

load()
assert steps._compiled.nopython_signatures, "not compiled"
"""
FOREIGN = """
from numba import njit

@njit(cache=True)
def half(n):
    return n // 2

half(4)
"""
# The folder of the first argument stands for the virtual environment, in which compiled kernels are kept.
RUN = """
import os, sys
sys.prefix = sys.argv[1]
if "numba-first" in sys.argv:
    import numba
before = dict(os.environ)
from tiler.kernels.caller import steps
import numba
from numba import config
assert dict(os.environ) == before
assert config.CACHE_DIR == os.environ.get("NUMBA_CACHE_DIR", "")
assert config.DISABLE_JIT == int(os.environ.get("NUMBA_DISABLE_JIT", "0"))
print(steps(10))
if not config.DISABLE_JIT:
    import foreign
    print(foreign.half.stats.cache_path)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder to import from: the package with two small kernels, one of which calls the other, and a module of others."""
    kernels = tmp_path / "tiler" / "kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "venv").mkdir()
    source = Path(tiler.__file__).parent
    for name in (
        "version.py",
        "errors.py",
        "kernels/__init__.py",
        "kernels/bits.py",
        "kernels/cache.py",
        "kernels/compiler.py",
        "kernels/folder.py",
        "kernels/inner.py",
    ):
        shutil.copy(source / name, tmp_path / "tiler" / name)
    (tmp_path / "tiler" / "__init__.py").touch()
    (kernels / "callee.py").write_text(CALLEE)
    (kernels / "caller.py").write_text(CALLER)
    (tmp_path / "foreign.py").write_text(FOREIGN)
    return tmp_path


def run(package: Path, *arguments: str, environment: Mapping[str, str]) -> tuple[list[str], str]:
    """What a new process computes and says about it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(package / "venv"), *arguments],
        env={**clean, "PYTHONPATH": str(package), **environment},
        cwd=package,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.mark.parametrize("setting", ["numba first", "a folder of the user's", "no compilation"])
def test_an_edited_callee_is_noticed_and_others_keep_their_settings(package: Path, setting: str) -> None:
    mine = package / "mine"
    arguments, environment = {
        "numba first": (["numba-first"], {}),
        "a folder of the user's": (
            [],
            {"NUMBA_CACHE_DIR": str(mine), "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator,InTreeCacheLocator"},
        ),
        "no compilation": (["numba-first"], {"NUMBA_DISABLE_JIT": "1"}),
    }[setting]
    out, said = run(package, *arguments, environment=environment)
    assert (out[0], said.count("compiling")) == ("12", 1)
    if setting == "a folder of the user's":
        assert Path(out[1]).parent == mine
        assert not list(mine.rglob("*step*"))
    elif setting == "numba first":
        assert Path(out[1]) == package / "__pycache__"
    # Whatever else is kept, this is another state of the kernels.
    (package / "tiler" / "kernels" / "callee.py").write_text(CALLEE.replace("n + 1", "n + 3"))
    out, said = run(package, *arguments, environment=environment)
    assert (out[0], said.count("compiling")) == ("16", 1)
    assert not list((package / "tiler" / "kernels").rglob("*.nbi"))


def test_every_file_with_a_kernel_is_in_the_digest() -> None:
    package = Path(tiler.__file__).parent
    holding = {path for path in package.rglob("*.py") if re.search(r"^@(kernel|inner)\(", path.read_text(), re.MULTILINE)}
    assert holding <= set(sources())
    assert len(holding) > 10


@pytest.mark.long
@pytest.mark.parametrize("place", ["backends/new/kernel_deep.py", "cover/kernel.py"])
def test_a_kernel_beside_its_search_is_in_the_digest(package: Path, place: str) -> None:
    def folders() -> set[str]:
        run(package, environment={})
        return {folder.name for folder in (package / "venv" / "cache" / "tiler").iterdir()}

    before = folders()
    (package / "tiler" / place).parent.mkdir(parents=True)
    (package / "tiler" / place).write_text(CALLEE)
    assert len(folders() - before) == 1


def test_compiled_kernels_are_kept_in_a_folder_named_after_their_sources(package: Path) -> None:
    assert run(package, environment={})[1].count("compiling") == 1
    out, said = run(package, environment={"NUMBA_CACHE_DIR": str(package / "mine")})
    assert (out[0], said) == ("12", "")
    [folder] = (package / "venv" / "cache" / "tiler").iterdir()
    assert len(folder.name) == len(digest()) == 16
    assert sorted(path.name.partition("-")[0] for path in folder.rglob("*.nbi")) == ["callee.step", "caller.steps"]


def test_what_cannot_be_kept_is_compiled_all_the_same(package: Path) -> None:
    (package / "venv" / "cache").write_text("no folder")
    out, said = run(package, environment={})
    assert (out[0], said.count("compiling")) == ("12", 1)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "torn": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "another byte": lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    "garbage": lambda content: b"\xff\x00 no pickle" * 9,
    "another pickle": lambda content: pickle.dumps(["0.68", {}]),
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_of_the_cache_is_as_none(tmp_path: Path, ending: str, kind: str) -> None:
    kept = _Sealed(str(tmp_path), "steps", "stamp")
    kept.save("int64", ("machine code", 3))
    [path] = tmp_path.glob(f"*.{ending}")
    assert kept.load("int64") == ("machine code", 3)
    path.write_bytes(DAMAGE[kind](path.read_bytes()))
    assert kept.load("int64") is None
    kept.save("int64", ("machine code", 4))
    assert kept.load("int64") == ("machine code", 4)


def test_damaged_kernels_are_compiled_again(package: Path) -> None:
    run(package, environment={})
    for path in (package / "venv" / "cache" / "tiler").rglob("*.nb?"):
        path.write_bytes(b"" if "step." in path.name or path.suffix == ".nbi" else path.read_bytes()[:99])
    assert run(package, environment={})[0][0] == "12"
    assert run(package, environment={})[1] == ""


def test_a_loop_that_does_not_get_on_is_an_error() -> None:
    ratchet = Ratchet("a search")
    for reached in ((0, 9), (1, 2), (1, 3)):
        ratchet.turn(*reached)
    for reached in ((1, 3), (1, 2), (0, 99)):
        with pytest.raises(BackendError, match="a search goes on without getting any further"):
            ratchet.turn(*reached)


@settings(max_examples=300)
@given(st.integers(1, 5), st.integers(0, 2), st.data())
def test_words_are_added_with_their_carries(words: int, first: int, data: st.DataObject) -> None:
    word = st.sampled_from([0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1]) | st.integers(0, (1 << 64) - 1)
    row = st.lists(word, min_size=first + words, max_size=first + words)
    rows = np.array([data.draw(row), data.draw(row), data.draw(row)], np.uint64)
    before = rows.copy()
    again = rows.copy()

    def number(of: NDArray[np.uint64]) -> int:
        return sum(int(each) << (64 * i) for i, each in enumerate(of[first:]))

    sum_ = number(before[0]) + number(before[2])
    compiled = compiler.compiled(add_words, ["boolean(uint64[:,::1],int64,uint64[:,::1],int64,int64)"])
    assert compiled(rows, 0, rows, 2, first) == (sum_ >= 1 << (64 * words))
    with np.errstate(over="ignore"):
        assert add_words(again, 0, again, 2, first) == (sum_ >= 1 << (64 * words))
    assert (again == rows).all()
    assert number(rows[0]) == sum_ % (1 << (64 * words))
    assert (rows[0, :first] == before[0, :first]).all()
    assert (rows[1:] == before[1:]).all()


def test_instructions_on_words_are_the_same_compiled() -> None:
    words = [1, 2, 3, 1 << 63, (1 << 64) - 1, *(pow(5, n, (1 << 64) - 59) for n in range(20))]
    for function, expected in (
        (bits.population, lambda word: bin(word).count("1")),
        (bits.trailing_zeros, lambda word: len(bin(word)) - len(bin(word).rstrip("0"))),
    ):
        instruction = compiler._INSTRUCTIONS[function]
        compiled = numba.njit(lambda word, of=instruction: of(word))
        for word in words:
            assert function(np.uint64(word)) == compiled(np.uint64(word)) == expected(word)


def test_kernels_are_compiled_when_the_patience_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def work(word: np.uint64) -> np.uint64:
        calls.append("as Python")
        end = time.process_time() + 0.01
        while time.process_time() < end:
            pass
        return word * np.uint64(3)  # Wraps round, without a warning.

    monkeypatch.setattr(Kernel, "all", [])
    kernel = Kernel(work, ())
    monkeypatch.setattr(compiler, "compiled", lambda function, signatures: lambda word: calls.append("compiled"))
    monkeypatch.setattr(patience, "seconds", 0.015)
    assert kernel(np.uint64(1 << 63)) == 1 << 63
    assert patience.share(5_000_000) == 5_000
    kernel(np.uint64(1))
    assert patience.share(5_000_000) == 5_000_000
    before = time.perf_counter()
    kernel(np.uint64(1))
    assert 0 < loading.since(before) <= time.perf_counter() - before
    kernel(np.uint64(1))
    assert calls == ["as Python", "as Python", "compiled", "compiled"]


def test_a_small_question_is_answered_without_the_compiler() -> None:
    code = "import sys; from tiler.cli.main import main; main(['solve', *sys.argv[1:]]); print('numba' in sys.modules)"
    for problem, loads in ((["3x3", "1"], "False"), (["6x10", *(f"1:5{letter}" for letter in "FILNPTUVWXYZ")], "True")):
        done = subprocess.run([sys.executable, "-c", code, *problem], capture_output=True, text=True)
        assert done.stdout.splitlines()[-1] == loads, done.stderr


LOADED_ALONE = """
import sys
from importlib import import_module
from tiler import formats
from tiler.ask.solve import solve
from tiler.kernels import load
from tiler.question.question import Goal, Question
for name in sys.argv[1:]:
    import_module(name)
load()
found = []
for solver in ("backtracking", "dlx", "fila", "fila:window=off", "fila:handoff=3,order=s", "frontier"):
    found.append(solve(formats.inline(["5x6", "2", "5L", "1:5V"]), solver, Question(Goal.COUNT)).result.count)
print(set(found), "numba.np.linalg" in sys.modules)
"""


def test_kept_kernels_are_loaded_without_what_compiles_them() -> None:
    names = [".".join(("tiler", *path.relative_to(Path(tiler.__file__).parent).with_suffix("").parts)) for path in sources()]
    modules = [name for name in names if ".kernel" in name and not name.startswith("tiler.kernels.")]
    subprocess.run([sys.executable, "-m", "tiler.kernels"], check=True)
    done = subprocess.run([sys.executable, "-c", LOADED_ALONE, *modules], capture_output=True, text=True)
    assert done.stdout.split() == ["{9815}", str(not numba.__version__.startswith("0.68."))], done.stderr


def test_arrays_of_other_types_are_no_arguments() -> None:
    from tiler.backends.backtracking import kernel as example

    state = example.BacktrackingState.new(cells=4, tiles=2)
    lists = example.FirstCellLists(*(np.zeros(5, np.int64) for _ in example.FirstCellLists._fields))
    assert not patience.is_left
    with pytest.raises(TypeError, match=r"search: FirstCellLists\.options is not what it takes"):
        bind(example.search, lists, state)(1, True)
    words = {"options": np.int32, "members": np.int32, "tile": np.int32}
    right = lists._replace(**{name: np.zeros(5, kind) for name, kind in words.items()})
    for wrong in (state.used.reshape(2, 1), np.zeros(4, np.int64)[::2], state.used.astype(np.uint64)):
        with pytest.raises(TypeError, match=r"search: BacktrackingState\.used is not what it takes"):
            bind(example.search, right, state._replace(used=wrong))(1, True)
