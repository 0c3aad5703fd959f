"""Machine code outside of Python: the shared libraries of a wheel, their header, and a program in C that calls them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tiler.backends.backtracking.kernel import search
from tiler.kernels import loader, wheel_library
from tiler.kernels.digest import Source

REFERENCE = Path(__file__).parent.parent / "docs/reference"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Libraries with one kernel."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("libraries")
    wheel_library.build(folder, [Source.of(search.function)])  # type: ignore[attr-defined]
    return folder


def test_the_header_in_the_pages_is_that_of_the_kernels() -> None:
    done = subprocess.run([sys.executable, "-m", "tiler.kernels.header"], capture_output=True, text=True, check=True)
    assert done.stdout == (REFERENCE / "kernels.h").read_text(), "python -m tiler.kernels.header >docs/reference/kernels.h"


@pytest.mark.long
def test_a_program_in_c_counts_dominoes(folder: Path) -> None:
    for name in ("kernels.h", "dominoes.c"):
        shutil.copy(REFERENCE / name, folder)
    command = (REFERENCE / "dominoes.c").read_text().partition("       ")[2].partition(" */")[0]
    done = subprocess.run(
        command.replace("cc ", "cc -Wall -Wextra -Werror "), shell=True, cwd=folder, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("12988816\n", "")


# In an installation that has nothing to compile with.
ALONE = """
import sys
from pathlib import Path
sys.modules["numba"] = sys.modules["llvmlite"] = None
from tiler.kernels import cache_folders
cache_folders.LIBRARY = Path(sys.argv[1])
from tiler import formats
from tiler.ask.solve import solve
from tiler.kernels import python_time
from tiler.question.question import Goal, Question
assert cache_folders.seconds_worth() < 0.01
python_time.exhaust()
for spec in ("backtracking", "dlx"):
    print(solve(formats.inline(["4x7", "2"]), spec, Question(Goal.COUNT)).result.count)
    print(spec, python_time.is_left, file=sys.stderr)
"""


@pytest.mark.long
def test_a_shared_library_is_all_that_a_search_needs(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", ALONE, str(folder)], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["781", "781"], done.stderr
    assert "backtracking False" in done.stderr
    assert "dlx True" in done.stderr
    assert "must be compiled, but Numba is not installed: pip install 'tiler-bench[compile]'" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("damage", ["no list", "another digest", "no library", "no function"])
def test_libraries_of_other_kernels_are_left_aside(
    folder: Path, tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source.of(search.function)  # type: ignore[attr-defined]
    copy = tmp_path / "library"
    shutil.copytree(folder, copy)
    monkeypatch.setattr(loader, "LIBRARY", folder)
    assert loader.library_addresses([source]).keys() == {source.name}
    monkeypatch.setattr(loader, "LIBRARY", copy)
    listed = json.loads((copy / "list.json").read_text())
    match damage:
        case "no list":
            (copy / "list.json").write_text("{")
        case "another digest":
            source = source._replace(digest="f00d")
        case "no library":
            for path in copy.glob("*.so"):
                path.unlink()
        case _:
            listed["kernels"]["tiler_other"] = "f00d"
            (copy / "list.json").write_text(json.dumps(listed))
            source = source._replace(name="tiler_other", digest="f00d")
    assert loader.library_addresses([source]) == {}
