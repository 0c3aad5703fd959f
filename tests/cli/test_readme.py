"""What the README shows is what the commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
EXAMPLES = [
    example
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for example in re.findall(r"^\$ (tiler .*)\n((?:(?!\$ ).*\n)*)", block, re.M)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    (folder / "problems").symlink_to(ROOT / "problems")
    return folder


def test_there_are_examples() -> None:
    commands = {command.split()[1] for command, _ in EXAMPLES}
    assert commands >= {"solve", "count", "show", "check", "shapes", "solvers"}


def test_examples_print_what_is_shown(folder: Path) -> None:
    for command, output in EXAMPLES:
        arguments = shlex.split(command)[1:]
        done = subprocess.run([sys.executable, "-m", "tiler", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.stdout == output, command
        assert done.returncode == 0


def test_python_example_runs() -> None:
    (example,) = (block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "formats.inline" in block)
    subprocess.run([sys.executable, "-c", example], check=True, stdout=subprocess.DEVNULL, timeout=60)


def test_problem_file_example_is_one(tmp_path: Path) -> None:
    from tiler import formats

    (example,) = re.findall(r"^```\n(# title.*?)^```", README, re.DOTALL | re.M)
    instance = formats.parse(example)
    assert [(tile.name, tile.at_least, tile.at_most) for tile in instance.tiles] == [
        ("3L", 0, 2),
        ("4L", 1, None),
        ("2", 0, None),
    ]
    assert len(instance.optional) == 1
