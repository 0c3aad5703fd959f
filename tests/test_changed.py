"""Which files of tests a change reaches, on a tree of a few files."""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import changed
import pytest
from changed import Lazy, Tree, nearest

FILES = {
    "tiler/__init__.py": "from tiler import errors",
    "tiler/__main__.py": "from tiler.cli import run",
    "tiler/errors.py": "",
    "tiler/alone.py": '"""Has examples.\n\n>>> import tiler.deep.inner\n"""',
    "tiler/cli.py": 'from importlib import import_module\nrun = lambda name: import_module(f"tiler.commands.{name}")',
    "tiler/commands/__init__.py": "",
    "tiler/commands/count.py": "def run():\n    from tiler.deep import inner",
    "tiler/commands/show.py": "",
    "tiler/deep/__init__.py": "",
    "tiler/deep/inner.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import tiler.alone",
    "tiler/deep/page.js": "",
    "tests/helper.py": "import tiler.deep.inner",
    "tests/a/test_types.py": "import tiler.alone",
    "tests/a/test_helped.py": "from helper import x",
    "tests/a/test_named.py": 'import tiler.cli\nOF = "docs/page.md"\nrun("count")',
    "tests/a/test_process.py": 'subprocess.run([sys.executable, "-m", "tiler", "show"])',
    "tests/a/test_text.py": 'patch("tiler.deep.inner.x")',
    "docs/page.md": "",
    "docs/other.md": "",
}


def a_command(text: str) -> set[str]:
    return {name for name in ("count", "show") if f'"{name}"' in text}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    commands = Lazy("tiler.cli", {name: f"tiler.commands.{name}" for name in ("count", "show")}, a_command)
    return Tree(tmp_path, [commands], [("tiler/__init__.py", "tiler/errors.py")])


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("tiler/deep/inner.py", {"test_helped", "test_named", "test_text", "alone"}),
        ("tiler/deep/page.js", {"test_helped", "test_named", "test_text", "alone"}),
        ("tiler/alone.py", {"test_types", "alone"}),
        ("tiler/commands/count.py", {"test_named"}),
        ("tiler/commands/show.py", {"test_process"}),
        ("tiler/cli.py", {"test_named", "test_process"}),
        ("tiler/__init__.py", {"test_types", "test_helped", "test_named", "test_process", "test_text", "alone"}),
        ("tiler/errors.py", set()),
        ("tests/helper.py", {"test_helped"}),
        ("tests/a/test_types.py", {"test_types"}),
        ("docs/page.md", {"test_named"}),
        ("problems/none.txt", set()),
    ],
)
def test_what_is_reached(file: str, tests: set[str], tree: Tree) -> None:
    assert {Path(name).stem for name in tree.reached([file])} == tests


def test_without_names_all_that_may_be_loaded_is_reached(tree: Tree) -> None:
    assert "tests/a/test_process.py" in Tree(tree.root).reached(["tiler/commands/count.py"])


def test_the_nearest_come_first(tree: Tree) -> None:
    files = tree.reached(["tiler/deep/inner.py"])
    assert list(files.values()) == sorted(files.values())
    assert files["tests/a/test_text.py"] == 1
    assert files["tests/a/test_helped.py"] == 2
    seconds = dict.fromkeys(files, 4.0)
    assert [len(nearest(files, seconds, most)) for most in (1, 8, 9, 100)] == [1, 2, 2, 4]


@pytest.mark.parametrize(
    ("test", "kinship"),
    [("tests/cli/test_tile.py", 0), ("tests/model/test_shapes.py", 1), ("tests/cli/test_hostile.py", 2), ("tiler/tile.py", 2)],
)
def test_files_called_alike_come_first(test: str, kinship: int) -> None:
    assert changed._kinship(test, "tiler/model/tile.py") == kinship


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_differs_from_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changed, "ROOT", tmp_path)

    def commit(name: str) -> None:
        (tmp_path / name).write_text(name)
        for words in (["add", name], ["-c", "user.name=a", "-c", "user.email=b", "commit", "--quiet", "--message", name]):
            subprocess.run(["git", *words], cwd=tmp_path, check=True)

    changed.git("init", "--quiet", "--initial-branch", "main")
    commit("old.py")
    assert changed.differing() == []
    (tmp_path / "new.py").touch()
    assert changed.differing() == ["new.py"]
    changed.git("checkout", "--quiet", "-b", "branch")
    commit("new.py")
    (tmp_path / "old.py").unlink()
    (tmp_path / "newest.py").touch()
    assert changed.differing() == ["new.py", "old.py", "newest.py"]


def test_every_solver_and_command_is_loaded_by_name() -> None:
    lazy = {each.owner: each for each in changed.lazy_modules(changed.ROOT)}
    assert {"tiler.backends.fila", "tiler.backends.sat"} <= lazy.keys()
    assert all(find_spec(name) for each in lazy.values() for name in each.modules.values())
    assert lazy["tiler"].names("p = tiler.count(tiler.make('2x2'))") == {"count", "make"}
    assert lazy["tiler.cli.main"].names("run('count', 'solve 2x2 2')\n$ tiler new-solver") == {"count", "solve", "new-solver"}
    assert lazy["tiler.backends.registry"].names("a list of backends()") > {"dlx", "sat"}
