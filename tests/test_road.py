"""No road of a question through our code gets longer: scripts/road.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "scripts"))

import road  # noqa: E402

#: The most files and functions with a call, and the deepest stack. Lower a number when its road is shorter.
MOST = {
    "solve 3x3 1 --solver backtracking": (63, 404, 18),
    "solve problems/4L/10x10_u.txt --solver fila": (95, 549, 22),
    "count 6x10 1:pentominoes --up-to-symmetry": (79, 487, 25),
}


@pytest.mark.parametrize("command", road.COMMANDS)
def test_the_road_of_a_command_gets_no_longer(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    measured = road.road_of_command(command.split())
    files, functions, depth = MOST[command]
    assert (measured.files <= files, measured.calls <= functions, measured.depth <= depth) == (True, True, True), (
        f"{measured.files} files, {measured.calls} functions, {measured.depth} frames: python scripts/road.py -v {command}"
    )


def test_functions_and_the_deepest_stack_are_found() -> None:
    """Of a function that calls itself, here."""

    def fall(height: int) -> int:
        return fall(height - 1) if height else 0

    measured = road.road_of(lambda: fall(3), Path(__file__).parent)
    name = "test_functions_and_the_deepest_stack_are_found.<locals>"
    assert measured.functions == {"tests/test_road.py": [f"{name}.fall", f"{name}.<lambda>"]}
    assert measured.stack == [f"tests/test_road.py: {name}.{function}" for function in ("<lambda>", *["fall"] * 4)]
    assert (measured.files, measured.calls, measured.depth) == (1, 2, 5)


def test_a_command_that_fails_has_no_road() -> None:
    with pytest.raises(ValueError, match=r"exit status 2: tiler: .*nothing"):
        road.road_of_command(["solve", "3x3", "1", "--solver", "nothing"])
