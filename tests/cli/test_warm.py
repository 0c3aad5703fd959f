"""`tiler warm`: machine code for everything, beforehand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def test_warm_leaves_every_kernel_ready() -> None:
    told = subprocess.run([sys.executable, "-m", "tiler", "warm"], capture_output=True, text=True, check=True).stdout
    found = re.fullmatch(r"(\d+) kernels are ready; (their machine code is in .+|they were installed with Tiler)\n", told)
    assert found
    code = "from tiler.kernels import Kernel, digest; digest.import_all(); print(len(Kernel.all))"
    every = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(found[1]) == int(every) > 20


# The folder of the first argument stands for the virtual environment.
SAY = """
import sys
sys.prefix = sys.argv[1]
from tiler.cli.main import main
for arguments in (["bench", "--help"], ["--version"], ["bench", "--filter", "many-unique", "--dry-run"], ["completion", "bash"]):
    try:
        main(arguments)
    except SystemExit:
        pass
"""


def test_what_searches_nothing_compiles_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAY, str(tmp_path / "venv")],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "user")},
    )
    assert all(word in done.stdout for word in ("usage: tiler bench", "tiler 0.", "many-unique", "complete -"))
    assert "compiling" not in done.stderr
    assert not (tmp_path / "venv").exists()
    assert not (tmp_path / "user").exists()
