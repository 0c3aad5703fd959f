"""What all kernels share: how machine code is made, kept and called, that an edited kernel is never run as it was, that loops get
on, sums."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tiler
from tiler.backends.frontier.shared.kernel_profiles import add_words
from tiler.errors import BackendError
from tiler.kernels import Kernel, TerminationCheck, bind, code_cache, compilation, loader, loading, object_files, python_time
from tiler.kernels.code_cache import Machine, ObjectFile
from tiler.kernels.digest import Source, digest_of, sources
from tiler.kernels.inner import population, seldom, trailing_zeros
from tiler.kernels.signature import Signature
from tiler.process import private_files

CONSTANT = """
BY = 1
"""
CALLEE = """
from tiler.kernels import inner
from tiler.kernels.constant import BY

@inner()
def step(n: int) -> int:
    return n + BY
"""
CALLER = """
from tiler.kernels import kernel, load
from tiler.kernels.callee import step

@kernel()
def steps(n: int) -> int:
    return step(step(n))
"""
# The folder of the first argument stands for the virtual environment.
RUN = """
import sys
sys.prefix = sys.argv[1]
from tiler.kernels import load
from tiler.kernels.caller import steps
load()
print(steps(10), "numba" in sys.modules)
"""


_PROCESS = (
    "process/__init__",
    "process/clocks",
    "process/files",
    "process/locks",
    "process/memory",
    "process/private_files",
    "process/threads",
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder to import from: the package with a small kernel, and a function that it calls."""
    source = Path(tiler.__file__).parent
    names = [f"{name}.py" for name in ("version", "errors", "printable", "amounts", "jsontext", "optional_packages", *_PROCESS)]
    for path in (*map(source.joinpath, names), *source.glob("kernels/*.py")):
        target = tmp_path / "tiler" / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    (tmp_path / "venv").mkdir()
    (tmp_path / "tiler/__init__.py").touch()
    for name, code in (("constant", CONSTANT), ("callee", CALLEE), ("caller", CALLER)):
        (tmp_path / "tiler/kernels" / f"{name}.py").write_text(code)
    return tmp_path


def start(package: Path, virtual: str = "venv", **environment: str) -> subprocess.Popen[str]:
    """A new process that runs the kernel, in a virtual environment of this name."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    # Python takes a compiled module for that of its file where both have the same second and size: an edit within it is not seen.
    own = {"PYTHONPATH": str(package), "XDG_CACHE_HOME": str(package / "user"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(package / virtual)],
        env={**clean, **own, **environment},
        cwd=package,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str]) -> tuple[str, int]:
    """What it computed, and whether it said that it compiles."""
    out, said = process.communicate()
    assert process.returncode == 0, said
    number, with_numba = out.split()
    assert with_numba == "False"
    return number, said.count("compiling")


@pytest.mark.long
def test_machine_code_is_made_once_by_processes_at_the_same_time_and_anew_where_it_is_damaged(package: Path) -> None:
    # Numba's settings are about other code.
    first = [start(package, NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(package / "mine")) for _ in range(2)]
    assert sorted(end(each) for each in first) == [("12", 0), ("12", 1)]  # One waits for the other.
    assert not (package / "mine").exists()
    [file] = (package / "user/tiler").iterdir()
    assert end(start(package)) == ("12", 0)
    assert end(start(package, "another")) == ("12", 0)  # What one environment has made serves the next.
    assert not list((package / "venv").iterdir())
    file.write_bytes(file.read_bytes()[:-9])
    (package / "tiler/kernels/constant.py").write_text("BY = 3")
    assert end(start(package)) == ("16", 1)
    (package / "tiler/kernels/constant.py").write_text("BY = 1")
    assert [end(start(package)), end(start(package))] == [("12", 1), ("12", 0)]
    assert [*file.parent.iterdir()] == [file]


@pytest.mark.long
def test_a_user_whose_folder_cannot_be_written_to_has_machine_code_in_the_environment_or_not_at_all(package: Path) -> None:
    (package / "user").write_text("no folder")
    assert [end(start(package)), end(start(package))] == [("12", 1), ("12", 0)]
    assert list((package / "venv/cache/tiler").iterdir())
    shutil.rmtree(package / "venv/cache")
    (package / "venv/cache").write_text("no folder")
    assert end(start(package)) == ("12", 1)


def test_an_edit_of_what_a_kernel_is_made_of_makes_it_another_one(tmp_path: Path) -> None:
    def digest(constant: str = CONSTANT, callee: str = CALLEE, caller: str = CALLER) -> str:
        code = "".join((constant, callee.replace("from tiler.kernels.constant import BY", ""), caller))
        (tmp_path / "kernel_of_test.py").write_text(code.replace("from tiler.kernels.callee import step", ""))
        digest_of.__globals__["_content"].cache_clear()
        return digest_of(loaded(tmp_path / "kernel_of_test.py").steps.function)

    before = digest()
    assert digest() == before
    others = {
        digest(callee=CALLEE.replace("n + BY", "n - BY")),
        digest(constant="BY = 2\n"),
        digest(caller=CALLER.replace("step(step(n))", "step(n)")),
    }
    assert before not in others
    assert len(others) == 3


def test_a_constant_of_another_file_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiler.backends.backtracking import kernel as example

    function = example.search.function  # type: ignore[attr-defined]
    before = digest_of(function)
    monkeypatch.setattr(example, "SOLUTION", 9)
    assert digest_of(function) != before


def test_every_file_with_a_kernel_is_in_the_digest_of_all() -> None:
    package = Path(tiler.__file__).parent
    holding = {path for path in package.rglob("*.py") if re.search(r"^@(kernel|inner)\(", path.read_text(), re.MULTILINE)}
    assert holding <= set(sources())
    assert len(holding) > 10


HERE = Machine("x86_64-linux", "some", "+sse2,+avx2", "0.68")
MADE = [ObjectFile(name, "f00d", "(n: int64) -> int64", name.encode() * 99) for name in ("first", "second")]

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "torn list": lambda content: content[:99],
    "torn": lambda content: content[: -len(MADE[1].object) - 9],
    "another byte": lambda content: content.replace(b"firstfirst", b"firstfirsT"),
    "garbage": lambda content: b"\xff\x00 no list\n" * 9,
    "another list": lambda content: b"[1, 2]\n" + content,
    "no places": lambda content: content.replace(b'"at"', b'"be"'),
    "nested too deeply": lambda content: b"[" * 100_000,
    "too large": lambda content: re.sub(rb'"size": \d+', b'"size": 1' + b"0" * 30, content),
    "far away": lambda content: re.sub(rb'"at": \d+', b'"at": 1' + b"0" * 30, content),
    "a number of many digits": lambda content: re.sub(rb'"at": \d+', b'"at": ' + b"9" * 5000, content),
    "no names": lambda content: content.replace(b'"name": "first"', b'"name": ["first"]'),
    "no numbers": lambda content: re.sub(rb'"size": \d+', b'"size": "99"', content),
    "features of another machine": lambda content: content.replace(b"+avx2", b"-avx2"),
}


@pytest.fixture
def kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that keeps machine code."""
    code_cache._say_unused.cache_clear()
    monkeypatch.setattr(code_cache, "folders", lambda: [tmp_path / "own", tmp_path / "user"])
    code_cache.keep(HERE, MADE)
    return tmp_path / "own" / HERE.file_name


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_of_machine_code_is_as_none(kept_here: Path, kind: str) -> None:
    first = [("first", "f00d")]
    assert code_cache.find(HERE, first) == {"first": MADE[0].object}
    assert code_cache.is_listed("first", "f00d")
    assert code_cache.find(HERE, [("first", "beef")]) == {}
    assert not code_cache.is_listed("first", "beef")
    kept_here.write_bytes(DAMAGE[kind](kept_here.read_bytes()))
    assert code_cache.find(HERE, first) == {}
    code_cache.is_listed("first", "f00d")  # It may well be, by a list alone.
    code_cache.keep(HERE, MADE[:1])
    assert code_cache.find(HERE, first) == {"first": MADE[0].object}


@pytest.mark.parametrize("others", [stat.S_IWGRP, stat.S_IWOTH])
def test_what_others_may_write_to_is_not_used(kept_here: Path, others: int, capfd: pytest.CaptureFixture[str]) -> None:
    first, own = [("first", "f00d")], kept_here.parent
    usual = own.stat().st_mode, kept_here.stat().st_mode
    kept_here.chmod(usual[1] | others)
    assert code_cache.find(HERE, first) == {}
    assert capfd.readouterr().err == f"tiler: {kept_here} is not used, since others may write to it\n"
    code_cache.keep(HERE, MADE[:1])  # In its place.
    assert kept_here.stat().st_mode == usual[1]
    assert code_cache.find(HERE, first) == {"first": MADE[0].object}
    own.chmod(usual[0] | others)
    assert code_cache.find(HERE, first) == {}
    code_cache.keep(HERE, MADE[1:])
    assert code_cache.find(HERE, [("second", "f00d")]) == {"second": MADE[1].object}
    assert [path.name for path in (own.parent / "user").iterdir()] == [HERE.file_name]
    assert capfd.readouterr().err == f"tiler: {own} is not used, since others may write to it\n"
    assert stat.S_IMODE((own.parent / "user").stat().st_mode) == 0o700


def test_what_belongs_to_another_user_is_not_used(
    kept_here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Files that this user made are those of another one, for one who is neither this user nor root."""
    monkeypatch.setattr(private_files, "_ROOT", -1)
    monkeypatch.setattr(os, "geteuid", lambda: kept_here.stat().st_uid + 1)
    assert code_cache.find(HERE, [("first", "f00d")]) == {}
    assert code_cache.own_folder() is None
    said = capfd.readouterr().err.splitlines()
    assert said[0] == f"tiler: {kept_here.parent} is not used, since it belongs to another user"
    monkeypatch.setattr(private_files, "_ROOT", kept_here.stat().st_uid)  # As where root installed it.
    assert code_cache.find(HERE, [("first", "f00d")]) == {"first": MADE[0].object}


def test_a_folder_that_is_known_by_its_path_gives_its_lock_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, or in a web page."""
    monkeypatch.setattr(private_files, "_HAS_DESCRIPTORS", False)
    first, second, third = (private_files.open_folder(tmp_path) for _ in range(3))
    first.lock()
    with pytest.raises(BlockingIOError):
        second.lock()
    first.close()
    third.lock()
    second.close()
    third.close()


def test_links_and_pipes_are_no_machine_code(kept_here: Path, tmp_path: Path) -> None:
    first = [("first", "f00d")]
    elsewhere = kept_here.rename(tmp_path / "elsewhere")
    before = elsewhere.read_bytes()
    kept_here.symlink_to(elsewhere)
    assert code_cache.find(HERE, first) == {}
    code_cache.keep(HERE, MADE[:1])
    assert code_cache.find(HERE, first) == {"first": MADE[0].object}
    assert elsewhere.read_bytes() == before
    kept_here.unlink()
    os.mkfifo(kept_here)
    assert code_cache.find(HERE, first) == {}


def test_one_process_at_a_time_compiles(
    kept_here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(code_cache, "_TICK_SECONDS", 0.0)
    looks = [12, 1, 0]
    with code_cache.alone(lambda: 1):
        assert capfd.readouterr().err == ""
        with code_cache.alone(lambda: looks.pop(0)):  # The other one makes them meanwhile.
            assert looks == []
        waits = "tiler: another process compiles the search; waiting for"
        assert capfd.readouterr().err == f"{waits} 12 kernels\n{waits} 1 kernel\n"
        monkeypatch.setattr(code_cache, "_MOST_SECONDS", 0.0)
        with code_cache.alone(lambda: 1):  # The other one is stopped.
            pass
    with code_cache.alone(lambda: pytest.fail("nobody else compiles")):
        pass


def test_where_nothing_can_be_kept_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(code_cache, "folders", lambda: [tmp_path / "file", tmp_path / "file/tiler"])
    with code_cache.alone(lambda: pytest.fail("nobody compiles")), code_cache.alone(lambda: pytest.fail("nobody compiles")):
        assert code_cache.own_folder() is None
        code_cache.keep(HERE, MADE)


def test_of_each_kernel_the_last_states_are_kept(kept_here: Path) -> None:
    for state in range(6):
        code_cache.keep(HERE, [ObjectFile("first", str(state), "", b"code")])
    assert [made.digest for made in code_cache.read(kept_here.parent, HERE) if made.name == "first"] == ["5", "4", "3", "2", "1"]
    assert code_cache.find(HERE, [("second", "f00d")]) == {"second": MADE[1].object}


@pytest.mark.parametrize("is_terminal", [False, True])
def test_the_line_about_compiling_goes_on(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that are compiled together are done at the same time, so that their number stays as it is for long."""
    said = io.StringIO()
    monkeypatch.setattr(said, "isatty", lambda: is_terminal)
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr(code_cache, "SILENT_SECONDS", 1e-3)
    monkeypatch.setattr(compilation, "_TERMINAL_SECONDS", 1e-3)
    clock = iter(range(1_000_000))
    monkeypatch.setattr(compilation, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    with compilation._progress(8) as tell:
        tell(3)
        while said.getvalue().count("3 done") < 3:
            os.sched_yield()
    lines = re.findall(r"tiler: compiling 8 kernels, once: 3 done, (\d+) s", said.getvalue())
    assert len(set(lines)) == len(lines) >= 3
    assert said.getvalue().endswith("\r\x1b[K" if is_terminal else " s\n")


def test_environments_with_different_compilers_keep_what_they_made(kept_here: Path) -> None:
    other = HERE._replace(compiler="0.69")
    code_cache.keep(other, [MADE[0]._replace(object=b"by another compiler")])
    kept = [code_cache.find(machine, [("first", "f00d")])["first"] for machine in (HERE, other)]
    assert kept == [MADE[0].object, b"by another compiler"]


def test_machine_code_of_another_machine_is_made_anew(monkeypatch: pytest.MonkeyPatch, kept_here: Path) -> None:
    made: list[str] = []

    def make(kernels: Sequence[Source], machine: Machine) -> list[ObjectFile]:
        made.extend(each.name for each in kernels)
        raise BackendError("not in a test")

    from tiler.backends.backtracking.kernel import search

    source = Source.of(search.function)  # type: ignore[attr-defined]
    monkeypatch.setattr(compilation, "make", make)
    code_cache.keep(object_files.host()._replace(features="+avx512f"), [ObjectFile(source.name, source.digest, "", b"code")])
    with pytest.raises(BackendError):
        loader.codes([source.function])
    assert made == [source.name]


def loaded(path: Path) -> Any:
    """A module of kernels that are none of the package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "all", [])
        spec = spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        patch.setitem(sys.modules, path.stem, module)
        spec.loader.exec_module(module)
        return module


@pytest.fixture(scope="module")
def small() -> Any:
    """Small kernels, compiled if that was not done before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "all", [])
        module = import_module("small_kernels")
        for each in Kernel.all:
            each.load()
    return module


def parts(module: Any, **changed: Any) -> Any:
    numbers, words = np.arange(5), np.arange(6, dtype=np.uint64).reshape(2, 3)
    usual = {"numbers": numbers, "words": words, "marks": np.array([True, False, True]), "factor": -7, "turned": False}
    return module.Parts(**{**usual, **changed})


def test_kernels_take_and_give_back_the_same_both_ways(small: Any) -> None:
    assert not python_time.is_left
    more = np.array([1 << 40, -3])
    for changed in (
        {},
        {"turned": True},
        {"factor": 1 << 40},
        {"numbers": np.zeros(0, np.int64)},
        {"words": np.ones((0, 3), np.uint64)},
    ):
        for least in (-(1 << 62), np.int64(5), 1 << 62):
            machine, python = (each(parts(small, **changed), more, least) for each in (small.total, small.total.as_python))
            assert machine == python
    both = parts(small)
    bound = bind(small.total, both, more)
    assert bound(-(1 << 62)) - bound(-(1 << 62)) == -5
    assert both.numbers.tolist() == [2, 3, 4, 5, 6]
    assert small.wraps(np.uint64(1 << 63)) == 1 << 63
    assert [small.is_less(-1, 0), small.is_less(0, -1)] == [True, False]
    assert small.is_less(0, 1) is True
    assert small.enter(more, 1, 7) is None
    assert more.tolist() == [1 << 40, 7]


def test_what_a_kernel_raises_comes_out_of_machine_code(small: Any) -> None:
    for each in (small.quotient, small.quotient.function):
        assert each(-7, 2) == -4
        with pytest.raises(ZeroDivisionError):
            each(1, 0)
    numbers = np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="more than nine"):
        small.enter(numbers, 0, 10)
    assert numbers.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "wrong", "what"),
    [
        ("numbers", np.zeros(3, np.int32), "int32 of shape (3,)"),
        ("numbers", np.zeros((1, 3), np.int64), "int64 of shape (1, 3)"),
        ("numbers", np.zeros(6, np.int64)[::2], "int64 of shape (3,), not in one piece"),
        ("numbers", np.frombuffer(bytes(16), np.int64), "int64 of shape (2,), read-only"),
        ("numbers", [1, 2], "list"),
        ("words", np.zeros((3, 2), np.uint64).T, "uint64 of shape (2, 3), not in one piece"),
        ("marks", np.zeros(3, np.uint8), "uint8 of shape (3,)"),
        ("factor", 0.5, "float"),
        ("factor", "x", "str"),
    ],
)
def test_other_arguments_are_refused(small: Any, name: str, wrong: Any, what: str) -> None:
    for call in (lambda given: small.total(given, np.arange(2), 0), lambda given: bind(small.total, given)(np.arange(2), 0)):
        with pytest.raises(TypeError, match=re.escape(what) + "$") as caught:
            call(parts(small, **{name: wrong}))
        assert f"total: {name} is not what it takes" in str(caught.value)


def test_numbers_of_calls_are_counted_and_looked_at(small: Any) -> None:
    for arguments in ((), (1,), (1, 2, 3), (1, 0.5), (1, None)):
        with pytest.raises(TypeError):
            small.is_less(*arguments)
    entry = small.enter.load().entry([np.zeros(2, np.int64)])
    for rest in ((), (1,), (1, 0.5)):
        with pytest.raises(TypeError):
            entry(*rest)


NEEDS_MEMORY = """
from tiler.kernels import kernel
from tiler.kernels.arrays import I64

@kernel()
def flat(numbers: I64) -> int:
    return numbers.reshape(numbers.size)[0]
"""


@pytest.mark.long
def test_a_compiler_ends_with_the_process_that_started_it(package: Path) -> None:
    """Also while it compiles: here a kernel whose module takes long to import."""
    (package / "endless.py").write_text("import time\nprint('begun', flush=True)\nwhile True:\n    time.sleep(1)\n")
    question = json.dumps([HERE, [["endless", str(package / "endless.py"), "kernel", "kernel"]]])
    with subprocess.Popen(
        [sys.executable, "-m", "tiler.kernels.compiler"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        print(question, file=process.stdin, flush=True)
        assert process.stderr.readline() == "begun\n"
        process.stdin.close()  # As the system does when that process is killed.
        assert process.wait(60) == 0


@pytest.mark.long
def test_a_kernel_that_needs_what_only_numba_has_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernel_of_test.py").write_text(NEEDS_MEMORY)
    with pytest.raises(BackendError, match="flat cannot be compiled"):
        loaded(tmp_path / "kernel_of_test.py").flat.load()
    assert "flat needs numba_attempt_nocopy_reshape of Numba: write it as a loop" in capfd.readouterr().err


def test_signatures_are_read_from_annotations(small: Any) -> None:
    signature = Signature.of(small.total.function)
    assert str(signature) == (
        "(parts: Parts(numbers: int64[::1], words: uint64[:, ::1], marks: boolean[::1], factor: int64, turned: boolean), "
        "more: int64[::1], least: int64) -> int64"
    )

    def other(numbers: list[int]) -> int:
        return numbers[0]

    with pytest.raises(TypeError, match="a kernel takes numbers, arrays of tiler"):
        Signature.of(other)


def test_a_loop_that_does_not_get_on_is_an_error() -> None:
    termination = TerminationCheck("a search")
    for reached in ((0, 9), (1, 2), (1, 3)):
        termination.advance(*reached)
    for reached in ((1, 3), (1, 2), (0, 99)):
        with pytest.raises(BackendError, match="a search makes no progress"):
            termination.advance(*reached)


@settings(max_examples=300)
@given(st.integers(1, 5), st.integers(0, 2), st.data())
def test_words_are_added_with_their_carries(small: Any, words: int, first: int, data: st.DataObject) -> None:
    word = st.sampled_from([0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1]) | st.integers(0, (1 << 64) - 1)
    row = st.lists(word, min_size=first + words, max_size=first + words)
    rows = np.array([data.draw(row), data.draw(row), data.draw(row)], np.uint64)
    before = rows.copy()
    again = rows.copy()

    def number(of: NDArray[np.uint64]) -> int:
        return sum(int(each) << (64 * i) for i, each in enumerate(of[first:]))

    sum_ = number(before[0]) + number(before[2])
    assert small.add(rows, 0, 2, first) == (sum_ >= 1 << (64 * words))
    with np.errstate(over="ignore"):
        assert add_words(again, 0, again, 2, first) == (sum_ >= 1 << (64 * words))
    assert (again == rows).all()
    assert number(rows[0]) == sum_ % (1 << (64 * words))
    assert (rows[0, :first] == before[0, :first]).all()
    assert (rows[1:] == before[1:]).all()


def test_instructions_on_words_are_the_same_compiled(small: Any) -> None:
    words = [1, 2, 3, 1 << 63, (1 << 64) - 1, *(pow(5, n, (1 << 64) - 59) for n in range(20))]
    for function, compiled, expected in (
        (population, small.population_of, lambda word: bin(word).count("1")),
        (trailing_zeros, small.zeros_of, lambda word: len(bin(word)) - len(bin(word).rstrip("0"))),
    ):
        for word in words:
            assert function(np.uint64(word)) == compiled(np.uint64(word)) == expected(word)
    for word in words:
        assert seldom(word % 2 == 0) == small.is_even(np.uint64(word)) == (word % 2 == 0)


def test_kernels_are_compiled_when_the_time_as_python_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def work(word: np.uint64) -> np.uint64:
        calls.append("as Python")
        end = time.process_time() + 0.01
        while time.process_time() < end:
            pass
        return word * np.uint64(3)  # Wraps round, without a warning.

    monkeypatch.setattr(Kernel, "all", [])
    kernel = Kernel(work)
    monkeypatch.setattr(loader, "codes", lambda functions, beside: [lambda word: calls.append("compiled")])
    monkeypatch.setattr(loader, "is_made", lambda function: True)
    monkeypatch.setattr(python_time, "_is_final", False)
    monkeypatch.setattr(python_time, "seconds", 0.015)
    assert kernel(np.uint64(1 << 63)) == 1 << 63
    assert python_time.share(5_000_000) == 5_000
    kernel(np.uint64(1))
    assert python_time.share(5_000_000) == 5_000_000
    before = time.perf_counter()
    kernel(np.uint64(1))
    assert 0 < loading.since(before) <= time.perf_counter() - before
    kernel(np.uint64(1))
    assert calls == ["as Python", "as Python", "compiled", "compiled"]


def test_what_has_to_be_compiled_runs_as_python_for_longer() -> None:
    asked: list[bool] = []

    def is_made(there: bool) -> bool:
        asked.append(there)
        return there

    patient = type(python_time)(0.02)
    patient.seconds, patient.used_seconds = 0.001, 0.019
    patient.prolong(lambda: is_made(False))
    assert asked == []
    patient.seconds, patient.used_seconds = -0.01, 0.03
    patient.prolong(lambda: is_made(False))
    assert patient.seconds == pytest.approx(0.07)
    patient.seconds = -0.01
    patient.prolong(lambda: is_made(False))  # Only once.
    assert not patient.is_left
    assert asked == [False]
    for seconds, there in ((0.0, True), (0.0, False)):
        patient = type(python_time)(seconds)
        if not there:
            patient.exhaust()
        patient.prolong(partial(is_made, there))
        assert not patient.is_left
    assert asked == [False, True]


@pytest.mark.parametrize(("problem", "loads"), [(["3x3", "1"], "False"), (["6x10", "1:pentominoes"], "True")])
def test_a_small_question_is_answered_without_machine_code_and_none_with_the_compiler(problem: list[str], loads: str) -> None:
    code = "import sys; from tiler.cli.main import main; main(['count', *sys.argv[1:]]); "
    code += "print(*(name in sys.modules for name in ('llvmlite', 'numba')))"
    done = subprocess.run([sys.executable, "-c", code, *problem], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == f"{loads} False", done.stderr
