"""Scripts for people who change Tiler tell what they are for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.parametrize(
    "script",
    [
        *(
            "docs",
            "fletcher.py",
            "maxsat.py",
            "method_pictures.py",
            "pseudo_boolean.py",
            "reproduce",
            "solver_pictures.py",
            "test",
        ),
        "times_slower.py",
    ],
)
def test_a_script_says_what_it_is_for_and_does_nothing_else(script: str) -> None:
    path = ROOT / "scripts" / script
    command = [sys.executable] if path.suffix else ["bash"]
    done = subprocess.run([*command, str(path), "--help"], capture_output=True, text=True, timeout=60, check=True)
    assert f"scripts/{script}" in done.stdout
    assert done.stderr == ""
